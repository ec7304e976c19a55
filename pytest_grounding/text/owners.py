"""Which claim a citation belongs to, and which claims it can be said to cover."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from pytest_grounding._patterns import lazy
from pytest_grounding.text.spans import Claim, Sentence

# What may stand behind the last citation of a sentence: further markers, closing brackets, a full stop.
_MARKER = lazy(r"\[[^\[\]]{0,80}\]|【[^【】]{0,80}】|\([^()]{0,300}\)|https?://\S{1,2000}")


def claim_owners(
    claims: Sequence[Claim], sentences: Sequence[Sentence], spans: Sequence[tuple[int, int]]
) -> tuple[int | None, ...]:
    """The claim that each citation belongs to.

    A citation belongs to the sentence that it stands in (markers right after a full stop are part of the
    sentence before them, see `segment`); where that sentence is split into clauses, to the clause that
    holds it or comes right before it. One at the end of a split sentence belongs to the last clause. One
    that stands alone, with no words around it, belongs to the claim before.

    Args:
        claims: the claims of the answer, in order.
        sentences: its sentences, as `segment` gave them for the same markers.
        spans: start and end of each citation in the answer; a negative start means that it stands nowhere.

    Returns:
        For each span the index of its claim, or None where it stands in no claim.
    """
    starts = [claim.start for claim in claims]
    return tuple(_owner(claims, sentences, starts, start) for start, _ in spans)


def covering_claims(
    claims: Sequence[Claim],
    sentences: Sequence[Sentence],
    span: tuple[int, int],
    others: Sequence[tuple[int, int]] = (),
) -> tuple[int, ...]:
    """All claims that one citation can be said to cover.

    A citation at the end of a sentence that is split into clauses covers all of them, but for those that
    end with a citation of their own; one inside a sentence covers the clause that it belongs to.

    Args:
        claims: the claims of the answer, in order.
        sentences: its sentences, as `segment` gave them for the same markers.
        span: start and end of the citation in the answer.
        others: spans of the other citations. Clauses up to the last one that stands in an earlier clause
            of the sentence are left to them; without this, all clauses are covered.

    Returns:
        Indexes of claims in order, the owner last; empty where the citation stands in no claim.
    """
    start, end = span
    owner = _owner(claims, sentences, [claim.start for claim in claims], start)
    if owner is None:
        return ()
    sentence = claims[owner].sentence
    first = bisect_left(claims, sentence, key=lambda claim: claim.sentence)
    last = bisect_right(claims, sentence, key=lambda claim: claim.sentence) - 1
    whole = sentences[sentence]
    rest = _MARKER.sub("", whole.text[max(0, end - whole.start) :])
    if owner != last or any(char.isalnum() for char in rest):
        return (owner,)
    earlier = [place for place, _ in others if claims[first].start <= place < claims[owner].start]
    if earlier:
        first = bisect_right(claims, max(earlier), key=lambda claim: claim.start)
    return tuple(range(min(first, owner), owner + 1))


def _owner(
    claims: Sequence[Claim], sentences: Sequence[Sentence], starts: Sequence[int], place: int
) -> int | None:
    if place < 0 or not claims:
        return None
    number = bisect_right(starts, place) - 1
    if number < 0 or place >= max(claims[number].end, sentences[claims[number].sentence].end):
        return None
    if claims[number].skip_reason == "separator" and number > 0:
        return number - 1
    return number

"""Which claim a citation belongs to."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from pytest_grounding.text.spans import Claim, Sentence


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

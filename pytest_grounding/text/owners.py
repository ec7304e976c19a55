"""Which claim a citation belongs to, and which claims it can be said to cover."""

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
    holds it or comes right before it. One at the end of a split sentence belongs to the last clause.

    Args:
        claims: the claims of the answer, in order.
        sentences: its sentences, as `segment` gave them for the same markers.
        spans: start and end of each citation in the answer; a negative start means that it stands nowhere.

    Returns:
        For each span the index of its claim, or None where it stands in no claim.
    """
    starts = [sentence.start for sentence in sentences]
    by_sentence = _by_sentence(claims)
    owners: list[int | None] = []
    for start, _ in spans:
        number = bisect_right(starts, start) - 1 if start >= 0 else -1
        members = by_sentence.get(number, ())
        owner: int | None = None
        for claim in members:
            if claim.start <= start or owner is None:
                owner = claim.index
        owners.append(owner if number >= 0 else None)
    return tuple(owners)


def covering_claims(
    claims: Sequence[Claim], sentences: Sequence[Sentence], span: tuple[int, int]
) -> tuple[int, ...]:
    """All claims that one citation can be said to cover.

    A citation at the end of a sentence covers all clauses of it that come after the citation before;
    one inside a sentence covers the clause that it stands in or right after.

    Args:
        claims: the claims of the answer, in order.
        sentences: its sentences, as `segment` gave them for the same markers.
        span: start and end of the citation in the answer.

    Returns:
        Indexes of claims in order; empty where the citation stands in no claim.
    """
    owner = claim_owners(claims, sentences, [span])[0]
    if owner is None:
        return ()
    sentence = claims[owner].sentence
    members = [claim for claim in claims if claim.sentence == sentence]
    if claims[owner] is not members[-1]:
        return (owner,)
    return tuple(claim.index for claim in members)


def _by_sentence(claims: Sequence[Claim]) -> dict[int, list[Claim]]:
    members: dict[int, list[Claim]] = {}
    for claim in claims:
        members.setdefault(claim.sentence, []).append(claim)
    return members

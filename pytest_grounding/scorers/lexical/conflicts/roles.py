"""Two things that changed places: "A acquired B" against "B acquired A"."""

from __future__ import annotations

from collections.abc import Iterator

from pytest_grounding.scorers.lexical.conflicts.contest import Contest
from pytest_grounding.scorers.lexical.conflicts.values import Found

_MIRRORS = frozenset({"by", "from", "with", "between", "and", "or", "both"})
_MINIMUM = 3


def role_conflicts(contest: Contest, sentences: list[tuple[int, int]]) -> Iterator[Found]:
    """Pairs of words whose exchange would put the claim in the order of a sentence."""
    claim = contest.claim
    count: dict[str, int] = {}
    for token in claim.tokens:
        count[token.stem] = count.get(token.stem, 0) + 1
    for chunk, sentence in sentences:
        view = contest.chunks[chunk]
        places: dict[str, list[int]] = {}
        low, high = contest.bounds(chunk, sentence)
        for number in range(low, high):
            places.setdefault(view.tokens[number].stem, []).append(number)
        common = [
            number
            for number in claim.content
            if count[claim.tokens[number].stem] == 1 and len(places.get(claim.tokens[number].stem, ())) == 1
        ]
        if len(common) < _MINIMUM:
            continue
        order = [places[claim.tokens[number].stem][0] for number in common]
        swapped = _exchanged(contest, common, order)
        if swapped is None:
            continue
        first, last = swapped
        a, b = order[first], order[last]
        if _is_mirrored(contest, chunk, common[first], common[last], min(a, b), max(a, b)):
            continue
        token, rival = claim.tokens[common[first]], view.tokens[order[last]]
        cover = contest.cover(chunk, sentence)
        yield Found("role", token.start, token.end, chunk, order[last], rival.start, rival.end, 1.0, cover)


def _exchanged(contest: Contest, common: list[int], order: list[int]) -> tuple[int, int] | None:
    """The blocks of one or more words whose exchange makes the order ascend; None where it is not so.

    Names of several words move as a block: the two blocks are cut where the order jumps.
    """
    ranks = {value: rank for rank, value in enumerate(sorted(order))}
    row = [ranks[value] for value in order]
    wrong = [at for at, rank in enumerate(row) if rank != at]
    if not wrong:
        return None
    first, last = wrong[0], wrong[-1]
    # Left block: from the first wrong place while ranks ascend by one; right block: the same from the end.
    left = first
    while left + 1 < last and row[left + 1] == row[left] + 1:
        left += 1
    right = last
    while right - 1 > left and row[right - 1] == row[right] - 1:
        right -= 1
    middle = row[left + 1 : right]
    if not middle or left + 1 >= right:
        return None
    swapped = row[:first] + row[right : last + 1] + middle + row[first : left + 1] + row[last + 1 :]
    if swapped != list(range(len(row))):
        return None
    if last - right > 3 or left - first > 3:
        return None
    return left, right


def _is_mirrored(contest: Contest, chunk: int, start: int, end: int, low: int, high: int) -> bool:
    """Whether a passive or a conjunction on one side explains the other order."""
    ours = {token.norm for token in contest.claim.tokens[start : end + 1]}
    theirs = {token.norm for token in contest.chunks[chunk].tokens[low : high + 1]}
    return bool((ours & _MIRRORS) ^ (theirs & _MIRRORS)) or bool(ours & {"and", "or", "between"})

"""What stands on either side of a word in its clause, and whether two words have changed sides."""

from __future__ import annotations

from pytest_grounding.scorers.lexical.conflicts.view import View

_SIDE_WORDS = 3
# A full stop inside a sentence ends an abbreviation ("Ltd.").
CLAUSE = frozenset(",;:()\n")
_CLAUSE_WORDS = frozenset({"and", "or", "but", "while", "whereas", "which", "because", "when", "if", "so"})


def around(view: View, number: int, low: int, high: int) -> tuple[list[str], list[str]]:
    """Up to three content words on either side of a word, in its clause, nearest first.

    Args:
        view: the text.
        number: the word.
        low: first word that is looked at.
        high: one past the last.
    """
    tokens, text = view.tokens, view.text
    sides: tuple[list[str], list[str]] = ([], [])
    for side, step in zip(sides, (-1, 1), strict=True):
        at = number + step
        while low <= at < high and len(side) < _SIDE_WORDS:
            first, second = (at, at + 1) if step < 0 else (at - 1, at)
            between = text[tokens[first].end : tokens[second].start]
            if not CLAUSE.isdisjoint(between) or tokens[at].norm in _CLAUSE_WORDS:
                break
            if not tokens[at].is_stop:
                side.append(tokens[at].stem)
            at += step
    return sides


def are_mirrored(ours: tuple[list[str], list[str]], theirs: tuple[list[str], list[str]]) -> bool:
    """Whether what stands on one side of a word stands on the other side of another: "A > B" and "B < A"."""
    (left, right), (other_left, other_right) = (tuple(map(set, sides)) for sides in (ours, theirs))
    crossed = len(left & other_right) + len(right & other_left)
    straight = len(left & other_left) + len(right & other_right)
    return crossed > straight


def slot_of(view: View, first: int, last: int, low: int, high: int) -> tuple[str, str]:
    """The content words right before and right after words first to last, within words low to high."""
    before = after = ""
    for number in range(first - 1, max(low, first - 4) - 1, -1):
        if not view.tokens[number].is_stop:
            before = view.tokens[number].stem
            break
    for number in range(last + 1, min(high, last + 5)):
        if not view.tokens[number].is_stop:
            after = view.tokens[number].stem
            break
    return before, after


def shared_slots(slot: tuple[str, str], other: tuple[str, str]) -> int:
    """How many of the two sides of a slot hold the same word."""
    return (slot[0] == other[0] != "") + (slot[1] == other[1] != "")

"""The words that make a limit of a number: shown with it, and judged with it."""

from __future__ import annotations

from pytest_grounding.scorers.lexical.conflicts.view import View
from pytest_grounding.text.facts import extract_facts


def with_bound(text: str, start: int, end: int) -> tuple[int, int]:
    """A stretch of a text together with the words next to it that make a limit of it: "at least ten".

    Args:
        text: the text.
        start: offset of the stretch's first character.
        end: one past its last.
    """
    for fact in extract_facts(text):
        if fact.start <= start and end <= fact.end:
            return min(start, fact.lead), (fact.tail if fact.tail > fact.end else end)
    return start, end


def is_of_limit(view: View, start: int, end: int) -> bool:
    """Whether a stretch of a text belongs to the limit of a number: "refused" in "over 5 kg are refused".

    Such words say the same as others ("up to 5 kg"), and are no opposites of them.

    Args:
        view: the text.
        start: offset of the stretch's first character.
        end: one past its last.
    """
    return any(
        fact.lead <= start and end <= fact.tail and (end <= fact.start or fact.end <= start)
        for fact in view.facts
    )

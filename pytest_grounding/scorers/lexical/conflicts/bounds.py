"""The words that make a limit of a number, for a conflict that would else show the same number twice."""

from __future__ import annotations

import re

from pytest_grounding._patterns import lazy

_BEFORE = lazy(
    r"\b(?:at (?:the )?(?:least|most)|up to|as (?:many|much|few|little) as|(?:no |not )?"
    r"(?:more|fewer|less|later|earlier) than|over|under|above|below|(?:a |the )?(?:maximum|minimum) of|"
    r"within)\s+$",
    re.IGNORECASE,
)
_AFTER = lazy(r"\s+(?:or|and) (?:more|fewer|less|over|under|above|below)\b", re.IGNORECASE)
_LONGEST = 24


def with_bound(text: str, start: int, end: int) -> tuple[int, int]:
    """A stretch of a text together with the words next to it that make a limit of it: "at least ten".

    Args:
        text: the text.
        start: offset of the stretch's first character.
        end: one past its last.
    """
    low = max(0, start - _LONGEST)
    before = _BEFORE.search(text[low:start])
    after = _AFTER.match(text, end)
    return (low + before.start() if before else start), (after.end() if after else end)

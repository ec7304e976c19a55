"""Is the answer stated: four words that are strings, and true only where something of the answer is there."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator

Presence = Literal["full", "partial", "none", "abstain"]

_ABSENT = frozenset({"none", "abstain"})


class PresenceWord(str):
    """One of "full", "partial", "none", "abstain": a string like any other but for its truth.

    It equals, hashes, sorts, pickles and prints as the plain string, and JSON holds the same bytes. ``bool``
    is true for "full" and "partial" and false for "none" and "abstain", so that ``if
    verdict.answer_present:`` means what it says.
    """

    __slots__ = ()

    def __bool__(self) -> bool:
        return str(self) not in _ABSENT


def _worded(value: Presence) -> Presence:
    return PresenceWord(value)  # type: ignore[return-value]


#: The type of the field: a `Presence` for type checkers and in JSON Schema, a `PresenceWord` at run time.
AnswerPresent = Annotated[Presence, AfterValidator(_worded)]

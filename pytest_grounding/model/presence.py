"""Is the answer stated: four words that are strings, and true only where something of the answer is there."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import GetCoreSchemaHandler
from pydantic_core import core_schema

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


class _Worded:
    """Makes a `PresenceWord` of the plain string, after pydantic has checked that it is one of the four."""

    @classmethod
    def __get_pydantic_core_schema__(
        cls, source: Any, handler: GetCoreSchemaHandler
    ) -> core_schema.CoreSchema:
        return core_schema.no_info_after_validator_function(PresenceWord, handler(source))


#: The type of the field: a `Presence` for type checkers and in JSON Schema, a `PresenceWord` at run time.
AnswerPresent = Annotated[Presence, _Worded]

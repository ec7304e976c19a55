"""How a recorded run ended: with an answer, or failed, cancelled, cut off or not yet done."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pytest_grounding.lexicon import member_names
from pytest_grounding.lexicon.patterns import plain
from pytest_grounding.model.json_values import as_text
from pytest_grounding.model.members import as_map, first_text

INCOMPLETE = "incomplete_recording"  # rule of the finding on a run that has no complete answer
_STATES = ("status", "state", "status_code", "run_status")
_BAD = plain("recorded", "not_ended")
_FLAGS = member_names("unfinished flags")
_ERRORS = ("error", "exception", "error_message", "errorMessage", "__interrupt__")
CUT = frozenset(member_names("cut reasons"))
_NO_ERROR = frozenset(member_names("no error"))  # what a column of errors holds where there was none
_SHOWN = 200


def why_unfinished(members: Mapping[str, Any]) -> str:
    """Why the run behind a response did not end with a complete answer, by its own members; "" if it did."""
    for name in _STATES:
        held = members.get(name)
        value = held if isinstance(held, str) else as_text(as_map(held).get("status_code")) or ""
        if value and _BAD.fullmatch(value.strip()) is not None:
            details = as_text(as_map(members.get("incomplete_details")).get("reason"))
            return f"{name} {value.strip()}" + (f": {details}" if details else "")
    for name in _FLAGS:
        if members.get(name) is True:
            return name
    for name in _ERRORS:
        if said := error_text(members.get(name)):
            return said
    return ""


def error_text(error: Any) -> str:
    """The words of an error in the forms in which services report one; "" for none."""
    if isinstance(error, str):
        return "" if error.strip().casefold() in _NO_ERROR else error.strip()[:_SHOWN]
    members = as_map(error)
    text = first_text(members, "message", "detail", "type", "code", "reason") or ""
    return (text or ("an error" if members else ""))[:_SHOWN]

"""Whether the result of a tool call reports a failure: by a flag, a number, a state, or in words."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding.checks.foreign_actions import english_verb
from pytest_grounding.lexicon import fields, lines, words
from pytest_grounding.lexicon.patterns import PatternFile
from pytest_grounding.model.base import as_text, decoded
from pytest_grounding.model.transcript import ToolCall
from pytest_grounding.reading.words import stem_of

#: Verbs of the same action by their stems, one action a row.
ACTIONS = tuple(frozenset(map(stem_of, line.split())) for line in lines("agents", "actions"))
READING = words("agents", "reading")
_JOINT = lazy(r"(?<=[a-z])(?=[A-Z])|[^A-Za-z]+")
_ERROR_KEYS = words("agents", "error keys")
_SUCCESS_KEYS = words("agents", "success keys")
_STATUS_KEYS = words("agents", "status keys")
_EXIT_KEYS = words("agents", "exit keys")
_RESULT_KEYS = words("agents", "result keys")
_MESSAGE_KEYS = words("agents", "message keys")
_FAILED = words("agents", "failed")
_FAULTS = frozenset(map(stem_of, words("agents", "error keys")))
_ENDED = words("agents", "ended")
_NO_STATES: frozenset[str] = frozenset()
_CANCEL = stem_of("cancel")
_DENYING = words("agents", "denying")
_NOTHING = words("agents", "nothing") | {""}
_EXCLUDING = {stem_of(verb): frozenset(states) for verb, states in fields("agents", "excluding").items()}
_FAILURES = PatternFile("failures")
_WORDS = lazy(r"[^\W_]+")
#: Members that hold another result are read to this depth.
_MAX_DEPTH = 4
#: A longer text is what was asked for, unless it begins as an error does; states have a few words.
_SHORT = 200
_LONGEST_STATE, _WORDS_OF_STATE = 40, 2
_LEAST_ERROR, _AFTER_ERRORS = 400, 600


def tool_words(name: str) -> list[str]:
    """The words of a tool's name in lower case."""
    return _JOINT.sub(" ", name).lower().split()


def result_text(call: ToolCall) -> str:
    """The result of a call as text."""
    held = call.result
    if held is None:
        return ""
    return held if isinstance(held, str) else json.dumps(held, ensure_ascii=False)


def has_failed(call: ToolCall) -> bool:
    """Whether a call ended with an error, or its result reports one."""
    if call.error is not None:
        return True
    return _Result(call.name).is_failure(call.result, _MAX_DEPTH)


class _Result:
    """Reads the result of one tool; what the tool is for is no failure: "blocked" by block_card."""

    def __init__(self, tool: str) -> None:
        named = tool_words(tool)
        stems = {stem_of(part) for part in named}
        self._aims = frozenset().union(*(group for group in ACTIONS if group & stems)) | stems
        ended = _NO_STATES if _CANCEL in self._aims else _ENDED
        self._bad = _FAILED.union(ended, *(_EXCLUDING.get(stem, ()) for stem in stems))
        self._is_reading = not READING.isdisjoint(named)

    def is_failure(self, held: Any, depth: int) -> bool:
        """Whether a value reports a failure; JSON text is read as its value."""
        held = decoded(held)
        if depth == 0:
            return False
        if isinstance(held, Mapping):
            return self._is_failed_object(held, depth)
        if isinstance(held, (list, tuple)):
            return bool(held) and all(self.is_failure(_text_in(item), depth - 1) for item in held)
        return isinstance(held, str) and self._says_failure(held)

    def _is_failed_object(self, held: Mapping[str, Any], depth: int) -> bool:
        """Whether a member says so; members of a record that was only read are what was asked for."""
        for name, value in held.items():
            key = str(name).casefold().replace("_", " ")
            if key in _ERROR_KEYS and not _is_nothing(value):
                return True
            # What the tool is for may be its key: "cancelled".
            is_aim = not self._is_reading and stem_of(key) in self._aims
            if (is_aim or key in _SUCCESS_KEYS) and _is_false(value):
                return True
            if key in _STATUS_KEYS and self._is_bad_status(value):
                return True
            if key in _EXIT_KEYS and not _is_nothing(value):
                return True
            is_result = key in _RESULT_KEYS or (key in _MESSAGE_KEYS and len(held) == 1)
            if is_result and self.is_failure(value, depth - 1):
                return True
        return False

    def _is_bad_status(self, value: Any) -> bool:
        text = (as_text(value) or "").strip().casefold()
        if isinstance(value, int) or text.isdecimal():
            return isinstance(value, bool) is False and _LEAST_ERROR <= int(value) < _AFTER_ERRORS
        if not text or len(text) > _LONGEST_STATE or self._is_reading:
            return text == "error"
        said = _WORDS.findall(text)
        stems = {stem_of(english_verb(word) or word) for word in said}
        if said and said[0] in _DENYING:
            return stems.isdisjoint(_FAULTS)
        states = {word for word in said if stem_of(english_verb(word) or word) not in self._aims}
        if states:
            states.add(text.replace("_", " "))
        return not states.isdisjoint(self._bad)

    def _says_failure(self, text: str) -> bool:
        """Whether a text begins as errors do, or is a short sentence that denies the action."""
        opening = text.strip()[:_SHORT]
        if _FAILURES.labelled.match(opening) is not None or _FAILURES.status.match(opening) is not None:
            return True
        if len(text) > _SHORT or self._is_reading:
            return False
        if _FAILURES.unable.match(opening) is not None or any(
            wording.search(opening) is not None for wording in (_FAILURES.said, _FAILURES.gone)
        ):
            return True
        return len(opening.split()) <= _WORDS_OF_STATE and self._is_bad_status(opening)


def _text_in(item: Any) -> Any:
    """The text of a part of a message; another item as it is."""
    if isinstance(item, Mapping) and item.get("type") == "text":
        return item.get("text")
    return item


def _is_nothing(value: Any) -> bool:
    if isinstance(value, str):
        return value.strip().casefold() in _NOTHING
    return not value


def _is_false(value: Any) -> bool:
    """Whether a flag is set to no; a missing value says nothing."""
    return (value is not None and not isinstance(value, (Mapping, Sequence)) and not value) or (
        isinstance(value, str) and value.strip().casefold() in _NOTHING - {""}
    )

"""Whether the result of a tool call reports a failure: by a flag, a number, a state, or in words."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding.checks.foreign_actions import english_verb
from pytest_grounding.lexicon import fields, lines, table, words
from pytest_grounding.lexicon.patterns import PatternFile
from pytest_grounding.model.json_values import as_text, decoded
from pytest_grounding.model.transcript import ToolCall
from pytest_grounding.reading.words import stem_of

#: Verbs of the same action by their stems, one action a row.
ACTIONS = tuple(frozenset(map(stem_of, line.split())) for line in lines("agents", "actions"))
READING = words("agents", "reading")
_JOINT = lazy(r"(?<=[a-z])(?=[A-Z])|[^A-Za-z]+")
#: What the members of a result tell, by their names in small letters without blanks and lines.
_KEYS = {key.replace(" ", "").replace("_", ""): told for key, told in table("agents", "keys").items()}
_FAILED = words("agents", "failed")
_FAILED_IN_WORDS = words("agents", "failed in words")
_FAULTS = frozenset(stem_of(key) for key, told in _KEYS.items() if told == "error")
_ENDED = words("agents", "ended")
_NO_STATES: frozenset[str] = frozenset()
_CANCEL = stem_of("cancel")
_DENYING = words("agents", "denying")
_NOTHING = words("agents", "nothing") | {""}
_DENIALS = _DENYING | words("agents", "without")
_IRREGULAR = words("agents", "irregular")
#: What follows a "no" that is good news, and that tells what cancelling, deleting and locking do.
_NEEDLESS, _NO_MORE = words("agents", "needless"), words("agents", "no more")
_ENDING_ACTIONS = frozenset(map(stem_of, words("agents", "ending")))
#: Nouns that a text may hold as its subject: "Ticket about an error created".
_FAULTY_NOUNS = words("agents", "faulty nouns")
_NEAR = 4  # words before another within which a "no" denies it
_EXCLUDING = {stem_of(verb): frozenset(states) for verb, states in fields("agents", "excluding").items()}
_FAILURES = PatternFile("failures")
_WORDS = lazy(r"[^\W_]+")
_CLAUSES = lazy(r"[.;:!?,]\s|\n|\s[(–—]")
_QUOTED = lazy(r"[\"“„«][^\"“”„«»\n]{0,200}[\"”“»]")
_NOT = lazy(r"n['’]t\b")
#: Endings by which French and Spanish participles differ: refusées, denegadas.
_ENDING = lazy(r"(?<=é)e?s?\Z|(?<=[dt])(?:as?|os)\Z")
_BETWEEN = lazy(r"[\W_]+")
_SAYS_WHY = frozenset({"error", "exit"})
_MAX_DEPTH = 4  # members that hold another result are read to this depth
#: A longer text is what was asked for, unless it begins as an error does; states have a few words.
_SHORT = 200
_LONGEST_STATE, _WORDS_OF_STATE = 40, 2
_LEAST_ERROR, _AFTER_ERRORS = 400, 600


def tool_words(name: str) -> list[str]:
    """The words of a tool's name in lower case."""
    return _JOINT.sub(" ", name).lower().split()


def is_past(verb: str) -> bool:
    """Whether an English verb in small letters is a past or a participle."""
    return verb.endswith("ed") or verb in _IRREGULAR


def _form(word: str) -> str:
    return _ENDING.sub(lambda found: "o" if found[0][:1] in ("a", "o") else "", word)


def result_text(call: ToolCall) -> str:
    """The result of a call as text."""
    held = call.result
    if held is None:
        return ""
    return held if isinstance(held, str) else json.dumps(held, ensure_ascii=False)


def has_failed(call: ToolCall) -> bool:
    """Whether a call ended with an error, or its result reports one."""
    return call.error is not None or _result_of(call.name).is_failure(call.result, _MAX_DEPTH)


class _Result:
    """Reads the result of one tool; what the tool is for is no failure: "blocked" by block_card."""

    def __init__(self, tool: str) -> None:
        named = tool_words(tool)
        stems = set(map(stem_of, named))
        self._aims = frozenset().union(*(group for group in ACTIONS if group & stems)) | stems
        ended = _NO_STATES if _CANCEL in self._aims else _ENDED
        self._bad = _FAILED.union(ended, *(_EXCLUDING.get(stem, ()) for stem in stems))
        self._unmeant = _NEEDLESS if _ENDING_ACTIONS.isdisjoint(self._aims) else _NEEDLESS | _NO_MORE
        self._bad_words = frozenset(map(_form, self._bad | _FAILED_IN_WORDS)) - self._aims
        self._is_reading = not READING.isdisjoint(named)

    def is_failure(self, held: Any, depth: int) -> bool:
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
            key = _BETWEEN.sub("", str(name).casefold())
            told = _KEYS.get(key)
            # What the tool is for may be its key: "cancelled".
            is_aim = not self._is_reading and stem_of(english_verb(key) or key) in self._aims
            if (is_aim and value == []) or ((is_aim or told == "success") and _is_false(value)):
                return True
            if told in _SAYS_WHY and not _is_nothing(value):
                return True
            if told == "status" and self._is_bad_status(value):
                return True
            if told == "type" and isinstance(value, str) and _FAILURES.type.match(value) is not None:
                return True
            if told == "failed" and value is True and not is_aim:
                return True
            is_result = told == "result" or (told == "message" and len(held) == 1)
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
        if states := {word for word in said if stem_of(english_verb(word) or word) not in self._aims}:
            states.add(text.replace("_", " "))
        return not states.isdisjoint(self._bad)

    def _says_failure(self, text: str) -> bool:
        opening = text.strip()[:_SHORT]
        if _FAILURES.labelled.match(opening) is not None or _FAILURES.status.match(opening) is not None:
            return True
        if len(text) > _SHORT or self._is_reading:
            return False
        tests = (_FAILURES.unable.match, _FAILURES.said.search, _FAILURES.gone.search)
        if any(test(opening) for test in tests):
            return True
        if len(opening.split()) <= _WORDS_OF_STATE and self._is_bad_status(opening):
            return True
        clauses = _CLAUSES.split(_QUOTED.sub(" ", opening))
        told = (self._told_by(clause, is_first=number == 0) for number, clause in enumerate(clauses))
        return next((is_bad for is_bad in told if is_bad is not None), False)

    def _told_by(self, clause: str, *, is_first: bool) -> bool | None:
        """True if a clause says that the call failed, False if that it worked, None if neither."""
        said = list(map(_form, _WORDS.findall(_NOT.sub(" not", clause.casefold()))))
        verbs = [english_verb(word) or word for word in said]
        is_denied = [not _DENIALS.isdisjoint(said[max(0, at - _NEAR) : at]) for at in range(len(said))]
        aims = [at for at, verb in enumerate(verbs) if stem_of(verb) in self._aims and not is_denied[at]]
        if any(verbs[at] != said[at] or is_past(verbs[at]) for at in aims):
            return False
        bad = [at for at, word in enumerate(said) if word in self._bad_words]
        if not all(is_denied[at] or said[at] in _FAULTY_NOUNS for at in bad):
            return True
        is_no_fault = bool(bad) or not _FAULTS.isdisjoint(map(stem_of, said))
        if is_first and not is_no_fault and not _DENYING.isdisjoint(said) and self._unmeant.isdisjoint(said):
            return True
        return False if aims else None


# An agent calls few tools many times.
_result_of = lru_cache(maxsize=256)(_Result)


def _text_in(item: Any) -> Any:
    return item.get("text") if isinstance(item, Mapping) and item.get("type") == "text" else item


def _is_nothing(value: Any) -> bool:
    return value.strip().casefold() in _NOTHING if isinstance(value, str) else not value


def _is_false(value: Any) -> bool:
    if isinstance(value, str):
        return value.strip().casefold() in _NOTHING - {""}
    return value is not None and not isinstance(value, (Mapping, Sequence)) and not value

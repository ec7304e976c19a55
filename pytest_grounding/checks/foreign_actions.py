"""Actions that an answer claims in German, French or Spanish, by the English verb of the tool."""

from __future__ import annotations

from dataclasses import dataclass

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding.lexicon import fields
from pytest_grounding.lexicon.patterns import PatternFile

_VERBS = {word: verb for verb, said in fields("agents", "actions elsewhere").items() for word in said}
_ACTIONS = PatternFile("actions")
_WORD = lazy(r"[^\W\d_]+")
_SENTENCE_END = lazy(r"[.!?;:](?:\s|$)")
_BEFORE = 12  # characters before the verb in which a "no" denies it


@dataclass(frozen=True, slots=True)
class Action:
    """An action claimed by a sentence: its verb in English, and whether the agent claims to have done it."""

    verb: str
    is_ours: bool


def english_verb(word: str) -> str | None:
    """The English verb of a participle, or None."""
    return _VERBS.get(word.casefold())


def is_undone(text: str) -> bool:
    """Whether a sentence denies what it says."""
    return _ACTIONS.denied.search(text) is not None


def actions_elsewhere(text: str) -> list[Action]:
    """The actions claimed by a sentence."""
    if not any(word.casefold() in _VERBS for word in _WORD.findall(text)) or _ACTIONS.condition.match(text):
        return []
    found: list[Action] = []
    for wording in (_ACTIONS.by_us, _ACTIONS.done):
        for start in wording.finditer(text):
            end = _SENTENCE_END.search(text, start.end())
            said = text[start.end() : end.start() if end is not None else len(text)]
            if is_undone(said) or is_undone(text[max(0, start.start() - _BEFORE) : start.end()]):
                continue
            verbs = [verb for word in _WORD.findall(said) if (verb := english_verb(word)) is not None]
            found += [Action(verb, wording is _ACTIONS.by_us) for verb in verbs]
    return found

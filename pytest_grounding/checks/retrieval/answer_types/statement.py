"""Things, choices, yes or no: answers that no look tells from other words, so any statement may be one.

What is left out: a clause that says what is done to a thing and not what it is; one that names a kind ("the
plan") and not which one of it.
"""

from __future__ import annotations

from collections.abc import Iterator

from pytest_grounding.checks.retrieval.asked import Asked
from pytest_grounding.checks.retrieval.sentence import Sentence
from pytest_grounding.lexicon.patterns import pattern

_VERB_FORM = pattern("answers", "verb_form")
_NOTHING = pattern("answers", "nothing")
_ASKS_VALUE = pattern("answers", "asks_value")
_COPULA = pattern("answers", "copula")
_HAPPENS = pattern("answers", "happens")
_TELLS = pattern("answers", "tells")


def answers(asked: Asked, clause: Sentence) -> Iterator[str]:
    """A statement for yes or no; else words that the question does not hold, or "nothing"."""
    part = asked.part
    if part.type == "yes_no":
        yield from _VERB_FORM.findall(clause.lower)
    elif part.expected == "choice":
        if not _leaves_open(asked, clause):
            yield from (token.text for token in clause.new_words(asked.known))
    elif not _only_happens(asked, clause):
        yield from (token.text for token in clause.new_words(asked.known))
        yield from _NOTHING.findall(clause.lower)


def _only_happens(asked: Asked, clause: Sentence) -> bool:
    """Whether a clause only says what is done to what is asked for: "The password is printed on ..."."""
    if not _ASKS_VALUE.match(asked.part.text.lower()):
        return False
    found = list(_COPULA.finditer(clause.lower))
    return bool(found) and all(_HAPPENS.match(clause.lower, match.end()) for match in found)


def _leaves_open(asked: Asked, clause: Sentence) -> bool:
    """Whether a clause names the kind, and not which one: no "the Gold plan", no "gate 4"."""
    tokens = clause.tokens
    places = [n for n, token in enumerate(tokens) if token.stem in asked.kinds - asked.named]
    if asked.part.type != "which" or not places:
        return False
    for place in places:
        before, after = tokens[max(place - 1, 0) : place], tokens[place + 1 : place + 2]
        if any(not t.is_stop and t.stem not in asked.known for t in before):
            return False
        if any((t.is_number or t.is_name) and t.stem not in asked.known for t in after):
            return False
        tells = _TELLS.match(clause.lower, tokens[place].end - clause.start)
        if tells and (tells["copula"] is None or not _HAPPENS.match(clause.lower, tells.end())):
            return False
    # "Metformin is the first medicine that ...": what stands before the verb is the one.
    copula = _COPULA.search(clause.lower)
    if copula is None or copula.start() >= tokens[places[0]].start - clause.start:
        return True
    return not clause.new_words(asked.known, before=copula.start())

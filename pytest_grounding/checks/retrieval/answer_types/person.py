"""Persons, bodies and roles."""

from __future__ import annotations

from collections.abc import Iterator

from pytest_grounding._patterns import lazy
from pytest_grounding.checks.retrieval.asked import Asked
from pytest_grounding.checks.retrieval.sentence import Sentence
from pytest_grounding.lexicon import ordered, words
from pytest_grounding.lexicon.patterns import pattern
from pytest_grounding.scorers.lexical.tokens import stems_of, tokenize
from pytest_grounding.text.facts import Fact

_ROLES = words("answers", "roles")
_NO_ROLES = words("answers", "no_roles")
_ROLE_ENDING = pattern("answers", "role_ending")
_ROLE_WORD = lazy(r"[a-z][a-z'\-]+")
_AGENT = pattern("answers", "agent")
_NO_AGENTS = words("answers", "no_agents")
_ACTING = words("answers", "acting")
_PLACE_BEFORE = words("answers", "place_before")
_TITLES = " ".join(ordered("answers", "titles"))
_IS_A = pattern("answers", "is_a")


def answers(asked: Asked, clause: Sentence) -> Iterator[str]:
    """A person, a body or a role that the question does not name."""
    if asked.asks_identity:
        yield from _descriptions(asked, clause)
        return
    for fact in new_names(asked, clause):
        # A capital at the start says nothing by itself: ask what stands after it.
        is_place = not _PLACE_BEFORE.isdisjoint(clause.words_before(fact.start, 1))
        if not is_place and (not fact.initial or acts(asked, clause, fact)):
            yield fact.text
    yield from _roles(asked, clause)
    yield from _agents(asked, clause)


def new_names(asked: Asked, clause: Sentence) -> Iterator[Fact]:
    """Names that say neither what the question names, nor more of it ("Acme Robotics" for "Acme")."""
    for fact in clause.facts:
        if fact.kind == "name":
            stems = {token.stem for token in tokenize(fact.text)}
            if not stems <= asked.stems and not any(run <= stems for run in asked.names):
                yield fact


def acts(asked: Asked, clause: Sentence, fact: Fact) -> bool:
    """Whether the words right after a name are those of the question: "Tesla invented ..."."""
    if any(token.stem in asked.content for token in clause.tokens_after(fact.end, 2)):
        return not fact.text.lower().endswith(("ing", "ly", "tion", "ment"))
    return not _ACTING.isdisjoint(clause.words_after(fact.end, 1))


def _agents(asked: Asked, clause: Sentence) -> Iterator[str]:
    """Who or what did it, in the passive: "built by the release bot"."""
    for match in _AGENT.finditer(clause.lower):
        doer = [t for t in tokenize(match[1])[:3] if not t.is_stop]
        if doer and doer[0].norm not in _NO_AGENTS and any(t.stem not in asked.stems for t in doer):
            yield match[1]


def _roles(asked: Asked, clause: Sentence) -> Iterator[str]:
    for match in _ROLE_WORD.finditer(clause.lower):
        word = match[0].removesuffix("'s")
        is_role = word in _ROLES or word.removesuffix("s") in _ROLES
        is_role = is_role or (word not in _NO_ROLES and _ROLE_ENDING.match(word) is not None)
        if is_role and not any(t.stem in asked.stems for t in tokenize(word)):
            yield word


def _descriptions(asked: Asked, clause: Sentence) -> Iterator[str]:
    """What a clause says that somebody is: "Ada Lovelace was an English mathematician"."""
    for fact in clause.facts:
        stems = {t.stem for t in tokenize(fact.text)} if fact.kind == "name" else set()
        if any(run < stems for run in asked.names) and stems.isdisjoint(stems_of(_TITLES)):
            # "The James Webb Space Telescope" says nothing on James Webb.
            return
    match = _IS_A.search(clause.lower)
    if match is not None and clause.new_words(asked.stems, after=match.end()):
        yield clause.text[match.end() :]

"""Places: names behind a preposition, kinds of places, paths."""

from __future__ import annotations

from collections.abc import Iterator

from pytest_grounding._patterns import lazy
from pytest_grounding.checks.retrieval.answer_types.person import acts, new_names
from pytest_grounding.checks.retrieval.asked import Asked
from pytest_grounding.checks.retrieval.sentence import Sentence
from pytest_grounding.lexicon import ordered, words
from pytest_grounding.lexicon.patterns import pattern
from pytest_grounding.scorers.lexical.tokens import stems_of, tokenize

_KIND = pattern("answers", "place_phrase")
_SPOT = pattern("answers", "spot")
_NO_SPOTS = " ".join(ordered("answers", "no_spots"))
_MENU = lazy(r"\w [>→] \w")
_AWAY = pattern("answers", "away")
_AFTER = words("answers", "place_after")
_SITED = pattern("answers", "sited")
_STANDS = pattern("answers", "stands")


def answers(asked: Asked, clause: Sentence) -> Iterator[str]:
    """A place that the question does not name: a name after a preposition, a kind of place, a path."""
    if asked.asks_site and not _is_sited(asked, clause):
        return
    # "Which city ...", "what is the capital ...": the place may be the subject.
    may_act = asked.part.type != "where" or bool(asked.part.focus)
    for fact in new_names(asked, clause):
        before = clause.words_before(fact.start, 2)
        if before[-1:] == ["the"]:
            before = before[:1]
        stands_there = bool(before) and before[-1] in _AFTER
        if not stands_there and fact.initial:
            stands_there = may_act and acts(asked, clause, fact)
        elif not stands_there:
            stands_there = may_act or _SITED.search(clause.lower) is not None
        if stands_there:
            yield fact.text
    if asked.part.focus and asked.part.type != "where":
        return
    lower = clause.lower
    for match in _SPOT.finditer(lower) if not asked.asks_site or _STANDS.search(lower) else ():
        content = [t.stem for t in tokenize(match[0]) if not t.is_stop]
        if content and content[-1] not in asked.stems and content[-1] not in stems_of(_NO_SPOTS):
            yield match[0]
    for place in asked.unsaid(_KIND, clause):
        if any(t.stem not in asked.stems for t in tokenize(place) if not t.is_stop):
            yield place
    yield from (match[0] for match in _AWAY.finditer(lower))
    yield from _paths(clause.text)


def _paths(text: str) -> Iterator[str]:
    """Files, addresses and ways through a menu. One look at each word: linear."""
    if _MENU.search(text):
        yield text
    if not any(sign in text for sign in "/@\\") and "www." not in text:
        return
    for word in text.split():
        bare = word.strip("()[]{}<>\"'`,;:.!?")
        name, _, host = bare.partition("@")
        is_mail = bool(name) and "." in host
        is_rooted = bare.startswith(("www.", "~/", "C:\\")) or (bare.startswith("/") and len(bare) > 2)
        has_folders = bare.count("/") > 1 or ("/" in bare and "." in bare)
        if is_mail or is_rooted or has_folders:
            yield bare


def _is_sited(asked: Asked, clause: Sentence) -> bool:
    """Whether a clause says of the thing itself where it is, where nothing but the thing is asked about."""
    first = next((n for n, t in enumerate(clause.tokens) if t.stem in asked.content), -1)
    # "Lost cards of Corvus Bank are blocked in the app": the cards are.
    return first < 0 or not any(
        not t.is_stop and t.stem not in asked.known and t.text.islower() for t in clause.tokens[:first]
    )

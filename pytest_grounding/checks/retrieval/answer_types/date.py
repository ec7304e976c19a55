"""Dates, times, and phrases or clauses that say when."""

from __future__ import annotations

from collections.abc import Iterator

from pytest_grounding.checks.retrieval.asked import Asked
from pytest_grounding.checks.retrieval.sentence import Sentence
from pytest_grounding.lexicon import words
from pytest_grounding.lexicon.patterns import pattern
from pytest_grounding.text.facts import Fact

_PHRASE = pattern("answers", "time_phrase")
_CLAUSE = pattern("answers", "time_clause")
_YEAR = pattern("answers", "year")
_CLOCK = pattern("answers", "clock")
_SPAN_BEFORE = words("answers", "span_before")
_SPAN_AFTER = words("answers", "span_after")
#: Nouns of a question that leave out years, clock times, or all but years.
_DAYS = words("answers", "day_nouns")
_CLOCKS = frozenset(["time", "times", "hour", "hours"])
_YEARS = frozenset(["year", "years", "decade", "century", "era"])


def answers(asked: Asked, clause: Sentence) -> Iterator[str]:
    """A date, a time of day, or a phrase or clause that says when."""
    focus = asked.part.focus.lower()
    for fact in clause.facts:
        if fact.key not in asked.fact_keys and _says_when(clause, fact, focus):
            yield fact.text
    if focus in _YEARS:
        yield from asked.unsaid(_YEAR, clause)
        return
    if focus not in _DAYS:
        yield from asked.unsaid(_CLOCK, clause)
    yield from asked.unsaid(_PHRASE, clause)
    if not focus and not asked.asks_past:
        # A rule ("when should I ..."), and no history.
        for match in _CLAUSE.finditer(clause.lower):
            if clause.new_words(asked.content, after=match.end(), before=match.end() + 60):
                yield match[0]


def _says_when(clause: Sentence, fact: Fact, focus: str) -> bool:
    if fact.kind == "time":
        return True
    if fact.kind == "date" and focus not in _CLOCKS:
        has_year = fact.value is not None or bool(fact.date and fact.date.year is not None)
        return has_year or focus not in _YEARS
    return fact.kind == "duration" and focus not in _YEARS and _is_point(clause, fact)


def _is_point(clause: Sentence, fact: Fact) -> bool:
    """Whether a length of time tells a point in time: "within 30 days", "2 weeks after"."""
    before = clause.words_before(fact.start, 2)
    after = clause.words_after(fact.end, 1)
    return bool(_SPAN_BEFORE.intersection(before) or _SPAN_AFTER.intersection(after))

"""Does a sentence hold an answer of the type that a question expects?"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from pytest_grounding.lexicon.patterns import pattern
from pytest_grounding.scorers.lexical.conflicts.view import VALUES
from pytest_grounding.scorers.lexical.tokens import stems_of, tokenize
from pytest_grounding.text.facts import Fact, extract_facts
from pytest_grounding.text.questions import QuestionPart

_DATES = frozenset({"date", "time"})
#: What an amount measures -> whether a fact states it; any amount states what is not listed.
_MEASURED: Mapping[str, Callable[[Fact], bool]] = {
    # "EUR", "EUR/s" of "29 euros a month"
    "money": lambda fact: fact.kind == "money" or (len(fact.unit) > 2 and fact.unit[:3].isupper()),
    "amount": lambda fact: fact.kind in VALUES - _DATES - {"duration"},
    "percent": lambda fact: fact.kind == "percent",
    "duration": lambda fact: fact.kind == "duration" or fact.unit in ("s", "mo", "s/s"),
}
#: Words behind a number in which the noun that it counts stands.
_NEAR = 3
_REASON = pattern("answers", "gives_reason")
_PLACE = pattern("answers", "gives_place")
_TIME = pattern("answers", "gives_time")
_BODY = pattern("answers", "names_body")
_DEFINES = pattern("answers", "defines")


def holds_answer(part: QuestionPart, question: str, text: str) -> bool:
    """Whether a sentence holds something of the expected type that the question does not name itself."""
    if text.rstrip("\"'”’) ").endswith("?"):
        return False
    known = {token.stem for token in tokenize(question)}
    new = [token for token in tokenize(text) if not token.is_stop and token.stem not in known]
    expected = part.expected
    if expected in ("polarity", ""):
        return True
    if expected == "quantity":
        return _holds_amount(part, question, text)
    if expected == "date":
        is_date = _holds_fact(question, text, lambda fact: fact.kind in _DATES or _is_year(fact))
        return is_date or _TIME.search(text.lower()) is not None
    if not new:
        return False
    lower = text.lower()
    if expected == "reason":
        return _REASON.search(lower) is not None
    if expected == "definition":
        found = _DEFINES.search(lower)
        return found is not None and not any(token.start < found.start() for token in new)
    names = any(token.is_name or token.text[:1].isupper() for token in new)
    if expected == "person":
        return names or _BODY.search(lower) is not None
    if expected == "location":
        return names or _PLACE.search(lower) is not None
    return True


def _holds_amount(part: QuestionPart, question: str, text: str) -> bool:
    is_wanted: Callable[[Fact], bool] = _MEASURED.get(part.measure, lambda fact: fact.kind in VALUES - _DATES)
    noun = stems_of(part.focus)
    return _holds_fact(question, text, lambda fact: is_wanted(fact) or _counts(fact, noun, text))


def _counts(fact: Fact, noun: frozenset[str], text: str) -> bool:
    """Whether a bare number counts the noun of the question: "25 vacation days"."""
    after = tokenize(text[fact.end :])[:_NEAR]
    return fact.kind == "number" and any(token.stem in noun for token in after)


def _holds_fact(question: str, text: str, is_wanted: Callable[[Fact], bool]) -> bool:
    asked = {fact.key for fact in extract_facts(question)}
    return any(is_wanted(fact) and fact.key not in asked for fact in extract_facts(text))


def _is_year(fact: Fact) -> bool:
    return fact.kind == "number" and fact.text.isdecimal() and 1000 <= (fact.value or 0) <= 2200

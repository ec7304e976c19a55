"""What an acronym stands for: "the Regional Water Board (RWB)", "RWB stands for Regional Water Board"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding._io.lazy_values import kept_with_owner
from pytest_grounding.evidence.ledger_sources import LedgerSources
from pytest_grounding.evidence.settled import Outcome, Settled
from pytest_grounding.lexicon import alternation
from pytest_grounding.reading import read_once
from pytest_grounding.reading.words import content_stems

_SHORT = r"[A-Z][A-Za-z]{0,4}[A-Z]"
_WORD = r"[A-Z][\w'’]{1,30}"
_LONG = rf"{_WORD}(?:[ -](?:(?:{alternation('names', 'inside names')}) ){{0,2}}{_WORD}){{0,7}}"
_MEANS = r"(?:stands for|is short for|is the abbreviation (?:of|for))"
_FORMS = (
    lazy(rf"\b(?P<long>{_LONG}) \((?P<short>{_SHORT})\)"),
    lazy(rf"\b(?P<short>{_SHORT}) \((?P<long>{_LONG})\)"),
    lazy(rf"\b(?P<short>{_SHORT}) {_MEANS} (?:the |an? )?(?P<long>{_LONG})"),
)
_NAMED = lazy(rf"\b(?P<short>{_SHORT}) is (?:the |an? )?(?P<long>{_LONG})")
_THE = "The "
_HALF = 0.5  # share of the words of a name which are those of another one that it is taken for
_INITIALS = 2  # capitals of a short form, at least


@dataclass(frozen=True, slots=True)
class _Definition:
    short: str
    start: int  # of the short form
    end: int
    long: str
    stems: frozenset[str]


@read_once
def definitions_in(text: str) -> tuple[_Definition, ...]:
    """The short forms of a text that stand beside what they are short for."""
    forms = _FORMS if any(map(str.isupper, text)) else ()
    return tuple(one for form in forms for match in form.finditer(text) if (one := _read_definition(match)))


def _read_definition(match: re.Match[str]) -> _Definition | None:
    short, long = match["short"], match["long"].removeprefix(_THE)
    # "IRS (Form 1040)" defines nothing.
    if sum(map(str.isupper, short)) < _INITIALS or long == short or short[0] != long[0]:
        return None
    return _Definition(short, *match.span("short"), long, content_stems(long.replace("-", " ")))


@kept_with_owner
def _definitions_of(sources: LedgerSources) -> tuple[_Definition, ...]:
    return tuple(one for index in sources.context.indexes for one in definitions_in(index.text))


def acronyms_of(text: str, sources: LedgerSources) -> Iterator[Settled]:
    """The short forms of a claim that stand for something else in the sources; English only."""
    for own in definitions_in(text) if sources.language == "en" else ():
        known = [one for one in _definitions_of(sources) if one.short == own.short]
        if not known or any(_is_same_name(own, one) for one in known):
            continue
        yield Settled("name", own.start, own.end, Outcome("denied", nearest=known[0].long))
        return
    for match in _NAMED.finditer(text) if sources.language == "en" else ():
        own_name = _read_definition(match)
        taken = [one for one in _definitions_of(sources) if own_name and one.long == own_name.long]
        if own_name and taken and all(one.short != own_name.short for one in taken):
            # "The RWF is the Regional Water Board", which is the RWB.
            yield Settled("name", own_name.start, own_name.end, Outcome("denied", nearest=taken[0].short))


def _is_same_name(own: _Definition, other: _Definition) -> bool:
    """Whether two names are the same, one perhaps with words more."""
    if own.stems <= other.stems or other.stems <= own.stems:
        return True
    return len(own.stems & other.stems) > _HALF * len(own.stems | other.stems)

"""Citations by author and year: ``(Smith, 2020)``, ``(Smith & Jones 2020; Lee, 2019)``, ``Lee (2019)``."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding.citations.syntax import Marker, SyntaxContext, Target
from pytest_grounding.lexicon import words as listed
from pytest_grounding.model.transcript import Chunk

AUTHOR_KEYS = ("author", "authors", "creator", "creators", "byline")
YEAR_KEYS = ("year", "publication_year", "date", "published", "published_at", "publication_date", "issued")
SEPARATOR = lazy(r"\s{0,4};\s{0,4}")  # separators of two sources in one pair of parentheses
_YEAR = r"(?:1[5-9]|20)\d\d"
_GROUP = lazy(r"\(([^()\[\]\r\n]{4,300}+)\)|\[([^()\[\]\r\n]{4,300}+)\]")
_ONE = lazy(
    r"(?:(?:see(?: also)?|cf\.|e\.g\.,?|compare|vgl\.|siehe)\s{1,3})?"
    rf"(?P<names>[^\d;:]{{2,120}}?),?\s{{1,3}}(?P<years>{_YEAR}[a-z]?(?:\s?,\s?{_YEAR}[a-z]?){{0,5}})"
    r"(?:\s?[,:]\s{0,3}(?:(?:pp?|ch|chap|sec|S)\.?|pages?|§)?\s?\d{1,5}(?:\s?[-–]\s?\d{1,5})?)?",
    re.IGNORECASE,
)
_ONE_YEAR = lazy(rf"({_YEAR})([a-z]?)", re.IGNORECASE)
_NARRATIVE = lazy(
    rf"\(({_YEAR}[a-z]?)(?:\s?[,:]\s{{0,3}}(?:pp?|S)\.?\s?\d{{1,5}}(?:\s?[-–]\s?\d{{1,5}})?)?\)"
)
_WORD = lazy(r"[^\W\d_]+(?:[-'’][^\W\d_]+)*")
_JOINS = listed("citing", "joins")
_PARTICLES = listed("citing", "particles")
_REACH, _MOST_WORDS = 90, 8  # how far names before ``(2020)`` are followed back, in characters and words
_MAX_DOUBTFUL = 50  # unresolved parentheses that are searched for in the chunks' texts
_NOBODY = listed("citing", "nobody")


@dataclass(frozen=True, slots=True)
class _Cite:
    words: tuple[str, ...]
    year: str
    letter: str
    label: str
    is_formal: bool  # written like a citation: with a comma, "and" or "et al."


class AuthorSyntax:
    """Citations by author and year, resolved through the metadata of the chunks."""

    name = "author"
    priority = 45

    def find(self, context: SyntaxContext) -> Iterable[Marker]:
        """All markers of this syntax."""
        table = _Table(context.chunks)
        if not table.by_year:
            return
        found: list[Marker] = []
        doubtful: list[tuple[Marker, list[_Cite]]] = []
        for start, end, body in _bracket_bodies(context.masked):
            cites = _cites(body)
            targets = {cite.label: Target(cite.label, table.find(cite)) for cite in cites}
            if not targets:
                continue
            marker = context.marker(start, end, self.name, targets.values())
            if any(target.chunk_ids for target in marker.targets):
                found.append(marker)
            else:
                doubtful.append((marker, cites))
        found.extend(self._narrative(context, table))
        yield from found
        if found and doubtful:
            said = [_fold(context.transcript.question), *(_fold(chunk.text) for chunk in context.chunks)]
            yield from (marker for marker, cites in doubtful[:_MAX_DOUBTFUL] if _is_invented(cites, said))

    def _narrative(self, context: SyntaxContext, table: _Table) -> Iterator[Marker]:
        """``Smith et al. (2020)``: the names are part of the marker, as far as they resolve."""
        for match in _NARRATIVE.finditer(context.masked):
            before = context.masked[max(0, match.start() - _REACH) : match.start()]
            words = [word.start() for word in _WORD.finditer(before)][-_MOST_WORDS:]
            for place in words:
                names = before[place:].strip()
                cite = next(iter(_cites(f"{names} {match[1]}")), None)
                ids = table.find(cite) if cite is not None else ()
                if cite is not None and ids:
                    start = match.start() - len(before) + place
                    yield context.marker(start, match.end(), self.name, [Target(cite.label, ids)])
                    break


def _bracket_bodies(masked: str) -> Iterator[tuple[int, int, str]]:
    for match in _GROUP.finditer(masked):
        if match[1] is None:
            yield *match.span(), match[2].strip()
        else:
            start, body = match.end(1) - len(match[1].lstrip()), match[1].strip()
            yield start, start + len(body), body


def labels(part: str) -> frozenset[str]:
    """The labels of the targets in one part of a marker."""
    return frozenset(cite.label for cite in _cites(part))


def _cites(body: str) -> list[_Cite]:
    found: list[_Cite] = []
    for part in SEPARATOR.split(body):
        match = _ONE.fullmatch(part.strip())
        if match is None:
            return []
        names = match["names"].strip(" ,")
        words = _WORD.findall(names)
        telling = [word for word in words if word.casefold() not in _JOINS and len(word) > 1]
        if not telling or telling[0].casefold() in _NOBODY or not all(map(_is_author_word, telling)):
            return []
        is_formal = "," in part or len(words) > len(telling) or "&" in names
        folded = tuple(map(_fold, telling))
        for year, letter in _ONE_YEAR.findall(match["years"]):
            label = f"{names} {year}{letter}"
            found.append(_Cite(folded, year, letter.casefold(), label, is_formal))
    return found


def _is_author_word(word: str) -> bool:
    return word[0].isupper() or not word[0].islower() or word.casefold() in _PARTICLES


def _is_invented(cites: Sequence[_Cite], said: Sequence[str]) -> bool:
    """Whether names and years that match no chunk are a citation: no other text mentions them."""
    for cite in cites:
        if not cite.is_formal or any(cite.words[0] in text and cite.year in text for text in said):
            return False
    return True


class _Table:
    """The chunks by year, with the words of their authors' names."""

    def __init__(self, chunks: Sequence[Chunk]) -> None:
        self.by_year: dict[str, list[tuple[str, frozenset[str], str]]] = {}
        for chunk in chunks:
            extra: Mapping[str, Any] = chunk.metadata.model_extra or {}
            names = _names_in(next((extra[key] for key in AUTHOR_KEYS if extra.get(key)), None))
            dates = (str(extra[key]) for key in YEAR_KEYS if extra.get(key))
            year = next((match for text in dates if (match := _ONE_YEAR.search(text))), None)
            if names and year is not None:
                entry = (chunk.id, frozenset(names), year[2].casefold())
                self.by_year.setdefault(year[1], []).append(entry)

    def find(self, cite: _Cite) -> tuple[str, ...]:
        """The chunks of this author and year; a letter after the year distinguishes works of one year."""
        known = self.by_year.get(cite.year, ())
        named = ((name, letter) for name, words, letter in known if words.issuperset(cite.words))
        return tuple(name for name, letter in named if not cite.letter or letter in ("", cite.letter))


def _names_in(value: Any) -> set[str]:
    """The words of authors' names, folded, and the initials of bodies ("who")."""
    if isinstance(value, str):
        value = [value]
    texts = value if isinstance(value, (list, tuple)) else []
    found: set[str] = set()
    for text in texts:
        if isinstance(text, Mapping):
            keys = ("given", "first", "family", "last", "name")
            text = " ".join(str(text[key]) for key in keys if key in text)
        if isinstance(text, str):
            words = _WORD.findall(text)
            found.update(map(_fold, words))
            initials = "".join(word[0] for word in words if word[0].isupper())
            if len(initials) > 1:
                found.add(_fold(initials))
    return found


def _fold(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text.casefold().replace("’", "'"))
    return "".join(char for char in plain if not unicodedata.combining(char))

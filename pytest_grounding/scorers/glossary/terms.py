"""Terms of a glossary, and where they stand in a text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from pytest_grounding._patterns import lazy
from pytest_grounding.scorers.lexical.tokens import Token, is_acronym, tokenize

# What may stand between two words of one term: "sign up" is "sign-up".
_GAP = lazy(r"[ \t\r\n\u00a0\u2010\u2011-]{0,3}\Z")
_OWNER = ("'s", "’s")


@dataclass(frozen=True, slots=True)
class Term:
    """One term as its user wrote it.

    Attributes:
        text: its words, without quotes.
        exact: it stood in quotes: letters count, large and small, and so do endings.
    """

    text: str
    exact: bool = False

    @property
    def shown(self) -> str:
        """The term as a rule writes it."""
        return f'"{self.text}"' if self.exact else self.text

    def words(self, language: str) -> tuple[tuple[str, str], ...]:
        """What each word of a text must have: its stem, and its letters where these count, or ""."""
        tokens = tokenize(self.text, language)
        return tuple(
            (token.stem, token.text if self.exact or is_acronym(token.text) else "") for token in tokens
        )


@dataclass(frozen=True, slots=True)
class Place:
    """Where a term stands in a text.

    Attributes:
        term: number of the term in its glossary.
        start: offset of its first character.
        end: one past its last, the ending of a genitive left out.
    """

    term: int
    start: int
    end: int


class _Word(NamedTuple):
    """One word of a term as it is looked for."""

    stem: str
    letters: str
    gap: str


class Finder:
    """Finds the terms of a glossary in texts of one language.

    Args:
        terms: the terms.
        language: first part of a BCP 47 tag.
    """

    def __init__(self, terms: Sequence[Term], language: str) -> None:
        self._exact = [term.exact for term in terms]
        by_first: dict[str, list[tuple[int, list[_Word]]]] = {}
        for number, term in enumerate(terms):
            tokens = tokenize(term.text, language)
            ends = [0, *(token.end for token in tokens)]
            words = [
                _Word(stem, letters, term.text[end : token.start].strip())
                for (stem, letters), token, end in zip(term.words(language), tokens, ends, strict=False)
            ]
            # "SLAs" may have another stem than SLA.
            firsts = {
                token.stem
                for text in (tokens[0].text, f"{tokens[0].text}s")
                for token in tokenize(text, language)
            }
            for stem in sorted(firsts if words[0].letters else {words[0].stem}):
                by_first.setdefault(stem, []).append((number, words))
        # The longest first: "annual leave" is not "leave". Of two as long, what counts letters.
        self._by_first = {
            stem: sorted(
                found, key=lambda item: (-len(item[1]), -sum(bool(w.letters) for w in item[1]), item[0])
            )
            for stem, found in by_first.items()
        }

    def find(self, text: str, tokens: Sequence[Token]) -> tuple[Place, ...]:
        """The terms in a text, from left to right; none lies in another."""
        places: list[Place] = []
        at = 0
        while at < len(tokens):
            step = 1
            for number, words in self._by_first.get(tokens[at].stem, ()):
                if self._stands(text, tokens, at, number, words):
                    step = len(words)
                    places.append(Place(number, tokens[at].start, _end(tokens[at + step - 1])))
                    break
            at += step
        return tuple(places)

    def _stands(self, text: str, tokens: Sequence[Token], at: int, number: int, words: list[_Word]) -> bool:
        if at + len(words) > len(tokens):
            return False
        for offset, word in enumerate(words):
            token = tokens[at + offset]
            if word.letters:
                if not _has_letters(token.text, word.letters, exact=self._exact[number]):
                    return False
            elif token.stem != word.stem:
                return False
            if offset:
                gap = text[tokens[at + offset - 1].end : token.start]
                if gap.strip() != word.gap and (gap.count("\n") > 1 or not _GAP.match(gap)):
                    return False
        return True


def _has_letters(text: str, letters: str, *, exact: bool) -> bool:
    """Whether a word has the letters that count, those of a genitive aside; "SLAs" has those of SLA."""
    bare = text[:-2] if text.endswith(_OWNER) else text
    return bare == letters or (not exact and bare == f"{letters}s")


def _end(token: Token) -> int:
    return token.end - 2 if token.text.endswith(_OWNER) and len(token.text) > 2 else token.end

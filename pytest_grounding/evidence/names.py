"""Names of a claim, and whether the sources name the same."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from pytest_grounding._io.lazy_values import kept_with_owner, lazy_value
from pytest_grounding.evidence.all_chunks import Context
from pytest_grounding.evidence.settled import Outcome, Place
from pytest_grounding.evidence.token_index import (
    ChunkIndex,
    are_short_forms,
    capitalised_words,
    rarity,
)
from pytest_grounding.lexicon import fields, words
from pytest_grounding.reading import read_once
from pytest_grounding.reading.facts import NOT_NAMES
from pytest_grounding.reading.facts.often import DOSE_WORDS
from pytest_grounding.reading.grammar import is_finite_verb
from pytest_grounding.reading.words import STOP_WORDS, Token, fold, is_acronym, tokenize

#: Words written with a capital that name nothing by themselves, and words that name a sort of thing.
_COMMON = words("names", "common")
_SORTS = words("names", "sorts_named")
_TITLES = words("names", "titles")
_LINKS = words("names", "links")
_SIDES = words("names", "sides")
_NOUN_ENDINGS = tuple(sorted(words("names", "noun_endings")))
_ADJECTIVE_ENDINGS = tuple(sorted(words("names", "people_endings"), key=len, reverse=True))
#: Signs after which a capital only opens a sentence, a line, a label or a quotation.
_OPENERS = frozenset(".!?:;\"“”'‘(*•|>–—-\n#/[")
_BLANKS = " \t\xa0"
#: A line in which all of so many longer words have a capital is a title.
_TITLE_WORDS = 4
_LONGER = 4
#: Letters that a country and its people share at least ("Norway", "Norwegian").
_SHARED = 4
_CAPITAL_NOUNS = frozenset({"de", "lb"})  # languages that write every noun with a capital
#: From this rarity on a word is no common word (natural log of passages over passages that hold it).
_RARE = 7.0
#: Words of long and short names of countries that stand for each other.
_LONG_FORMS = fields("names", "long forms of countries")
_PEOPLES = fields("names", "countries and their people")
_FULL = 2  # words of a full name, at least
_NEIGHBOURS = 5  # characters between names that may share a last word: " and ", ", "
_EVERYDAY = 5.0  # below this rarity a word may open a sentence before a name, and names nobody by itself
_POSSESSIVE = re.compile(r"['’]s?$")


@dataclass(frozen=True, slots=True)
class Name:
    """A run of capitalised words of a claim."""

    start: int
    end: int
    words: tuple[Token, ...]  # without titles and linking words
    opens: bool  # whether it opens a sentence, a line or a quotation
    is_subject: bool = False  # whether a verb stands right behind it


@read_once
def names_in(text: str, language: str = "en") -> tuple[Name, ...]:
    """The runs of capitalised words of a text that may be names, in order."""
    tokens = tokenize(text, language)
    if not any(token.text[0].isupper() for token in tokens) or is_title(tokens):
        return ()
    return tuple(_runs(text, tokens, language))


def is_title(tokens: Sequence[Token]) -> bool:
    """Whether all longer words have a capital, so that capitals do not mark names."""
    longer = [token.text[0].isupper() for token in tokens if len(token.text) >= _LONGER]
    return len(longer) >= _TITLE_WORDS and all(longer)


def _runs(text: str, tokens: Sequence[Token], language: str) -> Iterator[Name]:
    """Neighbouring capitalised words; linking words may stand between two of them."""
    at = 0
    while at < len(tokens):
        if not tokens[at].text[0].isupper() or not _may_name(tokens[at]):
            at += 1
            continue
        first = last = at
        while (following := _next_of(text, tokens, last)) is not None:
            last = following
        run = tokens[first : last + 1]
        opens = _opens_sentence(text, run[0].start)
        if opens and len(run) > 1 and _is_common_opener(run[0], language):
            run, opens = run[1:], False
        parts = tuple(token for token in run if _may_name(token) and token.norm not in _TITLES)
        if language in _CAPITAL_NOUNS and len(parts) < 2:
            parts = ()
        if parts:
            is_subject = _begins_with_verb(tokens[last + 1 :])
            yield Name(run[0].start, run[-1].end, parts, opens, is_subject)
        at = last + 1


def _begins_with_verb(tokens: Sequence[Token]) -> bool:
    """Whether the word behind a name may be its verb: "gave", or "sings" where no other verb follows."""
    if not tokens or tokens[0].text[0].isupper() or tokens[0].is_number:
        return False
    if is_finite_verb(tokens[0].norm):
        return True
    is_singular = tokens[0].norm.endswith("s") and not tokens[0].is_stop
    return is_singular and not any(is_finite_verb(token.norm) for token in tokens[1:])


def _is_common_opener(token: Token, language: str) -> bool:
    """Whether a word has its capital from the start of the sentence: "Send John", "Check Paris"."""
    if language != "en" or is_acronym(token.text) or _without_possessive(token.norm) in capitalised_words():
        return False
    return rarity(token.stem) < _EVERYDAY


def _next_of(text: str, tokens: Sequence[Token], last: int) -> int | None:
    """The index of the word that continues a name, or None."""
    for at in range(last + 1, min(last + 4, len(tokens))):
        between = text[tokens[at - 1].end : tokens[at].start]
        is_initial = between == ". " and len(tokens[at - 1].text) == 1
        if between not in (" ", "-") and not is_initial:
            return None
        if _may_name(tokens[at]):
            return at
        is_article = tokens[at].norm == "the" and tokens[at - 1].norm != "of"
        if tokens[at].norm not in _LINKS or is_article:
            return None
    return None


def _may_name(token: Token) -> bool:
    if not token.text[0].isupper() or token.is_number:
        return False
    if token.norm in DOSE_WORDS:
        # "Twice a day", and no name.
        return False
    if is_acronym(token.text):
        return True
    return token.norm not in NOT_NAMES and not token.is_stop


def _opens_sentence(text: str, start: int) -> bool:
    """Whether a word opens a sentence, a line, a label or a quotation."""
    at = start - 1
    while at >= 0 and text[at] in _BLANKS:
        at -= 1
    return at < 0 or text[at] in _OPENERS


class NameIndex:
    """The words of the sources and of what is given besides, for looking up the words of names."""

    def __init__(self, context: Context, given: Sequence[str], language: str) -> None:
        self._context = context
        self._language = language
        self._given = given

    @lazy_value
    def given_stems(self) -> frozenset[str]:
        """Stems of the question, earlier turns, titles and what else is given."""
        return frozenset(token.stem for text in self._given for token in tokenize(text, self._language))

    @lazy_value
    def _norms(self) -> frozenset[str]:
        """The words of the sources and of what is given, folded; parts of hyphenated ones too."""
        given = (token.norm for text in self._given for token in tokenize(text, self._language))
        return frozenset(map(_without_possessive, given)).union(*map(_plain_norms, self._context.indexes))

    @lazy_value
    def _capitals(self) -> frozenset[str]:
        """Words that the sources write with a capital, and never without."""
        large: set[str] = set()
        small: set[str] = set()
        for index in self._context.indexes:
            for token in index.tokens:
                (large if token.text[0].isupper() else small).add(_without_possessive(token.norm))
        return frozenset(large - small)

    @lazy_value
    def _long_text(self) -> str:
        """All letters of the sources and of what is given, without anything between words."""
        texts = [index.text for index in self._context.indexes]
        return fold(" ".join([*texts, *self._given])).replace("-", "").replace(" ", "")

    def holds(self, token: Token) -> bool:
        """Whether the sources, or what is given, hold a word of a name in some form."""
        if token.stem in self._context.positions or token.stem in self.given_stems:
            return True
        norm = _without_possessive(token.norm)
        if norm in self._norms or norm.removesuffix("s") in self._norms or f"{norm}s" in self._norms:
            return True
        if len(norm) == 1:
            return any(word.startswith(norm) for word in self._capitals)
        if is_acronym(token.text) and (self._context.expansion(norm) or self._context.sources.spells(norm)):
            return True
        others = (*_LONG_FORMS.get(norm, ()), *_PEOPLES.get(norm, ()), *_countries_of(norm))
        if not self._norms.isdisjoint(others):
            return True
        # Written across blanks or hyphens, as "WiFi" in "Wi-Fi", or a short form, as "Hibs" of "Hibernian".
        is_apart = len(norm) >= _SHARED and norm in self._long_text
        return is_apart or self._is_of_a_people(norm) or are_short_forms((norm,), self._capitals)

    @lazy_value
    def _short_names(self) -> frozenset[str]:
        """Last words of names that the sources always have alone: no other word tells whose they are."""
        alone: set[str] = set()
        led: set[str] = set()
        for index in self._context.indexes:
            for name in names_in(index.text, self._language):
                last = _without_possessive(name.words[-1].norm)
                (alone if len(name.words) == 1 else led).add(last)
        return frozenset(alone - led)

    def has_short_form_of(self, name: Name) -> bool:
        """Whether the sources have the last word of a full name, and never with another first name."""
        *first, last = (_without_possessive(token.norm) for token in name.words)
        return bool(first) and last in self._short_names and _SIDES.isdisjoint(first)

    @lazy_value
    def _full_names(self) -> tuple[tuple[str, ...], ...]:
        """The words of each name of the sources that has several, and those of the line it stands in."""
        found = map(_full_names_in, self._context.indexes)
        return tuple(dict.fromkeys(name for names in found for name in names))

    def joins_two(self, name: Name) -> bool:
        """Whether its first and last word belong to two names of the sources: "Jonas" and "Olsen"."""
        first, last = (_without_possessive(token.norm) for token in (name.words[0], name.words[-1]))
        is_full = len(name.words) >= _FULL and all(self._is_telling(token) for token in name.words)
        # "Ghent's Zuidpark" is two names.
        if not is_full or _POSSESSIVE.search(name.words[0].text):
            return False
        if any(first in words and last in words for words in self._full_names):
            return False
        ends = [(words[0], words[-1]) for words in self._full_names]
        return any(start == first for start, _ in ends) and any(end == last for _, end in ends)

    def _is_telling(self, token: Token) -> bool:
        """Whether a word names by itself: "Miriam", but not "Park"."""
        norm = _without_possessive(token.norm)
        is_name = norm in capitalised_words() or rarity(token.stem) >= _EVERYDAY
        return is_name and norm in self._capitals and norm not in _COMMON and norm not in _SORTS

    def is_name_word(self, token: Token) -> bool:
        """Whether the sources write a word with a capital wherever they have it."""
        return _without_possessive(token.norm) in self._capitals

    def _is_of_a_people(self, norm: str) -> bool:
        """Whether one of "Norway" and "Norwegian" stands for the other."""
        roots = {norm.removesuffix(end) for end in _ADJECTIVE_ENDINGS if norm.endswith(end)}
        for word in self._capitals:
            if word[:3] != norm[:3]:
                continue
            for root in roots:
                if len(root) >= _SHARED - 1 and word.startswith(root) and len(word) - len(root) <= _SHARED:
                    return True
            others = {word.removesuffix(end) for end in _ADJECTIVE_ENDINGS if word.endswith(end)}
            if any(
                len(root) >= _SHARED - 1 and norm.startswith(root) and len(norm) - len(root) <= _SHARED
                for root in others
            ):
                return True
        return False

    def nearest(self, name: Name) -> Outcome | None:
        """The name of a source that shares a word with this one; None without one."""
        known = {token.norm for token in name.words if self.is_name_word(token)}
        if not known:
            return None
        for chunk, index in enumerate(self._context.indexes):
            for other in names_in(index.text, self._language):
                if known.intersection(token.norm for token in other.words) and len(other.words) > 1:
                    said = index.text[other.start : other.end]
                    return Outcome("missing", Place(chunk), nearest=said)
        return None


def _countries_of(people: str) -> list[str]:
    return [country for country, peoples in _PEOPLES.items() if people in peoples]


@kept_with_owner
def _full_names_in(index: ChunkIndex) -> list[tuple[str, ...]]:
    """The words of the names of a chunk; of neighbours, "Nora and Peter Berg", those of both."""
    found: list[tuple[str, ...]] = []
    beside: tuple[str, ...] = ()  # the words of the names right before
    end = -_NEIGHBOURS
    for name in names_in(index.text, index.language):
        words = tuple(_without_possessive(token.norm) for token in name.words)
        beside = (*beside, *words) if name.start - end <= _NEIGHBOURS else words
        found += [some for some in (words, beside) if len(some) >= _FULL]
        end = name.end
    return found


@kept_with_owner
def _plain_norms(index: ChunkIndex) -> frozenset[str]:
    return frozenset([_without_possessive(token.norm) for token in index.tokens])


def _without_possessive(norm: str) -> str:
    return norm if norm.isalnum() else _POSSESSIVE.sub("", norm)


def missing_words(name: Name, index: NameIndex, language: str) -> tuple[Token, ...]:
    """The words that make a name one that no source has; empty for a known name, or no name."""
    lost = [token for token in name.words if not index.holds(token)]
    if not lost:
        return ()
    if name.words[-1] not in lost and index.has_short_form_of(name):
        return ()
    held = [token for token in name.words if token not in lost]
    is_part_known = any(index.is_name_word(token) for token in held)
    telling = [token for token in lost if _is_part_of_name(token, language, beside_name=is_part_known)]
    if not telling:
        return ()
    if name.opens and not is_part_known and not _is_name_for_sure(name, telling, language):
        return ()
    return tuple(telling)


def is_sure_name(name: Name, language: str) -> bool:
    """Whether a run of capitalised words is a name for sure."""
    return not name.opens or _is_name_for_sure(name, name.words, language)


def _is_part_of_name(token: Token, language: str, *, beside_name: bool) -> bool:
    """Whether a lost word is part of a name, and not a common word in title case."""
    norm = _without_possessive(token.norm)
    if norm in _COMMON or norm in _SORTS or norm in NOT_NAMES:
        return False
    if norm in capitalised_words() or beside_name or language != "en":
        return True
    return is_acronym(token.text) or rarity(token.stem) >= _RARE


def _is_name_for_sure(name: Name, telling: Collection[Token], language: str) -> bool:
    """Whether a run at the start of a sentence is a name all the same."""
    if len(name.words) > 1:
        return any(
            _without_possessive(token.norm) in capitalised_words() or _is_rare(token, language)
            for token in telling
        )
    word = name.words[0]
    if name.is_subject and _is_rare(word, language) and not word.norm.endswith(_NOUN_ENDINGS):
        # "Signe founded the choir": a noun of the language would have an article, or be a plural.
        return True
    return _without_possessive(word.norm) in capitalised_words() or (
        is_acronym(word.text) and len(word.text) > 2
    )


def _is_rare(token: Token, language: str) -> bool:
    return language == "en" and rarity(token.stem) >= _RARE and token.norm not in STOP_WORDS["en"]

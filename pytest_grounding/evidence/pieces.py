"""The pieces of a text that each say one thing: clauses and the members of a list, with their subject."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Literal

from pytest_grounding._io.lazy_values import kept_with_owner, lazy_value
from pytest_grounding.evidence.ledger_sources import typed_values
from pytest_grounding.evidence.sentence_view import numbers_in
from pytest_grounding.evidence.statements import SentenceWords, words_of_claim
from pytest_grounding.evidence.token_index import ChunkIndex, synonyms_of
from pytest_grounding.lexicon import words
from pytest_grounding.reading import read_once
from pytest_grounding.reading.facts import Fact
from pytest_grounding.reading.grammar import has_finite_verb, is_finite_verb
from pytest_grounding.reading.words import IRREGULAR_VERBS, VERBS, Token

_PREPOSITIONS = words("questions", "prepositions")
RELATIVES = words("denials", "relative pronouns")
_PRONOUNS = RELATIVES | words("denials", "going back")
#: Words for something that is named elsewhere.
_BACK = words("denials", "going back") | words("denials", "said again")
_POINTING = words("denials", "pointing")
_POINTING_OR_BACK = _POINTING | _BACK
_OPENING = 2  # words at the start of a piece that are searched for a pronoun
_OPPOSED = words("denials", "opposed pronouns")
_VERB_REACH = 3  # words of a verb behind its first one: "was later launched"
POINTS = frozenset({"date", "time"})
_JOINING = frozenset({"and", "but", "or"})
_ARTICLES = frozenset({"a", "an", "the"})
_APPOSITION = 4  # words of an apposition at most
_ADVERB_END = "ly"
_CUTTING = frozenset(",:;()")
_PLAIN = IRREGULAR_VERBS.keys() | VERBS
_GLUED, _CODE = frozenset({":", "("}), "`"
_THIRD_PERSON, _OBJECTS = "s", _ARTICLES | {"him", "it", "them"}
_PARTICIPLES = ("ed", "en", "ught")
_LONGEST_SENTENCE = 150  # words of a sentence that is cut, at most
_LONGEST = 24  # a piece of more words says too much to be compared word for word
_MOST_KEYS = 8192  # keys whose synonyms are kept


Kind = Literal["word", "value", "joint", "verb"]


@dataclass(slots=True)
class Word:
    """A word of a piece that says something, joins, or is its verb; not frozen, which takes twice as long."""

    key: str  # what is compared: a stem, "=14" for a value, "" for a verb like "is"
    text: str
    start: int  # offset in the text
    end: int
    kind: Kind
    unit: str = ""  # of a value: its base unit, "date" or "time"; "" without one

    @property
    def is_named(self) -> bool:
        """Whether it is written as a name or an identifier is."""
        return self.text[:1].isupper() or "_" in self.text


@dataclass
class Piece:
    """A clause, or a member of a list, with the subject that it shares with the piece before."""

    sentence: int  # number of its sentence in the text
    words: tuple[Word, ...]
    pronoun: str  # with which it begins, so that its subject stands elsewhere; "" without one
    start: int  # offset of its first own word, which the subject that it shares is not
    end: int  # end of its last word
    points_back: bool  # whether it has a word for something named elsewhere: "before it"

    @lazy_value
    def verbs(self) -> frozenset[str]:
        """Its verbs, by stem."""
        return frozenset([word.key for word in self.words if word.kind == "verb"])

    @lazy_value
    def has_verb(self) -> bool:
        """Whether it has a verb, "is" included."""
        return any(word.kind == "verb" for word in self.words)

    @lazy_value
    def keys(self) -> frozenset[str]:
        """What it says: its content words and values."""
        return frozenset([word.key for word in self.words if word.key and word.kind != "joint"])


def with_synonyms(keys: frozenset[str]) -> frozenset[str]:
    """Keys with the synonyms of those that are words."""
    return keys.union(*[synonyms_of(key) for key in keys if key[:1] != "="])


@lru_cache(maxsize=_MOST_KEYS)
def forms_of_key(key: str) -> tuple[str, ...]:
    """A key with its synonyms."""
    return (key, *synonyms_of(key))


@kept_with_owner
def chunk_pieces(index: ChunkIndex) -> tuple[Piece, ...]:
    """The pieces of a chunk, in order; none of a sentence that is too long to be one."""
    values = typed_values(index.text)
    starts = [fact.start for fact in values]
    tokens = [token.start for token in index.tokens]
    found: list[Piece] = []
    for number, (start, end) in enumerate(index.sentences):
        inside = index.tokens[bisect_left(tokens, start) : bisect_left(tokens, end)]
        if len(inside) <= _LONGEST_SENTENCE:
            own = values[bisect_left(starts, start) : bisect_left(starts, end)]
            found.extend(pieces_in(SentenceWords(index.text, inside), own, number))
    return tuple(found)


@read_once
def claim_pieces(text: str) -> tuple[Piece, ...]:
    """The pieces of a claim or a question; English only."""
    return tuple(pieces_in(words_of_claim(text), typed_values(text)))


def pieces_in(words: SentenceWords, values: Sequence[Fact], sentence: int = 0) -> Iterator[Piece]:
    """The pieces of one sentence."""
    subject: tuple[Word, ...] = ()
    pronoun = ""
    has_pointer = words.has(_POINTING_OR_BACK)
    for part in _members(words):
        read = _words_of(part, values)
        verb = next((number for number, word in enumerate(read) if word.kind == "verb"), None)
        before = [word for word in read[:verb] if word.kind != "joint"] if verb is not None else []
        is_bare = verb is not None and not before and bool(subject)
        if not is_bare:
            opening = [token.norm for token in part[:_OPENING]]
            pronoun = next((norm for norm in opening if norm in _PRONOUNS), "")
        if len(part) <= _LONGEST and any(word.key and word.kind != "joint" for word in read):
            start, end = part[0].start, part[-1].end
            # Without such a word there is no place to look at.
            points_back = has_pointer and any(_refers_elsewhere(part, number) for number in range(len(part)))
            yield Piece(sentence, (*subject, *read) if is_bare else read, pronoun, start, end, points_back)
        if before:
            subject = tuple(before)


def _refers_elsewhere(part: Sequence[Token], at: int) -> bool:
    """Whether a word stands for something named elsewhere: "it", or "that" without a noun behind it."""
    is_pointing = part[at].norm in _POINTING and (at + 1 == len(part) or part[at + 1].is_stop)
    return is_pointing or part[at].norm in _BACK


def _members(words: SentenceWords) -> Iterator[Sequence[Token]]:
    """The words of a sentence, cut before joining words, and at commas and colons."""
    members: list[Sequence[Token]] = []
    text = words.text
    for part in words.parts:
        first = 0
        for number, (before, after) in enumerate(pairwise(part), start=1):
            between = text[before.end : after.start]
            # "18:30" is one value.
            if between == " " or between in _GLUED or _CUTTING.isdisjoint(between):
                continue
            # "crop(image, box)" is one piece of code.
            is_in_code = text.count(_CODE, part[0].start, after.start) % 2
            if not is_in_code:
                members.append(part[first:number])
                first = number
        members.append(part[first:])
    number = 0
    while number < len(members):
        member = members[number]
        if number + 1 < len(members) and _is_apposition(member, members[number + 1]):
            number += 1
            member = [*member, *members[number]]
        yield member
        number += 1


def _is_apposition(before: Sequence[Token], member: Sequence[Token]) -> bool:
    """Whether a member only says who the one named before it is: "Pia Holm, the mayor,"."""
    if len(member) > _APPOSITION or member[0].norm not in _ARTICLES:
        return False
    is_named = all(token.text[:1].isupper() or token.is_stop for token in before)
    return is_named and not has_finite_verb([token.norm for token in member])


def _words_of(part: Sequence[Token], values: Sequence[Fact]) -> tuple[Word, ...]:
    verbs = _verb_places(part)
    start, end = part[0].start, part[-1].end
    values = [fact for fact in values if fact.start < end and start < fact.end]
    read: list[Word] = []
    for number, token in enumerate(part):
        fact = _value_at(token, values) if values else None
        if fact is not None:
            key = key_of_value(fact)
            unit = fact.kind if fact.kind in POINTS else fact.unit
            read.append(Word(key, fact.text, fact.start, fact.end, "value", unit))
        elif values and any(fact.unit and fact.start < token.start < fact.end for fact in values):
            read.append(Word(token.stem, token.text, token.start, token.end, "joint"))
        elif number in verbs:
            read.append(Word("" if token.is_stop else token.stem, token.text, token.start, token.end, "verb"))
        elif token.norm in _PREPOSITIONS:
            read.append(Word(token.norm, token.text, token.start, token.end, "joint"))
        elif number and len(token.text) == 1 and token.text.isupper() and token.text != "I":
            read.append(Word(token.text, token.text, token.start, token.end, "word"))
        elif token.norm in _OPPOSED or not (token.is_stop or token.norm.endswith(_ADVERB_END)):
            read.append(Word(token.stem, token.text, token.start, token.end, "word"))
    has_verb = any(word.kind == "verb" and word.key for word in read) if verbs else False
    # Of "was written" the verb is "written".
    return tuple([word for word in read if word.key]) if has_verb else tuple(read)


def key_of_value(fact: Fact) -> str:
    """What a value is compared by: "9 p.m." is "21:00"."""
    digits = (fact.key,) if fact.kind == "time" else numbers_in(fact.text)
    return " ".join(("=", *digits))


def _value_at(token: Token, values: Sequence[Fact]) -> Fact | None:
    """The value whose number a word is; weekdays and months are words."""
    for fact in values:
        if fact.start <= token.start < fact.end and fact.value is not None:
            is_first = token.start == fact.start
            has_digit = any(char.isdigit() for char in fact.text)
            return fact if token.is_number or (is_first and not has_digit) else None
    return None


def _joined_participle(part: Sequence[Token]) -> frozenset[int]:
    """The place of a participle that goes on with the verb of the piece before, or of an irregular verb."""
    is_joined = len(part) > 1 and part[0].norm in _JOINING
    if is_joined and (_is_participle(part[1].norm) or part[1].norm in VERBS):
        # "… and sold in Basel", "… and holds 80 people"
        return frozenset({1})
    for at in range(1, len(part)):
        if part[at].norm in _PLAIN or _has_object(part, at):
            # "Wages rose"
            return frozenset({at})
    return frozenset()


def _has_object(part: Sequence[Token], at: int) -> bool:
    """Whether a word ends as a verb and an article or "it" follows: "tunes the organ", "uploads it"."""
    if part[at].norm[-1] != _THIRD_PERSON or at + 1 == len(part):
        return False
    return part[at + 1].norm in _OBJECTS and not part[at].is_stop


def _is_participle(norm: str) -> bool:
    return norm.endswith(_PARTICIPLES) or norm in IRREGULAR_VERBS


def _verb_places(part: Sequence[Token]) -> frozenset[int]:
    """The places of the first verb of a part and of the participle behind it."""
    first = next((at for at, token in enumerate(part) if is_finite_verb(token.norm)), None)
    if first is None:
        return _joined_participle(part)
    places = {first}
    for at in range(first + 1, min(len(part), first + _VERB_REACH)):
        if _is_participle(part[at].norm):
            places.add(at)
            break
    return frozenset(places)

"""What one text writes otherwise than another: "co-worker" and "coworker", "CEO" and its words in full."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from pytest_grounding.lexicon import words
from pytest_grounding.scorers.lexical.context import Context, acronym_spans
from pytest_grounding.scorers.lexical.tokens import Token, stem_of, tokenize
from pytest_grounding.scorers.lexical.wordlists import IRREGULAR, STOP_WORDS

#: Small words that begin compounds ("up-front", "off-line"). Others are joined to what follows by chance:
#: "not able" is not "notable".
_OPENERS = words("matching", "compound_openers")
#: Of these the ones that make a compound even where a blank stands behind them in the claim: "up front"
#: may be "upfront", but "on line 21" is not "online", nor "over time" "overtime".
_LOOSE = frozenset("up out off down back".split())
#: Letters of a compound; a shorter one ("Wi-Fi") has a hyphen or no small word in it: "seat" is not "see at".
_SHORTEST = 6
_SHORTEST_OF_ALL = 4
_LONGEST = 30
_SHORTEST_PART = 2
#: Words with the initials of a shorter acronym stand side by side by chance.
_SHORTEST_ACRONYM = 3
_SHORTEST_STEM = 3
#: Letters of an ending that stemming takes away ("screens", "workers").
_LONGEST_ENDING = 3
#: A part that stands more often than this is looked at no further: long texts must not cost their square.
_MOST_PLACES = 200


def parts_of(word: str, context: Context) -> str | None:
    """Where chunks write a word of a claim as two: "coworker" as "co-worker", "dataset" as "data set".

    Args:
        word: the folded word.
        context: the chunks.

    Returns:
        The stem of the rarer of its two parts, or None where the chunks do not hold them side by side.
    """
    if not _SHORTEST_OF_ALL <= len(word) <= _LONGEST:
        return None
    positions, stems, sentence_at = context.positions, context.stems, context.sentence_at
    stops = STOP_WORDS["en"]
    for cut in range(_SHORTEST_PART, len(word) - _SHORTEST_PART + 1):
        head = word[:cut]
        stem = head if head in positions else _stem_of(head)
        places = positions.get(stem)
        if places is None or (head in stops and head not in _OPENERS):
            continue
        rest = word[cut:]
        if len(word) < _SHORTEST and (head in stops or rest in stops):
            continue
        for place in places[:_MOST_PLACES]:
            other = stems[place + 1]
            if _inflects(rest, other) and sentence_at[place] == sentence_at[place + 1]:
                return other if len(positions[other]) <= len(places) else stem
    return None


def _stem_of(head: str) -> str:
    """The stem of the first part of a compound: not stemmed anew, for most heads are no words."""
    if head in IRREGULAR:
        return tokenize(head)[0].stem
    return head[:-1] if head[-1] == "e" else ""


def _inflects(word: str, stem: str) -> bool:
    """Whether a word is a stem or a stem with an ending."""
    if word == stem:
        return True
    return len(stem) >= _SHORTEST_STEM and word.startswith(stem) and len(word) - len(stem) <= _LONGEST_ENDING


@dataclass(frozen=True, slots=True)
class WrittenAsOne:
    """The stems of two neighbouring words of a claim, and the stem of the one word that chunks write."""

    left: str
    right: str
    whole: str


def wholes_of(
    claim: str, tokens: Sequence[Token], context: Context, lost: Collection[str]
) -> Iterator[WrittenAsOne]:
    """Neighbouring words of a claim that the chunks write as one: "co-worker" as "coworker".

    Args:
        claim: the text of the claim.
        tokens: its words.
        context: the chunks.
        lost: stems of the claim that stand nowhere: one of both words has to be among them.
    """
    for left, right in pairwise(tokens):
        if left.stem not in lost and right.stem not in lost:
            continue
        between = claim[left.end : right.start]
        least = _SHORTEST_OF_ALL if between == "-" else _SHORTEST
        if between not in ("-", " ") or len(left.norm) + len(right.norm) < least:
            continue
        if left.is_number or right.is_number:
            continue
        has_stop = left.is_stop or right.is_stop
        if between == " " and has_stop and _LOOSE.isdisjoint((left.norm, right.norm)):
            continue
        stem = _stem_of_both(left.norm + right.norm)
        if stem in context.positions:
            yield WrittenAsOne(left.stem, right.stem, stem)


def _stem_of_both(joined: str) -> str:
    """The stem of two folded words that are written as one, or "" where they do not make one word."""
    if joined.isascii() and joined.isalpha():
        return stem_of(joined)
    tokens = tokenize(joined)
    return tokens[0].stem if len(tokens) == 1 else ""


def spelled_out(acronym: str, context: Context) -> str | None:
    """Where chunks write an acronym of a claim in full, without capitals: "CEO" as "chief executive officer".

    Args:
        acronym: its folded letters.
        context: the chunks.

    Returns:
        The stem of the first of its words, or None where no words with these initials stand side by side.
    """
    return _initials(context).get(acronym) if len(acronym) >= _SHORTEST_ACRONYM else None


@lru_cache(maxsize=64)
def _initials(context: Context) -> dict[str, str]:
    """Initials of all neighbouring words that say something, with the stem of the first."""
    found: dict[str, str] = {}
    for index in context.indexes:
        for run in _plain_runs(index.tokens, index.sentence_of):
            letters = "".join(token.norm[0] for token in run)
            for first, last in acronym_spans(len(run)):
                if last - first >= _SHORTEST_ACRONYM:
                    found.setdefault(letters[first:last], run[first].stem)
    return found


def _plain_runs(tokens: Sequence[Token], sentences: Sequence[int]) -> Iterator[Sequence[Token]]:
    """Runs of so many words, neither small words nor numbers, that an acronym may stand for them."""
    start = 0
    for end in range(len(tokens) + 1):
        ends = end == len(tokens) or tokens[end].is_stop or tokens[end].is_number
        if not ends and (end == start or sentences[end] == sentences[end - 1]):
            continue
        if end - start >= _SHORTEST_ACRONYM:
            yield tokens[start:end]
        start = end + 1 if ends else end

"""A user's glossary: groups of equal terms, and a scorer that reads claims in the terms of their sources."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice, pairwise

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding.errors import SettingsError
from pytest_grounding.evidence.token_index import index_of
from pytest_grounding.model.scores import Claims, is_contradicted
from pytest_grounding.model.transcript import Chunk
from pytest_grounding.model.verdict import Conflict
from pytest_grounding.reading import base_language
from pytest_grounding.reading.words import Token, is_acronym, language_in_force, tokenize
from pytest_grounding.scorers import RelevanceScore, Scorer, SupportScore
from pytest_grounding.settings import Settings

# What may separate two words of one term: "sign up" is "sign-up", and "24/7" and "AT&T" are terms.
_GAP = lazy(r"(?:[^\w\s]{1,2}|[^\w.!?;:,\n]*(?:\n[ \t]*)?)\Z")
_OWNER = ("'s", "’s")
#: No term contains these; a single hyphen or exclamation mark may be in one.
_OTHER_SIGN = lazy(r"""[<>≠→↔⇒~"]|!=|==""")
_SAMPLE = 200

#: The words of a term: each its stem, or its letters if it is written in capitals.
Words = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Place:
    """An occurrence of a term in a text, without a genitive ending."""

    term: Words
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Reading:
    """A text with some terms replaced by their equals."""

    text: str
    source: str
    #: For each character of the reading the stretch of the original that it stands for.
    spans: tuple[tuple[int, int], ...]
    written: Mapping[str, str]  # each replacement with the words of the original

    def back(self, start: int, end: int) -> tuple[int, int]:
        """Map a stretch of the reading to the original; a part of a replacement maps to the whole term."""
        return self.spans[start][0], self.spans[min(end, len(self.spans)) - 1][1]


def replaced(text: str, places: Sequence[Place], words: Mapping[Words, str]) -> Reading:
    """Replace some terms of a text."""
    made, copied = "", 0
    spans: list[tuple[int, int]] = []
    written: dict[str, str] = {}
    for place in [*(place for place in places if place.term in words), Place((), len(text), len(text))]:
        made += text[copied : place.start]
        spans += [(at, at + 1) for at in range(copied, place.start)]
        word = words.get(place.term, "")
        if word and text[place.start].isupper() and not text[: place.start].strip():
            word = word[:1].upper() + word[1:]
        made += word
        spans += [(place.start, place.end)] * len(word)
        written |= {word: text[place.start : place.end]} if word else {}
        copied = place.end
    return Reading(made, text, tuple(spans), written)


def conflict_in(conflict: Conflict, reading: Reading) -> Conflict:
    """A conflict of a reading in the words of the original text."""
    start = conflict.claim_start
    if start is None:
        return conflict
    low, high = reading.back(start, start + max(1, len(conflict.claim_text)))
    ours = reading.source[low:high]
    message = conflict.message.replace(f'"{conflict.claim_text}"', f'"{ours}"', 1)
    return conflict.model_copy(update={"claim_text": ours, "claim_start": low, "message": message})


def _words_of_term(text: str, language: str) -> Words:
    tokens = tokenize(text, language)
    return tuple(token.text if is_acronym(token.text) else token.stem for token in tokens)


def _ways_said(token: Token) -> list[str]:
    """The words of terms that a token is: its stem, or letters in capitals; "SLAs" and "SLA's" are SLA."""
    letters = token.text.removesuffix("'s").removesuffix("’s")
    return [*filter(is_acronym, (letters, letters.removesuffix("s"))), token.stem]


class Glossary:
    """Groups of equal terms."""

    def __init__(self, lines: Iterable[str], language: str) -> None:
        #: The words of a term -> its group: the words of each equal term, and how it is written.
        self.groups: dict[Words, dict[Words, str]] = {}
        #: The lines that are not rules in this language, which may give two terms one stem.
        self.wrong: set[str] = set()
        for line in lines:
            texts = sorted(map(str.strip, line.split("=")), reverse=True)
            merged = {_words_of_term(text, language): text for text in texts}
            if len(merged) < max(2, len(texts)) or () in merged or _OTHER_SIGN.search(line):
                self.wrong.add(line)
            merged.pop((), None)
            for words in list(merged):
                for other, text in self.groups.get(words, {}).items():
                    # One spelling for each term, whatever the order of the lines.
                    merged[other] = min(text, merged.get(other, text))
            group = dict(sorted(merged.items(), key=lambda item: item[1]))
            self.groups |= dict.fromkeys(merged, group)
        self._by_first: dict[str, list[Words]] = defaultdict(list)
        for words in self.groups:
            self._by_first[words[0]].append(words)

    def find(self, text: str, language: str) -> tuple[Place, ...]:
        """The terms in a text, from left to right, without overlaps; of two at one place the longer one."""
        tokens = index_of(text, language).tokens
        places: list[Place] = []
        for number, first in enumerate(tokens):
            if places and first.start < places[-1].end:
                continue
            known = [words for form in _ways_said(first) for words in self._by_first.get(form, ())]
            for words in sorted(known, key=len, reverse=True):
                part = tokens[number : number + len(words)]
                if _is_term(words, part, text):
                    ending = 2 if part[-1].text.endswith(_OWNER) else 0
                    places.append(Place(words, first.start, part[-1].end - ending))
                    break
        return tuple(places)

    def terms_in(self, texts: Iterable[str], language: str) -> frozenset[Words]:
        """The terms that some texts contain."""
        return frozenset(place.term for text in texts for place in self.find(text, language))

    def readings(self, text: str, there: Set[Words], language: str) -> list[Reading]:
        """A text in some terms: with as few changes as possible, with as many, and as it is."""
        places = self.find(text, language)
        many = {}
        for term in {place.term for place in places}:
            equals = [text for one, text in self.groups[term].items() if one in there and one != term]
            if equals:
                many[term] = equals[0]
        few = {term: equal for term, equal in many.items() if term not in there}
        readings = [replaced(text, places, words) for words in (few, many, {})]
        return list({reading.text: reading for reading in readings}.values())


def _is_term(words: Words, tokens: Sequence[Token], text: str) -> bool:
    if len(tokens) != len(words):
        return False
    if any(word not in _ways_said(token) for word, token in zip(words, tokens, strict=True)):
        return False
    return all(_GAP.match(text[left.end : right.start]) for left, right in pairwise(tokens))


def has_rules(settings: Settings) -> bool:
    """Whether settings have a glossary; a line that is not a rule is an error."""
    where = f"{settings.glossary_file}:" if settings.glossary_file else "glossary, line "
    wrong = glossary_of(settings, settings.language).wrong
    for number, line in settings.glossary_lines:
        if line in wrong:
            advice = "write A = B, with words in each term, and no term twice (whatever its endings)"
            raise SettingsError(f"{where}{number}: {line!r} is not a rule; {advice}")
    return bool(settings.glossary_lines)


def glossary_of(settings: Settings, language: str) -> Glossary:
    """The glossary of some settings, for texts in a language."""
    return _made(settings.glossary_lines, base_language(language))


@lru_cache(maxsize=32)
def _made(lines: tuple[tuple[int, str], ...], language: str) -> Glossary:
    return Glossary([line for _, line in lines], language)


class GlossaryScorer:
    """Scores each claim in the terms of its sources, and takes the best reading."""

    def __init__(self, scorer: Scorer, settings: Settings) -> None:
        self._scorer = scorer
        self._settings = settings
        self.name = scorer.name

    def relevance(
        self, question: str, chunks: Sequence[Chunk], *, language: str = "en"
    ) -> list[RelevanceScore]:
        """Relevance of each chunk to the question, by the best reading of the question."""
        (readings,) = self._readings([question], chunks, language_in_force(question, language))
        scores = [self._scorer.relevance(reading.text, chunks, language=language) for reading in readings]
        return [max(some, key=_value_or_least) for some in zip(*scores, strict=False)]

    def support(
        self, claims: Claims, chunks: Sequence[Chunk], *, question: str = "", language: str = "en"
    ) -> list[SupportScore]:
        """Support of each claim by its best reading, reported in the claim's own words."""
        # The language that the built-in scorer detects for the same texts, so that they are read once.
        sample = " ".join([*(claim.text for claim in claims), *(c.text[:_SAMPLE] for c in chunks[:3])])
        texts = [claim.text for claim in claims]
        plans = self._readings(texts, chunks, language_in_force(sample, language))
        items = [
            replace(claim, text=reading.text)
            for claim, readings in zip(claims, plans, strict=True)
            for reading in readings
        ]
        scores = iter(self._scorer.support(items, chunks, question=question, language=language))
        return [_best(readings, list(islice(scores, len(readings)))) for readings in plans]

    def _readings(self, texts: Iterable[str], chunks: Sequence[Chunk], language: str) -> list[list[Reading]]:
        """The readings of each text in the terms of the chunks."""
        glossary = glossary_of(self._settings, language)
        there = glossary.terms_in((chunk.text for chunk in chunks), language)
        return [glossary.readings(text, there, language) for text in texts]


def _value_or_least(score: RelevanceScore) -> float:
    return -1.0 if score.value is None else score.value


def _best(readings: Sequence[Reading], scores: Sequence[SupportScore]) -> SupportScore:
    """The score of the most supported reading, of those that are not contradicted if there are any."""
    pairs = list(zip(readings, scores, strict=True))
    clear = [(reading, score) for reading, score in pairs if not is_contradicted(score)]
    if len(pairs) > 1 and all(reading is readings[-1] for reading, _ in clear):
        # A claim in terms that its sources do not use is never contradicted: that clears it of nothing.
        clear = pairs[:-1]
    reading, score = max(clear or pairs, key=lambda pair: pair[1].probability or 0.0)
    return _reported(score, reading) if reading.written else score


def _reported(score: SupportScore, reading: Reading) -> SupportScore:
    """A score of a reading in the claim's own words."""
    conflicts = tuple(conflict_in(conflict, reading) for conflict in score.conflicts)
    reason, written = score.reason, reading.written
    for old, new in zip(score.conflicts, conflicts, strict=True):
        reason = reason.replace(old.message, new.message) if old.message else reason
    for word in score.missing:
        reason = reason.replace(word, written.get(word, word))
    return replace(
        score,
        conflicts=conflicts,
        # The claim itself is not in a source verbatim.
        method="lexical" if score.method == "exact_match" else score.method,
        reason=f"{reason}; the glossary reads "
        + ", ".join(f'"{old}" as "{new}"' for new, old in written.items()),
        missing=tuple(dict.fromkeys(written.get(word, word) for word in score.missing)),
    )

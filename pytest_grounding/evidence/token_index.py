"""The index of a text, with what it needs: rare words, carried-over subjects, the visible text of chunks."""

from __future__ import annotations

import json
import math
import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding._io.lazy_values import lazy_value
from pytest_grounding.lexicon import alternation, words
from pytest_grounding.model.finding import Evidence
from pytest_grounding.model.scores import SupportScore
from pytest_grounding.model.transcript import Chunk
from pytest_grounding.model.verdict import Conflict
from pytest_grounding.reading import base_language, read_once
from pytest_grounding.reading.grammar import AUXILIARIES, PLAIN_VERBS, has_finite_verb
from pytest_grounding.reading.sentences import LONGEST_SENTENCE, cut_long, stripped
from pytest_grounding.reading.visible_text import Page, page_of
from pytest_grounding.reading.words import FIRST_PERSON, Token, fold, tokenize, with_plain_signs

_UNSEEN = 2.5  # how often a word outside the background table counts as seen
#: Weight of a word in a language without a background table: that of an average English word.
_MIDDLING = 5.0
_FRAMING_SHARE = 0.05
_GENERIC_SHARE = 0.2
#: A number, or a statement of the answer about itself, is always informative.
_LEAST_HARD = 5.0

_PRONOUNS = words("matching", "subject_pronouns")
_POINTING = frozenset("this these that those such".split())
_OPENERS = words("matching", "before_pronouns")
_DETERMINERS = words("matching", "subject_determiners")
_ENDS = words("matching", "subject_ends")
_OPENING = _ENDS | _OPENERS
_STOPS = AUXILIARIES | _ENDS | frozenset("i we you there one".split())
_ENDING_SIGNS = frozenset(",;:()—–|")
_VERB_ENDINGS = ("s", "ed", "t")  # possible verbs, if an amount or an article follows
_LONGEST = 6
_LONGEST_TITLE = 6
_LONGEST_OPENING = 12
_LOOKED_AT = 24

#: Letters of a short form with its ending ("Hibs", "Dems"), and how much longer the whole word is at least.
_SHORTEST_CUT, _LONGEST_CUT = 4, 6
_LEAST_LONGER = 3
_SHORTEST_END = 5  # letters of an ending that stands for the whole name; plurals only
_LABEL = 16  # characters of a label and its letter, at most
_PREFIX = 3  # letters that a short form and the whole word share at least

# Not `reading.sentences`, which reads Markdown: the weights were trained with these, and it is much slower.
# A sentence ends at punctuation before a blank or capital (web text often lost the blank), or at a line end.
_BREAK = lazy(r"(?<=[.!?。！？।])[\"”’)\]]*(?:\s+|(?=[A-Z]))|\n+|(?<=[。！？])")
_HOUR_BEFORE = lazy(r"\b[ap]\.\s?m\.?$")
_NO_BREAK = lazy(
    r"(?:\b(?:Mr|Mrs|Ms|Dr|St|vs|No|Inc|Ltd|Co|Corp|Bros|Dept|Jr|Sr|Prof|Gen|Fig|e\.g|i\.e|etc|tsp|tbsp|approx|ca)|\b[A-Z])\.$"
)
#: A letter that is a unit or a label, and no initial: "227 °C.", "12 V.", "vitamin C.", "block B."
_NO_INITIAL = lazy(rf"(?i:[\d°][ \xa0]?|\b(?:{alternation('labels', 'lettered')}) )[A-Z]\.$")
_FOLDED = lazy(r"[^\W_]+", re.UNICODE)
#: The same for ASCII, ten times as fast: everything but letters and digits becomes a blank.
_ASCII_FOLDED = "".join(char.lower() if char.isalnum() else " " for char in map(chr, range(128)))


@lru_cache(maxsize=1)
def _background() -> tuple[dict[str, float], float]:
    """Inverse document frequencies of the known stems, and the value for all others."""
    data: dict[str, Any] = json.loads(Path(__file__).with_name("background.json").read_text(encoding="utf-8"))
    total = int(data["passages"])
    weights: dict[str, float] = {}
    for count, stems in data["counts"].items():
        weights.update(dict.fromkeys(stems.split(), math.log((total + 1) / (int(count) + 0.5))))
    return weights, math.log((total + 1) / (_UNSEEN + 0.5))


@lru_cache(maxsize=1)
def _stems() -> dict[str, Any]:
    # Stemming the lists again would take longer than the rest of the loading.
    found: dict[str, Any] = json.loads(Path(__file__).with_name("stems.json").read_text(encoding="utf-8"))
    return found


@lru_cache(maxsize=1)
def capitalised_words() -> frozenset[str]:
    """Words that mostly have a capital inside sentences, in lower case (`training/background.py`)."""
    return frozenset(_stems()["capitalised"].split())


def is_known(stem: str) -> bool:
    """Whether a stem is an English word of the background table, and so hardly a name."""
    weights, _ = _background()
    return stem in weights


@lru_cache(maxsize=1)
def framing_stems() -> frozenset[str]:
    """Stems of words about the answer or the sources."""
    return frozenset(_stems()["framing"].split())


@lru_cache(maxsize=1)
def generic_stems() -> frozenset[str]:
    """Stems of words that add little in any answer."""
    return frozenset(_stems()["generic"].split())


@lru_cache(maxsize=1)
def light_stems() -> frozenset[str]:
    """Stems of both lists."""
    return framing_stems() | generic_stems()


@lru_cache(maxsize=1)
def _groups() -> dict[str, tuple[str, ...]]:
    """Stem -> the synonym groups that contain it, as lines."""
    table: dict[str, tuple[str, ...]] = {}
    for line in _stems()["synonyms"]:
        for stem in line.split():
            table[stem] = (*table.get(stem, ()), line)
    return table


# Computed on demand: computing all takes a thirtieth of a first validation.
@lru_cache(maxsize=8192)
def synonyms_of(stem: str) -> tuple[str, ...]:
    """Stems of the synonyms of a stem, in the order of the table."""
    found = dict.fromkeys(other for line in _groups().get(stem, ()) for other in line.split())
    found.pop(stem, None)
    return tuple(found)


def rarity(stem: str, language: str = "en") -> float:
    """Inverse document frequency of a stem: natural log of passages over passages that contain it."""
    if language != "en":
        return _MIDDLING
    weights, unseen = _background()
    return weights.get(stem, unseen)


def weigh(token: Token, language: str = "en") -> float:
    """Weight of a word that no chunk contains; at least 0."""
    return weight_of(token.norm, token.stem, token.is_number, language)


# Cached, because the words of a language come back in every claim.
@lru_cache(maxsize=32768)
def weight_of(norm: str, stem: str, is_number: bool, language: str) -> float:
    """The same from the parts of a token that matter."""
    weight = rarity(stem, language)
    if language == "en":
        if norm in FIRST_PERSON:
            return _LEAST_HARD
        if stem in framing_stems():
            return weight * _FRAMING_SHARE
        if stem in generic_stems():
            return weight * _GENERIC_SHARE
    return max(weight, _LEAST_HARD) if is_number else weight


def refers_back(tokens: Sequence[Token]) -> bool:
    """Whether a sentence, given by its words, carries over its subject."""
    return _taken(tokens) is not None


def _taken(tokens: Sequence[Token]) -> Token | None:
    """The pronoun that carries a subject over, or the noun after "this"; None if there is none."""
    first = 0
    while first < len(tokens) and first < 2 and tokens[first].norm in _OPENERS:
        first += 1
    if first >= len(tokens):
        return None
    norm = tokens[first].norm
    if norm in _PRONOUNS:
        return tokens[first]
    if norm in _POINTING and first + 1 < len(tokens):
        following = tokens[first + 1]
        if not following.is_stop and not following.is_number and following.norm not in PLAIN_VERBS:
            return following
    return None


def subject_of(text: str, tokens: Sequence[Token]) -> tuple[Token, ...]:
    """The words of the subject of a sentence, without articles; empty where none is found."""
    head = tokens[:_LOOKED_AT]
    if _is_title(text, tokens):
        return tuple(token for token in tokens if token.norm not in _DETERMINERS)
    first = _after_opening(text, head)
    found: list[Token] = []
    for number in range(first, len(head)):
        token = head[number]
        norm = token.norm
        if found and not _ENDING_SIGNS.isdisjoint(text[found[-1].end : token.start]):
            break
        if norm in _DETERMINERS:
            if not found or head[number - 1].norm in {"of", "and", "or"}:
                continue
            # "Place the pan …": an imperative has no subject.
            return tuple(_without_verb(found)) if len(found) > 1 else ()
        if norm in _STOPS or (found and not token.text[0].isupper() and has_finite_verb([norm])):
            break
        if found and token.text[0].isdigit() and text[found[-1].end : token.start]:
            return tuple(_without_verb(found))
        if norm in _PRONOUNS:
            break
        found.append(token)
        if len(found) > _LONGEST:
            break
    return tuple(token for token in found if token.norm not in {"of", "and", "or"})


def _after_opening(text: str, tokens: Sequence[Token]) -> int:
    """The index of the word after "In 1999, …"; 0 without such an opening."""
    if not tokens or tokens[0].norm not in _OPENING:
        return 0
    for number in range(1, min(len(tokens), _LONGEST_OPENING)):
        if "," in text[tokens[number - 1].end : tokens[number].start]:
            return number
    return 0


def _is_title(text: str, tokens: Sequence[Token]) -> bool:
    """Whether a line is a title ("Model H2"): a few words, no verb, no full stop."""
    if not 0 < len(tokens) <= _LONGEST_TITLE or text[tokens[-1].end : tokens[-1].end + 1] in {".", "!", "?"}:
        return False
    return not has_finite_verb([token.norm for token in tokens])


def _without_verb(found: list[Token]) -> list[Token]:
    """The words without the probable verb: the last one before an article or an amount."""
    is_verb = len(found) > 1 and not found[-1].text[0].isupper() and found[-1].norm.endswith(_VERB_ENDINGS)
    return found[:-1] if is_verb else found


def carried(text: str, tokens: Sequence[Token], sentence_of: Sequence[int]) -> dict[int, tuple[str, ...]]:
    """Sentence -> stems of the subject it carries over, in order."""
    found: dict[int, tuple[str, ...]] = {}
    subject: tuple[Token, ...] = ()
    before = -2
    low = 0
    count = len(tokens)
    while low < count:
        sentence = sentence_of[low]
        high = low + 1
        while high < count and sentence_of[high] == sentence:
            high += 1
        words = tokens[low : min(high, low + _LOOKED_AT)]
        taken = _taken(words)
        if taken is None:
            subject = subject_of(text, words)
        elif subject and sentence == before + 1:
            found[sentence] = tuple(dict.fromkeys(token.stem for token in subject))
        else:
            subject = ()
        before = sentence
        low = high
    return found


def carried_into(tokens: Sequence[Token], context: str, language: str = "en") -> tuple[str, ...]:
    """Stems of the subject that a claim carries over from the sentence before it, in order."""
    if not context or language != "en" or not refers_back(tokens):
        return ()
    before = tokenize(context, language)
    return tuple(dict.fromkeys(token.stem for token in subject_of(context, before)))


def is_cut_from(short: str, whole: str) -> bool:
    """Whether a folded word is a short form of another: "hibs" of "hibernian", "gulls" of "seagulls"."""
    if not short.endswith("s") or len(whole) < len(short) + _LEAST_LONGER:
        return False
    if len(short) >= _SHORTEST_END and whole.endswith(short):
        return True
    root = short[:-1]
    if not _SHORTEST_CUT <= len(short) <= _LONGEST_CUT or root.endswith("s"):
        return False
    return whole.startswith(root) and not whole.startswith(short)


def are_short_forms(ours: Iterable[str], theirs: Iterable[str]) -> bool:
    """Whether some word of one name is a short form of a word of the other."""
    others = tuple(theirs)
    for a in ours:
        # A short form ends with "s": most pairs of names are settled here.
        is_plural = a[-1:] == "s"
        for b in others:
            if (is_plural and is_cut_from(a, b)) or (b[-1:] == "s" and is_cut_from(b, a)):
                return True
    return False


class NameWords:
    """The capitalised words of a text, for finding the long form of a short one."""

    __slots__ = ("_by_part",)

    def __init__(self, words: Iterable[tuple[str, str]]) -> None:
        self._by_part: dict[str, dict[str, str]] = {}
        for word, stem in words:
            for part in _parts_of(word):
                self._by_part.setdefault(part, {}).setdefault(word, stem)

    def short_form(self, word: str) -> str | None:
        """Stem of the first name with this short form, or of which this is the long form; else None."""
        for part in _parts_of(word):
            for name, stem in self._by_part.get(part, {}).items():
                if is_cut_from(word, name) or is_cut_from(name, word):
                    return stem
        return None


def _parts_of(word: str) -> tuple[str, ...]:
    """What a word shares with its short form: the beginning, or the end of a plural."""
    if len(word) < _SHORTEST_CUT:
        return ()
    beginning, end = word[:_PREFIX], word[-_SHORTEST_END:]
    return (beginning, "-" + end) if word[-1] == "s" else (beginning,)


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """Offsets of the sentences of a text, without surrounding white space."""
    spans = []
    start = 0
    for match in _BREAK.finditer(text):
        before = max(0, match.start() - 8)
        is_inside = _NO_BREAK.search(text, before, match.start()) is not None
        if is_inside:
            is_inside = _NO_INITIAL.search(text, max(0, match.start() - _LABEL), match.start()) is None
        if not is_inside and text[match.end() : match.end() + 1].islower():
            # "From 8 a.m. to 5 p.m."
            is_inside = _HOUR_BEFORE.search(text, before, match.start()) is not None
        if is_inside and "\n" not in match.group():
            continue
        spans.append((start, match.start() if match.group().isspace() else match.end()))
        start = match.end()
    spans.append((start, len(text)))
    if len(text) > LONGEST_SENTENCE:
        spans = [piece for span in spans for piece in cut_long(text, *span)]
    return stripped(text, spans)


class ChunkIndex:
    """The words and sentences of one text."""

    def __init__(self, text: str, language: str = "en") -> None:
        self.text: str = text  # verbatim
        self.language: str = language
        self.sentences: list[tuple[int, int]] = sentence_spans(text)  # offsets of its sentences
        self.tokens: list[Token] = tokenize(text, language)
        starts = [start for start, _ in self.sentences[1:]]
        #: Sentence of each token.
        self.sentence_of: list[int] = [bisect_right(starts, token.start) for token in self.tokens]
        positions: dict[str, list[int]] = defaultdict(list)
        for number, token in enumerate(self.tokens):
            positions[token.stem].append(number)
        # Tuples of integers: the garbage collector skips them, and a process keeps tens of thousands.
        #: Stem -> indices of its tokens, ascending.
        self.positions: dict[str, tuple[int, ...]] = {stem: tuple(at) for stem, at in positions.items()}
        #: The folded words joined by single blanks, with one at each end, for verbatim lookup.
        self.folded: str = fold_words(text)
        #: What `kept_with_owner` keeps.
        self.kept: dict[Callable[..., Any], Any] = {}
        #: Sentence that opens with "it" or similar -> stems of the subject before it.
        self.carried: dict[int, tuple[str, ...]] = {}
        if base_language(language) == "en":
            self.carried = carried(text, self.tokens, self.sentence_of)

    @lazy_value
    def name_words(self) -> NameWords:
        """The capitalised words of the text."""
        capitals = (token for token in self.tokens if token.text[0].isupper() and not token.is_stop)
        return NameWords((token.norm, token.stem) for token in capitals)

    def words_of(self, sentence: int) -> tuple[int, int]:
        """Indices of the first word of a sentence and of the next sentence."""
        return bisect_left(self.sentence_of, sentence), bisect_right(self.sentence_of, sentence)

    def tokens_of(self, sentence: int) -> list[Token]:
        """The words of a sentence."""
        first, after = self.words_of(sentence)
        return self.tokens[first:after]

    def evidence(self, chunk_id: str, sentence: int, score: float | None = None) -> Evidence:
        """One sentence as evidence, with its neighbours."""
        start, end = self.sentences[sentence]
        before = self.sentences[sentence - 1] if sentence else (0, 0)
        after = self.sentences[sentence + 1] if sentence + 1 < len(self.sentences) else (0, 0)
        return Evidence.built(
            chunk_id=chunk_id,
            sentence_index=sentence,
            text=self.text[start:end],
            start=start,
            end=end,
            before=self.text[before[0] : before[1]],
            after=self.text[after[0] : after[1]],
            score=score,
        )


def fold_words(text: str) -> str:
    """The folded words of a text joined by blanks, with a blank at each end."""
    plain = with_plain_signs(text)
    words = plain.translate(_ASCII_FOLDED).split() if plain.isascii() else _FOLDED.findall(fold(text))
    return f" {' '.join(words)} "


@read_once
def index_of(text: str, language: str = "en") -> ChunkIndex:
    """The index of a text."""
    return ChunkIndex(text, language)


class Pages:
    """What claims are scored against."""

    def __init__(self, chunks: Sequence[Chunk]) -> None:
        shown: dict[str, tuple[Chunk, Page]] = {}
        for chunk in chunks:
            page = page_of(chunk.text)
            shown.setdefault(page.text, (chunk, page))
        #: The texts as they are compared (`reading.visible_text.page_of`).
        self.texts: tuple[str, ...] = tuple(shown)
        #: The chunks, without those that repeat an earlier text.
        self.chunks: list[Chunk] = [chunk for chunk, _ in shown.values()]
        self.pages: tuple[Page, ...] = tuple(page for _, page in shown.values())  # the same with the way back
        self._other = {chunk.id: page for chunk, page in shown.values() if page.text != chunk.text}

    @staticmethod
    def of_each(chunks: Sequence[Chunk]) -> list[Chunk]:
        """The chunks with their texts as they are compared."""
        pages = [(chunk, page_of(chunk.text).text) for chunk in chunks]
        return [one if text == one.text else one.model_copy(update={"text": text}) for one, text in pages]

    def quoted(self, score: SupportScore) -> SupportScore:
        """A score whose evidence is quoted from the original chunks."""
        if not self._other:
            return score
        evidence = tuple(map(self._evidence, score.evidence))
        return replace(score, evidence=evidence, conflicts=tuple(map(self._conflict, score.conflicts)))

    def _conflict(self, conflict: Conflict) -> Conflict:
        found = conflict.evidence
        page = self._other.get(found.chunk_id)
        if page is None:
            return conflict
        at = page.text.find(conflict.evidence_text, found.start, found.end)
        words = conflict.evidence_text
        if at >= 0:
            start, end = page.span(at, at + len(words))
            words = page.own[start:end] or words
        changes = {"evidence": self._evidence(found), "evidence_text": words}
        return conflict.model_copy(update=changes)

    def _evidence(self, found: Evidence) -> Evidence:
        page = self._other.get(found.chunk_id)
        return found if page is None else in_own_words(found, page)


def in_own_words(found: Evidence, page: Page) -> Evidence:
    """Evidence from a visible text, quoted from the original."""
    shown, own = page.text, page.own
    if shown == own:
        return found
    start, end = page.span(found.start, found.end)
    changes: dict[str, object] = {"text": own[start:end], "start": start, "end": end}
    for name, around, at in (
        ("before", found.before, shown.rfind(found.before, 0, found.start)),
        ("after", found.after, shown.find(found.after, found.end)),
    ):
        if around and at >= 0:
            low, high = page.span(at, at + len(around))
            changes[name] = own[low:high]
    return found.model_copy(update=changes)

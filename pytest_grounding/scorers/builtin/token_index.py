"""The index of a text: sentences, tokens, positions of each stem."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding.model.finding import Evidence
from pytest_grounding.reading import Reading, base_language, reading_of
from pytest_grounding.reading.spans import LONGEST_SENTENCE, cut_long, stripped
from pytest_grounding.reading.words import Token, fold, tokenize
from pytest_grounding.scorers.builtin.subjects import carried

#: Letters of a short form with its ending ("Hibs", "Dems"), and how much longer the whole word is at least.
_SHORTEST_CUT, _LONGEST_CUT = 4, 6
_LEAST_LONGER = 3
#: Letters of an ending that stands for the whole name; plurals only.
_SHORTEST_END = 5
#: Letters that a short form and the whole word share at least.
_PREFIX = 3


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


# Not `reading.sentences`, which reads Markdown: the weights were trained with these, and it is much slower.
# A sentence ends at punctuation before a blank or capital (web text often lost the blank), or at a line end.
_BREAK = lazy(r"(?<=[.!?。！？।])[\"”’)\]]*(?:\s+|(?=[A-Z]))|\n+|(?<=[。！？])")
_NO_BREAK = lazy(
    r"(?:\b(?:Mr|Mrs|Ms|Dr|St|vs|No|Inc|Ltd|Co|Corp|Bros|Dept|Jr|Sr|Prof|Gen|Fig|e\.g|i\.e|etc|tsp|tbsp|approx|ca)|\b[A-Z])\.$"
)
_FOLDED = lazy(r"[^\W_]+", re.UNICODE)
#: The same for ASCII, ten times as fast: everything but letters and digits becomes a blank.
_ASCII_FOLDED = "".join(char.lower() if char.isalnum() else " " for char in map(chr, range(128)))


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """Offsets of the sentences of a text, without surrounding white space."""
    spans = []
    start = 0
    for match in _BREAK.finditer(text):
        if _NO_BREAK.search(text, max(0, match.start() - 8), match.start()) and "\n" not in match.group():
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
        self.sentences: list[tuple[int, int]] = sentence_spans(text)  # offsets of its sentences
        self.tokens: list[Token] = tokenize(text, language)
        self.sentence_of: list[int] = []  # sentence of each token
        positions: dict[str, list[int]] = {}
        starts = [start for start, _ in self.sentences[1:]]
        starts.append(len(text) + 1)
        sentence = 0
        for number, token in enumerate(self.tokens):
            while token.start >= starts[sentence]:
                sentence += 1
            self.sentence_of.append(sentence)
            places = positions.get(token.stem)
            if places is None:
                positions[token.stem] = [number]
            else:
                places.append(number)
        # Tuples of integers: the garbage collector skips them, and a process keeps tens of thousands.
        #: Stem -> indices of its tokens, ascending.
        self.positions: dict[str, tuple[int, ...]] = {
            stem: tuple(places) for stem, places in positions.items()
        }
        #: The folded words joined by single blanks, with one at each end, for verbatim lookup.
        self.folded: str = fold_words(text)
        english = base_language(language) == "en"
        #: Sentence that opens with "it" or similar -> stems of the subject before it.
        self.carried: dict[int, tuple[str, ...]] = (
            carried(text, self.tokens, self.sentence_of) if english else {}
        )

    @cached_property
    def name_words(self) -> NameWords:
        """The capitalised words of the text."""
        capitals = (token for token in self.tokens if token.text[0].isupper() and not token.is_stop)
        return NameWords((token.norm, token.stem) for token in capitals)

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
    words = text.translate(_ASCII_FOLDED).split() if text.isascii() else _FOLDED.findall(fold(text))
    return f" {' '.join(words)} "


def index_of(text: str, language: str = "en") -> ChunkIndex:
    """The index of a reading's text."""
    return reading_of(text, language).part(_index)


def _index(reading: Reading) -> ChunkIndex:
    return ChunkIndex(reading.text, reading.language)

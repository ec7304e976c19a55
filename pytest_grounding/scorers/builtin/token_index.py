"""A chunk taken apart once: sentences, words, where each stem stands."""

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

#: Letters of a cut form with its ending ("Hibs", "Dems"), and by how many the whole word is longer at least.
_SHORTEST_CUT, _LONGEST_CUT = 4, 6
_LEAST_LONGER = 3
#: Letters of the end of a name that stands for the whole; only plurals do.
_SHORTEST_END = 5
#: Letters that a cut form and the whole share at least.
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
        # A short form ends with "s": most pairs of names need no closer look.
        is_plural = a[-1:] == "s"
        for b in others:
            if (is_plural and is_cut_from(a, b)) or (b[-1:] == "s" and is_cut_from(b, a)):
                return True
    return False


class NameWords:
    """The capitalised words of a text, to look up which of them another word is a short form of."""

    __slots__ = ("_by_part",)

    def __init__(self, words: Iterable[tuple[str, str]]) -> None:
        self._by_part: dict[str, dict[str, str]] = {}
        for word, stem in words:
            for part in _parts_of(word):
                self._by_part.setdefault(part, {}).setdefault(word, stem)

    def short_form(self, word: str) -> str | None:
        """Stem of the first name that a folded word is a short form of, or that is one of it; else None."""
        for part in _parts_of(word):
            for name, stem in self._by_part.get(part, {}).items():
                if is_cut_from(word, name) or is_cut_from(name, word):
                    return stem
        return None


def _parts_of(word: str) -> tuple[str, ...]:
    """What a word and its short form have in common: the beginning, or the end of a plural."""
    if len(word) < _SHORTEST_CUT:
        return ()
    beginning, end = word[:_PREFIX], word[-_SHORTEST_END:]
    return (beginning, "-" + end) if word[-1] == "s" else (beginning,)


# Not `reading.sentences`, which reads Markdown: the weights are fitted on these, and it is much slower.
# A sentence ends at a stop that a blank or capital follows (web text often lost the blank), or at a line.
_BREAK = lazy(r"(?<=[.!?。！？।])[\"”’)\]]*(?:\s+|(?=[A-Z]))|\n+|(?<=[。！？])")
_NO_BREAK = lazy(
    r"(?:\b(?:Mr|Mrs|Ms|Dr|St|vs|No|Inc|Ltd|Co|Corp|Bros|Dept|Jr|Sr|Prof|Gen|Fig|e\.g|i\.e|etc|tsp|tbsp|approx|ca)|\b[A-Z])\.$"
)
_FOLDED = lazy(r"[^\W_]+", re.UNICODE)
#: The same for ASCII, ten times as fast: all that is no letter and no digit becomes a blank.
_ASCII_FOLDED = "".join(char.lower() if char.isalnum() else " " for char in map(chr, range(128)))


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """Offsets of the sentences of a text, without the white space around them."""
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
        self.text: str = text  # the text
        self.sentences: list[tuple[int, int]] = sentence_spans(text)  # offsets of its sentences
        self.tokens: list[Token] = tokenize(text, language)
        self.sentence_of: list[int] = []  # for each word the number of its sentence
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
        # Tuples of numbers: the garbage collector leaves them alone, and a process keeps tens of thousands.
        #: For each stem the numbers of the words that have it, ascending.
        self.positions: dict[str, tuple[int, ...]] = {
            stem: tuple(places) for stem, places in positions.items()
        }
        #: The folded words joined by single blanks, with one at each end, for verbatim look-up.
        self.folded: str = fold_words(text)
        english = base_language(language) == "en"
        #: For each sentence that opens with "it" and the like the stems of the subject before it.
        self.carried: dict[int, tuple[str, ...]] = (
            carried(text, self.tokens, self.sentence_of) if english else {}
        )

    @cached_property
    def name_words(self) -> NameWords:
        """The capitalised words of the text."""
        capitals = (token for token in self.tokens if token.text[0].isupper() and not token.is_stop)
        return NameWords((token.norm, token.stem) for token in capitals)

    def evidence(self, chunk_id: str, sentence: int, score: float | None = None) -> Evidence:
        """One sentence as evidence, with the sentences around it."""
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
    """The index of a text, a part of its reading."""
    return reading_of(text, language).part(_index)


def _index(reading: Reading) -> ChunkIndex:
    return ChunkIndex(reading.text, reading.language)

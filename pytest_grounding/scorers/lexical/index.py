"""A chunk taken apart once: sentences, words, where each stem stands."""

from __future__ import annotations

import re

from pytest_grounding._patterns import lazy
from pytest_grounding.model.finding import Evidence
from pytest_grounding.reading import Reading, base_language, reading_of
from pytest_grounding.scorers.lexical.shortnames import NameWords
from pytest_grounding.scorers.lexical.subjects import carried
from pytest_grounding.scorers.lexical.tokens import Token, fold, tokenize
from pytest_grounding.text.spans import LONGEST_SENTENCE, cut_long, stripped

# Not `text.segment`, which reads Markdown: the weights are fitted on these sentences, and it is much slower.
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
    """The words and sentences of one text.

    Attributes:
        text: the text.
        sentences: offsets of its sentences.
        tokens: its words in order.
        sentence_of: for each word the number of its sentence.
        positions: for each stem the numbers of the words that have it, ascending.
        folded: the folded words joined by single blanks, with one at each end, for verbatim look-up.
        carried: for each sentence that opens with "it" and the like the stems of the subject before it.
    """

    __slots__ = (
        "_name_words",
        "carried",
        "folded",
        "positions",
        "sentence_of",
        "sentences",
        "text",
        "tokens",
    )

    def __init__(self, text: str, language: str = "en") -> None:
        self.text: str = text
        self.sentences: list[tuple[int, int]] = sentence_spans(text)
        self.tokens: list[Token] = tokenize(text, language)
        self.sentence_of: list[int] = []
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
        self.positions: dict[str, tuple[int, ...]] = {
            stem: tuple(places) for stem, places in positions.items()
        }
        self.folded: str = fold_words(text)
        self._name_words: NameWords | None = None
        english = base_language(language) == "en"
        self.carried: dict[int, tuple[str, ...]] = (
            carried(text, self.tokens, self.sentence_of) if english else {}
        )

    @property
    def name_words(self) -> NameWords:
        """The capitalised words of the text."""
        if self._name_words is None:
            self._name_words = NameWords(
                (token.norm, token.stem)
                for token in self.tokens
                if token.text[0].isupper() and not token.is_stop
            )
        return self._name_words

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

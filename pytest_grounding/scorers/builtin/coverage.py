"""How much of an answer's wording stands in the chunks: plain shares, for the answer model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from pytest_grounding.reading.words import tokenize
from pytest_grounding.scorers.builtin.token_index import index_of


@dataclass(frozen=True, slots=True)
class Coverage:
    """Coverage of an answer by its chunks."""

    words: int  # number of content words of the answer
    held: float  # share of them that some chunk holds, in [0, 1]; 1 where there is none
    own: float  # the same without the question's words
    pairs: float  # share of pairs of neighbouring content words that stand so in a chunk
    lost_numbers: int  # numbers of the answer that no chunk holds


def coverage_of(
    answer: str,
    question: str,
    texts: Sequence[str],
    language: str = "en",
    left_out: Sequence[tuple[int, int]] = (),  # spans whose wording does not count; in order, apart
) -> Coverage:
    """The coverage of an answer by the texts of the chunks."""
    for start, end in reversed(left_out):
        answer = f"{answer[:start]} {answer[end:]}"
    held: set[str] = set()
    together: set[tuple[str, str]] = set()
    for text in texts:
        index = index_of(text, language)
        held.update(index.positions)
        together.update(pairwise([token.stem for token in index.tokens if not token.is_stop]))
    tokens = [token for token in tokenize(answer, language) if not token.is_stop]
    stems = [token.stem for token in tokens]
    asked = {token.stem for token in tokenize(question, language) if not token.is_stop}
    pairs = list(pairwise(stems))
    return Coverage(
        words=len(stems),
        held=_share([stem in held for stem in stems]),
        own=_share([stem in held for stem in stems if stem not in asked]),
        pairs=_share([pair in together for pair in pairs]),
        lost_numbers=sum(token.is_number and token.stem not in held for token in tokens),
    )


def _share(hits: Sequence[bool]) -> float:
    return sum(hits) / len(hits) if hits else 1.0

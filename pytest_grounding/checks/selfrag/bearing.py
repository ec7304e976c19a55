"""Do an answer and the sources behind it bear on the question at all? A line that was learned."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from pytest_grounding.checks.base import CheckContext
from pytest_grounding.model.finding import Evidence
from pytest_grounding.model.verdict import ClaimVerdict
from pytest_grounding.scorers.lexical.background import rarity, synonyms_of
from pytest_grounding.scorers.lexical.index import index_of
from pytest_grounding.scorers.lexical.tokens import tokenize
from pytest_grounding.text.questions import synonyms as asked_words

#: In [0, 1] each: shares of a question's words. By how rare they are in the chunks, in any form or synonym;
#: word for word in the answer and the sentences behind it; word for word in the chunks behind it; of its
#: names in the chunks; and of all words those that stand nowhere.
FEATURES = ("retrieved", "stated", "backing", "names", "strange")
#: How well a word is known by a synonym, by another inflection, and by its first letters alone.
_SYNONYM, _INFLECTION, _BEGINNING = 0.9, 0.8, 0.5
_LETTERS = 5


class Line(NamedTuple):
    """Log odds that a question is the answer's own: ``intercept`` and a weight for each of `FEATURES`.

    Below ``least`` an answer does not bear on the question.
    """

    intercept: float
    weights: tuple[float, ...]
    least: float

    def log_odds(self, features: Sequence[float]) -> float:
        """Of one answer beside a question."""
        return self.intercept + sum(
            weight * value for weight, value in zip(self.weights, features, strict=True)
        )


@lru_cache(maxsize=1)
def line() -> Line:
    """The shipped one."""
    data = json.loads(Path(__file__).with_name("bearing.json").read_text(encoding="utf-8"))
    return Line(data["intercept"], tuple(data["weights"][name] for name in FEATURES), data["least"])


def names_of(question: str) -> frozenset[str]:
    """The stems of the names in a question."""
    return frozenset(token.stem for token in tokenize(question, "en") if token.is_name)


def bears(context: CheckContext, asked: Collection[str], claims: Sequence[ClaimVerdict]) -> bool:
    """Whether an answer may bear on the question that has these words."""
    if not asked:
        return False
    features = features_of(
        asked,
        names_of(context.transcript.question),
        [claim.bare for claim in context.claims],
        [claim.evidence[0] for claim in claims if claim.evidence],
        {chunk.id: chunk.text for chunk in context.transcript.chunks},
    )
    return line().log_odds(features) >= line().least


def features_of(
    asked: Collection[str],
    names: Collection[str],
    claims: Iterable[str],
    behind: Sequence[Evidence],
    chunks: dict[str, str],
) -> tuple[float, ...]:
    """The `FEATURES` of an answer."""
    # In a fixed order: sums of floats depend on it.
    words = sorted(asked)
    said = {
        token.stem for text in (*claims, *(piece.text for piece in behind)) for token in tokenize(text, "en")
    }
    used = dict.fromkeys(piece.chunk_id for piece in behind if piece.chunk_id in chunks)
    backing = [index_of(chunks[chunk_id], "en").positions for chunk_id in used]
    everywhere = [index_of(text, "en").positions for text in chunks.values()]
    weights = {word: rarity(word) for word in words}
    whole = sum(weights.values())
    held = {word: max((_held(word, stems) for stems in everywhere), default=0.0) for word in words}
    told = [name for name in words if name in names]
    if not whole:
        return (0.0,) * len(FEATURES)
    return (
        sum(weights[word] * held[word] for word in words) / whole,
        sum(weights[word] for word in words if word in said) / whole,
        sum(weights[word] for word in words if any(word in stems for stems in backing)) / whole,
        sum(max(held[name], _held(name, said)) for name in told) / len(told) if told else 0.0,
        sum(not (held[word] or _held(word, said)) for word in words) / len(words),
    )


def _held(word: str, stems: Collection[str]) -> float:
    """How well a word stands among others, from 0 to 1."""
    if word in stems:
        return 1.0
    if any(other in stems for other in (*asked_words.synonyms_of(word), *synonyms_of(word))):
        return _SYNONYM
    if any(asked_words.same_family(word, stem) for stem in stems):
        return _INFLECTION
    start = word[:_LETTERS]
    return _BEGINNING if len(word) >= _LETTERS and any(stem.startswith(start) for stem in stems) else 0.0

"""Features of the claims of labelled rows, with labels where people gave them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pytest_grounding.evidence.all_chunks import context_of
from pytest_grounding.evidence.source_labels import without_labels
from pytest_grounding.evidence.token_index import carried_into, rarity
from pytest_grounding.reading.words import tokenize
from pytest_grounding.scorers.builtin.align import Alignment
from pytest_grounding.scorers.builtin.builtin_scorer import is_verbatim, worst_of
from pytest_grounding.scorers.builtin.conflicts import find_conflicts
from pytest_grounding.scorers.builtin.features import features_of
from training.rows import Row

#: mtRAG labels whole answers: claims count as supported if all judges called the answer fully faithful.
_FULLY_FAITHFUL = 4.0


@dataclass(frozen=True, slots=True)
class Example:
    """The features of one text.

    Attributes:
        features: as `features_of` gives them.
        conflict: log odds of the worst conflict, at least 0.
        verbatim: whether it is verbatim in a chunk.
        coverage: share of its content words, by rarity, that is in any chunk: the plain baseline.
    """

    features: tuple[float, ...]
    conflict: float = 0.0
    verbatim: bool = False
    coverage: float = 0.0


@dataclass(frozen=True, slots=True)
class Seen:
    """A row with the examples of its claims and the training examples.

    Attributes:
        row: the row.
        claims: for each claim its example; None if it is not checked or has no word.
        spans: for each labelled span the example of its whole text as one claim.
        training: examples with their labels.
    """

    row: Row
    claims: tuple[Example | None, ...]
    spans: tuple[Example | None, ...]
    training: tuple[tuple[Example, bool], ...]


def see(row: Row) -> Seen:
    """The features of one row."""
    texts = tuple(chunk.text for chunk in row.chunks)
    context = context_of(texts)
    asked = frozenset(token.stem for token in tokenize(row.question) if not token.is_stop)
    ids = [chunk.id for chunk in row.chunks]

    def example(text: str, before: str = "") -> Example | None:
        tokens = tokenize(without_labels(text))
        if not tokens:
            return None
        given = asked | {token.stem for token in tokenize(before) if not token.is_stop}
        alignment = Alignment(text, tokens, context, given, "en")
        conflicts = find_conflicts(
            text, tokenize(text), context.sources, ids, "en", asked, carried_into(tokens, before)
        )
        return Example(
            tuple(features_of(alignment)),
            worst_of(conflicts),
            is_verbatim(text, context),
            _coverage(alignment),
        )

    claims = tuple(example(claim.bare, claim.context) if claim.checked else None for claim in row.claims)
    spans = tuple(example(row.answer[start:end]) for start, end, _ in row.spans)
    return Seen(row, claims, spans, tuple(_training(row, claims, spans)))


def _coverage(alignment: Alignment) -> float:
    """IDF-weighted share of the content words whose stems the chunks contain."""
    held = total = 0.0
    for stem in alignment.weights:
        weight = rarity(stem)
        total += weight
        held += weight * (stem in alignment.context.positions)
    return held / total


def _training(
    row: Row, claims: Sequence[Example | None], spans: Sequence[Example | None]
) -> Iterable[tuple[Example, bool]]:
    if row.dataset == "mtrag":
        if row.extra["faithfulness"] == _FULLY_FAITHFUL:
            yield from ((claim, True) for claim in claims if claim is not None)
        return
    labels: dict[int, bool] = {}
    for (_, _, supported), whole, owners in zip(row.spans, spans, row.owners(), strict=True):
        if supported is None or not owners:
            continue
        if len(owners) == 1:
            labels[owners[0]] = labels.get(owners[0], True) and supported
        else:
            # The span is labelled as a whole: which of its claims failed is unknown.
            if whole is not None:
                yield whole, supported
    for number, supported in labels.items():
        claim = claims[number]
        if claim is not None:
            yield claim, supported


def see_all(rows: Iterable[Row]) -> list[Seen]:
    """The features of many rows."""
    return [see(row) for row in rows]


def matrix(examples: Sequence[Example]) -> NDArray[np.float64]:
    """The features of examples as rows of a matrix."""
    return np.array([example.features for example in examples], dtype=np.float64)

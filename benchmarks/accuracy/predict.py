"""Probabilities for every row from weights that the row did not train."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from benchmarks.accuracy.figures import Scored
from pytest_grounding.scorers.lexical.scorer import Model, bounded
from training.examples import Example, Seen
from training.rows import TRAINABLE
from training.train import FOLDS, fold_of, model_of, train

Sets = Mapping[str, Sequence[Seen]]
Models = Callable[[Seen], Model]
Rate = Callable[[Seen, Example], float]


def cross_validated(sets: Sets) -> Models:
    """Models by fold of the group. Sets that train nothing get the model of all rows."""
    everything = [row for rows in sets.values() for row in rows]
    whole = model_of(*train(everything))
    by_fold = [
        model_of(*train([row for row in everything if fold_of(row.row.group) != fold]))
        for fold in range(FOLDS)
    ]

    def choose(row: Seen) -> Model:
        return by_fold[fold_of(row.row.group)] if row.row.dataset in TRAINABLE else whole

    return choose


def left_out(sets: Sets) -> Models:
    """For each set a model that saw no row of it."""
    models = {
        dataset: model_of(*train([row for name, rows in sets.items() if name != dataset for row in rows]))
        for dataset in sets
    }
    return lambda row: models[row.row.dataset]


def rate_by(models: Models) -> Rate:
    """The probability that the engine would give with these weights."""

    def rate(row: Seen, example: Example) -> float:
        return bounded(
            models(row).probability(example.features, conflict=example.conflict),
            verbatim=example.verbatim,
        )

    return rate


def rate_by_coverage(row: Seen, example: Example) -> float:
    """The baseline: share of the claim's words, by rarity, that the chunks hold."""
    return example.coverage


def score_spans(rows: Sequence[Seen], rate: Rate) -> Scored:
    """Labelled spans, each scored as the weakest of the claims that belong to it.

    Spans without a checked claim (greetings, questions, headings) are left out.
    """
    scores, labels, groups = [], [], []
    for row in rows:
        for (_, _, supported), owners in zip(row.row.spans, row.row.owners(), strict=True):
            claims = [claim for number in owners if (claim := row.claims[number]) is not None]
            if supported is not None and claims:
                scores.append(min(rate(row, claim) for claim in claims))
                labels.append(float(supported))
                groups.append(row.row.group)
    return Scored(np.array(scores), np.array(labels), tuple(groups))


def score_whole_spans(rows: Sequence[Seen], rate: Rate) -> Scored:
    """The same spans, each given to the engine as one claim."""
    scores, labels, groups = [], [], []
    for row in rows:
        for (_, _, supported), whole, owners in zip(row.row.spans, row.spans, row.row.owners(), strict=True):
            if supported is not None and owners and whole is not None:
                scores.append(rate(row, whole))
                labels.append(float(supported))
                groups.append(row.row.group)
    return Scored(np.array(scores), np.array(labels), tuple(groups))


def score_answers(rows: Sequence[Seen], rate: Rate, join: Callable[[Sequence[float]], float]) -> Scored:
    """Whole answers by their checked claims; an answer without one counts as fully supported."""
    scores, labels, groups = [], [], []
    for row in rows:
        if row.row.supported is None:
            continue
        rates = [rate(row, claim) for claim in row.claims if claim is not None]
        scores.append(join(rates or [1.0]))
        labels.append(float(row.row.supported))
        groups.append(row.row.group)
    return Scored(np.array(scores), np.array(labels), tuple(groups))

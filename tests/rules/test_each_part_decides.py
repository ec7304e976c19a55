"""Each check, rule, kind of contradiction and number of a model, switched off alone, must change a verdict.

Slow: `make test-rules`. What changes nothing here decides nothing, and is to be deleted or to get a row.
"""

import sys
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from unittest import mock

import pytest

import pytest_grounding as pg
from pytest_grounding.engine import registry
from pytest_grounding.gate import confidence
from pytest_grounding.rules import RULES, RuleExample
from pytest_grounding.scorers.builtin import builtin_scorer, features
from pytest_grounding.scorers.builtin.conflicts import conflict_search

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "verdicts"))
from frozen_verdicts import told, verdicts


def judged():
    """What becomes of the frozen rows and of the examples of the rules."""
    found = {name: told(verdict) for name, verdict in verdicts()}
    for rule in RULES.values():
        if isinstance(rule.example, RuleExample):
            found[rule.name] = told(pg.validate(rule.example.transcript, rule.example.settings))
    return found


@contextmanager
def patched(place, name, value):
    with mock.patch.object(place, name, value):
        registry.builtin_scorer.cache_clear()
        yield
    registry.builtin_scorer.cache_clear()


def without_check(check):
    left = tuple(other for other in registry.builtin_checks() if other is not check)
    return lambda: patched(registry, "builtin_checks", lambda: left)


def without_kind(kind):
    every = conflict_search.candidates_of

    def others(*given, **named):
        return [candidate for candidate in every(*given, **named) if candidate.kind != kind]

    return lambda: patched(conflict_search, "candidates_of", others)


def without_weight(place, name, model, number):
    weights = tuple(0.0 if at == number else weight for at, weight in enumerate(model.weights))
    without = model._replace(weights=weights)
    return lambda: patched(place, name, lambda: without)


def switches():
    every = {f"check {check.__module__}": without_check(check) for check in registry.builtin_checks()}
    every |= {f"kind {kind.name}": without_kind(kind.name) for kind in conflict_search.KINDS}
    model = builtin_scorer.shipped_model()
    for number, name in enumerate(features.FEATURES):
        every[f"feature {name}"] = without_weight(builtin_scorer, "shipped_model", model, number)
    lines = {kind: confidence.shipped_line(kind) for kind in ("several", "single")}
    for kind, line in lines.items():
        for number, name in enumerate(line.names):
            weights = tuple(0.0 if at == number else weight for at, weight in enumerate(line.weights))
            others = {**lines, kind: replace(line, weights=weights)}
            every[f"of {kind} claims {name}"] = partial(
                patched, confidence, "shipped_line", others.__getitem__
            )
    return every


@pytest.mark.slow
def test_what_is_switched_off_changes_a_verdict():
    before = judged()
    assert judged() == before
    unseen = []
    for name, switch in switches().items():
        with switch():
            if judged() == before:
                unseen.append(name)
    assert unseen == []

"""Faulty scorers and judges of extensions."""

from contextlib import contextmanager

import numpy as np
from every import each

import pytest_grounding as pg
from pytest_grounding import hookspecs
from pytest_grounding.engine import registry
from pytest_grounding.scorers import RelevanceScore, SupportScore
from pytest_grounding.scorers.remote.judge import Ruling

TRANSCRIPT = {
    "id": "t",
    "question": "How long is the warranty?",
    "chunks": [{"id": "c", "text": "The warranty lasts 24 months."}],
    "answer": "The warranty lasts 24 months [1].",
}


class Scorer:
    name = "mine"

    def __init__(self, answer):
        self.answer = answer

    def relevance(self, question, chunks, *, language="en"):
        return [RelevanceScore(0.9) for _ in chunks]

    def support(self, claims, chunks, *, question="", language="en"):
        return self.answer(len(claims))


@contextmanager
def extension(**parts):
    class Extension:
        @hookspecs.hookimpl
        def pytest_grounding_scorers(self, settings):
            return parts.get("scorers", [])

        @hookspecs.hookimpl
        def pytest_grounding_judges(self, settings):
            return parts.get("judges", [])

    added = Extension()
    registry.register(added)
    try:
        yield
    finally:
        registry.unregister(added)


def validated(answer):
    with extension(scorers=[Scorer(answer)]):
        verdict = pg.validate(TRANSCRIPT, {"scorer": "mine"})
    assert verdict.to_json()
    return verdict


@each(
    (None, "the scorer gave no score"),
    (0.9, "the scorer gave no score"),
    (SupportScore(float("nan")), "nan, which is not in 0 to 1"),
    (SupportScore(1.5), "1.5, which is not in 0 to 1"),
    (SupportScore(-0.1), "-0.1, which is not in 0 to 1"),
    (SupportScore("high"), "'high', which is not a number"),
    (SupportScore(None, reason="too long"), "too long"),
)
def test_an_invalid_score_abstains(score, why):
    verdict = validated(lambda count: [score] * count)
    assert [claim.status for claim in verdict.claims] == ["abstained"]
    assert verdict.status == "reject"
    assert any(why in finding.message for finding in verdict.findings)


@each(
    (lambda count: 1 // 0, "mine: ZeroDivisionError: integer division or modulo by zero"),
    (lambda count: [], "mine: gave 0 scores for 1 claims"),
    (lambda count: None, "mine: TypeError: 'NoneType' object is not iterable"),
)
def test_reports_a_failing_scorer_and_uses_the_next(answer, why):
    verdict = validated(answer)
    assert verdict.status == "pass"
    assert verdict.claims[0].method == "exact_match"
    assert f"{why}; the next scorer served" in [finding.message for finding in verdict.findings]


@each(np.float32(0.75), np.float64(0.75), 1)
def test_accepts_other_kinds_of_numbers(number):
    verdict = validated(lambda count: [SupportScore(number)] * count)
    assert verdict.claims[0].support == float(number)
    assert type(verdict.claims[0].support) is float


class Judge:
    name = "mine"

    def __init__(self, answer):
        self.answer = answer

    def support(self, claim, chunks, *, question=""):
        return self.answer()


@each(lambda: 1 // 0, lambda: None, lambda: Ruling("maybe", ""), lambda: ["a", 1])
def test_a_failing_judge_abstains(answer):
    settings = {"judge": "mine", "judge_scope": "all"}
    with extension(judges=[Judge(answer)]):
        verdict = pg.validate(TRANSCRIPT, settings)
    assert verdict.claims[0].status == "abstained"
    assert verdict.self_rag.relevance.value == "relevant"
    assert any(finding.rule == "abstained" for finding in verdict.causes)
    assert verdict.status != "pass"

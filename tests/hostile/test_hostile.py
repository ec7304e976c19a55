"""The hostile corpus: nothing crashes or hangs, what is false is caught, what is harmless passes."""

import re
from collections import Counter
from pathlib import Path

import pytest
from cases import KINDS, cases
from counted_calls import calls_of
from judged import judge_all, missed, rate
from statements import SOURCES, STATEMENTS

import pytest_grounding as pg

PAGE = Path(__file__).resolve().parents[2] / "docs" / "security.md"
#: Calls of functions that one character of answer and chunks may cost, and what a validation costs at least.
CALLS_A_CHARACTER, CALLS_AT_LEAST = 30, 30_000
LONG = [case for case in cases() if case.family == "long"]


def shown(judged, outcome):
    lines = list(missed(one for one in judged if one.case.outcome == outcome))
    return "\n".join(lines[:40])


def test_the_corpus_is_what_it_says():
    corpus = cases()
    names = Counter((case.family, case.kind, case.name, case.outcome) for case in corpus)
    assert len(corpus) >= 400
    assert max(names.values()) == 1
    wrappings = {kind: {case.name.split(", ")[0] for case in corpus if case.kind == kind} for kind in KINDS}
    assert all(len(found) >= 40 for found in wrappings.values())
    assert {(one.source, one.kind) for one in STATEMENTS} == {
        (name, kind) for name in SOURCES for kind in KINDS
    }


@pytest.mark.parametrize("statement", STATEMENTS, ids=lambda one: f"{one.source}-{one.kind}")
def test_each_true_statement_stands_in_its_source_and_no_false_one(statement):
    chunk = SOURCES[statement.source].chunk
    assert f"{statement.before}{statement.right}{statement.after}" in chunk
    assert f"{statement.before}{statement.wrong}{statement.after}" not in chunk
    assert SOURCES[statement.source].plain in chunk


def test_nothing_crashes_what_is_false_is_caught_and_what_is_harmless_passes():
    # One test, so that with several workers only one of them validates the corpus.
    judged = judge_all()
    broken = [one for one in judged if one.status == "crashed" or "internal_error" in one.reason]
    assert not broken, "\n".join(missed(broken))
    assert rate(judged, "caught").share >= 0.90, shown(judged, "caught")
    for kind in ("number", "name"):
        assert rate(judged, "caught", kind=kind).share >= 0.95, shown(judged, "caught")
    assert rate(judged, "passes").share >= 0.95, shown(judged, "passes")
    for family in ("attacks", "nothing to check", "long"):
        of_family = tuple(one for one in judged if one.case.family == family)
        assert len(of_family) >= 15
        assert rate(of_family, "caught").share >= 0.95, shown(of_family, "caught")
        assert family == "attacks" or not list(missed(of_family))


@pytest.mark.parametrize("case", LONG, ids=lambda case: case.name)
def test_a_long_input_costs_work_in_proportion(case):
    size = len(case.transcript["answer"]) + sum(len(chunk["text"]) for chunk in case.transcript["chunks"])
    verdicts = []
    calls = calls_of(lambda: verdicts.append(pg.validate(case.transcript)))
    assert verdicts[0].status != "pass"
    assert 0 < calls <= CALLS_AT_LEAST + CALLS_A_CHARACTER * size


def test_the_page_shows_the_families_and_their_cases():
    # The shares change with every training; the page is written anew with them, and not compared.
    rows = re.findall(r"^\| ([^|]+) \| ([\d,]+) \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    on_page = {family: int(count.replace(",", "")) for family, count in rows}
    corpus = Counter(case.family for case in cases())
    assert on_page == {"all": sum(corpus.values()), **corpus}, "run: python -m benchmarks.hostile --write"

"""Section 4 of the specification: relevance, question types, presence, evidence, rating, quality."""

import pytest
from answers import FEE, HOURS, QUESTION, TEXT
from counted_calls import calls_of

import pytest_grounding as pg


def test_a_setting_decides_which_chunk_is_relevant():
    found = pg.validate_retrieval(QUESTION, [TEXT, "Bananas are yellow."])
    assert [(item.relevant, item.score >= 0.3) for item in found.relevance] == [(True, True), (False, False)]
    strict = pg.validate_retrieval(QUESTION, [TEXT], {"relevance_threshold": 1.0})
    assert [item.relevant for item in strict.relevance] == [found.relevance[0].score == 1.0]


def test_reports_a_failed_scorer(tmp_path):
    settings = {"scorer": "cohere", "cassette": str(tmp_path / "none.jsonl")}
    found = pg.validate_retrieval(QUESTION, [TEXT], settings)
    assert found.scorer == "builtin"
    assert [failure for failure in found.scorer_failures if failure.scorer == "cohere"]


@pytest.mark.row(12)
def test_the_built_in_scorer_makes_few_calls():
    # So many calls take a few milliseconds. The first run imports modules and fills caches.
    once, again = ([f"{TEXT} {number + n} {FEE} {HOURS}" for n in range(10)] for number in (0, 100))
    assert pg.validate_retrieval(QUESTION, once).stage_ms
    assert 0 < calls_of(lambda: pg.validate_retrieval(QUESTION, again)) < 50_000

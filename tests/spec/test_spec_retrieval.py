"""Section 4 of the specification: relevance, question types, presence, evidence, rating, quality."""

import pytest
from answers import FEE, HOURS, QUESTION, TEXT
from counted_calls import calls_of
from every import each

import pytest_grounding as pg

LONGER = "Every customer has 30 days to return an item; after 30 days an item cannot be returned."


def test_a_setting_decides_which_chunk_is_relevant():
    found = pg.validate_retrieval(QUESTION, [TEXT, "Bananas are yellow."])
    assert [(item.relevant, item.score >= 0.3) for item in found.relevance] == [(True, True), (False, False)]
    strict = pg.validate_retrieval(QUESTION, [TEXT], {"relevance_threshold": 1.0})
    assert [item.relevant for item in strict.relevance] == [found.relevance[0].score == 1.0]


def test_evidence_is_verbatim():
    chunk = f"{HOURS} {TEXT} {FEE}"
    (item, *_) = pg.validate_retrieval(QUESTION, [{"id": "c1", "text": chunk}]).evidence
    assert (item.chunk_id, item.text, item.sentence_index) == ("c1", TEXT, 1)
    assert chunk[item.start : item.end] == TEXT
    assert HOURS in item.before
    assert FEE in item.after


@each(
    ([TEXT, LONGER], "good"),
    ([TEXT], "partial"),
    ([TEXT, "Bananas are yellow."], "partial"),
    (["Bananas are yellow."], "poor"),
    ([], "poor"),
)
def test_the_rating(chunks, rating):
    found = pg.validate_retrieval(QUESTION, chunks)
    assert found.rating == rating
    assert found.reason.lower().startswith(rating)


def test_means_over_relevant_and_all_chunks():
    found = pg.validate_retrieval(QUESTION, [TEXT, "Bananas are yellow."])
    scores = [item.score for item in found.relevance]
    assert found.mean_relevance == pytest.approx(scores[0])
    assert found.mean_all == pytest.approx(sum(scores) / 2)
    assert pg.validate_retrieval(QUESTION, []).mean_relevance == 0


@each(
    ([" "], "empty text"),
    ([TEXT + " The fee for a return is paid by the"], "text looks cut off"),
    ([TEXT, TEXT], "near-duplicate of chunk '1'"),
    (["Privacy policy. All rights reserved. Cookie policy. Follow us."], "mostly boilerplate"),
    ([TEXT], "no title or url"),
    ([TEXT, TEXT.replace("30", "14")], "conflicts with chunk '1'"),
)
def test_source_quality(chunks, reason):
    item = pg.validate_retrieval(QUESTION, chunks).relevance[-1]
    assert item.quality < 1.0
    assert [told for told in item.quality_reasons if told.startswith(reason)]


def test_reports_a_failed_scorer(tmp_path):
    settings = {"scorer": "cohere", "cassette": str(tmp_path / "none.jsonl")}
    found = pg.validate_retrieval(QUESTION, [TEXT], settings)
    assert found.scorer == "builtin"
    assert [failure for failure in found.scorer_failures if failure.scorer == "cohere"]


def test_the_built_in_scorer_makes_few_calls():
    # So many calls take a few milliseconds. The first run imports modules and fills caches.
    once, again = ([f"{TEXT} {number + n} {FEE} {HOURS}" for n in range(10)] for number in (0, 100))
    assert pg.validate_retrieval(QUESTION, once).stage_ms
    assert 0 < calls_of(lambda: pg.validate_retrieval(QUESTION, again)) < 50_000

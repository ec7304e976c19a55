"""Status of a claim: every row of the table of statuses, at its edges, with scorers that say what we want."""

from collections.abc import Sequence
from typing import Any

import pytest
from every import each

import pytest_grounding as pg
from pytest_grounding.checks.hallucination import recommend, status_of
from pytest_grounding.errors import ScorerError
from pytest_grounding.model.finding import Evidence
from pytest_grounding.model.verdict import Conflict
from pytest_grounding.scorers.protocol import RelevanceScore, SupportScore
from pytest_grounding.settings import Settings

DEFAULTS = Settings()
QUOTE = Evidence(chunk_id="c", sentence_index=0, text="x", start=0, end=1)


def conflict(severity: str) -> Conflict:
    return Conflict(
        kind="number",
        severity=severity,  # type: ignore[arg-type]
        claim_text="45",
        evidence_text="30",
        evidence=QUOTE,
    )


@each(
    (1.0, "supported"),
    (0.8, "supported"),
    (0.1 + 0.7, "supported"),  # 0.7999999999999999
    (0.7999, "borderline"),
    (0.7, "borderline"),
    (0.6999, "unsupported"),
    (0.0, "unsupported"),
    (None, "abstained"),
)
def test_thresholds(probability: float | None, status: str) -> None:
    assert status_of(SupportScore(probability), DEFAULTS) == status


def test_a_conflict_of_severity_error_beats_high_support_and_a_warning_does_not() -> None:
    assert status_of(SupportScore(0.99, conflicts=(conflict("error"),)), DEFAULTS) == "contradicted"
    assert status_of(SupportScore(0.99, conflicts=(conflict("warning"),)), DEFAULTS) == "supported"


@each("off", "warn", "error")
def test_a_certain_conflict_is_an_error_whatever_the_policy(policy: str) -> None:
    row = {
        "id": "loans",
        "question": "How long is a loan?",
        "chunks": [{"id": "c1", "text": "A loan lasts 14 days."}],
        "answer": "A loan lasts 45 days.",
    }
    verdict = pg.validate(row, {"possible_conflicts": policy})
    assert [item.severity for item in verdict.causes if item.rule == "contradicted"] == ["error"]


def test_a_nan_is_not_supported() -> None:
    assert status_of(SupportScore(float("nan")), DEFAULTS) == "unsupported"


@each(
    (None, None),
    (0.0, "accept"),
    (0.1, "accept"),
    (0.11, "regenerate"),
    (0.3, "regenerate"),
    (0.31, "reject"),
)
def test_recommendation_of_the_detector(rate: float | None, advice: str | None) -> None:
    assert recommend(rate, DEFAULTS) == advice


class Fixed:
    """A scorer that gives each claim the next of some scores."""

    name = "fixed"

    def __init__(self, scores: Sequence[SupportScore] | ScorerError) -> None:
        self.scores = scores

    def relevance(self, question: str, chunks: Any, *, language: str = "en") -> list[RelevanceScore]:
        return [RelevanceScore(0.9)] * len(chunks)

    def support(self, claims: Any, chunks: Any, **_: Any) -> list[SupportScore]:
        if isinstance(self.scores, ScorerError):
            raise self.scores
        return [self.scores[index % len(self.scores)] for index in range(len(claims))]


class Extension:
    def __init__(self, scorer: Fixed) -> None:
        self.scorer = scorer

    @pg.hookimpl
    def pytest_grounding_scorers(self, settings: Settings) -> list[Fixed]:
        return [self.scorer]


@pytest.fixture
def judged(request: pytest.FixtureRequest):
    def run(scores: Sequence[SupportScore] | ScorerError, **settings: Any) -> pg.Verdict:
        extension = Extension(Fixed(scores))
        pg.register(extension)
        request.addfinalizer(lambda: pg.unregister(extension))
        transcript = {
            "id": "t",
            "question": "What is in the parcel?",
            "chunks": [{"id": "c", "text": "The parcel holds a book."}],
            "answer": "The parcel holds a book. The parcel weighs two kilograms.",
        }
        return pg.validate(transcript, {"scorer": "fixed", **settings})

    return run


def test_the_rate_counts_checked_and_scored_claims_only(judged) -> None:
    verdict = judged([SupportScore(0.9), SupportScore(None, reason="no answer")])
    assert verdict.hallucination_rate == 0.0
    assert verdict.counts == {"abstained": 1, "supported": 1}
    assert not verdict.scored
    assert judged([SupportScore(None)]).hallucination_rate is None


@pytest.mark.parametrize(
    ("policy", "severity", "status"),
    [("fail", "error", "reject"), ("warn", "warning", "review"), ("pass", "info", "review")],
)
def test_an_abstained_claim_is_never_a_pass(judged, policy, severity, status) -> None:
    verdict = judged([SupportScore(0.9), SupportScore(None, reason="no answer")], abstained=policy)
    found = [item for item in verdict.causes if item.rule == "abstained"]
    assert [item.severity for item in found] == [severity]
    assert "no answer" in found[0].message
    assert verdict.status == status


def test_a_borderline_claim_counts_as_supported_with_a_note(judged) -> None:
    verdict = judged([SupportScore(0.75)])
    assert verdict.hallucination_rate == 0.0
    assert verdict.status == "pass"
    assert {item.severity for item in verdict.causes if item.rule == "borderline_claim"} == {"info"}


@pytest.mark.parametrize(
    ("policy", "severity", "status"),
    [("warn", "warning", "review"), ("off", "info", "pass"), ("error", "error", "reject")],
)
def test_a_possible_conflict_holds_back_as_its_policy_says(judged, policy, severity, status) -> None:
    doubtful = SupportScore(0.95, conflicts=(conflict("warning"),))
    verdict = judged([doubtful], possible_conflicts=policy)
    found = {item.severity for item in verdict.causes if item.rule == "possible_conflict"}
    assert (found, verdict.status) == ({severity}, status)
    assert {claim.status for claim in verdict.claims} == {"supported"}


def test_a_possible_conflict_decides_nothing_by_default(judged) -> None:
    assert judged([SupportScore(0.95, conflicts=(conflict("warning"),))]).status == "pass"


def test_a_possible_conflict_is_a_warning_in_the_profile_strict(judged) -> None:
    verdict = judged([SupportScore(0.95, conflicts=(conflict("warning"),))], profile="strict")
    assert {item.severity for item in verdict.causes if item.rule == "possible_conflict"} == {"warning"}


def test_when_the_chosen_scorer_fails_the_built_in_one_serves_and_that_is_said(judged) -> None:
    verdict = judged(ScorerError("429 after 3 attempts"))
    failed = [item for item in verdict.causes if item.rule == "scorer_failed"]
    assert len(failed) == 1
    assert "429 after 3 attempts" in failed[0].message
    assert verdict.claims[0].support is not None


def test_an_unknown_scorer_is_a_settings_error() -> None:
    with pytest.raises(pg.SettingsError, match="scorer = 'nobody' is not known"):
        pg.validate({"id": "t", "question": "q?", "chunks": [], "answer": "a"}, {"scorer": "nobody"})

"""Which claims a judge decides, what its ruling changes, and what happens when it cannot judge."""

from __future__ import annotations

import pytest
from every import each
from worded import DENIED, NUMBER, OTHER_WORDS, VERBATIM, Worded, rules, transcript, validated

import pytest_grounding as pg
from pytest_grounding.errors import ScorerError
from pytest_grounding.scorers import RelevanceScore, SupportScore
from pytest_grounding.scorers.remote.judge import Ruling

ALL = transcript(NUMBER, OTHER_WORDS, DENIED, VERBATIM)


def statuses(verdict):
    return [claim.status for claim in verdict.claims]


@each(
    ("borderline", []),
    ("doubtful", [NUMBER, OTHER_WORDS, DENIED]),
    ("all", [NUMBER, OTHER_WORDS, DENIED, VERBATIM]),
)
def test_the_scope_selects_the_claims_to_judge(scope, asked):
    judge = Worded()
    verdict = validated(ALL, judge, judge_scope=scope)
    assert judge.asked == asked
    assert [claim.text for claim in verdict.claims if claim.opinions is not None] == asked


def test_a_claim_in_the_words_of_a_source_is_asked_about_only_with_all():
    for scope, asked in (("borderline", []), ("doubtful", []), ("all", [VERBATIM])):
        judge = Worded()
        # The threshold alone would put it into the zone.
        high = {"supported_threshold": 1.0, "borderline_threshold": 0.5}
        validated(transcript(VERBATIM), judge, judge_scope=scope, **high)
        assert judge.asked == asked


def test_a_borderline_claim_is_in_every_scope():
    given = transcript("The shop pays refunds back to the customer within 14 days of the return.")
    for scope in ("borderline", "doubtful", "all"):
        for value, status in (("full", "supported"), ("partial", "unsupported"), ("none", "unsupported")):
            judge = Worded(usual=value)
            verdict = validated(given, judge, judge_scope=scope, supported_threshold=0.99)
            (claim,) = verdict.claims
            assert (claim.opinions.engine.status, claim.status) == ("borderline", status)
            assert claim.method == "llm_judge"
            assert claim.opinions.differ == (value != "full")


def test_a_possible_conflict_is_doubtful_and_becomes_a_note_when_fully_supported():
    given = transcript(
        "The club lends tools to the school.", chunks=["The club borrows tools from the school."]
    )
    unsure = {"possible_conflicts": "error"}
    alone = pg.validate(given, unsure)
    assert rules(alone)["possible_conflict"] == "error"
    judge = Worded()
    verdict = validated(given, judge, judge_scope="doubtful", **unsure)
    assert judge.asked == ["The club lends tools to the school."]
    assert rules(verdict)["possible_conflict"] == "info"
    assert statuses(verdict) == ["supported"]


def test_full_support_overrules_contradictions_and_missing_support():
    given = transcript(OTHER_WORDS, DENIED, VERBATIM, question="How are refunds paid?")
    verdict = validated(given, Worded(), judge_scope="doubtful", confidence_model="self_rag")
    assert statuses(verdict) == ["supported"] * 3
    assert verdict.status == "pass"
    assert verdict.hallucination_rate == 0.0
    assert "contradicted" not in rules(verdict)
    assert rules(verdict)["judge_overruled"] == "info"
    other, denied, verbatim = verdict.claims
    assert verbatim.opinions is None
    for claim, status in ((other, "unsupported"), (denied, "contradicted")):
        assert claim.opinions.differ
        assert claim.opinions.engine.status == status
        assert claim.opinions.engine.method == "lexical"
        assert claim.opinions.engine.support == claim.support
        assert (claim.opinions.judge.value, claim.opinions.judge.judge) == ("full", "mine")
        assert claim.opinions.judge.reason == "mine has read it"
    assert denied.conflicts  # what was found is still shown
    # Only the engine knows which chunk holds a claim: what the judge alone supports suggests no citation.
    assert [claim.suggested_chunk_ids for claim in verdict.claims] == [(), (), ("c1",)]


@each("partial", "none")
def test_any_other_ruling_fails_the_claim_and_keeps_contradictions(value):
    verdict = validated(ALL, Worded(usual=value), judge_scope="all")
    assert statuses(verdict) == ["contradicted", "unsupported", "contradicted", "unsupported"]
    verbatim = verdict.claims[-1]
    assert verbatim.opinions.differ
    finding = next(item for item in verdict.causes if item.claim == verbatim.index)
    assert (finding.rule, finding.severity) == ("unsupported_claim", "warning")
    assert "the judge does not find this in the sources" in finding.message
    assert f"{value}: mine has read it" in finding.message
    assert verdict.hallucination_rate == 1.0


def test_without_a_scope_the_judge_decides_every_checked_claim_and_its_citations():
    given = transcript(f"{OTHER_WORDS[:-1]} [1].", VERBATIM, question="How are refunds paid?")
    alone, judge = pg.validate(given), Worded()
    assert rules(alone)["semantic_alignment"] == "warning"
    ruled = validated(given, judge)
    assert len(judge.asked) == len(ruled.claims) == 2
    assert (ruled.status, "semantic_alignment" in rules(ruled)) == ("pass", False)
    refused = validated(given, Worded(usual="none"))
    assert rules(refused)["semantic_alignment"] == "warning"
    assert refused.status == "reject"


@each("doubtful", "all")
def test_a_judge_that_cannot_tell_never_makes_a_claim_pass(scope):
    judge = Worded({"": ScorerError("the line is dead")})
    verdict = validated(ALL, judge, judge_scope=scope)
    kept = "abstained" if scope == "all" else "supported"
    assert statuses(verdict) == ["contradicted", "unsupported", "contradicted", kept]
    failed = [item for item in verdict.causes if item.rule == "judge_failed"]
    assert [item.message for item in failed] == ["the judge could not decide: the line is dead"]
    assert [item.severity for item in failed] == ["error"]
    assert verdict.fallbacks  # so that the build's gate says that another one judged
    assert verdict.claims[1].opinions.judge.value is None
    assert verdict.claims[1].opinions.judge.reason == "the line is dead"
    lenient = validated(ALL, judge, judge_scope=scope, abstained="pass")
    assert lenient.status != "pass"
    assert statuses(lenient) == statuses(verdict)


class Silent:
    """A scorer that scores nothing."""

    name = "silent"

    def relevance(self, question, chunks, *, language="en"):
        return [RelevanceScore(0.9)] * len(chunks)

    def support(self, claims, chunks, **_):
        return [SupportScore(None, reason="no answer")] * len(claims)

    @pg.hookimpl
    def pytest_grounding_scorers(self, settings):
        return [self]


@each(("full", "supported"), ("none", "unsupported"))
def test_the_judge_decides_a_claim_that_the_engine_could_not_score(value, status):
    silent = Silent()
    pg.register(silent)
    try:
        verdict = validated(
            transcript(VERBATIM), Worded(usual=value), judge_scope="doubtful", scorer="silent"
        )
    finally:
        pg.unregister(silent)
    (claim,) = verdict.claims
    assert (claim.status, claim.support, claim.opinions.engine.status) == (status, None, "abstained")
    assert not claim.opinions.differ
    assert verdict.hallucination_rate == (0.0 if status == "supported" else 1.0)
    assert f"judge mine: {value}" in str(claim.opinions)


def test_without_source_text_no_judge_is_asked():
    for chunks in ([], [" "]):
        judge = Worded()
        verdict = validated(transcript(VERBATIM, chunks=chunks), judge, judge_scope="all")
        assert judge.asked == []
        assert statuses(verdict) == ["unsupported"]
    empty = validated(transcript(), judge, judge_scope="all")
    assert (empty.status, judge.asked) == ("reject", [])


def test_claims_that_are_not_checked_are_not_judged():
    judge = Worded(usual="none")
    given = transcript("Hello!", VERBATIM, "I think that is great.", "Anything else?")
    verdict = validated(given, judge, judge_scope="all")
    assert judge.asked == [VERBATIM]
    assert [claim.opinions is None for claim in verdict.claims] == [
        claim.text != VERBATIM for claim in verdict.claims
    ]
    assert (
        validated(given, judge, judge_scope="all", hallucination_detection=False).claims[1].opinions is None
    )
    assert judge.asked == [VERBATIM]


def test_a_judge_of_more_than_borderline_claims_decides_unknown_names():
    given = {
        "id": "t",
        "question": "Who leads the support team?",
        "chunks": [{"id": "c1", "text": "The support team is led by Ada Byron and answers within one day."}],
        "answer": "The support team at Globex is led by Ada Byron, and answers within one day [1].",
    }
    assert "unknown_entity" in rules(pg.validate(given))
    assert "unknown_entity" not in rules(validated(given, Worded(), judge_scope="all"))
    assert "unknown_entity" in rules(validated(given, Worded(), judge_scope="borderline"))


def test_an_unresolved_citation_stays_an_error():
    verdict = validated(transcript(f"{VERBATIM[:-1]} [7]."), Worded(), judge_scope="all")
    assert (verdict.status, rules(verdict)["source_exists"]) == ("reject", "error")


def test_an_unknown_scope_is_one_clear_sentence():
    said = "judge_scope = 'some' is not known; write one of: all, doubtful, borderline"
    with pytest.raises(pg.SettingsError, match=said):
        pg.Settings.of({"judge_scope": "some"})


@each("\ud83d lone", "\x1b[31mred\x00", "x" * 10_000, None, 7, "<script>")
def test_any_reason_of_a_judge_is_harmless(reason):
    class Strange(Worded):
        def support(self, claim, chunks, *, question=""):
            return Ruling("none", reason)

    verdict = validated(ALL, Strange(), judge_scope="all")
    assert statuses(verdict)[-1] == "unsupported"
    text = verdict.to_json()
    text.encode("utf-8")
    assert pg.Verdict.model_validate_json(text).to_json() == text
    str(pg.explain(verdict))

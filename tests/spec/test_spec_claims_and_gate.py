"""Sections 5 to 7 of the specification: claims, hallucinations, confidence and the gate."""

from typing import Any

import pytest
from answers import FEE, HOURS, SAID, TEXT, rules, transcript, verdict
from every import each

import pytest_grounding as pg

# -- 5, claims


@each(
    "Would you like to know more?",
    "Hello!",
    "I don't have that information.",
    "# Returns",
    "How long do customers have to return an item?",
    "I think that is great.",
)
def test_what_is_not_checked_is_counted_with_its_reason(text):
    found = verdict(f"{text}\n\n{SAID} [1].")
    left_out = [claim for claim in found.claims if not claim.checked]
    assert left_out
    assert all(claim.skip_reason for claim in left_out)
    assert sum(found.not_checked.values()) == len(left_out)
    assert sum(claim.checked for claim in found.claims) == 1


def test_claims_keep_their_span_and_kind():
    answer = f"{SAID} [1]. {FEE[:-1]} [2]."
    found = verdict(answer)
    assert len(found.claims) == 2
    for claim in found.claims:
        assert claim.text in answer[claim.start : claim.end]
        assert claim.kind in ("fact", "opinion", "inference")


def test_bullets_and_tables_are_split_into_items():
    found = verdict(f"- {SAID} [1]\n- {FEE[:-1]} [2]")
    assert len([claim for claim in found.claims if claim.checked]) == 2


@each(("pass", "info", "pass"), ("warn", "warning", "review"), ("fail", "error", "reject"))
def test_with_nothing_checked_rates_are_none_and_the_policy_decides(policy, severity, status):
    found = verdict("Hello! How can I help you?", question="Hello", settings={"nothing_checked": policy})
    assert found.hallucination_rate is None
    assert rules(found)["nothing_checked"] == severity
    assert found.status == status


# -- 6, the table of statuses


@each(
    (1.0, "supported"),
    (0.8, "supported"),
    (0.79, "borderline"),
    (0.7, "borderline"),
    (0.69, "unsupported"),
    (0.0, "unsupported"),
)
def test_the_status_of_a_claim_by_its_support(support, status):
    from pytest_grounding.checks.hallucination import status_of

    assert status_of(pg.SupportScore(support), pg.Settings()) == status


def test_a_supported_claim_has_verbatim_evidence_and_its_sources():
    (claim,) = verdict().claims
    assert claim.status == "supported"
    assert claim.evidence[0].text == TEXT
    assert claim.sources[0].chunk_id == "c1"
    assert claim.method in ("exact_match", "lexical", "semantic_similarity", "rerank", "llm_judge")


def test_an_unsupported_claim_is_a_warning_and_counts():
    found = verdict(f"{SAID} [1]. Our shops repair bicycles on Sundays.")
    assert rules(found)["unsupported_claim"] == "warning"
    assert found.hallucination_rate == 0.5


@each(
    (f"{SAID.replace('30', '45')} [1].", "number"),
    (f"{SAID.replace('days', 'weeks')} [1].", "unit"),
    ("Customers cannot return any item within 30 days of the purchase [1].", "negation"),
)
def test_a_contradiction_is_an_error_with_both_quotes(answer, kind):
    found = verdict(answer)
    (item,) = [cause for cause in found.causes if cause.rule == "contradicted"]
    assert (item.severity, item.details["kind"], found.status) == ("error", kind, "reject")
    assert item.details["claim_text"] in answer
    assert item.details["evidence_text"] in TEXT
    assert item.evidence[0].text == TEXT


@each((0.0, "accept"), (0.1, "accept"), (0.11, "regenerate"), (0.3, "regenerate"), (0.31, "reject"))
def test_the_recommendation_of_the_detector(rate, word):
    from pytest_grounding.checks.hallucination import recommend

    assert recommend(rate, pg.Settings()) == word


def test_support_depends_on_chunks_that_share_words_alone():
    before = verdict(f"{SAID} [1].", TEXT).claims[0].support
    assert (
        verdict(f"{SAID} [1].", TEXT, "Bananas are yellow.", "Trains leave at noon.").claims[0].support
        == before
    )


# -- 7, the table of weights and the ceilings

SELF_RAG = {"confidence_model": "self_rag"}


@each(("default", (0.3, 0.4, 0.3)), ("factual", (0.25, 0.5, 0.25)), ("conversational", (0.2, 0.3, 0.5)))
def test_the_weights_by_query_type(kind, weights):
    found = verdict(metadata={"query_type": kind}, settings=SELF_RAG)
    terms = {term.name: term.weight for term in found.confidence_breakdown.terms}
    assert (terms["relevance"], terms["support"], terms["usefulness"]) == pytest.approx(weights)
    assert found.self_rag.query_type == kind


@each("default", "factual", "conversational")
def test_the_ranges_that_always_hold(kind):
    more: dict[str, Any] = {"metadata": {"query_type": kind}, "settings": SELF_RAG}
    assert verdict(**more).confidence >= 0.9
    partial = verdict(
        f"{SAID} [1]. Our shops repair bicycles on Sundays.",
        metadata=more["metadata"],
        settings={**SELF_RAG, "max_hallucination_rate": 1.0},
    )
    assert partial.self_rag.support.value == "partial"
    assert 0.5 <= partial.confidence <= 0.7
    assert partial.status != "pass"
    none = verdict("Our shops repair bicycles on Sundays.", **more)
    assert none.self_rag.support.value == "none"
    assert none.confidence < 0.3
    astray = verdict("Bananas are yellow [1].", "Bananas are yellow.", **more)
    assert astray.self_rag.relevance.value == "irrelevant"
    assert astray.confidence < 0.5


@each(("partial", 0.69), ("none", 0.29))
def test_the_ceilings(support, ceiling):
    answer = (
        f"{SAID} [1]. Our shops repair bicycles on Sundays."
        if support == "partial"
        else "Our shops repair bicycles."
    )
    found = verdict(answer, settings=SELF_RAG)
    assert found.confidence_breakdown.ceiling == ceiling
    assert found.confidence_breakdown.ceiling_reason


@pytest.mark.parametrize(
    ("chunk", "confidence", "status"),
    [(TEXT, 0.3, "reject"), ("Bananas are yellow.", 0.9, "pass")],
    ids=["over-refusal", "rightly declined"],
)
def test_an_answer_that_declines(chunk, confidence, status):
    found = verdict("I don't have that information.", chunk)
    assert (found.declined, found.hallucination_rate) == (True, None)
    assert found.confidence == pytest.approx(confidence)
    assert found.status == status
    assert ("over_refusal" in rules(found)) == (chunk == TEXT)


def test_an_empty_answer_is_an_error_with_confidence_0():
    found = verdict("")
    assert (found.confidence, found.status) == (0.0, "reject")


@pytest.mark.parametrize(
    ("scores", "tier"),
    [((0.69,), 0.5), ((0.7,), 0.7), ((0.84,), 0.7), ((0.85,), 0.9), ((0.8, 0.9), 0.9), ((0.6, 0.8), 0.7)],
)
@pytest.mark.parametrize(("marker", "change"), [("", 0.0), (" [1]", 0.1), (" [9]", -0.2)])
def test_the_tiers(scores, tier, marker, change):
    chunks = [{"id": f"c{n}", "text": TEXT, "score": score} for n, score in enumerate(scores)]
    found = verdict(f"{SAID}{marker}.", chunks=chunks)
    assert found.confidences["tiered"] == pytest.approx(min(1.0, max(0.0, tier + change)))


def test_the_model_that_decides_is_a_setting():
    found = verdict(settings={"confidence_model": "tiered"})
    assert found.confidence == found.confidences["tiered"]
    assert found.confidence_model == "tiered"
    assert set(found.confidences) == {"learned", "self_rag", "tiered"}


def test_the_learned_confidence_is_the_default():
    found = verdict()
    assert found.confidence_model == "learned"
    assert found.confidence == found.confidences["learned"] >= 0.9
    assert [term.name for term in found.confidence_breakdown.terms] == ["support", "contradictions"]
    several = verdict(f"{SAID} [1]. Our shops repair bicycles.")
    terms = [term.name for term in several.confidence_breakdown.terms]
    assert terms == ["support", "coverage", "contradictions", "length"]
    assert several.confidence < 0.4


def test_citations_are_no_words_of_an_answer():
    assert verdict(f"{SAID} [1].").confidence == verdict(f"{SAID}.").confidence


def test_an_answer_whose_citations_are_not_grounded_is_uncertain():
    found = verdict(f"{SAID} [9].")
    assert found.uncertain
    assert pg.annotate_uncertain(transcript(f"{SAID} [9]."), found) == (
        f"{SAID} [9].\n\nNote: not every statement in this answer is backed by the sources it cites."
    )
    assert not verdict().uncertain


# -- 7, the gate


@each(
    (f"{SAID} [1].", {}, "pass"),
    (f"{SAID} [9].", {}, "reject"),
    (f"{SAID} [3].", {}, "review"),
    (f"{SAID} [1]. Our shops repair bicycles.", {}, "reject"),
    (f"{SAID} [1]. Our shops repair bicycles.", {"max_hallucination_rate": 0.5, **SELF_RAG}, "review"),
    (f"{SAID} [1]. Our shops repair bicycles.", {"max_hallucination_rate": 0.5}, "reject"),
    (f"{SAID} [1].", {"accept_confidence": 1.0, **SELF_RAG}, "pass"),
    (f"{SAID} [1].", {"accept_confidence": 1.0}, "review"),
)
def test_the_gate(answer, settings, status):
    assert verdict(answer, settings=settings).status == status


def test_the_payload_of_a_rejection():
    payload = verdict(f"{SAID} [1]. Our shops repair bicycles on Sundays.").rejection
    assert (payload.status, bool(payload.reason), bool(payload.suggestion)) == ("REJECT", True, True)
    assert SAID in payload.partial_response
    assert "bicycles" not in payload.partial_response
    assert payload.audit_id
    assert verdict().rejection is None


def test_self_correction_tries_again_at_most_twice_and_keeps_each_attempt():
    asked: list[str] = []

    def generate(prompt: str) -> str:
        asked.append(prompt)
        return "Our shops repair bicycles on Sundays."

    found = pg.self_correct(transcript("Our shops repair bicycles on Sundays."), generate)
    assert (len(asked), len(found.attempts), found.status) == (2, 3, "reject")
    mended = pg.self_correct(
        transcript("Our shops repair bicycles on Sundays."), lambda prompt: f"{SAID} [1]."
    )
    assert mended.status == "pass"
    assert mended.confidence_gain > 0.2


def test_findings_on_one_span_are_one_finding_with_its_causes():
    found = verdict(f"{SAID.replace('30', '45')} [1].")
    (item,) = found.findings
    assert [part.rule for part in item.parts] == ["contradicted", *[cause.rule for cause in item.causes]]
    assert found.findings[0].causes


def test_the_words_for_a_source_in_the_diagnosis():
    assert verdict(f"{SAID} [3].", TEXT, FEE, HOURS).diagnosis.startswith("Citation:")
    assert verdict().diagnosis.startswith("Nothing failed")

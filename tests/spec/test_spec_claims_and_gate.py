"""Sections 5 to 7 of the specification: claims, hallucinations, confidence and the gate."""

import pytest
from answers import SAID, verdict
from every import each

# -- 5, claims


@each(
    "Would you like to know more?",
    "Hello!",
    "I don't have that information.",
    "# Returns",
    "How long do customers have to return an item?",
    "I think that is great.",
)
def test_counts_unchecked_sentences_with_a_reason(text):
    found = verdict(f"{text}\n\n{SAID} [1].")
    left_out = [claim for claim in found.claims if not claim.checked]
    assert left_out
    assert all(claim.skip_reason for claim in left_out)
    assert sum(found.not_checked.values()) == len(left_out)
    assert sum(claim.checked for claim in found.claims) == 1


# -- 7, the table of weights and the ceilings

SELF_RAG = {"confidence_model": "self_rag"}


@pytest.mark.row(31)
@each(("default", (0.3, 0.4, 0.3)), ("factual", (0.25, 0.5, 0.25)), ("conversational", (0.2, 0.3, 0.5)))
def test_the_weights_by_query_type(kind, weights):
    found = verdict(metadata={"query_type": kind}, settings=SELF_RAG)
    terms = {term.name: term.weight for term in found.confidence_breakdown.terms}
    assert (terms["relevance"], terms["support"], terms["usefulness"]) == pytest.approx(weights)
    assert found.self_rag.query_type == kind


@pytest.mark.row(31)
@each("default", "factual", "conversational")
def test_ranges_of_the_confidence(kind):
    more = {"metadata": {"query_type": kind}, "settings": SELF_RAG}
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


def test_a_setting_chooses_the_confidence():
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


def test_citations_do_not_change_the_confidence():
    assert verdict(f"{SAID} [1].").confidence == verdict(f"{SAID}.").confidence


# -- 7, the gate


@pytest.mark.row(32)
@each(
    (f"{SAID} [1].", {}, "pass"),
    (f"{SAID} [9].", {}, "reject"),
    (f"{SAID} [3].", {}, "review"),
    (f"{SAID} [1]. Our shops repair bicycles.", {}, "reject"),
    (f"{SAID} [1]. Our shops repair bicycles.", {"max_hallucination_rate": 0.5, **SELF_RAG}, "review"),
    (f"{SAID} [1]. Our shops repair bicycles.", {"max_hallucination_rate": 0.5}, "review"),
    (f"{SAID} [1].", {"accept_confidence": 1.0, **SELF_RAG}, "pass"),
    (f"{SAID} [1].", {"accept_confidence": 1.0}, "review"),
)
def test_the_gate(answer, settings, status):
    assert verdict(answer, settings=settings).status == status

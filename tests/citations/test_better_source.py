"""The rule "better source": what is cited holds the claim half, another chunk holds it fully."""

from __future__ import annotations

from typing import Any

import pytest_grounding as pg
from pytest_grounding.checks.citation.alignment import rival_sources
from pytest_grounding.model.finding import Evidence
from pytest_grounding.scorers.protocol import SupportScore

NEAR = "PSA is made by the prostate gland. High PSA levels may indicate prostate cancer or prostatitis."
FULL = (
    "The PSA test is used to monitor the progression of prostate cancer. It is reported in nanograms of PSA "
    "per milliliter of blood."
)


def verdict(answer: str, *texts: str) -> pg.Verdict:
    chunks = [{"id": f"c{number}", "text": text} for number, text in enumerate(texts, start=1)]
    return pg.validate({"id": "t", "question": "What is the PSA test?", "chunks": chunks, "answer": answer})


def score(probability: float, *chunks: str, method: Any = "lexical") -> SupportScore:
    evidence = tuple(Evidence(chunk_id=name, text="x", start=0, end=1, sentence_index=0) for name in chunks)
    return SupportScore(probability, evidence, method=method)


def rivals(joint: float, whole: float, alone: float, method: Any = "lexical") -> dict[int, str]:
    cited = {0: (frozenset({"c1"}), score(joint, "c1"))}
    everything = [score(whole, "c1", "c2", method=method)]
    return rival_sources(cited, everything, lambda claim, chunk: score(alone, chunk))


def test_a_source_that_supports_a_claim_far_better_is_named() -> None:
    assert rivals(0.75, 0.99, 0.99) == {0: "c2"}


def test_no_rival_where_the_cited_source_is_good_or_no_other_is_much_better() -> None:
    assert rivals(0.96, 0.9999, 0.9999) == {}
    assert rivals(0.75, 0.9, 0.9) == {}
    # All chunks together do better, and none alone: the claim joins several.
    assert rivals(0.75, 0.99, 0.8) == {}
    # Another scorer is not asked again: that would be a request that no cassette holds.
    assert rivals(0.75, 0.99, 0.99, method="llm_judge") == {}


def test_the_wrong_one_of_two_chunks_on_a_topic_is_a_warning() -> None:
    claim = "The PSA test monitors the progression of prostate cancer"
    wrong = verdict(f"{claim} [1].", NEAR, FULL)
    found = [finding for finding in wrong.findings if finding.citation == 0]
    assert [finding.severity for finding in found] == ["warning"]
    assert found[0].rule in ("better_source", "semantic_alignment")
    assert "2" in found[0].suggestion
    assert wrong.citations[0].valid
    assert [f for f in verdict(f"{claim} [2].", NEAR, FULL).findings if f.citation == 0] == []

"""Verdicts of whole transcripts: what is checked, shown and left without a confidence."""

import json
import subprocess

import pytest
import warm_starts
from every import each, table
from hypothesis import given
from hypothesis import strategies as st
from shown import assert_shows

import pytest_grounding as pg
from pytest_grounding.gate import confidence
from pytest_grounding.model.verdict import Verdict
from pytest_grounding.scorers import RelevanceScore, SupportScore
from pytest_grounding.testing import Example

REFUND = "Customers can return any item within 30 days of delivery for a full refund."
SHIPPING = "Standard shipping takes 3 to 5 business days and costs 4 euros within Germany."
WARRANTY = "The warranty covers manufacturing defects for two years after the purchase."


transcript = Example(
    "Within how many days can customers return an item?",
    [
        {"id": "refunds", "text": REFUND, "score": 0.92, "metadata": {"title": "Refund policy"}},
        {"id": "shipping", "text": SHIPPING, "score": 0.81},
        {"id": "warranty", "text": WARRANTY, "score": 0.78},
    ],
    id="t",
).answered


@pytest.mark.parametrize(("what", "changes", "settings", "expected"), table(__file__, "verdicts"))
def test_a_verdict_shows(what, changes, settings, expected):
    verdict = pg.validate(transcript("") | changes, settings)
    assert_shows(verdict, expected, what)
    assert Verdict.model_validate_json(verdict.to_json()).to_json() == verdict.to_json()
    assert verdict.status != "pass" or not verdict.skipped


def test_a_partly_supported_answer_does_not_pass():
    good = "Customers can return any item within 30 days of delivery. "
    for share in range(1, 8):
        answer = good + f"{WARRANTY} " * share + "Lounge access is granted to platinum travellers."
        verdict = pg.validate(transcript(answer))
        assert verdict.claims[-1].status == "unsupported"
        assert verdict.confidence < 0.7
        assert verdict.status != "pass"


def test_an_answer_without_citations():
    answer = "Customers can return any item within 30 days of delivery."
    verdict = pg.validate(transcript(answer))
    assert verdict.citation_accuracy is None
    for policy, severity in (("off", "info"), ("warn", "warning"), ("error", "error")):
        found = pg.validate(transcript(answer), {"require_citations": policy}).findings
        assert {item.severity for item in found if item.rule == "missing_citations"} == {severity}
    assert verdict.claims[0].suggested_chunk_ids == ("refunds",)
    assert pg.suggest_citations(verdict) == {0: ("refunds",)}
    assert pg.clean_answer(transcript(answer.replace(".", " [7]."))) == answer


def test_offsets_fit_the_texts():
    answer = (
        "😀 Naïve: customers can return any item within 30 days [1]! Standard shipping costs 4 euros [2]."
    )
    verdict = pg.validate(transcript(answer))
    for claim in verdict.claims:
        assert answer[claim.start : claim.end] == claim.text
        for evidence in claim.evidence:
            text = {"refunds": REFUND, "shipping": SHIPPING, "warranty": WARRANTY}[evidence.chunk_id]
            assert text[evidence.start : evidence.end] == evidence.text
    for citation in verdict.citations:
        assert answer[citation.start : citation.end] == citation.text
    assert len(verdict.citations) == 2


def test_a_verdict_is_frozen_and_survives_json():
    verdict = pg.validate(transcript("Customers can return any item within 30 days of delivery [1]."))
    with pytest.raises(ValueError, match="frozen"):
        verdict.status = "reject"
    again = pg.Verdict.model_validate(json.loads(verdict.to_json()))
    assert again.to_json() == verdict.to_json()


@given(answer=st.text(max_size=80), question=st.text(min_size=1, max_size=30).filter(str.strip))
def test_any_text_gives_a_verdict(answer, question):
    verdict = pg.validate(transcript(answer, question=question))
    assert 0.0 <= verdict.confidence <= 1.0
    assert verdict.status in {"pass", "review", "reject"}


def test_gives_the_same_bytes_with_any_hash_seed():
    answers = [
        "Customers can return any item within 45 days [1]. Shipping costs 4 euros [2][9].",
        "Platinum members enjoy lounges; the warranty covers defects for two years.",
    ]
    program = (
        "import json,sys,pytest_grounding as pg\n"
        "for item in json.load(sys.stdin): print(pg.validate(item).to_json())"
    )
    given_text = json.dumps([transcript(answer) for answer in answers])
    outputs = set()
    for seed in ("0", "1", "2"):
        done = subprocess.run(
            [warm_starts.python(), "-c", program],
            input=given_text,
            capture_output=True,
            text=True,
            check=True,
            env={"PYTHONHASHSEED": seed, "PATH": "/usr/bin:/bin"},
        )
        outputs.add(done.stdout)
    assert len(outputs) == 1
    assert outputs.pop().count("\n") == 2


def test_support_of_a_single_claim():
    good = pg.support("Items can be returned within 30 days of delivery.", [REFUND, SHIPPING])
    assert good.probability >= 0.8
    assert good.evidence[0].chunk_id == "1"
    bad = pg.support("Platinum members enjoy complimentary airport lounges.", [REFUND, SHIPPING])
    assert bad.probability < 0.5


class Shouting:
    name = "shouting"

    def run(self, context):
        if context.transcript.answer.isupper():
            yield pg.model.verdict.Finding(rule="shouting", severity="warning", message="too loud")


class Crashing:
    name = "crashing"

    def run(self, context):
        raise RuntimeError("boom")


class Extension:
    @pg.hookimpl
    def pytest_grounding_checks(self, settings):
        return [Shouting(), Crashing()]


def test_runs_checks_of_extensions_and_reports_a_crash():
    extension = Extension()
    pg.register(extension)
    try:
        verdict = pg.validate(transcript("CUSTOMERS CAN RETURN ANY ITEM WITHIN 30 DAYS OF DELIVERY [1]."))
    finally:
        pg.unregister(extension)
    assert {"shouting", "check_crashed"} <= {cause.rule for cause in verdict.causes}
    assert "boom" in next(item for item in verdict.causes if item.rule == "check_crashed").message
    after = pg.validate(transcript("CUSTOMERS CAN RETURN ANY ITEM WITHIN 30 DAYS OF DELIVERY [1]."))
    assert "shouting" not in {cause.rule for cause in after.causes}


def test_formats_citations_for_readers():
    verdict = pg.validate(transcript("Customers can return any item within 30 days of delivery [1]."))
    shown = pg.format_citations(verdict)
    assert "chunk refunds, Refund policy, retrieved with 0.92" in shown
    assert REFUND in shown


def test_appends_a_note_only_when_uncertain():
    bad = transcript("Customers can return any item within 30 days of delivery [7].")
    verdict = pg.validate(bad)
    noted = pg.annotate_uncertain(bad, verdict)
    assert noted.startswith(bad["answer"])
    assert noted.endswith("backed by the sources it cites.")
    assert pg.annotate_uncertain({**bad, "answer": noted}, verdict) == noted
    good = transcript("Customers can return any item within 30 days of delivery [1].")
    assert pg.annotate_uncertain(good, pg.validate(good)) == good["answer"]


CHUNK = "The contract runs for 12 months. The fee is 12 euros a month."
TRUE, FALSE = "The fee is 12 euros a month.", "The contract runs for 36 months"


def validate(answer):
    chunks = [{"id": "c", "text": CHUNK, "score": 0.9}]
    question = "How long does the contract run, and what is the fee?"
    return pg.validate({"id": "t", "question": question, "chunks": chunks, "answer": answer})


@each(*table(__file__, "wrappings"))
def test_checks_statements_in_links_notes_and_images(wrapping):
    verdict = validate(wrapping.format(FALSE))
    assert verdict.status == "reject"
    wrong = [claim.text for claim in verdict.claims if claim.status in ("contradicted", "unsupported")]
    assert any("36 months" in text for text in wrong)
    for claim in verdict.claims:
        assert wrapping.format(FALSE)[claim.start : claim.end] == claim.text
    correct = validate(wrapping.format("The contract runs for 12 months"))
    assert {claim.status for claim in correct.claims} <= {"supported", "unchecked"}


TEXT = "Refunds are paid within 14 days of the return."
TRANSCRIPT = {
    "id": "t",
    "question": "How long do refunds take?",
    "chunks": [{"id": "c", "text": TEXT, "score": 0.9}],
    "answer": f"{TEXT[:-1]} [1].",
}
UNSCORED = {"scorer": "nobody"}


class Nobody:
    """A scorer that scores nothing."""

    name = "nobody"

    def relevance(self, question, chunks, *, language="en"):
        return [RelevanceScore(None, reason="asleep") for _ in chunks]

    def support(self, claims, chunks, *, question="", language="en"):
        return [SupportScore(None, reason="asleep") for _ in claims]


class ExtensionUnscored:
    @pg.hookimpl
    def pytest_grounding_scorers(self, settings):
        return [Nobody()]


@pytest.fixture
def nobody():
    extension = ExtensionUnscored()
    pg.register(extension)
    yield
    pg.unregister(extension)


@pytest.mark.usefixtures("nobody")
@pytest.mark.parametrize(("policy", "status"), [("fail", "reject"), ("warn", "review"), ("pass", "pass")])
def test_unscored_claims_give_no_confidence(policy, status):
    verdict = pg.validate(TRANSCRIPT, {**UNSCORED, "abstained": policy})
    assert not verdict.scored
    assert verdict.confidence is None
    assert verdict.status == status
    assert not verdict.skipped
    assert "no claim could be scored, of 1 checked" in verdict.confidence_breakdown.notes[0]
    # Retrieval scores and citations are there all the same, and the tiered model asks for no more.
    assert verdict.confidences == {"tiered": 1.0}


@pytest.mark.usefixtures("nobody")
def test_the_tiered_confidence_needs_no_scores():
    verdict = pg.validate(TRANSCRIPT, {**UNSCORED, "confidence_model": "tiered", "abstained": "pass"})
    assert verdict.confidence == 1.0


@pytest.mark.usefixtures("nobody")
def test_a_refusal_needs_no_scored_claim():
    asked = {**TRANSCRIPT, "chunks": [{"id": "c", "text": "The cafeteria opens at noon.", "score": 0.1}]}
    verdict = pg.validate({**asked, "answer": "I don't have that information."}, UNSCORED)
    assert verdict.confidence == 0.9


@pytest.mark.usefixtures("nobody")
def test_assertions_without_a_confidence():
    with pytest.raises(
        AssertionError, match=r"there is no confidence, and at least 0\.70 was asked for: no claim"
    ):
        pg.assert_confidence_at_least(pg.validate(TRANSCRIPT, UNSCORED))
    with pytest.raises(pytest.skip.Exception, match="switched off, so nothing was asserted"):
        pg.assert_confidence_at_least(pg.validate(TRANSCRIPT, {"hallucination_detection": False}))
    with pytest.raises(pytest.skip.Exception, match="switched off, so nothing was asserted"):
        pg.assert_grounded(pg.validate(TRANSCRIPT, {"enabled": False}))


@pytest.mark.usefixtures("nobody")
def test_self_correction_without_a_confidence():
    asked = []

    def generate(prompt):
        asked.append(prompt)
        return "Refunds take 14 days [1]."

    verdict = pg.self_correct(TRANSCRIPT, generate, UNSCORED)
    assert verdict.confidence_gain is None
    assert [attempt.confidence for attempt in verdict.attempts] == [None] * 3
    asked.clear()
    verdict = pg.self_correct(TRANSCRIPT, generate, {"hallucination_detection": False})
    assert verdict.skipped
    assert asked == []  # there is nothing to correct


def test_calibration_keeps_a_missing_confidence(tmp_path):
    file = tmp_path / "map.json"
    file.write_text('{"input": "self_rag", "x": [0, 1], "y": [0.1, 0.9]}')
    found = {"self_rag": confidence.none_of("self_rag", "nobody scored")}
    mapped = confidence.calibrated(found, confidence.load_calibration(str(file)))
    assert (mapped.value, mapped.notes) == (None, ("nobody scored",))


def test_reads_verdicts_of_older_releases():
    old = pg.validate(TRANSCRIPT).as_dict()
    old["switched_off"] = ["hallucination detection"]
    verdict = Verdict.model_validate(old)
    assert (verdict.confidence, verdict.skipped, verdict.shown_status) == (old["confidence"], False, "pass")


@pytest.mark.row(16)
def test_a_suggestion_comes_from_what_holds_the_answer_back():
    shop = {"id": "c1", "text": "The shop sells chairs.", "metadata": {"path": "src/shop.py"}}
    asked = {"id": "a", "question": "What is the delegation engine?", "chunks": [shop]}
    found = pg.validate({**asked, "answer": "It is in src/kitchen/chef.py:3."})
    notes = [item for item in found.causes if item.severity == "info" and item.suggestion]
    assert notes, "a note with a suggestion is what the example is about"
    assert found.rejection.suggestion not in {item.suggestion for item in notes}

"""Grounded and ungrounded answers in ten languages."""

import json
from pathlib import Path

import pytest
from every import each, table

import pytest_grounding as pg
from pytest_grounding.cli import main

LANGUAGES = json.loads(Path(__file__).with_name("languages.json").read_text(encoding="utf-8"))
HELD = {"supported", "borderline"}


def cases(key):
    for row in LANGUAGES:
        for answer in row[key]:
            for tag in ("", row["language"]):
                yield row, answer, tag


def verdict_on(row, answer, tag):
    chunks = [{"id": f"c{n}", "text": text, "score": 0.9} for n, text in enumerate(row["chunks"], start=1)]
    transcript = {"id": "t", "question": row["question"], "chunks": chunks, "answer": answer}
    return pg.validate({**transcript, "language": tag} if tag else transcript)


@each(*cases("grounded"))
def test_a_grounded_answer_passes(row, answer, tag):
    verdict = verdict_on(row, answer, tag)
    checked = [claim for claim in verdict.claims if claim.checked]
    assert checked
    assert {claim.status for claim in checked} <= HELD, [claim.reason for claim in checked]
    assert verdict.status == "pass"


@each(*cases("ungrounded"))
def test_an_ungrounded_answer_does_not_pass(row, answer, tag):
    verdict = verdict_on(row, answer, tag)
    assert any(claim.checked and claim.status not in HELD for claim in verdict.claims)
    assert verdict.status != "pass"


@each(*cases("refusals"))
def test_a_refusal_is_not_a_hallucination(row, answer, tag):
    verdict = verdict_on(row, answer, tag)
    assert verdict.declined
    assert verdict.hallucination_rate is None


@pytest.mark.parametrize("key", ["questions", "greetings"])
@pytest.mark.parametrize("row", LANGUAGES, ids=[row["language"] for row in LANGUAGES])
def test_questions_and_greetings_are_not_checked(row, key):
    assert row[key]
    for answer in row[key]:
        assert not any(claim.checked for claim in verdict_on(row, answer, row["language"]).claims), answer


@pytest.mark.parametrize("row", LANGUAGES, ids=[row["language"] for row in LANGUAGES])
def test_notes_that_the_engine_is_not_calibrated(row):
    for tag in ("", row["language"]):
        verdict = verdict_on(row, row["grounded"][0], tag)
        (note,) = [finding for finding in verdict.causes if finding.rule == "not_calibrated"]
        assert note.severity == "info"
        assert "the support of 1 claim in another language is an estimate" in note.message
        assert f"not calibrated for language {row['language']!r}" in verdict.claims[0].reason


def test_no_such_note_for_english():
    row = {"question": "When does it open?", "chunks": ["The shop opens at nine in the morning."]}
    verdict = verdict_on(row, "The shop opens at nine in the morning [1].", "en")
    assert "not_calibrated" not in {finding.rule for finding in verdict.causes}


@each("希望小学位于北京。", "เหตุไฟไหม้ไม่ทราบสาเหตุ", "Das Gesetz enthält keine Strafen.")
def test_statements_that_look_like_politeness_or_refusals_are_checked(answer):
    verdict = verdict_on({"question": "?", "chunks": ["x"]}, answer, "")
    assert [claim.checked for claim in verdict.claims] == [True]


def test_check_counts_answers_in_other_languages(tmp_path, capsys):
    row = next(row for row in LANGUAGES if row["language"] == "de")
    chunks = [{"id": f"c{n}", "text": text, "score": 0.9} for n, text in enumerate(row["chunks"], start=1)]
    transcript = {"id": "t", "question": row["question"], "chunks": chunks, "answer": row["grounded"][0]}
    file = tmp_path / "a.transcript.json"
    file.write_text(json.dumps(transcript), encoding="utf-8")
    assert main(["check", str(file)]) == 0
    assert "answers in a language that the engine is not calibrated for: 1\n" in capsys.readouterr().out


@each(*table(__file__, "test_without_known_negations_only_equal_words_pass"))
def test_without_known_negations_only_equal_words_pass(tag, text, answer, status):
    row = {"question": "?", "chunks": [text]}
    verdict = verdict_on(row, answer, tag)
    assert verdict.status == status, verdict.reason
    assert ("denial" in verdict.reason) == (status == "review")


@each(
    ("hi", "रिफंड 14 दिनों में नहीं मिलता है।", "रिफंड 14 दिनों में मिलता है।"),
    ("th", "ไม่สามารถคืนสินค้าที่ลดราคาได้", "สามารถคืนสินค้าที่ลดราคาได้"),
    ("", "ไม่สามารถคืนสินค้าที่ลดราคาได้", "สามารถคืนสินค้าที่ลดราคาได้"),
)
def test_a_denial_contradicts(tag, text, answer):
    claim = verdict_on({"question": "?", "chunks": [text]}, answer, tag).claims[0]
    assert (claim.status, claim.conflicts[0].kind) == ("contradicted", "negation")

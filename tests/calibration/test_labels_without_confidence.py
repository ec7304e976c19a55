"""Labels on answers that have no confidence: they fit no map, and nothing breaks by them."""

import json

import pytest
from every import each

from pytest_grounding import validate
from pytest_grounding.calibration.labels import read_labels
from pytest_grounding.cli import main
from pytest_grounding.errors import InputError
from pytest_grounding.settings import Settings

TRANSCRIPT = {
    "id": "t",
    "question": "How long do refunds take?",
    "chunks": [{"id": "c", "text": "Refunds are paid within 14 days of the return."}],
    "answer": "Refunds are paid within 14 days of the return.",
}


def written(folder, *rows):
    file = folder / "labels.jsonl"
    file.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return file


@each({"enabled": False}, {"hallucination_detection": False}, {"profile": "strict", "enabled": False})
def test_what_is_switched_off_cannot_be_calibrated(off, tmp_path):
    file = written(tmp_path, {"transcript": TRANSCRIPT, "correct": True})
    with pytest.raises(InputError, match=r"labels.jsonl:1: transcript: is not checked: .* is switched off"):
        list(read_labels(file, Settings.of(off)))


def test_a_decision_on_a_recording_without_a_confidence_is_left_out(tmp_path):
    decision = {"decision": "accept", "correct": True, "group": "g"}
    file = written(
        tmp_path,
        {**decision, "confidence": None, "confidences": {"tiered": 0.9}},
        {**decision, "confidence": 0.8, "confidences": {"learned": 0.8, "tiered": 0.9}},
        {**decision, "confidence": None, "confidences": {}},
    )
    assert [label.confidence for label in read_labels(file, Settings())] == [0.8]
    assert [label.confidence for label in read_labels(file, Settings(), model="tiered")] == [0.9, 0.9]


def test_an_answer_that_is_too_large_says_nothing_of_a_confidence(tmp_path):
    large = {**TRANSCRIPT, "answer": "x " * 600_000}
    rows = ({"transcript": large, "correct": False}, {"transcript": TRANSCRIPT, "correct": True})
    labels = list(read_labels(written(tmp_path, *rows), Settings()))
    assert [label.scored for label in labels] == [False, True]


def test_the_answer_model_is_calibrated_and_its_map_is_used(tmp_path):
    shares = [place % 10 / 10 for place in range(100)]
    rows = [
        {"confidence": share, "correct": share > 0.5, "group": f"g{number}"}
        for number, share in enumerate(shares)
    ]
    labels = written(tmp_path, *rows)
    target = tmp_path / "map.json"
    assert main(["calibrate", str(labels), "-o", str(target)]) == 0
    assert json.loads(target.read_text(encoding="utf-8"))["input"] == "learned"
    settings = {"calibration": str(target), "confidence_model": "calibrated"}
    verdict = validate(TRANSCRIPT, settings)
    assert verdict.confidence == verdict.confidences["calibrated"] != verdict.confidences["learned"]

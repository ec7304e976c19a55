"""Calibration: the maps against scikit-free references, refusals, thresholds, the command."""

import itertools
import json
import math
import random
import subprocess
from pathlib import Path

import pytest
import warm_starts
from every import each
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import isotonic_regression

from pytest_grounding.calibration.fit import expected_calibration_error, fit, isotonic
from pytest_grounding.calibration.labels import Label, read_labels
from pytest_grounding.cli import main
from pytest_grounding.errors import InputError
from pytest_grounding.gate.confidence import interpolate, load_calibration
from pytest_grounding.settings import Settings


def feedback(count, truth, seed=1):
    """Answers with a confidence, right with the probability that ``truth`` gives for it."""
    rng = random.Random(seed)
    rows = []
    for index in range(count):
        confidence = round(rng.random(), 3)
        rows.append(Label(confidence, rng.random() < truth(confidence), f"q{index}"))
    return rows


@pytest.mark.row(6)
def test_an_overconfident_engine_is_corrected():
    found = fit(feedback(1500, lambda c: c * c))
    assert found.ece_before > 0.1
    assert found.ece_after < 0.05
    for x in (0.2, 0.5, 0.9):
        assert interpolate(found.x, found.y, x) == pytest.approx(x * x, abs=0.12)


@given(
    st.lists(
        st.tuples(st.sampled_from([0.1, 0.2, 0.35, 0.5, 0.8, 0.9]), st.booleans()), min_size=2, max_size=60
    )
)
def test_isotonic_agrees_with_scipy(rows):
    labels = [Label(x, right, "g") for x, right in rows]
    xs = sorted({x for x, _ in rows})
    shares = [sum(r for x, r in rows if x == value) / sum(x == value for x, _ in rows) for value in xs]
    weights = [sum(x == value for x, _ in rows) for value in xs]
    reference = isotonic_regression(shares, weights=weights).x
    points = isotonic(labels)
    mine = [interpolate(*points, value) for value in xs]
    # Ours is smoothed within its blocks, so the values differ; the blocks must not.
    for (a, b), (m, n) in zip(itertools.pairwise(reference), itertools.pairwise(mine), strict=True):
        assert n >= m
        if math.isclose(a, b):
            assert math.isclose(m, n)


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=40))
def test_maps_are_monotone_and_in_range(rows):
    labels = [Label(x, right, "g") for x, right in rows]
    x, y = isotonic(labels)
    assert list(x) == sorted(set(x))
    assert list(y) == sorted(y)
    assert all(0.0 < value < 1.0 for value in y)


@each(
    (feedback(49, lambda c: 0.5), "49 labels are too few.*at least 1 more"),
    ([Label(0.5, True, str(i)) for i in range(100)], "only 0 of 100.*wrong.*10 more wrong"),
    ([Label(0.5, i < 4, str(i)) for i in range(100)], "only 4 of 100.*right.*6 more right"),
)
def test_too_few_or_one_sided_labels_are_refused_with_the_reason(labels, words):
    with pytest.raises(InputError, match=words):
        fit(labels)


def test_expected_calibration_error_by_hand():
    assert expected_calibration_error([0.95] * 10, [True] * 10) == pytest.approx(0.05)
    assert expected_calibration_error([0.95] * 10, [True] * 5 + [False] * 5) == pytest.approx(0.45)
    assert expected_calibration_error([0.25, 0.95], [False, True]) == pytest.approx((0.25 + 0.05) / 2)
    assert expected_calibration_error([], []) == 0.0


def run(*arguments, cwd):
    command = [warm_starts.python(), "-m", "pytest_grounding", "calibrate", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd, check=False)


def write_labels(path, rows):
    lines = [{"confidence": r.confidence, "correct": r.correct, "group": r.group} for r in rows]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def test_the_command_writes_a_map_that_the_settings_can_name(tmp_path):
    labels = write_labels(tmp_path / "labels.jsonl", feedback(400, lambda c: c * c))
    done = run(labels, "-o", "map.json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "expected calibration error" in done.stdout
    first = (tmp_path / "map.json").read_bytes()
    assert load_calibration(str(tmp_path / "map.json"))["labels"] == 400
    run(labels, "-o", "map.json", cwd=tmp_path)
    assert (tmp_path / "map.json").read_bytes() == first


def test_the_command_refuses_and_writes_nothing(tmp_path):
    labels = write_labels(tmp_path / "labels.jsonl", feedback(20, lambda c: c))
    done = run(labels, "-o", "map.json", cwd=tmp_path)
    assert done.returncode == 2
    assert "too few" in done.stderr
    assert not (tmp_path / "map.json").exists()


@each(
    ("[]", "a label is an object"),
    ('{"confidence": 0.5}', "correct: is missing"),
    ('{"confidence": 1.5, "correct": true}', "confidence: is missing or no number"),
    ('{"transcript": {"id": "a"}, "correct": true}', "transcript.question: is missing"),
)
def test_a_bad_label_names_its_line_and_field(line, words, tmp_path):
    file = tmp_path / "labels.jsonl"
    file.write_text('{"confidence": 0.5, "correct": true}\n' + line + "\n")
    with pytest.raises(InputError) as caught:
        list(read_labels(file, Settings()))
    assert "labels.jsonl:2" in str(caught.value)
    assert words in str(caught.value)


def test_a_transcript_is_validated_for_its_confidence(tmp_path):
    chunk = {"id": "c", "text": "Refunds take 30 days.", "score": 0.9}
    transcript = {"id": "a", "question": "How long do refunds take?", "chunks": [chunk], "answer": ""}
    file = tmp_path / "labels.jsonl"
    file.write_text(json.dumps({"transcript": transcript, "correct": False}))
    assert list(read_labels(file, Settings())) == [Label(0.0, False, "How long do refunds take?")]


def test_labels_of_one_question_cannot_be_cross_validated():
    labels = [Label(number / 100, number % 2 == 0, "one question") for number in range(100)]
    with pytest.raises(InputError, match=r"too few questions to hold some back.*groups of their own"):
        fit(labels)


@each((lambda c: c, True), (lambda c: 1 - c, False))
def test_a_constant_map_is_reported(truth, tells, tmp_path):
    write_labels(tmp_path / "labels.jsonl", feedback(400, truth))
    done = run("labels.jsonl", "-o", "map.json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert ("does not tell right answers from wrong ones" in done.stdout) is not tells


@each(
    (("--judge", "--write"), "--judge does not go together with --write"),
    (("--judge", "--catch", "0.9"), "--judge does not go together with --catch"),
)
def test_an_unused_option_is_refused(options, named, tmp_path, capsys):
    assert main(["calibrate", str(tmp_path / "labels.jsonl"), *options]) == 2
    assert named in capsys.readouterr().err


def test_settings_cannot_be_written_from_labels_without_transcripts(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_labels(tmp_path / "labels.jsonl", feedback(100, lambda c: c))
    for option in (["--write"], ["--catch", "0.9"], ["--false-rejection", "0.05"]):
        assert main(["calibrate", "labels.jsonl", *option]) == 2
        assert "no label contains a transcript, so there are no settings" in capsys.readouterr().err
    assert not Path("pytest.ini").exists()

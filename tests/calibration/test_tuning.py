"""Settings chosen together: what is promised is what `check` gives, and nothing is promised besides."""

import json
import os
import re
import subprocess

import made_labels as made
import pytest
import warm_starts
from every import each

from pytest_grounding import validate
from pytest_grounding.calibration.labels import read_labels
from pytest_grounding.calibration.tuning import Goal, Replay, tune
from pytest_grounding.cli.calibrate import planted
from pytest_grounding.errors import InputError
from pytest_grounding.settings import Settings

#: The confidence by shares of support, which thresholds of support can move as far as these tests need.
SELF_RAG = Settings(confidence_model="self_rag")
INI = "[pytest]\ngrounding_confidence_model = self_rag\n"


def suite():
    """36 right answers, 16 of them in words of the house's own; 14 wrong ones, all of them stopped."""
    return [
        *(made.row(n, made.PLAIN, correct=True) for n in range(20)),
        *(made.row(n, made.JARGON, correct=True, name="jargon") for n in range(10)),
        *(made.row(n, made.THICK_JARGON, correct=True, name="thick") for n in range(6)),
        *(made.row(n, made.WRONG, correct=False, name="wrong") for n in range(8)),
        *(made.row(n, made.MADE_UP, correct=False, name="made-up") for n in range(6)),
    ]


def missed():
    """Wrong answers that no threshold tells from right ones."""
    return [made.row(n, made.MISSED, correct=False, name="missed") for n in range(10)]


def labels_of(rows, folder):
    return list(read_labels(made.write(folder / "labels.jsonl", rows), Settings()))


def run(*arguments, cwd, seed=""):
    command = [warm_starts.python(), "-m", "pytest_grounding", *map(str, arguments)]
    # A process with a seed of its own starts cold.
    environment = {**os.environ, **({"PYTHONHASHSEED": seed} if seed else {})}
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd, check=False, env=environment)


@pytest.mark.row(35)
def test_the_written_settings_give_the_reported_figures(tmp_path):
    rows = suite()
    made.write(tmp_path / "labels.jsonl", rows)
    (tmp_path / "pytest.ini").write_text(f"{INI}addopts = -q\n")
    done = run("calibrate", "labels.jsonl", "--write", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    promised = {line.strip().partition(":")[0]: line for line in done.stdout.splitlines()}
    transcripts = "".join(json.dumps(item["transcript"]) + "\n" for item in rows)
    (tmp_path / "all.transcripts.jsonl").write_text(transcripts)
    report = json.loads(run("check", "all.transcripts.jsonl", "--json", cwd=tmp_path).stdout)
    passed = {item["id"] for item in report["transcripts"] if item["status"] == "pass"}
    right = {item["transcript"]["id"] for item in rows if item["correct"]}
    kept, stopped = len(right & passed), 14 - len(passed - right)
    assert kept > 20, "something was gained"
    assert f"20 of 36, 56 % (40-70 %) -> {kept} of 36" in promised["right answers that pass"]
    assert f"-> {stopped} of 14" in promised["wrong answers stopped"]
    assert (tmp_path / "pytest.ini").read_text().startswith("[pytest]\n")
    assert "addopts = -q" in (tmp_path / "pytest.ini").read_text()


@pytest.mark.slow
def test_the_same_labels_give_the_same_words_and_settings(tmp_path):
    made.write(tmp_path / "labels.jsonl", suite())
    (tmp_path / "pytest.ini").write_text(INI)
    first, second = (run("calibrate", "labels.jsonl", cwd=tmp_path, seed=seed) for seed in "12")
    assert first.stdout == second.stdout
    assert "grounding_borderline_threshold" in first.stdout
    assert sorted(path.name for path in tmp_path.iterdir()) == ["labels.jsonl", "pytest.ini"]


def test_an_unreachable_goal_is_reported_and_not_written(tmp_path):
    made.write(tmp_path / "labels.jsonl", [*suite(), *missed()])
    (tmp_path / "pytest.ini").write_text(INI)
    done = run("calibrate", "labels.jsonl", "--catch", "0.9", "--write", cwd=tmp_path)
    assert done.returncode == 1
    assert "not reachable: to stop 90% of the wrong answers" in done.stdout
    assert re.search(
        r"; the nearest on answers that did not choose: .*[1-8]?\d% of the wrong ones stopped", done.stdout
    )
    assert (tmp_path / "pytest.ini").read_text() == INI


def test_planted_faults_supplement_few_wrong_answers(tmp_path):
    labels = labels_of(suite(), tmp_path)
    faults = planted(labels, SELF_RAG)
    free = tune(labels, SELF_RAG)
    held = tune(labels, SELF_RAG, None, faults)
    assert free.after.passed >= held.after.passed
    assert held.before.named - held.after.named <= 0.05 * len(faults)


@pytest.mark.row(56)
def test_a_share_of_right_answers_that_may_fail_is_kept_out_of_fold_too(tmp_path):
    found = tune(labels_of(suite(), tmp_path), SELF_RAG, Goal(reject=0.2))
    assert found.reached
    assert found.cross_validated.passed >= 0.8 * 36
    assert found.cross_validated.stopped == 14


def test_where_wrong_answers_look_like_right_ones_nothing_is_changed(tmp_path):
    rows = [made.row(n, made.PLAIN, correct=True) for n in range(20)]
    rows += [made.row(n, made.JARGON, correct=n % 2 == 0, name="jargon") for n in range(20)]
    found = tune(labels_of(rows, tmp_path), Settings())
    assert found.changes == {}
    assert found.after == found.before


CHOICES = [
    {},
    {"borderline_threshold": 0.5, "alignment_threshold": 0.5},
    {"borderline_threshold": 0.65},
    {"alignment_threshold": 0.4},
    {"supported_threshold": 0.95, "borderline_threshold": 0.95},
    {"possible_conflicts": "error"},
    {"accept_confidence": 1.0},
    {"reject_confidence": 0.0, "max_hallucination_rate": 1.0},
]


@each(made.PLAIN, made.JARGON, made.WRONG, made.MADE_UP, f"{made.PLAIN} {made.WRONG}", "")
def test_cached_scores_give_the_verdicts_of_validate(answer):
    transcript = made.row(3, answer, correct=True)["transcript"]
    label = validate(transcript)
    road = Replay(_transcript(transcript), Settings())
    # Twice, and back: what is remembered must not leak from one choice into another.
    for values in [*CHOICES, *reversed(CHOICES)]:
        settings = Settings(**values)
        there, here = road.verdict(settings), validate(transcript, settings)
        assert (there.status, there.confidence) == (here.status, here.confidence), values
        assert [(item.rule, item.severity) for item in there.findings] == [
            (item.rule, item.severity) for item in here.findings
        ], values
    assert road.verdict(Settings()).status == label.status


def _transcript(value):
    from pytest_grounding import Transcript

    return Transcript.model_validate(value)


@each(
    (19, 9, "19 labels with a transcript are too few.*1 more"), (20, 4, "only 4 of 20.*wrong.*1 more wrong")
)
def test_labels_without_information_are_refused(count, wrong, words, tmp_path):
    rows = [made.row(n, made.PLAIN, correct=n >= wrong) for n in range(count)]
    with pytest.raises(InputError, match=words):
        tune(labels_of(rows, tmp_path), Settings())


def claim(**values):
    row = made.row(1, made.PLAIN, correct=True)
    del row["correct"]
    return {**row, "claims": [values]}


def test_claims_say_whether_the_answer_is_right(tmp_path):
    text = made.row(1, made.PLAIN, correct=True)["transcript"]["answer"]
    good, bad = (claim(text=text, supported=value) for value in (True, False))
    found = labels_of([good, bad], tmp_path)
    assert [label.correct for label in found] == [True, False]
    assert [label.claims[0].status for label in found] == ["supported", "unsupported"]


@each(
    (claim(text="no such words", supported=True), "claims[0].text: does not stand in the answer"),
    (claim(supported=True), "claims[0].text: is missing"),
    (claim(text="is inspected"), "claims[0].supported: is missing"),
    (claim(text="is inspected", status="fine"), "one of supported, unsupported, contradicted"),
    (claim(start=5, end=2, supported=True), "claims[0].start: 5 to 2 is not a stretch of the answer"),
    ({**claim(), "claims": "x"}, "claims: is not a list"),
    ({**claim(), "claims": []}, "correct: is missing, and a claim has no label"),
)
def test_a_wrong_label_of_a_claim_names_its_line_and_field(row, words, tmp_path):
    file = made.write(tmp_path / "labels.jsonl", [made.row(1, made.PLAIN, correct=True), row])
    with pytest.raises(InputError) as caught:
        list(read_labels(file, Settings()))
    assert f"{file}:2" in str(caught.value)
    assert words in str(caught.value)

"""Weights fitted on labels: kept where they gain, named wherever they judge, refused where foreign."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import made_labels as made
import pytest
import warm_starts

from pytest_grounding import validate
from pytest_grounding.calibration import Planted, read_labels
from pytest_grounding.calibration.refit import refit
from pytest_grounding.engine.readiness import refuse_unusable
from pytest_grounding.errors import InputError, SettingsError
from pytest_grounding.model.run import RunFacts, RunReport
from pytest_grounding.model.transcript import Transcript
from pytest_grounding.settings import Settings


def claimed(row: dict[str, Any], status: str) -> dict[str, Any]:
    return {**row, "claims": [{"text": row["transcript"]["answer"], "status": status}]}


def wrong_ones() -> list[dict[str, Any]]:
    rows = [(made.row(n, made.WRONG, correct=False, name="wrong"), "contradicted") for n in range(25)]
    rows += [(made.row(n, made.MADE_UP, correct=False, name="made-up"), "unsupported") for n in range(25)]
    return [claimed(row, status) for row, status in rows]


def house_words() -> list[dict[str, Any]]:
    """A team whose right answers are written in words that no source has."""
    return [
        *(made.row(n, made.PLAIN, correct=True) for n in range(60)),
        *(made.row(n, made.JARGON, correct=True, name="jargon") for n in range(60)),
        *(made.row(n, made.THICK_JARGON, correct=True, name="thick") for n in range(40)),
        *wrong_ones(),
    ]


def plain_words() -> list[dict[str, Any]]:
    """A team that the engine as it ships serves well."""
    return [*(made.row(n, made.PLAIN, correct=True) for n in range(160)), *wrong_ones()]


def run(*arguments: object, cwd: Path, seed: str = "") -> subprocess.CompletedProcess[str]:
    command = [warm_starts.python(), "-m", "pytest_grounding", *map(str, arguments)]
    # A process with a seed of its own starts cold.
    environment = {**os.environ, **({"PYTHONHASHSEED": seed} if seed else {})}
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd, check=False, env=environment)


@pytest.fixture(scope="module")
def fitted(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A folder with weights fitted on the house's words, and what was said."""
    folder = tmp_path_factory.mktemp("fitted")
    made.write(folder / "labels.jsonl", house_words())
    done = run("calibrate", "labels.jsonl", "--weights", "w.json", cwd=folder)
    assert done.returncode == 0, done.stderr
    return folder, done.stdout


def test_weights_gain_on_answers_that_they_were_not_fitted_on(fitted: tuple[Path, str]) -> None:
    folder, said = fitted
    assert "answers decided as you decided: 110 of 210" in said
    assert "-> 210 of 210" in said
    document = json.loads((folder / "w.json").read_text())
    assert document["labels"] == {"answers": 210, "claims": 210, "supported": 160}
    assert document["gains"]["support"]["low"] > 0
    # Rows that nobody labelled: other numbers of the same house.
    settings = Settings(weights=str(folder / "w.json"))
    for text, status in ((made.JARGON, "pass"), (made.WRONG, "reject"), (made.MADE_UP, "reject")):
        for number in range(300, 310):
            transcript = made.row(number, text, correct=True)["transcript"]
            assert validate(transcript, settings).status == status
    assert validate(made.row(300, made.JARGON, correct=True)["transcript"]).status == "reject"


def test_the_same_labels_give_the_same_bytes(fitted: tuple[Path, str]) -> None:
    folder, said = fitted
    again = run("calibrate", "labels.jsonl", "--weights", "again.json", cwd=folder, seed="2")
    assert (folder / "again.json").read_bytes() == (folder / "w.json").read_bytes()
    assert again.stdout.replace("again.json", "w.json") == said


def test_no_weight_turns_its_meaning_round(fitted: tuple[Path, str]) -> None:
    shipped = json.loads((Path(validate.__code__.co_filename).parents[1] / MODEL).read_text())["weights"]
    own = json.loads((fitted[0] / "w.json").read_text())["support"]["weights"]
    assert all(own[name] * value >= 0 for name, value in shipped.items())
    assert own != shipped


MODEL = "scorers/lexical/model.json"


def test_weights_that_gain_no_decision_are_not_written(tmp_path: Path) -> None:
    made.write(tmp_path / "labels.jsonl", plain_words())
    done = run("calibrate", "labels.jsonl", "--weights", "w.json", cwd=tmp_path)
    assert done.returncode == 1
    assert "the weights stay as they ship: out of fold no more answers are decided" in done.stdout
    assert [path.name for path in tmp_path.iterdir()] == ["labels.jsonl"]


def test_weights_that_go_blind_to_planted_faults_are_not_kept(tmp_path: Path) -> None:
    labels = list(read_labels(made.write(tmp_path / "labels.jsonl", house_words()), Settings()))
    # Faults that read like the house's words: whoever learns to pass these misses them.
    faults = [
        Planted(
            Transcript.model_validate(made.row(n, made.THICK_JARGON, correct=True)["transcript"]),
            n,
            lambda _, after: after.status != "pass",
        )
        for n in range(20)
    ]
    found = refit(labels, Settings(), faults)
    assert (found.named_before, found.named_after) == (20, 0)
    assert found.document is None
    assert found.reason == "out of fold fewer planted faults are named"


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        (house_words()[:199], "199 labelled claims are too few.*1 more"),
        (
            [made.row(n, made.PLAIN, correct=True) for n in range(200)],
            "only 0 of 200.*not supported.*20 more",
        ),
    ],
)
def test_too_few_or_one_sided_claims_are_refused(tmp_path: Path, rows: Any, words: str) -> None:
    labels = list(read_labels(made.write(tmp_path / "labels.jsonl", rows), Settings()))
    with pytest.raises(InputError, match=words):
        refit(labels, Settings())


def test_reports_name_the_file_and_its_content(fitted: tuple[Path, str], tmp_path: Path) -> None:
    folder, _ = fitted
    (tmp_path / "sub").mkdir()
    (tmp_path / "w.json").write_bytes((folder / "w.json").read_bytes())
    (tmp_path / "pytest.ini").write_text("[pytest]\ngrounding_weights = w.json\n")
    row = made.row(1, made.JARGON, correct=True)["transcript"]
    (tmp_path / "sub" / "a.transcript.json").write_text(json.dumps(row))
    here = run("check", ".", "--report", "html:r.html", cwd=tmp_path)
    note = Settings(weights=str(tmp_path / "w.json")).weights_note.rpartition(" ")[2]
    assert f"settings: weights=w.json {note}" in here.stdout
    assert f"judged by weights of your own: w.json {note}" in here.stdout
    assert f"judged by weights of your own: w.json {note}" in (tmp_path / "r.html").read_text()
    # A relative path in the file is meant from where the file stands.
    below = json.loads(run("check", ".", "--json", cwd=tmp_path / "sub").stdout)
    assert below["run"]["weights"] == [f"../w.json {note}"]
    assert below["transcripts"][0]["status"] == "pass"
    plugin = subprocess.run(
        [warm_starts.python(), "-m", "pytest", "-q", "-p", "no:cacheprovider"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert f"judged by weights of your own: w.json {note}" in plugin.stdout
    assert "1 passed" in plugin.stdout


def test_reports_of_shards_name_all_weights() -> None:
    one, two = (RunReport.of([], RunFacts(weights=(name,))) for name in ("b.json (2)", "a.json (1)"))
    assert one.merge(two, one).run.weights == ("a.json (1)", "b.json (2)")


def test_the_fingerprint_is_that_of_the_content(fitted: tuple[Path, str], tmp_path: Path) -> None:
    text = (fitted[0] / "w.json").read_text()
    (tmp_path / "moved.json").write_text(json.dumps(json.loads(text)) + "\r\n")
    (tmp_path / "other.json").write_text(text.replace('"ridge": 0.1', '"ridge": 0.3'))
    marks = [
        Settings(weights=str(path)).fingerprint
        for path in (fitted[0] / "w.json", tmp_path / "moved.json", tmp_path / "other.json")
    ]
    assert marks[0] == marks[1] != marks[2]
    assert Settings().fingerprint not in marks


def broken(path: list[str], value: Any) -> Any:
    def change(document: dict[str, Any]) -> str:
        holder = document
        for step in path[:-1]:
            holder = holder[step]
        if value is None:
            del holder[path[-1]]
        else:
            holder[path[-1]] = value
        return json.dumps(document)

    return change


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda _: "{", "is not JSON"),
        (lambda _: "[]", "is not one JSON object"),
        (broken(["kind"], "model"), "kind is not 'pytest-grounding weights'"),
        (broken(["schema_version"], 2), "schema_version is not 1"),
        (broken(["support"], None), "support is missing"),
        (broken(["support", "weights"], []), "support.weights is missing or no object"),
        (broken(["support", "weights", "window"], None), "support.weights.window is missing or no number"),
        (broken(["support", "weights", "nose"], 1.0), "support.weights.nose is no feature of this version"),
        (broken(["support", "calibration", "slope"], "1"), "support.calibration.slope is missing or no"),
        (broken(["support", "rules", "part_ceiling"], 1.5), "support.rules.part_ceiling is missing or no"),
        (broken(["support", "intercept"], True), "support.intercept is missing or no number"),
        (broken(["conflicts"], {"lines": {}}), "conflicts.lines.classes is missing or no object"),
    ],
)
def test_a_file_that_holds_no_such_weights_is_one_sentence(
    fitted: tuple[Path, str], tmp_path: Path, change: Any, words: str
) -> None:
    file = tmp_path / "w.json"
    file.write_text(change(json.loads((fitted[0] / "w.json").read_text())))
    with pytest.raises(SettingsError) as caught:
        refuse_unusable(Settings(weights=str(file)))
    said = str(caught.value)
    assert words in said
    assert f"weights = '{file}'" in said
    assert "calibrate --weights" in said
    assert "\n" not in said


def test_a_file_that_is_not_there_ends_check_and_pytest(tmp_path: Path) -> None:
    (tmp_path / "pytest.ini").write_text("[pytest]\ngrounding_weights = no.json\n")
    row = made.row(1, made.PLAIN, correct=True)["transcript"]
    (tmp_path / "a.transcript.json").write_text(json.dumps(row))
    done = run("check", ".", cwd=tmp_path)
    assert done.returncode == 2
    assert "weights = 'no.json' cannot be read" in done.stderr
    command = [warm_starts.python(), "-m", "pytest", "-p", "no:cacheprovider"]
    plugin = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert plugin.returncode == 4
    assert "weights = 'no.json' cannot be read" in plugin.stderr + plugin.stdout


def test_who_has_no_weights_loads_nothing_for_them() -> None:
    text = json.dumps(made.row(1, made.PLAIN, correct=True)["transcript"])
    code = (
        "import sys, json; from pytest_grounding import validate; "
        f"validate(json.loads({text!r})); "
        "print([name for name in sys.modules if name.endswith(('lexical.weights', 'tuned', 'calibration'))])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_conflicts_by_kind() -> None:
    transcript = made.row(1, made.WRONG, correct=False)["transcript"]
    kinds = {
        text: [
            (item.kind, item.severity)
            for item in validate(transcript, {"conflict_thresholds": text}).claims[0].conflicts
        ]
        for text in ("", "number=off", "number=6", "number=0.5", "date=off")
    }
    assert kinds[""] == kinds["number=0.5"] == kinds["date=off"] == [("number", "error")]
    assert kinds["number=6"] == [("number", "warning")]
    assert kinds["number=off"] == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("number", "'number': write KIND=off, or KIND=NUMBER"),
        ("number=-1", "log odds from 0 to 20"),
        ("number=1, number=2", "'number' stands twice"),
    ],
)
def test_a_wrong_threshold_of_a_kind_is_one_sentence(text: str, words: str) -> None:
    with pytest.raises(SettingsError, match="conflict_thresholds: ") as caught:
        Settings(conflict_thresholds=text)
    assert words in str(caught.value)


def test_a_threshold_of_no_kind_is_refused_before_anything_is_judged() -> None:
    with pytest.raises(SettingsError, match="conflict_thresholds: ") as caught:
        refuse_unusable(Settings(conflict_thresholds="digits=off"))
    assert "'digits' is no kind of conflict; write one of: number, unit, date, negation" in str(caught.value)


def test_thresholds_of_kinds_are_the_same_in_any_order() -> None:
    one, two = (
        Settings(conflict_thresholds=text) for text in ("number=2, date=off", "date = off,number=2.0")
    )
    assert one.fingerprint == two.fingerprint != Settings().fingerprint

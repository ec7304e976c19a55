"""``check``: verdicts, figures, exit status, and what is said of rows that cannot be read."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
import warm_starts

from pytest_grounding.cli import main
from pytest_grounding.testing import Example

FACT = "Refunds are paid within 14 days of the return."


def transcript(name: str, answer: str = f"{FACT[:-1]} [1].", **more: Any) -> dict[str, Any]:
    return Example("How long do refunds take?", [FACT], id=name, score=0.9).answered(answer, **more)


def bad(name: str = "bad") -> dict[str, Any]:
    return transcript(name, "Refunds are paid within 45 days of the return [1].")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    # An ini file of its own, so that no file above the temporary folder counts.
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    return tmp_path


def write(path: Path, *values: Any) -> str:
    path.write_text("".join(json.dumps(value) + "\n" for value in values), encoding="utf-8")
    return path.name


def test_a_grounded_transcript_passes(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = write(folder / "a.transcript.json", transcript("good"))
    assert main(["check", name]) == 0
    assert "pass: good" not in capsys.readouterr().out
    assert main(["check", "-v", name]) == 0
    out = capsys.readouterr().out
    assert "pass: good (confidence" in out
    assert "gate: PASS" in out
    assert "(1 passed, 0 to review, 0 rejected)" in out


def test_a_contradicted_claim_fails_and_is_shown_with_its_evidence(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = write(folder / "a.transcripts.jsonl", transcript("good"), bad())
    assert main(["check", name]) == 1
    out = capsys.readouterr().out
    assert "REJECT" in out
    assert f"{name}:2" in out
    assert '"Refunds are paid within 45 days of the return [1]."' in out
    assert FACT in out
    assert "45 days ≠ 14 days, c1" in out
    assert "gate: FAIL" in out


def test_quiet_prints_the_figures_alone(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = write(folder / "a.transcripts.jsonl", transcript("good"), bad())
    assert main(["check", "--quiet", name]) == 1
    out = capsys.readouterr().out
    assert "gate: FAIL" in out
    assert "pass: good" not in out
    assert "diagnosis" not in out


def test_json_is_one_report(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = write(folder / "a.transcripts.jsonl", transcript("good"), bad())
    assert main(["check", "--json", name]) == 1
    report = json.loads(capsys.readouterr().out)
    assert {"transcripts", "summary", "gate"} <= set(report)
    assert [verdict["id"] for verdict in report["transcripts"]] == ["bad", "good"]
    assert report["transcripts"][0]["source"] == name
    assert report["transcripts"][0]["line"] == 2
    assert report["gate"]["status"] == "fail"
    assert report["gate"]["failed"] == ["bad"]
    assert report["summary"]["passed"] == 1


def test_bad_rows_are_told_in_one_sentence_and_the_others_are_validated(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "a.transcripts.jsonl").write_text(
        json.dumps(transcript("good"))
        + "\n{not json\n"
        + json.dumps({"id": "x", "prompt": "?", "chunks": [], "answer": ""})
        + "\n"
    )
    other = write(folder / "b.transcripts.jsonl", transcript("other"))
    assert main(["check", "--json", "a.transcripts.jsonl", other]) == 2
    captured = capsys.readouterr()
    first, second = captured.err.splitlines()
    assert first.startswith("a.transcripts.jsonl:2: ")
    assert second.startswith("a.transcripts.jsonl:3: ")
    assert "question" in second
    report = json.loads(captured.out)
    assert [verdict["id"] for verdict in report["transcripts"]] == ["good", "other"]
    assert len(report["run"]["problems"]) == 2
    assert report["gate"]["status"] == "fail"


def test_the_same_id_twice_names_both_places(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one = write(folder / "a.transcript.json", transcript("same"))
    two = write(folder / "b.transcript.json", transcript("same", "It takes 14 days [1]."))
    assert main(["check", one, two]) == 2
    err = capsys.readouterr().err
    assert "b.transcript.json:1" in err
    assert "a.transcript.json:1" in err


def test_a_path_given_twice_counts_once(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = write(folder / "a.transcript.json", transcript("good"))
    assert main(["check", "--json", name, name]) == 0
    assert json.loads(capsys.readouterr().out)["summary"]["transcripts"] == 1


@pytest.mark.parametrize("path", ["missing.json", "empty", "*.nothing", "blank.jsonl", "blank.json"])
def test_no_transcript_at_all_is_an_error_that_says_so(
    path: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "empty").mkdir()
    (folder / "blank.jsonl").write_text("\n\n")
    (folder / "blank.json").write_text("")
    assert main(["check", path]) == 2
    captured = capsys.readouterr()
    assert path in captured.err
    assert len(captured.err.splitlines()) == 1
    assert "PASS" not in captured.out


def test_a_missing_path_beside_a_good_one_does_not_lose_the_good_one(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = write(folder / "a.transcript.json", transcript("good"))
    assert main(["check", "missing.json", name]) == 2
    captured = capsys.readouterr()
    assert "missing.json" in captured.err
    assert "1 passed" in captured.out


@pytest.mark.parametrize(
    "given",
    [
        ("--set", "judge=gpt"),
        ("--set", "scorer=magic"),
        ("--set", "calibration=no.json"),
        ("--set", "confidence_model=calibrated"),
        ("--set", "source_root=nowhere"),
    ],
)
def test_a_setting_that_leads_nowhere_is_one_sentence(
    given: tuple[str, str], folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = write(folder / "a.transcript.json", transcript("good"))
    assert main(["check", name, *given]) == 2
    captured = capsys.readouterr()
    assert len(captured.err.splitlines()) == 1
    assert captured.err.startswith("pytest-grounding: error: ")
    assert "PASS" not in captured.out


def test_settings_reach_the_verdict(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = write(folder / "a.transcript.json", transcript("uncited", FACT))
    assert main(["check", name]) == 0
    assert "settings:" not in capsys.readouterr().out
    assert main(["check", name, "--set", "require_citations=error"]) == 1
    assert "settings: require_citations=error" in capsys.readouterr().out
    (folder / "pytest.ini").write_text("[pytest]\ngrounding_require_citations = error\n")
    assert main(["check", name]) == 1


def test_a_source_root_is_looked_in(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "src").mkdir()
    (folder / "src" / "a.py").write_text("LIMIT = 200\nOTHER = 1\n")
    answer = "Refunds are paid within 14 days of the return (a.py:1-2)."
    name = write(folder / "a.transcript.json", transcript("code", answer))
    main(["check", "--json", name])
    without = json.loads(capsys.readouterr().out)["transcripts"][0]["citations"]
    assert [citation["valid"] for citation in without] == [False]
    main(["check", "--json", "--set", "source_root=src", name])
    within = json.loads(capsys.readouterr().out)["transcripts"][0]["citations"]
    assert [citation["valid"] for citation in within] == [True]


def test_an_expected_failure_is_no_failure_and_counts_for_no_figure(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wanted = {"metadata": {"expected_status": "reject"}}
    name = write(folder / "a.transcripts.jsonl", transcript("good"), bad() | wanted)
    assert main(["check", "--json", name]) == 0
    report = json.loads(capsys.readouterr().out)
    assert [verdict["id"] for verdict in report["transcripts"]] == ["good"]
    assert report["summary"]["expected_failures"] == 1
    name = write(folder / "b.transcripts.jsonl", transcript("surprise") | wanted)
    assert main(["check", name]) == 1
    assert "expected reject" in capsys.readouterr().out


def test_switched_off_is_said_and_never_shown_as_a_pass(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("VALIDATION_ENABLED", "false")
    name = write(folder / "a.transcript.json", transcript("good"))
    main(["check", name])
    out = capsys.readouterr().out
    assert "enabled=False" in out
    assert "gate: PASS" not in out
    assert "pass: good" not in out


def test_equal_input_gives_equal_bytes_whatever_the_hash_seed(folder: Path) -> None:
    name = write(
        folder / "a.transcripts.jsonl", transcript("good"), bad(), transcript("third", "Perhaps 14 days [2].")
    )
    outputs = set()
    for seed in ("0", "1", "2"):
        command = [warm_starts.python(), "-m", "pytest_grounding", "check", "--json", name]
        result = subprocess.run(command, capture_output=True, env={**os.environ, "PYTHONHASHSEED": seed})
        assert result.returncode == 1
        outputs.add(result.stdout)
    assert len(outputs) == 1


def test_escape_sequences_of_an_answer_do_not_reach_the_terminal(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = write(folder / "a.transcript.json", bad("\x1b[31mred") | {"question": "\x1b[2Jhow long?"})
    assert main(["check", name]) == 1
    captured = capsys.readouterr()
    assert "\x1b" not in captured.out + captured.err


@pytest.mark.parametrize("wanted", ["rejected", "REJECT", "", 1, ["reject"]])
def test_a_status_that_no_verdict_has_cannot_be_expected(
    folder: Path, capsys: pytest.CaptureFixture[str], wanted: object
) -> None:
    row = {"id": "a", "question": "When?", "chunks": [], "answer": "I do not know."}
    text = json.dumps({**row, "metadata": {"expected_status": wanted}}, indent=1)
    (folder / "a.transcript.json").write_text(text)
    assert main(["check", "a.transcript.json"]) == 2
    shown = capsys.readouterr()
    assert shown.err == (
        f"a.transcript.json:7: metadata.expected_status: is not a status of a verdict ({wanted!r}); "
        "write one of: pass, review, reject\n"
    )


def test_a_path_without_a_line_is_named_without_one(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "none").mkdir()
    assert main(["check", "none", "nowhere"]) == 2
    said = capsys.readouterr()
    assert (said.out, said.err.splitlines()[1]) == ("", "nowhere: does not exist; check the path")
    assert main(["check", "none", "nowhere", "--json"]) == 2
    report = json.loads(capsys.readouterr().out)
    assert "2 rows could not be read: none, nowhere" in report["gate"]["reasons"]


def test_a_baseline_that_is_not_there_says_how_it_is_written(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", "nowhere", "--baseline", "b.json"]) == 2
    assert capsys.readouterr().err == (
        "pytest-grounding: error: b.json: there is no such baseline; "
        "write it with: pytest-grounding baseline b.json PATH...\n"
    )


def test_yaml_is_no_stream_of_events(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "a.transcript.json").write_text("id: a\nquestion: When?\n")
    assert main(["check", "a.transcript.json"]) == 2
    assert capsys.readouterr().err == "a.transcript.json:1: is not JSON: Expecting value at column 1\n"


@pytest.mark.skipif(not Path("/dev/stdin").exists(), reason="no name for standard input here")
def test_transcripts_come_through_a_pipe(folder: Path) -> None:
    row = {"id": "a", "question": "When?", "chunks": [], "answer": "I do not know."}
    text = f"{json.dumps(row)}\n{json.dumps({**row, 'id': 'b'})}\n"
    command = [warm_starts.python(), "-m", "pytest_grounding", "check", "/dev/stdin", "--json"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, cwd=folder, check=False)
    assert done.stderr == ""
    assert [item["id"] for item in json.loads(done.stdout)["transcripts"]] == ["a", "b"]

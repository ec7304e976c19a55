"""The check command: verdicts, exit status, and nothing lost or overwritten."""

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


def test_a_grounded_transcript_passes(folder, capsys):
    name = write(folder / "a.transcript.json", transcript("good"))
    assert main(["check", name]) == 0
    assert "pass: good" not in capsys.readouterr().out
    assert main(["check", "-v", name]) == 0
    out = capsys.readouterr().out
    assert "pass: good (confidence" in out
    assert "gate: PASS" in out
    assert "(1 passed, 0 to review, 0 rejected)" in out


def test_a_contradicted_claim_fails_and_is_shown_with_its_evidence(folder, capsys):
    name = write(folder / "a.transcripts.jsonl", transcript("good"), bad())
    assert main(["check", name]) == 1
    out = capsys.readouterr().out
    assert "REJECT" in out
    assert f"{name}:2" in out
    assert '"Refunds are paid within 45 days of the return [1]."' in out
    assert FACT in out
    assert "45 days ≠ 14 days, c1" in out
    assert "gate: FAIL" in out


def test_quiet_prints_the_figures_alone(folder, capsys):
    name = write(folder / "a.transcripts.jsonl", transcript("good"), bad())
    assert main(["check", "--quiet", name]) == 1
    out = capsys.readouterr().out
    assert "gate: FAIL" in out
    assert "pass: good" not in out
    assert "diagnosis" not in out


def test_json_is_one_report(folder, capsys):
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


def test_bad_rows_are_told_in_one_sentence_and_the_others_are_validated(folder, capsys):
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


def test_the_same_id_twice_names_both_places(folder, capsys):
    one = write(folder / "a.transcript.json", transcript("same"))
    two = write(folder / "b.transcript.json", transcript("same", "It takes 14 days [1]."))
    assert main(["check", one, two]) == 2
    err = capsys.readouterr().err
    assert "b.transcript.json:1" in err
    assert "a.transcript.json:1" in err


def test_a_path_given_twice_counts_once(folder, capsys):
    name = write(folder / "a.transcript.json", transcript("good"))
    assert main(["check", "--json", name, name]) == 0
    assert json.loads(capsys.readouterr().out)["summary"]["transcripts"] == 1


@pytest.mark.parametrize("path", ["missing.json", "empty", "*.nothing", "blank.jsonl", "blank.json"])
def test_no_transcript_at_all_is_an_error_that_says_so(path, folder, capsys):
    (folder / "empty").mkdir()
    (folder / "blank.jsonl").write_text("\n\n")
    (folder / "blank.json").write_text("")
    assert main(["check", path]) == 2
    captured = capsys.readouterr()
    assert path in captured.err
    assert len(captured.err.splitlines()) == 1
    assert "PASS" not in captured.out


def test_a_missing_path_beside_a_good_one_does_not_lose_the_good_one(folder, capsys):
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
def test_a_setting_that_leads_nowhere_is_one_sentence(given, folder, capsys):
    name = write(folder / "a.transcript.json", transcript("good"))
    assert main(["check", name, *given]) == 2
    captured = capsys.readouterr()
    assert len(captured.err.splitlines()) == 1
    assert captured.err.startswith("pytest-grounding: error: ")
    assert "PASS" not in captured.out


def test_settings_reach_the_verdict(folder, capsys):
    name = write(folder / "a.transcript.json", transcript("uncited", FACT))
    assert main(["check", name]) == 0
    assert "settings:" not in capsys.readouterr().out
    assert main(["check", name, "--set", "require_citations=error"]) == 1
    assert "settings: require_citations=error" in capsys.readouterr().out
    (folder / "pytest.ini").write_text("[pytest]\ngrounding_require_citations = error\n")
    assert main(["check", name]) == 1


def test_a_source_root_is_looked_in(folder, capsys):
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


def test_an_expected_failure_is_no_failure_and_counts_for_no_figure(folder, capsys):
    wanted = {"metadata": {"expected_status": "reject"}}
    name = write(folder / "a.transcripts.jsonl", transcript("good"), bad() | wanted)
    assert main(["check", "--json", name]) == 0
    report = json.loads(capsys.readouterr().out)
    assert [verdict["id"] for verdict in report["transcripts"]] == ["good"]
    assert report["summary"]["expected_failures"] == 1
    name = write(folder / "b.transcripts.jsonl", transcript("surprise") | wanted)
    assert main(["check", name]) == 1
    assert "expected reject" in capsys.readouterr().out


def test_switched_off_is_said_and_never_shown_as_a_pass(folder, monkeypatch, capsys):
    monkeypatch.setenv("VALIDATION_ENABLED", "false")
    name = write(folder / "a.transcript.json", transcript("good"))
    main(["check", name])
    out = capsys.readouterr().out
    assert "enabled=False" in out
    assert "gate: PASS" not in out
    assert "pass: good" not in out


def test_equal_input_gives_equal_bytes_whatever_the_hash_seed(folder):
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


def test_escape_sequences_of_an_answer_do_not_reach_the_terminal(folder, capsys):
    name = write(folder / "a.transcript.json", bad("\x1b[31mred") | {"question": "\x1b[2Jhow long?"})
    assert main(["check", name]) == 1
    captured = capsys.readouterr()
    assert "\x1b" not in captured.out + captured.err


@pytest.mark.parametrize("wanted", ["rejected", "REJECT", "", 1, ["reject"]])
def test_a_status_that_no_verdict_has_cannot_be_expected(folder, capsys, wanted):
    row = {"id": "a", "question": "When?", "chunks": [], "answer": "I do not know."}
    text = json.dumps({**row, "metadata": {"expected_status": wanted}}, indent=1)
    (folder / "a.transcript.json").write_text(text)
    assert main(["check", "a.transcript.json"]) == 2
    shown = capsys.readouterr()
    assert shown.err == (
        f"a.transcript.json:7: metadata.expected_status: is not a status of a verdict ({wanted!r}); "
        "write one of: pass, review, reject\n"
    )


def test_a_path_without_a_line_is_named_without_one(folder, capsys):
    (folder / "none").mkdir()
    assert main(["check", "none", "nowhere"]) == 2
    said = capsys.readouterr()
    assert (said.out, said.err.splitlines()[1]) == ("", "nowhere: does not exist; check the path")
    assert main(["check", "none", "nowhere", "--json"]) == 2
    report = json.loads(capsys.readouterr().out)
    assert "2 rows could not be read: none, nowhere" in report["gate"]["reasons"]


def test_a_baseline_that_is_not_there_says_how_it_is_written(folder, capsys):
    assert main(["check", "nowhere", "--baseline", "b.json"]) == 2
    assert capsys.readouterr().err == (
        "pytest-grounding: error: b.json: there is no such baseline; "
        "write it with: pytest-grounding baseline b.json PATH...\n"
    )


def test_yaml_is_no_stream_of_events(folder, capsys):
    (folder / "a.transcript.json").write_text("id: a\nquestion: When?\n")
    assert main(["check", "a.transcript.json"]) == 2
    assert capsys.readouterr().err == "a.transcript.json:1: is not JSON: Expecting value at column 1\n"


@pytest.mark.skipif(not Path("/dev/stdin").exists(), reason="no name for standard input here")
def test_transcripts_come_through_a_pipe(folder):
    row = {"id": "a", "question": "When?", "chunks": [], "answer": "I do not know."}
    text = f"{json.dumps(row)}\n{json.dumps({**row, 'id': 'b'})}\n"
    command = [warm_starts.python(), "-m", "pytest_grounding", "check", "/dev/stdin", "--json"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, cwd=folder, check=False)
    assert done.stderr == ""
    assert [item["id"] for item in json.loads(done.stdout)["transcripts"]] == ["a", "b"]


def row(identifier: str, **more: object) -> str:
    example = Example("How long do refunds take?", [FACT], id=identifier, score=0.9)
    return json.dumps({**example.answered(f"{FACT[:-1]} [1]."), **more}) + "\n"


@pytest.fixture
def folder_lost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GITHUB_WORKSPACE", raising=False)
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    (tmp_path / "a.jsonl").write_text("".join(row(f"r{number}") for number in range(7)))
    return tmp_path


def test_a_work_folder_loses_nothing_that_its_manifest_does_not_name(folder_lost, capsys):
    theirs = ["w/123456.jsonl", "w/.notes.tmp", "w/notes.txt", "w/inputs/kept.txt"]
    for name in theirs:
        (folder_lost / name).parent.mkdir(parents=True, exist_ok=True)
        (folder_lost / name).write_text("mine")
    for _ in range(2):
        assert main(["check", "a.jsonl", "--jobs", "1", "--work", "w"]) == 0
        assert [(folder_lost / name).read_text() for name in theirs] == ["mine"] * 4
    (folder_lost / "v").mkdir()
    (folder_lost / "v/000000.jsonl").write_text("mine")
    capsys.readouterr()
    assert main(["check", "a.jsonl", "--jobs", "1", "--work", "v"]) == 2
    assert "v: holds 000000.jsonl, which no run in parts wrote" in capsys.readouterr().err
    assert (folder_lost / "v/000000.jsonl").read_text() == "mine"


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="no folder here is closed to all")
def test_jobs_in_a_read_only_folder_use_a_temporary_one(folder_lost, monkeypatch, capsys):
    (folder_lost / "t").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder_lost / "t"))
    monkeypatch.chdir("/proc")
    assert main(["check", str(folder_lost / "a.jsonl"), "--jobs", "1"]) == 0
    assert not list((folder_lost / "t").iterdir())


@pytest.mark.parametrize("jobs", [(), ("--jobs", "1")])
def test_a_row_that_is_nested_too_deeply_is_one_sentence_and_the_others_are_judged(folder_lost, capsys, jobs):
    for depth in (250, 300, 600, 5000):
        nested = '{"a":' * depth + "1" + "}" * depth
        deep = row("deep", metadata={}).replace('"metadata": {}', f'"metadata": {nested}')
        (folder_lost / "b.jsonl").write_text(deep + row("other"))
        assert main(["check", "b.jsonl", *jobs]) == 2
        told = capsys.readouterr()
        assert told.err == "b.jsonl:1: is not JSON that can be read: it is nested too deeply\n"
        assert "1 passed" in told.out


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this machine has no named pipes")
@pytest.mark.parametrize("name", ["rows.jsonl", "one.transcript.json"])
def test_a_named_pipe_is_one_sentence(folder_lost, capsys, name):
    os.mkfifo(folder_lost / name)
    assert main(["check", name]) == 2
    told = f"{name}: is a named pipe, which can be read only once; write - for the path"
    assert told in capsys.readouterr().err


def test_recordings_in_a_folder_that_are_not_read_are_named(folder_lost, capsys):
    (folder_lost / "own").mkdir()
    for name in ("a.transcript.json", "b.transcripts.JSONL", "c.transcripts.json", "d.Transcript.json"):
        (folder_lost / "own" / name).write_text(row(name[0]))
    (folder_lost / "own/e.transcript.json").symlink_to("nowhere.json")
    assert main(["check", "own"]) == 0
    assert capsys.readouterr().err.splitlines() == [
        "not read: own/e.transcript.json (a link that leads nowhere)",
        "not read: own/b.transcripts.JSONL, own/c.transcripts.json, own/d.Transcript.json "
        "(name it to read it)",
    ]


KINDS = {
    "sarif": lambda text: {
        item["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        for item in json.loads(text)["runs"][0]["results"]
    },
    "gitlab": lambda text: {item["location"]["path"] for item in json.loads(text)},
    "github-annotations": lambda text: {
        line.partition("file=")[2].partition(",")[0] for line in text.splitlines() if "file=" in line
    },
}


@pytest.mark.parametrize("machine", ["/", "C:\\", "elsewhere"])
def test_absolute_paths_are_relative_in_reports_for_a_repository(folder_lost, machine):
    (folder_lost / "sub").mkdir()
    wrong = folder_lost / "sub/wrong.transcript.json"
    wrong.write_text(row("w").replace("within 14 days of the return [1]", "within 45 days of the return [1]"))
    assert main(["check", str(wrong), "--json", "--report", "json:run.json"]) == 1
    text = (folder_lost / "run.json").read_text()
    wanted = "sub/wrong.transcript.json"
    if machine == "C:\\":
        text, wanted = text.replace(f"{folder_lost}/sub/", r"C:\\ci\\repo\\sub\\"), f"ci/repo/{wanted}"
    elif machine == "elsewhere":
        text, wanted = text.replace(f"{folder_lost}/sub/", "/home/ci/repo/sub/"), f"home/ci/repo/{wanted}"
    (folder_lost / "run.json").write_text(text)
    for kind, places in KINDS.items():
        assert main(["merge", "run.json", "--report", f"{kind}:out"]) == 0
        assert places((folder_lost / "out").read_text()) == {wanted}, kind


def test_an_empty_file_of_pytest_ends_the_search_for_settings_as_in_pytest(folder_lost, capsys):
    (folder_lost / "pytest.ini").unlink()
    (folder_lost / "pyproject.toml").write_text('[tool.pytest.ini_options]\ngrounding_profile = "lenient"\n')
    for name in ("pytest.toml", ".pytest.toml", "pytest.ini", ".pytest.ini"):
        (folder_lost / name).touch()
        assert main(["check", "a.jsonl"]) == 0
        assert "profile=lenient" not in capsys.readouterr().out, name
        (folder_lost / name).unlink()


def test_a_baseline_with_more_known_findings_than_it_counted_is_refused(folder_lost, capsys):
    (folder_lost / "a.jsonl").write_text(row("w").replace("14 days of the return [1]", "45 days of it [1]"))
    new = ("--set", "baseline_gate=new")
    assert main(["baseline", "b.json", "a.jsonl", "--allow-new", *new]) == 0
    text = (folder_lost / "b.json").read_text()
    assert main(["check", "a.jsonl", "--baseline", "b.json", *new]) == 0
    (folder_lost / "b.json").write_text(
        text.replace('"rule":"contradicted"', '"number":1000000,"rule":"contradicted"')
    )
    capsys.readouterr()
    assert main(["check", "a.jsonl", "--baseline", "b.json", *new]) == 2
    assert "b.json: counts more parts than the whole in the transcript 'w'" in capsys.readouterr().err


A = "two/a.transcripts.jsonl"


@pytest.fixture
def suite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Path:
    """Two recordings, their baseline, the report of a run, and the work folder of one in parts."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    (tmp_path / "two").mkdir()
    for name in "ab":
        value = Example("How long do refunds take?", [FACT], id=name, score=0.9).answered(f"{FACT[:-1]} [1].")
        (tmp_path / f"two/{name}.transcripts.jsonl").write_text(json.dumps(value) + "\n")
    assert main(["baseline", "b.json", "two"]) == 0
    assert main(["check", "two", "--quiet", "--report", "json:run.json"]) == 0
    assert main(["check", "two", "--quiet", "--jobs", "1", "--work", "w"]) == 0
    capsys.readouterr()
    return tmp_path


def held(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


#: A command that would lose something, and the file that its sentence names.
LOSSES = [
    (f"baseline {A} two/b.transcripts.jsonl", A),
    (f"check two --report json:{A}", A),
    (f"check two --jobs 2 --report json:{A}", A),
    (f"check two/*.jsonl --report json:./two/../{A}", A),
    ("check two --baseline b.json --report json:b.json", "b.json"),
    ("check two --jobs 1 --work two", "two"),
    ("merge run.json --report html:run.json", "run.json"),
    (f"merge run.json --report html:{A}", A),
    (f"show transcripts {A} -o {A}", A),
    (f"merge w --baseline {A} --baseline-update", A),
    ("merge w --baseline run.json --baseline-update", "run.json"),
    ("baseline run.json two", "run.json"),
    ("check two --report html:o.html --report junit:o.html", "o.html"),
]


def test_a_file_that_is_read_is_never_written_over(suite, capsys):
    before = held(suite)
    for command, named in LOSSES:
        assert main(command.split()) == 2, command
        captured = capsys.readouterr()
        assert captured.out == ""
        (said,) = captured.err.splitlines()
        assert named in said.partition("; ")[0], command
        assert "; " in said
        assert held(suite) == before, command


def test_a_link_to_a_file_that_is_read_is_that_file(suite, capsys):
    (suite / "link.json").symlink_to(suite / A)
    before = held(suite)
    assert main(["check", "two", "--report", "json:link.json"]) == 2
    assert "is read" in capsys.readouterr().err
    assert held(suite) == before


@pytest.mark.parametrize("rest", ["", "<<<<<<< ours\n", '{"engine_version": "1", "fig'])
def test_what_is_left_of_a_baseline_is_written_anew(suite, rest):
    whole = (suite / "b.json").read_text()
    (suite / "b.json").write_text(rest)
    assert main(["baseline", "b.json", "two"]) == 0
    assert (suite / "b.json").read_text() == whole


def test_what_others_add_to_as_well_takes_two(suite, monkeypatch):
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(suite / "step.md"))
    twice = ["--report", "github-summary", "--report", "github-summary:step.md"]
    assert main(["check", "two", "--quiet", *twice, "--report", "json:run.json"]) == 0
    assert (suite / "step.md").read_text().count("## ") == 2
    assert main(["show", "transcripts", "two", "-o", "new.transcripts.jsonl"]) == 0
    assert main(["show", "transcripts", "two", "-o", "new.transcripts.jsonl"]) == 0


@pytest.mark.parametrize(
    "options",
    [
        (A, f"--grounding-report=html:{A}"),
        ("two", f"--grounding-report=html:{A}"),
        ("two", f"--grounding-json={A}"),
        ("two", f"--grounding-shard-report={A}"),
        ("two", f"--grounding-baseline={A}", "--grounding-baseline-update"),
        ("two", "--grounding-baseline=run.json", "--grounding-baseline-update"),
        ("two", "--grounding-baseline=b.json", "--grounding-report=json:b.json"),
        ("two", "--grounding-report=html:o.html", "--junitxml=o.html"),
    ],
)
def test_a_run_of_pytest_writes_over_nothing_that_it_reads(pytester, suite, options):
    before = held(suite)
    result = pytester.runpytest_subprocess("-p", "no:cacheprovider", f"--rootdir={suite}", *options)
    assert result.ret == 4
    assert "Traceback" not in result.stderr.str()
    assert len([line for line in result.stderr.lines if "; " in line]) == 1
    assert held(suite) == before

"""The check command: verdicts, exit status, and nothing lost or overwritten."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
import warm_starts
from every import table

from pytest_grounding.cli import main
from pytest_grounding.testing import Example

FACT = "Refunds are paid within 14 days of the return."


def transcript(name, answer=f"{FACT[:-1]} [1].", **more):
    return Example("How long do refunds take?", [FACT], id=name, score=0.9).answered(answer, **more)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    # An ini file of its own, so that no file above the temporary folder counts.
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    return tmp_path


@pytest.mark.parametrize("wanted", ["rejected", "REJECT", "", 1, ["reject"]])
def test_rejects_an_unknown_expected_status(folder, capsys, wanted):
    row = {"id": "a", "question": "When?", "chunks": [], "answer": "I do not know."}
    text = json.dumps({**row, "metadata": {"expected_status": wanted}}, indent=1)
    (folder / "a.transcript.json").write_text(text)
    assert main(["check", "a.transcript.json"]) == 2
    shown = capsys.readouterr()
    assert shown.err == (
        f"a.transcript.json:7: metadata.expected_status: is not a status of a verdict ({wanted!r}); "
        "write one of: pass, review, reject\n"
    )


@pytest.mark.skipif(not Path("/dev/stdin").exists(), reason="no name for standard input here")
def test_reads_transcripts_from_a_pipe(folder):
    row = {"id": "a", "question": "When?", "chunks": [], "answer": "I do not know."}
    text = f"{json.dumps(row)}\n{json.dumps({**row, 'id': 'b'})}\n"
    command = [warm_starts.python(), "-m", "pytest_grounding", "check", "/dev/stdin", "--json"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, cwd=folder, check=False)
    assert done.stderr == ""
    assert [item["id"] for item in json.loads(done.stdout)["transcripts"]] == ["a", "b"]


def row(identifier, **more):
    return json.dumps({**transcript(identifier), **more}) + "\n"


@pytest.fixture
def folder_of_rows(folder, monkeypatch):
    monkeypatch.delenv("GITHUB_WORKSPACE", raising=False)
    (folder / "a.jsonl").write_text("".join(row(f"r{number}") for number in range(7)))
    return folder


def test_a_work_folder_keeps_other_files(folder_of_rows, capsys):
    theirs = ["w/123456.jsonl", "w/.notes.tmp", "w/notes.txt", "w/inputs/kept.txt"]
    for name in theirs:
        (folder_of_rows / name).parent.mkdir(parents=True, exist_ok=True)
        (folder_of_rows / name).write_text("mine")
    for _ in range(2):
        assert main(["check", "a.jsonl", "--jobs", "1", "--work", "w"]) == 0
        assert [(folder_of_rows / name).read_text() for name in theirs] == ["mine"] * 4
    (folder_of_rows / "v").mkdir()
    (folder_of_rows / "v/000000.jsonl").write_text("mine")
    capsys.readouterr()
    assert main(["check", "a.jsonl", "--jobs", "1", "--work", "v"]) == 2
    assert "v: holds 000000.jsonl, which no run in parts wrote" in capsys.readouterr().err
    assert (folder_of_rows / "v/000000.jsonl").read_text() == "mine"


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="no folder here is closed to all")
def test_jobs_in_a_read_only_folder_use_a_temporary_one(folder_of_rows, monkeypatch, capsys):
    (folder_of_rows / "t").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder_of_rows / "t"))
    monkeypatch.chdir("/proc")
    assert main(["check", str(folder_of_rows / "a.jsonl"), "--jobs", "1"]) == 0
    assert not list((folder_of_rows / "t").iterdir())


@pytest.mark.parametrize("jobs", [(), ("--jobs", "1")])
def test_reports_a_deeply_nested_row_and_validates_the_others(folder_of_rows, capsys, jobs):
    for depth in (250, 300, 600, 5000):
        nested = '{"a":' * depth + "1" + "}" * depth
        deep = row("deep", metadata={}).replace('"metadata": {}', f'"metadata": {nested}')
        (folder_of_rows / "b.jsonl").write_text(deep + row("other"))
        assert main(["check", "b.jsonl", *jobs]) == 2
        printed = capsys.readouterr()
        assert (
            printed.err
            == "b.jsonl:1: is not JSON that can be read: it is nested too deeply: write at most 150 levels\n"
        )
        assert "1 passed" in printed.out


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this machine has no named pipes")
@pytest.mark.parametrize("name", ["rows.jsonl", "one.transcript.json"])
def test_rejects_a_named_pipe(folder_of_rows, capsys, name):
    os.mkfifo(folder_of_rows / name)
    assert main(["check", name]) == 2
    message = f"{name}: is a named pipe, which can be read only once; write - for the path"
    assert message in capsys.readouterr().err


def test_names_recordings_that_are_not_read(folder_of_rows, capsys):
    (folder_of_rows / "own").mkdir()
    for name in ("a.transcript.json", "b.transcripts.JSONL", "c.transcripts.json", "d.Transcript.json"):
        (folder_of_rows / "own" / name).write_text(row(name[0]))
    (folder_of_rows / "own/e.transcript.json").symlink_to("nowhere.json")
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
def test_reports_contain_relative_paths(folder_of_rows, machine):
    (folder_of_rows / "sub").mkdir()
    wrong = folder_of_rows / "sub/wrong.transcript.json"
    wrong.write_text(row("w").replace("within 14 days of the return [1]", "within 45 days of the return [1]"))
    assert main(["check", str(wrong), "--json", "--report", "json:run.json"]) == 1
    text = (folder_of_rows / "run.json").read_text()
    wanted = "sub/wrong.transcript.json"
    if machine == "C:\\":
        text, wanted = text.replace(f"{folder_of_rows}/sub/", r"C:\\ci\\repo\\sub\\"), f"ci/repo/{wanted}"
    elif machine == "elsewhere":
        text, wanted = text.replace(f"{folder_of_rows}/sub/", "/home/ci/repo/sub/"), f"home/ci/repo/{wanted}"
    (folder_of_rows / "run.json").write_text(text)
    for kind, places in KINDS.items():
        assert main(["merge", "run.json", "--report", f"{kind}:out"]) == 0
        assert places((folder_of_rows / "out").read_text()) == {wanted}, kind


def test_a_json_report_on_standard_output_stands_there_alone(folder_of_rows, capsys):
    wrong = folder_of_rows / "wrong.transcript.json"
    wrong.write_text(row("w").replace("within 14 days of the return [1]", "within 45 days of the return [1]"))
    assert main(["check", str(wrong), "--report", "json:-"]) == 1
    assert json.loads(capsys.readouterr().out)["gate"]["status"] == "fail"


def test_an_empty_configuration_file_ends_the_search(folder_of_rows, capsys):
    (folder_of_rows / "pytest.ini").unlink()
    (folder_of_rows / "pyproject.toml").write_text(
        '[tool.pytest.ini_options]\ngrounding_profile = "lenient"\n'
    )
    for name in ("pytest.toml", ".pytest.toml", "pytest.ini", ".pytest.ini"):
        (folder_of_rows / name).touch()
        assert main(["check", "a.jsonl"]) == 0
        assert "profile=lenient" not in capsys.readouterr().out, name
        (folder_of_rows / name).unlink()


def test_rejects_a_baseline_with_too_many_known_findings(folder_of_rows, capsys):
    (folder_of_rows / "a.jsonl").write_text(
        row("w").replace("14 days of the return [1]", "45 days of it [1]")
    )
    new = ("--set", "baseline_gate=new")
    assert main(["baseline", "b.json", "a.jsonl", "--allow-new", *new]) == 0
    text = (folder_of_rows / "b.json").read_text()
    assert main(["check", "a.jsonl", "--baseline", "b.json", *new]) == 0
    (folder_of_rows / "b.json").write_text(
        text.replace('"rule":"contradicted"', '"number":1000000,"rule":"contradicted"')
    )
    capsys.readouterr()
    assert main(["check", "a.jsonl", "--baseline", "b.json", *new]) == 2
    assert "b.json: counts more parts than the whole in the transcript 'w'" in capsys.readouterr().err


A = "two/a.transcripts.jsonl"


@pytest.fixture(scope="module")
def prepared(tmp_path_factory):
    """Two recordings, their baseline, the report of a run, and the work folder of one in parts."""
    folder = tmp_path_factory.mktemp("suite")
    (folder / "pytest.ini").write_text("[pytest]\n")
    (folder / "two").mkdir()
    for name in "ab":
        (folder / f"two/{name}.transcripts.jsonl").write_text(row(name))
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        assert main(["baseline", "b.json", "two"]) == 0
        assert main(["check", "two", "--quiet", "--report", "json:run.json"]) == 0
        assert main(["check", "two", "--quiet", "--jobs", "1", "--work", "w"]) == 0
    return folder


@pytest.fixture
def suite(prepared, tmp_path, monkeypatch):
    """A copy of the prepared folder, as the current one."""
    folder = shutil.copytree(prepared, tmp_path / "suite")
    monkeypatch.chdir(folder)
    return folder


def files_in(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


#: A command that would overwrite something, and the file that the message names.
LOSSES = table(__file__, "LOSSES")


def test_never_overwrites_a_file_that_it_reads(suite, capsys):
    before = files_in(suite)
    for command, named in LOSSES:
        assert main(command.split()) == 2, command
        captured = capsys.readouterr()
        assert captured.out == ""
        (said,) = captured.err.splitlines()
        assert named in said.partition("; ")[0], command
        assert "; " in said
        assert files_in(suite) == before, command


def test_never_overwrites_through_a_link(suite, capsys):
    (suite / "link.json").symlink_to(suite / A)
    before = files_in(suite)
    assert main(["check", "two", "--report", "json:link.json"]) == 2
    assert "is read" in capsys.readouterr().err
    assert files_in(suite) == before


@pytest.mark.parametrize("rest", ["", "<<<<<<< ours\n", '{"engine_version": "1", "fig'])
def test_rewrites_a_damaged_baseline(suite, rest):
    whole = (suite / "b.json").read_text()
    (suite / "b.json").write_text(rest)
    assert main(["baseline", "b.json", "two"]) == 0
    assert (suite / "b.json").read_text() == whole


def test_a_summary_file_takes_two_reports(suite, monkeypatch):
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
def test_pytest_never_overwrites_a_file_that_it_reads(pytester, suite, options):
    before = files_in(suite)
    result = pytester.runpytest_subprocess("-p", "no:cacheprovider", f"--rootdir={suite}", *options)
    assert result.ret == 4
    assert "Traceback" not in result.stderr.str()
    assert len([line for line in result.stderr.lines if "; " in line]) == 1
    assert files_in(suite) == before

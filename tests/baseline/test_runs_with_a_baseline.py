"""Options of pytest: writing a baseline, comparing with it, and running as one of several jobs."""

import json

import pytest
from recorded_suites import BAD, transcript, write

from pytest_grounding.cli import main
from pytest_grounding.settings import ENVIRONMENT


@pytest.fixture(autouse=True)
def _no_settings_from_outside(monkeypatch):
    for name in (*ENVIRONMENT, "PYTEST_ADDOPTS"):
        monkeypatch.delenv(name, raising=False)


def run(pytester, *arguments):
    return pytester.runpytest_inprocess("-p", "no:cacheprovider", *arguments)


def test_a_baseline_is_written_compared_and_names_what_flipped(pytester):
    write(pytester.path, transcript("a"), transcript("b"))
    written = run(pytester, "--grounding-baseline=b.json", "--grounding-baseline-update")
    written.stdout.fnmatch_lines(["baseline written: b.json, 2 transcripts"])
    first = (pytester.path / "b.json").read_bytes()
    same = run(pytester, "--grounding-baseline=b.json")
    assert same.ret == 0
    same.stdout.fnmatch_lines(["baseline: pass (policy any, 2 transcripts compared)"])
    write(pytester.path, transcript("a"), transcript("b", BAD))
    worse = run(pytester, "--grounding-baseline=b.json", "--grounding-json=out.json")
    assert worse.ret == 1
    worse.stdout.fnmatch_lines(["*flipped to the worse: b (pass -> reject): error source_exists: *"])
    flip = json.loads((pytester.path / "out.json").read_text())["gate"]["baseline"]["flipped"][0]
    assert (flip["id"], flip["source"], flip["line"]) == ("b", "suite.transcripts.jsonl", 2)
    assert (pytester.path / "b.json").read_bytes() == first
    again = run(pytester, "--grounding-baseline=b.json", "--grounding-baseline-update")
    again.stdout.fnmatch_lines(["baseline written: b.json, 2 transcripts*"])
    assert again.ret == 1, "the transcript itself still fails"


def test_the_ini_file_names_the_baseline(pytester):
    write(pytester.path, transcript("a"))
    pytester.makeini("[pytest]\ngrounding_baseline = accepted/b.json\n")
    assert run(pytester).ret == pytest.ExitCode.USAGE_ERROR
    assert run(pytester, "--grounding-baseline-update").ret == 0
    assert (pytester.path / "accepted" / "b.json").is_file()
    run(pytester).stdout.fnmatch_lines(["baseline: pass *"])


def test_a_partial_run_leaves_the_baseline_undecided_and_never_overwrites_it(pytester):
    write(pytester.path, transcript("a"), transcript("b"))
    run(pytester, "--grounding-baseline=b.json", "--grounding-baseline-update")
    first = (pytester.path / "b.json").read_bytes()
    partial = run(pytester, "--grounding-baseline=b.json", "-k", "a and not b")
    partial.stdout.fnmatch_lines(["baseline: undecided *", "gate: UNDECIDED"])
    assert partial.ret == 0
    update = run(pytester, "--grounding-baseline=b.json", "--grounding-baseline-update", "-k", "a and not b")
    update.stdout.fnmatch_lines(["the baseline was not written: a partial run *"])
    assert update.ret == 1
    assert (pytester.path / "b.json").read_bytes() == first


def test_wrong_options_end_before_any_test(pytester):
    write(pytester.path, transcript("a"))
    for arguments, problem in (
        (["--grounding-baseline-update"], "name its file too"),
        (["--grounding-baseline=."], "is a folder"),
        (["--grounding-set=baseline_policy=most"], "baseline_policy"),
        (
            ["--grounding-baseline=b.json", "--grounding-baseline-update", "--grounding-shard-report=s.json"],
            "a shard writes no baseline",
        ),
    ):
        result = run(pytester, *arguments)
        assert result.ret == pytest.ExitCode.USAGE_ERROR
        assert problem in result.stderr.str()
    (pytester.path / "b.json").write_text("{}")
    broken = run(pytester, "--grounding-baseline=b.json")
    assert broken.ret == pytest.ExitCode.USAGE_ERROR
    assert "is not a baseline" in broken.stderr.str()


def test_jobs_write_their_parts_and_one_decides(pytester, capsys):
    write(pytester.path, transcript("a"), name="one.transcripts.jsonl")
    write(pytester.path, transcript("b"), transcript("c", BAD), name="two.transcripts.jsonl")
    strict = "--grounding-partial-runs=fail"
    first = run(pytester, "one.transcripts.jsonl", "--grounding-shard-report=s/1.json", strict)
    assert first.ret == 0
    first.stdout.fnmatch_lines(["gate: UNDECIDED", "*a shard of the suite*", "shard written: 1.json"])
    second = run(pytester, "-k", "two", "--grounding-shard-report=s/2.json", strict)
    assert second.ret == 1
    capsys.readouterr()
    assert main(["merge", "s/1.json", "s/2.json", "--expect", "2"]) == 1
    out = capsys.readouterr().out
    assert "transcripts: 3" in out
    assert "1 transcript failed: c" in out
    repeated = run(pytester, "one.transcripts.jsonl", "--grounding-shard-report=s/3.json", strict)
    assert repeated.ret == 0
    assert main(["merge", "s/1.json", "s/3.json"]) == 2
    assert "both ran one.transcripts.jsonl::a" in capsys.readouterr().err


def test_the_command_line_writes_shows_and_compares(pytester, capsys):
    write(pytester.path, transcript("a"))
    assert main(["baseline", "b.json", "suite.transcripts.jsonl"]) == 0
    assert main(["baseline", "b.json"]) == 0
    assert "pass: a (confidence" in capsys.readouterr().out
    assert main(["check", "suite.transcripts.jsonl", "--baseline", "b.json", "-q"]) == 0
    write(pytester.path, transcript("a", BAD))
    assert main(["check", "suite.transcripts.jsonl", "--baseline", "b.json", "-q"]) == 1
    assert "flipped to the worse: a (pass -> reject)" in capsys.readouterr().out
    assert main(["check", "suite.transcripts.jsonl", "--baseline", "none.json"]) == 2

"""Waivers in runs of pytest: used ones, unused ones and malformed marks."""

import json
import subprocess

import pytest

from pytest_grounding import load_transcripts, validate
from pytest_grounding.gate.waivers import add, overrulable, read, waiver_for
from pytest_grounding.testing import Example

FILE = "grounding.waivers.jsonl"
SOURCE = "Refunds are paid within 14 days of the return."
WRONG = "Refunds are paid within 45 days of the return [1]."


def recorded(name, answer=WRONG):
    return Example("How long do refunds take?", [SOURCE], id=name, score=0.9).answered(answer)


def waivers_of(path, *names):
    found = []
    for transcript in load_transcripts(path):
        verdict = validate(transcript)
        found += [
            waiver_for(
                item, verdict.model_copy(update={"id": name}), reason="agreed", by="Ada", day="2026-11-22"
            )
            for name in names
            for item in overrulable(verdict)[:1]
        ]
    return found


@pytest.fixture
def suite(pytester, monkeypatch):
    monkeypatch.delenv("CI", raising=False)
    pytester.makeini("[pytest]\n")
    (pytester.path / "a.transcript.json").write_text(json.dumps(recorded("a")), "utf-8")
    good = recorded("b", SOURCE.replace(".", " [1]."))
    (pytester.path / "b.transcript.json").write_text(json.dumps(good), "utf-8")
    return pytester


def test_a_waiver_file_makes_a_run_pass_and_unused_waivers_are_reported_by_whole_runs(suite):
    file = suite.path / FILE
    assert suite.runpytest("-q").ret == 1
    add(file, waivers_of(suite.path / "a.transcript.json", "a", "gone"))
    result = suite.runpytest("-q")
    assert result.ret == 0
    result.stdout.fnmatch_lines(
        [
            "gate: PASS",
            "*note: * waived: a contradicted (agreed, Ada)*",
            "*note: 1 unused waiver: gone *; take*",
        ]
    )
    strict = suite.runpytest("-q", "--grounding-waivers=strict")
    assert strict.ret == 1
    strict.stdout.fnmatch_lines(["gate: FAIL (suite: pass)", "*1 unused waiver: gone contradicted*"])
    for narrowed in (["-k", "a"], ["a.transcript.json"], ["--grounding-shard-report=part.json"]):
        result = suite.runpytest("-q", "--grounding-waivers=strict", *narrowed)
        assert result.ret == 0
        result.stdout.no_fnmatch_line("*unused waiver*")
    assert suite.runpytest("-q", "--grounding-waivers=off").ret == 1
    expired = [item.model_copy(update={"expires": "2026-01-01"}) for item in read(file)]
    add(file, expired)
    result = suite.runpytest("-q")
    assert result.ret == 1
    result.stdout.fnmatch_lines(["*note: 2 expired waivers: a contradicted * since 2026-01-01, gone*"])


def test_unused_waivers_are_known_across_xdist_workers(suite):
    pytest.importorskip("xdist")
    add(suite.path / FILE, waivers_of(suite.path / "a.transcript.json", "a", "gone"))
    result = suite.runpytest_subprocess("-q", "-n2", "--grounding-waivers=strict")
    assert result.ret == 1
    result.stdout.fnmatch_lines(["*1 unused waiver: gone contradicted*"])


def test_a_bad_line_ends_the_run_before_any_test(suite):
    (suite.path / FILE).write_text("{}\n", "utf-8")
    result = suite.runpytest("-q")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"*{FILE}:1: rule: is missing; write the rule of the finding*"])


MARKED = """
import pytest
import pytest_grounding as pg

T = {given}

@pytest.mark.grounding_waive("contradicted", claim="Refunds are paid within 45 days of the return.", {more})
def test_marked():
    pg.assert_grounded(T)
"""


def marked(suite, more):
    for path in suite.path.glob("*.transcript.json"):
        path.unlink()
    suite.makepyfile(test_marked=MARKED.replace("{given}", repr(recorded("code"))).replace("{more}", more))


def test_a_mark_waives_for_its_test(suite):
    marked(suite, 'reason="agreed"')
    result = suite.runpytest("-q", "--strict-markers", "--grounding-waivers=strict")
    assert result.ret == 0
    result.stdout.fnmatch_lines(["gate: PASS", "*waived: code contradicted (agreed)*"])


def test_a_mark_can_be_unused_and_ends_with_its_evidence(suite):
    marked(suite, f'reason="agreed", evidence="{SOURCE}"')
    assert suite.runpytest("-q").ret == 0
    marked(suite, 'reason="agreed", evidence="Refunds are paid within 15 days of the return."')
    assert suite.runpytest("-q").ret == 1
    file = suite.path / "test_marked.py"
    file.write_text(
        file.read_text("utf-8").replace("45 days of the return [1]", "14 days of the return [1]"), "utf-8"
    )
    result = suite.runpytest("-q", "--grounding-waivers=strict")
    assert result.ret == 1
    result.stdout.fnmatch_lines(
        ["*1 unused waiver: test_marked.py::test_marked: the mark grounding_waive contradicted*"]
    )


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ("", "*grounding_waive('contradicted'): reason is missing; write grounding_waive*"),
        ('reason="x", because="y"', "*because is not known; known are claim, reason, evidence, by, expires*"),
        ('reason="x", expires="soon"', "*expires = 'soon' is not a date; write it as 2026-12-31*"),
    ],
)
def test_a_malformed_mark_ends_the_run(suite, more, message):
    marked(suite, more)
    result = suite.runpytest("-q")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([message])


def test_git_merges_the_waivers_of_two_branches(tmp_path):
    (tmp_path / "t.transcript.json").write_text(json.dumps(recorded("a")), "utf-8")

    def git(*words):
        who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "commit.gpgsign=false"]
        subprocess.run(["git", *who, *words], cwd=tmp_path, check=True, capture_output=True)

    git("init", "-q", "-b", "main")
    (tmp_path / ".gitattributes").write_text(f"{FILE} merge=union\n", "utf-8")
    git("add", ".")
    git("commit", "-qm", "one")
    for branch in ("left", "right"):
        git("checkout", "-q", "-b", branch, "main")
        add(tmp_path / FILE, waivers_of(tmp_path / "t.transcript.json", branch, f"{branch}-too"))
        git("add", ".")
        git("commit", "-qm", branch)
    git("merge", "-q", "left", "-m", "both")
    assert [item.transcript for item in read(tmp_path / FILE)] == ["left", "left-too", "right", "right-too"]

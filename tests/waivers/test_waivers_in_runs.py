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


def test_an_expired_waiver_fails_the_run(suite):
    found = waivers_of(suite.path / "a.transcript.json", "a", "gone")
    add(suite.path / FILE, [item.model_copy(update={"expires": "2026-01-01"}) for item in found])
    result = suite.runpytest("-q")
    assert result.ret == 1
    result.stdout.fnmatch_lines(["*note: 2 expired waivers: a contradicted * since 2026-01-01, gone*"])


def test_unused_waivers_are_known_across_xdist_workers(suite):
    pytest.importorskip("xdist")
    add(suite.path / FILE, waivers_of(suite.path / "a.transcript.json", "a", "gone"))
    result = suite.runpytest_subprocess("-q", "-n2", "--grounding-waivers=strict")
    assert result.ret == 1
    result.stdout.fnmatch_lines(["*1 unused waiver: gone contradicted*"])


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

"""Two branches that each change the baseline, merged by a real git."""

import json
import re
import shutil
import subprocess

import pytest
from recorded_suites import transcript, write

from pytest_grounding.cli import main
from pytest_grounding.settings import ENVIRONMENT
from pytest_grounding.suite.baseline_file import read_baseline, render_baseline

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="needs git")

SUITE = "suite.transcripts.jsonl"
GATE = ("--set", "baseline_gate=new")


class Repository:
    """A suite of false alarms in a repository, and its baseline."""

    def __init__(self, folder):
        self.folder = folder
        self.rows = {f"t{number}": self.alarm(number) for number in range(6)}
        self.git("init", "-q", "-b", "main")
        (folder / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
        self.commit("baseline", "b.json", SUITE)

    @staticmethod
    def alarm(number):
        text = f"The cafeteria serves octopus in room {number + 40}. Cats sing at noon in room {number + 40}."
        return transcript(f"t{number}", text)

    def git(self, *arguments, check=True):
        own = ("-c", "user.name=Ann", "-c", "user.email=ann@example.org", "-c", "commit.gpgsign=false")
        command = ["git", *own, *arguments]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=False)
        assert not check or done.returncode == 0, done.stdout + done.stderr
        return done

    def put(self, *rows):
        """Write each transcript to its own file."""
        for row in rows:
            write(self.folder, row, name=f"{row['id']}.transcripts.jsonl")

    def commit(self, *command):
        """Run a command of ours, and commit all."""
        if not (self.folder / "t0.transcripts.jsonl").exists():
            self.put(*self.rows.values())
        assert main([word if word != SUITE else "*.transcripts.jsonl" for word in command]) == 0
        self.git("add", "-A")
        self.git("commit", "-qm", " ".join(command))

    def on_branch(self, name, *steps):
        self.git("checkout", "-q", "main")
        self.git("checkout", "-qb", name)
        for row, command in steps:
            self.put(row)
            self.commit(*command)

    def check(self, capsys):
        capsys.readouterr()
        status = main(["check", "*.transcripts.jsonl", "--baseline", "b.json", *GATE, "-q"])
        return status, capsys.readouterr().out


PRUNE = ("baseline", "b.json", SUITE, "--prune", "--yes")
RENEW = ("baseline", "b.json", SUITE, *GATE)


@pytest.fixture
def repository(tmp_path, monkeypatch):
    for name in (*ENVIRONMENT, "CI"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    return Repository(tmp_path)


@pytest.mark.parametrize("command", [PRUNE, RENEW], ids=["prune", "renew"])
def test_merges_branches_that_fix_different_transcripts(repository, capsys, command):
    if command is RENEW:  # from here on it has no figures of the whole, on which branches would collide
        repository.put(transcript("t5"))
        repository.commit(*RENEW)
    repository.on_branch("one", (transcript("t1"), command))
    repository.on_branch("two", (transcript("t2"), command), (transcript("t3"), command))
    repository.git("merge", "-q", "--no-edit", "one")
    merged = read_baseline("b.json")
    assert render_baseline(merged) == (repository.folder / "b.json").read_text(encoding="utf-8")
    fixed = {"t1", "t2", "t3"} | ({"t5"} if command is RENEW else set())
    assert {entry.id for entry in merged.transcripts if not entry.known} == fixed
    status, out = repository.check(capsys)
    assert (status, f"  {2 * (6 - len(fixed))} known, 0 new, 0 gone\n" in out) == (0, True)
    repository.put(repository.rows["t1"])
    status, out = repository.check(capsys)
    assert status == 1
    assert "1 transcript failed: t1" in out


def test_merges_branches_that_add_transcripts(repository, capsys):
    repository.put(transcript("t5"))
    repository.commit(*RENEW)
    repository.on_branch("one", (transcript("a-first"), RENEW))
    repository.on_branch("two", (transcript("t3-and-a-half"), RENEW))
    repository.git("merge", "-q", "--no-edit", "one")
    assert [entry.id for entry in read_baseline("b.json").transcripts] == sorted(
        ["a-first", "t3-and-a-half", *repository.rows]
    )
    assert repository.check(capsys)[0] == 0


def test_names_a_conflict_over_one_transcript(repository, capsys):
    first, second = (
        transcript("t1", f"{sentence}.")
        for sentence in repository.rows["t1"]["answer"].rstrip(".").split(". ")
    )
    repository.on_branch("one", (first, PRUNE))
    repository.on_branch("two", (second, PRUNE))
    assert repository.git("merge", "--no-edit", "one", check=False).returncode != 0
    assert main(["check", "t2.transcripts.jsonl", "--baseline", "b.json", *GATE, "-q"]) == 2
    said = capsys.readouterr().err
    assert re.search(r"b\.json:\d+: .*; it is a mark of a merge conflict: keep what is right", said)
    repository.git("checkout", "--theirs", "b.json")
    repository.put(transcript("t1"))
    repository.commit(*PRUNE)
    status, out = repository.check(capsys)
    assert (status, "  10 known, 0 new, 0 gone\n" in out) == (0, True)


def test_each_finding_is_one_line(repository):
    lines = (repository.folder / "b.json").read_text(encoding="utf-8").splitlines()
    found = [line for line in lines if line.startswith("      {")]
    assert len(found) == 12
    assert all(json.loads(line.rstrip(","))["rule"] == "unsupported_claim" for line in found)
    assert sum(line.rstrip(",") == "    ]}" for line in lines) == 6

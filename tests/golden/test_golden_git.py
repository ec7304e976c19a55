"""Goldens in a real repository: what git sees, and what it merges."""

import shutil
import subprocess

import pytest
from golden_recordings import REWORDED, recording

from pytest_grounding import Settings
from pytest_grounding.golden.golden_file import Pending
from pytest_grounding.golden.golden_policy import settle_golden
from pytest_grounding.golden.golden_store import GoldenStore

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="needs git")


class Repository:
    def __init__(self, folder, judged):
        self.folder = folder
        self.judged = judged
        self.store = GoldenStore.beside(folder)
        self("init", "-q", "-b", "main")

    def __call__(self, *arguments, check=True):
        settings = ("-c", "user.name=Ann", "-c", "user.email=ann@example.org", "-c", "commit.gpgsign=false")
        done = subprocess.run(
            ["git", *settings, *arguments], cwd=self.folder, capture_output=True, text=True, check=False
        )
        assert not check or done.returncode == 0, done.stdout + done.stderr
        return done

    def record(self, *rows):
        """Accept these recordings as a run of tests does, and commit everything that git sees."""
        for row in rows:
            outcome = settle_golden(self.store, self.judged(row), Settings(), policy="update")
            assert outcome.state in ("created", "accepted")
        self("add", "-A")
        self("commit", "-qm", f"record {rows[0]['id']}")


@pytest.fixture
def repository(tmp_path, judged):
    return Repository(tmp_path, judged)


def test_git_tracks_goldens_and_decisions_but_no_candidates(repository, judged):
    repository.record(recording(identifier="base"))
    repository.store.put_pending(Pending(candidate=judged(recording(identifier="new")), against=None))
    files = set(repository("ls-files").stdout.split())
    assert files == {"__golden__/base.golden.json", "__golden__/decisions/base.jsonl"}
    assert repository("status", "--porcelain").stdout == ""
    assert repository.store.candidates()


def test_merges_branches_with_different_transcripts(repository):
    repository.record(recording(identifier="base"))
    repository("checkout", "-qb", "one")
    repository.record(recording(identifier="first"))
    repository("checkout", "-q", "main")
    repository("checkout", "-qb", "two")
    repository.record(recording(identifier="second"))
    repository.record(recording(REWORDED, identifier="base"))
    repository("merge", "--no-edit", "one")
    assert len(repository.store.goldens()) == 3
    for name in ("base", "first", "second"):
        assert repository.store.golden(name) is not None
    assert repository.store.golden("base").transcript.answer == REWORDED


def test_names_a_conflict_between_two_branches(repository):
    repository.record(recording(identifier="base"))
    repository("checkout", "-qb", "one")
    repository.record(recording(REWORDED, identifier="base"))
    repository("checkout", "-q", "main")
    repository.record(recording("Employees receive 25 vacation days per year [1].", identifier="base"))
    assert repository("merge", "--no-edit", "one", check=False).returncode != 0
    with pytest.raises(Exception, match=r"base\.golden\.json: contains the marks of a merge conflict"):
        repository.store.golden("base")

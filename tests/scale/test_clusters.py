"""The same parts on a Dask cluster."""

import pytest
from scale_runs import check, write_rows

from pytest_grounding.cli import main


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.delenv("GROUNDING_JOBS", raising=False)
    write_rows(tmp_path / "a.transcripts.jsonl", 40, size=9_000)
    return tmp_path


def test_a_cluster_gives_the_report_of_one_process(folder):
    plain = check(folder, "a.transcripts.jsonl", "--json")
    done = check(folder, "a.transcripts.jsonl", "--json", "--engine", "dask", "--jobs", "1")
    assert (done.stdout, done.returncode) == (plain.stdout, plain.returncode), done.stderr


def test_an_unreachable_cluster_is_reported(folder, capsys):
    assert main(["check", "a.transcripts.jsonl", "--engine", "dask=nowhere"]) == 2
    errors = capsys.readouterr().err
    assert "nowhere: no cluster with a worker answers" in errors
    assert len(errors.splitlines()) == 1

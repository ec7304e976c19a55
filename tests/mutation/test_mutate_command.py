"""``mutate`` on the command line: exit status, what is printed where, JSON whose shape is pinned."""

import json
import subprocess

import pytest
import warm_starts

from pytest_grounding.cli import main
from pytest_grounding.testing import Example

BLIND = [f"--set={kind}_threshold=0" for kind in ("supported", "borderline", "alignment")]
FACT = "Refunds are paid within 14 days of the return."


def transcript(name, answer=f"{FACT[:-1]} [1].", **more):
    chunks = [FACT, "The shop opens at noon."]
    return Example("How long do refunds take?", chunks, id=name).answered(answer, **more)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    # An ini file of its own, so that no file above the temporary folder counts.
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    return tmp_path


def write(path, *values):
    path.write_text("".join(json.dumps(value) + "\n" for value in values), encoding="utf-8")
    return path.name


def command(folder, *words):
    return subprocess.run(
        [warm_starts.python(), "-m", "pytest_grounding", "mutate", *words],
        capture_output=True,
        text=True,
        cwd=folder,
        check=False,
    )


def test_a_run_prints_the_table_and_writes_nothing_else(folder):
    name = write(folder / "a.transcripts.jsonl", transcript("a"), transcript("b"))
    done = command(folder, name)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert "untouched: 2 transcripts" in done.stdout
    assert "citation_invented" in done.stdout
    assert sorted(path.name for path in folder.iterdir()) == ["a.transcripts.jsonl", "pytest.ini"]


def test_a_minimum_that_is_not_reached_fails(folder):
    name = write(folder / "a.transcript.json", transcript("a"))
    words = (name, "--fault", "off_topic", "--fault", "citation_invented", *BLIND)
    assert command(folder, *words, "--min-catch", "0.5").returncode == 0
    done = command(folder, *words, "--min-catch", "0.9")
    assert done.returncode == 1
    assert "FAIL: catch rate of all faults 0.500, wanted at least 0.9" in done.stdout
    done = command(folder, *words, "--min-catch", "citation_invented=1", "--min-catch", "off_topic=0.1")
    assert done.returncode == 1
    assert "ok: catch rate of citation_invented 1.000, wanted at least 1" in done.stdout
    assert "FAIL: catch rate of off_topic 0.000, wanted at least 0.1" in done.stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--fault", "typo"], "fault 'typo' is not planted; write one of: new_number, "),
        (["--min-catch", "typo=0.5"], "fault 'typo' is not planted"),
        (["--fault", "unit", "--min-catch", "date=0.5"], "fault 'date' is not planted; write one of: unit"),
        (["--min-catch", "1.5"], "--min-catch '1.5' is not a rate"),
        (["--min-catch", "nan"], "--min-catch 'nan' is not a rate"),
        (["--min-catch", "unit="], "--min-catch 'unit=' is not a rate"),
        (["--fault", "antonym"], "nothing to mutate: no place for antonym"),
        (["--set", "colour=1"], "setting 'colour'"),
    ],
)
def test_wrong_usage_exits_with_2(folder, capsys, words, message):
    name = write(folder / "a.transcript.json", transcript("a"))
    assert main(["mutate", name, *words]) == 2
    captured = capsys.readouterr()
    assert message in captured.err
    assert captured.out == ""


@pytest.mark.parametrize("words", [["--limit", "0"], ["--limit", "x"], ["--seed", "x"]])
def test_a_number_out_of_range_is_a_usage_error(folder, words):
    name = write(folder / "a.transcript.json", transcript("a"))
    done = command(folder, name, *words)
    assert done.returncode == 2
    assert "usage:" in done.stderr


def test_unreadable_rows_are_reported_and_the_others_used(folder):
    path = folder / "a.transcripts.jsonl"
    write(path, transcript("a"))
    path.write_text(path.read_text() + "{broken\n")
    done = command(folder, path.name, "--fault", "off_topic")
    assert done.returncode == 2
    assert "a.transcripts.jsonl:2" in done.stderr
    assert "off_topic" in done.stdout
    done = command(folder, "nowhere.json")
    assert done.returncode == 2
    assert "does not exist" in done.stderr


def test_transcripts_that_are_meant_to_fail_are_left_out(folder):
    bad = transcript("bad", metadata={"expected_status": "reject"})
    name = write(folder / "a.transcripts.jsonl", transcript("good"), bad)
    done = command(folder, name, "--json", "--fault", "off_topic")
    report = json.loads(done.stdout)
    assert report["left_out"] == ["bad"]
    assert report["untouched"]["transcripts"]["total"] == 1


def test_the_json_has_fixed_fields(folder):
    name = write(folder / "a.transcript.json", transcript("a"))
    done = command(folder, name, "--json", "--fault", "off_topic", "--min-catch", "0", "--seed", "7", *BLIND)
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert done.stdout == json.dumps(report, ensure_ascii=False, sort_keys=True, indent=2) + "\n"
    rate = {"count", "total", "rate", "low", "high"}
    assert set(report) == {
        "schema_version", "seed", "limit", "settings_hash", "engine_version", "supported_claims", "left_out",
        "untouched", "overall", "faults", "minimums", "status",
    }  # fmt: skip
    assert (report["schema_version"], report["seed"], report["status"]) == (1, 7, "pass")
    assert set(report["untouched"]) == {"transcripts", "claims", "not_passed"}
    assert set(report["overall"]) == set(report["untouched"]["claims"]) == rate
    (fault,) = report["faults"]
    assert set(fault) == {"fault", "about", "caught", "named_by", "survivors"}
    (survivor,) = fault["survivors"]
    assert set(survivor) == {
        "transcript", "claim", "change", "before", "after", "status", "support", "gate",
    }  # fmt: skip
    assert set(report["minimums"][0]) == {"fault", "wanted", "rate", "reached"}

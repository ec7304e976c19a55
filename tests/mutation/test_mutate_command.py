"""``mutate`` on the command line: exit status, what is printed where, JSON whose shape is pinned."""

import json
import subprocess

import pytest
import warm_starts

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

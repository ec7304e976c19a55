"""``mutate`` on the command line: JSON whose shape is pinned."""

import json

import pytest

from pytest_grounding.cli import main
from pytest_grounding.testing import Example


def test_the_json_has_fixed_fields(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    # An ini file of its own, so that no file above the temporary folder counts.
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    asked = Example(
        "How long do refunds take?", ["Refunds are paid within 14 days.", "The shop opens at noon."]
    )
    row = asked.answered("Refunds are paid within 14 days [1].", id="a")
    (tmp_path / "a.transcript.json").write_text(json.dumps(row))
    blind = [f"--set={kind}_threshold=0" for kind in ("supported", "borderline", "alignment")]
    words = ["--json", "--fault", "off_topic", "--min-catch", "0", "--seed", "7", *blind]
    assert main(["mutate", "a.transcript.json", *words]) == 0
    said = capsys.readouterr().out
    report = json.loads(said)
    assert said == json.dumps(report, ensure_ascii=False, sort_keys=True, indent=2) + "\n"
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


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A folder with one right answer."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    asked = Example("How long do refunds take?", ["Refunds are paid within 14 days."])
    row = asked.answered("Refunds are paid within 14 days [1].", id="a")
    (tmp_path / "a.transcript.json").write_text(json.dumps(row))
    return tmp_path


def test_failure_modes_get_a_name_that_pytest_collects(project, capsys):
    assert main(["mutate", "a.transcript.json", "-o", "modes.json"]) == 2
    assert "modes.json: is not a name for a file of" in capsys.readouterr().err
    assert not (project / "modes.json").exists()
    assert main(["mutate", "a.transcript.json", "-o", "modes.transcripts.jsonl"]) == 0
    made = (project / "modes.transcripts.jsonl").read_text(encoding="utf-8").splitlines()
    assert {json.loads(line)["metadata"]["expected_status"] for line in made} == {"reject"}


def test_no_failure_mode_is_kept_where_no_fault_is_rejected(project, capsys):
    blind = [f"--set={kind}_threshold=0" for kind in ("supported", "borderline", "alignment")]
    words = ["--fault", "off_topic", *blind, "--set=reject_confidence=0", "--set=max_hallucination_rate=1"]
    assert main(["mutate", "a.transcript.json", "-o", "modes.transcripts.jsonl", *words]) == 2
    assert "no planted fault is rejected, so none is kept; use stricter settings" in capsys.readouterr().err
    assert not (project / "modes.transcripts.jsonl").exists()

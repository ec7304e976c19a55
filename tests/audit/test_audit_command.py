"""``python -m pytest_grounding.audit`` and ``check --audit``."""

import json
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import pytest
from made_verdicts import verdict

import pytest_grounding as pg
from pytest_grounding.audit import writing
from pytest_grounding.cli import main, program
from pytest_grounding.settings import ENVIRONMENT

audit = partial(program, "audit", "pytest_grounding.audit")

GOOD = {
    "id": "good",
    "question": "How many vacation days do employees receive per year?",
    "chunks": [{"id": "hr-1", "text": "Employees receive 25 vacation days per year."}],
    "answer": "Employees receive 25 vacation days per year [1].",
}
BAD = {**GOOD, "id": "bad", "answer": "Employees receive 30 vacation days per year [9]."}


@pytest.fixture(autouse=True)
def _own_folder(tmp_path, monkeypatch):
    for name in ENVIRONMENT:
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def log(tmp_path):
    found = pg.AuditLog(tmp_path / "audit.jsonl", session_id="s-1")
    for transcript in (GOOD, BAD):
        found.append(pg.validate(transcript), transcript, processing_time_ms=1.0)
    found.append(verdict("line\x1b[31m\nfeed"), session_id="s-2")
    found.append(pg.validate({**BAD, "answer": GOOD["answer"]}), session_id="s-2")
    return found


def test_show_names_day_and_confidence_and_finds_an_audit_id(log, capsys):
    assert audit(["show", "audit.jsonl"]) == 0
    first = capsys.readouterr().out.splitlines()[0]
    assert first.startswith(f"{next(log.records()).timestamp[:10]} ")
    assert first.split()[2:] == ["PASS", f"{pg.validate(GOOD).confidence:.2f}", "good"]
    assert audit(["show", "audit.jsonl", "--id", pg.validate(BAD).audit_id]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "1 validation"


def test_show_prints_the_lines_of_the_log_as_json(log, capsys):
    assert audit(["show", "audit.jsonl", "--json"]) == 0
    assert capsys.readouterr().out == log.path.read_text(encoding="utf-8")


def test_show_reports_a_damaged_line(log, capsys):
    lines = log.path.read_bytes().splitlines(keepends=True)
    log.path.write_bytes(lines[0] + b"not a record\n" + lines[2])
    assert audit(["show", "audit.jsonl"]) == 2
    shown = capsys.readouterr()
    assert shown.out.splitlines()[-1] == "2 validations"
    assert shown.err == "pytest-grounding: audit.jsonl:2: is not an audit record\n"


def test_verify_names_damage(log, capsys):
    log.path.write_bytes(log.path.read_bytes().replace(b'"status":"REJECT"', b'"status":"PASS"'))
    assert audit(["verify", "audit.jsonl"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "damaged: audit.jsonl:2: was edited: it does not match its own hash"
    assert lines[1].startswith("audit.jsonl: DAMAGED")
    assert audit(["verify", "audit.jsonl", "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert found["intact"] is False
    assert found["damage"] == [
        {"path": "audit.jsonl", "line": 2, "message": "was edited: it does not match its own hash"}
    ]


def test_prune_removes_only_with_yes(log, capsys, monkeypatch):
    later = datetime.now(UTC) + timedelta(days=30)
    with monkeypatch.context() as patch:
        patch.setattr(writing, "now", lambda: later.isoformat().replace("+00:00", "Z"))
        log.append(verdict("young"))
    assert audit(["prune", "audit.jsonl"]) == 0
    assert capsys.readouterr().out == "audit.jsonl: nothing is older than 90 days\n"

    class Later(datetime):
        @classmethod
        def now(cls, tz=None):
            return later

    monkeypatch.setattr("pytest_grounding.cli.audit.datetime", Later)
    before = log.path.read_bytes()
    assert audit(["prune", "audit.jsonl", "--set", "audit_retention_days=20"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1] == "nothing was changed; pass --yes to remove them"
    assert lines[-2].startswith("would remove 4 validations, from ")
    assert log.path.read_bytes() == before
    assert audit(["prune", "audit.jsonl", "--days", "20", "--json", "--yes"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["pruned"], found["validations"], found["days"]) == (True, 4, 20)
    assert [record.transcript_id for record in log.records()] == ["young"]
    assert audit(["verify", "audit.jsonl"]) == 0
    assert "4 validations written before " in capsys.readouterr().out


def test_check_writes_what_it_validates(tmp_path, capsys):
    Path("t.jsonl").write_text(f"{json.dumps(GOOD)}\n{json.dumps(BAD)}\n", encoding="utf-8")
    assert main(["check", "t.jsonl", "--json"]) == 1
    without = capsys.readouterr().out
    assert main(["check", "t.jsonl", "--json", "--set", "audit=logs/audit.jsonl"]) == 1
    assert capsys.readouterr().out == without
    assert main(["check", "t.jsonl", "-q", "--set", "audit=logs/audit.jsonl"]) == 1
    assert capsys.readouterr().out.splitlines()[-1] == "audit log: 2 validations written to logs/audit.jsonl"
    records = list(pg.AuditLog("logs/audit.jsonl").records())
    assert [record.transcript_id for record in records] == ["good", "bad"] * 2
    assert all(record.processing_time_ms and record.query == GOOD["question"] for record in records)

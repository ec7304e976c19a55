"""How old the recorded answers are stands in the summary of a run."""

import json
from datetime import date

from every import each
from made_runs import run, transcript

from pytest_grounding.cli import main
from pytest_grounding.reports.terminal import run_lines
from pytest_grounding.settings import ENVIRONMENT

GOOD = "Employees receive 25 vacation days per year [1]."


def answered(identifier, recorded_at=None):
    more = {} if recorded_at is None else {"metadata": {"recorded_at": recorded_at}}
    return transcript(identifier, GOOD, **more)


def said(*transcripts, today=date(2026, 3, 12)):
    report, _ = run(transcripts)
    return [line.text for line in run_lines(report, today=today) if line.text.startswith("recorded answers")]


def test_the_oldest_is_named_with_its_age():
    rows = [answered("young", "2026-03-11T08:00:00+00:00"), answered("old", "2026-03-02"), answered("none")]
    expected = "recorded answers: 2026-03-02 (old) to 2026-03-11 (the oldest is 10 days old); 1 without a day"
    assert said(*rows) == [expected]
    assert said(*rows, today=None) == [
        "recorded answers: 2026-03-02 (old) to 2026-03-11; 1 without a day",
    ]


def test_one_day_and_a_clock_ahead():
    assert said(answered("a", "2026-03-13T00:00:00Z")) == [
        "recorded answers: 2026-03-13 (the oldest is 0 days old)"
    ]


@each(None, 7, "", "yesterday", "2026-13-40T00:00:00", ["2026-03-02"])
def test_what_is_no_day_is_left_out(value):
    row = transcript("a", GOOD, metadata={"recorded_at": value})
    assert row.recorded_on is None
    assert said(row) == []


def test_check_and_its_report_hold_the_day(tmp_path, capsys, monkeypatch):
    for name in ENVIRONMENT:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    row = answered("a", "2025-01-31T23:59:00+00:00")
    (tmp_path / "a.transcript.json").write_text(row.model_dump_json(), encoding="utf-8")
    assert main(["check", "a.transcript.json"]) == 0
    assert "recorded answers: 2025-01-31 (the oldest is " in capsys.readouterr().out
    assert main(["check", "a.transcript.json", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["transcripts"][0]["recorded_on"] == "2025-01-31"


def test_a_golden_holds_no_second_day(tmp_path):
    """The day stands in its transcript already, and a new day alone is not a change of the verdict."""
    from pytest_grounding import validate
    from pytest_grounding.golden.golden_file import Golden

    row = answered("a", "2025-01-31")
    assert Golden.of(row, validate(row)).verdict.recorded_on is None

"""A run against its baseline where both are large: the same comparison, whichever way it is read."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import peaks
import pytest
from made_verdicts import verdict
from scale_runs import row

from pytest_grounding import Settings
from pytest_grounding.baseline import compare, sides, store
from pytest_grounding.baseline.figures import changes_over, sides_of
from pytest_grounding.baseline.store import baseline_of, read_baseline, write_baseline
from pytest_grounding.baseline.suite import decide
from pytest_grounding.cli import main
from pytest_grounding.model.baseline import Entry
from pytest_grounding.model.run import RunFacts, RunReport
from pytest_grounding.model.verdict import Verdict
from pytest_grounding.scale.shelf import Shelf


def _suite(number: int, *, worse: int = 0, repeats: int = 1) -> list[Verdict]:
    """Verdicts of which every tenth fails, and ``worse`` more of them."""
    return [
        verdict(
            f"q{index:04}" + (f"#{again + 1}" if repeats > 1 else ""),
            status="reject" if index % 10 == 0 or index < worse else "pass",
            confidence=0.2 if index % 10 == 0 or index < worse else 0.9,
        )
        for index in range(number)
        for again in range(repeats)
    ]


def _shelved(found: list[Verdict], settings: Settings) -> tuple[RunReport, Shelf]:
    shelf = Shelf(settings)
    for item in found:
        shelf.add(item, failed=False)
    return RunReport.shelved(shelf.verdicts, RunFacts()), shelf


@pytest.mark.parametrize("policy", ["any", "tolerance=0.02", "significant=0.05"])
def test_a_comparison_is_the_same_read_from_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, policy: str
) -> None:
    settings = Settings(baseline_policy=policy)
    before, after = _suite(120, repeats=2)[3:], _suite(125, worse=9, repeats=2)[:-5]
    path = tmp_path / "baseline.json"
    write_baseline(baseline_of(decide(RunReport.of(before), settings), settings), path)
    whole = read_baseline(path)
    monkeypatch.setattr(store, "LARGE", 100)
    streamed = read_baseline(path)
    assert isinstance(whole.transcripts, tuple)
    assert not isinstance(streamed.transcripts, tuple)
    assert tuple(streamed.transcripts) == whole.transcripts
    assert streamed.transcripts[7:9] == whole.transcripts[7:9]
    held = decide(RunReport.of(after), settings, whole)
    report, shelf = _shelved(after, settings)
    read = decide(report, settings, streamed, tally=shelf.tally)
    assert read.to_json() == held.to_json()
    assert held.gate is not None
    assert held.gate.baseline is not None
    assert len(held.gate.baseline.flipped) == 15
    assert len(held.gate.baseline.added) == 8
    assert len(held.gate.baseline.vanished) == len({item.id for item in before} - {item.id for item in after})


def test_known_findings_stand_in_a_streamed_baseline_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    rows = [row(index, is_right=index % 6 != 5) for index in range(12)]
    path = tmp_path / "a.transcripts.jsonl"
    path.write_text("".join(json.dumps(item) + "\n" for item in rows), encoding="utf-8")
    assert main(["baseline", "b.json", path.name, "--set", "baseline_gate=new"]) == 0
    asked = ["check", path.name, "-q", "--baseline", "b.json", "--set", "baseline_gate=new", "--json"]
    capsys.readouterr()
    status = main(asked)
    whole = capsys.readouterr().out
    monkeypatch.setattr(store, "LARGE", 100)
    assert main(asked) == status == 0
    assert capsys.readouterr().out == whole


def test_what_is_not_as_it_was_written_is_read_as_a_whole_and_refused_in_the_same_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "baseline.json"
    settings = Settings()
    write_baseline(baseline_of(decide(RunReport.of(_suite(30)), settings), settings), path)
    monkeypatch.setattr(store, "LARGE", 100)
    text = path.read_text(encoding="utf-8")
    path.write_text(json.dumps(json.loads(text)), encoding="utf-8")
    assert isinstance(read_baseline(path).transcripts, tuple)
    path.write_text(text.replace('"id":"q0007"', '"id":"q0006"'), encoding="utf-8")
    with pytest.raises(Exception, match="lists the transcript 'q0006' twice"):
        read_baseline(path)
    path.write_text(text[: text.index('"id":"q0020"')], encoding="utf-8")
    with pytest.raises(Exception, match="is not JSON"):
        read_baseline(path)


def test_of_many_questions_a_seeded_sample_is_compared_and_that_is_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    settings = Settings(baseline_policy="significant=0.05")
    monkeypatch.setattr(sides.Sides.__init__, "__defaults__", (50,))
    before, after = _suite(400), _suite(400, worse=80)
    baseline = baseline_of(decide(RunReport.of(before), settings), settings)
    found = decide(RunReport.of(after), settings, baseline)
    assert found.gate is not None
    against = found.gate.baseline
    assert against is not None
    assert {item.pairs for item in against.figures} == {50}
    # Who flipped is told of all.
    assert len(against.flipped) == 72
    assert (
        "the figures are compared over a sample of 50 of 400 transcripts (seed 20240601); who flipped, moved "
        "or vanished is told of all"
    ) in against.notes
    again = decide(RunReport.of(list(reversed(after))), settings, baseline)
    assert again.to_json() == found.to_json()


def test_a_sample_does_not_depend_on_the_order_of_the_transcripts() -> None:
    settings = Settings()
    entries = [Entry.of(item) for item in _suite(300, repeats=2)]
    found = []
    for order in (entries, entries[::-1], entries[1::2] + entries[::2]):
        both = sides.Sides(sides_of(settings)._parts, most=40)
        for entry in order:
            both.add(0, entry)
            both.add(1, entry)
        assert both.is_sample
        assert len(both.questions()) == 40
        found.append(changes_over(both, settings))
    assert found[0] == found[1] == found[2]


def test_lists_of_many_thousands_name_the_first_and_count_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compare, "MOST", 5)
    settings = Settings(baseline_policy="any")
    baseline = baseline_of(decide(RunReport.of(_suite(100)), settings), settings)
    found = decide(RunReport.of(_suite(130, worse=40)), settings, baseline)
    assert found.gate is not None
    against = found.gate.baseline
    assert against is not None
    assert [item.id for item in against.flipped] == ["q0001", "q0002", "q0003", "q0004", "q0005"]
    assert against.more == {"added": 25, "flipped to the worse": 31}
    assert against.reasons[0].startswith("36 transcripts flipped to the worse: q0001 (pass -> reject), q0002")
    assert against.reasons[0].endswith(" and 31 more")
    # A comparison that leaves nothing out says nothing of it.
    assert '"more"' not in decide(RunReport.of(_suite(101)), settings, baseline).to_json()


@pytest.mark.slow
def test_memory_does_not_grow_with_a_baseline(tmp_path: Path) -> None:
    code = (
        peaks.PEAK + "from pytest_grounding.baseline import store\n"
        "store.LARGE = 100\n"
        "from pytest_grounding.cli import main\n"
        "main(['check', 'a.transcripts.jsonl', '-q', '--baseline', 'b.json'])\n"
        "print(peak(), file=sys.stderr)\n"
    )
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    found = []
    for number in (300, 3000):
        rows = "".join(json.dumps(row(index, is_right=index % 6 != 5)) + "\n" for index in range(number))
        (tmp_path / "a.transcripts.jsonl").write_text(rows, encoding="utf-8")
        make = [sys.executable, "-m", "pytest_grounding", "baseline", "b.json", "a.transcripts.jsonl"]
        subprocess.run(make, cwd=tmp_path, check=True, capture_output=True)
        done = subprocess.run(
            [sys.executable, "-c", code], cwd=tmp_path, check=True, capture_output=True, text=True
        )
        found.append(int(done.stderr.splitlines()[-1]))
    # numpy resamples some megabytes more of more questions.
    assert found[1] < 1.5 * found[0], found

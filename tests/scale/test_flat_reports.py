"""Reports of any size: read back from a file, they are what they were; and they stay of a bounded size."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import xml.etree.ElementTree as ET
from pathlib import Path

import peaks
import pyarrow.parquet
import pytest
from made_verdicts import citation, claim, verdict
from scale_runs import row, write_rows

from pytest_grounding import Settings
from pytest_grounding.baseline.suite import decide
from pytest_grounding.cli import main
from pytest_grounding.model.finding import Finding
from pytest_grounding.model.run import RunFacts, RunReport
from pytest_grounding.model.verdict import Verdict
from pytest_grounding.reports import issues, junit, parquet
from pytest_grounding.reports.context import Context
from pytest_grounding.reports.write import formats, render
from pytest_grounding.scale import shelf as shelves
from pytest_grounding.scale.shelf import Shelf


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    return tmp_path


def _found(number: int) -> list[Verdict]:
    """Verdicts with findings of all kinds, in no order of their ids."""
    found = []
    for index in range(number):
        wrong = index % 3 == 0
        grave = Finding(rule="number", severity="error" if wrong else "warning", message="m", claim=0)
        found.append(
            verdict(
                f"id-{(index * 7919) % 1000:03}",
                transcript_hash=f"{index:064}",
                status="reject" if wrong else "review" if index % 5 == 0 else "pass",
                confidence=float("nan") if index == 4 else (index % 17) / 17,
                claims=[claim("contradicted" if wrong else "supported")],
                citations=[citation(not wrong)],
                findings=(grave,) if index % 2 else (),
                recorded_on=f"2026-01-{index % 28 + 1:02}",
                source="a.jsonl",
                line=index + 1,
            )
        )
    return found


def _both(found: list[Verdict], settings: Settings) -> tuple[RunReport, RunReport]:
    """The same run with its verdicts in memory, and read back from a file."""
    failed = tuple(item.id for item in found if item.status == "reject")
    held = decide(RunReport.of(found, RunFacts(failed=failed)), settings)
    shelf = Shelf(settings)
    for item in found:
        shelf.add(item, failed=item.status == "reject")
    report = RunReport.shelved(shelf.verdicts, RunFacts(failed=failed))
    return held, decide(report, settings, tally=shelf.tally)


@pytest.mark.parametrize("kept", [0, 1000])
def test_every_kind_of_report_is_the_same_to_the_byte(monkeypatch: pytest.MonkeyPatch, kept: int) -> None:
    monkeypatch.setattr(shelves, "KEPT", kept)
    monkeypatch.setattr(shelves, "IN_MEMORY", 1000)
    settings = Settings(report_rows=20)
    held, read = _both(_found(60), settings)
    assert isinstance(held.transcripts, tuple)
    assert not isinstance(read.transcripts, tuple)
    context = Context(settings=settings)
    for kind in formats():
        assert render(read, kind, context) == render(held, kind, context), kind
    assert read.to_json() == held.to_json()
    assert read.as_dict() == held.as_dict()
    assert read.transcripts[3] == held.transcripts[3]
    assert read.transcripts[5:9] == held.transcripts[5:9]
    assert len(read.transcripts) == 60
    with pytest.raises(IndexError):
        read.transcripts[60]


def test_a_row_that_is_taken_twice_counts_once() -> None:
    shelf = Shelf(Settings())
    one = verdict("one")
    assert shelf.add(one, failed=False)
    assert not shelf.add(one, failed=False)
    assert shelf.tally.counts["transcripts"] == len(shelf.verdicts) == 1


@pytest.mark.parametrize("kept", [0, 1000])
def test_a_question_that_a_setting_let_through_is_read_back(
    here: Path, monkeypatch: pytest.MonkeyPatch, kept: int
) -> None:
    monkeypatch.setattr(shelves, "KEPT", kept)
    long = {**row(1), "question": f"How long {'really ' * 400}do refunds take?"}
    (here / "a.transcripts.jsonl").write_text(json.dumps(long) + "\n")
    words = ["check", "a.transcripts.jsonl", "-q", "--set", "question_max_length=9000"]
    for parts in ([], ["--jobs", "1"]):
        assert main([*words, *parts, "--report", "html:a.html"]) == 0
        assert "really really" in Path("a.html").read_text(encoding="utf-8")


def test_a_page_shows_the_worst_and_says_how_many_it_leaves_out(here: Path) -> None:
    write_rows(here / "a.transcripts.jsonl", 30)
    main(["check", "a.transcripts.jsonl", "-q", "--report", "html:whole.html", "--report", "json:all.json"])
    few = ["--set", "report_rows=8", "--report", "html:few.html"]
    assert main(["check", "a.transcripts.jsonl", "-q", *few]) == 1
    whole, page = (Path(name).read_text(encoding="utf-8") for name in ("whole.html", "few.html"))
    assert "This page shows" not in whole
    assert whole.count('<details class="row') == 30
    assert page.count('<details class="row') == 8
    assert "This page shows 8 of 30 transcripts, the worst first" in page
    rejected = {
        item["id"]
        for item in json.loads(Path("all.json").read_text())["transcripts"]
        if item["status"] == "reject"
    }
    assert len(rejected) == 5
    assert all(f'id="t-{name}"' in page for name in rejected)
    # The figures are those of all.
    figures = page[page.index('<h2 id="h-figures"') : page.index('<h2 id="h-cited"')]
    assert "25 of 30" in figures
    assert figures in whole


def test_junit_sarif_and_gitlab_leave_out_the_mildest_and_count_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(junit, "MOST", 10)
    monkeypatch.setattr(issues, "MOST", 6)
    _, report = _both(_found(60), Settings())
    suite = ET.fromstring(render(report, "junit")).find("testsuite")
    assert suite is not None
    cases = [case for case in suite.findall("testcase") if case.get("classname") == "a.jsonl"]
    assert len(cases) == 10
    assert all(case.find("failure") is not None for case in cases)
    told = {item.get("name"): item.get("value") for item in suite.findall("properties/property")}
    assert told["grounding.left_out"] == "50"
    assert told["grounding.transcripts"] == "60"

    run = json.loads(render(report, "sarif"))["runs"][0]
    assert [item["level"] for item in run["results"]] == ["error"] * 6
    assert run["properties"] == {"leftOut": 40 - 6}
    entries = json.loads(render(report, "gitlab"))
    assert len(entries) == 7
    assert entries[-1]["description"] == "34 more findings are not in this list"

    notes = render(report, "github-annotations").splitlines()
    assert sum(line.startswith("::error file") for line in notes) == 6
    assert "::notice title=grounding::10 more warnings" in notes


@pytest.mark.slow
@pytest.mark.parametrize("how", [(), ("--jobs", "2")], ids=["one process", "two workers"])
def test_memory_does_not_grow_with_the_number_of_rows(here: Path, how: tuple[str, ...]) -> None:
    """Peak memory of ten times the rows, as a ratio: a verdict that was held would cost 20 to 60 KB."""
    found = []
    for number in (500, 5000):
        (here / "a.transcripts.jsonl").write_text(
            "".join(json.dumps(row(index, is_right=index % 6 != 5)) + "\n" for index in range(number))
        )
        command = [
            sys.executable,
            "-c",
            _PEAK,
            "check",
            "a.transcripts.jsonl",
            "-q",
            "--report",
            "html:a.html",
            *how,
        ]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 1, done.stderr
        found.append([int(text) for text in done.stderr.splitlines()[-1].split()])
    for small, large in zip(*found, strict=True):
        assert large < max(1.3 * small, 1), found
        assert large < MOST_BYTES, found


#: Of the command and of its largest worker, whatever the size of the run.
MOST_BYTES = 250_000_000
_PEAK = (
    peaks.PEAK
    + """
from pytest_grounding.cli import main
status = main(sys.argv[1:])
unit = 1 if sys.platform == "darwin" else 1024
print(peak(), resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * unit, file=sys.stderr)
sys.exit(status)
"""
)


def test_bad_input_in_the_last_row_is_named_and_all_else_is_scored(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    number = 400
    path = write_rows(here / "a.transcripts.jsonl", number)
    with open(path, "a", encoding="utf-8") as stream:
        stream.write('{"id": "broken", "question": "How long?", \n')
    assert main(["check", path.name, "-q"]) == 2
    told = capsys.readouterr()
    assert told.err.startswith(f"{path.name}:{number + 1}: is not JSON")
    assert f"transcripts: {number} (" in told.out
    assert f"1 row could not be read: {path.name}:{number + 1}" in told.out


def test_an_id_that_stands_twice_is_named_with_both_places_also_beyond_what_memory_holds(
    here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from pytest_grounding import _spill

    monkeypatch.setattr(_spill.Spilling.__init__, "__defaults__", (5,))
    path = write_rows(here / "a.transcripts.jsonl", 40)
    with open(path, "a", encoding="utf-8") as stream:
        stream.write(json.dumps(row(2)) + "\n" + json.dumps(row(39)) + "\n")
    assert main(["check", path.name, "-q"]) == 2
    told = capsys.readouterr()
    assert f"{path.name}:41: id: 'r2' is the id of another transcript too, at {path.name}:3" in told.err
    assert f"{path.name}:42: id: 'r39' is the id of another transcript too, at {path.name}:40" in told.err
    assert "transcripts: 40 (" in told.out


def test_a_full_temporary_folder_is_one_sentence(here: Path) -> None:
    write_rows(here / "a.transcripts.jsonl", 300)
    code = (
        "import sys, resource\n"
        "from pytest_grounding.scale import shelf\n"
        "shelf.IN_MEMORY = 20_000\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))\n"
        "import signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "from pytest_grounding.cli import main\n"
        "sys.exit(main(['check', 'a.transcripts.jsonl', '-q']))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 2, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    assert "the temporary folder" in done.stderr
    assert "TMPDIR" in done.stderr


def test_parquet_holds_a_row_a_transcript_and_its_claims(
    here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parquet, "GROUP", 4)
    write_rows(here / "a.transcripts.jsonl", 10)
    asked = ["--report", "parquet:out/run.parquet", "--report", "json:run.json"]
    assert main(["check", "a.transcripts.jsonl", "-q", *asked]) == 1
    known = json.loads(Path("run.json").read_text(encoding="utf-8"))
    table = pyarrow.parquet.read_table("out/run.parquet")
    assert pyarrow.parquet.ParquetFile("out/run.parquet").num_row_groups == 3
    rows = table.to_pylist()
    assert [row["id"] for row in rows] == [item["id"] for item in known["transcripts"]]
    assert [row["id"] for row in rows if row["failed"]] == known["run"]["failed"] == ["r5"]
    wrong = next(row for row in rows if row["id"] == "r5")
    assert (wrong["status"], wrong["source"], wrong["line"]) == ("reject", "a.transcripts.jsonl", 6)
    assert [claim["status"] for claim in wrong["claims"]] == ["contradicted"]
    assert wrong["confidence"] == known["transcripts"][rows.index(wrong)]["confidence"]
    assert [path.name for path in Path("out").iterdir()] == ["run.parquet"]

    capsys.readouterr()
    for target in ("parquet", "parquet:-"):
        assert main(["check", "a.transcripts.jsonl", "-q", "--report", target]) == 2
        assert f"report {target!r} names no file; write parquet:PATH" in capsys.readouterr().err


def test_a_shelf_may_be_let_go_in_another_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    # The collector of rubbish runs in whatever thread makes the most of it.
    told: list[object] = []
    monkeypatch.setattr(sys, "excepthook", lambda *error: told.append(error))
    monkeypatch.setattr(sys, "unraisablehook", told.append)
    held = [Shelf(Settings())]
    thread = threading.Thread(target=held.clear)
    thread.start()
    thread.join()
    assert not held
    assert told == []

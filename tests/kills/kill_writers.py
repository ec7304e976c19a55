"""Every writer of files that the package has, as the kill loop drives it.

A writer that is built later joins by a line in `WRITERS`; `test_every_writer_is_registered` names the module
that is not driven by any.
"""

from collections.abc import Callable, Set
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from made_verdicts import verdict

from pytest_grounding import Settings, validate
from pytest_grounding._io.jsonio import read_records, write_json, write_json_lines
from pytest_grounding.audit import AuditLog
from pytest_grounding.engine.recording import record
from pytest_grounding.engine.transcript_input import load_transcripts
from pytest_grounding.errors import CassetteError
from pytest_grounding.gate.waivers import Waiver, add, read
from pytest_grounding.golden.golden_file import Golden, Pending, read_golden, read_pending
from pytest_grounding.golden.golden_store import GoldenStore, append, decisions, line_of_golden
from pytest_grounding.model.run_report import RunReport
from pytest_grounding.model.transcript import Transcript
from pytest_grounding.reports.write import write_run
from pytest_grounding.scale.partition import InputLine, check_partition
from pytest_grounding.scale.plan import InputPiece, Plan, PlanPart
from pytest_grounding.scorers.remote.cassette_file import CassetteRecord, Request
from pytest_grounding.scorers.remote.cassette_file import Store as Cassette
from pytest_grounding.suite.baseline_file import baseline_of, read_baseline, write_baseline
from pytest_grounding.suite.shards import read_shard, shard_of, write_shard
from pytest_grounding.suite.suite_figures import decide_suite

#: Long enough for a kill to come in the middle of a write.
FILE = "grounding.waivers.jsonl"
FILLER = "The parcel is insured. " * 300


@dataclass(frozen=True)
class Writer:
    """One kind of file.

    Attributes:
        write: writes piece number so-and-so into a folder; when it returns, the piece is finished.
        held: the numbers that the package's own reader finds in the folder; it raises what a user would see.
        keeps_all: each piece is kept; else the last one takes the place of the one before.
        modules: the modules of the package whose writing this drives.
    """

    write: Callable[[Path, int], object]
    held: Callable[[Path], Set[int]]
    keeps_all: bool
    modules: tuple[str, ...]


SETTINGS = Settings()
PLAN = Plan(hash="a" * 64, ingredients={}, parts=(), values=({},), folder="", root="")


def _part(folder, number):
    # A piece that is not an input takes the shortest way to a line.
    piece = InputPiece(path=f"{number}", kind="problem", message=FILLER)
    check_partition(PlanPart(index=number, pieces=(piece,)), PLAN.model_copy(update={"folder": str(folder)}))


def _in_parts(folder):
    lines = [InputLine.model_validate_json(path.read_bytes()) for path in folder.glob("[0-9]*.jsonl")]
    return {int(line.problem.place.partition(":")[0]) for line in lines if line.problem is not None}


def _cassette(folder, number):
    cassette = Cassette(folder / "c.jsonl")
    request = Request("s", "m", {}, {"query": f"{number} {FILLER}"})
    cassette.append([CassetteRecord(request, {"n": number}, "2026-01-02")], replace=False)
    if number % 3 == 0:
        # What was appended is finished; where the sorted file has no room, it stays in the journal.
        with suppress(CassetteError):
            cassette.compact()


def _in_cassette(folder):
    return {item.reply["n"] for item in Cassette(folder / "c.jsonl").records()}


def _audit(folder, number):
    AuditLog(folder / "audit.jsonl", required=True).append(verdict(str(number)))


def _in_audit(folder):
    log = AuditLog(folder / "audit.jsonl")
    assert all(item.is_torn for item in log.verify().damage), log.verify().damage
    return {int(item.transcript_id) for item in log.records()}


def _golden_of(number):
    transcript = Transcript.model_validate(
        {
            "id": f"g{number}",
            "question": "Is the parcel insured?",
            "chunks": [{"id": "c", "text": "The parcel is insured."}],
            "answer": "The parcel is insured [1].",
            "metadata": {"n": number, "filler": FILLER},
        }
    )
    return Golden.of(transcript, _JUDGED.model_copy(update={"id": transcript.id}))


_JUDGED = validate(
    {"id": "g", "question": "Is it?", "chunks": [{"id": "c", "text": "It is."}], "answer": "It is."}
)


def _golden(folder, number):
    GoldenStore.beside(folder).accept(_golden_of(number))


def _in_goldens(folder):
    return {int(read_golden(path).id[1:]) for path in GoldenStore.beside(folder).goldens()}


def _candidate(folder, number):
    GoldenStore.beside(folder).put_pending(Pending(candidate=_golden_of(number), against=None))


def _in_candidates(folder):
    return {int(read_pending(path).candidate.id[1:]) for path in GoldenStore.beside(folder).candidates()}


def _decision(folder, number):
    pending = Pending(candidate=_golden_of(0), against=None)
    line = line_of_golden(pending, "accept", reason=str(number), by=FILLER)
    append(GoldenStore.beside(folder), pending.candidate.id, line)


def _in_decisions(folder):
    return {int(item["reason"]) for item in decisions(GoldenStore.beside(folder), "g0")}


def _run_of(number):
    return decide_suite(RunReport.of([verdict(str(number), reason=FILLER)]), SETTINGS)


def _baseline(folder, number):
    write_baseline(baseline_of(_run_of(number), SETTINGS), folder / "baseline.json")


def _in_baseline(folder):
    return {int(item.id) for item in read_baseline(folder / "baseline.json").transcripts}


def _shard(folder, number):
    write_shard(shard_of(_run_of(number), SETTINGS, name="job"), folder / "shard.json")


def _in_shard(folder):
    return {int(item.id) for item in read_shard(folder / "shard.json").report.transcripts}


def _report(folder, number):
    for kind in ("html", "junit", "json"):
        write_run(_run_of(number), folder / f"report.{kind}", format=kind)


def _in_report(folder):
    (read,) = read_records(folder / "report.json")
    page = folder.joinpath("report.html").read_text(encoding="utf-8")
    assert page.rstrip().endswith("</html>")
    assert folder.joinpath("report.junit").read_text(encoding="utf-8").rstrip().endswith("</testsuites>")
    return {int(item.id) for item in RunReport.model_validate(read.value).transcripts}


def _recording(folder, number):
    answer = {"chunks": [{"id": "c", "text": FILLER}], "answer": FILLER}
    record(lambda question: answer, f"Is parcel {number} insured?", to=folder / "recordings", id=f"r{number}")


def _in_recordings(folder):
    return {
        int(item.id[1:])
        for path in folder.joinpath("recordings").glob("*.json")
        for item in load_transcripts(path)
    }


def _waiver(folder, number):
    waiver = Waiver(
        rule="unsupported_claim",
        transcript=str(number),
        claim=FILLER,
        claim_hash="0" * 16,
        evidence_hash="0" * 16,
        reason="accepted",
        by="Ada",
        day="2026-11-22",
    )
    add(folder / FILE, [waiver])


def _in_waivers(folder):
    return {int(item.transcript) for item in read(folder / FILE)}


def _document(folder, number, *, lines):
    value = {"n": number, "filler": FILLER}
    if lines:
        write_json_lines(folder / "d.jsonl", [value, value, value])
    else:
        write_json(folder / "d.json", value)


def _in_document(folder, *, lines):
    found = [item.value["n"] for item in read_records(folder / ("d.jsonl" if lines else "d.json"))]
    assert len(found) == (3 if lines else 1)
    return set(found)


WRITERS = {
    "part": Writer(_part, _in_parts, True, ("scale/partition.py", "scale/driver.py")),
    "waivers": Writer(_waiver, _in_waivers, True, ("gate/waivers.py",)),
    "cassette": Writer(_cassette, _in_cassette, True, ("scorers/remote/cassette_file.py",)),
    "audit": Writer(_audit, _in_audit, True, ("audit/writing.py",)),
    "golden": Writer(_golden, _in_goldens, True, ("golden/golden_store.py",)),
    "candidate": Writer(_candidate, _in_candidates, True, ("golden/golden_store.py",)),
    "decision": Writer(_decision, _in_decisions, True, ("golden/golden_store.py",)),
    "baseline": Writer(_baseline, _in_baseline, False, ("suite/baseline_file.py",)),
    "shard": Writer(_shard, _in_shard, False, ("suite/shards.py",)),
    "report": Writer(
        _report, _in_report, False, ("reports/write.py", "plugin/aggregate.py", "cli/write_reports.py")
    ),
    "recording": Writer(_recording, _in_recordings, True, ("engine/recording.py",)),
    # What these write is one document, or lines, handed to the same two functions.
    "document": Writer(
        partial(_document, lines=False),
        partial(_in_document, lines=False),
        False,
        (
            "_io/jsonio.py",
            "golden/golden_store.py",
            "plugin/inspection.py",
            "scorers/remote/judge/contract.py",
            "cli/calibrate.py",
            "cli/record.py",
            "cli/review.py",
            "testing.py",
        ),
    ),
    "lines": Writer(
        partial(_document, lines=True),
        partial(_in_document, lines=True),
        False,
        ("_io/jsonio.py", "cli/show_transcripts.py", "testing.py"),
    ),
}

"""``pytest-grounding check``: validate transcripts and decide the gate."""

from __future__ import annotations

import argparse
import contextlib
import os
import shlex
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_grounding._io import listeners
from pytest_grounding._io.progress import Progress
from pytest_grounding._io.wording import counted, decimals
from pytest_grounding.cli import check_answer, configuration, transcripts
from pytest_grounding.cli import checked_outputs as outputs
from pytest_grounding.cli import parser as arguments
from pytest_grounding.cli.configuration import Effective
from pytest_grounding.cli.standard_streams import reader_may_leave, width
from pytest_grounding.cli.transcripts import cover
from pytest_grounding.cli.write_reports import deliver
from pytest_grounding.engine import registry
from pytest_grounding.engine.prefetch_judgements import prefetched
from pytest_grounding.engine.validation import examine, refuse_unusable
from pytest_grounding.engine.waiving import waivers_of
from pytest_grounding.errors import AuditError, InputError, SettingsError
from pytest_grounding.gate import GateOutcome, outcome_of
from pytest_grounding.importers.load_files import Row
from pytest_grounding.model.baseline_values import Baseline
from pytest_grounding.model.kept_values import KeptTranscripts, KeptVerdicts
from pytest_grounding.model.run_report import RunFacts, RunReport
from pytest_grounding.model.transcript import Transcript
from pytest_grounding.model.verdict import Verdict
from pytest_grounding.reports.terminal import run_lines, safe, short_text, verdict_text, wrapped
from pytest_grounding.reports.write import STDOUT, ReportTarget, parse_target
from pytest_grounding.settings import FIELDS, Settings
from pytest_grounding.suite.baseline_file import read_baseline
from pytest_grounding.suite.known_findings import KnownFindings
from pytest_grounding.suite.suite_figures import decide_suite
from pytest_grounding.suite.tally import Counting, IdleWaivers

if TYPE_CHECKING:
    from pytest_grounding.audit.log import Trail
    from pytest_grounding.scale.driver import Workers
    from pytest_grounding.scale.partition import Checked, PartResult


_AS_JSON = ReportTarget("json", STDOUT)
_WORST = 5
#: Most missing baseline transcripts that are listed; for the few files of a commit nearly all are missing.
_NAMED = 5
VARIABLE = "GROUNDING_JOBS"
#: The lines to print for the claims of an answer.
Claims = Callable[[Verdict, Transcript], Iterable[str]]
_IN_FULL = 20  # most failures printed in full; the others get one line each
_SHORTENED = 500  # after each of so many failures, what is not printed of them is dropped


def run(args: argparse.Namespace) -> int:
    """Validate, print and decide; ``commands.tsv`` has the exit status."""
    if not all(name.strip() for name in args.sources):
        # A blank name would exclude everything, which looks like success.
        hint = "write a document, path, address or pattern"
        raise InputError("names no source", field="--source", hint=hint)
    effective = configuration.effective(args)
    outputs.refuse(args, outputs.files_of(effective.settings, effective.baseline))
    trail = _audit_trail(effective)
    with reader_may_leave(bool(args.report) or trail is not None):
        return _check_and_report(args, effective, trail)


def _targets_of(args: argparse.Namespace) -> list[ReportTarget]:
    """Where reports go; ``json:-`` is the same as ``--json``: what reads it reads one document."""
    targets = list(map(parse_target, args.report))
    args.json = args.json or _AS_JSON in targets
    return [target for target in targets if target != _AS_JSON]


def _check_and_report(args: argparse.Namespace, effective: Effective, trail: Trail | None) -> int:
    targets = _targets_of(args)
    is_text = any(check_answer.is_answer(path, args.sources) for path in args.paths)
    claims = check_answer.lines_of_answer if is_text else None
    say = None if args.json or args.quiet else RowPrinter(is_long=args.verbose, claims=claims)
    values = effective.settings.as_dict()
    changed = [f"{name}={value}" for name, value in values.items() if value != FIELDS[name].default]
    if say and effective.file is not None and (changed or effective.file.parent != Path.cwd()):
        print(f"configuration file: {os.path.relpath(effective.file)}")
    for folder in effective.unknown_folders:
        problem = f"grounding_directories names {folder}, and there is no such folder"
        print(f"pytest-grounding: {problem}", file=sys.stderr)
    if say and changed:
        print(f"settings: {', '.join(changed)}".replace("\n", "; "), end="\n\n")
    held = _baseline_of(args, effective)
    is_cut = args.jobs or args.engine or args.work or os.environ.get(VARIABLE, "").strip()
    if is_cut and listeners.answers(configuration.REDACTORS, {}):
        problem = "a conftest.py takes secrets out of what is sent, and other processes do not read it"
        raise InputError(problem, field="--jobs", hint="leave out --jobs, --work and --engine")
    parts: contextlib.AbstractContextManager[InParts | None] = contextlib.nullcontext()
    if is_text:
        found = check_answer.answer_rows(args.paths, args.sources, effective.settings)
        parts = contextlib.nullcontext(InParts(_checked_rows(found, effective, trail), RunFacts()))
    elif is_cut:
        parts = _in_parts(args, effective, trail)
    is_all = transcripts.say_left_out(args.paths, effective.settings)
    # The paths cover the project only if they contain the folder of the configuration file.
    is_project = effective.file is not None and cover(args.paths, effective.file.parent)
    held = replace(held, is_whole=held.is_whole or (is_all and is_project))
    with parts as done:
        report, kept = validated(
            args.paths,
            effective,
            sources=() if is_text else args.sources,
            keep=any(target.kind != "json" for target in targets),
            held=held,
            say=say,
            trail=trail,
            parts=done,
            is_all=is_all,
        )
    if args.json:
        sys.stdout.writelines(report.json_pieces())
    elif report.transcripts or report.run.expected or not report.run.problems:
        # If nothing could be read, the errors have already been printed.
        print_run(report, figures=args.verbose, told=say is not None)
    deliver(report, targets, kept, settings=effective.settings, to_stderr=args.json)
    if trail is not None:
        for text in () if args.json else trail.lines():
            print(text)
        for text in trail.problems():
            print(f"pytest-grounding: {text}", file=sys.stderr)
    if report.run.problems or (trail is not None and trail.failed):
        return 2
    # A part that could not be scored may contain anything: undecided is not passed.
    return 1 if report.gate is None or report.run.interrupted or report.gate.status == "fail" else 0


@dataclass(frozen=True, slots=True)
class ComparedWith:
    """What a run is compared with."""

    file: str | None = None
    baseline: Baseline | None = None
    is_whole: bool = True

    def narrowed(self, verdicts: KeptVerdicts) -> tuple[str, ...]:
        """Why a run with these verdicts is a partial run."""
        seen = {head.id for head in verdicts.heads}
        expected = () if self.baseline is None or self.is_whole else self.baseline.transcripts
        others = [entry.id for entry in expected if entry.id not in seen]
        if not others:
            return ()
        names = f": {', '.join(others)}" if len(others) <= _NAMED else ""
        return (f"{counted(len(others), 'transcript')} of {self.file} not in these paths{names}",)


def _baseline_of(args: argparse.Namespace, effective: Effective) -> ComparedWith:
    is_needed = effective.settings.baseline_gate == "new"
    file = args.baseline or (effective.baseline if is_needed else "")
    if not file:
        if is_needed:
            advice = "name its file with --baseline FILE, or in the key grounding_baseline"
            raise SettingsError(f"baseline_gate = new needs a baseline; {advice}")
        return ComparedWith()
    return ComparedWith(file, read_baseline(file), is_whole=bool(args.baseline))


def validated(
    paths: list[str],
    effective: Effective,
    *,
    say: RowPrinter | None = None,
    held: ComparedWith | None = None,
    keep: bool = False,
    trail: Trail | None = None,
    sources: Sequence[str] = (),
    parts: InParts | None = None,
    is_all: bool = True,
) -> tuple[RunReport, Mapping[str, Transcript]]:
    """The decided report over all transcripts of the paths; unreadable rows are its problems."""
    held, settings = held or ComparedWith(), effective.settings
    refresh = f"pytest-grounding baseline {shlex.join([held.file or '', *paths])}"
    known = None
    if held.baseline is not None and settings.baseline_gate != "all":
        known = KnownFindings(held.baseline)
    found = _validated_rows(paths, sources, effective, trail) if parts is None else parts.rows
    is_waiving = settings.waivers_file and settings.waivers != "off"
    waivers = IdleWaivers(waivers_of(settings.waivers_file)) if is_waiving else None
    verdicts, transcripts, facts = _take_rows(found, effective, known, waivers, keep=keep, say=say)
    done = parts.facts if parts is not None else RunFacts()
    changes: dict[str, object] = {
        "narrowed": (*(f"--source {name}" for name in sources), *held.narrowed(verdicts)),
        "promised": tuple(paths),
        "interrupted": done.interrupted,
        "judgements": (*done.judgements, *registry.judgements_used()),
    }
    registry.finish_recording()
    if waivers is not None:
        is_whole = is_all and not changes["narrowed"] and cover(paths, Path(settings.waivers_file).parent)
        unused, expired = waivers.unused_and_expired(is_whole=is_whole)
        changes |= {"waivers_unused": unused, "waivers_expired": expired}
    facts = facts.model_copy(update=changes)
    report = decide_suite(RunReport.of(verdicts, facts), settings, held.baseline, refresh=refresh)
    return report, transcripts


def _audit_trail(effective: Effective) -> Trail | None:
    settings = effective.settings
    if not settings.audit and not effective.directories:
        return None
    from pytest_grounding.audit.log import AuditLog, Trail  # imported here for cost: most runs keep no log

    is_needed = settings.audit and settings.audit_required
    if is_needed and (problem := AuditLog(settings.audit, settings=settings).problem()):
        raise AuditError(problem)
    return Trail(Path.cwd())


def print_run(report: RunReport, *, figures: bool = True, told: bool = False) -> None:
    """Print the figures, the worst findings and the decision, without what was already printed."""
    # Unreadable rows were reported when they were read.
    shown = report.model_copy(update={"run": report.run.model_copy(update={"problems": ()})})
    known = frozenset(report.run.failed) if told else frozenset[str]()
    today = datetime.now(UTC).date()
    for line in run_lines(shown, worst=_WORST, today=today, figures=figures, told=known):
        print(*wrapped(line.text, width()), sep="\n")


@dataclass(frozen=True, slots=True)
class InParts:
    """A finished run in parts: its rows in input order, and why it is incomplete."""

    rows: Iterator[Checked]
    facts: RunFacts


@contextlib.contextmanager
def _in_parts(args: argparse.Namespace, effective: Effective, trail: Trail | None) -> Iterator[InParts]:
    """Run a check in parts, and keep its work folder locked until the report is written."""
    from pytest_grounding.scale import driver as scale
    from pytest_grounding.scale.partition import checked_rows as rows_of_parts
    from pytest_grounding.scale.plan import make_plan

    jobs, workers = _workers(args)
    asked = [sorted(args.paths), sorted(args.sources)]
    folder = Path(args.work) if args.work else scale.default_folder(asked)
    refuse_unusable(effective.settings)

    given = {"settings_for": effective.for_path, "sources": args.sources}
    make = partial(make_plan, args.paths, effective.settings, folder, **given)
    with scale.alone_in(folder):
        done = scale.drive(folder, make, workers, jobs, replace=not args.work)
        results = list(done.results.values())
        try:
            _refuse_nothing(args.sources, results)
        except InputError:
            if not args.work:
                scale.remove_folder(folder)
            raise
        for result in results:
            if trail is not None and result.audit:
                trail.add(result.audit)
        judgements = tuple(use for result in results for use in result.judgements)
        facts = RunFacts(interrupted=done.unscored, judgements=judgements)
        yield InParts(rows_of_parts(done.plan, done.results), facts)
    if not done.unscored and not args.work:
        scale.remove_folder(folder)


def _workers(args: argparse.Namespace) -> tuple[int, Workers]:
    from pytest_grounding.scale import driver as scale

    try:
        jobs = scale.number_of_jobs(args.jobs or os.environ.get(VARIABLE, "").strip() or "auto")
    except SettingsError as error:
        raise error if args.jobs else SettingsError(f"{error} (from the variable {VARIABLE})") from None
    name, _, address = (args.engine or "processes").partition("=")
    if name == "dask":
        return jobs, scale.cluster(address)
    if name != "processes" or address:
        problem = f"engine = {args.engine!r} is not known; write processes, dask or dask=tcp://HOST:PORT"
        raise SettingsError(problem)
    return jobs, scale.processes


def _refuse_nothing(sources: list[str], results: list[PartResult]) -> None:
    is_left_out = any(result.left_out for result in results)
    if sources and is_left_out and not any(result.rows - result.unread for result in results):
        raise arguments.no_source(sources, sorted({name for result in results for name in result.sources}))
    if not is_left_out and not any(result.rows or result.failure for result in results):
        raise InputError("no transcript was found", hint="give a file or folder with some")


def _validated_rows(
    paths: list[str], sources: Sequence[str], effective: Effective, trail: Trail | None
) -> Iterator[Checked]:
    settings = effective.settings
    refuse_unusable(settings)
    found = transcripts.transcript_rows(paths, settings)
    found = transcripts.of_sources(found, sources, settings) if sources else found

    def asked(row: Row) -> tuple[Transcript, Settings] | None:
        return (row.transcript, effective.for_path(row.path)) if row.transcript else None

    found = prefetched(found, asked) if settings.record != "none" else found
    return _checked_rows(found, effective, trail)


def _take_rows(
    found: Iterable[Checked],
    effective: Effective,
    held: KnownFindings | None,
    waivers: IdleWaivers | None,
    *,
    keep: bool,
    say: RowPrinter | None,
) -> tuple[KeptVerdicts, KeptTranscripts, RunFacts]:
    noted = Counting()
    verdicts, shown = KeptVerdicts(), KeptTranscripts()
    progress = Progress()
    for number, item in enumerate(found, start=1):
        row, verdict = item.row, item.verdict
        progress.show(number, len(noted.failed) + len(noted.problems))
        if verdict is None:
            progress.end()
            print(safe(str(row.error)), file=sys.stderr, flush=True)
            # A path that matches nothing and a file that is not text have no line.
            has_line = row.error is None or row.error.line is not None
            noted.unreadable(f"{row.path}:{row.line}" if has_line else row.path, str(row.error))
            continue
        outcome = outcome_of(verdict, effective.for_path(row.path), wanted=item.wanted, known=held)
        if waivers is not None:
            waivers.add(verdict)
        failed, expected = outcome.is_failed, outcome.is_expected
        if noted.take(outcome.verdict.id, failed=failed, expected=expected, elapsed_ms=item.elapsed_ms):
            verdicts.append(verdict)
            if keep and row.transcript is not None:
                shown.add(verdict.transcript_hash, row.transcript)
        if say is not None:
            progress.end()
            say.take(outcome, row.transcript, held)
    progress.end()
    if say is not None:
        say.print_failures()
    return verdicts, shown, noted.facts(effective.settings)


def _checked_rows(rows: Iterable[Row], effective: Effective, trail: Trail | None) -> Iterator[Checked]:
    from pytest_grounding.scale.partition import Checked

    for row in rows:
        if row.transcript is None:
            yield Checked(row, None, None)
            continue
        settings = effective.for_path(row.path)
        found = examine(row.transcript, settings, place=row.place)
        if trail is not None and settings.audit and settings.enabled:
            trail.write(found.verdict, row.transcript, settings, found.elapsed_ms)
        yield Checked(row, found.verdict, found.wanted, found.elapsed_ms)


class RowPrinter:
    """Prints the failing rows, the worst first; with ``is_long`` also those that pass."""

    def __init__(self, *, is_long: bool, claims: Claims | None = None) -> None:
        self._is_long = is_long
        self._claims = claims
        self._failures: list[tuple[tuple[int, float, int], str]] = []

    def take(self, outcome: GateOutcome, transcript: Transcript | None, held: KnownFindings | None) -> None:
        """Print a row that is as expected, if requested; keep a failure for later."""
        verdict, wanted = outcome.verdict, outcome.wanted
        if self._claims is not None and transcript is not None:
            print(f"{verdict.shown_status.upper()} {safe(verdict.id)}: {safe(verdict.reason)}")
            for text in self._claims(verdict, transcript):
                print(*wrapped(text, width()), sep="\n")
            print()
            return
        if outcome.is_failed:
            new_alone = verdict if held is None else held.without_known(verdict)[0]
            lead = f"expected {wanted}, but: " if wanted is not None else ""
            if self._is_long:
                text = f"{lead}{verdict_text(new_alone, transcript)}"
            else:
                text = short_text(new_alone, f"{lead}{verdict.shown_status.upper()} {safe(verdict.id)}: ")
            known = -1.0 if verdict.confidence is None else verdict.confidence
            self._failures.append(((verdict.status != "reject", known, len(self._failures)), text))
            if not self._is_long and len(self._failures) % _SHORTENED == 0:
                self._shorten()
        elif verdict.skipped:
            print(f"skipped: {safe(verdict.id)} ({safe(verdict.reason)})")
        elif self._is_long or outcome.failure:
            note = " (as expected)" if wanted else ""
            if outcome.failure:
                note = " (known)"
            print(f"{verdict.status}{note}: {safe(verdict.id)} (confidence {decimals(verdict.confidence)})")

    def _shorten(self) -> None:
        self._failures.sort()
        for number, (rank, text) in enumerate(self._failures[_IN_FULL:], start=_IN_FULL):
            self._failures[number] = rank, text.partition("\n")[0]

    def print_failures(self) -> None:
        """Print the failures, the worst first; only the first ones in full."""
        for number, (_, text) in enumerate(sorted(self._failures)):
            is_full = self._is_long or number < _IN_FULL
            print(*wrapped(f"{text}\n" if is_full else text.partition("\n")[0], width()), sep="\n")

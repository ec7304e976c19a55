"""``pytest-grounding check``: validate transcripts and decide the gate."""

from __future__ import annotations

import argparse
import contextlib
import shlex
import sys
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from pytest_grounding._io import observers as _observers
from pytest_grounding._io.wording import counted
from pytest_grounding.audit import AuditLog
from pytest_grounding.audit.log import Trail
from pytest_grounding.cli import check_in_parts, configuration, transcripts
from pytest_grounding.cli import checked_outputs as outputs
from pytest_grounding.cli import checked_rows as rows
from pytest_grounding.cli import parser as arguments
from pytest_grounding.cli.check_in_parts import InParts
from pytest_grounding.cli.configuration import Effective
from pytest_grounding.cli.parser import repeated, switch
from pytest_grounding.cli.standard_streams import reader_may_leave, width
from pytest_grounding.cli.transcripts import cover
from pytest_grounding.cli.write_reports import deliver
from pytest_grounding.engine import registry
from pytest_grounding.engine.waiving import waivers_of
from pytest_grounding.errors import AuditError, InputError, SettingsError
from pytest_grounding.model.baseline_values import Baseline
from pytest_grounding.model.run_report import RunFacts, RunReport
from pytest_grounding.model.transcript import Transcript
from pytest_grounding.model.verdict import Verdict
from pytest_grounding.reports.terminal import fit, run_lines
from pytest_grounding.reports.write import parse_target
from pytest_grounding.settings import FIELDS
from pytest_grounding.suite.baseline_file import read_baseline
from pytest_grounding.suite.known_findings import KnownFindings
from pytest_grounding.suite.suite_figures import decide
from pytest_grounding.suite.tally import IdleWaivers

EPILOG = (
    "Exit status: 0 nothing failed (the gate passed, was undecided or is off), 1 the gate failed, or part of "
    "the work was not scored, 2 wrong usage or unreadable input, 130 interrupted."
)

_WORST = 5
#: Missing transcripts of the baseline that are named; of a commit's few files nearly all would be.
_NAMED = 5


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    parser.add_argument("paths", nargs="+", metavar="PATH", help="a transcript file, a folder or a pattern")
    switch(parser, "--json", help="print the run's report as JSON")
    parser.add_argument(
        "--baseline",
        type=arguments.named,
        metavar="FILE",
        help="hold the figures and each transcript against this baseline",
    )
    repeated(
        parser,
        "--report",
        "KIND:PATH",
        help="write a report too, such as html:report.html or github-summary; may be given several times",
    )
    arguments.add_source(parser)
    parser.add_argument("--corpus", metavar="PATH", help="the documents behind the retriever")
    shown = parser.add_mutually_exclusive_group()
    switch(shown, "--quiet", "-q", help="print the count and the gate alone")
    switch(shown, "--verbose", "-v", help="list what passes too, with all findings, confidences and figures")
    check_in_parts.add_arguments(parser)
    configuration.add_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Validate, print and decide; see `EPILOG` for the exit status."""
    arguments.refuse_blank(args.sources)
    effective = configuration.effective(args)
    outputs.refuse(args, outputs.files_of(effective.settings, effective.baseline))
    trail = _audit_trail(effective)
    with reader_may_leave(bool(args.report) or trail is not None):
        return _checked(args, effective, trail)


def _checked(args: argparse.Namespace, effective: Effective, trail: Trail | None) -> int:
    targets = [parse_target(text) for text in args.report]
    say = None if args.json or args.quiet else rows.Told(is_long=args.verbose)
    if say:
        _print_settings(effective)
    held = _baseline_of(args, effective)
    is_cut = check_in_parts.is_asked(args)
    if is_cut and _observers.answers(configuration.REDACTORS, {}):
        problem = "a conftest.py takes secrets out of what is sent, and other processes do not read it"
        raise InputError(problem, field="--jobs", hint="leave out --jobs, --work and --engine")
    parts: contextlib.AbstractContextManager[InParts | None] = contextlib.nullcontext()
    if is_cut:
        parts = check_in_parts.in_parts(args, effective, trail)
    is_all = transcripts.say_left_out(args.paths, effective.settings)
    # Nothing lies beside the folder of the configuration file, or one above it.
    is_project = effective.file is not None and cover(args.paths, effective.file.parent)
    held = held._replace(is_whole=held.is_whole or (is_all and is_project))
    with parts as done:
        report, kept = validated(
            args.paths,
            effective,
            say=say,
            held=held,
            keep=bool(targets),
            trail=trail,
            sources=args.sources,
            parts=done,
            is_all=is_all,
        )
    if args.json:
        sys.stdout.write(report.to_json())
    elif report.transcripts or report.run.expected or not report.run.problems:
        # Where nothing could be read, the errors say all that there is to say.
        print_run(report, figures=args.verbose, told=say is not None)
    deliver(report, targets, kept, settings=effective.settings, to_stderr=args.json)
    if trail is not None:
        for text in () if args.json else trail.lines():
            print(text)
        for text in trail.problems():
            print(f"pytest-grounding: {text}", file=sys.stderr)
    if report.run.problems or (trail is not None and trail.failed):
        return 2
    # A part that nobody could score may hold anything: what is undecided has not passed.
    is_short = report.gate is None or bool(report.run.interrupted)
    return 1 if is_short or (report.gate is not None and report.gate.status == "fail") else 0


class Held(NamedTuple):
    """What a run is held against."""

    file: str | None = None
    baseline: Baseline | None = None
    is_whole: bool = True

    def narrowed(self, verdicts: Iterable[Verdict]) -> tuple[str, ...]:
        """Why a run with these verdicts is a partial one, in words."""
        if self.baseline is None or self.is_whole:
            return ()
        seen = {verdict.id for verdict in verdicts}
        others = [entry.id for entry in self.baseline.transcripts if entry.id not in seen]
        if not others:
            return ()
        names = f": {', '.join(others)}" if len(others) <= _NAMED else ""
        return (f"{counted(len(others), 'transcript')} of {self.file} not in these paths{names}",)


def _baseline_of(args: argparse.Namespace, effective: Effective) -> Held:
    is_needed = effective.settings.baseline_gate == "new"
    file = args.baseline or (effective.baseline if is_needed else "")
    if not file:
        if is_needed:
            raise SettingsError(
                "baseline_gate = new needs a baseline; name its file with --baseline FILE, or in the key "
                "grounding_baseline"
            )
        return Held()
    return Held(file, read_baseline(file), is_whole=bool(args.baseline))


def validated(
    paths: list[str],
    effective: Effective,
    *,
    say: rows.Told | None = None,
    held: Held | None = None,
    keep: bool = False,
    trail: Trail | None = None,
    sources: Sequence[str] = (),
    parts: InParts | None = None,
    is_all: bool = True,
) -> tuple[RunReport, Mapping[str, Transcript]]:
    """The decided report over all transcripts of the paths; bad rows are its problems."""
    held, settings = held or Held(), effective.settings
    refresh = f"pytest-grounding baseline {shlex.join([held.file or '', *paths])}"
    known = None
    if held.baseline is not None and settings.baseline_gate != "all":
        known = KnownFindings(held.baseline)
    found = rows.validated(paths, sources, effective, trail) if parts is None else parts.rows
    is_waiving = settings.waivers_file and settings.waivers != "off"
    waivers = IdleWaivers(waivers_of(settings.waivers_file)) if is_waiving else None
    verdicts, transcripts, facts = rows.taken(found, effective, known, waivers, keep=keep, say=say)
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
    report = decide(RunReport.of(verdicts, facts), settings, held.baseline, refresh=refresh)
    return report, transcripts


def _audit_trail(effective: Effective) -> Trail | None:
    settings = effective.settings
    if not settings.audit and not effective.directories:
        return None
    if settings.audit and settings.audit_required:
        problem = AuditLog(settings.audit, settings=settings).problem()
        if problem:
            raise AuditError(problem)
    return Trail(Path.cwd())


def _print_settings(effective: Effective) -> None:
    values = effective.settings.as_dict()
    changed = [f"{name}={value}" for name, value in values.items() if value != FIELDS[name].default]
    if changed:
        print(f"settings: {', '.join(changed)}".replace("\n", "; "), end="\n\n")


def print_run(report: RunReport, *, figures: bool = True, told: bool = False) -> None:
    """The figures, the worst findings and the decision; what has been told is not said again."""
    # The rows that could not be read have been reported where they stood.
    facts = report.run.model_copy(update={"problems": ()})
    shown = report.model_copy(update={"run": facts})
    known = frozenset(report.run.failed) if told else frozenset[str]()
    today = datetime.now(UTC).date()
    for line in run_lines(shown, worst=_WORST, today=today, figures=figures, told=known):
        print(*fit(line.text, width()), sep="\n")

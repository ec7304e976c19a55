"""Build the run's report from the test reports of all workers, print it and write it."""

from __future__ import annotations

import json
import shutil
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from pytest_grounding._io.wording import counted, listed
from pytest_grounding.errors import GroundingError, InputError
from pytest_grounding.model.run_report import RecordedJudgements, RunFacts, RunReport
from pytest_grounding.model.transcript import OF_OURS, Transcript
from pytest_grounding.model.verdict import Verdict
from pytest_grounding.plugin.files import refresh_command
from pytest_grounding.plugin.items import DIED, SKIPPED, XFAIL, unpacked
from pytest_grounding.plugin.option_table import root_of, runs_nothing
from pytest_grounding.plugin.run_state import RunState, cut_short, interruptions, narrowed_by, of
from pytest_grounding.reports.report_links import LinkContext, links_to, prefix_of
from pytest_grounding.reports.terminal import is_suite, run_lines, wrapped
from pytest_grounding.reports.write import STDOUT, render_report, write_run
from pytest_grounding.suite.baseline_file import write_baseline
from pytest_grounding.suite.known_findings import held_in_words, renew
from pytest_grounding.suite.shards import shard_of, write_shard
from pytest_grounding.suite.suite_figures import decide_suite
from pytest_grounding.suite.tally import Counting

_SHARD = "a shard of the suite; pytest-grounding merge decides over all of them"
#: Placeholder in the files of a running run: a killed run leaves it there.
_RUNNING = "it was started and has not come to its end"
_COLOURS = {"good": {"green": True}, "bad": {"red": True}, "warn": {"yellow": True}, "head": {"bold": True}}


def decide_run(found: RunReport, state: RunState) -> RunReport:
    """Decide on a run with a baseline or on a shard, and write the requested files."""
    configured = state.configured
    settings, path = configured.settings, configured.baseline_path
    if configured.shard_path is not None:
        _write_shard(found, state, configured.shard_path)
        facts = found.run.model_copy(update={"narrowed": (*found.run.narrowed, _SHARD)})
        undecided = settings.with_values({"partial_runs": "undecided"})
        return decide_suite(found.model_copy(update={"run": facts}), undecided)
    if path is None:
        return decide_suite(found, settings, configured.baseline)
    refresh = "" if configured.baseline_update else refresh_command(path)
    report = decide_suite(found, settings, configured.baseline, refresh=refresh)
    if configured.baseline_update:
        _update(report, state, path)
    return report


def _write_shard(found: RunReport, state: RunState, path: Path) -> None:
    parts = {"tests": state.ran, "deselected": state.left_out, "ran": state.finished}
    shard = shard_of(found, state.configured.settings, name=path.stem, **parts)
    try:
        write_shard(shard, path)
    except OSError as error:
        state.problem = f"{path}: cannot be written ({error.strerror or error})"
    else:
        state.said.append(f"shard written: {path.name}")


def _update(report: RunReport, state: RunState, path: Path) -> None:
    configured = state.configured
    allow_new = bool(state.config.getoption("grounding_baseline_allow_new"))
    try:
        found = renew(configured.baseline, report, configured.settings, allow_new=allow_new)
        write_baseline(found.baseline, path)
    except InputError as error:
        state.problem = str(error)
    else:
        state.problem = found.refusal("--grounding-baseline-allow-new") or state.problem
        state.said.append(f"baseline written: {path.name}, {held_in_words(found.baseline)}")


def _with_own_rules(report: RunReport, state: RunState) -> RunReport:
    """The report with facts of the run: reruns, and promised files without transcripts."""
    gate, summary = report.gate, report.summary
    if gate is None or summary is None:
        return report
    changes: dict[str, Any] = {}
    if again := state.again | (state.attempts.keys() & state.found.keys()):
        number = counted(len(again), "test")
        changes["notes"] = (*gate.notes, f"{number} ran more than once; the last attempt counts")
    off = summary.switched_off.get("hallucination detection", 0)
    if off and off == summary.transcripts and state.configured.promised:
        said = listed(state.configured.promised)
        reason = f"hallucination detection is switched off for all {off} transcripts, in spite of {said}"
        changes.update(status="fail", reasons=(*gate.reasons, reason))
    return report.model_copy(update={"gate": gate.model_copy(update=changes)})


def decide_and_write(session: pytest.Session, state: RunState) -> bool:
    """Build the report of the run, decide, and write it where it was asked for."""
    report = _with_own_rules(decide_run(collect(session, state), state), state)
    state.report = report
    path = state.configured.json_path
    if path is not None:
        try:
            write_run(report, path)
        except OSError as error:
            state.problem = f"{path}: cannot be written ({error.strerror or error})"
            return False
    if state.configured.reports:
        state.problem = _write_all(state, report) or state.problem
    if state.problem or report.gate is None or report.gate.status == "fail":
        return False
    # A narrowed run is known not to decide; one that ended early must not look like a pass.
    return not (report.gate.status == "undecided" and report.run.interrupted)


def _write_all(state: RunState, report: RunReport) -> str:

    targets, settings = state.configured.reports, state.configured.settings
    root = prefix_of(root_of(state.config))
    context = LinkContext(state.transcripts, root, links_to("", targets), settings)
    for given, target in zip(state.config.getoption("grounding_report"), targets, strict=True):
        if not target.path:
            state.said.append(f"not written: {given} (nothing here reads it)")
            continue
        try:
            if target.path == STDOUT:
                state.said.extend(render_report(report, target.kind, context).splitlines())
                continue
            write_run(report, target.path, format=target.kind, context=context)
        except GroundingError as error:
            return f"{given}: {error}"
        except OSError as error:
            return f"{target.path}: cannot be written ({error.strerror or error})"
        state.said.append(f"written: {given}")
    return ""


def mark_begun(session: pytest.Session) -> None:
    """Write placeholders that mark the run as unfinished into reports for other programs."""
    state = of(session.config)
    if state.is_worker or runs_nothing(session):
        return
    configured = state.configured
    report = RunReport.of((), RunFacts(interrupted=(_RUNNING,)))
    try:
        if configured.json_path is not None:
            write_run(decide_suite(report, configured.settings), configured.json_path)
        if configured.shard_path is not None:
            path = configured.shard_path
            write_shard(shard_of(report, configured.settings, name=path.stem), path)
    except OSError:
        pass  # the end of the run reports that the file cannot be written


def collect(session: pytest.Session, state: RunState) -> RunReport:
    """The verdicts and facts of the run, undecided; the transcripts behind them go to the state."""
    noted, seen, left_out = Counting(), set[str](), dict[str, str]()
    verdicts: list[Verdict] = []
    transcripts: dict[str, Transcript] = {}
    for told, verdict, transcript in chain.from_iterable(state.found.values()):
        said = json.loads(told)
        if "id" not in said:
            noted.unreadable(said["place"], said["message"])
            continue
        identifier = said["id"]
        seen.add(identifier)
        role, elapsed = said["role"], said.get("ms")
        if noted.take(identifier, failed=said["failed"], expected=role != "counted", elapsed_ms=elapsed):
            verdicts.append(Verdict.model_validate_json(unpacked(verdict)))
            if transcript:
                shown = Transcript.model_validate_json(unpacked(transcript), context=OF_OURS)
                transcripts[verdicts[-1].transcript_hash] = shown
        elif said["role"] == XFAIL:
            left_out[identifier] = XFAIL
    state.transcripts = transcripts
    # Cutting a suite into shards does not narrow it.
    is_shard = state.configured.shard_path is not None
    narrowed = cut_short(session, state) if is_shard else narrowed_by(session, state)
    interrupted = interruptions(session, state)
    missing: dict[str, str] = {}
    for nodeid, identifier in sorted(state.held.items()):
        why = state.outcomes.get(nodeid, "no test validated it")
        if why == XFAIL:
            noted.expected.append(identifier)
        if identifier not in seen and why.startswith((XFAIL, SKIPPED)):
            left_out[identifier] = min(why, left_out.get(identifier, why))
        # Tests that were not reached or not selected are not missing; those that died with a worker are.
        is_due = why == DIED or not (narrowed or interrupted)
        if why != XFAIL and identifier not in seen and is_due:
            missing[identifier] = min(why, missing.get(identifier, why))
    settings = state.configured.settings
    unused: tuple[str, ...] = ()
    expired: tuple[str, ...] = ()
    if settings.waivers_file or state.waived_marks:
        from pytest_grounding.plugin.waiver_marks import idle_marks

        unused, expired = idle_marks(session, state)
    found = {
        "narrowed": tuple(narrowed),
        "interrupted": tuple(interrupted),
        "left_out": left_out,
        "missing": missing,
        "judgements": RecordedJudgements.of((use[2], use[3], use[4]) for use in state.judgements),
        "waivers_unused": unused,
        "waivers_expired": expired,
        "goldens": _failing_goldens(state),
    }
    if not (session.shouldfail or session.shouldstop):
        # A stopped run did not reach the promised transcripts, and another test has failed.
        found["promised"] = (*state.configured.promised, *state.promised)
    return RunReport.of(verdicts, noted.facts(settings).model_copy(update=found))


def _failing_goldens(state: RunState) -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = {}
    for item in state.golden:
        if item["failing"]:
            found.setdefault(item["transcript"], []).extend(item["failing"])
    return found


def write_summary(reporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Print the figures of the run and the decision."""
    state = of(config)
    if state.golden:
        from pytest_grounding.plugin.golden_checks import summary_lines

        reporter.section("goldens", sep="=")
        for line in summary_lines(state):
            reporter.write_line(line.text, **_COLOURS.get(line.tone, {}))
    if state.report is not None or state.audit is not None:
        reporter.section("grounding", sep="=")
    if state.report is not None:
        _write_run(reporter, config, state.report)
    if state.audit is not None:
        for text in state.audit.lines():
            reporter.write_line(text)
        for text in state.audit.problems():
            reporter.write_line(text, red=state.audit.failed, yellow=not state.audit.failed)
    if state.report is not None and state.problem:
        reporter.write_line(state.problem, red=True)
    elif state.report is not None and state.configured.json_path is not None:
        reporter.write_line(f"written: {config.getoption('grounding_json')}")


def _write_run(reporter: pytest.TerminalReporter, config: pytest.Config, report: RunReport) -> None:
    state = of(config)
    if changed := state.configured.effective():
        reporter.write_line(f"settings: {', '.join(changed)}")
    is_long = reporter.verbosity > 0
    told = () if is_long else {*report.run.failed}
    figures = is_long or is_suite(report)
    today, width = datetime.now(UTC).date(), shutil.get_terminal_size().columns if reporter.isatty else 0
    for line in run_lines(report, worst=50 if is_long else 5, today=today, figures=figures, told=told):
        reporter.write_line("\n".join(wrapped(line.text, width)), **_COLOURS.get(line.tone, {}))
    for text in state.said:
        reporter.write_line(text)

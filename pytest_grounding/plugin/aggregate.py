"""From the test reports of all workers to the report of the run."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from pytest_grounding.baseline.counting import Counting
from pytest_grounding.baseline.shards import shard_of, write_shard
from pytest_grounding.baseline.suite import decide
from pytest_grounding.errors import GroundingError
from pytest_grounding.model.run import RecordedJudgements, RunFacts, RunReport
from pytest_grounding.model.run import badness as badness_of
from pytest_grounding.model.shelved import Shelved
from pytest_grounding.model.verdict import Status
from pytest_grounding.plugin.baseline import decide_run, narrowing
from pytest_grounding.plugin.carried import DIED, SKIPPED, XFAIL, Found, Thing
from pytest_grounding.plugin.declared import runs_nothing
from pytest_grounding.plugin.ending import interruptions
from pytest_grounding.plugin.state import RunState, of
from pytest_grounding.reports.write import write_run
from pytest_grounding.scale.shelf import Lies, Shelf

#: What stands in the files of a run that has begun, until it ends: one that is killed leaves it there.
_RUNNING = "it was started and has not come to its end"


def decided(session: pytest.Session, state: RunState) -> RunReport:
    """The decided report of the run, made once: the file of ``--junitxml`` is written before all others."""
    if state.report is None:
        try:
            found, shelf = collect(session, state)
        except GroundingError as error:
            # The disk is full: what was found cannot be put in order, and nothing is decided.
            found = RunReport.of((), RunFacts(interrupted=(str(error),)))
            shelf = Shelf(state.configured.settings)
        state.transcripts = shelf.transcripts
        state.report = decide_run(found, state, shelf.tally)
    return state.report


def decide_and_write(session: pytest.Session, state: RunState) -> bool:
    """Build the report of the run, decide, and write it where it was asked for.

    Returns:
        False when the gate failed, the run ended early, or the report could not be written.
    """
    report = decided(session, state)
    path = state.configured.json_path
    if path is not None:
        try:
            write_run(report, path)
        except OSError as error:
            state.problem = f"{path}: cannot be written ({error.strerror or error})"
            return False
    if state.configured.reports:
        from pytest_grounding.plugin.reports import write_all

        state.problem = write_all(state) or state.problem
    if state.problem or report.gate is None or report.gate.status == "fail":
        return False
    # Whoever narrows a run knows that it decides nothing; one that ended early must not look like a pass.
    return not (report.gate.status == "undecided" and report.run.interrupted)


def mark_begun(session: pytest.Session) -> None:
    """Write files that say that the run has not ended, where it is to leave its report for other programs.

    A run that is killed writes nothing more, and a report of the run before must not stand for it.
    """
    state = of(session.config)
    if state.is_worker or runs_nothing(session):
        return
    configured = state.configured
    report = RunReport.of((), RunFacts(interrupted=(_RUNNING,)))
    try:
        if configured.json_path is not None:
            write_run(decide(report, configured.settings), configured.json_path)
        if configured.shard_path is not None:
            path = configured.shard_path
            write_shard(shard_of(report, configured.settings, name=path.stem), path)
    except OSError:
        pass  # the end of the run says that the file cannot be written


def _promised(state: RunState) -> tuple[str, ...]:
    return (*state.configured.promised, *state.promised)


def _judging(state: RunState) -> dict[str, Any]:
    """What the run relied on that judges said."""
    judgements = RecordedJudgements.of((use[2], use[3], use[4]) for use in state.judgements)
    return {"judgements": judgements}


class _Verdicts:
    """The verdicts of the run on their way to the shelf, on which none is held in memory."""

    def __init__(self, state: RunState) -> None:
        self.noted = Counting()
        self.seen: set[str] = set()
        self.left_out: dict[str, str] = {}
        self._counted: set[str] = set()
        self._worst: dict[str, Status] = {}
        self._found = Found() if state.found is None else state.found
        self._is_shown = state.configured.shows_transcripts
        self._milder = self._of_no_account()
        self.shelf = Shelf(state.configured.settings, self._found.pile)

    def take_all(self) -> Shelved:
        """Note all that was found, and put what counts onto the shelf."""
        for place, thing in self._found.things():
            said = thing.said
            if "id" not in said:
                self.noted.unreadable(said["place"], said["message"])
                continue
            identifier = said["id"]
            self.seen.add(identifier)
            if self.noted.take(identifier, failed=said["failed"], expected=said["role"] != "counted"):
                if place not in self._milder:
                    self._shelve(thing)
            elif said["role"] == XFAIL:
                self.left_out[identifier] = XFAIL
        verdicts = self.shelf.verdicts
        # A transcript counts once, by the worst of its verdicts; one that failed may have none that counts.
        of_passing = {name: "pass" if name in self._counted else "" for name in self.noted.failed}
        verdicts.failed_statuses = Counter(
            self._worst.get(name, of_passing[name]) for name in set(self.noted.failed)
        )
        return verdicts

    def _shelve(self, thing: Thing) -> None:
        verdict = self._found.verdict(thing)
        lies = Lies(thing.verdict, thing.transcript if self._is_shown else (0, 0))
        self.shelf.add(verdict, failed=verdict.id in self._found.failed, lies=lies)
        self._counted.add(verdict.id)
        if verdict.status == "reject" or (verdict.status == "review" and verdict.id not in self._worst):
            self._worst[verdict.id] = verdict.status

    def _of_no_account(self) -> set[int]:
        """The places of verdicts that a worse one on the same content stands for; of equal ones the first."""
        repeated = self._found.repeated()
        kept: dict[tuple[str, str], tuple[int, tuple[int, float, str]]] = {}
        milder: set[int] = set()
        for place, thing in self._found.things(repeated) if repeated else ():
            if thing.said.get("role") != "counted":
                continue
            verdict = self._found.verdict(thing)
            key, badness = (verdict.id, verdict.transcript_hash), badness_of(verdict)
            if key in kept and badness >= kept[key][1]:
                milder.add(place)
                continue
            if key in kept:
                milder.add(kept[key][0])
            kept[key] = (place, badness)
        return milder


def collect(session: pytest.Session, state: RunState) -> tuple[RunReport, Shelf]:
    """The verdicts and facts of the run, not decided yet, and the shelf on which the verdicts are."""
    found = _Verdicts(state)
    verdicts = found.take_all()
    noted, seen, left_out = found.noted, found.seen, found.left_out
    narrowed = narrowing(session, state)
    interrupted = interruptions(session, state)
    missing: dict[str, str] = {}
    for nodeid, identifier in sorted(state.held.items()):
        why = state.outcomes.get(nodeid, "no test validated it")
        if why == XFAIL:
            noted.expected.append(identifier)
        if identifier not in seen and why.startswith((XFAIL, SKIPPED)):
            left_out[identifier] = min(why, left_out.get(identifier, why))
        # What a run did not come to, or was not asked for, is not missing; what died with a worker is.
        is_due = why == DIED or not (narrowed or interrupted)
        if why != XFAIL and identifier not in seen and is_due:
            missing[identifier] = min(why, missing.get(identifier, why))
    settings = state.configured.settings
    unused: tuple[str, ...] = ()
    expired: tuple[str, ...] = ()
    if settings.waivers_file or state.waived_marks:
        from pytest_grounding.plugin.waivers import idle

        unused, expired = idle(session, state)
    known = noted.facts()
    facts = RunFacts(
        narrowed=tuple(narrowed),
        interrupted=tuple(interrupted),
        # A run that was stopped did not come to what was promised, and another test has failed.
        promised=() if session.shouldfail or session.shouldstop else _promised(state),
        problems=known.problems,
        failed=known.failed,
        expected=known.expected,
        left_out=left_out,
        missing=missing,
        **_judging(state),
        waivers_unused=unused,
        waivers_expired=expired,
    )
    return RunReport.shelved(verdicts, facts), found.shelf

"""From the test reports of all workers to the report of the run."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_grounding.model._base import lean
from pytest_grounding.model.run import Problem, RecordedJudgements, RunFacts, RunReport
from pytest_grounding.model.verdict import Verdict
from pytest_grounding.plugin.baseline import decide_run, narrowing
from pytest_grounding.plugin.ending import interruptions
from pytest_grounding.plugin.items import DIED, SKIPPED, XFAIL
from pytest_grounding.plugin.session import RunState
from pytest_grounding.reports.write import write_run


def decide_and_write(session: pytest.Session, state: RunState) -> bool:
    """Build the report of the run, decide, and write it where it was asked for.

    Returns:
        False when the gate failed, the run ended early, or the report could not be written.
    """
    # The file of --junitxml is written before this, so that a run which has one was decided for it.
    report = state.report or decide_run(collect(session, state), state)
    state.report = report
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


def _promised(state: RunState) -> tuple[str, ...]:
    return (*state.configured.promised, *state.promised)


def _loaded(data: dict[str, Any], state: RunState) -> Verdict:
    """A verdict from its data; of one that passes, where nothing is written, what figures are made of."""
    own = state.configured
    is_written = own.json_path or own.reports or own.shard_path or own.baseline_path
    # Of several on the same content the whole of each decides which one is kept.
    is_alone = state.found is not None and state.found.number_of(data) == 1
    if data["status"] == "pass" and is_alone and not is_written:
        data["breakdowns"] = {}
        data["retrieval"] |= {"evidence": (), "relevance": (), "conflicts": ()}
        for part in (*data["claims"], *data["findings"], *data["citations"]):
            part |= {name: () for name in ("evidence", "sources", "conflicts") if name in part}
    verdict = Verdict.model_validate(data)
    lean(verdict)
    return verdict


def collect(session: pytest.Session, state: RunState) -> RunReport:
    """The verdicts and facts of the run, not decided yet."""
    verdicts: list[Verdict] = []
    expected: list[str] = []
    failed: list[str] = []
    problems: list[Problem] = []
    seen: set[str] = set()
    left_out: dict[str, str] = {}
    for item in state.found or ():
        if "verdict" not in item:
            problems.append(Problem(place=item["place"], message=item["message"]))
            continue
        identifier = item["verdict"]["id"]
        seen.add(identifier)
        if item["role"] == "counted":
            verdicts.append(_loaded(item["verdict"], state))
        else:
            expected.append(identifier)
            if item["role"] == XFAIL:
                left_out[identifier] = XFAIL
        if item["failed"]:
            failed.append(identifier)
    narrowed = narrowing(session, state)
    interrupted = interruptions(session, state)
    missing: dict[str, str] = {}
    for nodeid, identifier in sorted(state.held.items()):
        why = state.outcomes.get(nodeid, "no test validated it")
        if why == XFAIL:
            expected.append(identifier)
        if identifier not in seen and why.startswith((XFAIL, SKIPPED)):
            left_out[identifier] = min(why, left_out.get(identifier, why))
        # What a run did not come to is not missing; what died with a worker is.
        if why != XFAIL and identifier not in seen and not narrowed and (why == DIED or not interrupted):
            missing[identifier] = min(why, missing.get(identifier, why))
    settings = state.configured.settings
    unused: tuple[str, ...] = ()
    expired: tuple[str, ...] = ()
    if settings.waivers_file or state.waived_marks:
        from pytest_grounding.plugin.waivers import idle

        unused, expired = idle(session, state)
    from pytest_grounding.plugin.recording import spendings

    facts = RunFacts(
        narrowed=tuple(narrowed),
        interrupted=tuple(interrupted),
        # A run that was stopped did not come to what was promised, and another test has failed.
        promised=() if session.shouldfail or session.shouldstop else _promised(state),
        problems=tuple(problems),
        failed=tuple(failed),
        expected=tuple(expected),
        left_out=left_out,
        missing=missing,
        judgements=RecordedJudgements.of((use[2], use[3], use[4]) for use in state.judgements),
        **spendings(state),
        weights=tuple(filter(None, [state.configured.settings.weights_note])),
        waivers_unused=unused,
        waivers_expired=expired,
    )
    return RunReport.of(verdicts, facts)

"""From the test reports of all workers to the report of the run."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_grounding._jsonio import canonical_json
from pytest_grounding.baseline.counting import Counting
from pytest_grounding.baseline.shards import shard_of, write_shard
from pytest_grounding.baseline.suite import decide
from pytest_grounding.model._base import Model, lean
from pytest_grounding.model.run import RecordedJudgements, RunFacts, RunReport
from pytest_grounding.model.verdict import (
    CitationVerdict,
    ClaimVerdict,
    ConfidenceBreakdown,
    RetrievalVerdict,
    SelfRag,
    Verdict,
)
from pytest_grounding.plugin.baseline import decide_run, narrowing
from pytest_grounding.plugin.carried import DIED, SKIPPED, XFAIL
from pytest_grounding.plugin.declared import runs_nothing
from pytest_grounding.plugin.ending import interruptions
from pytest_grounding.plugin.state import RunState, of
from pytest_grounding.reports.write import write_run

#: What stands in the files of a run that has begun, until it ends: one that is killed leaves it there.
_RUNNING = "it was started and has not come to its end"


def decided(session: pytest.Session, state: RunState) -> RunReport:
    """The decided report of the run, made once: the file of ``--junitxml`` is written before all others."""
    if state.report is None:
        state.report = decide_run(collect(session, state), state)
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


class _Loader:
    """Makes verdicts of plain data; of those that pass, where nothing is written, what figures are made of.

    Ten thousand verdicts that pass differ in their words alone, which no figure and no line of the summary
    holds: without them most of their parts are equal, and are one value.
    """

    def __init__(self, state: RunState) -> None:
        own = state.configured
        self._found = state.found
        self._is_written = bool(own.json_path or own.reports or own.shard_path or own.baseline_path)
        self._parts: dict[str, Model] = {}

    def verdict(self, data: dict[str, Any]) -> Verdict:
        """The verdict."""
        # Of several on the same content the whole of each decides which one is kept.
        is_alone = self._found is not None and self._found.number_of(data) == 1
        is_quiet = data["status"] == "pass" and all(item["severity"] == "info" for item in data["findings"])
        if is_alone and is_quiet and not self._is_written:
            data["breakdowns"] = {}
            data["retrieval"] = self._part(RetrievalVerdict, data["retrieval"], _OF_RETRIEVAL)
            data["self_rag"] = self._part(SelfRag, data["self_rag"], {})
            data["confidence_breakdown"] = self._part(
                ConfidenceBreakdown, data["confidence_breakdown"], _OF_CONFIDENCE
            )
            data["claims"] = [self._part(ClaimVerdict, item, _OF_CLAIM) for item in data["claims"]]
            data["citations"] = [
                self._part(CitationVerdict, item, _OF_CITATION) for item in data["citations"]
            ]
        verdict = Verdict.model_validate(data)
        lean(verdict)
        return verdict

    def _part(self, kind: type[Model], data: dict[str, Any], words: dict[str, Any]) -> Model:
        """A part without its words: one value for all that are equal."""
        plain = {**data, **words}
        key = kind.__name__ + canonical_json(plain)
        part = self._parts.get(key)
        if part is None:
            part = self._parts[key] = kind.model_validate(plain)
        return part


#: What of the parts of a verdict is words, and what stands in their place.
_OF_CLAIM: dict[str, Any] = {
    "text": "",
    "start": 0,
    "end": 0,
    "reason": "",
    "missing_words": (),
    "support": None,
}
_OF_CLAIM |= {"evidence": (), "sources": (), "conflicts": (), "suggested_chunk_ids": ()}
_OF_CITATION: dict[str, Any] = {"start": 0, "end": 0, "support": None, "source_hash": "", "findings": ()}
_OF_RETRIEVAL: dict[str, Any] = {"reason": "", "evidence": (), "relevance": (), "conflicts": ()}
_OF_RETRIEVAL |= {"mean_relevance": 0.0, "mean_all": 0.0, "presence_reason": "", "rating_confidence": None}
_OF_CONFIDENCE: dict[str, Any] = {"terms": ()}


def _judging(state: RunState) -> dict[str, Any]:
    """What the run relied on that judges said, and what that took."""
    from pytest_grounding.plugin.recording import spendings

    judgements = RecordedJudgements.of((use[2], use[3], use[4]) for use in state.judgements)
    return {"judgements": judgements, **spendings(state)}


def collect(session: pytest.Session, state: RunState) -> RunReport:
    """The verdicts and facts of the run, not decided yet."""
    loader = _Loader(state)
    verdicts: list[Verdict] = []
    noted = Counting()
    seen: set[str] = set()
    left_out: dict[str, str] = {}
    for item in state.found or ():
        if "verdict" not in item:
            noted.unreadable(item["place"], item["message"])
            continue
        identifier = item["verdict"]["id"]
        seen.add(identifier)
        if noted.take(identifier, failed=item["failed"], expected=item["role"] != "counted"):
            verdicts.append(loader.verdict(item["verdict"]))
        elif item["role"] == XFAIL:
            left_out[identifier] = XFAIL
    narrowed = narrowing(session, state)
    interrupted = interruptions(session, state)
    missing: dict[str, str] = {}
    for nodeid, identifier in sorted(state.held.items()):
        why = state.outcomes.get(nodeid, "no test validated it")
        if why == XFAIL:
            noted.expected.append(identifier)
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
        weights=tuple(filter(None, [state.configured.settings.weights_note])),
        waivers_unused=unused,
        waivers_expired=expired,
    )
    return RunReport.of(verdicts, facts)

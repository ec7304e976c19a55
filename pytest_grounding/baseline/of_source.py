"""A run narrowed to what comes from some sources: a part of it, which decides nothing about the suite."""

from __future__ import annotations

from collections.abc import Sequence

from pytest_grounding._jsonio import content_hash
from pytest_grounding.baseline.suite import decide
from pytest_grounding.citations.origins import comes_from, verdict_comes_from
from pytest_grounding.model.run import RunReport
from pytest_grounding.model.transcript import Transcript
from pytest_grounding.model.verdict import Verdict
from pytest_grounding.settings import Settings

#: Figure of the suite -> the setting of its limit.
_LIMITS = {
    "citation_accuracy": "suite_min_citation_accuracy",
    "ungrounded_answers": "suite_max_ungrounded_answers",
    "hallucination_rate": "suite_max_hallucination_rate",
    "confident_share": "suite_min_confident_share",
}


def narrowing(patterns: Sequence[str]) -> tuple[str, ...]:
    """Why a run is not a whole one, in words."""
    return tuple(f"--source {pattern}" for pattern in patterns)


def only_from(
    report: RunReport, patterns: Sequence[str], transcripts: Sequence[Transcript], settings: Settings
) -> RunReport:
    """The part of a run whose transcripts come from some sources, with the suite undecided."""
    known = {content_hash(item.model_dump(mode="json")): item for item in transcripts}

    def is_kept(verdict: Verdict) -> bool:
        transcript = known.get(verdict.transcript_hash)
        if transcript is None:
            return verdict_comes_from(verdict, patterns, settings)
        return comes_from(transcript, patterns, settings)

    kept = [verdict for verdict in report.transcripts if is_kept(verdict)]
    ids = {verdict.id for verdict in kept}
    facts = report.run.model_copy(
        update={
            "narrowed": (*report.run.narrowed, *narrowing(patterns)),
            "whole": False,
            "failed": tuple(name for name in report.run.failed if name in ids),
            "expected": tuple(name for name in report.run.expected if name in ids),
            "left_out": {name: why for name, why in report.run.left_out.items() if name in ids},
            "missing": {},
            "waivers_unused": (),
        }
    )
    gate = report.gate
    limits = {} if gate is None else {item.name: item.limit for item in gate.thresholds}
    values = {_LIMITS[name]: limit for name, limit in limits.items() if name in _LIMITS}
    return decide(RunReport.of(kept, facts), settings.with_values(values))

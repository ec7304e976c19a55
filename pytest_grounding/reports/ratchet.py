"""What of a run is new, where known findings decide: the lists of what is wrong show that alone."""

from __future__ import annotations

from collections import Counter

from pytest_grounding.baseline.store import failing
from pytest_grounding.model.finding import Severity
from pytest_grounding.model.run import RunReport
from pytest_grounding.model.verdict import Verdict


def only_new(report: RunReport) -> RunReport:
    """The run without the findings that its baseline holds; the same run where everything counts."""
    against = report.gate.baseline if report.gate is not None else None
    if against is None or against.ratchet is None:
        return report
    new = Counter((item.transcript, item.severity, item.rule, item.hash) for item in against.ratchet.new)
    left = Counter(new)
    keys: dict[str, list[tuple[str, Severity, str, str]]] = {}
    for key in new:
        keys.setdefault(key[0], []).append(key)

    def without_known(verdict: Verdict) -> Verdict:
        known: set[int] = set()
        fresh: set[int] = set()
        for finding, line in failing(verdict):
            key = (verdict.id, line.severity, line.rule, line.hash)
            if left[key]:
                left[key] -= 1
                fresh.add(id(finding))
            else:
                known.add(id(finding))
        kept = tuple(item for item in verdict.findings if id(item) not in known - fresh)
        return verdict.model_copy(update={"findings": kept})

    return report.model_copy(update={"transcripts": tuple(map(without_known, report.transcripts))})

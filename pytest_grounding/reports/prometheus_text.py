"""Figures for Prometheus: its text format, version 0.0.4."""

from __future__ import annotations

from collections.abc import Mapping

from pytest_grounding.audit import metrics
from pytest_grounding.model.run_report import RunReport
from pytest_grounding.reports.escaping import label
from pytest_grounding.reports.report_links import LinkContext

_DECIDED = "The decision on the run: 1 for the one that was taken."
_GATE = metrics.Family("grounding_gate", _DECIDED, "decision", kind="gauge")


def prometheus(report: RunReport, context: LinkContext) -> str:
    """All metric families; a figure without a value has no sample."""
    lines: list[str] = []
    tally = metrics.MetricsTally.of(report.transcripts)
    for family in metrics.COUNTERS:
        _family(lines, family, _levels(report) if family is metrics.CONFIDENCE else tally.of_family(family))
    if (gate := report.gate) is not None:
        for item in gate.thresholds:
            _family(lines, metrics.gauge_of(item.name), {} if item.value is None else {"": item.value})
            _family(lines, metrics.gauge_of_limit(item.name, item.comparison), {"": item.limit})
        known = dict.fromkeys(["pass", "fail", "undecided", "off", gate.status])
        _family(lines, _GATE, {name: int(name == gate.status) for name in known})
    return "\n".join(lines) + "\n"


def _levels(report: RunReport) -> dict[str, int]:
    found = {item.name: item for item in report.thresholds}
    if "confident_share" not in found or report.summary is None:
        return {}
    confident, none = found["confident_share"].count, report.summary.answers_without_confidence
    unsure = report.summary.answers_asked_for_confidence - none - confident
    return {"confident": confident, "unsure": unsure, "none": none}


def _family(lines: list[str], family: metrics.Family, samples: Mapping[str, float]) -> None:
    told = family.help.replace("\\", "\\\\").replace("\n", "\\n")
    lines += [f"# HELP {family.name} {told}", f"# TYPE {family.name} {family.kind}"]
    for value, number in samples.items():
        shown = f'{{{family.label}="{label(value)}"}}' if family.label else ""
        lines.append(f"{family.name}{shown} {number!r}")

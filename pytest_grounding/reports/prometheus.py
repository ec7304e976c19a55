"""The figures of a run in the text format of Prometheus (version 0.0.4), for a textfile collector or push.

The counters are those of one run: a report holds no durations, so the histogram of durations is not here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from pytest_grounding.model.run import RunReport
from pytest_grounding.reports.context import Context
from pytest_grounding.reports.neutral import label

Sample = tuple[dict[str, str], float]


def render(report: RunReport, context: Context) -> str:
    """All families; a figure with nothing to measure has no sample."""
    lines: list[str] = []
    _family(
        lines,
        "citation_validation_total",
        "counter",
        "Citations that are valid, citations that cleaning removes, answers without any citation.",
        [({"status": name}, number) for name, number in _citations(report).items()],
    )
    _family(
        lines,
        "citation_hallucinations_total",
        "counter",
        "Citations that point to nothing that was retrieved, by the way they are written.",
        [({"kind": name}, number) for name, number in sorted(_hallucinated(report).items())],
    )
    statuses = Counter(verdict.status for verdict in report.transcripts)
    _family(
        lines,
        "grounding_transcripts",
        "gauge",
        "Transcripts of the run by status.",
        [({"status": name}, statuses[name]) for name in ("pass", "review", "reject")],
    )
    if report.gate is not None:
        for item in report.gate.thresholds:
            samples: list[Sample] = [] if item.value is None else [({}, item.value)]
            _family(lines, f"grounding_{item.name}", "gauge", f"Suite figure: {item.label}.", samples)
            help_text = f"Limit of the suite figure, which must be {item.comparison} this."
            _family(lines, f"grounding_{item.name}_limit", "gauge", help_text, [({}, item.limit)])
        decisions = ("pass", "fail", "undecided", "off")
        known = decisions if report.gate.status in decisions else (*decisions, report.gate.status)
        _family(
            lines,
            "grounding_gate",
            "gauge",
            "The decision on the run: 1 for the one that was taken.",
            [({"decision": name}, int(name == report.gate.status)) for name in known],
        )
    return "\n".join(lines) + "\n"


def _citations(report: RunReport) -> dict[str, int]:
    """Citations that are valid and that cleaning removes, and answers that cite nothing."""
    citations = [item for verdict in report.transcripts for item in verdict.citations]
    return {
        "valid": sum(item.valid for item in citations),
        "invalid_removed": sum(not item.valid for item in citations),
        "missing": sum(not verdict.citations for verdict in report.transcripts),
    }


def _hallucinated(report: RunReport) -> Counter[str]:
    return Counter(
        citation.syntax
        for verdict in report.transcripts
        for citation in verdict.citations
        if not citation.valid
    )


def _family(lines: list[str], name: str, kind: str, help_text: str, samples: Iterable[Sample]) -> None:
    told = help_text.replace("\\", "\\\\").replace("\n", "\\n")
    lines += [f"# HELP {name} {told}", f"# TYPE {name} {kind}"]
    for labels, value in samples:
        shown = ",".join(f'{key}="{label(text)}"' for key, text in labels.items())
        lines.append(f"{name}{{{shown}}} {value!r}" if shown else f"{name} {value!r}")

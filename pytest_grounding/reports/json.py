"""The report of a run as JSON."""

from __future__ import annotations

from pytest_grounding.model.run import RunReport


def render(report: RunReport) -> str:
    """The report as one canonical document with a final line feed; no NaN, equal bytes for equal runs."""
    return report.to_json()

"""The section of the terminal summary."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from pytest_grounding.plugin.run_state import of
from pytest_grounding.reports.terminal import fit, is_suite, run_lines

if TYPE_CHECKING:
    from pytest_grounding.model.run_report import RunReport

_COLOURS = {"good": {"green": True}, "bad": {"red": True}, "warn": {"yellow": True}, "head": {"bold": True}}


def write(reporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Print the figures of the run and the decision on it."""
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
    changed = state.configured.effective()
    if changed:
        reporter.write_line(f"settings: {', '.join(changed)}")
    is_long = reporter.verbosity > 0
    told = () if is_long else {*report.run.failed}
    figures = is_long or is_suite(report)
    today, width = datetime.now(UTC).date(), reporter._tw.fullwidth if reporter.isatty else 0
    for line in run_lines(report, worst=50 if is_long else 5, today=today, figures=figures, told=told):
        reporter.write_line("\n".join(fit(line.text, width)), **_COLOURS.get(line.tone, {}))
    for text in state.said:
        reporter.write_line(text)

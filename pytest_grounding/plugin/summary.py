"""The section of the terminal summary."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from pytest_grounding.plugin.run_state import of
from pytest_grounding.reports.terminal import is_suite, run_lines
from pytest_grounding.reports.word_diff import fit

if TYPE_CHECKING:
    from pytest_grounding.audit.log import Trail

_COLOURS = {"good": {"green": True}, "bad": {"red": True}, "warn": {"yellow": True}, "head": {"bold": True}}


def write(reporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Print the figures of the run and the decision on it."""
    state = of(config)
    if state.golden:
        from pytest_grounding.plugin.golden_checks import summary_lines

        reporter.section("goldens", sep="=")
        for line in summary_lines(state):
            reporter.write_line(line.text, **_COLOURS.get(line.tone, {}))
    if state.report is None:
        if state.audit is not None:
            reporter.section("grounding", sep="=")
            _write_audit(reporter, state.audit)
        return
    reporter.section("grounding", sep="=")
    changed = state.configured.effective()
    if changed:
        reporter.write_line(f"settings: {', '.join(changed)}")
    is_long = reporter.verbosity > 0
    told = () if is_long else {*state.report.run.failed}
    figures = is_long or is_suite(state.report)
    today, width = datetime.now(UTC).date(), reporter._tw.fullwidth if reporter.isatty else 0
    for line in run_lines(state.report, worst=50 if is_long else 5, today=today, figures=figures, told=told):
        reporter.write_line("\n".join(fit(line.text, width)), **_COLOURS.get(line.tone, {}))
    for text in state.said:
        reporter.write_line(text)
    if state.audit is not None:
        _write_audit(reporter, state.audit)
    if state.problem:
        reporter.write_line(state.problem, red=True)
    elif state.configured.json_path is not None:
        reporter.write_line(f"written: {config.getoption('grounding_json')}")


def _write_audit(reporter: pytest.TerminalReporter, trail: Trail) -> None:
    for text in trail.lines():
        reporter.write_line(text)
    for text in trail.problems():
        reporter.write_line(text, red=trail.failed, yellow=not trail.failed)

"""Reports of a run: what the test reports tell of a test, and the writing."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_grounding.errors import GroundingError
from pytest_grounding.plugin.run_state import ENTRIES, RunState


def add_properties(item: pytest.Item, report: pytest.TestReport) -> None:
    """Put the figures of a test on its reports, where ``--junitxml`` and others look for them."""
    from pytest_grounding.reports.junit import item_properties

    once: dict[tuple[str, str, str], Any] = {}
    for entry in item.stash[ENTRIES]:
        if entry.verdict is not None:
            key = (entry.verdict.id, entry.verdict.transcript_hash, entry.verdict.settings_hash)
            once.setdefault(key, entry.verdict)
    found = item_properties(list(once.values()))
    # The report of the teardown, which is made later, takes them from the item.
    report.user_properties.extend(found)
    item.user_properties.extend(found)


def write_all(state: RunState) -> str:
    """Write every report that was asked for."""
    from pytest_grounding.reports.report_kinds import STDOUT
    from pytest_grounding.reports.report_links import Context, links_to, prefix_of
    from pytest_grounding.reports.write import render, write_run

    report, targets, settings = state.report, state.configured.reports, state.configured.settings
    if report is None:
        return ""
    root = prefix_of(state.config.rootpath)
    context = Context(state.transcripts, root, links_to("", targets), settings)
    for given, target in zip(state.config.getoption("grounding_report"), targets, strict=True):
        if not target.path:
            state.said.append(f"not written: {given} (nothing here reads it)")
            continue
        try:
            if target.path == STDOUT:
                state.said.extend(render(report, target.kind, context).splitlines())
                continue
            write_run(report, target.path, format=target.kind, context=context)
        except GroundingError as error:
            return f"{given}: {error}"
        except OSError as error:
            return f"{target.path}: cannot be written ({error.strerror or error})"
        state.said.append(f"written: {given}")
    return ""

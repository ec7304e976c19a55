"""The pytest plugin: hooks only.

A run that validates no transcript only pays for the imports here: pytest, the standard library and the
settings. Everything else is imported at its first use.
"""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

import pytest

from pytest_grounding._io import listeners
from pytest_grounding.plugin import observer, option_table
from pytest_grounding.plugin import session as runs
from pytest_grounding.plugin.fixtures import grounding as grounding
from pytest_grounding.plugin.fixtures import grounding_relation as grounding_relation
from pytest_grounding.plugin.fixtures import record_transcript as record_transcript
from pytest_grounding.plugin.fixtures import transcript as transcript
from pytest_grounding.plugin.run_state import of
from pytest_grounding.plugin.session import pytest_addhooks as pytest_addhooks
from pytest_grounding.plugin.session import pytest_deselected as pytest_deselected
from pytest_grounding.plugin.session import pytest_keyboard_interrupt as pytest_keyboard_interrupt
from pytest_grounding.plugin.session import pytest_report_header as pytest_report_header
from pytest_grounding.plugin.session import pytest_runtest_logreport as pytest_runtest_logreport
from pytest_grounding.plugin.session import pytest_runtest_setup as pytest_runtest_setup
from pytest_grounding.plugin.session import pytest_runtestloop as pytest_runtestloop
from pytest_grounding.plugin.session import pytest_sessionstart as pytest_sessionstart
from pytest_grounding.plugin.session import pytest_testnodedown as pytest_testnodedown
from pytest_grounding.plugin.session import pytest_unconfigure as pytest_unconfigure


def pytest_addoption(parser: pytest.Parser, pluginmanager: pytest.PytestPluginManager) -> None:
    """Add the options and the ini keys."""
    config = pluginmanager.get_plugin("pytestconfig")
    option_table.add_options(parser, is_short=config is not None and option_table.is_help(config))


def pytest_configure(config: pytest.Config) -> None:
    """Resolve the settings: a wrong one ends the run here."""
    table = option_table
    for mark in (table.MARK_TRANSCRIPTS, table.MARK_GROUNDING, table.MARK_WAIVE, table.MARK_EXPECTS):
        config.addinivalue_line("markers", mark)
    if not option_table.is_help(config):
        runs.start(config)


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.File | None:
    """Collect a file of transcripts: one test each."""
    state = of(parent.config)
    if not option_table.matches(file_path.name, state.files) or "__golden__" in file_path.parts:
        if ".transcript" in file_path.name.lower():
            from pytest_grounding._io.filenames import is_nearly_named

            if is_nearly_named(file_path.name) and "__golden__" not in file_path.parts:
                state.unread.append(file_path)
        return None
    from pytest_grounding.plugin.collector import TranscriptFile

    return TranscriptFile.from_parent(parent, path=file_path)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Parametrize a test marked with ``transcripts``: one call per transcript."""
    if "transcript" in metafunc.fixturenames and any(metafunc.definition.iter_markers("transcripts")):
        from pytest_grounding.plugin.collector import parametrize

        parametrize(metafunc, list(metafunc.definition.iter_markers("transcripts")))


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection_modifyitems(
    config: pytest.Config, items: list[pytest.Item]
) -> Generator[None, object, object]:
    """Check the settings of all marks, and record which transcripts the run has, and what was taken away."""
    before = list(items)
    result = yield
    runs.note_removed(of(config), before, items)
    runs.look_at_items(config, items)
    return result


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Let the assertions of the running test find its settings."""
    before = listeners.observe(observer.ItemObserver(item))
    try:
        return (yield)
    finally:
        listeners.observe(before)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Attach the verdicts of the test to its report, as plain data."""
    report = yield
    runs.attach(item, report)
    return report


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Decide on the suite; turn an OK into a failure, and leave every other exit status unchanged."""
    runs.finish(session)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Print the decision."""
    state = of(config)
    if state.report is not None or state.golden or state.audit:
        from pytest_grounding.plugin.aggregate import write_summary

        write_summary(terminalreporter, config)

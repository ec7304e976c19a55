"""Reports of a run: what was asked for, what travels on the test reports for it, and the writing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import pytest

from pytest_grounding.errors import GroundingError
from pytest_grounding.plugin.declared import runs_nothing
from pytest_grounding.plugin.session import ENTRIES, RunState, of

if TYPE_CHECKING:
    from pytest_grounding.reports.context import Context
    from pytest_grounding.reports.write import Target

#: Kinds that show nothing of a transcript but what its verdict holds.
_WITHOUT_TRANSCRIPTS = frozenset(
    "github-annotations github-summary gitlab json pr-comment prometheus sarif terminal".split()
)


def targets(config: pytest.Config) -> list[Target]:
    """What ``--grounding-report`` asks for; paths start where pytest was started.

    Raises:
        SettingsError: a kind is not known, or has no path and needs one.
        pytest.UsageError: a path is a folder.
    """
    from pytest_grounding.reports.write import STDOUT, parse_target

    found = []
    for text in config.getoption("grounding_report"):
        target = parse_target(text)
        if target.path not in ("", STDOUT):
            path = config.invocation_params.dir / target.path
            if path.is_dir():
                raise pytest.UsageError(f"grounding: --grounding-report={text}: is a folder; name a file")
            target = target._replace(path=str(path))
        found.append(target)
    return found


def wants_transcripts(config: pytest.Config) -> bool:
    """Some report shows the transcripts themselves, so that they travel with the verdicts."""
    return any(target.kind not in _WITHOUT_TRANSCRIPTS for target in of(config).configured.reports)


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


class SuiteProperties:
    """Adds the suite's figures to the file of ``--junitxml``, before pytest writes it."""

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Decide before the file is written; what follows finds the decision."""
        state = of(session.config)
        if runs_nothing(session) or not state.in_use or state.is_worker:
            return
        from pytest_grounding.plugin.aggregate import collect
        from pytest_grounding.plugin.baseline import decide_run
        from pytest_grounding.reports.junit import suite_properties

        state.report = decide_run(collect(session, state), state)
        found = suite_properties(state.report)
        for plugin in session.config.pluginmanager.get_plugins():
            add = getattr(plugin, "add_global_property", None)
            if callable(add):
                for name, value in found:
                    add(name, value)


def register(config: pytest.Config) -> None:
    """Listen for the end of a run whose results go to a file of JUnit's form."""
    config.pluginmanager.register(SuiteProperties(), "grounding-junit")


def write_all(state: RunState) -> str:
    """Write every report that was asked for.

    Returns:
        Why one could not be written, or "".
    """
    from pytest_grounding.reports.write import STDOUT, render, write_run

    report, context = state.report, _context(state)
    if report is None:
        return ""
    for given, target in zip(
        state.config.getoption("grounding_report"), state.configured.reports, strict=True
    ):
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


def _context(state: RunState) -> Context:
    from pytest_grounding.model.transcript import Transcript
    from pytest_grounding.reports.context import Context, links_to, prefix_of

    # It was accepted when it was read; how long a question may be is no matter here.
    anything: Mapping[str, Any] = {"question_max_length": 10**9}
    transcripts = {
        item["verdict"]["transcript_hash"]: Transcript.model_validate(item["transcript"], context=anything)
        for item in state.found or ()
        if "transcript" in item
    }
    settings = state.configured.settings
    links = links_to(settings.run_url, settings.page_url, state.configured.reports)
    return Context(transcripts, prefix_of(state.config.rootpath), links, settings)

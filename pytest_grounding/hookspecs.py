"""The hooks for extensions, on the pluggy project ``pytest_grounding``.

An extension is an object (often a module) with functions of these names, marked with `hookimpl`, and
registered through the entry-point group ``pytest_grounding`` or with `pytest_grounding.register`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pluggy

if TYPE_CHECKING:
    from pytest_grounding.checks.check_context import Check
    from pytest_grounding.citations.syntax import CitationSyntax
    from pytest_grounding.importers.importer import Importer
    from pytest_grounding.scorers import Scorer
    from pytest_grounding.scorers.builtin.conflicts.conflict_search import Kind
    from pytest_grounding.settings import Settings

PROJECT = "pytest_grounding"
hookspec: pluggy.HookspecMarker = pluggy.HookspecMarker(PROJECT)
hookimpl: pluggy.HookimplMarker = pluggy.HookimplMarker(PROJECT)


@hookspec
def pytest_grounding_syntaxes() -> list[CitationSyntax]:  # type: ignore[empty-body]
    """Further citation syntaxes."""


@hookspec
def pytest_grounding_importers() -> list[Importer]:  # type: ignore[empty-body]
    """Further formats; they are tried before the built-in ones."""


@hookspec
def pytest_grounding_scorers(settings: Settings) -> list[Scorer]:  # type: ignore[empty-body]
    """Further scorers, chosen by name through the setting ``scorer``."""


@hookspec
def pytest_grounding_judges(settings: Settings) -> list[Any]:  # type: ignore[empty-body]
    """Further judges (`scorers.remote.judge.Judge`), chosen by name through ``judge`` and ``judges``."""


@hookspec
def pytest_grounding_redactors() -> list[Any]:  # type: ignore[empty-body]
    """Functions that remove secrets from the texts sent to remote scorers.

    Their result is sent, hashed and recorded; the original text never leaves the process.
    """


@hookspec
def pytest_grounding_checks(settings: Settings) -> list[Check]:  # type: ignore[empty-body]
    """Further checks; their findings count like the built-in ones."""


@hookspec
def pytest_grounding_conflict_kinds() -> list[Kind]:  # type: ignore[empty-body]
    """Further kinds of conflicts with the sources; see `scorers.builtin.conflicts.conflict_search`."""


@hookspec
def pytest_grounding_reports() -> dict[str, Any]:  # type: ignore[empty-body]
    """Further report kinds: name -> callable that renders a RunReport to text.

    A callable with a second parameter also gets a `reports.report_links.Context`: the transcripts behind
    the verdicts, and where the build server finds files. One with the attribute ``sends`` sends the figures
    to a service: its text is a message, which needs no path.
    """

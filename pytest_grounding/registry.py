"""The only place that names the built-in parts, and the door for those of others."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import pluggy

from pytest_grounding import hookspecs
from pytest_grounding.checks.base import Check
from pytest_grounding.citations import builtin_syntaxes
from pytest_grounding.citations.base import CitationSyntax
from pytest_grounding.errors import SettingsError
from pytest_grounding.importers.base import Importer
from pytest_grounding.scorers.base import Scorer
from pytest_grounding.scorers.lexical.scorer import LexicalScorer
from pytest_grounding.settings import Settings


@lru_cache(maxsize=1)
def plugin_manager() -> pluggy.PluginManager:
    """The plugin manager, with the extensions that are installed."""
    manager = pluggy.PluginManager(hookspecs.PROJECT)
    manager.add_hookspecs(hookspecs)
    manager.load_setuptools_entrypoints(hookspecs.PROJECT)
    return manager


def register(extension: object) -> None:
    """Add an extension: an object with functions marked ``hookimpl``. Adding it twice changes nothing."""
    if not plugin_manager().is_registered(extension):
        plugin_manager().register(extension)


def unregister(extension: object) -> None:
    """Take an extension out again."""
    if plugin_manager().is_registered(extension):
        plugin_manager().unregister(extension)


def syntaxes() -> list[CitationSyntax]:
    """All citation syntaxes, the built-in ones first."""
    return [*builtin_syntaxes(), *_flat(plugin_manager().hook.pytest_grounding_syntaxes())]


def importers() -> list[Importer]:
    """All importers of foreign formats, those of others first."""
    return _flat(plugin_manager().hook.pytest_grounding_importers())


def checks(settings: Settings) -> list[Check]:
    """The checks that extensions add."""
    return _flat(plugin_manager().hook.pytest_grounding_checks(settings=settings))


@lru_cache(maxsize=1)
def builtin_scorer() -> LexicalScorer:
    """The built-in engine; one object, so that work on chunks is shared by all transcripts."""
    return LexicalScorer()


def scorers(settings: Settings) -> list[Scorer]:
    """The chosen scorer first, then what serves when it fails.

    Raises:
        SettingsError: the setting ``scorer`` names none that is known.
    """
    builtin: Scorer = builtin_scorer()
    if settings.scorer == builtin.name:
        return [builtin]
    others: Sequence[Scorer] = _flat(plugin_manager().hook.pytest_grounding_scorers(settings=settings))
    chosen = [scorer for scorer in others if scorer.name == settings.scorer]
    if not chosen:
        known = ", ".join(sorted({builtin.name, *(scorer.name for scorer in others)}))
        raise SettingsError(f"scorer = {settings.scorer!r} is not known; write one of: {known}")
    return [*chosen, builtin]


def _flat(lists: Sequence[Sequence[Any]]) -> list[Any]:
    # pluggy calls the extension registered last first; names make the order the same everywhere.
    return [item for items in lists for item in items]

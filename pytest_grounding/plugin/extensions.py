"""Hooks of this package in a ``conftest.py``, for the tests below its folder, like those of pytest."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import pytest

from pytest_grounding import hookspecs
from pytest_grounding._io import observers as _observers

if TYPE_CHECKING:
    from pytest_grounding.plugin.state import RunState

_HOOKS = "pytest_grounding_"


def pytest_addhooks(pluginmanager: pytest.PytestPluginManager) -> None:
    """Let a ``conftest.py`` hold hooks of ours like those of pytest: for the tests below its folder."""
    pluginmanager.add_hookspecs(hookspecs)


def pytest_plugin_registered(plugin: object, manager: pytest.PytestPluginManager) -> None:
    """Refuse a misspelt hook in a ``conftest.py``; pytest would call it an internal error."""
    file = str(getattr(plugin, "__file__", None) or "")
    if not file.endswith("conftest.py"):
        return
    for name in vars(plugin):
        if name.startswith(_HOOKS) and not hasattr(hookspecs, name):
            known = ", ".join(sorted(spec for spec in vars(hookspecs) if spec.startswith(_HOOKS)))
            text = f"{file}: {name} is no hook; hooks are: {known}"
            delattr(manager.hook, name)  # pytest would stumble over it before anybody reads the sentence
            _refuse(text, manager)


def _refuse(text: str, manager: pytest.PytestPluginManager) -> None:
    """End the run with a usage error: at once, or, once tests are being collected, before the first runs."""
    from pytest_grounding.plugin.state import innermost

    state = innermost()
    if state is None or state.is_worker or state.config.pluginmanager is not manager:
        raise pytest.UsageError(f"grounding: {text}")
    state.wrong.append(text)


def answers(state: RunState, hook: str, arguments: Mapping[str, Any]) -> list[Any]:
    """What the ``conftest.py`` files above the test or file at hand say to a hook; without one, all do."""
    item = getattr(_observers.current(), "item", None)
    session = state.config.pluginmanager.get_plugin("session")
    path = item.path if item is not None else state.reading
    relay = state.config.hook if path is None or session is None else session.gethookproxy(path)
    found: list[Any] = getattr(relay, hook)(**arguments)
    return found

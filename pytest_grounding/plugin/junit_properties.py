"""The suite's figures in the file of ``--junitxml``."""

from __future__ import annotations

import pytest

from pytest_grounding.plugin.declared import runs_nothing
from pytest_grounding.plugin.state import of


class SuiteProperties:
    """Adds the suite's figures to the file of ``--junitxml``, before pytest writes it."""

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Decide before the file is written; what follows finds the decision."""
        state = of(session.config)
        if runs_nothing(session) or not state.in_use or state.is_worker:
            return
        # Deferred for cost: a run with such a file need not hold a transcript.
        from pytest_grounding.plugin.aggregate import decided
        from pytest_grounding.reports.junit import suite_properties

        found = suite_properties(decided(session, state))
        for plugin in session.config.pluginmanager.get_plugins():
            add = getattr(plugin, "add_global_property", None)
            if callable(add):
                for name, value in found:
                    add(name, value)


def register(config: pytest.Config) -> None:
    """Listen for the end of a run whose results go to a file of JUnit's form."""
    config.pluginmanager.register(SuiteProperties(), "grounding-junit")

"""The fixtures ``grounding`` and ``transcript``; nothing is loaded before a test asks for one."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pytest_grounding.plugin.session import Entry, item_layers, item_settings, note, of
from pytest_grounding.settings import Settings, resolve

if TYPE_CHECKING:
    from pytest_grounding.model.transcript import Transcript
    from pytest_grounding.model.verdict import Verdict


class Grounding:
    """Validate and inspect inside a test, with the settings that are in force there.

    Attributes:
        verdicts: the verdicts of this test so far.
    """

    def __init__(self, node: pytest.Item) -> None:
        self._node = node
        self.verdicts: list[Verdict] = []

    @property
    def settings(self) -> Settings:
        """The settings in force for this test."""
        return item_settings(self._node, of(self._node.config))

    def validate(
        self,
        transcript: Transcript | Mapping[str, Any] | str | Path,
        settings: Mapping[str, Any] | None = None,
        *,
        record: bool = True,
    ) -> Verdict:
        """Validate a transcript and keep the verdict for the figures of the suite.

        Args:
            transcript: a Transcript, a mapping, or a path to a file with exactly one.
            settings: values that win over all other sources.
            record: False keeps the verdict out of the figures.
        """
        __tracebackhide__ = True
        from pytest_grounding.assertions import judge

        state = of(self._node.config)
        layers = [*item_layers(self._node, state), ("argument", settings or {})]
        chosen, _ = resolve(layers, profiles=state.configured.profiles)
        verdict, _ = judge(transcript, chosen)
        self.verdicts.append(verdict)
        if record:
            note(self._node, Entry(verdict=verdict))
        return verdict


@pytest.fixture
def grounding(request: pytest.FixtureRequest) -> Grounding:
    """Validate transcripts and look at their verdicts: ``grounding.validate(t)``."""
    return Grounding(request.node)


@pytest.fixture
def transcript(request: pytest.FixtureRequest) -> Transcript:
    """The transcript of a test that is marked with ``@pytest.mark.transcripts("dir/*.json")``."""
    __tracebackhide__ = True
    value = getattr(request, "param", None)
    if value is None:
        pytest.fail(
            'the argument transcript comes from a mark: @pytest.mark.transcripts("dir/*.json")',
            pytrace=False,
        )
    if isinstance(value, tuple):
        place, message = value
        note(request.node, Entry(place=place, message=message))
        pytest.fail(message, pytrace=False)
    found: Transcript = value
    return found

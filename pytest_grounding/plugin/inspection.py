"""The objects behind the fixtures ``grounding`` and ``grounding_relation``."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pytest_grounding.errors import GroundingError
from pytest_grounding.plugin.assertions import judge
from pytest_grounding.plugin.items import audited, layers_of, note, settings_of
from pytest_grounding.plugin.paths import given_in
from pytest_grounding.plugin.report_data import Entry
from pytest_grounding.plugin.run_state import of
from pytest_grounding.settings import Settings, resolve

if TYPE_CHECKING:
    from pytest_grounding.gate.outcome import Outcome
    from pytest_grounding.model.transcript import Transcript
    from pytest_grounding.model.verdict import Verdict
    from pytest_grounding.suite.relations import Relation

    Given = Transcript | Mapping[str, Any] | str | Path


class Grounding:
    """Validate and inspect within a test, with its settings.

    Attributes:
        verdicts: the verdicts of this test so far.
    """

    def __init__(self, node: pytest.Item) -> None:
        self._node = node
        self.verdicts: list[Verdict] = []

    @property
    def settings(self) -> Settings:
        """The settings in use for this test."""
        return settings_of(self._node, of(self._node.config))

    def validate(
        self, transcript: Given, settings: Mapping[str, Any] | None = None, *, record: bool = True
    ) -> Verdict:
        """Validate a transcript and record the verdict for the figures of the suite.

        Args:
            transcript: a Transcript, a mapping, or a path to a file with exactly one.
            settings: values that take precedence over all other sources.
            record: False excludes the verdict from the figures.
        """
        __tracebackhide__ = True
        return self._found(transcript, settings, record=record).verdict

    def _found(self, transcript: Given, settings: Mapping[str, Any] | None, *, record: bool) -> Outcome:
        __tracebackhide__ = True
        state = of(self._node.config)
        try:
            given = given_in(self._node, settings or {})
            layers = [*layers_of(self._node, state), ("argument", given)]
            chosen, _ = resolve(layers, profiles=state.configured.profiles)
            found = judge(transcript, chosen)
        except GroundingError as error:
            raise error.with_traceback(
                None
            ) from None  # the message is sufficient; frames of this package would bury it
        self.verdicts.append(found.verdict)
        entry = Entry(verdict=found.verdict, transcript=found.transcript, elapsed_ms=found.elapsed_ms)
        if record:
            note(self._node, entry)
        else:
            audited(self._node, entry)
        return found


class RelationCheck(Grounding):
    """Asserts that recordings of one question agree; neither counts in the figures of the suite."""

    def __call__(self, first: Given, second: Given) -> Relation:
        """Assert that both pass or neither does, and that no number, date or time of the first is lost.

        Raises:
            AssertionError: they do not agree; the message names the difference.
        """
        __tracebackhide__ = True
        from pytest_grounding.suite.relations import Answered, relate

        sides = [self._found(given, None, record=False) for given in (first, second)]
        answered = [Answered(side.transcript, side.verdict) for side in sides if side.transcript is not None]
        relation = relate(*answered)
        if not relation.holds:
            raise AssertionError(f"transcript {relation.id!r}: the recordings do not agree: {relation}")
        return relation

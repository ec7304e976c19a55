"""The fixtures; nothing is imported before a test requests one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pytest_grounding.model.transcript import Transcript
    from pytest_grounding.plugin.inspection import Grounding, Recorder, RelationCheck


@pytest.fixture
def grounding(request: pytest.FixtureRequest) -> Grounding:
    """Validate transcripts and inspect their verdicts: ``grounding.validate(t)``."""
    from pytest_grounding.plugin.inspection import Grounding

    return Grounding(request.node)


@pytest.fixture
def grounding_relation(request: pytest.FixtureRequest) -> RelationCheck:
    """Assert that two recordings of one question agree: ``grounding_relation(first, second)``."""
    from pytest_grounding.plugin.inspection import RelationCheck

    return RelationCheck(request.node)


@pytest.fixture
def record_transcript(request: pytest.FixtureRequest) -> Recorder:
    """Run a program once and keep its answer: ``record_transcript(answer, "How long ...?")``."""
    from pytest_grounding.plugin.inspection import Recorder

    return Recorder(request.node)


@pytest.fixture
def transcript(request: pytest.FixtureRequest) -> Transcript:
    """The transcript of a test that is marked with ``@pytest.mark.transcripts("dir/*.json")``."""
    __tracebackhide__ = True
    value = getattr(request, "param", None)
    if value is None:
        problem = 'the argument transcript comes from a mark: @pytest.mark.transcripts("dir/*.json")'
        pytest.fail(problem, pytrace=False)
    if isinstance(value, tuple):
        place, message = value
        from pytest_grounding.plugin.items import ItemEntry, note

        note(request.node, ItemEntry(place=place, message=message))
        from pytest_grounding.reports.terminal import safe

        pytest.fail(safe(message), pytrace=False)
    # A transcript of a file is packed until its test runs; others come from a user's own parametrize.
    found: Transcript = value
    return found

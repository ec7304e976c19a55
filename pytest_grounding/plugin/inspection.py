"""The objects behind the fixtures, and what a run recorded and used of cassettes."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pytest_grounding._io.jsonio import write_json
from pytest_grounding.errors import CassetteError, GroundingError, InputError, UnreadableCassetteError
from pytest_grounding.plugin.assertions import judge
from pytest_grounding.plugin.files import given_in
from pytest_grounding.plugin.items import ItemEntry, audited, layers_of, note, settings_of_item
from pytest_grounding.plugin.run_state import REMOTE, RunState, interruptions, narrowed_by, of
from pytest_grounding.settings import Settings, resolve

if TYPE_CHECKING:
    from pytest_grounding.gate import GateOutcome
    from pytest_grounding.model.transcript import Transcript
    from pytest_grounding.model.verdict import Verdict
    from pytest_grounding.suite.relations import Relation

    Given = Transcript | Mapping[str, Any] | str | Path

#: Ending of recordings of tests, which are not tests themselves.
SUFFIX = ".json"
_FOLDER = "recordings"  # the folder of recordings, beside the test


class Grounding:
    """Validate and inspect within a test, with its settings; ``verdicts`` are those of the test so far."""

    def __init__(self, node: pytest.Item) -> None:
        self._node = node
        self.verdicts: list[Verdict] = []

    @property
    def settings(self) -> Settings:
        """The settings in use for this test."""
        return settings_of_item(self._node, of(self._node.config))

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

    def _found(self, transcript: Given, settings: Mapping[str, Any] | None, *, record: bool) -> GateOutcome:
        __tracebackhide__ = True
        state = of(self._node.config)
        try:
            layers = [*layers_of(self._node, state), ("argument", given_in(self._node, settings or {}))]
            chosen, _ = resolve(layers, profiles=state.configured.profiles)
            found = judge(transcript, chosen)
        except GroundingError as error:
            # The message is sufficient; frames of this package would bury it.
            raise error.with_traceback(None) from None
        self.verdicts.append(found.verdict)
        entry = ItemEntry(verdict=found.verdict, transcript=found.transcript, elapsed_ms=found.elapsed_ms)
        if record:
            note(self._node, entry)
        else:
            audited(self._node, entry)
        return found


class RelationCheck(Grounding):
    """Asserts that recordings of one question agree; neither counts in the figures of the suite."""

    def __call__(self, first: Given, second: Given) -> Relation:
        """Assert that both pass or neither does, and that no number, date or time of the first is lost."""
        __tracebackhide__ = True
        from pytest_grounding.suite.relations import Answered, relate

        sides = [self._found(given, None, record=False) for given in (first, second)]
        answered = [Answered(side.transcript, side.verdict) for side in sides if side.transcript is not None]
        relation = relate(*answered)
        if not relation.holds:
            raise AssertionError(f"transcript {relation.id!r}: the recordings do not agree: {relation}")
        return relation


class Recorder:
    """Records a program's answers in the folder of the running test."""

    def __init__(self, item: pytest.Item) -> None:
        self._item = item

    def __call__(
        self, program: Any, question: str | Mapping[str, Any], *, id: str | None = None, repeats: int = 1
    ) -> Any:
        """The transcript of the program's answer, asked as by `pg.record`; a list with ``repeats``."""
        __tracebackhide__ = True
        from pytest_grounding.engine.recording import record

        state = of(self._item.config)
        settings = settings_of_item(self._item, state)
        folder = self._item.path.parent / _FOLDER
        if id is not None:
            asked = question.get("question", question) if isinstance(question, Mapping) else question
            before = state.programs.setdefault(str(folder / id), str(asked))
            if before != str(asked):
                problem = f"{id!r} is the recording of {before!r:.120} in this run, and would be replaced"
                hint = "give each question an id of its own, or leave out id"
                raise InputError(problem, field="id", hint=hint)
        try:
            found: list[Transcript] = record(
                program, question, to=folder, mode=settings.record, repeats=repeats, id=id, suffix=SUFFIX
            )
        except GroundingError as error:
            # The program's exception is shown with its frames, a wrong call without ours.
            cause = None if isinstance(error.__cause__, GroundingError) else error.__cause__
            raise error.with_traceback(None) from cause
        return found if repeats > 1 else found[0]


def merged() -> str:
    """Merge this process's recordings; return the problem, or ""."""
    from pytest_grounding.engine.registry import finish_recording

    try:
        finish_recording()
    except (CassetteError, UnreadableCassetteError) as error:
        # Recordings stay in the journal, which is read too.
        return str(error)
    return ""


def used_here() -> list[tuple[Any, ...]]:
    """This process's use of cassettes, as plain data: path, key, who, and day."""
    if REMOTE not in sys.modules:
        return []
    from pytest_grounding.scorers.remote.cassette_file import usage

    return [
        (str(Path(use.cassette).absolute()), use.key, use.scorer, use.model, use.recorded) for use in usage()
    ]


def finish_judging(session: pytest.Session, state: RunState) -> None:
    """Merge the cassettes, collect the run's use of them, and write the requested statistics."""
    state.problem = merged() or state.problem
    state.judgements.update(used_here())
    path = session.config.getoption("grounding_used")
    if not path:
        return
    cassettes: dict[str, list[str]] = {}
    for cassette, key in sorted({use[:2] for use in state.judgements}):
        cassettes.setdefault(_relative_to_root(cassette, session.config), []).append(key)
    why = [*narrowed_by(session, state), *interruptions(session, state)]
    if state.outcomes:
        # A test that failed early or was skipped has not requested all it needs.
        why.append(f"{len(state.outcomes)} tests failed or were skipped")
    target: Path = session.config.invocation_params.dir / path
    try:
        write_json(target, {"whole": not why, "why_not": why, "cassettes": cassettes})
    except OSError as error:
        state.problem = f"{path}: cannot be written ({error.strerror or error})"


def _relative_to_root(path: str, config: pytest.Config) -> str:
    try:
        return Path(path).relative_to(config.invocation_params.dir).as_posix()
    except ValueError:
        return Path(path).as_posix()

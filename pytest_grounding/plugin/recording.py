"""The run's side of cassettes and recordings: the fixture, and what the run used of which cassette."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pytest_grounding.errors import CassetteError, GroundingError, InputError, UnreadableCassetteError
from pytest_grounding.plugin.items import settings_of
from pytest_grounding.plugin.state import RunState, of

if TYPE_CHECKING:
    from pytest_grounding.model.transcript import Transcript

#: Recordings of tests end like this, and not like files that are tests by themselves.
SUFFIX = ".json"


class Recorder:
    """Keeps what a program says, in the folder of the running test."""

    def __init__(self, item: pytest.Item) -> None:
        self._item = item

    def __call__(
        self,
        program: Any,
        question: str | Mapping[str, Any],
        *,
        id: str | None = None,
        repeats: int = 1,
    ) -> Any:
        """The transcript of the program's answer; with ``repeats`` a list of so many.

        Args:
            program: takes the question; a function or a coroutine function.
            question: a text, or a mapping with ``question`` and what goes with it.
            id: name of the transcript; made from the question where it is left out.
            repeats: how many answers to keep.
        """
        __tracebackhide__ = True
        from pytest_grounding.recording import record

        state = of(self._item.config)
        settings = settings_of(self._item, state)
        folder = self._item.path.parent / settings.recordings
        if id is not None:
            asked = (
                question["question"] if isinstance(question, Mapping) and "question" in question else question
            )
            before = state.programs.setdefault(str(folder / id), str(asked))
            if before != str(asked):
                problem = f"{id!r} is the recording of {before!r:.120} in this run, and would be replaced"
                raise InputError(
                    problem, field="id", hint="give each question an id of its own, or leave out id"
                )
        try:
            found: list[Transcript] = record(
                program,
                question,
                to=folder,
                mode=settings.record,
                repeats=repeats,
                id=id,
                suffix=SUFFIX,
            )
        except GroundingError as error:
            # What the program raised is shown with its frames, what is wrong in the call without ours.
            cause = None if isinstance(error.__cause__, GroundingError) else error.__cause__
            raise error.with_traceback(None) from cause
        return found if repeats > 1 else found[0]


def merged() -> str:
    """Merge what this process recorded; return why that failed, or ""."""
    from pytest_grounding.registry import finish_recording

    try:
        finish_recording()
    except (CassetteError, UnreadableCassetteError) as error:
        # What was recorded stays in the journal, which is read too.
        return str(error)
    return ""


def used_here() -> list[tuple[Any, ...]]:
    """What this process used of its cassettes, as plain data: place, key, who, day, and tokens."""
    if "pytest_grounding.scorers.remote" not in sys.modules:
        return []
    from pytest_grounding.scorers.cassette import usage

    found = []
    for use in usage():
        tokens = use.tokens
        counts = (None, None) if tokens is None else (tokens.input_tokens, tokens.output_tokens)
        place = str(Path(use.cassette).absolute())
        found.append((place, use.key, use.scorer, use.model, use.recorded, *counts))
    return found


def asked_here() -> list[tuple[Any, ...]]:
    """The replies of judges that this process asked for, as plain data."""
    from pytest_grounding.registry import replies_used

    return [tuple(reply) for reply in replies_used(asked=True)]


def spendings(state: RunState) -> dict[str, Any]:
    """What judges took, as the facts of the run tell it."""
    if not state.judgements:
        return {}
    from pytest_grounding.model.spending import Reply, Spending
    from pytest_grounding.registry import rates

    table = rates(state.configured.settings)
    used = [Reply(use[1], use[2], use[3], use[5], use[6]) for use in state.judgements]
    used = [reply for reply in used if reply.scorer.endswith(".chat")]
    # Two workers that asked the same have paid twice.
    asked = [Reply(f"{reply[0]} {number}", *reply[1:]) for number, reply in enumerate(state.asked)]
    return {"spending": Spending.of(used, table), "asked": Spending.of(asked, table)}


def finish(session: pytest.Session, state: RunState) -> None:
    """Merge the cassettes, take what the run used of them, and write it where it was asked for."""
    from pytest_grounding.plugin.ending import interruptions
    from pytest_grounding.plugin.narrowing import narrowed_by

    state.problem = merged() or state.problem
    state.judgements.update(used_here())
    state.asked += asked_here()
    for cassette, run in sorted(state.spent):
        from pytest_grounding.scorers.judge.budget import forget

        forget(cassette, run)
    path = session.config.getoption("grounding_used")
    if not path:
        return
    from pytest_grounding._jsonio import write_json

    cassettes: dict[str, list[str]] = {}
    for cassette, key in sorted({use[:2] for use in state.judgements}):
        cassettes.setdefault(_relative(cassette, session.config), []).append(key)
    why = [*narrowed_by(session, state), *interruptions(session, state)]
    if state.outcomes:
        # A test that failed early or was skipped has not asked for what it needs.
        why.append(f"{len(state.outcomes)} tests failed or were skipped")
    target: Path = session.config.invocation_params.dir / path
    try:
        write_json(target, {"whole": not why, "why_not": why, "cassettes": cassettes})
    except OSError as error:
        state.problem = f"{path}: cannot be written ({error.strerror or error})"


def _relative(path: str, config: pytest.Config) -> str:
    """A path from the folder that the run was started in, where it is below it."""
    try:
        return Path(path).relative_to(config.invocation_params.dir).as_posix()
    except ValueError:
        return Path(path).as_posix()

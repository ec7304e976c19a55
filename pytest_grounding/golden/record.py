"""What is stored: an accepted recording with its verdict, and a candidate that waits for a review."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Literal, TypeVar

from pydantic import ValidationError

from pytest_grounding._jsonio import canonical_document, content_hash, parse
from pytest_grounding.errors import InputError
from pytest_grounding.golden.changes import Change, Grade, grade_of, only_tools
from pytest_grounding.model._base import Model
from pytest_grounding.model.transcript import Transcript
from pytest_grounding.model.verdict import Verdict

_RESTORE = "restore it from version control, or accept the recording anew with --grounding-golden=update"


class Golden(Model):
    """An accepted recording and its verdict."""

    schema_version: Literal[1] = 1
    id: str
    engine_version: str
    settings_hash: str
    transcript: Transcript
    verdict: Verdict

    @classmethod
    def of(cls, transcript: Transcript, verdict: Verdict, name: str = "") -> Golden:
        """A recording with its verdict, without the place that it was read from."""
        return cls(
            id=name or transcript.id,
            engine_version=verdict.engine_version,
            settings_hash=verdict.settings_hash,
            transcript=transcript,
            verdict=verdict.model_copy(
                update={"source": None, "line": None, "answer_line": None, "recorded_on": None}
            ),
        )

    @property
    def hash(self) -> str:
        """Hash of the whole content, 64 hexadecimal digits."""
        return content_hash(without_nulls(self.model_dump(mode="json")))


class Pending(Model):
    """A candidate that waits for a review."""

    schema_version: Literal[1] = 1
    candidate: Golden
    against: str | None = None
    changes: tuple[Change, ...] = ()
    test: str = ""
    waits: bool = True
    repaired: str = ""

    @property
    def grade(self) -> Grade | Literal["new"]:
        """The grade of all changes together; ``new`` where nothing was accepted before."""
        return "new" if self.against is None else grade_of(self.changes)

    @property
    def only_tools(self) -> bool:
        """Nothing changed but the engine or the settings."""
        return only_tools(self.changes)


_R = TypeVar("_R", Golden, Pending)


def as_text(record: Golden | Pending) -> str:
    """The document of a record, sealed with its hash; what is null is left out of it."""
    value = without_nulls(record.model_dump(mode="json"))
    return canonical_document({**value, "hash": content_hash(value)})


def without_nulls(value: Any) -> Any:
    """Plain data without the members that are null; a null in a list holds its place."""
    if isinstance(value, dict):
        return {key: without_nulls(item) for key, item in value.items() if item is not None}
    if isinstance(value, (list, tuple)):
        return [without_nulls(item) for item in value]
    return value


def read_golden(path: Path) -> Golden:
    """Read an accepted recording."""
    return _read(path, Golden, _RESTORE)


def read_pending(path: Path) -> Pending:
    """Read a candidate."""
    return _read(path, Pending, "delete it and run the tests again")


def _read(path: Path, model: type[_R], what_to_do: str) -> _R:
    """The record of a sealed document."""
    place = shown(path)

    def wrong(problem: str, line: int | None = None) -> InputError:
        return InputError(problem, path=place, line=line, hint=what_to_do)

    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise wrong(f"cannot be read ({error.strerror or error})") from None
    except UnicodeDecodeError:
        raise wrong("is damaged: it is not UTF-8 text") from None
    if any(line.startswith(("<<<<<<< ", ">>>>>>> ")) for line in text.splitlines()):
        raise wrong("holds the marks of a merge conflict: two branches changed the same golden")
    try:
        value = parse(text)
    except InputError as error:
        raise wrong(f"is damaged: {error.field or 'it'} {error.problem}", error.line) from None
    if not isinstance(value, dict) or "hash" not in value:
        raise wrong("is damaged: it is no golden record")
    sealed = value.pop("hash")
    if value.get("schema_version") not in (None, 1):
        raise wrong(f"has schema_version {value['schema_version']!r}, which this version does not know")
    if content_hash(value) != sealed:
        raise wrong("was changed by hand: its content does not fit its hash")
    try:
        return _validated(model, value)
    except ValidationError as error:
        where = ".".join(str(step) for step in error.errors()[0]["loc"])
        raise wrong(f"was written by another version of pytest-grounding (field {where})") from None


def _validated(model: type[_R], value: Any) -> _R:
    """The record of plain data in which nulls were left out, also where the model wants them named."""
    try:
        return model.model_validate(value)
    except ValidationError as error:
        lacking = [found["loc"] for found in error.errors(include_url=False) if found["type"] == "missing"]
        if not lacking:
            raise
    for *steps, name in lacking:
        holder = value
        for step in steps:
            holder = holder[step]
        holder[name] = None
    return model.model_validate(value)


def shown(path: Path) -> str:
    """A path as people read it: from the current folder where it lies below, with forward slashes."""
    try:
        return Path(os.path.relpath(path)).as_posix()
    except ValueError:  # another drive
        return path.as_posix()

"""The questions that a program is asked, and the names of what it answers."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pytest_grounding._jsonio import Record, read_records
from pytest_grounding.errors import DuplicateIdError, InputError

#: What a question may give the transcript besides its words.
EXTRAS = ("language", "filters", "history", "metadata")
_WORDS = 6
_HASH = 8
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")
#: Names that Windows keeps for devices.
_RESERVED = re.compile(r"(?i)(con|prn|aux|nul|com\d|lpt\d)(\..*)?\Z")
_LONGEST_NAME = 100


@dataclass(frozen=True, slots=True)
class Question:
    """One question."""

    text: str
    id: str
    extras: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, value: str | Mapping[str, Any] | Question, *, id: str | None = None) -> Question:
        """A question from its text, or from a mapping with ``question`` and what goes with it."""
        if isinstance(value, Question):
            return value
        given: Mapping[str, Any] = {"question": value} if isinstance(value, str) else value
        text = given.get("question") if isinstance(given, Mapping) else None
        if not isinstance(text, str) or not text.strip():
            raise InputError("has no question", field="question", hint='write {"question": "..."} or a text')
        for name in given:
            if name not in ("id", "question", *EXTRAS):
                raise InputError(
                    "is not a field of a question",
                    field=str(name),
                    hint=f"known here: id, question, {', '.join(EXTRAS)}",
                )
        name = id or given.get("id") or identifier(text)
        extras = {key: given[key] for key in EXTRAS if given.get(key) is not None}
        return cls(text, str(name), extras)

    def named(self, repeat: int, repeats: int) -> str:
        """Id of one of its transcripts; ``repeat`` counts from 1."""
        return self.id if repeats == 1 else f"{self.id}#{repeat}"


def identifier(text: str) -> str:
    """A name for a question: its first words and a piece of its hash, the same on every machine."""
    words = re.findall(r"[a-z0-9]+", text.lower())[:_WORDS]
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_HASH]
    return "-".join([*words, digest])


def file_name(name: str) -> str:
    """A file name for an id that every file system takes; two ids never share one."""
    safe = _UNSAFE.sub("-", name).strip("-.")[:_LONGEST_NAME]
    # Some file systems do not tell upper case from lower case, and some keep names for themselves.
    if safe == name and safe == safe.lower() and not _RESERVED.match(safe):
        return safe
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:_HASH]
    return f"{safe}-{digest}".lstrip("-")


def read_questions(path: str | Path) -> list[Question]:
    """The questions of a JSON Lines file: texts, or objects with ``question`` and what goes with it."""
    found: list[Question] = []
    places: dict[str, int] = {}
    for record in _records(path):
        values = record.value if isinstance(record.value, list) else [record.value]
        for value in values:
            try:
                question = Question.of(value)
            except InputError as error:
                raise InputError(
                    error.problem, path=str(path), line=record.line, field=error.field, hint=error.hint
                ) from None
            if question.id in places:
                raise DuplicateIdError(
                    f"{question.id!r} is the id of the question on line {places[question.id]} too",
                    path=str(path),
                    line=record.line,
                    hint="give each question an id of its own",
                )
            places[question.id] = record.line
            found.append(question)
    if not found:
        raise InputError("holds no question", path=str(path), hint='write one {"question": "..."} a line')
    return found


def _records(path: str | Path) -> Iterator[Record]:
    """The lines of a file; a text without quotation marks is told how to be written."""
    try:
        yield from read_records(path)
    except InputError as error:
        if not error.problem.startswith("is not JSON"):
            raise
        hint = 'write one question a line, as {"question": "..."} or as a text in quotation marks'
        raise InputError(error.problem, path=str(path), line=error.line, hint=hint) from None


def unique(questions: Sequence[Question]) -> None:
    """Refuse two questions of one id."""
    seen: set[str] = set()
    for question in questions:
        if question.id in seen:
            raise DuplicateIdError(f"two questions have the id {question.id!r}", hint="give each its own")
        seen.add(question.id)

"""Reading a log: its lines as a stream, and the filters on them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Annotated, Any, NamedTuple, Self

from pydantic import Field, TypeAdapter, ValidationError

from pytest_grounding.audit.record import AuditNote, AuditRecord
from pytest_grounding.audit.writing import parse
from pytest_grounding.errors import InputError

_AGE = re.compile(r"([0-9]{1,6})\s*([smhdw])")
_UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days", "w": "weeks"}
_STATUSES = ("PASS", "REVIEW", "REJECT")
_ENTRY: TypeAdapter[AuditRecord | AuditNote] = TypeAdapter(
    Annotated[AuditRecord | AuditNote, Field(discriminator="kind")]
)


class RawLine(NamedTuple):
    """A line as it stands in a file: its 1-based number, its bytes, and whether it ends in a line feed."""

    path: Path
    number: int
    raw: bytes
    whole: bool


def raw_lines(path: str | os.PathLike[str]) -> Iterator[RawLine]:
    """The lines of a log, the oldest first; others may write meanwhile."""
    file = Path(path)
    try:
        with file.open("rb") as stream:
            for number, raw in enumerate(stream, start=1):
                whole = raw.endswith(b"\n")
                yield RawLine(file, number, raw[:-1] if whole else raw, whole)
    except FileNotFoundError:
        raise InputError("there is no such audit log", path=str(path)) from None
    except OSError as error:
        raise InputError(f"cannot be read ({error.strerror or error})", path=str(path)) from None


def entry_of(line: RawLine) -> AuditRecord | AuditNote | InputError:
    """What a line says, or the error that names it."""
    value = parse(line.raw)
    if value is None:
        return InputError("is no audit record", path=str(line.path), line=line.number)
    try:
        return _ENTRY.validate_python(value)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"][1:])
        problem = f"is no audit record that can be read: {first['msg']}"
        return InputError(problem, path=str(line.path), line=line.number, field=place or None)


def iter_entries(path: str | os.PathLike[str]) -> Iterator[AuditRecord | AuditNote | InputError]:
    """All lines of a log; one that cannot be read as its error. Half a line at an end is left out."""
    for line in raw_lines(path):
        if line.whole:
            yield entry_of(line)


def read_entries(path: str | os.PathLike[str]) -> Iterator[AuditRecord | AuditNote]:
    """`iter_entries` that ends with an error at the first line that cannot be read."""
    for entry in iter_entries(path):
        if isinstance(entry, InputError):
            raise entry
        yield entry


@dataclass(frozen=True, slots=True)
class Filter:
    """Which validations are wanted; a field that is None lets all through.

    Attributes:
        status: PASS, REVIEW or REJECT, in any case.
        rule: name of a rule that fired.
        id: id of the transcript, of the audit record, or of the response.
        session: id of the session.
        since: the earliest time, included.
        until: the latest time, excluded.
    """

    status: str | None = None
    rule: str | None = None
    id: str | None = None
    session: str | None = None
    since: datetime | None = None
    until: datetime | None = None

    @classmethod
    def of(cls, **fields: Any) -> Self:
        """A filter whose times may be text too, as `moment` reads it."""
        for name in ("since", "until"):
            value = fields.get(name)
            if isinstance(value, datetime):
                fields[name] = value if value.tzinfo else value.replace(tzinfo=UTC)
            elif value is not None:
                fields[name] = moment(value)
        status = fields.get("status")
        if status is not None:
            fields["status"] = str(status).upper()
            if fields["status"] not in _STATUSES:
                hint = f"write one of: {', '.join(_STATUSES)}"
                raise InputError(f"status {status!r} is not known", hint=hint)
        return cls(**fields)

    def takes(self, record: AuditRecord) -> bool:
        """Whether a validation is wanted."""
        if self.status is not None and record.status != self.status:
            return False
        if self.rule is not None and all(fired.rule != self.rule for fired in record.rules):
            return False
        ids = (record.transcript_id, record.audit_id, record.response_id)
        if self.id is not None and self.id not in ids:
            return False
        if self.session is not None and record.session_id != self.session:
            return False
        if self.since is None and self.until is None:
            return True
        written = time_of(record.timestamp)
        return (self.since is None or written >= self.since) and (self.until is None or written < self.until)


def read_records(path: str | os.PathLike[str], wanted: Filter) -> Iterator[AuditRecord]:
    """The validations of a log that a filter takes, the oldest first."""
    for entry in read_entries(path):
        if isinstance(entry, AuditRecord) and wanted.takes(entry):
            yield entry


def time_of(timestamp: str) -> datetime:
    """The time of a line; a time that nobody can read lies before all others."""
    try:
        found = datetime.fromisoformat(timestamp)
    except ValueError:
        return datetime.min.replace(tzinfo=UTC)
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def moment(text: str, *, now: datetime | None = None) -> datetime:
    """A point in time as people write it: a date, a date with a time, or an age such as ``7d`` or ``12h``."""
    clean = text.strip()
    match = _AGE.fullmatch(clean)
    try:
        if match:
            age = timedelta(**{_UNITS[match[2]]: int(match[1])})
            return (now or datetime.now(UTC)) - age
        found = datetime.fromisoformat(clean)
    except (ValueError, OverflowError):
        hint = "write a date (2026-01-31), a time (2026-01-31T12:00:00Z) or an age (12h, 7d)"
        raise InputError(f"{text!r} is no point in time", hint=hint) from None
    return found if found.tzinfo else found.replace(tzinfo=UTC)

"""How a log is read, verified and pruned."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Annotated, Any, Self

from pydantic import Field, TypeAdapter, ValidationError

from pytest_grounding._io.jsonio import canonical_json, content_hash
from pytest_grounding._io.wording import counted, listed
from pytest_grounding.audit.records import AuditNote, AuditRecord
from pytest_grounding.audit.writing import START, Link, LogWriter, link_of, parse_entry, remark
from pytest_grounding.errors import InputError

if TYPE_CHECKING:
    from pytest_grounding.model.run_report import RunReport

_AGE = re.compile(r"([0-9]{1,6})\s*([smhdw])")
_UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days", "w": "weeks"}
_STATUSES = ("PASS", "REVIEW", "REJECT")
_ENTRY: TypeAdapter[AuditRecord | AuditNote] = TypeAdapter(
    Annotated[AuditRecord | AuditNote, Field(discriminator="kind")]
)
_TORN = "is torn: its writer was stopped in the middle; the next append repairs it"
_NAMED = 20  # most verdicts missing in the log that are listed


def _raw_lines(path: str | os.PathLike[str]) -> Iterator[tuple[int, bytes]]:
    """Number and bytes of each line of a log, oldest first; others may append meanwhile."""
    try:
        with open(path, "rb") as stream:
            yield from enumerate(stream, start=1)
    except FileNotFoundError:
        raise InputError("there is no such audit log", path=str(path)) from None
    except OSError as error:
        raise InputError(f"cannot be read ({error.strerror or error})", path=str(path)) from None


def _entry_of(path: str | os.PathLike[str], number: int, raw: bytes) -> AuditRecord | AuditNote | InputError:
    value = parse_entry(raw)
    if value is None:
        return InputError("is not an audit record", path=str(path), line=number)
    try:
        return _ENTRY.validate_python(value)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"][1:]))
        problem = f"is not an audit record that can be read: {first['msg']}"
        return InputError(problem, path=str(path), line=number, field=place or None)


def iter_entries(path: str | os.PathLike[str]) -> Iterator[AuditRecord | AuditNote | InputError]:
    """All lines of a log; an unreadable one as its error. An incomplete last line is ignored."""
    for number, raw in _raw_lines(path):
        if raw.endswith(b"\n"):
            yield _entry_of(path, number, raw)


@dataclass(frozen=True, slots=True)
class Filter:
    """Which validations are selected; a field that is None does not restrict."""

    status: str | None = None
    rule: str | None = None
    id: str | None = None
    session: str | None = None
    since: datetime | None = None
    until: datetime | None = None

    @classmethod
    def of(cls, **fields: Any) -> Self:
        """A filter whose times may also be text, as `moment` parses it."""
        for name in ("since", "until"):
            if (value := fields.get(name)) is not None:
                fields[name] = _aware(value) if isinstance(value, datetime) else moment(value)
        status = fields.get("status")
        if status is not None:
            fields["status"] = str(status).upper()
            if fields["status"] not in _STATUSES:
                hint = f"write one of: {', '.join(_STATUSES)}"
                raise InputError(f"status {status!r} is not known", hint=hint)
        return cls(**fields)

    def takes(self, record: AuditRecord) -> bool:
        """Whether a validation is selected."""
        written = time_of(record.timestamp)
        return (
            self.status in (None, record.status)
            and (self.rule is None or any(fired.rule == self.rule for fired in record.rules))
            and self.id in (None, *record.names)
            and self.session in (None, record.session_id)
            and (self.since is None or written >= self.since)
            and (self.until is None or written < self.until)
        )


def _aware(time: datetime) -> datetime:
    return time if time.tzinfo else time.replace(tzinfo=UTC)


def time_of(timestamp: str) -> datetime:
    """The time of a line; an unreadable one sorts before all others."""
    try:
        return _aware(datetime.fromisoformat(timestamp))
    except ValueError:
        return datetime.min.replace(tzinfo=UTC)


def moment(text: str) -> datetime:
    """Parse a time as people write it: a date, a date with a time, or an age such as ``7d`` or ``12h``."""
    clean = text.strip()
    match = _AGE.fullmatch(clean)
    try:
        if match:
            return datetime.now(UTC) - timedelta(**{_UNITS[match[2]]: int(match[1])})
        return _aware(datetime.fromisoformat(clean))
    except (ValueError, OverflowError):
        hint = "write a date (2026-01-31), a time (2026-01-31T12:00:00Z) or an age (12h, 7d)"
        raise InputError(f"{text!r} is not a point in time", hint=hint) from None


@dataclass(frozen=True, slots=True)
class Damage:
    """One defect of a log."""

    path: str
    line: int
    message: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.message}" if self.line else f"{self.path}: {self.message}"


@dataclass(slots=True)
class Integrity:
    """The result of verifying a log."""

    records: int = 0  # number of validations in it
    #: The defects, in the order of the lines; empty if the log is intact.
    damage: list[Damage] = field(default_factory=list)
    #: What is correct but worth knowing: pruned parts, repairs, missed records.
    remarks: list[str] = field(default_factory=list)

    @property
    def is_intact(self) -> bool:
        """Whether there are no defects."""
        return not self.damage


def verify(path: str | os.PathLike[str], *, report: RunReport | None = None) -> Integrity:
    """Check every line of a log, and whether it contains the verdicts of a run."""
    found = Integrity()
    place, last = str(path), None
    pruned, seen = {START}, set[tuple[str, str]]()
    first: tuple[int, Link] | None = None
    is_empty, is_connected = True, True
    for number, raw in _raw_lines(path):
        problem, value, is_empty = "", parse_entry(raw), False
        if not raw.endswith(b"\n"):
            problem = _TORN
        elif value is None:
            problem = "is not an audit record"
        elif not _is_sound(value, raw):
            problem = "was edited: it does not match its own hash"
        if problem or value is None:
            # The expected position of the next line is unknown.
            found.damage.append(Damage(place, number, problem))
            is_connected = False
            continue
        entry = _entry_of(path, number, raw)
        if isinstance(entry, InputError):
            found.damage.append(Damage(place, number, f"has the right hash, but {entry.problem}"))
        elif entry.kind == "validation":
            found.records += 1
            seen.add((entry.transcript_hash, entry.status.lower()))
        else:
            found.remarks.append(f"{place}:{number}: {entry.message}")
            if entry.kind == "pruned":
                pruned.add(Link(entry.details.get("through", 0), str(entry.details.get("hash"))))
        before = Link(value["sequence"] - 1, str(value.get("previous")))
        if not is_connected:
            is_connected = True
        elif last is None:
            first = (number, before)
        elif before != last:
            problem = "does not follow the line before it: one was changed or moved, or lines are missing"
            found.damage.append(Damage(place, number, problem))
        last = Link(value["sequence"], value["hash"])
    if is_empty:
        raise InputError("is empty: nothing to verify", path=place, hint="name the file of a log")
    if first is not None and first[1] not in pruned:
        problem = "lines before it are missing, and no pruning accounts for them"
        found.damage.append(Damage(place, first[0], problem))
    if report is not None:
        held = [item for item in report.transcripts if not item.skipped]
        if missing := [item.id for item in held if (item.transcript_hash, item.status) not in seen]:
            message = f"{counted(len(missing), 'verdict')} of the report's {len(held)} not in the log"
            found.damage.append(Damage(place, 0, f"{message}: {listed(missing, _NAMED)}"))
    return found


def _is_sound(value: Mapping[str, Any], raw: bytes) -> bool:
    rest = {key: item for key, item in value.items() if key != "hash"}
    try:
        return f"{canonical_json(value)}\n".encode() == raw and content_hash(rest) == value["hash"]
    except (ValueError, RecursionError):
        return False


@dataclass(frozen=True, slots=True)
class Pruning:
    """What pruning removes: always the oldest lines, up to the first that is recent enough."""

    validations: int = 0  # number of validations removed
    through: Link | None = None  # number and hash of the last line removed, or None if nothing is
    oldest: str = ""  # time of the first line removed, or ""
    newest: str = ""  # time of the last one, or ""


def plan(path: str | os.PathLike[str], before: datetime) -> Pruning:
    """What pruning the lines written before a time would remove."""
    found = Pruning()
    for _, raw in _raw_lines(path):
        value = parse_entry(raw)
        if value is None:
            continue
        time = str(value.get("timestamp"))
        if time_of(time) >= before:
            break
        number = found.validations + (1 if value["kind"] == "validation" else 0)
        found = Pruning(number, link_of(value), found.oldest or time, time)
    return found


def prune(path: str | os.PathLike[str], before: datetime) -> Pruning:
    """Remove the oldest lines, and write a line to the log that records it."""
    found = plan(path, before)
    if found.through is None:
        return found
    if damage := [item for item in verify(path).damage if item.message != _TORN]:
        more = f" (and {len(damage) - 1} more)" if len(damage) > 1 else ""
        hint = "pruning would remove evidence: move the log away, and a new one begins"
        raise InputError(f"the log is damaged: {damage[0]}{more}", hint=hint)
    limit = before.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    number, link = counted(found.validations, "validation"), found.through
    message = f"{number} written before {limit} were pruned, up to line {link.sequence}"
    details = {**asdict(found), "through": link.sequence, "hash": link.hash, "before": limit}
    try:
        # If another process has pruned meanwhile, these lines are already gone.
        was_there = LogWriter(path).prune(found.through, remark("pruned", message, details))
        return found if was_there else Pruning()
    except OSError as error:
        problem = f"cannot be pruned ({error.strerror or error})"
        raise InputError(problem, path=str(error.filename or path)) from None

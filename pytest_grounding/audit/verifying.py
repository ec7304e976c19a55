"""Reading a log line by line, and whether it is what was written."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, Self

from pydantic import Field, TypeAdapter, ValidationError

from pytest_grounding._io.jsonio import canonical_json, content_hash
from pytest_grounding._io.wording import counted
from pytest_grounding.audit.audit_record import AuditNote, AuditRecord
from pytest_grounding.audit.writing import START, Link, Writer, link_of, parse
from pytest_grounding.errors import InputError

if TYPE_CHECKING:
    from pytest_grounding.model.run_report import RunReport

_AGE = re.compile(r"([0-9]{1,6})\s*([smhdw])")
_UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days", "w": "weeks"}
_STATUSES = ("PASS", "REVIEW", "REJECT")
_ENTRY: TypeAdapter[AuditRecord | AuditNote] = TypeAdapter(
    Annotated[AuditRecord | AuditNote, Field(discriminator="kind")]
)


class RawLine(NamedTuple):
    """A line of a file: its 1-based number, its bytes, and whether it ends in a line feed."""

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
    """Which validations are wanted; a field that is None lets all through."""

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
            if value is not None:
                fields[name] = _aware(value) if isinstance(value, datetime) else moment(value)
        status = fields.get("status")
        if status is not None:
            fields["status"] = str(status).upper()
            if fields["status"] not in _STATUSES:
                hint = f"write one of: {', '.join(_STATUSES)}"
                raise InputError(f"status {status!r} is not known", hint=hint)
        return cls(**fields)

    def takes(self, record: AuditRecord) -> bool:
        """Whether a validation is wanted."""
        written = time_of(record.timestamp)
        return (
            self.status in (None, record.status)
            and (self.rule is None or any(fired.rule == self.rule for fired in record.rules))
            and self.id in (None, record.transcript_id, record.audit_id, record.response_id)
            and self.session in (None, record.session_id)
            and (self.since is None or written >= self.since)
            and (self.until is None or written < self.until)
        )


def read_records(path: str | os.PathLike[str], wanted: Filter) -> Iterator[AuditRecord]:
    """The validations of a log that a filter takes, the oldest first."""
    for entry in read_entries(path):
        if isinstance(entry, AuditRecord) and wanted.takes(entry):
            yield entry


def _aware(time: datetime) -> datetime:
    return time if time.tzinfo else time.replace(tzinfo=UTC)


def time_of(timestamp: str) -> datetime:
    """The time of a line; a time that nobody can read lies before all others."""
    try:
        return _aware(datetime.fromisoformat(timestamp))
    except ValueError:
        return datetime.min.replace(tzinfo=UTC)


def moment(text: str) -> datetime:
    """A point in time as people write it: a date, a date with a time, or an age such as ``7d`` or ``12h``."""
    clean = text.strip()
    match = _AGE.fullmatch(clean)
    try:
        if match:
            return datetime.now(UTC) - timedelta(**{_UNITS[match[2]]: int(match[1])})
        return _aware(datetime.fromisoformat(clean))
    except (ValueError, OverflowError):
        hint = "write a date (2026-01-31), a time (2026-01-31T12:00:00Z) or an age (12h, 7d)"
        raise InputError(f"{text!r} is no point in time", hint=hint) from None


#: Answers that are missing in the log and named.
_NAMED = 20


class Damage(NamedTuple):
    """One thing that is wrong with a log."""

    path: Path
    line: int
    message: str
    is_torn: bool = False

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.message}" if self.line else f"{self.path}: {self.message}"


@dataclass(slots=True)
class Integrity:
    """What an examination of a log found.

    Attributes:
        records: validations in it.
        notes: lines that the log wrote on itself.
        damage: what is wrong, in the order of the lines; none when the log is intact.
        remarks: what is right and worth knowing: pruned parts, repairs, records that were missed.
        first: number of the first line that is still there, or None.
    """

    records: int = 0
    notes: int = 0
    damage: list[Damage] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    first: int | None = None

    @property
    def is_intact(self) -> bool:
        """Nothing is wrong."""
        return not self.damage


def verify(path: str | os.PathLike[str], *, report: RunReport | None = None) -> Integrity:
    """Examine every line of a log."""
    examined = _Examination(Path(path))
    for line in raw_lines(path):
        examined.take(line)
    if examined.place is None and not examined.found.damage:
        raise InputError("is empty: nothing to verify", path=str(path), hint="name the file of a log")
    return examined.conclude(report)


class _Examination:
    """Takes the lines in order and notes what is wrong."""

    def __init__(self, path: Path) -> None:
        self.path, self.found, self.last = path, Integrity(), START
        self.place: RawLine | None = None
        #: Lines since the last sound one that could not be read: each stands for one number.
        self.unread = 0
        self.before_first: tuple[RawLine, Link] | None = None
        self.pruned: set[Link] = set()
        self.seen: set[tuple[str, str]] = set()

    def take(self, line: RawLine) -> None:
        if not line.whole:
            message = "is torn: its writer was stopped in the middle; the next append repairs it"
            self.found.damage.append(Damage(line.path, line.number, message, is_torn=True))
            return
        value = parse(line.raw)
        if value is None or not _is_sound(value, line.raw):
            self._say(line, "was edited: it does not match its own hash" if value else "is no audit record")
            self.unread += 1
            return
        self._count(line, value)
        self._connect(line, value)

    def _count(self, line: RawLine, value: Mapping[str, Any]) -> None:
        entry = entry_of(line)
        if isinstance(entry, InputError):
            self._say(line, f"carries a right hash, but {entry.problem}")
        elif entry.kind == "validation":
            self.found.records += 1
            self.seen.add((entry.transcript_hash, entry.status.lower()))
        else:
            self.found.notes += 1
            if entry.kind == "pruned":
                details = entry.details
                through = {"sequence": details.get("through"), "hash": details.get("hash"), "kind": ""}
                self.pruned.update(filter(None, [link_of(through)]))
            self.found.remarks.append(f"{line.path}:{line.number}: {entry.message}")

    def _connect(self, line: RawLine, value: Mapping[str, Any]) -> None:
        link, previous = Link(value["sequence"], value["hash"]), str(value.get("previous"))
        if self.place is None:
            self.found.first = link.sequence
            before = Link(link.sequence - 1 - self.unread, "" if self.unread else previous)
            if before.sequence >= 0 and before not in (START, (0, "")):
                self.before_first = (line, before)
        elif link.sequence <= self.last.sequence:
            self._say(line, f"was inserted or moved: number {link.sequence} has been before")
            return
        else:
            missing = link.sequence - self.last.sequence - 1 - self.unread
            if missing > 0:
                lines = "1 line is" if missing == 1 else f"{missing} lines are"
                self._say(line, f"{lines} missing before it: it is number {link.sequence} of the log")
            elif link.sequence == self.last.sequence + 1 and previous != self.last.hash:
                self._say(self.place, "was edited or replaced: the line after it carries another hash of it")
        self.last, self.place, self.unread = link, line, 0

    def _say(self, line: RawLine, message: str) -> None:
        self.found.damage.append(Damage(line.path, line.number, message))

    def conclude(self, report: RunReport | None) -> Integrity:
        found = self.found
        if self.before_first is not None:
            line, gone = self.before_first
            # A pruning that was interrupted has taken out less than it said, and where the first lines
            # cannot be read, nobody says which hash came before them.
            known = gone in self.pruned or any(
                item.sequence > gone.sequence or (item.sequence == gone.sequence and not gone.hash)
                for item in self.pruned
            )
            if known:
                found.remarks.insert(0, f"lines 1 to {gone.sequence} of the log were pruned")
            elif not gone.sequence:
                self._say(line, "is number 1 of the log, but says that another line was before it")
            else:
                message = f"the {gone.sequence} lines before it are missing, and no pruning accounts for them"
                self._say(line, message)
        if report is not None:
            held = [item for item in report.transcripts if not item.skipped]
            missing = [item for item in held if (item.transcript_hash, item.status) not in self.seen]
            if missing:
                names = ", ".join(item.id for item in missing[:_NAMED]) + ", ..." * (len(missing) > _NAMED)
                number = counted(len(missing), "verdict")
                message = f"{number} of the report's {len(held)} not in the log: {names}"
                found.damage.append(Damage(self.path, 0, message))
        return found


def _is_sound(value: Mapping[str, Any], raw: bytes) -> bool:
    rest = {key: item for key, item in value.items() if key != "hash"}
    try:
        return canonical_json(value).encode("utf-8") == raw and content_hash(rest) == value["hash"]
    except (ValueError, RecursionError):
        return False


class Plan(NamedTuple):
    """What a pruning takes out: always the oldest lines, up to the first that is young enough.

    Attributes:
        lines: lines that go, those that the log wrote on itself too.
        validations: validations among them.
        through: number and hash of the last line that goes, or None when nothing goes.
        oldest: time of the first line that goes, or "".
        newest: time of the last one, or "".
    """

    lines: int = 0
    validations: int = 0
    through: Link | None = None
    oldest: str = ""
    newest: str = ""


def plan(path: str | os.PathLike[str], before: datetime) -> Plan:
    """What a pruning of the lines that were written before a time would take out."""
    found, damaged = Plan(), 0
    for line in raw_lines(path):
        value = parse(line.raw) if line.whole else None
        if value is None:
            # A damaged line has no time: it goes with the old lines around it.
            damaged += 1
            continue
        time = str(value.get("timestamp"))
        if time_of(time) >= before:
            break
        found = Plan(
            lines=found.lines + damaged + 1,
            validations=found.validations + (value["kind"] == "validation"),
            through=link_of(value),
            oldest=found.oldest or time,
            newest=time,
        )
        damaged = 0
    return found


def prune(path: str | os.PathLike[str], before: datetime, *, anyway: bool = False) -> Plan:
    """Take out the oldest lines, and write a line into the log that says so."""
    found = plan(path, before)
    if found.through is None:
        return found
    damage = [item for item in verify(path).damage if not item.is_torn]
    if damage and not anyway:
        more = f" (and {len(damage) - 1} more)" if len(damage) > 1 else ""
        hint = "pruning would take traces away; look at it with verify, or say --anyway"
        raise InputError(f"the log is damaged: {damage[0]}{more}", hint=hint)
    limit = before.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    number = counted(found.validations, "validation")
    marker = {
        "schema_version": 1,
        "kind": "pruned",
        "message": f"{number} written before {limit} were pruned, up to line {found.through.sequence}",
        "details": {
            **found._asdict(),
            "through": found.through.sequence,
            "hash": found.through.hash,
            "before": limit,
            "damaged": len(damage),
        },
    }
    try:
        # Where another process has pruned meanwhile, these lines are gone already.
        return found if Writer(path).prune(found.through, marker) else Plan()
    except OSError as error:
        problem = f"cannot be pruned ({error.strerror or error})"
        raise InputError(problem, path=str(error.filename or path)) from None

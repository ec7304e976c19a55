"""The content of a line of the audit log, how a verdict becomes one, and how a log is verified."""

from __future__ import annotations

import math
import os
import re
import uuid
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple, Self

from pydantic import Field, TypeAdapter, ValidationError

from pytest_grounding._io.jsonio import canonical_json, content_hash
from pytest_grounding._io.wording import counted, listed, measured
from pytest_grounding.audit.writing import START, Link, Writer, link_of, parse, remark
from pytest_grounding.errors import InputError
from pytest_grounding.model.base import Canonical, Model
from pytest_grounding.model.transcript import Transcript
from pytest_grounding.model.verdict import CitationVerdict, Verdict
from pytest_grounding.rules import ORDER

if TYPE_CHECKING:
    from pytest_grounding.model.run_report import RunReport

AuditStatus = Literal["PASS", "REVIEW", "REJECT"]
#: PASS was written by earlier versions.
CitationStatus = Literal["VALID", "REVIEW", "REJECT", "PASS"]
NoteKind = Literal["repaired", "missed", "pruned"]

_STATUS: Mapping[str, AuditStatus] = {"pass": "PASS", "review": "REVIEW", "reject": "REJECT"}


class ValidationResult(Model):
    """The figures of one validation.

    Attributes:
        status: PASS, REVIEW or REJECT.
        citations_validated: number of valid citations.
        citations_failed: number of invalid ones; both together are the citations of the answer. An entry
            of the response's list that the answer never mentions counts only if it is invalid.
        hallucinations_detected: number of unsupported or contradicted claims.
        confidence_score: the deciding confidence, in [0, 1]; None if it is not a number.
    """

    status: AuditStatus
    citations_validated: int
    citations_failed: int
    hallucinations_detected: int
    confidence_score: float | None


class AuditCitation(Model):
    """One citation of the answer, or a hallucinated claim without a citation.

    Attributes:
        claim: the claim it belongs to, verbatim, or None.
        source: path of the cited file, of code or of a chunk with a path; otherwise the id of the chunk
            it resolved to, otherwise its target. None for a claim without a citation.
        line_range: the cited lines, such as ``3-9``, or those of the chunk; None if unknown.
        validation_status: REJECT if an error rule failed on it, REVIEW for a warning, otherwise VALID; for a
            claim without a citation REJECT if a source contradicts it, otherwise REVIEW.
        semantic_score: support of the claim by what it cites, or by all chunks if it cites nothing, in
            [0, 1]; None if it was not scored.
    """

    claim: str | None
    source: str | None
    line_range: str | None
    validation_status: CitationStatus
    semantic_score: float | None


class FiredRule(Model):
    """A rule with findings.

    Attributes:
        rule: its name.
        severity: error, warning or info.
        count: number of its findings.
    """

    rule: str
    severity: Literal["error", "warning", "info"]
    count: int


class Entry(Canonical):
    """The common fields of every line of the log.

    Attributes:
        schema_version: version of the line format.
        sequence: number of the line in the whole log, from 1; repeated validations differ in it.
        timestamp: time of writing, ISO 8601 in UTC.
        previous: ``hash`` of the previous line, or 64 zeros.
        hash: SHA-256 of the canonical JSON of all other fields.
    """

    schema_version: Literal[1] = 1
    sequence: int = Field(ge=1)
    timestamp: str
    previous: str = Field(pattern="^[0-9a-f]{64}$")
    hash: str = Field(pattern="^[0-9a-f]{64}$")


class AuditRecord(Entry):
    """One validation, in addition to the fields of every `Entry`.

    Attributes:
        kind: validation.
        audit_id: of this record alone.
        verdict_id: ``audit_id`` of the verdict and of its rejection: equal for equal input and settings; ""
            in records of earlier versions, which have it as ``audit_id``.
        session_id: name of the session, from the log or the transcript, or None.
        query: the question; None if only the verdict was available, as for the two ids below.
        response_id: id of the response, from the transcript's metadata.
        transcript_id: id of the transcript.
        transcript_hash: hash of its content.
        validation_result: the figures.
        citations: the citations, and the hallucinated claims without a citation.
        rules: the rules with findings.
        reason: the reason for the verdict.
        processing_time_ms: duration of the validation in milliseconds, or None.
        model_version: the model that answered, from the transcript's metadata, or None.
        engine_version: version of the rules and weights used.
        settings_hash: hash of the settings that can change a verdict.
    """

    kind: Literal["validation"] = "validation"
    audit_id: str
    verdict_id: str = ""
    session_id: str | None
    query: str | None
    response_id: str | None
    transcript_id: str
    transcript_hash: str
    validation_result: ValidationResult
    citations: tuple[AuditCitation, ...]
    rules: tuple[FiredRule, ...]
    reason: str
    processing_time_ms: float | None
    model_version: str | None
    engine_version: str
    settings_hash: str

    @property
    def status(self) -> AuditStatus:
        """PASS, REVIEW or REJECT."""
        return self.validation_result.status

    @property
    def names(self) -> tuple[str | None, ...]:
        """The ids by which it is found."""
        return self.transcript_id, self.audit_id, self.verdict_id, self.response_id


class AuditNote(Entry):
    """A line that the log writes about itself.

    Attributes:
        kind: ``repaired`` (half a line of a killed writer was removed), ``missed``
            (validations could not be written), ``pruned`` (old records were removed).
        message: what happened, for people.
        details: the same as plain data.
    """

    kind: NoteKind
    message: str
    details: Mapping[str, Any] = Field(default_factory=dict)


def draft(
    verdict: Verdict,
    transcript: Transcript | None = None,
    *,
    processing_time_ms: float | None = None,
    session_id: str | None = None,
) -> dict[str, Any]:
    """The record of a verdict, without its place in the log."""
    if transcript is not None and transcript.id != verdict.id:
        raise ValueError(f"the verdict is on {verdict.id!r}, but the transcript is {transcript.id!r}")
    if processing_time_ms is not None and not 0 <= processing_time_ms < math.inf:
        raise ValueError(f"processing_time_ms = {processing_time_ms!r}; write milliseconds from 0")
    metadata = dict(transcript.metadata) if transcript is not None else {}
    known = {key: str(value) for key, value in metadata.items() if value is not None}
    cited = [item.valid for item in verdict.citations if item.counts]
    fired = Counter((ORDER[item.severity], item.rule, item.severity) for item in verdict.causes)
    rules = [{"rule": key[1], "severity": key[2], "count": number} for key, number in sorted(fired.items())]
    return {
        "schema_version": 1,
        "kind": "validation",
        "audit_id": str(uuid.uuid4()),
        "verdict_id": verdict.audit_id,
        "session_id": known.get("session_id") or session_id,
        "query": transcript.question if transcript is not None else None,
        "response_id": known.get("response_id"),
        "transcript_id": verdict.id,
        "transcript_hash": verdict.transcript_hash,
        "validation_result": {
            "status": _STATUS[verdict.status],
            "citations_validated": sum(cited),
            "citations_failed": len(cited) - sum(cited),
            "hallucinations_detected": len(verdict.hallucinated),
            "confidence_score": measured(verdict.confidence),
        },
        "citations": [*(_cited(item, verdict, transcript) for item in verdict.citations), *_uncited(verdict)],
        "rules": rules,
        "reason": verdict.reason,
        "processing_time_ms": None if processing_time_ms is None else round(float(processing_time_ms), 3),
        "model_version": known.get("model_version"),
        "engine_version": verdict.engine_version,
        "settings_hash": verdict.settings_hash,
    }


def _uncited(verdict: Verdict) -> Iterator[dict[str, Any]]:
    """The hallucinated claims that cite nothing, and so belong to no citation."""
    cited = {item.claim for item in verdict.citations}
    for claim in verdict.hallucinated:
        if not claim.citations and claim.index not in cited:
            yield {
                "claim": claim.text,
                "source": None,
                "line_range": None,
                "validation_status": "REJECT" if claim.status == "contradicted" else "REVIEW",
                "semantic_score": measured(claim.support),
            }


def _cited(item: CitationVerdict, verdict: Verdict, transcript: Transcript | None) -> dict[str, Any]:
    file, lines = _place(item, transcript)
    status: CitationStatus = "VALID"
    if not item.valid:
        status = "REJECT"
    elif any(finding.severity == "warning" for finding in item.findings):
        status = "REVIEW"
    return {
        "claim": verdict.claims[item.claim].text if item.claim is not None else None,
        "source": file or item.chunk_id or item.path or item.target,
        "line_range": lines,
        "validation_status": status,
        "semantic_score": measured(item.support),
    }


def _place(item: CitationVerdict, transcript: Transcript | None) -> tuple[str | None, str | None]:
    """The cited file as spelled by the source root, the chunk or the citation, and the lines if known."""
    chunks = transcript.chunks if transcript is not None and item.chunk_id is not None else ()
    known = next((chunk.metadata for chunk in chunks if chunk.id == item.chunk_id), None)
    file, lines = (known.path, None) if known is not None else (None, None)
    if known is not None and known.line_start is not None:
        lines = str(known.line_start) + (f"-{known.line_end}" if known.line_end is not None else "")
    if item.syntax == "code":
        path, colon, cited = item.target.rpartition(":")
        has_lines = bool(colon) and cited[:1].isdigit()
        file = item.path or file or (path if has_lines else item.target)
        lines = cited if has_lines else lines
    return file, lines


_AGE = re.compile(r"([0-9]{1,6})\s*([smhdw])")
_UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days", "w": "weeks"}
_STATUSES = ("PASS", "REVIEW", "REJECT")
_ENTRY: TypeAdapter[AuditRecord | AuditNote] = TypeAdapter(
    Annotated[AuditRecord | AuditNote, Field(discriminator="kind")]
)
_TORN = "is torn: its writer was stopped in the middle; the next append repairs it"
#: Most verdicts missing in the log that are listed.
_NAMED = 20


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
    value = parse(raw)
    if value is None:
        return InputError("is not an audit record", path=str(path), line=number)
    try:
        return _ENTRY.validate_python(value)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"][1:])
        problem = f"is not an audit record that can be read: {first['msg']}"
        return InputError(problem, path=str(path), line=number, field=place or None)


def iter_entries(path: str | os.PathLike[str]) -> Iterator[AuditRecord | AuditNote | InputError]:
    """All lines of a log; an unreadable one as its error. An incomplete last line is ignored."""
    for number, raw in _raw_lines(path):
        if raw.endswith(b"\n"):
            yield _entry_of(path, number, raw)


def read_entries(path: str | os.PathLike[str]) -> Iterator[AuditRecord | AuditNote]:
    """`iter_entries`, but raises at the first unreadable line."""
    for entry in iter_entries(path):
        if isinstance(entry, InputError):
            raise entry
        yield entry


class Filter(NamedTuple):
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


class Damage(NamedTuple):
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
        problem, value, is_empty = "", parse(raw), False
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
        missing = [item.id for item in held if (item.transcript_hash, item.status) not in seen]
        if missing:
            message = f"{counted(len(missing), 'verdict')} of the report's {len(held)} not in the log"
            found.damage.append(Damage(place, 0, f"{message}: {listed(missing, _NAMED)}"))
    return found


def _is_sound(value: Mapping[str, Any], raw: bytes) -> bool:
    rest = {key: item for key, item in value.items() if key != "hash"}
    try:
        return f"{canonical_json(value)}\n".encode() == raw and content_hash(rest) == value["hash"]
    except (ValueError, RecursionError):
        return False


class Plan(NamedTuple):
    """What pruning removes: always the oldest lines, up to the first that is recent enough."""

    validations: int = 0  # number of validations removed
    through: Link | None = None  # number and hash of the last line removed, or None if nothing is
    oldest: str = ""  # time of the first line removed, or ""
    newest: str = ""  # time of the last one, or ""


def plan(path: str | os.PathLike[str], before: datetime) -> Plan:
    """What pruning the lines written before a time would remove."""
    found = Plan()
    for _, raw in _raw_lines(path):
        value = parse(raw)
        if value is None:
            continue
        time = str(value.get("timestamp"))
        if time_of(time) >= before:
            break
        number = found.validations + (value["kind"] == "validation")
        found = Plan(number, link_of(value), found.oldest or time, time)
    return found


def prune(path: str | os.PathLike[str], before: datetime) -> Plan:
    """Remove the oldest lines, and write a line to the log that records it."""
    found = plan(path, before)
    if found.through is None:
        return found
    damage = [item for item in verify(path).damage if item.message != _TORN]
    if damage:
        more = f" (and {len(damage) - 1} more)" if len(damage) > 1 else ""
        hint = "pruning would remove evidence: move the log away, and a new one begins"
        raise InputError(f"the log is damaged: {damage[0]}{more}", hint=hint)
    limit = before.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    number = counted(found.validations, "validation")
    message = f"{number} written before {limit} were pruned, up to line {found.through.sequence}"
    link = found.through
    details = {**found._asdict(), "through": link.sequence, "hash": link.hash, "before": limit}
    try:
        # If another process has pruned meanwhile, these lines are already gone.
        return found if Writer(path).prune(found.through, remark("pruned", message, details)) else Plan()
    except OSError as error:
        problem = f"cannot be pruned ({error.strerror or error})"
        raise InputError(problem, path=str(error.filename or path)) from None

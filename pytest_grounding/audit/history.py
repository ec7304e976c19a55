"""What became of one transcript: its validations by time, and what changed from one to the next."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from pytest_grounding.audit.record import AuditRecord


class Step(NamedTuple):
    """One validation and what is not as it was at the one before, in words."""

    record: AuditRecord
    changes: tuple[str, ...]


def history(records: Iterable[AuditRecord]) -> Iterator[Step]:
    """Compare each record with the one before it of the same transcript."""
    before: dict[str, AuditRecord] = {}
    for record in records:
        earlier = before.get(record.transcript_id)
        yield Step(record, tuple(_changes(earlier, record)) if earlier else ())
        before[record.transcript_id] = record


def shown(confidence: float | None) -> str:
    """A confidence for a person."""
    return "none" if confidence is None else f"{confidence:.2f}"


def _changes(old: AuditRecord, new: AuditRecord) -> Iterator[str]:
    if new.status != old.status:
        yield f"{old.status} became {new.status}"
    for name, before, after in (
        ("transcript", old.transcript_hash, new.transcript_hash),
        ("settings", old.settings_hash, new.settings_hash),
        ("engine", old.engine_version, new.engine_version),
    ):
        if before != after:
            yield f"another {name}"
    if new.model_version != old.model_version:
        yield f"model {old.model_version or 'unknown'} became {new.model_version or 'unknown'}"
    was, now = old.validation_result.confidence_score, new.validation_result.confidence_score
    if was is None or now is None:
        if was is not now:
            yield f"confidence {shown(was)} became {shown(now)}"
    elif round(now - was, 2):
        yield f"confidence {now - was:+.2f}"
    were = {fired.rule for fired in old.rules if fired.severity != "info"}
    are = {fired.rule for fired in new.rules if fired.severity != "info"}
    yield from (f"new: {rule}" for rule in sorted(are - were))
    yield from (f"gone: {rule}" for rule in sorted(were - are))

"""A waiver, and the file of them."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import Any

from pydantic import ValidationError, field_validator

from pytest_grounding._jsonio import Record, canonical_json, read_records, write_atomic
from pytest_grounding._lock import locked
from pytest_grounding.errors import InputError
from pytest_grounding.model._base import Model, without_surrogates
from pytest_grounding.model.finding import Waived
from pytest_grounding.rules import having

#: Rules that say that something was not looked at: nobody can know what they excuse.
NEVER_WAIVED = frozenset(having("unwaivable"))

#: Rules on the form of an answer: who waives a claim has waived none of them.
BY_NAME = frozenset(having("form"))

_HASH = re.compile(r"[0-9a-f]{16}")
_ISO = re.compile(r"\d{4}-\d{2}-\d{2}")


class Waiver(Model):
    """That a person found one finding wrong, or accepts it."""

    rule: str
    transcript: str
    claim: str
    claim_hash: str
    evidence_hash: str
    reason: str
    by: str
    day: str
    expires: str = ""

    @field_validator("rule")
    @classmethod
    def _check_rule(cls, value: str) -> str:
        if not value.strip():
            raise ValueError('is empty; write the rule of the finding, such as "unsupported_claim"')
        if value in NEVER_WAIVED:
            problem = f"{value!r} cannot be waived: it says that something was not checked at all"
            raise ValueError(f"{problem}; fix its cause, or leave the transcript out")
        return value

    @field_validator("claim_hash", "evidence_hash")
    @classmethod
    def _check_hash(cls, value: str) -> str:
        if not _HASH.fullmatch(value):
            raise ValueError("is no hash; write the 16 digits that pytest-grounding waive gives")
        return value

    @field_validator("reason")
    @classmethod
    def _check_reason(cls, value: str) -> str:
        if not value.strip():
            raise ValueError("is empty; write why the finding is wrong or accepted")
        return value

    @field_validator("day", "expires")
    @classmethod
    def _check_day(cls, value: str, info: Any) -> str:
        if not value and info.field_name == "expires":
            return value
        if not is_day(value):
            raise ValueError("is no date; write it as 2026-12-31")
        return value

    @property
    def key(self) -> tuple[str, str, str, str]:
        """What it is about; of two waivers with one key the later one counts."""
        return self.transcript, self.rule, self.claim_hash, self.evidence_hash

    @property
    def waived(self) -> Waived:
        """What a finding says that this waives."""
        return Waived(reason=self.reason, by=self.by, day=self.day)

    def is_expired(self, today: str) -> bool:
        """Whether its last day is before ``today``, an ISO date."""
        return bool(self.expires) and self.expires < today

    def as_line(self) -> dict[str, Any]:
        """The waiver as it stands in the file: without an expiry where it has none."""
        return self.model_dump(exclude_defaults=True)


def is_day(value: str) -> bool:
    """Whether a text is an ISO date, such as 2026-12-31."""
    try:
        return bool(_ISO.fullmatch(value)) and bool(date.fromisoformat(value))
    except ValueError:
        return False


def in_order(waivers: Sequence[Waiver]) -> list[Waiver]:
    """The waivers as the file holds them: sorted by transcript, rule and words; of a double the last one."""
    kept = {item.key: item for item in waivers}
    return sorted(kept.values(), key=lambda item: (item.transcript, item.rule, item.claim, item.key))


#: Name of the file, beside the tests' configuration, where no setting names another.
FILE = "grounding.waivers.jsonl"

_ADD = "pytest-grounding waive writes whole lines"
_WHAT_TO_WRITE = {
    "rule": 'write the rule of the finding, such as "unsupported_claim"',
    "transcript": 'write the id of the transcript, or "" for wherever the claim stands',
    "claim": "write the words of the claim",
    "claim_hash": _ADD,
    "evidence_hash": _ADD,
    "reason": "write why the finding is wrong or accepted",
    "by": "write who says so",
    "day": "write the date as 2026-12-31",
    "expires": 'write the date as 2026-12-31, or leave "expires" out',
}


def read(path: str | os.PathLike[str], wrong_rule: Callable[[str], str] | None = None) -> tuple[Waiver, ...]:
    """The waivers of a file, sorted, without doubles; none where there is no file."""
    place = Path(path)
    if not place.exists():
        return ()
    return tuple(in_order([_waiver(record, os.fspath(path), wrong_rule) for record in _records(place)]))


def add(path: str | os.PathLike[str], waivers: Iterable[Waiver]) -> tuple[Waiver, ...]:
    """Add waivers to a file, and return all that it holds then."""
    added = list(waivers)
    return _changed(path, lambda held: [*held, *added])


def remove(path: str | os.PathLike[str], waivers: Collection[Waiver]) -> tuple[Waiver, ...]:
    """Take waivers out of a file, and return all that it holds then."""
    gone = {item.key for item in waivers}
    return _changed(path, lambda held: [item for item in held if item.key not in gone])


def _changed(
    path: str | os.PathLike[str], change: Callable[[Sequence[Waiver]], list[Waiver]]
) -> tuple[Waiver, ...]:
    target = Path(path)
    with _alone(target):
        held = read(target)
        kept = tuple(in_order(change(held)))
        text = "".join(f"{canonical_json(item.as_line())}\n" for item in kept)
        if kept != held or (target.exists() and target.read_bytes() != text.encode("utf-8")):
            write_atomic(target, text)
    return kept


@contextlib.contextmanager
def _alone(target: Path) -> Iterator[None]:
    """Hold the file alone, by a lock beside it: the file itself is replaced, which no open file may be."""
    lock = target.with_name(f".{target.name}.lock")
    with locked(lock):
        try:
            yield
        finally:
            # Where an open file cannot be removed it stays, empty.
            with contextlib.suppress(OSError):
                lock.unlink()


def _records(path: Path) -> Iterator[Record]:
    try:
        yield from read_records(path)
    except InputError as error:
        if error.line is not None and _is_conflict(path, error.line):
            raise InputError(
                "is a mark of a merge conflict",
                path=error.path,
                line=error.line,
                hint="delete the lines with <<<<<<<, ======= and >>>>>>>, and keep the waivers of both sides",
            ) from None
        hint = "write one JSON object a line, as pytest-grounding waive does"
        raise InputError(
            error.problem, path=error.path, line=error.line, field=error.field, hint=hint
        ) from None


def _is_conflict(path: Path, line: int) -> bool:
    lines = path.read_bytes().split(b"\n")
    return lines[line - 1].startswith((b"<<<<<<<", b"=======", b">>>>>>>", b"|||||||"))


def _waiver(record: Record, path: str, wrong_rule: Callable[[str], str] | None) -> Waiver:
    """One line as a waiver; the first thing that is wrong with it as one sentence."""

    def wrong(problem: str, field: str | None = None, hint: str | None = None) -> InputError:
        return InputError(problem, path=path, line=record.line, field=field, hint=hint)

    if not isinstance(record.value, dict):
        raise wrong("is no waiver", hint='write one object a line: {"rule": ..., "transcript": ..., ...}')
    try:
        found = Waiver.model_validate(without_surrogates(record.value)[0])
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise wrong(*_sentence(first)) from None
    if wrong_rule is not None and (problem := wrong_rule(found.rule)):
        raise wrong(problem, "rule")
    return found


def _sentence(problem: Any) -> tuple[str, str, str | None]:
    """What is wrong with a line: the problem, the field, and what to write instead."""
    name = str(problem["loc"][0])
    if problem["type"] == "value_error":
        said, _, hint = str(problem["ctx"]["error"]).partition("; ")
        return said, name, hint
    if problem["type"] == "missing":
        return "is missing", name, _WHAT_TO_WRITE[name]
    if problem["type"] == "extra_forbidden":
        return "is not a field of a waiver", name, f"known are {', '.join(Waiver.model_fields)}"
    return "is no text", name, _WHAT_TO_WRITE.get(name)

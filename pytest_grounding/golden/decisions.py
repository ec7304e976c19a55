"""Decisions of people on goldens, and how they are taken back."""

from __future__ import annotations

import contextlib
import getpass
import os
import subprocess
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, NamedTuple

from pydantic import ValidationError

from pytest_grounding._io.jsonio import (
    canonical_document,
    canonical_json,
    content_hash,
    iter_records,
    parse,
    write_atomic,
)
from pytest_grounding._io.locks import is_torn, locked, write_all
from pytest_grounding.errors import InputError
from pytest_grounding.gate.waivers import Waiver, held_by
from pytest_grounding.golden.golden_file import Pending, as_text, shown
from pytest_grounding.golden.golden_store import PENDING, Store, file_name, find_stores
from pytest_grounding.model._base import Model


def accepted(store: Store, name: str, identifier: str) -> tuple[Waiver, ...]:
    """Waivers of all that the accepted recording holds; none where there is no golden."""
    golden = store.golden(name)
    if golden is None:
        return ()
    by = day = ""
    for item in decisions(store, name):
        if item.get("decision") == "accept":
            by, day = str(item.get("by", "")), str(item.get("at", ""))[:10]
    reason = f"accepted golden {file_name(name)}"
    held = held_by(golden.verdict, reason=reason, by=by, day=day)
    return tuple(item.model_copy(update={"transcript": identifier}) for item in held)


Verb = Literal["accept", "reject"]


def line_of(record: Pending, verb: Verb, *, reason: str, by: str, person: bool = True) -> str:
    """The line of one decision, with its line feed."""
    verdict = record.candidate.verdict
    line: dict[str, Any] = {
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "by": by,
        "decision": verb,
        "reason": reason,
        "id": record.candidate.id,
        "grade": record.grade,
        "rules": dict(sorted(Counter(item.rule for item in record.changes).items())),
        "transcript_hash": verdict.transcript_hash,
        "settings_hash": verdict.settings_hash,
        "engine_version": verdict.engine_version,
        "status": verdict.status,
        "confidence": verdict.confidence,
        "confidences": dict(verdict.confidences),
        "group": record.candidate.transcript.question,
    }
    if person:
        line["correct"] = verb == "accept"
    return f"{canonical_json(line)}\n".encode("utf-8", "replace").decode("utf-8")


def append(store: Store, identifier: str, line: str) -> None:
    """Append a line to the log of one transcript."""
    path = store.log_path(identifier)
    path.parent.mkdir(parents=True, exist_ok=True)
    with locked(path) as handle:
        size = os.fstat(handle).st_size
        try:
            # Half a line of a writer that was killed stays by itself, and takes no other one with it.
            start = "\n" if is_torn(handle) else ""
            write_all(handle, f"{start}{line}".encode())
        except OSError:
            # A full disk takes a part of the line; nobody is told that it stands, so it goes again.
            os.ftruncate(handle, size)
            raise


def decisions(store: Store, identifier: str) -> Iterator[dict[str, Any]]:
    """The decisions on one transcript, the oldest first; lines that cannot be read are left out."""
    path = store.log_path(identifier)
    if not path.exists():
        return
    for record in iter_records(path):
        if not isinstance(record, InputError) and isinstance(record.value, dict):
            yield record.value


def rejection(store: Store, identifier: str, transcript_hash: str) -> dict[str, Any] | None:
    """The decision that rejected this very recording, unless it was accepted after that."""
    last = None
    for item in decisions(store, identifier):
        if item.get("transcript_hash") == transcript_hash:
            last = item
    return last if last is not None and last.get("decision") == "reject" else None


def author(folder: Path) -> str:
    """Who is at work: name and address from the configuration of git, else the name of the account."""
    name, mail = _git(folder, "user.name"), _git(folder, "user.email")
    if name or mail:
        return f"{name} <{mail}>" if name and mail else name or mail
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return "unknown"


def _git(folder: Path, key: str) -> str:
    place = next((path for path in (folder, *folder.parents) if path.is_dir()), Path.cwd())
    try:
        found = subprocess.run(  # noqa: S603 -- a fixed command
            ["git", "config", "--get", key],  # noqa: S607 -- the git of the user
            cwd=place,
            capture_output=True,
            text=True,
            timeout=10,
            check=False,
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return found.stdout.strip()


_SUFFIX = ".undo.json"
#: Steps that can be taken back; what belongs to older ones is removed.
KEPT_STEPS = 20


class Replaced(Model):
    """What one decision replaced."""

    schema_version: Literal[1] = 1
    id: str
    decision: Literal["accept", "reject"]
    before: str
    after: str
    candidate: str
    line: str


class TakenBack(NamedTuple):
    """A decision that was taken back: its store, id and verb."""

    store: Store
    id: str
    decision: str


def next_step(stores: Iterable[Store]) -> int:
    """The number of a new step, above all that these stores know; older steps are forgotten."""
    kept = [(step, path) for store in stores for step, path in _kept(store)]
    steps = sorted({step for step, _ in kept})
    for step, path in kept:
        if step in steps[: -KEPT_STEPS + 1]:
            path.unlink(missing_ok=True)
    # The clock tells which of two stores was decided on last, and never puts a step before an older one.
    return max(time.time_ns() // 1_000_000, 1 + max(steps, default=0))


def keep(
    store: Store, record: Pending, decision: Literal["accept", "reject"], *, step: int, line: str
) -> None:
    """Keep what a decision is about to replace; call it before the decision is carried out."""
    path = store.golden_path(record.candidate.id)
    before = ""
    with contextlib.suppress(OSError, UnicodeDecodeError):
        before = path.read_text(encoding="utf-8")
    found = Replaced(
        id=record.candidate.id,
        decision=decision,
        before=before,
        after=content_hash(as_text(record.candidate) if decision == "accept" else before),
        candidate=as_text(record),
        line=line,
    )
    store.prepare()
    place = store.folder / PENDING / f"{file_name(record.candidate.id)}.{step}{_SUFFIX}"
    write_atomic(place, canonical_document(found.model_dump(mode="json")))


def undo(roots: Sequence[Path], *, step: int | None = None) -> list[TakenBack]:
    """Take back the last step of all stores below some folders: all of it, or nothing."""
    kept = [(number, store, path) for store in find_stores(roots) for number, path in _kept(store)]
    wanted = max((number for number, _, _ in kept), default=0) if step is None else step
    chosen = [(store, path, _read(path)) for number, store, path in kept if number == wanted]
    for store, _, found in chosen:
        _check(store, found)
    for store, path, found in chosen:
        _put_back(store, found)
        path.unlink(missing_ok=True)
    return [TakenBack(store, found.id, found.decision) for store, _, found in chosen]


def _kept(store: Store) -> list[tuple[int, Path]]:
    """The files of what can be taken back in a store, each with its step."""
    found = []
    for path in sorted((store.folder / PENDING).glob(f"*{_SUFFIX}")):
        step = path.name.removesuffix(_SUFFIX).rpartition(".")[2]
        if step.isdecimal():
            found.append((int(step), path))
    return found


def _read(path: Path) -> Replaced:
    try:
        return Replaced.model_validate(parse(path.read_text(encoding="utf-8")))
    except (OSError, UnicodeDecodeError, InputError, ValidationError):
        problem = "is damaged: the last decision cannot be taken back"
        raise InputError(problem, path=shown(path), hint="delete it; git has the golden of before") from None


def _check(store: Store, found: Replaced) -> None:
    """Refuse where somebody else was at the files since."""
    path = store.golden_path(found.id)
    now = path.read_text(encoding="utf-8") if path.exists() else ""
    if now != found.before and content_hash(now) != found.after:
        raise InputError(
            "has changed since the decision, which cannot be taken back",
            path=shown(path),
            hint="restore it from version control",
        )
    log = store.log_path(found.id)
    lines = log.read_text(encoding="utf-8").splitlines(keepends=True) if log.exists() else []
    if found.line in lines[:-1]:
        raise InputError(
            "holds decisions after this one, which cannot be taken back any more",
            path=shown(log),
            hint="decide anew",
        )


def _put_back(store: Store, found: Replaced) -> None:
    """The golden, the candidate, then the log; a killed one can be repeated."""
    path = store.golden_path(found.id)
    if found.decision == "accept" and found.before:
        write_atomic(path, found.before)
    elif found.decision == "accept":
        path.unlink(missing_ok=True)
    waiting = store.pending_path(found.id)
    if found.decision == "accept" or not waiting.exists():
        write_atomic(waiting, found.candidate)
    log = store.log_path(found.id)
    if not log.exists():
        return
    line = found.line.encode("utf-8", "replace")
    with locked(log) as handle:
        size = os.fstat(handle).st_size
        if size >= len(line):
            os.lseek(handle, size - len(line), os.SEEK_SET)
            if os.read(handle, len(line)) == line:
                size -= len(line)
                os.ftruncate(handle, size)
        if not size:
            log.unlink()

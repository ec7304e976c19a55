"""Take decisions back: what a decision replaced is kept among the candidates, one file a decision."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from pydantic import ValidationError

from pytest_grounding._jsonio import canonical_document, content_hash, parse, write_atomic
from pytest_grounding._lock import locked
from pytest_grounding.errors import InputError
from pytest_grounding.golden.record import Pending, as_text, shown
from pytest_grounding.golden.store import PENDING, Store, file_name, find_stores
from pytest_grounding.model._base import Model

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
    write_atomic(_path(store, record.candidate.id, step), canonical_document(found.model_dump(mode="json")))


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


def _path(store: Store, identifier: str, step: int) -> Path:
    return store.folder / PENDING / f"{file_name(identifier)}.{step}{_SUFFIX}"


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

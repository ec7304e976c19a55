"""Decisions of people on goldens, and the findings that accepted goldens excuse."""

from __future__ import annotations

import getpass
import os
import subprocess
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from pytest_grounding._io.jsonio import canonical_json, iter_records
from pytest_grounding._io.locks import is_torn, locked, write_all
from pytest_grounding.errors import InputError
from pytest_grounding.gate.waivers import Waiver, held_by
from pytest_grounding.golden.golden_file import Pending
from pytest_grounding.golden.golden_store import Store, file_name


def accepted(store: Store, name: str, identifier: str) -> tuple[Waiver, ...]:
    """Waivers for all findings of the accepted recording; none without a golden."""
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
    """The log line of a decision, with its line feed."""
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
            # Half a line left by a killed writer stays on a line of its own, so that it damages no other.
            start = "\n" if is_torn(handle) else ""
            write_all(handle, f"{start}{line}".encode())
        except OSError:
            # A full disk writes part of a line; the caller gets an error, so that part is removed again.
            os.ftruncate(handle, size)
            raise


def decisions(store: Store, identifier: str) -> Iterator[dict[str, Any]]:
    """The decisions on one transcript, oldest first; unreadable lines are left out."""
    path = store.log_path(identifier)
    if not path.exists():
        return
    for record in iter_records(path):
        if not isinstance(record, InputError) and isinstance(record.value, dict):
            yield record.value


def rejection(store: Store, identifier: str, transcript_hash: str) -> dict[str, Any] | None:
    """The decision that rejected this very recording, unless it was accepted later."""
    last = None
    for item in decisions(store, identifier):
        if item.get("transcript_hash") == transcript_hash:
            last = item
    return last if last is not None and last.get("decision") == "reject" else None


def author(folder: Path) -> str:
    """The current user: name and address from the git configuration, or the account name."""
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

"""The folder of the goldens: reading, writing, people's decisions, and goldens that no test uses."""

from __future__ import annotations

import contextlib
import getpass
import hashlib
import json
import os
import re
import subprocess
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from pytest_grounding._io.jsonio import canonical_json, iter_records, write_atomic, write_json
from pytest_grounding._io.locks import is_torn, locked, write_all
from pytest_grounding.errors import InputError
from pytest_grounding.gate.waivers import Waiver, held_by_waiver
from pytest_grounding.golden.golden_file import (
    Golden,
    Pending,
    golden_text,
    read_golden,
    read_pending,
    shown_path,
)

FOLDER = "__golden__"
PENDING = ".pending"
DECISIONS = "decisions"
GOLDEN_SUFFIX = ".golden.json"
PENDING_SUFFIX = ".pending.json"

_LONGEST = 80
_PLAIN = re.compile(r"[a-z0-9][a-z0-9_-]*(?:\.[a-z0-9_-]+)*")
_ODD = re.compile(r"[^a-z0-9_-]+")
_LIKE_HASHED = re.compile(r"-[0-9a-f]{12}$")
# Windows reserves these names for devices, with any extension.
_RESERVED = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)")
_SKIPPED = frozenset({"__pycache__", "node_modules", "site-packages"})
_LIST = "unused.json"
_OF_SAME = ("decision", "transcript_hash", "correct", "reason")
Verb = Literal["accept", "reject"]


def golden_name(identifier: str) -> str:
    """A name that is safe on every file system, and different for every id."""
    plain = _PLAIN.fullmatch(identifier) and not _LIKE_HASHED.search(identifier)
    if plain and len(identifier) <= _LONGEST and not _RESERVED.match(identifier):
        return identifier
    folded = unicodedata.normalize("NFKD", identifier).encode("ascii", "ignore").decode().lower()
    slug = _ODD.sub("-", folded).strip("-_")[:_LONGEST] or "golden"
    return f"{slug}-{hashlib.sha256(identifier.encode('utf-8', 'surrogatepass')).hexdigest()[:12]}"


class GoldenStore:
    """The goldens of one folder of tests."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @classmethod
    def beside(cls, folder: Path) -> GoldenStore:
        """The store of a folder of tests."""
        return cls(folder / FOLDER)

    def golden_path(self, identifier: str) -> Path:
        """The path of the accepted recording."""
        return self.folder / f"{golden_name(identifier)}{GOLDEN_SUFFIX}"

    def pending_path(self, identifier: str) -> Path:
        """The path of the candidate."""
        return self.folder / PENDING / f"{golden_name(identifier)}{PENDING_SUFFIX}"

    def log_path(self, identifier: str) -> Path:
        """The path of the log of decisions: a file per transcript, so that branches can be merged."""
        return self.folder / DECISIONS / f"{golden_name(identifier)}.jsonl"

    def golden(self, identifier: str) -> Golden | None:
        """The accepted recording, or None."""
        path = self.golden_path(identifier)
        if not path.exists():
            return None
        found = read_golden(path)
        if found.id != identifier:
            problem = f"contains the golden of {found.id!r}, not of {identifier!r}"
            raise InputError(problem, path=shown_path(path), hint="give the file its old name back")
        return found

    def pending(self, identifier: str) -> Pending | None:
        """The waiting candidate, or None; an unreadable one counts as none."""
        path = self.pending_path(identifier)
        try:
            return read_pending(path) if path.exists() else None
        except InputError:
            return None

    def put_pending(self, record: Pending) -> None:
        """Store a candidate for review; it replaces an older one of the same id."""
        self.prepare()
        write_atomic(self.pending_path(record.candidate.id), golden_text(record))

    def drop_pending(self, identifier: str) -> None:
        """Delete a candidate, if there is one."""
        with contextlib.suppress(FileNotFoundError):
            self.pending_path(identifier).unlink()

    def accept(self, record: Golden) -> None:
        """Make a recording the golden."""
        write_atomic(self.golden_path(record.id), golden_text(record))
        self.drop_pending(record.id)

    def goldens(self) -> list[Path]:
        """The files of the accepted recordings, sorted by name."""
        return sorted(self.folder.glob(f"*{GOLDEN_SUFFIX}"))

    def candidates(self) -> list[Path]:
        """The files of the candidates, sorted by name."""
        return sorted((self.folder / PENDING).glob(f"*{PENDING_SUFFIX}"))

    def prepare(self) -> None:
        """Create the folder of the candidates, ignored by git."""
        ignore = self.folder / PENDING / ".gitignore"
        if not ignore.exists():
            write_atomic(ignore, "# Candidates that wait for: pytest-grounding review\n*\n")


def find_stores(roots: Sequence[Path]) -> Iterator[GoldenStore]:
    """The stores at and below some folders, each once, sorted by path."""
    seen: set[Path] = set()
    for root in roots:
        for place, folders, files in os.walk(root):
            here = Path(place)
            if here.name == FOLDER:
                folders.clear()
                if here.resolve() not in seen:
                    seen.add(here.resolve())
                    yield GoldenStore(here)
                continue
            if "pyvenv.cfg" in files:
                folders.clear()
            folders[:] = sorted(name for name in folders if not name.startswith(".") and name not in _SKIPPED)


def note_use(store: GoldenStore, used: Iterable[Path], *, whole: bool) -> list[Path]:
    """Store which goldens no test used."""
    asked = {path.name for path in used}
    listed = _unused_in(store)
    if whole:
        found = [path for path in store.goldens() if path.name not in asked]
        names = [path.name for path in found]
    else:
        found, names = [], [name for name in listed if name not in asked]
    if names != listed:
        path = store.folder / PENDING / _LIST
        with contextlib.suppress(OSError):
            if names:
                store.prepare()
                write_json(path, names)
            else:
                path.unlink(missing_ok=True)
    return found


def prunable(store: GoldenStore) -> list[Path]:
    """The goldens that the last complete run did not use, and that still exist."""
    return [store.folder / name for name in _unused_in(store) if (store.folder / name).exists()]


def prune_goldens(store: GoldenStore) -> list[Path]:
    """Delete them and their candidates, and return what was deleted; the log of decisions is kept."""
    removed = prunable(store)
    for path in removed:
        path.unlink()
        name = path.name.removesuffix(GOLDEN_SUFFIX)
        (store.folder / PENDING / f"{name}{PENDING_SUFFIX}").unlink(missing_ok=True)
    (store.folder / PENDING / _LIST).unlink(missing_ok=True)
    return removed


def _unused_in(store: GoldenStore) -> list[str]:
    path = store.folder / PENDING / _LIST
    if not path.exists():
        return []
    for record in iter_records(path):
        if not isinstance(record, InputError) and isinstance(record.value, list):
            # File names only: whatever the list contains, nothing outside of the folder is touched.
            plain = [str(name) for name in record.value if isinstance(name, str) and Path(name).name == name]
            return [name for name in plain if name.endswith(GOLDEN_SUFFIX)]
    return []


def accepted_golden(store: GoldenStore, name: str, identifier: str) -> tuple[Waiver, ...]:
    """Waivers for all findings of the accepted recording; none without a golden."""
    golden = store.golden(name)
    if golden is None:
        return ()
    accepted = [{}, *(item for item in decisions(store, name) if item.get("decision") == "accept")][-1]
    by, day = str(accepted.get("by", "")), str(accepted.get("at", ""))[:10]
    held = held_by_waiver(golden.verdict, reason=f"accepted golden {golden_name(name)}", by=by, day=day)
    return tuple(item.model_copy(update={"transcript": identifier}) for item in held)


def line_of_golden(record: Pending, verb: Verb, *, reason: str, by: str, person: bool = True) -> str:
    """The log line of a decision, with its line feed."""
    verdict = record.candidate.verdict
    copied = ("transcript_hash", "settings_hash", "engine_version", "status", "confidence")
    line: dict[str, Any] = {
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "by": by,
        "decision": verb,
        "reason": reason,
        "id": record.candidate.id,
        "grade": record.grade,
        "rules": dict(sorted(Counter(item.rule for item in record.changes).items())),
        **{name: getattr(verdict, name) for name in copied},
        "confidences": dict(verdict.confidences),
        "group": record.candidate.transcript.question,
    }
    if person:
        line["correct"] = verb == "accept"
    return f"{canonical_json(line)}\n".encode("utf-8", "replace").decode("utf-8")


def append(store: GoldenStore, identifier: str, line: str) -> None:
    """Append a line to the log of one transcript, unless its last decision says the same."""
    last, made = [{}, *decisions(store, identifier)][-1], json.loads(line)
    if all(last.get(name) == made.get(name) for name in _OF_SAME):
        return
    path = store.log_path(identifier)
    path.parent.mkdir(parents=True, exist_ok=True)
    with locked(path) as handle:
        size = os.fstat(handle).st_size
        try:
            # Half a line left by a killed writer stays on a line of its own, so that it damages no other.
            write_all(handle, (b"\n" if is_torn(handle) else b"") + line.encode())
        except OSError as error:
            # A full disk writes part of a line; the caller gets an error, so that part is removed again.
            os.ftruncate(handle, size)
            error.filename = os.fspath(path)
            raise


def decisions(store: GoldenStore, identifier: str) -> Iterator[dict[str, Any]]:
    """The decisions on one transcript, oldest first; unreadable lines are left out."""
    path = store.log_path(identifier)
    if not path.exists():
        return
    for record in iter_records(path):
        if not isinstance(record, InputError) and isinstance(record.value, dict):
            yield record.value


def rejection_of(store: GoldenStore, identifier: str, transcript_hash: str) -> dict[str, Any] | None:
    """The decision that rejected this very recording, unless it was accepted later."""
    same = (item for item in decisions(store, identifier) if item.get("transcript_hash") == transcript_hash)
    last = [{}, *same][-1]
    return last if last.get("decision") == "reject" else None


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

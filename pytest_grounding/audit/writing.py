"""Append to a log that other processes append to as well, and remove its oldest lines."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import os
import shutil
import stat
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pytest_grounding._io.jsonio import canonical_json, content_hash
from pytest_grounding._io.locks import locked, write_all
from pytest_grounding._io.wording import counted
from pytest_grounding.model.base import without_surrogates

#: Seconds to wait for other writers: one that is stopped halfway must not stop a whole service.
DEADLINE_S = 10.0
#: A log contains what people asked: only its owner may read it, unless the permissions are changed.
_PRIVATE = 0o600
_KEPT = 2000  # most bytes of an incomplete line kept in the note on its repair
_WINDOW = 8192  # bytes read at a time from the end of a file; most records are shorter
_DIGITS = frozenset("0123456789abcdef")


@dataclass(frozen=True, slots=True)
class Link:
    """What the next line needs from the previous one: its number and its hash."""

    sequence: int
    hash: str


START = Link(0, "0" * 64)


def parse_entry(raw: bytes) -> dict[str, Any] | None:
    """The object of a line, or None if it is not an audit record."""
    try:
        value = json.loads(raw)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) and link_of(value) is not None else None


def link_of(value: Mapping[str, Any]) -> Link | None:
    """The link of a line to the next one, or None if it has none."""
    sequence, digest = value.get("sequence"), value.get("hash")
    if type(sequence) is not int or sequence < 1 or not isinstance(value.get("kind"), str):
        return None
    if not isinstance(digest, str) or len(digest) != 64 or not _DIGITS.issuperset(digest):
        return None
    return Link(sequence, digest)


@dataclass(frozen=True, slots=True)
class Tail:
    """The end of a file: its size, the size of its complete lines, and the last of these, if any."""

    size: int
    whole: int
    last: bytes | None


def read_tail(handle: int) -> Tail:
    """Read only the last complete line of an open file, and what follows it."""
    with open(handle, "rb", closefd=False) as stream:
        size, window = stream.seek(0, os.SEEK_END), _WINDOW
        while True:
            start = stream.seek(max(0, size - window))
            data = stream.read()
            end = data.rfind(b"\n")
            before = data.rfind(b"\n", 0, end) if end > 0 else -1
            if start == 0 or before >= 0:
                break
            window *= 4
    return Tail(size, 0, None) if end < 0 else Tail(size, start + end + 1, data[before + 1 : end])


class LogWriter:
    """Appends lines to one log."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        if self.path.is_symlink():
            # All names of one log must use the same lock.
            self.path = self.path.resolve()

    def problem(self) -> OSError | None:
        """Why writing is impossible, as far as known without writing anything."""
        try:
            self._refuse_odd_file()
            place = next(place for place in (self.path, *self.path.parents) if place.exists())
            if place != self.path and not place.is_dir():
                raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(place))
            if not os.access(place, os.W_OK):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(place))
        except OSError as error:
            return error
        return None

    def write(self, bodies: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """Append lines, all or none; numbers, times and hashes are added."""
        self._refuse_odd_file()
        with self._locked() as handle:
            try:
                return self._append(handle, bodies)
            except UnicodeEncodeError:
                # A lone surrogate, which UTF-8 cannot encode; transcripts read from files have none.
                return self._append(handle, [without_surrogates(dict(body))[0] for body in bodies])

    def _locked(self) -> contextlib.AbstractContextManager[int]:
        return locked(self.path, append=False, deadline_s=DEADLINE_S, rights=_PRIVATE)

    def _append(self, handle: int, bodies: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
        tail, link, timestamp = read_tail(handle), START, now()
        if tail.last is not None:
            found = parse_entry(tail.last)
            if found is None:
                problem = "its last line is not an audit record; name another file"
                raise OSError(errno.EEXIST, problem, str(self.path))
            link = Link(found["sequence"], found["hash"])
        os.lseek(handle, tail.whole, os.SEEK_SET)
        torn = os.read(handle, tail.size - tail.whole)
        notes = [_repaired(torn)] if torn else []
        values = []
        for body in (*notes, *bodies):
            number = link.sequence + 1
            value = {**body, "sequence": number, "timestamp": timestamp, "previous": link.hash}
            link = Link(number, content_hash(value))
            values.append({**value, "hash": link.hash})
        data = "".join(f"{canonical_json(value)}\n" for value in values).encode("utf-8")
        os.lseek(handle, tail.whole, os.SEEK_SET)
        try:
            write_all(handle, data)
            os.ftruncate(handle, tail.whole + len(data))
        except BaseException:
            # A full disk writes part of a line; the caller gets an error, so that part is removed again.
            with contextlib.suppress(OSError):
                os.lseek(handle, tail.whole, os.SEEK_SET)
                write_all(handle, torn)
                os.ftruncate(handle, tail.size)
            raise
        return values[len(notes) :]

    def prune(self, through: Link, body: Mapping[str, Any]) -> bool:
        """Write a line, then remove all lines up to a given one; False if that one no longer exists."""
        with self._locked() as handle:
            with open(self.path, "rb") as stream:
                offset = 0
                for raw in stream:
                    offset += len(raw)
                    value = parse_entry(raw)
                    if value is not None and link_of(value) == through:
                        break
                else:
                    return False
            self._append(handle, [body])
            _cut_beginning(self.path, offset)
        return True

    def _refuse_odd_file(self) -> None:
        try:
            mode = self.path.stat().st_mode
        except FileNotFoundError:
            return
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, "is a folder; name a file", str(self.path))
        if not stat.S_ISREG(mode):
            raise OSError(errno.EINVAL, "is not a regular file", str(self.path))


def now() -> str:
    """The current time as written to the log: ISO 8601, UTC, microseconds."""
    return datetime.now(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def remark(kind: str, message: str, details: Mapping[str, Any]) -> dict[str, Any]:
    """A line that the log writes about itself."""
    return {"schema_version": 1, "kind": kind, "message": message, "details": details}


def missed_note(number: int, why: str) -> dict[str, Any]:
    """The note on validations that could not be written before it."""
    message = f"{counted(number, 'validation')} before this could not be written"
    return remark("missed", message, {"validations": number, "reason": why})


def _repaired(torn: bytes) -> dict[str, Any]:
    message = f"{len(torn)} bytes of a line that its writer never finished were taken out"
    text = torn[:_KEPT].decode("utf-8", "replace")
    digest = hashlib.sha256(torn).hexdigest()
    return remark("repaired", message, {"bytes": len(torn), "sha256": digest, "text": text})


def _cut_beginning(file: Path, offset: int) -> None:
    handle, temporary = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name[:40]}.", suffix=".tmp")
    try:
        with os.fdopen(handle, "wb") as target, open(file, "rb") as source:
            source.seek(offset)
            shutil.copyfileobj(source, target)
            target.flush()
            os.fsync(target.fileno())
        shutil.copymode(file, temporary)
        os.replace(temporary, file)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise

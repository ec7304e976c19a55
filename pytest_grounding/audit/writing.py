"""Appending to a log that other processes append to as well.

One writer at a time holds the head file. It looks at the end of the log alone, so that an append costs
the same however long the log is. A line counts as written when `Writer.write` returns: it has then been
handed to the system whole, and the death of any process no longer takes it away.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import stat
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from pytest_grounding._jsonio import canonical_json
from pytest_grounding._lock import locked, write_all
from pytest_grounding.audit.chain import START, Link, link_of, now, parse, seal
from pytest_grounding.audit.files import (
    Files,
    Missed,
    Tail,
    read_head,
    read_missed,
    tail_of,
    write_head,
)
from pytest_grounding.model._base import without_surrogates

#: Seconds to wait for other writers. One that is stopped in the middle must not stop a whole service.
DEADLINE_S = 10.0
_BINARY = getattr(os, "O_BINARY", 0)
#: A log holds what people asked: it is for its owner, until somebody gives it other rights.
_PRIVATE = 0o600
#: How much of half a line is kept in the note on its repair.
_KEPT = 2000


class _End(NamedTuple):
    """The end of the log: the link to go on from, what to note first, and the tail of the growing file."""

    link: Link
    notes: list[dict[str, Any]]
    tail: Tail


class NotedError(OSError):
    """Lines could not be written, and the head says so: the next line that can be will be told of them."""


class Writer:
    """Appends lines to one log.

    Args:
        path: the file that grows.
        max_bytes: size at which it is rotated; 0 never.
        sync: wait for the disk after each write.
    """

    def __init__(self, path: str | os.PathLike[str], *, max_bytes: int, sync: bool) -> None:
        self.files: Files = Files(path)
        self.max_bytes = max_bytes
        self.sync = sync

    def problem(self) -> OSError | None:
        """Why nothing can be written here, as far as it can be told without writing anything."""
        path = self.files.path
        try:
            self._refuse_odd_file()
            folder = path.parent
            while not folder.exists() and folder != folder.parent:
                folder = folder.parent
            if not folder.is_dir():
                return NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(folder))
            needed = [item for item in (path, self.files.head) if item.exists()]
            if len(needed) < 2:
                needed.append(folder)
            for item in needed:
                if not os.access(item, os.W_OK):
                    return PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(item))
        except OSError as error:
            return error
        return None

    def write(self, bodies: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """Append lines, all or none.

        Args:
            bodies: the lines without number, time and hashes.

        Returns:
            The lines as they stand in the log now.

        Raises:
            NotedError: they could not be written; the log is as it was, and its head knows of them.
            OSError: they could not be written; the log is as it was.
        """
        self._refuse_odd_file()
        with self.held() as head:
            try:
                try:
                    return self.write_held(head, bodies)
                except UnicodeEncodeError:
                    # Half a character, which UTF-8 cannot hold; transcripts that were read have none.
                    return self.write_held(head, [without_surrogates(dict(body))[0] for body in bodies])
            except OSError as error:
                number = sum(body.get("kind") == "validation" for body in bodies)
                if self._note_missed(head, number, error.errno or 0):
                    raise NotedError(error.errno, error.strerror or str(error)) from error
                raise

    def _note_missed(self, head: int, number: int, errno: int) -> bool:
        """Let the head say that so many validations could not be written; whether it could be told."""
        known = read_head(head)
        if known is None:
            return False
        before = read_missed(head)
        try:
            write_head(head, known, Missed(before.number + number, errno))
        except OSError:
            return False
        return True

    def held(self) -> contextlib.AbstractContextManager[int]:
        """Keep all other writers out."""
        return locked(self.files.head, append=False, deadline_s=DEADLINE_S, rights=self._rights())

    def _rights(self) -> int:
        """The rights of a new file: those of the log so far, or its owner's alone."""
        with contextlib.suppress(OSError):
            return self.files.path.stat().st_mode & 0o666
        with contextlib.suppress(OSError, IndexError):
            return self.files.rotated()[-1].stat().st_mode & 0o666
        return _PRIVATE

    def write_held(self, head: int, bodies: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """`write` for one who holds the head file already."""
        end = self._look(head)
        timestamp = now()
        link = end.link
        values = []
        missed = read_missed(head)
        notes = [
            *end.notes,
            *([missed_note(missed.number, os.strerror(missed.errno))] if missed.number else []),
        ]
        for body in (*notes, *bodies):
            value = seal(body, link, timestamp)
            link = Link(value["sequence"], value["hash"])
            values.append(value)
        data = "".join(f"{canonical_json(value)}\n" for value in values).encode("utf-8")
        tail = end.tail
        if self._is_full(tail, len(data)) and self._rotate(end.link):
            tail = Tail(0, 0, None)
        self._put(tail, data)
        # The lines stand. A head that stays behind is caught up by the next writer.
        with contextlib.suppress(OSError):
            write_head(head, link)
        return values[len(notes) :]

    def _refuse_odd_file(self) -> None:
        path = self.files.path
        try:
            mode = path.stat().st_mode
        except FileNotFoundError:
            return
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, "is a folder; name a file", str(path))
        if not stat.S_ISREG(mode):
            raise OSError(errno.EINVAL, "is no regular file", str(path))

    def _look(self, head: int) -> _End:
        """Where the log ends, from its last bytes and the head."""
        known = read_head(head)
        tail = tail_of(self.files.path)
        last = tail.last
        if last is None:
            rotated = self.files.rotated()
            last = tail_of(rotated[-1]).last if rotated else None
        found = START
        if last is not None:
            value = parse(last)
            link = link_of(value) if value is not None else known
            if link is None:
                problem = "its last line is no audit record; name another file"
                raise OSError(errno.EEXIST, problem, str(self.files.path))
            found = link
        notes = []
        if tail.size > tail.whole:
            notes.append(_repaired(self.files.path, tail))
        if known is not None and found != known and found.sequence <= known.sequence:
            notes.insert(0, _cut(found, known))
            found = known
        return _End(found, notes, tail)

    def _is_full(self, tail: Tail, more: int) -> bool:
        # Half a line is repaired where it stands; the next append finds the file full again.
        return 0 < self.max_bytes < tail.size + more and tail.size == tail.whole > 0

    def _rotate(self, last: Link) -> bool:
        target = self.files.rotated_name(last.sequence)
        try:
            if target.exists():
                return False
            self.files.path.rename(target)
        except OSError:
            # Somebody reads it on Windows, or the folder is closed: the file grows on, nothing is lost.
            return False
        return True

    def _put(self, tail: Tail, data: bytes) -> None:
        """Write whole lines at the end of the growing file, over what was torn there."""
        is_torn = tail.size > tail.whole
        flags = os.O_RDWR | os.O_CREAT | _BINARY | (0 if is_torn else os.O_APPEND)
        rights = _PRIVATE if self.files.path.exists() else self._rights()
        handle = os.open(self.files.path, flags, _PRIVATE)
        try:
            if rights != _PRIVATE:
                # The umask must not take the rights that the file before it was given; Windows has none.
                with contextlib.suppress(OSError, AttributeError):
                    os.fchmod(handle, rights)
            if is_torn:
                os.lseek(handle, tail.whole, os.SEEK_SET)
                write_all(handle, data)
                os.ftruncate(handle, tail.whole + len(data))
            else:
                self._append(handle, tail, data)
            if self.sync:
                os.fsync(handle)
        finally:
            os.close(handle)
        if self.sync and not tail.whole:
            _sync_folder(self.files.path.parent)

    def _append(self, handle: int, tail: Tail, data: bytes) -> None:
        try:
            write_all(handle, data)
        except BaseException:
            # A full disk takes part of a line; nobody was told that it stands, so it goes again.
            with contextlib.suppress(OSError):
                os.ftruncate(handle, tail.size)
            raise


def missed_note(number: int, why: str) -> dict[str, Any]:
    """The line on validations that could not be written before it."""
    return {
        "schema_version": 1,
        "kind": "missed",
        "message": f"{number} validation{'s' if number > 1 else ''} before this could not be written",
        "details": {"validations": number, "reason": why},
    }


def torn_part(path: Path, tail: Tail) -> bytes:
    """What stands after the last whole line."""
    with open(path, "rb") as stream:
        stream.seek(tail.whole)
        return stream.read(tail.size - tail.whole)


def _repaired(path: Path, tail: Tail) -> dict[str, Any]:
    torn = torn_part(path, tail)
    return {
        "schema_version": 1,
        "kind": "repaired",
        "message": f"{len(torn)} bytes of a line that its writer never finished were taken out",
        "details": {
            "bytes": len(torn),
            "sha256": hashlib.sha256(torn).hexdigest(),
            "text": torn[:_KEPT].decode("utf-8", "replace"),
        },
    }


def _cut(found: Link, known: Link) -> dict[str, Any]:
    missing = known.sequence - found.sequence
    lines = (
        "1 line that had been written is" if missing == 1 else f"{missing} lines that had been written are"
    )
    message = f"{lines} missing before this one"
    if not missing:
        message = "the line before this one is not the one that had been written"
    return {
        "schema_version": 1,
        "kind": "cut",
        "message": message,
        "details": {"found": found.sequence, "written": known.sequence},
    }


def _sync_folder(folder: Path) -> None:
    """Let the disk hold the name of a new file too; Windows has no such thing."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)

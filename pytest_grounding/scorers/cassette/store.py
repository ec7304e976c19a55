"""The file of a cassette: JSON Lines sorted by key, and a journal beside it while something records.

New records are appended to ``NAME.journal`` under a lock, and `Store.compact` merges them into the sorted
file, which is replaced as a whole. So a process that is killed at any moment leaves a file that can be
read: at worst the journal ends in half a line, which readers pass over and the next writer ends. Readers
take no lock and write nothing: they read the journal first and the file second, so that a merge in
between loses nothing to them.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from pytest_grounding._jsonio import write_atomic
from pytest_grounding.errors import CassetteError
from pytest_grounding.scorers.cassette.lock import locked
from pytest_grounding.scorers.cassette.request import Record, parse_line

_PREFIX = '{"key":"'
_KEY = slice(len(_PREFIX), len(_PREFIX) + 64)
_DIGITS = frozenset("0123456789abcdef")

Signature = tuple[int, int, int] | None


class Store:
    """The records of one cassette file.

    Args:
        path: the file; it need not exist.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        self.journal = self.path.with_name(f"{self.path.name}.journal")
        self._lines: dict[str, tuple[str, str]] = {}
        self._seen: tuple[Signature, Signature] | None = None

    def get(self, key: str) -> Record | None:
        """The record of a key, or None.

        Raises:
            CassetteError: the file cannot be read, or this record is damaged.
        """
        if key not in self._lines or self._seen is None:
            self.refresh()
        found = self._lines.get(key)
        return parse_line(found[0], place=found[1]) if found else None

    def records(self) -> Iterator[Record]:
        """All records in the order of their keys.

        Raises:
            CassetteError: the file cannot be read, or a record is damaged.
        """
        self.refresh()
        for key in sorted(self._lines):
            line, place = self._lines[key]
            yield parse_line(line, place=place)

    def __len__(self) -> int:
        self.refresh()
        return len(self._lines)

    def refresh(self) -> None:
        """Read the files anew when they have changed.

        Raises:
            CassetteError: a file cannot be read, or a line of the sorted file is no record.
        """
        now = (_signature(self.journal), _signature(self.path))
        if now == self._seen:
            return
        recent = dict(self._read(self.journal, torn=True))
        lines = dict(self._read(self.path, torn=False))
        lines.update(recent)
        self._lines, self._seen = lines, now

    def append(self, records: Iterable[Record], *, replace: bool) -> list[Record]:
        """Add records to the journal.

        Args:
            records: the new records.
            replace: whether they win over records of the same key; else the older ones stay.

        Returns:
            For each record the one that the cassette holds now.

        Raises:
            CassetteError: the journal cannot be written.
        """
        given = list(records)
        try:
            with locked(self.journal) as handle:
                self.refresh()
                kept: list[Record] = []
                text = ""
                for record in given:
                    held = None if replace else self._lines.get(record.key)
                    if held is None:
                        line = record.line()
                        text += line
                        self._lines[record.key] = (line, str(self.journal))
                        kept.append(record)
                    else:
                        kept.append(parse_line(held[0], place=held[1]))
                if text:
                    _write_all(handle, ("\n" if _is_torn(handle) else "") + text)
                    self._seen = None if self._seen is None else (_signature(self.journal), self._seen[1])
                elif not os.fstat(handle).st_size:
                    _remove(self.journal, handle)
                return kept
        except OSError as error:
            raise CassetteError(f"{self.path}: cannot be written ({error.strerror or error})") from None

    def compact(self, *, without: Collection[str] = ()) -> None:
        """Merge the journal into the sorted file.

        Args:
            without: keys of records to leave out.

        Raises:
            CassetteError: the file cannot be read or written.
        """
        if not without and not self.journal.exists():
            return
        try:
            with locked(self.journal) as handle:
                self._seen = None
                self.refresh()
                for key in without:
                    self._lines.pop(key, None)
                text = "".join(self._lines[key][0] for key in sorted(self._lines))
                if text or self.path.exists():
                    write_atomic(self.path, text)
                _remove(self.journal, handle)
                self._seen = None
        except OSError as error:
            raise CassetteError(f"{self.path}: cannot be written ({error.strerror or error})") from None

    def _read(self, path: Path, *, torn: bool) -> Iterator[tuple[str, tuple[str, str]]]:
        """The lines of one file by key; a later line of a key wins, but never over a younger day."""
        try:
            text = path.read_text(encoding="utf-8", errors="replace" if torn else "strict")
        except FileNotFoundError:
            return
        except (OSError, UnicodeDecodeError) as error:
            raise CassetteError(f"{path}: cannot be read ({error})") from None
        first: dict[str, tuple[str, str]] = {}
        for number, line in enumerate(text.split("\n"), start=1):
            if not line.strip():
                continue
            place = f"{path}:{number}"
            if torn:
                with contextlib.suppress(CassetteError):
                    record = parse_line(line, place=place)
                    yield record.key, (line + "\n", place)
                continue
            key = _key_of(line) or parse_line(line, place=place).key
            entry = (line.rstrip("\r") + "\n", place)
            # Both sides of a merge may have recorded the same request.
            if key in first and _day_of(first[key]) > _day_of(entry):
                continue
            first[key] = entry
            yield key, entry


def _key_of(line: str) -> str | None:
    """The key of a canonical line without parsing it, or None."""
    key = line[_KEY]
    sound = line.startswith(_PREFIX) and len(key) == 64 and line.rstrip("\r").endswith("}")
    return key if sound and _DIGITS.issuperset(key) else None


def _day_of(entry: tuple[str, str]) -> str:
    return parse_line(entry[0], place=entry[1]).recorded


def _signature(path: Path) -> Signature:
    try:
        facts = path.stat()
    except OSError:
        return None
    return facts.st_mtime_ns, facts.st_size, facts.st_ino


def _is_torn(handle: int) -> bool:
    """Whether the file ends in the middle of a line, because its last writer was killed."""
    size = os.fstat(handle).st_size
    if not size:
        return False
    os.lseek(handle, size - 1, os.SEEK_SET)
    return os.read(handle, 1) != b"\n"


def _write_all(handle: int, text: str) -> None:
    data = memoryview(text.encode("utf-8"))
    while data:
        data = data[os.write(handle, data) :]


def _remove(path: Path, handle: int) -> None:
    """Remove the journal that is held; where an open file cannot be removed, empty it."""
    try:
        path.unlink()
    except OSError:
        os.ftruncate(handle, 0)

"""The file of a cassette: JSON Lines sorted by key, and a journal beside it while something records."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from pytest_grounding._jsonio import write_atomic
from pytest_grounding._lock import is_torn, locked, write_all
from pytest_grounding.errors import CassetteError, UnreadableCassetteError
from pytest_grounding.scorers.cassette.request import Record, Request, parse_line

_PREFIX = '{"key":"'
_KEY = slice(len(_PREFIX), len(_PREFIX) + 64)
_DIGITS = frozenset("0123456789abcdef")
_AGAIN = "take the file from version control again, or delete it and record with --grounding-record=new"

Signature = tuple[int, int, int] | None


class Store:
    """The records of one cassette file."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path: Path = Path(path)
        self.journal: Path = self.path.with_name(f"{self.path.name}.journal")
        # Looked at for each request: a Path costs more to ask than a text.
        self._places = (os.fspath(self.journal), os.fspath(self.path))
        self._lines: dict[str, tuple[str, str]] = {}
        self._seen: tuple[Signature, Signature] | None = None
        #: How much of the journal has been read: whole lines only.
        self._offset = 0

    def get(self, key: str, request: Request | None = None) -> Record | None:
        """The record of a key, or None."""
        self.refresh()
        found = self._lines.get(key)
        return parse_line(found[0], place=found[1], known=request) if found else None

    def records(self) -> Iterator[Record]:
        """All records in the order of their keys."""
        self.refresh()
        for key in sorted(self._lines):
            line, place = self._lines[key]
            yield parse_line(line, place=place)

    def __contains__(self, key: str) -> bool:
        self.refresh()
        return key in self._lines

    def __len__(self) -> int:
        self.refresh()
        return len(self._lines)

    def refresh(self) -> None:
        """Read the files anew when they have changed."""
        now = (_signature(self._places[0]), _signature(self._places[1]))
        before = self._seen
        if now == before:
            return
        # The file below is all that a journal which only grew has not changed.
        grew = before is not None and now[1] == before[1] and _has_grown(before[0], now[0])
        self._seen = None
        recent, offset = self._read_journal(self._offset if grew else 0)
        if not grew:
            self._lines = self._read_sorted()
        self._lines.update(recent)
        self._offset, self._seen = offset, now

    def append(self, records: Iterable[Record], *, replace: bool) -> list[Record]:
        """Add records to the journal."""
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
                    write_all(handle, (("\n" if is_torn(handle) else "") + text).encode("utf-8"))
                    self._seen = (_signature(self._places[0]), _signature(self._places[1]))
                    self._offset = os.fstat(handle).st_size
                elif not os.fstat(handle).st_size:
                    _remove(self.journal, handle)
                return kept
        except OSError as error:
            raise CassetteError(f"{self.path}: cannot be written ({error.strerror or error})") from None

    def compact(self, *, without: Collection[str] = ()) -> None:
        """Merge the journal into the sorted file."""
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

    def _read_journal(self, start: int) -> tuple[dict[str, tuple[str, str]], int]:
        """The whole lines of the journal from a byte on, by key, and where they end."""
        data = _bytes_of(self.journal, start)
        if data is None:
            return {}, 0
        whole = data[: data.rfind(b"\n") + 1]
        lines: dict[str, tuple[str, str]] = {}
        for raw in whole.split(b"\n"):
            # A line that its writer was killed in is no record, and nobody has relied on it.
            with contextlib.suppress(UnreadableCassetteError, UnicodeDecodeError):
                line = raw.decode("utf-8")
                lines[parse_line(line).key] = (f"{line}\n", str(self.journal))
        return lines, start + len(whole)

    def _read_sorted(self) -> dict[str, tuple[str, str]]:
        """The lines of the sorted file by key; of two with one key, the younger day wins."""
        data = _bytes_of(self.path) or b""
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError as error:
            damaged = data.count(b"\n", 0, error.start) + 1
            problem = "is no text in UTF-8, as the lines of a cassette are"
            raise UnreadableCassetteError(problem, path=str(self.path), line=damaged, hint=_AGAIN) from None
        lines: dict[str, tuple[str, str]] = {}
        for number, line in enumerate(text.split("\n"), start=1):
            if not line.strip():
                continue
            place = f"{self.path}:{number}"
            key = _key_of(line) or parse_line(line, place=place).key
            entry = (line.rstrip("\r") + "\n", place)
            # Both sides of a merge may have recorded the same request.
            if key not in lines or _day_of(lines[key]) <= _day_of(entry):
                lines[key] = entry
        return lines


def _bytes_of(path: Path, start: int = 0) -> bytes | None:
    """What a file holds from a byte on, or None where there is none."""
    try:
        with open(path, "rb") as stream:
            stream.seek(start)
            return stream.read()
    except FileNotFoundError:
        return None
    except OSError as error:
        problem = f"cannot be read ({error.strerror or error})"
        raise UnreadableCassetteError(problem, path=str(path), hint=_AGAIN) from None


def _key_of(line: str) -> str | None:
    """The key of a canonical line without parsing it, or None."""
    key = line[_KEY]
    sound = line.startswith(_PREFIX) and len(key) == 64 and line.rstrip("\r").endswith("}")
    return key if sound and _DIGITS.issuperset(key) else None


def _day_of(entry: tuple[str, str]) -> str:
    return parse_line(entry[0], place=entry[1]).recorded


def _signature(path: str) -> Signature:
    try:
        facts = os.stat(path)  # noqa: PTH116
    except OSError:
        return None
    return facts.st_mtime_ns, facts.st_size, facts.st_ino


def _has_grown(before: Signature, now: Signature) -> bool:
    """Whether a file is the one that it was, with nothing taken from it."""
    return before is not None and now is not None and before[2] == now[2] and now[1] >= before[1]


def _remove(path: Path, handle: int) -> None:
    """Remove the journal that is held; where an open file cannot be removed, empty it."""
    try:
        path.unlink()
    except OSError:
        os.ftruncate(handle, 0)

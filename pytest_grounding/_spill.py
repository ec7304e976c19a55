"""What may grow with the size of a run: in memory while it is small, else in the temporary folder.

The folder is that of the system, or the one that ``TMPDIR`` names. Nothing of it outlives the process.
"""

from __future__ import annotations

import contextlib
import tempfile
import weakref
from collections.abc import Iterator
from io import BytesIO
from typing import IO, TYPE_CHECKING, Generic, TypeVar, cast

from pytest_grounding.errors import GroundingError

if TYPE_CHECKING:
    import sqlite3

#: So many entries are held in memory; further ones go to a file, and all of them with these.
IN_MEMORY = 20_000

#: So many bytes of a `Pile` are held in memory before they go to a file.
BYTES_IN_MEMORY = 4_000_000

_Value = TypeVar("_Value", int, str)


class Spilling(Generic[_Value]):
    """A mapping from texts to numbers or texts that takes any number of entries in bounded memory.

    Args:
        most: entries that are held in memory.
    """

    def __init__(self, most: int = IN_MEMORY) -> None:
        self._most = most
        self._held: dict[str, _Value] = {}
        self._file: sqlite3.Connection | None = None

    def get(self, key: str) -> _Value | None:
        """The value of a key, or None."""
        if self._file is None:
            return self._held.get(key)
        with explaining_full_disk():
            row = self._file.execute("SELECT value FROM held WHERE key = ?", (_bytes(key),)).fetchone()
        return None if row is None else cast("_Value", row[0])

    def set(self, key: str, value: _Value) -> None:
        """Give a key a value."""
        if self._file is None:
            self._held[key] = value
            if len(self._held) > self._most:
                self._spill()
            return
        with explaining_full_disk():
            self._file.execute("INSERT OR REPLACE INTO held VALUES (?, ?)", (_bytes(key), value))

    def setdefault(self, key: str, value: _Value) -> _Value:
        """The value of a key, which is this one where it had none."""
        found = self.get(key)
        if found is None:
            self.set(key, value)
            return value
        return found

    def _spill(self) -> None:
        self._file = database("CREATE TABLE held (key BLOB PRIMARY KEY, value) WITHOUT ROWID")
        weakref.finalize(self, self._file.close)
        with explaining_full_disk():
            rows = ((_bytes(key), value) for key, value in sorted(self._held.items()))
            self._file.executemany("INSERT INTO held VALUES (?, ?)", rows)
        self._held = {}


class Pile:
    """Bytes that are put away one after the other, in memory while they are few, and read back at any place.

    Args:
        most: bytes that are held in memory.
    """

    def __init__(self, most: int = BYTES_IN_MEMORY) -> None:
        self._most = most
        self._file: IO[bytes] = BytesIO()
        self._is_held = True
        self._end = 0

    def put(self, data: bytes) -> tuple[int, int]:
        """Put bytes away; where they lie: offset and size.

        Raises:
            GroundingError: the temporary folder cannot take them; what was put away before can be read still.
        """
        place = self._end
        with explaining_full_disk():
            if self._is_held and place + len(data) > self._most:
                self._spill()
            self._file.seek(place)
            _write(self._file, data)
        self._end += len(data)
        return place, len(data)

    def _spill(self) -> None:
        # It has no name to be left behind under, and no buffer: what a full disk does not take must be
        # known at once, not when something else is read.
        file = cast("IO[bytes]", tempfile.TemporaryFile(buffering=0))  # noqa: SIM115 -- as old as the pile
        try:
            self._file.seek(0)
            _write(file, self._file.read(self._end))
        except OSError:
            file.close()
            raise
        self._file, self._is_held = file, False
        weakref.finalize(self, file.close)

    def get(self, place: int, size: int) -> bytes:
        """The bytes that lie at a place."""
        self._file.seek(place)
        return self._file.read(size)


def database(*statements: str) -> sqlite3.Connection:
    """A database that lies in memory while it is small, and in a file without a name when it is not.

    Raises:
        GroundingError: the temporary folder cannot take it.
    """
    import sqlite3  # deferred for cost

    with explaining_full_disk():
        # Rubbish is collected in any thread, and so is what holds this.
        connection = sqlite3.connect("", isolation_level=None, check_same_thread=False)
        for statement in ("PRAGMA journal_mode = OFF", "PRAGMA synchronous = OFF", *statements):
            connection.execute(statement)
    return connection


@contextlib.contextmanager
def explaining_full_disk() -> Iterator[None]:
    """Say in one sentence that the temporary folder cannot take more."""
    import sqlite3

    try:
        yield
    except (OSError, sqlite3.OperationalError) as error:
        said = getattr(error, "strerror", None) or error
        raise GroundingError(
            f"the temporary folder {tempfile.gettempdir()} cannot hold what this run found ({said}); "
            f"make room there, or name another folder with the variable TMPDIR"
        ) from error


def _write(file: IO[bytes], data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        # A disk that is nearly full takes a part.
        rest = rest[file.write(rest) :]


def _bytes(key: str) -> bytes:
    # In the order of code points, as texts are ordered; a lone surrogate is a key like any other.
    return key.encode("utf-8", "surrogatepass")

"""Where the verdicts of a run lie while it goes on: in a temporary file, so that memory does not grow.

What is small stays in memory; beyond some megabytes the temporary folder (``TMPDIR``) holds it. Nothing of it
outlives the process.
"""

from __future__ import annotations

import contextlib
import tempfile
import weakref
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO, TYPE_CHECKING, NamedTuple

from pytest_grounding._spill import Pile, database, explaining_full_disk
from pytest_grounding.baseline.tally import Tally
from pytest_grounding.model.shelved import Recorded, Shelved
from pytest_grounding.model.transcript import Transcript
from pytest_grounding.model.verdict import Verdict
from pytest_grounding.scale.entry import Entry
from pytest_grounding.scale.inputs import blocks
from pytest_grounding.scale.result import Line
from pytest_grounding.settings import Settings

if TYPE_CHECKING:
    import sqlite3

#: So many bytes are held in memory before they go to a file.
IN_MEMORY = 4_000_000
#: A run of so few transcripts is not read back at all: its verdicts stay as they are.
KEPT = 200
#: Part files that are held open at once.
_OPEN = 32
_TABLE = """
CREATE TABLE shelf (
    id BLOB, hash TEXT, failed INTEGER, rank INTEGER, confidence REAL, grave INTEGER,
    file INTEGER, at INTEGER, size INTEGER, transcript_at INTEGER, transcript_size INTEGER,
    part INTEGER, line INTEGER,
    PRIMARY KEY (id, hash)
) WITHOUT ROWID
"""
_WORST = "ORDER BY failed DESC, rank, confidence, id, hash"
#: A transcript was accepted when it was read; how long a question may be is no matter when it is read back.
_ANYTHING = {"question_max_length": 10**9}


class Lies(NamedTuple):
    """Where a verdict and its transcript lie on the pile of a shelf, packed: offset and size.

    A transcript of size 0 is none.
    """

    verdict: tuple[int, int]
    transcript: tuple[int, int] = (0, 0)


class Shelf:
    """Takes verdicts one by one and gives them back in order; sums up what they add to the suite.

    Args:
        settings: the settings of the suite, which say what counts as confident.
        pile: where verdicts lie already, see `add`; None makes one.
    """

    def __init__(self, settings: Settings, pile: Pile | None = None) -> None:
        self.tally = Tally()
        self._settings = settings
        self._pile = Pile(IN_MEMORY) if pile is None else pile
        self._index = database(_TABLE)
        # Whoever holds a report holds the shelf: it is closed when nobody does any more.
        self._parts: dict[int, Path] = {}
        self._numbers: dict[Path, int] = {}
        self._open: dict[int, IO[bytes]] = {}
        weakref.finalize(self, _close, self._index, self._open)
        self._kept: dict[tuple[str, str], tuple[Verdict, Transcript | None]] | None = {}

    def add(
        self,
        verdict: Verdict,
        *,
        failed: bool,
        transcript: Transcript | None = None,
        lies: Lies | None = None,
        part: tuple[Path, int] | None = None,
    ) -> bool:
        """Take one verdict that counts for the suite; False where it is there already.

        Args:
            verdict: what was found.
            failed: the transcript fails on its own.
            transcript: what was validated, where a report will show it.
            lies: where both lie on the pile of the shelf; None puts them there.
            part: the part file that holds the verdict too, and the line in it, from 1.

        Raises:
            GroundingError: the temporary folder cannot take it.
        """
        with explaining_full_disk():
            lies = Lies(self._write(verdict), self._write(transcript)) if lies is None else lies
            entry = Entry.of(verdict, 0, *lies.verdict, failed=failed, expected=False)
            kept = (0, 0) if part is None else (self._number(part[0]), part[1])
            if not self._insert(entry, 0, lies.transcript, kept):
                return False
        self.tally.add(verdict, self._settings, failed=failed)
        if self._kept is not None:
            self._kept[verdict.id, verdict.transcript_hash] = (verdict, transcript)
            self._kept = self._kept if len(self._kept) <= KEPT else None
        return True

    def refer(self, entry: Entry, part: Path) -> bool:
        """Take a verdict that lies in a part file; False where it is there already.

        What the part adds to the suite is counted by who calls.

        Args:
            entry: where it lies.
            part: the part file.
        """
        self._kept = None
        number = self._number(part)
        with explaining_full_disk():
            return self._insert(entry, number, (entry.offset, entry.size), (number, entry.number + 1))

    def part_of(self, verdict: Verdict) -> tuple[Path, int] | None:
        """The part file that holds a verdict, and the line in it, from 1; None where there is none."""
        key = (verdict.id.encode("utf-8", "surrogatepass"), verdict.transcript_hash)
        query = "SELECT part, line FROM shelf WHERE id = ? AND hash = ?"
        found = self._index.execute(query, key).fetchone()
        return (self._parts[found[0]], found[1]) if found is not None and found[0] else None

    def _number(self, part: Path) -> int:
        """The number of a part file on this shelf, from 1."""
        number = self._numbers.setdefault(part, len(self._numbers) + 1)
        self._parts[number] = part
        return number

    def _insert(self, entry: Entry, file: int, transcript: tuple[int, int], part: tuple[int, int]) -> bool:
        row = (
            entry.id.encode("utf-8", "surrogatepass"),
            entry.hash,
            entry.failed,
            entry.rank,
            entry.confidence,
            entry.grave,
            file,
            entry.offset,
            entry.size,
            *transcript,
            *part,
        )
        query = "INSERT OR IGNORE INTO shelf VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
        return bool(self._index.execute(query, row).rowcount)

    @property
    def verdicts(self) -> Shelved:
        """What was taken so far."""
        return _Verdicts(self)

    @property
    def transcripts(self) -> Mapping[str, Transcript]:
        """The transcripts that were taken along, by the hash of their content."""
        return _Transcripts(self)

    def _write(self, value: Verdict | Transcript | None) -> tuple[int, int]:
        """Where the value lies now: offset and size."""
        if value is None:
            return 0, 0
        return self._pile.put(zlib.compress(value.model_dump_json().encode(), 1))

    def _read(self, place: int, size: int) -> bytes:
        """What lies at a place of the pile."""
        return zlib.decompress(self._pile.get(place, size))

    def _line(self, file: int, place: int, size: int) -> Line:
        """A line of a part file."""
        stream = self._open.pop(file, None) or _unpacked(self._parts[file])
        self._open[file] = stream
        if len(self._open) > _OPEN:
            self._open.pop(next(iter(self._open))).close()
        stream.seek(place)
        return Line.model_validate_json(stream.read(size))

    def rows(self, rest: str = "") -> Iterator[_Row]:
        """Where verdicts lie, as the rest of a query chooses and orders them."""
        yield from self._index.execute(f"SELECT id, hash, file, at, size FROM shelf {rest}")  # noqa: S608

    def failed_ids(self) -> list[str]:
        """The ids of the transcripts that failed on their own, in order."""
        query = "SELECT id FROM shelf WHERE failed > 0 ORDER BY id"
        return [row[0].decode("utf-8", "surrogatepass") for row in self._index.execute(query)]

    def verdict(self, row: _Row) -> Verdict:
        """The verdict of a row."""
        identifier, digest, file, place, size = row
        if self._kept is not None:
            return self._kept[identifier.decode("utf-8", "surrogatepass"), digest][0]
        if not file:
            return Verdict.model_validate_json(self._read(place, size))
        found = self._line(file, place, size).verdict
        assert found is not None
        return found

    def transcript(self, digest: str) -> Transcript | None:
        """The transcript with a content, where it was taken along."""
        if self._kept is None:
            self._index.execute("CREATE INDEX IF NOT EXISTS by_hash ON shelf (hash)")
        query = "SELECT id, file, transcript_at, transcript_size FROM shelf WHERE hash = ?"
        found = self._index.execute(query, (digest,)).fetchone()
        if found is None or not found[3]:
            return None
        identifier, file, place, size = found
        if self._kept is not None:
            kept = self._kept[identifier.decode("utf-8", "surrogatepass"), digest][1]
            if kept is not None:
                return kept
        if not file:
            return Transcript.model_validate_json(self._read(place, size), context=_ANYTHING)
        plain = self._line(file, place, size).transcript
        return None if plain is None else Transcript.model_validate(plain, context=_ANYTHING)


#: Id, content hash, file (0 for the shelf's own), place and size.
_Row = tuple[bytes, str, int, int, int]


class _Verdicts(Shelved):
    """The verdicts of a shelf."""

    def __init__(self, shelf: Shelf) -> None:
        found = shelf.tally.counts
        self._shelf = shelf
        self.failed_statuses = Counter(shelf.tally.with_prefix("failed"))
        self.estimated = found["estimated"]
        self.grave = found["grave"]
        self.shares_ids = any(True for _ in shelf.rows("GROUP BY id HAVING COUNT(*) > 1 LIMIT 1"))
        first, last = shelf.tally.firsts.get("recorded"), shelf.tally.lasts.get("recorded")
        self.recorded = (
            Recorded(first[0][0], first[0][1], last[0], found["recorded"]) if first and last else None
        )

    def __len__(self) -> int:
        return self._shelf.tally.counts["transcripts"]

    def __iter__(self) -> Iterator[Verdict]:
        for row in self._shelf.rows("ORDER BY id, hash"):
            yield self._shelf.verdict(row)

    def worst_first(self, *, grave: bool = False) -> Iterator[Verdict]:
        for row in self._shelf.rows(f"WHERE grave > 0 {_WORST}" if grave else _WORST):
            yield self._shelf.verdict(row)


class _Transcripts(Mapping[str, Transcript]):
    """The transcripts of a shelf, read one at a time."""

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf

    def __getitem__(self, digest: str) -> Transcript:
        found = self._shelf.transcript(digest)
        if found is None:
            raise KeyError(digest)
        return found

    def __iter__(self) -> Iterator[str]:
        return (row[1] for row in self._shelf.rows("WHERE transcript_size > 0 ORDER BY id, hash"))

    def __len__(self) -> int:
        return sum(1 for _ in self)


def _unpacked(part: Path) -> IO[bytes]:
    """A part file to be read at any place; one that is packed is unpacked into the temporary folder."""
    if part.suffix != ".zst":
        return open(part, "rb")
    with explaining_full_disk():
        stream = tempfile.TemporaryFile()  # noqa: SIM115 -- the shelf closes it
        for block in blocks(str(part), packer=".zst"):
            stream.write(block)
    return stream


def _close(index: sqlite3.Connection, parts: dict[int, IO[bytes]]) -> None:
    index.close()
    for stream in parts.values():
        # What a full disk did not take is of no use any more.
        with contextlib.suppress(OSError):
            stream.close()

"""What a run holds of many transcripts and verdicts while it goes on: as few bytes as they take.

A transcript is needed while its test runs, a verdict when the run is decided. In between each of them is
packed: a tenth of the memory, for a tenth of a millisecond.
"""

from __future__ import annotations

import json
import pickle
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from pytest_grounding.importers.loading import Row
from pytest_grounding.model.transcript import Transcript

#: The fastest level; a higher one takes twice as long to save a tenth more.
_LEVEL = 1


class HeldTranscript:
    """A transcript that is unpacked when its test runs.

    Attributes:
        id: its id.
    """

    __slots__ = ("_packed", "id")

    def __init__(self, transcript: Transcript) -> None:
        self.id = transcript.id
        self._packed = zlib.compress(pickle.dumps(transcript, pickle.HIGHEST_PROTOCOL), _LEVEL)

    def unpacked(self) -> Transcript:
        """The transcript, made anew by each call."""
        found: Transcript = pickle.loads(zlib.decompress(self._packed))  # noqa: S301 - bytes of our own
        return found

    def renamed(self, name: str) -> HeldTranscript:
        """The same transcript with another id."""
        return HeldTranscript(self.unpacked().model_copy(update={"id": name}))


class HeldRow:
    """A row of a file, with its transcript packed.

    Attributes:
        row: the row without its transcript.
        held: the transcript, or None where the row could not be read.
    """

    __slots__ = ("held", "row")

    def __init__(self, row: Row, held: HeldTranscript | None) -> None:
        self.row = row
        self.held = held

    @classmethod
    def of(cls, row: Row) -> HeldRow:
        """The row, packed."""
        held = HeldTranscript(row.transcript) if row.transcript is not None else None
        return cls(replace(row, transcript=None), held)

    def unpacked(self) -> Row:
        """The row with its transcript."""
        return replace(self.row, transcript=self.held.unpacked()) if self.held is not None else self.row


class Found:
    """What the reports of tests carry, as plain data, in the order in which it came."""

    def __init__(self) -> None:
        self._packed: list[bytes] = []
        self._numbers: Counter[tuple[str, str]] = Counter()

    def add(self, data: Sequence[dict[str, Any]]) -> None:
        """Take what one report carries."""
        self._numbers.update(_key(item["verdict"]) for item in data if "verdict" in item)
        self._packed += [zlib.compress(json.dumps(item).encode(), _LEVEL) for item in data]

    def number_of(self, verdict: Mapping[str, Any]) -> int:
        """How many verdicts there are on the same content."""
        return self._numbers[_key(verdict)]

    def __len__(self) -> int:
        return len(self._packed)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        for packed in self._packed:
            yield json.loads(zlib.decompress(packed))


def _key(verdict: Mapping[str, Any]) -> tuple[str, str]:
    return verdict["id"], verdict["transcript_hash"]

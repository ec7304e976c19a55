"""What a run holds of many transcripts and verdicts while it goes on: as few bytes as they take.

A transcript is needed while its test runs, a verdict when the run is decided. In between each of them is
packed: a tenth of the memory, for a tenth of a millisecond.
"""

from __future__ import annotations

import base64
import json
import pickle
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pytest_grounding.importers.loading import Row
from pytest_grounding.model.transcript import Transcript

if TYPE_CHECKING:
    import pytest

    from pytest_grounding.plugin.session import RunState

#: Transcripts from which on a run tells how far it is.
MANY = 300
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


#: What a report of a test carries of one thing that it found: id and hash of the transcript, where there is a
#: verdict on one, and all of it, packed. Text, because it travels between the processes of xdist, to which
#: a verdict of a thousand values costs more than the validation.
Carried = tuple[str, str, str]


def carried(data: Iterable[Mapping[str, Any]]) -> list[Carried]:
    """What a test found, as plain data, in the form in which its report carries it."""
    found = []
    for item in data:
        verdict = item.get("verdict", {})
        packed = base64.b85encode(zlib.compress(json.dumps(item).encode(), _LEVEL)).decode("ascii")
        found.append((verdict.get("id", ""), verdict.get("transcript_hash", ""), packed))
    return found


class Found:
    """What the reports of tests carried, in the order in which it came."""

    def __init__(self) -> None:
        self._packed: list[str] = []
        self._numbers: Counter[tuple[str, str]] = Counter()

    def add(self, data: Iterable[Carried]) -> None:
        """Take what one report carried."""
        for name, content, packed in data:
            self._numbers[name, content] += 1
            self._packed.append(packed)

    def number_of(self, verdict: Mapping[str, Any]) -> int:
        """How many verdicts there are on the same content."""
        return self._numbers[verdict["id"], verdict["transcript_hash"]]

    def __len__(self) -> int:
        return len(self._packed)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        for packed in self._packed:
            yield json.loads(zlib.decompress(base64.b85decode(packed)))


def take(state: RunState, data: Iterable[Carried], report: pytest.TestReport) -> None:
    """Take what a report carries off it; pytest keeps every report to the end of the run."""
    if state.found is None:
        state.found = Found()
    state.found.add(data)
    del report.grounding
    state.ran.add(report.nodeid)
    if len(state.ran) == MANY:
        # Short runs load nothing for it.
        from pytest_grounding.plugin.progress import begin

        state.progress = begin(state)
    elif state.progress is not None:
        state.progress.show()

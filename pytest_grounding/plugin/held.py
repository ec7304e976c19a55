"""What a run holds of many transcripts until their tests run: where each of them lies.

They lie packed on a pile, which beyond some megabytes is a file in the temporary folder (``TMPDIR``): a test
holds two numbers of its transcript, for a tenth of a millisecond.
"""

from __future__ import annotations

import pickle
import zlib
from dataclasses import replace

from pytest_grounding._spill import Pile
from pytest_grounding.importers.loading import Row
from pytest_grounding.model.transcript import Transcript

#: The fastest level; a higher one takes twice as long to save a tenth more.
_LEVEL = 1


class HeldTranscript:
    """A transcript that is unpacked when its test runs.

    Attributes:
        id: its id.
    """

    __slots__ = ("_pile", "_place", "_size", "id")

    def __init__(self, transcript: Transcript, pile: Pile) -> None:
        self.id = transcript.id
        self._pile = pile
        packed = zlib.compress(pickle.dumps(transcript, pickle.HIGHEST_PROTOCOL), _LEVEL)
        self._place, self._size = pile.put(packed)

    def unpacked(self) -> Transcript:
        """The transcript, made anew by each call."""
        packed = self._pile.get(self._place, self._size)
        found: Transcript = pickle.loads(zlib.decompress(packed))  # noqa: S301 - bytes of our own
        return found

    def renamed(self, name: str) -> HeldTranscript:
        """The same transcript with another id."""
        return HeldTranscript(self.unpacked().model_copy(update={"id": name}), self._pile)


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
    def of(cls, row: Row, pile: Pile) -> HeldRow:
        """The row, its transcript packed and put away."""
        held = HeldTranscript(row.transcript, pile) if row.transcript is not None else None
        return cls(replace(row, transcript=None), held)

    def unpacked(self) -> Row:
        """The row with its transcript."""
        return replace(self.row, transcript=self.held.unpacked()) if self.held is not None else self.row

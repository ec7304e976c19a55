"""Values of a long run in order, most of them in a file and not in memory."""

from __future__ import annotations

import contextlib
import copy
import json
import sys
import weakref
from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from tempfile import TemporaryFile
from typing import Generic, Self, TypeVar, overload

from pytest_grounding._io.jsonio import canonical_json
from pytest_grounding.model.base import Model
from pytest_grounding.model.transcript import OF_OURS, Transcript
from pytest_grounding.model.verdict import Status, Verdict

Value = TypeVar("Value", bound=Model)
IN_MEMORY = 250  # values that stay in memory: with fewer nothing is written


class _File:
    """A file without a name, which is closed with the last one that shows it."""

    def __init__(self) -> None:
        self._stream = TemporaryFile()  # noqa: SIM115 -- closed by the finalizer
        weakref.finalize(self, self._stream.close)

    def write(self, start: int, text: str) -> int:
        """Write a text at an offset; returns the number of its bytes."""
        self._stream.seek(start)
        return self._stream.write(text.encode("utf-8", "surrogatepass"))

    def read(self, start: int, end: int) -> str:
        self._stream.seek(start)
        return self._stream.read(end - start).decode("utf-8", "surrogatepass")


class Kept(Sequence[Value], Generic[Value]):
    """A sequence that grows; all but its first values lie in a file that is removed with it."""

    def __init__(self, kind: type[Value]) -> None:
        self._kind = kind
        #: Values in memory by number: the first ones, and those that JSON would change.
        self._held: dict[int, Value] = {}
        self._ends = array("Q", [0])  # where each value ends in the file
        self._order: array[int] | None = None  # numbers of the values, where only some are shown

    @cached_property
    def _file(self) -> _File:
        return _File()

    def append(self, value: Value) -> None:
        """Add a value at the end."""
        end = self._ends[-1]
        text = ""
        if len(self._ends) > IN_MEMORY:
            # A value with a number that JSON does not have stays in memory.
            with contextlib.suppress(ValueError):
                text = canonical_json(value.model_dump(mode="json"))
        if text:
            end += self._file.write(end, text)
        else:
            self._held[len(self._ends) - 1] = value
        self._ends.append(end)

    def chosen(self, places: Sequence[int]) -> Self:
        """Some of the values, in this order, without a copy of them."""
        found = copy.copy(self)
        found._order = array("Q", places)
        return found

    def __len__(self) -> int:
        return len(self._ends) - 1 if self._order is None else len(self._order)

    @overload
    def __getitem__(self, place: int) -> Value: ...
    @overload
    def __getitem__(self, place: slice) -> list[Value]: ...
    def __getitem__(self, place: int | slice) -> Value | list[Value]:
        if isinstance(place, slice):
            return [self[number] for number in range(*place.indices(len(self)))]
        number = range(len(self))[place] if self._order is None else self._order[place]
        if number in self._held:
            return self._held[number]
        start, end = self._ends[number : number + 2]
        return self._kind.model_validate(json.loads(self._file.read(start, end)), context=OF_OURS)


@dataclass(frozen=True, slots=True)
class VerdictHead:
    """What is often asked of a verdict."""

    id: str
    transcript_hash: str
    status: Status
    confidence: float | None
    source: str | None
    line: int | None
    recorded_on: str | None

    @classmethod
    def of(cls, verdict: Verdict) -> VerdictHead:
        """The head of a verdict."""
        return cls(
            verdict.id,
            verdict.transcript_hash,
            verdict.status,
            verdict.confidence,
            # The file of most verdicts is that of the one before.
            sys.intern(verdict.source) if verdict.source else verdict.source,
            verdict.line,
            verdict.recorded_on,
        )


class KeptVerdicts(Kept[Verdict]):
    """The verdicts of a run, with the heads of all in memory."""

    def __init__(self) -> None:
        super().__init__(Verdict)
        self.heads: list[VerdictHead] = []

    def append(self, value: Verdict) -> None:
        """Add a verdict at the end."""
        super().append(value)
        self.heads.append(VerdictHead.of(value))

    def chosen(self, places: Sequence[int]) -> KeptVerdicts:
        """Some of the verdicts, in this order, without a copy of them."""
        found = super().chosen(places)
        found.heads = [self.heads[place] for place in places]
        return found


class KeptTranscripts(Mapping[str, Transcript]):
    """Transcripts by the hash of their content."""

    def __init__(self) -> None:
        self._kept = Kept(Transcript)
        self._places: dict[str, int] = {}

    def add(self, content_hash: str, transcript: Transcript) -> None:
        """Add a transcript, unless one with this content is known."""
        if content_hash not in self._places:
            self._places[content_hash] = len(self._kept)
            self._kept.append(transcript)

    def __getitem__(self, content_hash: str) -> Transcript:
        return self._kept[self._places[content_hash]]

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)

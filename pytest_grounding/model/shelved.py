"""Verdicts that are not held in memory: a run of any size is read one verdict at a time."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple, overload

from pytest_grounding.model.verdict import Verdict


class Recorded(NamedTuple):
    """The days on which answers were recorded, and how many have one.

    Attributes:
        oldest: the first day, ``YYYY-MM-DD``.
        first: id of the first transcript of that day.
        youngest: the last day.
        number: transcripts that have a day.
    """

    oldest: str
    first: str
    youngest: str
    number: int


class Shelved(Sequence[Verdict]):
    """The verdicts of a run in the order of their ids and contents, read anew whenever they are asked for.

    It stands where a report has a tuple of verdicts, and knows what would take a reading of them all.
    """

    #: How many of the transcripts that failed on their own have which status.
    failed_statuses: Mapping[str, int]
    #: Answers in languages for which the built-in engine is not calibrated.
    estimated: int
    #: Findings that are errors or warnings; None where only a reading tells.
    grave: int | None
    #: Whether two contents share an id.
    shares_ids: bool
    #: The days of recording; None where no answer has one.
    recorded: Recorded | None

    @abstractmethod
    def worst_first(self, *, grave: bool = False) -> Iterator[Verdict]:
        """The verdicts: failed ones first, then by status, confidence and id.

        Args:
            grave: only those that have an error or a warning.
        """

    @overload
    def __getitem__(self, place: int) -> Verdict: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Verdict]: ...
    def __getitem__(self, place: int | slice) -> Verdict | Sequence[Verdict]:
        """One verdict, or some: those before are passed over."""
        if isinstance(place, slice):
            return tuple(islice(iter(self), *place.indices(len(self))))
        found = next(islice(iter(self), range(len(self))[place], None), None)
        if found is None:
            raise IndexError(place)
        return found

    def mapped(self, change: Callable[[Verdict], Verdict]) -> Shelved:
        """The same verdicts, each changed when it is read."""
        return _Mapped(self, change)


class _Mapped(Shelved):
    """Verdicts of a shelf that are changed when they are read."""

    def __init__(self, inner: Shelved, change: Callable[[Verdict], Verdict]) -> None:
        self._inner = inner
        self._change = change
        self.failed_statuses = inner.failed_statuses
        self.estimated = inner.estimated
        self.grave = None
        self.shares_ids = inner.shares_ids
        self.recorded = inner.recorded

    def __len__(self) -> int:
        return len(self._inner)

    def __iter__(self) -> Iterator[Verdict]:
        return map(self._change, self._inner)

    def worst_first(self, *, grave: bool = False) -> Iterator[Verdict]:
        return map(self._change, self._inner.worst_first(grave=grave))

"""What two sides of a suite give for each figure, question by question, in bounded memory.

Of more than `SAMPLE` questions a sample is kept: those whose seeded hashes are the smallest. It depends on
the questions alone, not on their order, and a question is in it on both sides or on none.
"""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Callable, Sequence
from typing import Literal, TypeAlias

from pytest_grounding.model.baseline import Entry

#: Questions that are resampled; more of them make no interval narrower that anyone would see.
SAMPLE = 100_000
SEED = b"20240601"

#: One recording: for each figure what is counted, and what it is counted in, one after the other.
Row: TypeAlias = "array[float]"
Part = tuple[float, float]


class Sides:
    """Collects the recordings of both sides by question."""

    def __init__(self, parts: Sequence[Callable[[Entry], Part]], most: int = SAMPLE) -> None:
        self._parts = parts
        self._most = most
        self._rows: dict[str, tuple[list[Row], list[Row]]] = {}
        self._highest = b""
        #: For each side and figure whether there is anything to measure.
        self.measured = ([False] * len(parts), [False] * len(parts))

    def add(self, side: Literal[0, 1], entry: Entry) -> None:
        """Take one recording of the baseline (0) or of the run (1)."""
        row = array("d", [number for part in self._parts for number in part(entry)])
        measured = self.measured[side]
        for index in range(len(measured)):
            measured[index] = measured[index] or bool(row[2 * index + 1])
        question = entry.question
        if self._highest and question not in self._rows and _hash(question) > self._highest:
            return
        self._rows.setdefault(question, ([], []))[side].append(row)
        if len(self._rows) > 2 * self._most:
            self._keep(self._rows)

    @property
    def is_sample(self) -> bool:
        """Whether questions were left out."""
        return bool(self._highest)

    def questions(self) -> list[tuple[list[Row], list[Row]]]:
        """The recordings of each question that both sides hold, in the order of the questions."""
        both = [question for question, (old, new) in self._rows.items() if old and new]
        if len(both) > self._most:
            self._keep(both)
            both = list(self._rows)
        return [self._rows[question] for question in sorted(both)]

    def _keep(self, questions: Sequence[str] | dict[str, tuple[list[Row], list[Row]]]) -> None:
        kept = sorted((_hash(question), question) for question in questions)[: self._most]
        self._highest = kept[-1][0]
        self._rows = {question: self._rows[question] for _, question in kept}


def part_of(row: Row, figure: int) -> Part:
    """What a recording adds to one figure."""
    return row[2 * figure], row[2 * figure + 1]


def _hash(question: str) -> bytes:
    return hashlib.blake2b(question.encode("utf-8", "surrogatepass"), key=SEED, digest_size=16).digest()

"""The transcripts of a large baseline, read from its file whenever they are asked for.

A baseline as it is written has each transcript on lines of its own, in the order of the ids, at the end of
the file. One that somebody laid out otherwise is read as a whole.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, cast, overload

from pydantic import ValidationError

from pytest_grounding.model.baseline import Baseline, Entry

_START = '  "transcripts": [\n'
_END = "  ]\n"


class Entries(Sequence[Entry]):
    """The transcripts of a baseline in the order of their ids."""

    def __init__(self, path: str, start: int, number: int) -> None:
        self._path = path
        self._start = start
        self._number = number

    def __len__(self) -> int:
        return self._number

    def __iter__(self) -> Iterator[Entry]:
        return _read(self._path, self._start)

    @overload
    def __getitem__(self, place: int) -> Entry: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Entry]: ...
    def __getitem__(self, place: int | slice) -> Entry | Sequence[Entry]:
        if isinstance(place, slice):
            return tuple(islice(iter(self), *place.indices(len(self))))
        return next(islice(iter(self), range(len(self))[place], None))


def streamed(path: str) -> Baseline | None:
    """A baseline whose transcripts stay in its file; None where it must be read as a whole."""
    head: list[str] = []
    start = 0
    try:
        with open(path, "rb") as stream:
            for raw in stream:
                head.append(raw.decode("utf-8"))
                start += len(raw)
                if head[-1] == _START:
                    break
            else:
                return None
        plain: dict[str, Any] = json.loads("".join(head) + "]}")
        found = Baseline.model_validate(plain)
        number, last = 0, ""
        for entry in _read(path, start):
            if (
                entry.id <= last
                or entry.citations_valid > entry.citations
                or entry.hallucinated > entry.claims
            ):
                return None
            number, last = number + 1, entry.id
    except (OSError, ValueError, ValidationError):
        return None
    if found.figures.get("transcripts", number) != number:
        return None
    # Validation would read them all. Whoever uses a baseline takes any sequence of entries in their order.
    held = cast("tuple[Entry, ...]", Entries(os.path.abspath(path), start, number))  # noqa: PTH100
    return found.model_copy(update={"transcripts": held})


def _read(path: str, start: int) -> Iterator[Entry]:
    with open(path, "rb") as stream:
        stream.seek(start)
        lines: list[str] = []
        for raw in stream:
            line = raw.decode("utf-8")
            if line == _END:
                return
            lines.append(line)
            text = line.rstrip().removesuffix(",")
            # A transcript stands on one line, or ends with the bracket of its findings.
            if text.endswith("}") and (len(lines) == 1 or line.startswith("    ]}")):
                yield Entry.model_validate_json("".join(lines).rstrip().removesuffix(","))
                lines = []
    raise ValueError("the list of the transcripts does not end")

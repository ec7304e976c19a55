"""The list of a part's verdicts: what a merge needs to know of each without reading it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from pytest_grounding._wording import measured
from pytest_grounding.model.verdict import Verdict

RANK = {"reject": 0, "review": 1, "pass": 2}


class Entry(NamedTuple):
    """One verdict of a part file.

    Attributes:
        id: id of the transcript.
        hash: hash of its content.
        number: its line in the part file, from 0.
        offset: first byte of that line in the (unpacked) part file.
        size: bytes of the line, its line feed among them.
        rank: of the status: 0 reject, 1 review, 2 pass.
        confidence: in [0, 1]; -1 where there is none.
        grave: findings that are errors or warnings.
        failed: 1 where the transcript fails on its own, else 0.
        expected: 1 where its author expected it to fail, so that it counts for no figure, else 0.
    """

    id: str
    hash: str
    number: int
    offset: int
    size: int
    rank: int
    confidence: float
    grave: int
    failed: int
    expected: int

    @classmethod
    def of(
        cls, verdict: Verdict, number: int, offset: int, size: int, *, failed: bool, expected: bool
    ) -> Entry:
        """The entry of a verdict."""
        confidence = measured(verdict.confidence)
        return cls(
            verdict.id,
            verdict.transcript_hash,
            number,
            offset,
            size,
            RANK[verdict.status],
            -1.0 if confidence is None else confidence,
            sum(finding.severity != "info" for finding in verdict.findings),
            int(failed),
            int(expected),
        )

    def to_line(self) -> bytes:
        """The entry as one line of JSON."""
        return json.dumps(list(self), separators=(",", ":")).encode("ascii") + b"\n"


def entries(path: Path) -> Iterator[Entry]:
    """Yield the entries of a part, by id, content and line."""
    with open(path, "rb") as stream:
        for line in stream:
            yield Entry(*json.loads(line))

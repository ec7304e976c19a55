"""A row of a run together with what was found on it, whoever validated it."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from pytest_grounding.importers.loading import Row
from pytest_grounding.model.verdict import Status, Verdict


class Checked(NamedTuple):
    """A row with its verdict.

    Attributes:
        row: the row; its transcript is None where it could not be read, and where the part file lacks it.
        verdict: the verdict, or None where the row could not be read.
        wanted: the status that the transcript expects of itself, or None.
        part: the part file that holds the verdict, and the line in it, from 1; None where there is none.
    """

    row: Row
    verdict: Verdict | None
    wanted: Status | None
    part: tuple[Path, int] | None = None

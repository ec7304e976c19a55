"""Pick a report by its name and write it so that a reader never sees half of one."""

from __future__ import annotations

import os
from collections.abc import Callable

from pytest_grounding._jsonio import write_atomic
from pytest_grounding.model.run import RunReport
from pytest_grounding.reports import json, terminal

FORMATS: dict[str, Callable[[RunReport], str]] = {
    "json": json.render,
    "terminal": terminal.render,
}


def write_run(report: RunReport, path: str | os.PathLike[str], *, format: str = "json") -> None:
    """Write the report of a run to a file, atomically.

    Args:
        report: the report, decided.
        path: the file; missing folders are made.
        format: ``json`` or ``terminal`` (plain text).

    Raises:
        ValueError: there is no such format.
        OSError: the file cannot be written.
    """
    if format not in FORMATS:
        raise ValueError(f"format {format!r} is unknown; write one of: {', '.join(sorted(FORMATS))}")
    write_atomic(path, FORMATS[format](report))

"""The rows of transcript files, loaded once a run, with places that are the same on every machine."""

from __future__ import annotations

import os
import re
from dataclasses import replace
from pathlib import Path

from pytest_grounding.engine import iter_transcripts
from pytest_grounding.errors import InputError
from pytest_grounding.importers.loading import KnownIds, Row
from pytest_grounding.plugin.state import RunState
from pytest_grounding.reports.terminal import safe

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")


class _NotYet(KnownIds):
    """Accepts every id: the whole run is asked later, with places that start at the project's root."""

    def add(self, row: Row) -> Row:
        """The row as it is."""
        return row


def rows_of(state: RunState, path: Path) -> list[Row]:
    """All rows of a file; a row or a file that cannot be read is a row with its error."""
    key = str(path)
    if key not in state.rows:
        if state.known is None:
            state.known = KnownIds()
        place = relative(state, path)
        state.reading = path
        try:
            found = list(iter_transcripts(path, state.configured.settings, known=_NotYet()))
        except InputError as error:
            found = [Row(key, error.line or 1, None, error)]
        finally:
            state.reading = None
        state.rows[key] = [state.known.add(_placed(row, place)) for row in found]
    return state.rows[key]


def item_name(row: Row) -> str:
    """The id of the transcript, fit for one line of a terminal; a bad row is named by its line."""
    if row.transcript is None:
        return f"line {row.line}"
    return _CONTROL.sub(lambda match: f"\\x{ord(match[0]):02x}", safe(row.transcript.id))


def relative(state: RunState, path: Path) -> str:
    """A path as it is shown: from the root of the project, with forward slashes."""
    try:
        return path.relative_to(state.config.rootpath).as_posix()
    except ValueError:
        return Path(os.path.relpath(path, state.config.rootpath)).as_posix()


def _placed(row: Row, place: str) -> Row:
    error = row.error
    if error is not None:
        error = type(error)(error.problem, path=place, line=row.line, field=error.field, hint=error.hint)
    return replace(row, path=place, error=error)

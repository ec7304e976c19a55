"""The rows of transcript files, loaded once a run, with places that are the same on every machine."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pytest_grounding._spill import Pile
from pytest_grounding.engine import iter_transcripts
from pytest_grounding.errors import GroundingError, InputError
from pytest_grounding.importers.loading import KnownIds, Row
from pytest_grounding.plugin.held import HeldRow
from pytest_grounding.plugin.state import RunState
from pytest_grounding.reports.terminal import safe

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")


class _NotYet(KnownIds):
    """Accepts every id: the whole run is asked later, with places that start at the project's root."""

    def add(self, row: Row) -> Row:
        """The row as it is."""
        return row


class _Named:
    """What `KnownIds` looks at of a transcript that is packed."""

    def __init__(self, name: str) -> None:
        self.id = name

    def model_copy(self, *, update: Mapping[str, str]) -> _Named:
        return _Named(update["id"])


def rows_of(state: RunState, path: Path) -> list[HeldRow]:
    """All rows of a file; a row or a file that cannot be read is a row with its error.

    An id that stood elsewhere in the run before is an error too, and names both places.
    """
    key = str(path)
    if key not in state.rows:
        if state.known is None:
            state.known = KnownIds()
        place = relative(state, path)
        state.reading = path
        try:
            # One at a time, so that only one of them is there as a whole.
            settings = state.configured.settings
            if state.pile is None:
                state.pile = Pile()
            found = [HeldRow.of(row, state.pile) for row in iter_transcripts(path, settings, known=_NotYet())]
        except InputError as error:
            found = [HeldRow(Row(key, error.line or 1, None, error), None)]
        except GroundingError as error:
            # The disk is full: one sentence, and no traceback.
            raise pytest.Collector.CollectError(f"grounding: {error}") from error
        finally:
            state.reading = None
        state.rows[key] = [_known(state.known, HeldRow(_placed(row.row, place), row.held)) for row in found]
    return state.rows[key]


def item_name(row: HeldRow) -> str:
    """The id of the transcript, fit for one line of a terminal; a bad row is named by its line."""
    if row.held is None:
        return f"line {row.row.line}"
    shown = safe(row.held.id)
    return _CONTROL.sub(lambda match: f"\\x{ord(match[0]):02x}", shown)


def _known(known: KnownIds, row: HeldRow) -> HeldRow:
    """The row, or one with an error where its id stood elsewhere before; see `KnownIds.add`."""
    if row.held is None:
        return row
    named: Any = _Named(row.held.id)
    told = known.add(replace(row.row, transcript=named))
    if told.transcript is None:
        return HeldRow(told, None)
    if told.transcript.id == row.held.id:
        return row
    return HeldRow(replace(told, transcript=None), row.held.renamed(told.transcript.id))


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

"""Collect files of transcripts as tests, one per transcript, and parametrize tests with their rows."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pytest_grounding._io.filenames import is_nearly_named
from pytest_grounding._io.wording import counted
from pytest_grounding.engine.transcript_input import iter_transcripts
from pytest_grounding.engine.validation import examine
from pytest_grounding.errors import GroundingError, InputError
from pytest_grounding.gate import GateOutcome
from pytest_grounding.importers.load_files import KnownIds, Row
from pytest_grounding.importers.searching import find_files
from pytest_grounding.model.transcript import EXPECTED_STATUS, Transcript
from pytest_grounding.plugin.items import ItemEntry, note, settings_of_item
from pytest_grounding.plugin.option_table import root_of
from pytest_grounding.plugin.run_state import RunState, of
from pytest_grounding.reports.terminal import safe, short_text, verdict_text, wrapped
from pytest_grounding.settings import Settings

if TYPE_CHECKING:
    from pytest_grounding.gate.waivers import Waiver

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_MOST_TOLD = 100  # failures shown in full, unless -v asks for all


class _NotYet(KnownIds):
    """Accepts every id: duplicates are found for the whole run later, with paths from the project's root."""

    def add(self, row: Row) -> Row:
        return row


def rows_of_file(state: RunState, path: Path) -> list[Row]:
    """All rows of a file; an unreadable row or file is a row with its error."""
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
        state.rows[key] = [state.known.add(_with_place(row, place)) for row in found]
    return state.rows[key]


def item_name(row: Row) -> str:
    """The id of the transcript for one terminal line; a bad row is named by its line."""
    if row.transcript is None:
        return f"line {row.line}"
    return _CONTROL.sub(lambda match: f"\\x{ord(match[0]):02x}", safe(row.transcript.id))


def relative(state: RunState, path: Path) -> str:
    """A path for display: from the root of the project, with forward slashes."""
    try:
        return path.relative_to(root_of(state.config)).as_posix()
    except ValueError:
        return Path(os.path.relpath(path, root_of(state.config))).as_posix()


def _with_place(row: Row, place: str) -> Row:
    error = row.error
    if error is not None:
        error = type(error)(error.problem, path=place, line=row.line, field=error.field, hint=error.hint)
    return replace(row, path=place, error=error)


class TranscriptFailure(AssertionError):  # noqa: N818 -- an outcome, not an error
    """A transcript did not pass. An AssertionError: Allure calls every other exception *broken*."""


class TranscriptFile(pytest.File):
    """A file of transcripts."""

    def collect(self) -> Iterator[pytest.Item]:
        """One item per row; an unreadable row is an item that fails with one sentence."""
        state, folder = of(self.config), self.path.parent
        if folder not in state.folders:
            state.folders.add(folder)
            links = (item for item in sorted(folder.iterdir()) if not item.exists())
            state.unread += [item for item in links if is_nearly_named(item.name)]
        for row in rows_of_file(state, self.path):
            yield TranscriptItem.from_parent(self, name=item_name(row), row=row)


class TranscriptItem(pytest.Item):
    """One transcript as a test: it passes if its verdict does."""

    def __init__(self, *, row: Row, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._row = row

    @property
    def held_id(self) -> str | None:
        """The id of the transcript, or None if the row could not be read."""
        return None if self._row.transcript is None else self._row.transcript.id

    def _initrequest(self) -> None:
        """Nothing to prepare anew; pytest-retry calls it on every item before a retry."""

    def runtest(self) -> None:
        """Validate the transcript, and fail if the gate does."""
        row, settings = self._row, settings_of_item(self, of(self.config))
        if row.transcript is None:
            error = row.error or InputError("contains no transcript", path=row.path, line=row.line)
            note(self, ItemEntry(place=f"{row.path}:{row.line}", message=str(error)))
            raise error
        outcome = self._examined(row.transcript, settings)
        if outcome.verdict.skipped:
            note(self, ItemEntry.of(outcome))
            pytest.skip(outcome.verdict.reason)
        held = self._accepted(row.transcript)
        against = ""
        if of(self.config).configured.golden and not outcome.verdict.switched_off:
            from pytest_grounding.plugin.golden_checks import check_item

            against = check_item(self, row.transcript, outcome.verdict, settings)
        if held:
            outcome = self._examined(row.transcript, settings, held)
        note(self, ItemEntry.of(outcome, blamed=bool(against)))
        if outcome.is_failed or against:
            raise TranscriptFailure("\n\n".join(filter(None, [self._failure_text(outcome), against])))

    def _examined(
        self, transcript: Transcript, settings: Settings, waivers: Sequence[Waiver] = ()
    ) -> GateOutcome:
        known = of(self.config).configured.known
        return examine(transcript, settings, waivers=waivers, place=self._row.place, known=known)

    def _failure_text(self, outcome: GateOutcome) -> str:
        if not outcome.is_failed or outcome.transcript is None:
            return ""
        known, is_long = of(self.config).configured.known, self.config.option.verbose > 0
        shown, number = (outcome.verdict, 0) if known is None else known.without_known(outcome.verdict)
        text = verdict_text(shown, outcome.transcript) if is_long else short_text(shown, most=10)
        text += f"\n\nand {counted(number, 'finding')} that the baseline holds" if number else ""
        if outcome.wanted is None:
            return text
        wanted = f"its metadata says {EXPECTED_STATUS} = {outcome.wanted}"
        return f"{wanted}, but it is {outcome.verdict.status}:\n{text}"

    def _accepted(self, transcript: Transcript) -> Sequence[Waiver]:
        if not of(self.config).configured.golden:
            return ()
        from pytest_grounding.golden.golden_store import GoldenStore, accepted_golden

        return accepted_golden(GoldenStore.beside(self.path.parent), transcript.id, transcript.id)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The verdict or the problem in words, without a traceback; our own crashes are shown in full."""
        if isinstance(excinfo.value, (TranscriptFailure, GroundingError)):
            writer = self.config.get_terminal_writer()
            text, state = safe(str(excinfo.value)), of(self.config)
            text = "\n".join(wrapped(text, writer.fullwidth if writer.hasmarkup else 0))
            state.failures += 1
            if state.failures > _MOST_TOLD and self.config.option.verbose < 1:
                # Pytest keeps and prints every failure text: nobody reads thousands of them.
                return f"{text.partition(chr(10))[0]} (the first {_MOST_TOLD} are shown in full; all with -v)"
            return text
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        """File, 0-based line and title of the transcript."""
        return self.path, self._row.line - 1, self.name


def parametrize(metafunc: pytest.Metafunc, marks: Sequence[pytest.Mark]) -> None:
    """Parametrize the test with one transcript per call; an unreadable one is a call that fails."""
    patterns = [pattern for mark in marks for pattern in mark.args if isinstance(pattern, str)]
    if not patterns:
        return  # refused with a sentence once all marks have been checked
    state, path = of(metafunc.config), metafunc.definition.path
    state.marked = True
    state.promised.add(f"transcripts({', '.join(map(repr, patterns))})")
    calls = list(_calls(state, path.parent, patterns))
    if not calls:
        text = _no_match(state, path.parent, patterns[0])
        is_wanted = state.configured.settings.missing == "fail"
        skipped = pytest.param(None, marks=pytest.mark.skip(reason=text))
        calls = [((relative(state, path), text) if is_wanted else skipped, "no transcripts")]
    values, ids = zip(*calls, strict=True)
    metafunc.parametrize("transcript", values, ids=ids, indirect=True)


def _calls(state: RunState, folder: Path, patterns: Sequence[str]) -> Iterator[tuple[Any, str]]:
    files: dict[Path, None] = {}
    for pattern in patterns:
        found = expand(pattern, (root_of(state.config), folder))
        files.update(dict.fromkeys(found))
        if not found and len(patterns) > 1 and state.configured.settings.missing == "fail":
            yield (pattern, _no_match(state, folder, pattern)), pattern
    for file in files:
        for row in rows_of_file(state, file):
            yield row.transcript or (f"{row.path}:{row.line}", str(row.error)), item_name(row)


def expand(pattern: str, folders: Sequence[Path]) -> list[Path]:
    """The files matched by a pattern in the first folder with a match, sorted by name."""
    for folder in folders:
        start = folder / pattern
        if start.is_file():
            return [start]
        if start.is_dir():
            try:
                return list(map(Path, find_files(start)))
            except InputError:
                continue
        # Path.glob accepts no pattern that is absolute or climbs with "..".
        names = sorted(glob.glob(pattern, root_dir=folder, recursive=True))  # noqa: PTH207
        found = [folder / name for name in names if (folder / name).is_file()]
        found = [path for path in found if "__golden__" not in path.parts]
        if found:
            return sorted(found, key=lambda path: path.as_posix())
    return []


def _no_match(state: RunState, folder: Path, pattern: str) -> str:
    places = f"neither from the root of the project nor from {relative(state, folder)}/"
    return f"transcripts({pattern!r}) matches no file, {places}; check the pattern"

"""Files of transcripts as tests: no code, one test a transcript."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pytest_grounding._filenames import is_nearly_named
from pytest_grounding._wording import counted
from pytest_grounding.baseline.ratchet import KnownFindings
from pytest_grounding.engine.examining import examine
from pytest_grounding.errors import GroundingError, InputError
from pytest_grounding.gate.outcome import Outcome
from pytest_grounding.model.transcript import EXPECTED_STATUS, Transcript
from pytest_grounding.model.verdict import Verdict
from pytest_grounding.plugin.carried import Entry
from pytest_grounding.plugin.items import note, settings_of
from pytest_grounding.plugin.rows import item_name, rows_of
from pytest_grounding.plugin.state import of
from pytest_grounding.reports.terminal import safe, short_text, verdict_text, wrapped
from pytest_grounding.settings import Settings

if TYPE_CHECKING:
    from pytest_grounding.importers.loading import Row
    from pytest_grounding.waivers import Waiver

#: Failures that are told whole, unless -v asks for all.
_MOST_TOLD = 100


class TranscriptFailure(Exception):  # noqa: N818 -- an outcome, not an error
    """A transcript did not pass; the message is its whole verdict in words."""


class TranscriptFile(pytest.File):
    """A file of transcripts."""

    def collect(self) -> Iterator[pytest.Item]:
        """One item a row; a row that cannot be read is an item that fails with one sentence."""
        state, folder = of(self.config), self.path.parent
        if folder not in state.folders:
            state.folders.add(folder)
            links = (item for item in sorted(folder.iterdir()) if not item.exists())
            state.unread += [item for item in links if is_nearly_named(item.name)]
        for row in rows_of(state, self.path):
            yield TranscriptItem.from_parent(self, name=item_name(row), row=row)


def _new_in_words(
    known: KnownFindings | None, verdict: Verdict, transcript: Transcript, *, is_long: bool
) -> str:
    """The verdict in words; where the baseline holds some of its findings, with the new ones alone."""
    shown, number = (verdict, 0) if known is None else known.without_known(verdict)
    more = f"\n\nand {counted(number, 'finding')} that the baseline holds" if number else ""
    return f"{verdict_text(shown, transcript) if is_long else short_text(shown, most=10)}{more}"


class TranscriptItem(pytest.Item):
    """One transcript as a test: it passes when its verdict does."""

    def __init__(self, *, row: Row, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._row = row

    @property
    def held_id(self) -> str | None:
        """The id of the transcript, or None where the row could not be read."""
        return None if self._row.transcript is None else self._row.transcript.id

    def runtest(self) -> None:
        """Validate the transcript, and fail where the gate does."""
        row, settings = self._row, settings_of(self, of(self.config))
        if row.transcript is None:
            error = row.error or InputError("holds no transcript", path=row.path, line=row.line)
            note(self, Entry(place=f"{row.path}:{row.line}", message=str(error)))
            raise error
        outcome = self._examined(row.transcript, settings)
        if outcome.verdict.skipped:
            note(self, Entry.of(outcome))
            pytest.skip(outcome.verdict.reason)
        held = self._accepted(row.transcript)
        against = self._golden_failure(row.transcript, outcome.verdict, settings)
        if held:
            outcome = self._examined(row.transcript, settings, held)
        note(self, Entry.of(outcome, blamed=bool(against)))
        if outcome.is_failed or against:
            raise TranscriptFailure("\n\n".join(filter(None, [self._told(outcome), against])))

    def _examined(
        self, transcript: Transcript, settings: Settings, waivers: Sequence[Waiver] = ()
    ) -> Outcome:
        known = of(self.config).configured.known
        return examine(transcript, settings, waivers=waivers, place=self._row.place, known=known)

    def _told(self, outcome: Outcome) -> str:
        """Why the transcript fails on its own, or ""."""
        if not outcome.is_failed or outcome.transcript is None:
            return ""
        known, is_long = of(self.config).configured.known, self.config.option.verbose > 0
        text = _new_in_words(known, outcome.verdict, outcome.transcript, is_long=is_long)
        if outcome.wanted is None:
            return text
        wanted = f"its metadata says {EXPECTED_STATUS} = {outcome.wanted}"
        return f"{wanted}, but it is {outcome.verdict.status}:\n{text}"

    def _accepted(self, transcript: Transcript) -> Sequence[Waiver]:
        """Waivers of what the golden holds, where goldens are asked for: a person accepted it."""
        if not of(self.config).configured.golden:
            return ()
        from pytest_grounding.golden.decisions import accepted
        from pytest_grounding.golden.store import Store

        return accepted(Store.beside(self.path.parent), transcript.id, transcript.id)

    def _golden_failure(self, transcript: Transcript, verdict: Verdict, settings: Settings) -> str:
        """Why the recording fails against its golden, or ""; nothing is compared unless asked for."""
        if not of(self.config).configured.golden or verdict.switched_off:
            return ""
        from pytest_grounding.plugin.goldens import check_item

        return check_item(self, transcript, verdict, settings)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The verdict or what is wrong in words, without a traceback; a crash of ours is shown whole."""
        if isinstance(excinfo.value, (TranscriptFailure, GroundingError)):
            writer = self.config.get_terminal_writer()
            text, state = safe(str(excinfo.value)), of(self.config)
            text = wrapped(text, writer.fullwidth if writer.hasmarkup else 0)
            state.failures += 1
            if state.failures > _MOST_TOLD and self.config.option.verbose < 1:
                # Pytest holds and prints what each failure says: that of thousands nobody reads.
                return f"{text.partition(chr(10))[0]} (the first {_MOST_TOLD} are told whole; all with -v)"
            return text
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        """File, 0-based line and title of the transcript."""
        return self.path, self._row.line - 1, self.name

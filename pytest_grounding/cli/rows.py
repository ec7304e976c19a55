"""The rows of a check on their way into its report: validated, said, and put away one by one."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from pytest_grounding._wording import decimals

if TYPE_CHECKING:
    from pytest_grounding.audit.log import Trail
    from pytest_grounding.baseline.ratchet import KnownFindings
    from pytest_grounding.baseline.tally import IdleWaivers
    from pytest_grounding.cli.configuration import Effective
    from pytest_grounding.gate.outcome import Outcome
    from pytest_grounding.importers.loading import Row
    from pytest_grounding.model.run import RunFacts
    from pytest_grounding.model.transcript import Transcript
    from pytest_grounding.model.verdict import Verdict
    from pytest_grounding.scale.partition import Checked
    from pytest_grounding.settings import Settings


def validated(
    paths: list[str], sources: Sequence[str], effective: Effective, trail: Trail | None
) -> Iterator[Checked]:
    """Validate the rows of all paths, or those whose transcripts come from some sources, one by one."""
    found = _rows(paths, sources, _usable(effective.settings))
    return _checked_rows(_ahead(found, effective), effective, trail)


class Taken(NamedTuple):
    """The verdicts that count, the transcripts behind them by the hash of their content, and other facts."""

    verdicts: list[Verdict]
    transcripts: dict[str, Transcript]
    facts: RunFacts


def taken(
    found: Iterable[Checked],
    effective: Effective,
    held: KnownFindings | None,
    waivers: IdleWaivers | None,
    *,
    keep: bool,
    say: bool,
) -> Taken:
    """Take row by row; what could not be read, failed, or was expected to fail."""
    from pytest_grounding.baseline.tally import Counting
    from pytest_grounding.gate.outcome import outcome_of

    noted = Counting()
    verdicts: list[Verdict] = []
    transcripts: dict[str, Transcript] = {}
    for row, verdict, wanted in found:
        if verdict is None:
            noted.unreadable(_place(row), _unread(row))
            continue
        outcome = outcome_of(verdict, effective.for_path(row.path), wanted=wanted, known=held)
        if waivers is not None:
            waivers.add(verdict)
        if noted.add(outcome):
            verdicts.append(verdict)
            if keep and row.transcript is not None:
                transcripts[verdict.transcript_hash] = row.transcript
        if say:
            _print_verdict(outcome, row.transcript, held)
    return Taken(verdicts, transcripts, noted.facts())


def _checked_rows(rows: Iterable[Row], effective: Effective, trail: Trail | None) -> Iterator[Checked]:
    """Validate row by row."""
    from pytest_grounding.engine.examining import examine
    from pytest_grounding.scale.partition import Checked

    for row in rows:
        if row.transcript is None:
            yield Checked(row, None, None)
            continue
        settings = effective.for_path(row.path)
        found = examine(row.transcript, settings, place=row.place)
        if trail is not None and settings.audit and settings.enabled:
            trail.write(found.verdict, row.transcript, settings, found.elapsed_ms)
        yield Checked(row, found.verdict, found.wanted)


def _rows(paths: list[str], sources: Sequence[str], settings: Settings) -> Iterator[Row]:
    """The rows of all paths, or those whose transcripts come from some sources."""
    from pytest_grounding.cli import transcripts

    found = transcripts.rows(paths, settings)
    return transcripts.of_sources(found, sources, settings) if sources else found


def _ahead(rows: Iterator[Row], effective: Effective) -> Iterator[Row]:
    """The rows, with judges asked for many of them at once where that is of use."""
    if effective.settings.record == "none":
        return rows
    from pytest_grounding.engine.ahead import asked_ahead

    def of_row(row: Row) -> tuple[Transcript, Settings] | None:
        return None if row.transcript is None else (row.transcript, effective.for_path(row.path))

    return asked_ahead(rows, of_row)


def _usable(settings: Settings) -> Settings:
    """The settings, where a transcript can be validated with them at all."""
    from pytest_grounding.engine.readiness import refuse_unusable

    refuse_unusable(settings)
    return settings


def _unread(row: Row) -> str:
    """Say on standard error that a row could not be read, and why; returns that."""
    from pytest_grounding.reports.terminal import safe

    print(safe(str(row.error)), file=sys.stderr, flush=True)
    return str(row.error)


def _place(row: Row) -> str:
    """Where a bad row stands; a path that names nothing, and a file that is no text, have no line."""
    has_line = row.error is None or row.error.line is not None
    return f"{row.path}:{row.line}" if has_line else row.path


def _print_verdict(outcome: Outcome, transcript: Transcript | None, held: KnownFindings | None) -> None:
    """One line for what is as it should be, the whole verdict in words for what is not."""
    from pytest_grounding.reports.terminal import safe, verdict_text

    verdict, wanted = outcome.verdict, outcome.wanted
    if outcome.is_failed:
        if wanted is not None:
            print(f"expected {wanted}, but:")
        new_alone = verdict if held is None else held.without_known(verdict)[0]
        print(f"{verdict_text(new_alone, transcript)}\n")
        return
    note = " (known)" if outcome.failure else " (as expected)" if wanted in ("review", "reject") else ""
    if verdict.skipped:
        print(f"skipped: {safe(verdict.id)} ({safe(verdict.reason)})")
        return
    print(f"{verdict.status}{note}: {safe(verdict.id)} (confidence {decimals(verdict.confidence)})")

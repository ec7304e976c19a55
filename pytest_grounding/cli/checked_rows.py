"""The rows of a check on their way into its report: validated, said, and put away one by one."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from pytest_grounding._io.wording import decimals
from pytest_grounding.audit.log import Trail
from pytest_grounding.cli import transcripts
from pytest_grounding.cli.configuration import Effective
from pytest_grounding.cli.standard_streams import width
from pytest_grounding.engine.examine import examine, refuse_unusable
from pytest_grounding.engine.prefetch_judgements import asked_ahead
from pytest_grounding.gate.outcome import Outcome, outcome_of
from pytest_grounding.importers.load_files import Row
from pytest_grounding.model.run_report import RunFacts
from pytest_grounding.model.transcript import Transcript
from pytest_grounding.model.verdict import Verdict
from pytest_grounding.reports.terminal import fit, safe, short_text, verdict_text
from pytest_grounding.suite.known_findings import KnownFindings
from pytest_grounding.suite.tally import Counting, IdleWaivers

if TYPE_CHECKING:
    from pytest_grounding.scale.partition import Checked

#: Failures that are printed in full; of the others a line each.
_IN_FULL = 20


def validated(
    paths: list[str], sources: Sequence[str], effective: Effective, trail: Trail | None
) -> Iterator[Checked]:
    """Validate the rows of all paths, or those whose transcripts come from some sources, one by one."""
    settings = effective.settings
    refuse_unusable(settings)
    found = transcripts.rows(paths, settings)
    found = transcripts.of_sources(found, sources, settings) if sources else found
    if settings.record != "none":
        found = asked_ahead(
            found, lambda row: (row.transcript, effective.for_path(row.path)) if row.transcript else None
        )
    return checked(found, effective, trail)


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
    say: Told | None,
) -> Taken:
    """Take row by row; what could not be read, failed, or was expected to fail."""
    noted = Counting()
    verdicts: list[Verdict] = []
    shown: dict[str, Transcript] = {}
    for row, verdict, wanted, elapsed_ms in found:
        if verdict is None:
            print(safe(str(row.error)), file=sys.stderr, flush=True)
            # A path that names nothing, and a file that is no text, have no line.
            has_line = row.error is None or row.error.line is not None
            noted.unreadable(f"{row.path}:{row.line}" if has_line else row.path, str(row.error))
            continue
        outcome = outcome_of(verdict, effective.for_path(row.path), wanted=wanted, known=held)
        if waivers is not None:
            waivers.add(verdict)
        failed, expected = outcome.is_failed, outcome.is_expected
        if noted.take(outcome.verdict.id, failed=failed, expected=expected, elapsed_ms=elapsed_ms):
            verdicts.append(verdict)
            if keep and row.transcript is not None:
                shown[verdict.transcript_hash] = row.transcript
        if say is not None:
            say.take(outcome, row.transcript, held)
    if say is not None:
        say.print_failures()
    return Taken(verdicts, shown, noted.facts(effective.settings))


def checked(rows: Iterable[Row], effective: Effective, trail: Trail | None) -> Iterator[Checked]:
    """Validate rows one by one; one that cannot be read has no verdict."""
    from pytest_grounding.scale.partition import Checked

    for row in rows:
        if row.transcript is None:
            yield Checked(row, None, None)
            continue
        settings = effective.for_path(row.path)
        found = examine(row.transcript, settings, place=row.place)
        if trail is not None and settings.audit and settings.enabled:
            trail.write(found.verdict, row.transcript, settings, found.elapsed_ms)
        yield Checked(row, found.verdict, found.wanted, found.elapsed_ms)


class Told:
    """What is printed of the rows: those that fail, the worst first; ``is_long`` adds what passes."""

    def __init__(self, *, is_long: bool) -> None:
        self._is_long = is_long
        self._failures: list[tuple[tuple[int, float, int], str]] = []

    def take(self, outcome: Outcome, transcript: Transcript | None, held: KnownFindings | None) -> None:
        """Print a row that is as it should be, where that is asked for, and keep one that is not."""
        verdict, wanted = outcome.verdict, outcome.wanted
        if outcome.is_failed:
            new_alone = verdict if held is None else held.without_known(verdict)[0]
            lead = f"expected {wanted}, but: " if wanted is not None else ""
            if self._is_long:
                text = f"{lead}{verdict_text(new_alone, transcript)}"
            else:
                text = short_text(new_alone, f"{lead}{verdict.shown_status.upper()} {safe(verdict.id)}: ")
            known = -1.0 if verdict.confidence is None else verdict.confidence
            self._failures.append(((verdict.status != "reject", known, len(self._failures)), text))
        elif verdict.skipped:
            print(f"skipped: {safe(verdict.id)} ({safe(verdict.reason)})")
        elif self._is_long or outcome.failure or wanted in ("review", "reject"):
            note = " (known)" if outcome.failure else " (as expected)" if wanted else ""
            print(f"{verdict.status}{note}: {safe(verdict.id)} (confidence {decimals(verdict.confidence)})")

    def print_failures(self) -> None:
        """Print what failed, the worst first; of many the first ones in full."""
        for number, (_, text) in enumerate(sorted(self._failures)):
            is_full = self._is_long or number < _IN_FULL
            print(*fit(f"{text}\n" if is_full else text.partition("\n")[0], width()), sep="\n")

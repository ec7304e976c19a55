"""A baseline that may only shrink: written anew, or freed of the findings that are gone."""

from __future__ import annotations

from dataclasses import dataclass

from pytest_grounding._io.wording import counted
from pytest_grounding.errors import InputError
from pytest_grounding.model.baseline_values import Baseline, Entry
from pytest_grounding.model.comparison import HeldFinding
from pytest_grounding.model.run_report import RunReport
from pytest_grounding.model.verdict import Verdict
from pytest_grounding.settings import Settings
from pytest_grounding.suite.baseline_file import baseline_of, gathered
from pytest_grounding.suite.known_findings import KnownFindings, ratchet_of, worded


@dataclass(frozen=True, slots=True)
class Renewal:
    """What a baseline becomes."""

    baseline: Baseline
    refused: tuple[HeldFinding, ...] = ()
    gone: tuple[HeldFinding, ...] = ()
    vanished: tuple[str, ...] = ()

    def refusal(self, option: str) -> str:
        """What was not taken and what takes it, or ""."""
        if not self.refused:
            return ""
        number = counted(len(self.refused), "new finding")
        verb = "was" if len(self.refused) == 1 else "were"
        return (
            f"{number} {verb} not taken into the baseline, which may only shrink: {worded(self.refused)}; "
            f"{option} takes what is new"
        )


def renew(old: Baseline | None, report: RunReport, settings: Settings, *, allow_new: bool = False) -> Renewal:
    """The baseline that a whole run leaves in place of another one."""
    new = baseline_of(report, settings)
    if old is None or settings.baseline_gate == "all":
        return Renewal(new)
    held = KnownFindings(old)
    found = ratchet_of(held, report.transcripts)
    before = {entry.id: entry for entry in old.transcripts}
    vanished = tuple(sorted(before.keys() - {entry.id for entry in new.transcripts}))
    if allow_new or not found.new:
        return Renewal(new, gone=found.gone, vanished=vanished)
    refused = {item.transcript for item in found.new}
    verdicts = {verdict.id: verdict for verdict in report.transcripts}
    lines = []
    for entry in new.transcripts:
        if entry.id not in refused:
            lines.append(entry)
        elif entry.id in before:
            lines.append(_shrunk(before[entry.id], verdicts[entry.id], held))
    return Renewal(new.model_copy(update={"transcripts": tuple(lines)}), found.new, found.gone, vanished)


def prune(baseline: Baseline, report: RunReport, settings: Settings, refresh: str = "") -> Renewal:
    """The baseline without the findings that are gone; every other line of it stays as it is."""
    from pytest_grounding.suite.compare import drift

    held = KnownFindings(baseline)
    if report.run.problems:
        place = report.run.problems[0].place
        raise InputError(f"nothing was pruned: {place} could not be read", hint="fix it, and prune again")
    changed = next(iter(drift(baseline, settings)), "")
    if changed:
        hint = f"write it anew with: {refresh}" if refresh else "write the baseline anew"
        raise InputError(f"nothing was pruned: {changed}", hint=hint)
    before = {entry.id: entry for entry in baseline.transcripts}
    verdicts = [
        verdict
        for verdict in report.transcripts
        if verdict.id in before
        and verdict.settings_hash == (before[verdict.id].settings_hash or baseline.settings_hash)
    ]
    found = ratchet_of(held, verdicts)
    freed = {item.transcript for item in found.gone}
    worst = {verdict.id: verdict for verdict in verdicts}
    lines = tuple(
        _shrunk(entry, worst[entry.id], held) if entry.id in freed else entry
        for entry in baseline.transcripts
    )
    return Renewal(baseline.model_copy(update={"transcripts": lines}), found.new, found.gone)


def _shrunk(entry: Entry, verdict: Verdict, held: KnownFindings) -> Entry:
    kept = gathered([line for _, line in held.sort(verdict).known])
    return entry.model_copy(update={"known": kept})

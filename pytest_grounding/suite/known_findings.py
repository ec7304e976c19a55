"""Only findings that are not in the baseline fail a run: known, new and fixed findings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from pytest_grounding._io.wording import counted, listed, measured, one_line, with_verb
from pytest_grounding.errors import InputError
from pytest_grounding.model.baseline_values import Baseline, BaselineEntry, Known
from pytest_grounding.model.comparison import HeldFinding, Ratchet
from pytest_grounding.model.finding import HALLUCINATED, Finding
from pytest_grounding.model.run_report import RunReport
from pytest_grounding.model.verdict import CitationVerdict, Verdict
from pytest_grounding.settings import Settings
from pytest_grounding.suite.baseline_file import LOW_CONFIDENCE, baseline_of, failing_lines, gathered

_EQUAL = 1e-6
_LONGEST = 200


@dataclass(frozen=True, slots=True)
class Sorted:
    """The findings that keep one transcript from passing, compared with those in the baseline."""

    known: tuple[tuple[Finding | None, Known], ...]
    new: tuple[tuple[Finding | None, Known], ...]
    gone: tuple[Known, ...]

    @property
    def known_ids(self) -> set[int]:
        """The known findings by identity: of two equal ones, one may be known and the other new."""
        new = {id(finding) for finding, _ in self.new}
        return {id(finding) for finding, _ in self.known if finding is not None} - new


class KnownFindings:
    """The findings in a baseline, with which verdicts are compared."""

    def __init__(self, baseline: Baseline) -> None:
        self._entries = {entry.id: entry for entry in baseline.transcripts}
        # Callers that ask whether a verdict is excused ask for its new findings next.
        self._last: tuple[Verdict, Sorted] | None = None

    def sort(self, verdict: Verdict) -> Sorted:
        """The known and new findings of a verdict, and the baseline's findings that are gone."""
        if self._last is None or self._last[0] is not verdict:
            self._last = (verdict, self._sorted(verdict))
        return self._last[1]

    def _sorted(self, verdict: Verdict) -> Sorted:
        entry = self._entries.get(verdict.id)
        held = (entry.known or ()) if entry is not None else ()
        left = Counter[tuple[str, str, str]]()
        for line in held:
            left[line.severity, line.rule, line.hash] += line.number
        known: list[tuple[Finding | None, Known]] = []
        new: list[tuple[Finding | None, Known]] = []
        # Errors first: a warning may have been an error before, but an error was never a warning.
        for pair in sorted(failing_lines(verdict), key=lambda item: item[1].severity):
            (known if _take(left, pair[1]) or _still_low(pair[1], verdict, entry) else new).append(pair)
        # A confidence that is still low did not go and come back.
        still = any(finding is None for finding, _ in known)
        gone = [
            line.model_copy(update={"number": number})
            for line in held
            if (number := left[line.severity, line.rule, line.hash])
            and not (still and line.rule == LOW_CONFIDENCE)
        ]
        return Sorted(tuple(known), tuple(new), tuple(gone))

    def excuses(self, verdict: Verdict) -> bool:
        """Whether the baseline contains everything that keeps the transcript from passing."""
        found = self.sort(verdict)
        return bool(found.known) and not found.new

    def without_known(self, verdict: Verdict) -> tuple[Verdict, int]:
        """The verdict without its known findings, and their number."""
        found = self.sort(verdict)
        kept = tuple(item for item in verdict.findings if id(item) not in found.known_ids)
        return verdict.model_copy(update={"findings": kept}), len(found.known_ids)


def held_in_words(baseline: Baseline) -> str:
    """How many transcripts a baseline contains, and how many findings if it has any."""
    known = sum(line.number for entry in baseline.transcripts for line in entry.known or ())
    told = [counted(len(baseline.transcripts), "transcript")]
    if known:
        told.append(counted(known, "known finding"))
    return ", ".join(told)


def _take(left: Counter[tuple[str, str, str]], line: Known) -> bool:
    for severity in ("error",) if line.severity == "error" else ("warning", "error"):
        if left[severity, line.rule, line.hash]:
            left[severity, line.rule, line.hash] -= 1
            return True
    return False


def _still_low(line: Known, verdict: Verdict, entry: BaselineEntry | None) -> bool:
    """Whether a known transcript now fails by its confidence alone, which is no lower than before."""
    if line.rule != LOW_CONFIDENCE or entry is None or not entry.known or entry.confidence is None:
        return False
    return verdict.confidence is not None and verdict.confidence >= entry.confidence - _EQUAL


def ratchet_of(held: KnownFindings, verdicts: Iterable[Verdict]) -> Ratchet:
    """Known, new and gone findings of a run; only its own transcripts can have gone ones."""
    known = 0
    new: list[HeldFinding] = []
    gone: dict[str, Counter[Known]] = {}
    for verdict in verdicts:
        found = held.sort(verdict)
        known += len(found.known)
        new += [_held_finding(verdict.id, line, finding) for finding, line in found.new]
        lines = Counter({line.model_copy(update={"number": 1}): line.number for line in found.gone})
        # If several contents share an id, only what none of them has is gone.
        gone[verdict.id] = lines if verdict.id not in gone else gone[verdict.id] & lines
    went = [_held_finding(key, line) for key in sorted(gone) for line in gathered(list(gone[key].elements()))]
    text = f"{known} known, {len(new)} new, {sum(map(Counter.total, gone.values()))} gone"
    return Ratchet(line=text, known=known, new=tuple(new), gone=tuple(went))


def _held_finding(identifier: str, line: Known, finding: Finding | None = None) -> HeldFinding:
    message = finding.message if finding is not None and finding.rule == line.rule else ""
    return HeldFinding(transcript=identifier, message=message, **line.model_dump(exclude={"number"}))


def worded(found: Iterable[HeldFinding]) -> str:
    """The first findings in words, and the number of the others."""
    return listed([one_line(item.said, _LONGEST) for item in found])


def judge_ratchet(found: Ratchet, refresh: str) -> tuple[list[str], list[str]]:
    """Why a run with this comparison fails, and its notes; ``refresh`` writes the baseline anew."""
    reasons: list[str] = []
    notes: list[str] = []
    if found.new:
        number = with_verb(len(found.new), "finding", "is", "are")
        reasons.append(f"{number} not in the baseline: {worded(found.new)}")
    if found.gone and refresh:
        number = counted(len(found.gone), "finding")
        why = "write the baseline anew, or a return goes unnoticed"
        notes.append(f"{number} fixed or waived; {why}: {refresh}")
    return reasons, notes


def left_out_findings(held: KnownFindings, verdicts: Iterable[Verdict], confident: float) -> dict[str, int]:
    """For each figure of the suite, the number of bad items that are in the baseline."""
    number: Counter[str] = Counter()
    for verdict in verdicts:
        found = held.sort(verdict)
        if found.known:
            number.update(_known_parts(verdict, found, confident))
    return dict(number)


def _known_parts(verdict: Verdict, found: Sorted, confident: float) -> Iterator[str]:
    known = found.known_ids
    held_back = [item for item, _ in (*found.known, *found.new) if item is not None]
    for claim in verdict.claims:
        about = [item for item in held_back if item.claim == claim.index]
        if claim.waived is None and about and all(id(item) in known for item in about):
            if claim.status in HALLUCINATED:
                yield "hallucination_rate"
            elif claim.status == "abstained":
                yield "abstained"
    invalid = [item for item in verdict.citations if not item.valid]
    errors = [item for item in held_back if item.severity == "error"]
    held = [_is_held(item, errors, known) for item in invalid]
    for item, is_held in zip(invalid, held, strict=True):
        if is_held and item.counts:
            yield "citation_accuracy"
    if held and all(held):
        yield "ungrounded_answers"
    if not found.new:
        confidence = measured(verdict.confidence)
        if confidence is None or confidence < confident:
            yield "confident_share"
        if confidence is None:
            yield "with_confidence"


def _is_held(citation: CitationVerdict, errors: Sequence[Finding], known: set[int]) -> bool:
    """Whether every error on an invalid citation is known; without any, every error on its claim."""
    own = [item for item in errors if item.citation == citation.index]
    about = own or [item for item in errors if item.claim is not None and item.claim == citation.claim]
    return bool(about) and all(id(item) in known for item in about)


@dataclass(frozen=True, slots=True)
class Renewal:
    """A baseline after an update."""

    baseline: Baseline
    refused: tuple[HeldFinding, ...] = ()
    gone: tuple[HeldFinding, ...] = ()
    vanished: tuple[str, ...] = ()

    def refusal(self, option: str) -> str:
        """What was refused and the option that allows it, or ""."""
        if not self.refused:
            return ""
        number = with_verb(len(self.refused), "new finding", "was", "were")
        said = f"{number} not taken into the baseline, which may only shrink: {worded(self.refused)}"
        return f"{said}; {option} takes what is new"


def renew(old: Baseline | None, report: RunReport, settings: Settings, *, allow_new: bool = False) -> Renewal:
    """The baseline that replaces another one after a whole run."""
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


def prune_baseline(baseline: Baseline, report: RunReport, settings: Settings, refresh: str = "") -> Renewal:
    """The baseline without the findings that are gone; all other lines are unchanged."""
    from pytest_grounding.suite.compare import drift

    held = KnownFindings(baseline)
    if report.run.problems:
        place = report.run.problems[0].place
        raise InputError(f"nothing was pruned: {place} could not be read", hint="fix it, and prune again")
    if changed := next(iter(drift(baseline, settings)), ""):
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
    # The sentence of a finding that is gone goes with it.
    now = {key: BaselineEntry.of(worst[key]).sentences for key in freed}
    lines = tuple(
        _shrunk(entry, worst[entry.id], held, sentences=now[entry.id]) if entry.id in freed else entry
        for entry in baseline.transcripts
    )
    return Renewal(baseline.model_copy(update={"transcripts": lines}), found.new, found.gone)


def _shrunk(entry: BaselineEntry, verdict: Verdict, held: KnownFindings, **changes: object) -> BaselineEntry:
    known = gathered([line for _, line in held.sort(verdict).known])
    return entry.model_copy(update={"known": known, **changes})

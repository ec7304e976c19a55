"""Figures and short texts of verdicts and runs, the same in every format."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence, Sized
from dataclasses import dataclass
from heapq import nsmallest
from operator import itemgetter

from pytest_grounding._io.wording import beyond, counted, if_known, listed, measured, one_line
from pytest_grounding._io.wording import signed as of_gain
from pytest_grounding.gate.waivers import LOW_CONFIDENCE
from pytest_grounding.model.comparison import Change, Comparison, FigureChange, HeldFinding, TranscriptChange
from pytest_grounding.model.finding import Evidence, Finding, Severity, Waived, said_by
from pytest_grounding.model.kept_values import VerdictHead
from pytest_grounding.model.run_report import Gate, RunReport, Summary, Threshold
from pytest_grounding.model.verdict import STATUS_RANK, CitationVerdict, ClaimVerdict, Verdict
from pytest_grounding.reports.issues import GATE, claim_of, words
from pytest_grounding.rules import ORDER
from pytest_grounding.suite.baseline_file import failing_lines as findings_that_fail
from pytest_grounding.suite.tally import status_words

OUTCOMES = {"pass": "ok", "fail": "failed", "nothing": "nothing to measure", "off": "switched off"}
Found = tuple[Verdict, Finding]
#: What helps an answer that only its confidence holds.
ADVICE = "say this in the words of the source, retrieve a chunk that says it, or waive it"
#: Label of the suite's figure.
OVERRULED = "judge overruled the engine"
_LISTED = 10
_LONGEST = 160
_LONGEST_ROW = 1000
_TONES = {
    **{"pass": "good", "fail": "bad", "inconclusive": "warn", "undecided": "warn"},
    **{"worse": "bad", "lost": "bad", "better": "good"},
}
_WORDS = {
    "same": "ok",
    "better": "better",
    "worse": "WORSE",
    "inconclusive": "inconclusive",
    "lost": "nothing to measure any more",
    "nothing": "nothing to compare",
}


def outcome_words(item: Threshold, report: RunReport) -> str:
    """The outcome of a figure in words, with what it leaves out."""
    remarks = [if_known("{} known left out", item.known or None)]
    if item.name == "citation_accuracy":
        cited = (one for verdict in report.transcripts for one in verdict.citations if one.valid)
        doubted = sum(map(_is_doubted, cited))
        remarks.append(if_known("{} counted as valid with a warning", doubted or None))
    word = OUTCOMES.get(item.outcome, item.outcome)
    return word + if_known(" ({})", "; ".join(filter(None, remarks)))


def _is_doubted(citation: CitationVerdict) -> bool:
    return any(item.severity == "warning" and item.waived is None for item in citation.findings)


def number(value: float | None, sign: str = "") -> str:
    """The value with three decimals, and with its sign for ``+``; a dash for None."""
    return "-" if value is None else f"{value:{sign}.3f}"


def limit_in_words(item: Threshold) -> str:
    """The limit with its comparison."""
    return f"{item.comparison} {item.limit:g}"


def missed(gate: Gate) -> list[str]:
    """The figures that miss their limit, in words."""
    failed = (item for item in gate.thresholds if item.outcome == "fail")
    return [f"{item.label} = {number(item.value)} (must be {limit_in_words(item)})" for item in failed]


def interval_of(item: Threshold) -> str:
    """The 95 % interval, or a dash."""
    return "-" if item.low is None or item.high is None else f"{item.low:.3f} to {item.high:.3f}"


def decision_of(report: RunReport) -> str:
    """The decision on the run in one word."""
    return "undecided" if report.gate is None else report.gate.status


def tally(report: RunReport) -> str:
    """How many transcripts have each status."""
    summary = report.summary
    if summary is None:
        return f"{len(report.transcripts)} transcripts"
    return f"{counted(summary.transcripts, 'transcript')}: {verdicts_of(summary)}{failing_words(report)}"


def verdicts_of(summary: Summary) -> str:
    """How many verdicts have each status."""
    skipped = if_known(", {} skipped", summary.skipped or None)
    return f"{summary.passed} passed, {summary.review} to review, {summary.rejected} rejected{skipped}"


def failing_words(report: RunReport) -> str:
    """How many transcripts fail the build, if that is not the number of rejected ones."""
    statuses = report.failed_statuses
    rejected = report.summary.rejected if report.summary is not None else 0
    if statuses == ({"reject": rejected} if rejected else {}):
        return ""
    return f"; {sum(statuses.values())} failed ({status_words(statuses)})" if statuses else "; none failed"


def least_sure(verdict: Verdict) -> ClaimVerdict | None:
    """The claim with the lowest support; None where a ceiling or nothing that was scored decides."""
    scored = [claim for claim in verdict.claims if claim.support is not None]
    is_capped = verdict.confidence_breakdown.ceiling is not None
    return None if is_capped else min(scored, key=lambda claim: claim.support or 0.0, default=None)


def is_given(reason: str, gate: Gate) -> bool:
    """Whether another part of the report (a count, a limit, the baseline section) already gives a reason."""
    told = [f"{item.label}: " for item in gate.thresholds] + ["baseline: ", "baseline inconclusive: "]
    return reason.startswith(tuple(told)) or re.match(r"\d+ transcripts? failed: ", reason) is not None


def worst_first(report: RunReport) -> Iterator[Verdict]:
    """The verdicts, one by one: failed ones first, then by status, confidence and id."""
    failed = frozenset(report.run.failed)

    def place(item: VerdictHead) -> tuple[bool, int, float, str]:
        known = measured(item.confidence)
        return item.id not in failed, STATUS_RANK[item.status], -1.0 if known is None else known, item.id

    places = list(map(place, report.heads))
    return (report.transcripts[number] for number in sorted(range(len(places)), key=places.__getitem__))


def gravest(report: RunReport, most: int, told: Collection[str] = ()) -> tuple[list[Found], int]:
    """The most severe findings in order, without those of verdicts already told; and the number of all."""
    total = 0

    def ranked() -> Iterator[tuple[tuple[int, int, int], Found]]:
        nonlocal total
        for place, verdict in enumerate(worst_first(report)):
            turns: Counter[str] = Counter()
            for finding in verdict.findings if verdict.id not in told else ():
                if finding.severity != "info":
                    yield (ORDER[finding.severity], turns[finding.severity], place), (verdict, finding)
                    turns[finding.severity] += 1
                    total += 1

    return [pair for _, pair in nsmallest(most, ranked(), key=itemgetter(0))], total


def _is_estimated(verdict: Verdict) -> bool:
    return any(cause.rule == "not_calibrated" for cause in verdict.causes)


def not_counted(report: RunReport) -> list[tuple[str, str]]:
    """What no figure counts, and how often a judge overruled the engine: pairs of a label and a text."""
    summary, run = report.summary, report.run
    if summary is None:
        return []
    gain, checked = summary.correction_gain, summary.claims_scored + summary.claims_abstained
    unchecked = sorted(summary.not_checked.items())
    estimated = sum(map(_is_estimated, report.transcripts))
    asked = f"asked about {summary.claims_judged} of {checked} claims"
    disputed = f"{summary.judge_overruled} of {summary.claims_judged} claims, {asked}"
    corrected = f"{summary.corrected}, mean gain of confidence {of_gain(gain)}"
    skipped = [f"{name} ({why})" for name, why in run.left_out.items()]
    rows: list[tuple[str, object]] = [
        ("not checked", ", ".join(f"{number} {name.replace('_', ' ')}" for name, number in unchecked)),
        ("not scored", summary.claims_abstained and f"{summary.claims_abstained} claims"),
        ("declined answers", summary.declined),
        ("answers without any citation", summary.answers_without_citation),
        ("answers in a language that the engine is not calibrated for", estimated),
        (OVERRULED, summary.claims_judged and disputed),
        ("self-corrected answers", gain is not None and corrected),
        ("expected to fail, and in no figure", summary.expected_failures),
        ("left out by xfail or skip", skipped and f"{len(skipped)}: {listed(skipped)}"),
        ("switched off", ", ".join(f"{name} (in {number})" for name, number in summary.switched_off.items())),
    ]
    return [(name, one_line(str(words), _LONGEST_ROW)) for name, words in rows if words]


def only_new(report: RunReport) -> RunReport:
    """The run without the findings known to its baseline; unchanged unless only new findings count."""
    against = report.comparison
    if against is None or against.ratchet is None:
        return report
    new = Counter((item.transcript, item.severity, item.rule, item.hash) for item in against.ratchet.new)
    left = Counter(new)
    keys: dict[str, list[tuple[str, Severity, str, str]]] = {}
    for key in new:
        keys.setdefault(key[0], []).append(key)

    def without_known(verdict: Verdict) -> Verdict:
        known: set[int] = set()
        fresh: set[int] = set()
        for finding, line in findings_that_fail(verdict):
            key = (verdict.id, line.severity, line.rule, line.hash)
            if left[key]:
                left[key] -= 1
                fresh.add(id(finding))
            else:
                known.add(id(finding))
        kept = tuple(item for item in verdict.findings if id(item) not in known - fresh)
        return verdict.model_copy(update={"findings": kept})

    return report.model_copy(update={"transcripts": tuple(map(without_known, report.transcripts))})


def opinions_of(claim: ClaimVerdict) -> list[tuple[str, str]]:
    """Both opinions on a claim, as pairs of name and text; usually empty."""
    found = claim.opinions
    if found is None:
        return []
    engine = found.engine
    support = if_known(" (support {:.2f})", engine.support)
    said = said_by(found.judge).removeprefix("judge ").removeprefix("judge: ")
    return [("engine", f"{engine.status}{support}{if_known(': {}', engine.reason)}"), ("judge", said)]


def overruled(verdict: Verdict) -> list[tuple[int, str]]:
    """The claims on which the judge overruled the engine: index and both opinions as text."""
    return [
        (claim.index, str(claim.opinions))
        for claim in verdict.claims
        if claim.opinions is not None and claim.opinions.differ
    ]


def comparison_lines(found: Comparison) -> Iterator[tuple[str, str]]:
    """The comparison as pairs of a line and its tone; the lines are not yet escaped for a terminal."""
    policy = f"policy {found.policy}"
    if found.ratchet is not None:
        policy = "new findings alone count"
    elif found.policy == "any":
        policy = "any worsening fails"
    pairs = counted(found.pairs, "transcript")
    yield f"baseline: {found.outcome} ({policy}, {pairs} compared)", _TONES[found.outcome]
    if found.ratchet is not None:
        yield f"  {found.ratchet.line}", "bad" if found.ratchet.new else "good"
    for text in found.drift:
        yield f"  {text}", "warn"
    if found.drift:
        yield "  what follows may come from that alone", "warn"
    if found.drift and found.refresh:
        yield f"  write the baseline anew with: {found.refresh}", "warn"
    if found.ratchet is not None:
        yield from _finding_lines("not in the baseline", found.ratchet.new, "bad")
        yield from _finding_lines("gone", found.ratchet.gone, "good")
    for text, tone in movements(found):
        yield f"  {text}", tone
    yield from _differences("flipped", found.flipped)
    yield from _differences("moved", found.moved)
    yield from _listed_names("vanished", [f"{key}: {why}" for key, why in found.vanished.items()], "bad")
    yield from _listed_names("no longer scored", found.unscored, "bad")
    yield from _listed_names("new", found.added, "")
    yield from _listed_names("other content", found.changed, "")
    if found.pairs and found.figures:
        yield from _table_rows(found.figures)


def movements(found: Comparison) -> Iterator[tuple[str, str]]:
    """How the figures changed, a sentence and its tone for each: the worse ones first, then the better."""
    order = {"worse": 0, "lost": 1, "inconclusive": 2, "better": 3}
    for item in sorted(found.figures, key=lambda figure: order.get(figure.outcome, 4)):
        if item.outcome == "lost":
            yield f"{item.label}: {number(item.before)} before, nothing to measure any more", "bad"
        if item.before is None or item.after is None or item.before == item.after:
            continue
        before, after = _apart(item.before, item.after)
        way = "fell" if item.after < item.before else "rose"
        sentence = f"{item.label} {way} from {before} to {after}"
        if item.outcome == "worse":
            yield sentence, "bad"
        elif item.outcome == "inconclusive":
            yield f"{sentence}, which may be chance{if_known(' (p = {:.2g})', item.p_value)}", "warn"
        elif item.outcome == "better":
            yield f"{sentence}, which is better", "good"
        elif item.drop is not None and item.drop > 0:
            yield f"{sentence}, which the policy allows", ""


def _apart(before: float, after: float) -> tuple[str, str]:
    for digits in (2, 3, 4):
        first, second = f"{before:.{digits}f}", f"{after:.{digits}f}"
        if first != second:
            return first, second
    return f"{before:.6g}", f"{after:.6g}"


def _table_rows(figures: Sequence[FigureChange]) -> Iterator[tuple[str, str]]:
    width = max(len(item.label) for item in figures)
    head = f"{'before':>6}  {'after':>6}  {'drop':>7}  {'95 % interval':<17}  {'p':>6}"
    yield f"  {'figure':<{width}}  {head}", "head"
    for item in figures:
        cells = f"{number(item.before):>6}  {number(item.after):>6}  {number(item.drop, '+'):>7}"
        interval = "-" if item.low is None else f"{number(item.low, '+')} to {number(item.high, '+')}"
        text = f"{cells}  {interval:<17}  {number(item.p_value):>6}  {_WORDS[item.outcome]}"
        yield f"  {item.label:<{width}}  {text}", _TONES.get(item.outcome, "")


def _differences(word: str, items: Sequence[TranscriptChange]) -> Iterator[tuple[str, str]]:
    for item in items[:_LISTED]:
        way = " -> ".join(dict.fromkeys((item.before, item.after)))
        tone, grade = ("bad", "worse") if item.is_worse else ("good", "better")
        yield f"  {word} to the {grade}: {item.id} ({way}): {one_line(item.why, _LONGEST)}", tone
    yield from _more(word, items)


def _finding_lines(word: str, items: Sequence[HeldFinding], tone: str) -> Iterator[tuple[str, str]]:
    for item in items[:_LISTED]:
        text = item.said + if_known(" - {}", item.message)
        yield f"  {word}: {one_line(text, _LONGEST * 2)}", tone
    yield from _more(word, items)


def _more(word: str, items: Sized) -> Iterator[tuple[str, str]]:
    if more := beyond(items, _LISTED, word):
        yield f"  {more}", ""


def _listed_names(word: str, names: Iterable[str], tone: str) -> Iterator[tuple[str, str]]:
    names = list(names)
    if names:
        yield f"  {word}: {listed(names, _LISTED)}", tone


@dataclass(frozen=True, slots=True)
class News:
    """How the transcripts compare with the baseline, by id."""

    has_baseline: bool = False
    new: frozenset[str] = frozenset()
    known: frozenset[str] = frozenset()
    fixed: frozenset[str] = frozenset()
    line: str = ""

    def wants(self, verdict: Verdict, report: RunReport) -> bool:
        """Whether a transcript needs attention; known ones do not if only new findings fail."""
        is_known = bool(self.line) and verdict.id in self.known
        return needs_person(verdict, report.run.failed) and not is_known


@dataclass(frozen=True, slots=True)
class ShownFault:
    """A finding of a transcript in a form that can be quoted."""

    verdict: Verdict
    rule: str
    message: str
    claim: str = ""
    source: str = ""
    chunk: str = ""
    before: str = ""


def needs_person(verdict: Verdict, failed: Collection[str]) -> bool:
    """Whether a transcript did not simply pass: it failed, was rejected, or needs review."""
    return (verdict.status != "pass" and not verdict.skipped) or verdict.id in failed


def news_of(report: RunReport) -> News:
    """Compare the transcripts that need attention with the baseline."""
    found = report.comparison
    if found is None:
        return News()
    ratchet = found.ratchet
    failed = frozenset(report.run.failed)
    in_need = {verdict.id for verdict in report.transcripts if needs_person(verdict, failed)}
    if ratchet is not None:
        new = in_need & ({item.transcript for item in ratchet.new} | {*report.run.failed})
        gone = {item.transcript for item in ratchet.gone} - in_need
        return News(True, frozenset(new), frozenset(in_need - new), frozenset(gone), ratchet.line)
    worse = {item.id for item in (*found.flipped, *found.moved) if item.is_worse}
    new = in_need & (worse | {*found.added})
    fixed = {item.id for item in found.flipped if item.after == "pass"} - in_need
    return News(True, frozenset(new), frozenset(in_need - new), frozenset(fixed))


def waived_of(report: RunReport) -> Iterator[tuple[Verdict, str, Waived]]:
    """What people waived: the verdict, the rule (the first waived one of a finding) and the waiver."""
    return ((verdict, *found) for verdict in report.transcripts for found in waived_in(verdict))


def waived_in(verdict: Verdict) -> Iterator[tuple[str, Waived]]:
    """What people waived of one verdict: the rule and the waiver, once for each finding."""
    for finding in verdict.findings:
        part = next((part for part in finding.parts if part.waived is not None), None)
        if part is not None and part.waived is not None:
            yield part.rule, part.waived
    if verdict.waived is not None:
        yield LOW_CONFIDENCE, verdict.waived


def worst(report: RunReport, most: int) -> list[ShownFault]:
    """The worst faults of a run, new ones first; second faults of a transcript follow all first ones."""
    news, goldens = news_of(report), report.run.goldens
    ranked: list[tuple[tuple[bool, int, int], ShownFault]] = []
    for place, verdict in enumerate(worst_first(only_new(report))):
        if not news.wants(verdict, report):
            continue
        is_new = verdict.id in news.new
        shown = _shown_faults(verdict, report, goldens.get(verdict.id, ()))
        ranked += [((not is_new, turn, place), fault) for turn, fault in enumerate(shown)]
    return [fault for _, fault in nsmallest(most, ranked, key=itemgetter(0))]


def _shown_faults(verdict: Verdict, report: RunReport, changes: Sequence[Change]) -> list[ShownFault]:
    """Its findings, the worst first, then further changes against its golden; or else the gate's reason."""
    found = []
    for item in sorted(verdict.faults, key=lambda item: (ORDER[item.severity], not item.evidence)):
        said, near = words(verdict, item), source_of(verdict, item)
        source, chunk = ("", "") if near is None else (near.text, near.chunk_id)
        before = sentence_before(report, verdict, said)
        found.append(ShownFault(verdict, item.rule, item.message, said, source, chunk, before))
    claims = {item.claim for item in verdict.faults}
    for change in changes:
        if not verdict.faults or (change.old and change.new_claim not in claims):
            texts = (change.new, change.source, "", change.old)
            # The last detail is the most exact: the values or words that differ.
            message = ": ".join([change.message, *change.details[-1:]])
            found.append(ShownFault(verdict, change.rule, message, *texts))
    return found or [ShownFault(verdict, GATE, verdict.reason or verdict.status)]


def sentence_before(report: RunReport, verdict: Verdict, claim: str = "") -> str:
    """The sentence of the accepted answer that a claim replaced, or "": the nearest that is gone."""
    found = report.comparison
    gone = found.replaced.get(verdict.id, ()) if found is not None else ()
    gone = gone or tuple(item.old for item in report.run.goldens.get(verdict.id, ()))
    own = set(claim.lower().split())
    return max(gone, key=lambda text: len(own.intersection(text.lower().split())), default="")


def source_of(verdict: Verdict, finding: Finding) -> Evidence | None:
    """The sentence to compare a finding with: its own evidence, or that of its claim."""
    claim = claim_of(finding, verdict)
    of_claim = () if claim is None else (*(item.evidence for item in claim.conflicts), *claim.evidence)
    return next(iter((*finding.evidence, *of_claim)), None)


def report_json(report: RunReport) -> str:
    """The report as a canonical document with a final line feed; no NaN, equal bytes for equal runs."""
    return report.to_json()

"""Plain text for people: one verdict, or a whole run."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import Any

from pytest_grounding._io.wording import beyond, counted, if_known, listed, measured, one_line
from pytest_grounding.model.finding import Cause, Evidence, Finding, Span, Waived
from pytest_grounding.model.run_report import RunReport, Threshold
from pytest_grounding.model.transcript import Transcript
from pytest_grounding.model.verdict import CitationVerdict, ClaimVerdict, Verdict
from pytest_grounding.reports import escaping, figure_lines
from pytest_grounding.reports.figure_lines import number
from pytest_grounding.reports.issues import citation_of, claim_of

_LONGEST = 1000
_LISTED = 10
_ALSO = 3
_ADVICE = "  do:     {}"
_TONES = {"error": "bad", "warning": "warn", "fail": "bad"}
_DECISION_TONES = {"pass": "good", "fail": "bad", "undecided": "warn", "off": "warn"}
_OF_CLAIMS = frozenset({"contradicted", "possible_conflict", "unsupported_claim"})
_NO_SOURCE = "  source: none: no chunk is similar"


@dataclass(frozen=True, slots=True)
class TerminalLine:
    """One line and its tone: ``good``, ``bad``, ``warn``, ``head`` or plain ""."""

    text: str
    tone: str = ""


def present(*lines: str) -> list[str]:
    """The lines that say something."""
    return list(filter(None, lines))


def safe(text: str) -> str:
    """Escape a text for a terminal and a build log, as `escaping.terminal` does."""
    return escaping.terminal(text)


def quoted(text: str, indent: int = 0) -> str:
    """The text in quotation marks; further lines are indented, a very long text is cut."""
    shown = safe(text)
    if len(shown) > _LONGEST:
        shown = f"{shown[:_LONGEST]} [... {len(shown) - _LONGEST} more characters]"
    return '"' + shown.replace("\n", f"\n{' ' * indent}") + '"'


def place(span: Span | None, transcript: Transcript | None) -> str:
    """The place in the answer: line and offsets, as far as known."""
    if span is None:
        return "the whole answer"
    start, end = span
    if transcript is None:
        return f"characters {start}-{end}"
    return f"line {transcript.answer.count(chr(10), 0, start) + 1}, characters {start}-{end}"


def evidence_text(evidence: Evidence, indent: int = 0) -> str:
    """A sentence of a chunk, verbatim, with chunk, sentence and score."""
    where = f"chunk {safe(evidence.chunk_id)}, sentence {evidence.sentence_index}"
    return f"{quoted(evidence.text, indent)} [{where}{if_known(', score {:.2f}', evidence.score)}]"


def lines_of_claim(claim: ClaimVerdict, transcript: Transcript | None = None) -> list[str]:
    """A claim with its status, its conflicts and its most similar evidence."""
    return text_of("claim", claim, transcript).split("\n")


def citation_lines(citation: CitationVerdict, transcript: Transcript | None = None) -> list[str]:
    """A citation with the findings on it."""
    return text_of("citation", citation, transcript).split("\n")


def finding_text(finding: Cause, verdict: Verdict, transcript: Transcript | None = None) -> str:
    """A finding with its claim or citation, its evidence, its causes, and what to do."""
    causes = finding.causes if isinstance(finding, Finding) else ()
    # One fix covers what follows from the fault; causes that are errors have their own.
    advice = [finding, *(cause for cause in causes if cause.severity == "error")]
    shown = list(dict.fromkeys(_advice(item, finding, verdict) for item in advice if item.suggestion))
    subjects = (claim_of(finding, verdict), citation_of(finding, verdict))
    return text_of("finding", finding, *subjects, causes, shown, transcript)


@cache
def _macros() -> Any:
    filters: dict[str, Callable[..., str]]
    filters = {"quoted": quoted, "evidence": evidence_text, "short": _in_short, "names": _names_in_short}
    own: dict[str, Any] = {"known": if_known, "place": place, "beyond": beyond, "most": _LISTED}
    own |= {"opinions_of": figure_lines.opinions_of, "heading": figure_lines.OVERRULED}
    own |= {"finding_text": finding_text, "counted": counted}
    return escaping.text_template("texts.jinja", filters).make_module(own)


def text_of(macro: str, *values: object) -> str:
    """One of the texts of the file ``texts.jinja``; each value in it is escaped for a terminal."""
    text: str = getattr(_macros(), macro)(*values)
    return text.removesuffix("\n")


def _advice(cause: Cause, finding: Cause, verdict: Verdict) -> str:
    citation = citation_of(cause, verdict) if cause.citation != finding.citation else None
    return cause.suggestion if citation is None else f"{citation.text}: {cause.suggestion}"


def in_short(verdict: Verdict, finding: Cause | None) -> str:
    """What is wrong in a few words: those that contradict the chunk, or those not in any source."""
    if finding is None:
        return _in_short(verdict.reason)
    claim = claim_of(finding, verdict) if finding.rule in _OF_CLAIMS else None
    return (claim is not None and claim_in_short(claim)) or _in_short(finding.message)


def claim_in_short(claim: ClaimVerdict) -> str:
    """The words of a claim that a source contradicts or that no source has, with what stands there; or ""."""
    if claim.conflicts:
        conflict = claim.conflicts[0]
        sides = f"{_in_short(conflict.claim_text, 40)} ≠ {_in_short(conflict.evidence_text, 40)}"
        return f"{sides}, {safe(conflict.evidence.chunk_id)}"
    if any(fact.is_unsettled and fact.nearest for fact in claim.facts):
        # "bus: the sources say tram"
        return _in_short(claim.reason)
    if not claim.missing_words:
        return ""
    return f"not in any source: {_in_short(', '.join(claim.missing_words), 60)}"


def short_lines(verdict: Verdict, finding: Cause) -> list[str]:
    """A finding in a few lines: the claim or citation with its place, the source's words, what to do."""
    claim, evidence = claim_of(finding, verdict), list(finding.evidence)
    if claim is not None:
        lines = short_claim_lines(claim, verdict, finding.suggestion, evidence)
        if (cause := finding.details.get("cause")) is not None:
            lines.insert(-1, f"  corpus: {safe(cause['message'])}")
        return lines if finding.rule in _OF_CLAIMS else [line for line in lines if line != _NO_SOURCE]
    where = _where(verdict)
    lines = []
    if (citation := citation_of(finding, verdict)) is not None:
        lines.append(f"  cited:  {quoted(citation.text, 10)}{where}")
    elif where:
        lines.append(f"  answer:{where}")
    lines += map(_source_line, evidence[:1])
    return present(*lines, if_known(_ADVICE, safe(finding.suggestion)))


def short_claim_lines(
    claim: ClaimVerdict, verdict: Verdict, advice: str, evidence: Sequence[Evidence] = ()
) -> list[str]:
    """A claim with its place, the opinions on it, the source's words, and what to do."""
    lines = [f"  claim:  {quoted(claim.text, 10)}{_where(verdict)}"]
    lines += [f"  {who + ':':<7} {_in_short(words, 400)}" for who, words in figure_lines.opinions_of(claim)]
    near = [*(conflict.evidence for conflict in claim.conflicts), *evidence, *claim.evidence]
    lines.append(_source_line(near[0]) if near else _NO_SOURCE)
    return present(*lines, if_known(_ADVICE, safe(advice)))


def _where(verdict: Verdict) -> str:
    return f" ({safe(verdict.source)}:{verdict.answer_line or verdict.line or 1})" if verdict.source else ""


def _source_line(evidence: Evidence) -> str:
    return f"  source: {quoted(evidence.text, 10)} [{safe(evidence.chunk_id)}]"


def short_text(verdict: Verdict, lead: str = "", *, most: int = 1) -> str:
    """A verdict in a few lines: what is wrong, the most severe findings, and a line for each other one."""
    faults = verdict.faults
    lines = []
    for finding in faults[:most]:
        lines += [in_short(verdict, finding), *short_lines(verdict, finding)]
    others = faults[most : most + _ALSO]
    lines += [f"  also:   {finding.rule}: {in_short(verdict, finding)}" for finding in others]
    lines += present(if_known("  {}", beyond(faults, most + _ALSO, "findings")))
    if not faults:
        lines = [in_short(verdict, None)]
        claim = figure_lines.least_sure(verdict) if verdict.status != "pass" else None
        if claim is not None:
            lines += short_claim_lines(claim, verdict, figure_lines.ADVICE)
        elif verdict.source:
            lines.append(f"  answer: {safe(verdict.source)}:{verdict.line or 1}")
        lines.append(f"  {_confidence_line(verdict)}")
    return lead + "\n".join(lines)


def verdict_text(verdict: Verdict, transcript: Transcript | None = None) -> str:
    """A whole verdict: the decision and its reason, every relevant finding, the confidence."""
    findings = verdict.faults or [item for item in verdict.findings if item.waived is None]
    waived = [(item.rule, _waiver_in_words(item.waived)) for item in verdict.causes if item.waived][:_LISTED]
    if verdict.waived is not None:
        waived.append(("low confidence", _waiver_in_words(verdict.waived)))
    conclusion = "\n".join(conclusion_lines(verdict))
    told = (findings, figure_lines.overruled(verdict), conclusion, waived)
    return text_of("verdict", verdict, transcript, *told)


def _waiver_in_words(waived: Waived) -> str:
    return ", ".join(_in_short(text) for text in (waived.reason, waived.by, waived.day) if text)


def conclusion_lines(verdict: Verdict) -> list[str]:
    """Diagnosis, confidence with its terms, and what was not checked."""
    lines = [f"diagnosis: {safe(verdict.diagnosis)}", _confidence_line(verdict)]
    if verdict.completeness is not None:
        parts = (f"{_in_short(part.text)}: {part.status}" for part in verdict.completeness.parts)
        lines.append(f"parts: {'; '.join(parts)}")
    if verdict.not_checked:
        counts = sorted(verdict.not_checked.items())
        kinds = ", ".join(f"{number} {name.replace('_', ' ')}" for name, number in counts)
        lines.append(f"not checked: {kinds}")
    if verdict.switched_off:
        lines.append(f"switched off: {', '.join(verdict.switched_off)}")
    return lines


def _confidence_line(verdict: Verdict) -> str:
    breakdown = verdict.confidence_breakdown
    if measured(verdict.confidence) is None:
        return f"confidence: none ({safe('; '.join(breakdown.notes)) or 'nothing was scored'})"
    between = ", " if breakdown.model == "learned" else " + "
    terms = between.join(f"{term.name} {breakdown.shown(term)}" for term in breakdown.terms)
    held = ""
    if breakdown.ceiling is not None:
        held = f", capped at {breakdown.ceiling:g} ({breakdown.ceiling_reason})"
    return f"confidence: {verdict.confidence:.2f} ({verdict.confidence_model}{terms and ': '}{terms}{held})"


def is_suite(report: RunReport) -> bool:
    """Whether a run covers a suite: not a part of one, and not a single transcript."""
    return not report.run.narrowed and len(report.transcripts) + len(report.run.expected) > 1


def run_lines(
    report: RunReport,
    *,
    worst: int = 5,
    today: date | None = None,
    figures: bool = True,
    told: Collection[str] = (),
) -> list[TerminalLine]:
    """A decided run: figures with limits and intervals, the worst findings, what was not checked."""
    summary, gate = report.summary, report.gate
    if summary is None or gate is None:
        return []
    statuses = f"({figure_lines.verdicts_of(summary)}){figure_lines.failing_words(report)}"
    lines = [TerminalLine(f"transcripts: {summary.transcripts} {statuses}")]
    measured = [item for item in gate.thresholds if item.outcome in ("pass", "fail") or item.known]
    if measured and figures:
        lines += [TerminalLine(""), *_threshold_lines(measured, report)]
    lines += _worst(figure_lines.only_new(report), worst, told)
    lines += _left_out_lines(report, today)
    whole = (text for text in gate.reasons if not text.startswith("a partial run"))
    others = [text for text in whole if not figure_lines.is_given(text, gate)]
    if not figures and gate.failed and not (others or gate.notes or gate.baseline):
        own = TerminalLine(f"gate: FAIL: {_in_short(gate.reasons[0], 1000)}", "bad")
        return [own] if len(lines) == 1 and not is_suite(report) else [*lines, TerminalLine(""), own]
    lines.append(TerminalLine(""))
    if gate.baseline is not None:
        compared = figure_lines.comparison_lines(gate.baseline)
        lines += [TerminalLine(safe(text), tone) for text, tone in compared]
        lines.append(TerminalLine(""))
    tone = _DECISION_TONES[gate.status]
    # If the suite's decision differs from the gate's (failures of single transcripts), both are shown.
    head = f"gate: {gate.status.upper()}"
    if gate.suite != gate.status:
        head += f" (suite: {gate.suite})"
    lines.append(TerminalLine(head, tone))
    # The section on the baseline lists the findings that are not in it.
    reasons = (text for text in gate.reasons if " not in the baseline: " not in text)
    lines += [TerminalLine(f"  {_in_short(reason, 1000)}", tone) for reason in reasons]
    lines += [TerminalLine(f"  note: {_in_short(note, 1000)}", "warn") for note in gate.notes]
    return lines


def _threshold_lines(thresholds: Sequence[Threshold], report: RunReport) -> Iterator[TerminalLine]:
    width = max(len(item.label) for item in thresholds)
    head = f"{'value':>6}  {'limit':>8}  {'95 % interval':<15}  {'counted':>12}"
    yield TerminalLine(f"{'figure':<{width}}  {head}", "head")
    for item in thresholds:
        share = f"{item.count} of {item.total}"
        limit, interval = figure_lines.limit_in_words(item), figure_lines.interval_of(item)
        value = f"{number(item.value):>6}  {limit:>8}  {interval:<15}"
        text = f"{item.label:<{width}}  {value}  {share:>12}  "
        word = figure_lines.outcome_words(item, report)
        yield TerminalLine(text + word.replace("failed", "FAIL"), _TONES.get(item.outcome, ""))


def _worst(report: RunReport, most: int, told: Collection[str]) -> Iterator[TerminalLine]:
    found, total = figure_lines.gravest(report, most, told)
    if not total:
        return
    yield TerminalLine("")
    yield TerminalLine(f"worst findings ({min(most, total)} of {total}):", "head")
    for verdict, finding in found:
        claim = claim_of(finding, verdict)
        about = f" {_in_short(claim.text)}" if claim is not None else ""
        head = f"  {_in_short(verdict.id)}  {finding.severity}  {finding.rule}:{about}"
        also = if_known(" (also {})", ", ".join(finding.rules[1:]))
        yield TerminalLine(f"{head} - {_in_short(finding.message)}{also}", _TONES[finding.severity])


def _in_short(text: str, longest: int = 100) -> str:
    return one_line(safe(text), longest)


def _names_in_short(names: Sequence[str], most: int) -> str:
    return listed([_in_short(name, 200) for name in names], most)


def _left_out_lines(report: RunReport, today: date | None) -> Iterator[TerminalLine]:
    run = report.run
    parts = [f"{name}: {safe(words)}" for name, words in figure_lines.not_counted(report)]
    yield from map(TerminalLine, ["", *parts] if parts else [])
    if known := sorted((item.recorded_on, item.id) for item in report.heads if item.recorded_on):
        (oldest, first), (youngest, _) = known[0], known[-1]
        days = oldest if oldest == youngest else f"{oldest} ({_in_short(first)}) to {youngest}"
        without = len(report.transcripts) - len(known)
        rest = if_known("; {} without a day", without or None)
        yield TerminalLine(f"recorded answers: {days}{_age(oldest, today)}{rest}")
    for item in run.judgements:
        days = " to ".join(dict.fromkeys((item.oldest, item.youngest)))
        who = f"{safe(item.scorer)} {safe(item.model)}"
        yield TerminalLine(f"recorded judgements: {who}, {days}{_age(item.oldest, today)}")
    for problem in run.problems[:_LISTED]:
        yield TerminalLine(f"unreadable: {_in_short(problem.message, 1000)}", "bad")
    if more := beyond(run.problems, _LISTED, "unreadable rows"):
        yield TerminalLine(more, "bad")


def _age(oldest: str, today: date | None) -> str:
    if today is None:
        return ""
    try:
        days = max(0, (today - date.fromisoformat(oldest)).days)
    except ValueError:
        return ""
    return f" (the oldest is {counted(days, 'day')} old)"


def render_text(report: RunReport) -> str:
    """A decided run as plain text with a final line feed: what was validated and what was decided."""
    return "\n".join(line.text for line in run_lines(report, worst=50)) + "\n"


def wrapped(text: str, width: int) -> Iterator[str]:
    """Wrap a text to lines of a terminal; further lines are indented."""
    for line in text.split("\n"):
        if not width or len(line) <= width:
            yield line
            continue
        indent = " " * (len(line) - len(line.lstrip()))
        yield from textwrap.wrap(
            line.strip(),
            max(width, len(indent) + 22),
            initial_indent=indent,
            subsequent_indent=f"{indent}  ",
            break_long_words=False,
            break_on_hyphens=False,
        )

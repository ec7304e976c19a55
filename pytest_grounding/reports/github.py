"""Output for GitHub: the summary of a step, a comment on a pull request, annotations on files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pytest_grounding._io.wording import counted
from pytest_grounding.model.run_report import Gate, RunReport
from pytest_grounding.reports import figure_lines as figures
from pytest_grounding.reports.escaping import (
    markdown,
    markdown_words,
    one_line,
    workflow_message,
    workflow_property,
)
from pytest_grounding.reports.issues import Issue, Issues, issues
from pytest_grounding.reports.report_links import LinkContext, anchor_of

#: First line of a comment, by which a workflow finds the comment of the previous run.
MARKER = "<!-- pytest-grounding -->"
#: GitHub shows at most ten annotations of each level per step.
MOST_ANNOTATIONS = 10

# A step summary may have 1 MiB and a comment 65,536 characters; each row below is under 2,000.
_SUMMARY_ROWS = 200
_COMMENT_ROWS = 20
_LONGEST = 240
#: Faults above the folded parts: all new ones up to the last number; and most reasons there.
_WORST, _MOST_NEW = 2, 10
_REASONS = 3
_FEW = 3  # most figures listed there that changed or missed their limit
_ICONS = {"pass": "✅", "fail": "❌", "undecided": "❔", "inconclusive": "❔", "off": "➖"}
_MARKS = {"pass": "✅", "fail": "❌", "nothing": "➖", "off": "➖"}


def summary(report: RunReport, context: LinkContext) -> str:
    """Markdown for the summary of a step: what is new and worst in about ten lines, the rest folded."""
    return "\n".join(_page(report, context, _SUMMARY_ROWS)) + "\n"


def comment(report: RunReport, context: LinkContext) -> str:
    """Markdown for a comment on a pull or merge request; its first line marks it as ours."""
    return "\n".join([MARKER, *_page(report, context, _COMMENT_ROWS)]) + "\n"


def _page(report: RunReport, context: LinkContext, rows: int) -> Iterator[str]:
    decision = figures.decision_of(report)
    yield f"## {_ICONS.get(decision, '')} Grounding: {decision}".replace("  ", " ")
    yield ""
    yield "<br>\n".join(_opening_lines(report))
    news = figures.news_of(report)
    new = min(len(news.new), _MOST_NEW) if news.has_baseline else 0
    if found := figures.worst(report, max(_WORST, new)):
        yield ""
        for number, fault in enumerate(found, start=1):
            before = figures.sentence_before(report, fault.verdict, fault.claim)
            yield from _fault_lines(number, fault, before, context)
    links = (("This run", context.links.run), ("the page", context.links.page))
    if shown := [f"[{text}]({address})" for text, address in links if address]:
        yield from ("", " · ".join(shown))
    yield from _folded(report, context, rows)


def _opening_lines(report: RunReport) -> Iterator[str]:
    news = figures.news_of(report)
    new, known, fixed = len(news.new), len(news.known), len(news.fixed)
    since = f" Since the baseline **{new} new**, {known} known, {fixed} fixed." if news.has_baseline else ""
    compared = report.gate.baseline if report.gate is not None else None
    if compared is not None:
        since += f" {compared.pairs - len(compared.changed)} recordings unchanged."
    waived = sum(1 for _ in figures.waived_of(report))
    excused = f" {counted(waived, 'finding')} waived." if waived else ""
    yield f"{figures.tally(report)}.{since}{excused}"
    gate = report.gate
    if gate is None:
        return
    if gate.baseline is not None:
        if moved := [text for text, tone in figures.movements(gate.baseline) if tone]:
            shown = _few_words(map(_plain_signs, moved))
            yield f"**{shown[0].upper()}{shown[1:]}.**"
        if gate.baseline.drift:
            yield f"Besides the answers, {' and '.join(markdown(text, 300) for text in gate.baseline.drift)}."
    if missed := figures.missed(gate):
        yield f"Limits missed: {_few_words(map(_plain_signs, missed))}."
    yield from (markdown(text, 600) for text in _own_reasons(gate)[:_REASONS])


def _own_reasons(gate: Gate) -> list[str]:
    return [text for text in gate.reasons if not figures.is_given(text, gate)]


def _few_words(texts: Iterable[str]) -> str:
    texts = list(texts)
    more = f"; and {len(texts) - _FEW} more" if len(texts) > _FEW else ""
    return "; ".join(texts[:_FEW]) + more


def _fault_lines(number: int, fault: figures.ShownFault, before: str, context: LinkContext) -> Iterator[str]:
    name = markdown(fault.verdict.id, 80) or "<code> </code>"
    if address := context.links.transcript(anchor_of(fault.verdict.id)):
        name = f"[{name}]({address})"
    new = ", **new**" if fault.is_new else ""
    yield f"{number}. {name}{new}, {markdown(fault.rule, 60)}: {markdown(fault.message, _LONGEST)}"
    transcript = context.transcript(fault.verdict)
    if transcript is not None:
        yield f"   - question: {markdown(transcript.question, _LONGEST)}"
    if before:
        yield f"   - before: {markdown(before, _LONGEST)}"
    if fault.claim:
        yield f"   - claim: {markdown(fault.claim, _LONGEST)}"
    if fault.source is not None:
        yield f"   - source: {markdown(fault.source.text, _LONGEST)} ({markdown(fault.source.chunk_id, 80)})"


def _folded(report: RunReport, context: LinkContext, rows: int) -> Iterator[str]:
    gate = report.gate
    found = issues(figures.only_new(report), context)
    which = "New" if figures.news_of(report).line else "All"
    yield from _folded_lines(f"{which} findings ({found.numbers.total()})", _issues(found, rows))
    if gate is not None:
        if report.transcripts:
            failed = sum(item.outcome == "fail" for item in gate.thresholds)
            yield from _folded_lines(f"Figures and limits ({failed} missed)", _figure_rows(report))
        if gate.baseline is not None:
            pairs = counted(gate.baseline.pairs, "pair")
            title = f"Against the baseline: {gate.baseline.outcome} ({pairs})"
            compared = figures.comparison_lines(gate.baseline)
            lines = [f"- {markdown(text.strip(), 600)}" for text, _ in compared]
            yield from _folded_lines(title, lines)
        reasons = [f"- {markdown(reason, 600)}" for reason in _own_reasons(gate)[_REASONS:]]
        reasons += [f"- note: {markdown(note, 600)}" for note in gate.notes]
        yield from _folded_lines(f"Further reasons and notes ({len(reasons)})", reasons)
    excused = [
        f"- {markdown(verdict.id, 80)} {markdown(rule, 60)}: {markdown(why.reason, _LONGEST)} "
        f"{markdown(' '.join(filter(None, (why.by, why.day))), 80)}"
        for verdict, rule, why in figures.waived_of(report)
    ]
    more = [f"- and {len(excused) - rows} more"] if len(excused) > rows else []
    yield from _folded_lines(f"Waived ({len(excused)})", [*excused[:rows], *more])
    left = [f"- {markdown(name)} {markdown(words, 600)}" for name, words in figures.not_counted(report)]
    yield from _folded_lines(f"Not counted ({len(left)})", left)


def _folded_lines(title: str, lines: Iterable[str]) -> Iterator[str]:
    lines = list(lines)
    if lines:
        # Without the empty lines, Markdown inside would be read as HTML.
        yield from ("", f"<details><summary>{title}</summary>", "", *lines, "", "</details>")


def _plain_signs(text: str) -> str:
    return markdown_words(text.replace(">=", "≥").replace("<=", "≤"))


def _figure_rows(report: RunReport) -> Iterator[str]:
    if report.gate is None:
        return
    yield "| figure | value | limit | 95 % interval | counted | |"
    yield "|---|--:|--:|--:|--:|---|"
    for item in report.gate.thresholds:
        limit = markdown(figures.limit_in_words(item))
        yield (
            f"| {_plain_signs(item.label)} | {figures.number(item.value)} | {limit} "
            f"| {figures.interval_of(item)} | {item.count} of {item.total} "
            f"| {_MARKS.get(item.outcome, '')} {figures.outcome_words(item, report)} |"
        )


def _issues(found: Issues, rows: int) -> Iterator[str]:
    if not found.shown:
        return
    yield "| transcript | | rule | what is wrong |"
    yield "|---|---|---|---|"
    for item in found.shown[:rows]:
        place = f"<br>{markdown(f'{item.path}:{item.line}', 120)}" if item.path else ""
        quote = f"{markdown(item.quote, _LONGEST)}<br>" if item.quote else ""
        message = markdown(item.message, _LONGEST)
        cells = f"{markdown(item.transcript, 80)}{place} | {item.severity} | {markdown(item.rule, 60)}"
        yield f"| {cells} | {quote}{message} |"
    if found.numbers.total() > rows:
        yield ""
        yield f"... and {found.numbers.total() - rows} more."


def workflow_commands(report: RunReport, context: LinkContext) -> str:
    """Workflow commands that annotate the files of the transcripts, most severe findings first."""
    lines: list[str] = []
    found = issues(figures.only_new(report), context)
    for level in ("error", "warning"):
        those = [item for item in found if item.severity == level]
        lines += list(map(_annotation, those[:MOST_ANNOTATIONS]))
        if found.numbers[level] > MOST_ANNOTATIONS:
            lines.append(f"::notice title=grounding::{found.numbers[level] - MOST_ANNOTATIONS} more {level}s")
    if report.gate is not None and report.gate.suite == "fail":
        reasons = workflow_message("; ".join(one_line(reason, 500) for reason in report.gate.reasons))
        lines.append(f"::error title=grounding gate::{reasons}")
    return "\n".join(lines) + "\n" if lines else ""


def _annotation(item: Issue) -> str:
    place = f"file={workflow_property(one_line(item.path))},line={max(item.line, 1)}," if item.path else ""
    title = workflow_property(one_line(f"grounding {item.rule}", 120))
    return f"::{item.severity} {place}title={title}::{workflow_message(one_line(item.text, 1000))}"

"""Outputs for GitHub: a step's summary, a comment on a pull request, annotations on files."""

from __future__ import annotations

from collections.abc import Iterator

from pytest_grounding.model.comparison import Comparison
from pytest_grounding.model.run import RunReport
from pytest_grounding.reports import figures
from pytest_grounding.reports.context import Context
from pytest_grounding.reports.issues import Issue, issues
from pytest_grounding.reports.neutral import markdown, one_line, workflow_message, workflow_property
from pytest_grounding.reports.ratchet import only_new

#: First line of a comment, by which a workflow finds the one of the run before.
MARKER = "<!-- pytest-grounding -->"

#: GitHub shows at most ten annotations of a level for a step.
MOST_ANNOTATIONS = 10

# A step's summary may hold 1 MiB and a comment 65,536 characters; each row below is under 2,000.
_SUMMARY_ROWS = 200
_COMMENT_ROWS = 20
_LONGEST = 240
_ICONS = {"pass": "✅", "fail": "❌", "undecided": "❔", "inconclusive": "❔", "off": "➖"}
_MARKS = {"pass": "✅", "fail": "❌", "nothing": "➖", "off": "➖"}


def summary(report: RunReport, context: Context) -> str:
    """Markdown for the summary of a step: decision, figures, what is wrong, what was not checked."""
    return "\n".join(_page(report, context, _SUMMARY_ROWS)) + "\n"


def comment(report: RunReport, context: Context) -> str:
    """Markdown for a comment on a pull or merge request; its first line marks it as ours."""
    return "\n".join([MARKER, *_page(report, context, _COMMENT_ROWS)]) + "\n"


def _page(report: RunReport, context: Context, rows: int) -> Iterator[str]:
    decision = figures.decision_of(report)
    yield f"## {_ICONS.get(decision, '')} Grounding: {decision}".replace("  ", " ")
    yield ""
    yield f"{figures.tally(report)}."
    gate = report.gate
    if gate is not None:
        yield ""
        yield from (f"- {markdown(reason, 600)}" for reason in gate.reasons)
        yield from (f"- note: {markdown(note, 600)}" for note in gate.notes)
        if report.transcripts:
            yield from _figures(report)
        if gate.baseline is not None:
            yield from _comparison(gate.baseline)
    yield from _issues(issues(only_new(report), context), rows)
    left = figures.left_out(report)
    if left:
        yield ""
        yield f"Not counted: {', '.join(f'{markdown(name)} {number}' for name, number in left)}."


def _figures(report: RunReport) -> Iterator[str]:
    if report.gate is None:
        return
    yield ""
    yield "| figure | value | limit | 95 % interval | counted | |"
    yield "|---|--:|--:|--:|--:|---|"
    for item in report.gate.thresholds:
        limit = markdown(figures.limit_of(item))
        yield (
            f"| {item.label.replace('>=', '≥')} | {figures.value_of(item)} | {limit} "
            f"| {figures.interval_of(item)} | {item.count} of {item.total} "
            f"| {_MARKS.get(item.outcome, '')} {figures.OUTCOMES.get(item.outcome, item.outcome)}"
            f"{f' ({item.known} known left out)' if item.known else ''} |"
        )


def _comparison(found: Comparison) -> Iterator[str]:
    """The run against its baseline: drift first, then the figures, then who changed."""
    yield ""
    yield f"Against the baseline: **{found.outcome}** ({markdown(found.policy)}, {found.pairs} pairs)"
    if found.ratchet is not None:
        yield f"**{found.ratchet.line}**"
    yield ""
    yield from (f"- {markdown(text, 600)}" for text in found.drift)
    if found.drift and found.refresh:
        yield f"- what follows may come from that alone; write the baseline anew: {markdown(found.refresh)}"
    for item in (*found.flipped, *found.moved)[:_COMMENT_ROWS]:
        way = "worse" if item.is_worse else "better"
        steps = f"{item.before} to {item.after}" if item.before != item.after else item.after
        yield f"- {way}: {markdown(item.id, 80)} ({steps}) {markdown(item.why, _LONGEST)}"
    for word, names in (("vanished", found.vanished), ("no longer scored", found.unscored)):
        if names:
            yield f"- {word}: {', '.join(markdown(name, 80) for name in list(names)[:_COMMENT_ROWS])}"
    if found.pairs and found.figures:
        yield ""
        yield "| figure | before | after | drop | p | |"
        yield "|---|--:|--:|--:|--:|---|"
        for figure in found.figures:
            values = f"{figures.number(figure.before)} | {figures.number(figure.after)}"
            rest = f"{figures.signed(figure.drop)} | {figures.number(figure.p_value)} | {figure.outcome}"
            yield f"| {figure.label.replace('>=', '≥')} | {values} | {rest} |"


def _issues(found: list[Issue], rows: int) -> Iterator[str]:
    if not found:
        return
    yield ""
    yield "| transcript | | rule | what is wrong |"
    yield "|---|---|---|---|"
    for item in found[:rows]:
        place = f"<br>{markdown(f'{item.path}:{item.line}', 120)}" if item.path else ""
        quote = f"{markdown(item.quote, _LONGEST)}<br>" if item.quote else ""
        message = markdown(item.message, _LONGEST)
        cells = f"{markdown(item.transcript, 80)}{place} | {item.severity} | {markdown(item.rule, 60)}"
        yield f"| {cells} | {quote}{message} |"
    if len(found) > rows:
        yield ""
        yield f"... and {len(found) - rows} more."


def workflow_commands(report: RunReport, context: Context) -> str:
    """Workflow commands that annotate the files of the transcripts, the gravest findings first."""
    lines: list[str] = []
    found = issues(only_new(report), context)
    for level in ("error", "warning"):
        those = [item for item in found if item.severity == level]
        lines += [_annotation(item) for item in those[:MOST_ANNOTATIONS]]
        if len(those) > MOST_ANNOTATIONS:
            lines.append(f"::notice title=grounding::{len(those) - MOST_ANNOTATIONS} more {level}s")
    if report.gate is not None and report.gate.suite == "fail":
        reasons = workflow_message("; ".join(one_line(reason, 500) for reason in report.gate.reasons))
        lines.append(f"::error title=grounding gate::{reasons}")
    return "\n".join(lines) + "\n" if lines else ""


def _annotation(item: Issue) -> str:
    place = f"file={workflow_property(one_line(item.path))},line={max(item.line, 1)}," if item.path else ""
    title = workflow_property(one_line(f"grounding {item.rule}", 120))
    return f"::{item.severity} {place}title={title}::{workflow_message(one_line(item.text, 1000))}"

"""Output for GitHub: the summary of a step, a comment on a pull request, annotations on files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from pytest_grounding._io.wording import beyond, counted, if_known
from pytest_grounding.model.run_report import Gate, RunReport, Threshold
from pytest_grounding.reports import figure_lines as figures
from pytest_grounding.reports.escaping import (
    markdown,
    markdown_template,
    markdown_words,
    one_line,
    workflow_message,
    workflow_property,
)
from pytest_grounding.reports.issues import Issue, issues
from pytest_grounding.reports.report_links import LinkContext, anchor_of
from pytest_grounding.reports.terminal import present

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
    return _page(report, context, _SUMMARY_ROWS)


def comment(report: RunReport, context: LinkContext) -> str:
    """Markdown for a comment on a pull or merge request; its first line marks it as ours."""
    return f"{MARKER}\n{_page(report, context, _COMMENT_ROWS)}"


def _page(report: RunReport, context: LinkContext, rows: int) -> str:
    decision, news = figures.decision_of(report), figures.news_of(report)
    new = min(len(news.new | report.run.goldens.keys()), _MOST_NEW)
    found = issues(figures.only_new(report), context)
    thresholds = report.thresholds if report.transcripts else ()
    links = (("This run", context.links.run), ("the page", context.links.page))
    page: str = markdown_template("github.md.jinja").render(
        decision=decision,
        icon=_ICONS.get(decision, ""),
        opening=_opening_lines(report),
        faults=[_fault_row(item, report, context, news) for item in figures.worst(report, max(_WORST, new))],
        links=[f"[{text}]({address})" for text, address in links if address],
        which="New" if news.line else "All",
        issues=found.shown,
        total=found.numbers.total(),
        rows=rows,
        longest=_LONGEST,
        missed=sum(item.outcome == "fail" for item in thresholds),
        figures=[_figure_row(item, report) for item in thresholds],
        lists=_folded_lists(report, rows),
    )
    return page


def _opening_lines(report: RunReport) -> Iterator[str]:
    opening, compared = f"{figures.tally(report)}.", report.comparison
    if compared is not None:
        news = figures.news_of(report)
        opening += f" Since the baseline **{len(news.new)} new**, {len(news.known)} known, "
        opening += f"{len(news.fixed)} fixed. {compared.pairs - len(compared.changed)} recordings unchanged."
    if changed := report.run.goldens:
        opening += f" {counted(len(changed), 'golden')} not met."
    if waived := list(figures.waived_of(report)):
        opening += f" {counted(len(waived), 'finding')} waived."
    yield opening
    gate = report.gate
    if gate is None:
        return
    if compared is not None:
        if moved := [text for text, tone in figures.movements(compared) if tone]:
            shown = _few_words(map(_plain_signs, moved))
            yield f"**{shown[0].upper()}{shown[1:]}.**"
        if compared.drift:
            yield f"Besides the answers, {' and '.join(markdown(text, 300) for text in compared.drift)}."
    if missed := figures.missed(gate):
        yield f"Limits missed: {_few_words(map(_plain_signs, missed))}."
    yield from (markdown(text, 600) for text in _own_reasons(gate)[:_REASONS])


def _own_reasons(gate: Gate) -> list[str]:
    return [text for text in gate.reasons if not figures.is_given(text, gate)]


def _few_words(texts: Iterable[str]) -> str:
    texts = list(texts)
    more = beyond(texts, _FEW).removeprefix("... ")
    return "; ".join(present(*texts[:_FEW], more))


def _fault_row(
    fault: figures.ShownFault, report: RunReport, context: LinkContext, news: figures.News
) -> dict[str, Any]:
    verdict = fault.verdict
    changes = report.run.goldens.get(verdict.id, ())
    grades = [item.grade for item in changes if item.about != "golden"]
    name = markdown(verdict.id, 80) or "<code> </code>"
    if address := context.links.transcript(anchor_of(verdict.id)):
        name = f"[{name}]({address})"
    transcript = context.transcript(verdict)
    return {
        "shown": fault,
        "name": name,
        "question": getattr(transcript, "question", None),
        "standing": "new" if verdict.id in news.new else next(iter(grades), ""),
    }


def _folded_lists(report: RunReport, rows: int) -> Iterator[tuple[str, list[str]]]:
    """Titles and entries of the folded lists; those without entries are left out."""
    gate, compared = report.gate, report.comparison
    if compared is not None:
        title = f"Against the baseline: {compared.outcome} ({counted(compared.pairs, 'pair')})"
        yield title, [markdown(text.strip(), 600) for text, _ in figures.comparison_lines(compared)]
    if gate is not None:
        reasons = [markdown(reason, 600) for reason in _own_reasons(gate)[_REASONS:]]
        reasons += [f"note: {markdown(note, 600)}" for note in gate.notes]
        yield f"Further reasons and notes ({len(reasons)})", reasons
    waived = []
    for verdict, rule, why in figures.waived_of(report):
        who = markdown(" ".join(filter(None, (why.by, why.day))), 80)
        what = f"{markdown(verdict.id, 80)} {markdown(rule, 60)}"
        waived.append(f"{what}: {markdown(why.reason, _LONGEST)} {who}")
    more = beyond(waived, rows).removeprefix("... ")
    yield f"Waived ({len(waived)})", present(*waived[:rows], more)
    left = [f"{markdown(name)} {markdown(words, 600)}" for name, words in figures.not_counted(report)]
    yield f"Not counted ({len(left)})", left


def _plain_signs(text: str) -> str:
    return markdown_words(text.replace(">=", "≥").replace("<=", "≤"))


def _figure_row(item: Threshold, report: RunReport) -> dict[str, str]:
    return {
        "label": _plain_signs(item.label),
        "value": figures.number(item.value),
        "limit": figures.limit_in_words(item),
        "interval": figures.interval_of(item),
        "counted": f"{item.count} of {item.total}",
        "outcome": f"{_MARKS.get(item.outcome, '')} {figures.outcome_words(item, report)}",
    }


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
    path = workflow_property(one_line(item.path))
    place = if_known(f"file={{}},line={max(item.line, 1)},", path)
    title = workflow_property(one_line(f"grounding {item.rule}", 120))
    return f"::{item.severity} {place}title={title}::{workflow_message(one_line(item.text, 1000))}"

"""The report of a run as JUnit XML: a test case per transcript, and one for the suite's gate."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import islice
from xml.etree import ElementTree as ET

from pytest_grounding.model.run_report import RunReport
from pytest_grounding.model.verdict import Verdict
from pytest_grounding.reports.escaping import one_line, xml
from pytest_grounding.reports.figure_lines import worst_first
from pytest_grounding.reports.report_links import LinkContext
from pytest_grounding.reports.terminal import verdict_text

SUITE = "grounding"
#: Servers that read these files fail on longer ones.
MOST = 10_000
#: Figures of a verdict in its test case.
_FIGURES = (
    *("confidence", "hallucination_rate"),
    *("citation_accuracy", "citation_precision", "citation_recall"),
)
Properties = list[tuple[str, str]]


def render_junit(report: RunReport, context: LinkContext) -> str:
    """The document; a transcript that failed on its own is a failure, a missing one is skipped."""
    suite = ET.Element("testsuite", name=SUITE)
    figures, shown = suite_properties(report), iter(report.transcripts)
    if (more := len(report.transcripts) - MOST) > 0:
        figures.append(("grounding.left_out", str(more)))
        shown = islice(worst_first(report), MOST)
    _properties(suite, figures)
    failed = frozenset(report.run.failed)
    failures = 0
    for verdict in shown:
        case = _case(suite, verdict.source or "transcripts", verdict.id)
        _properties(case, item_properties([verdict]))
        if verdict.id in failed:
            failures += 1
            text = verdict_text(verdict, context.transcript(verdict))
            _add_outcome(case, "failure", f"{verdict.status}: {verdict.reason}", text)
        elif verdict.skipped:
            _add_outcome(case, "skipped", verdict.reason, "")
    for problem in report.run.problems[:MOST]:
        case = _case(suite, "transcripts", problem.place)
        _add_outcome(case, "error", problem.message, problem.message)
    for identifier, reason in report.run.missing.items():
        _add_outcome(_case(suite, "transcripts", identifier), "skipped", reason, "")
    if report.gate is not None:
        case = _case(suite, "suite", "gate")
        if report.gate.suite == "fail":
            failures += 1
            _add_outcome(case, "failure", "the suite's gate failed", "\n".join(report.gate.reasons))
    suite.set("tests", str(len(suite.findall("testcase"))))
    suite.set("failures", str(failures))
    suite.set("errors", str(len(report.run.problems)))
    suite.set("skipped", str(len(suite.findall("testcase/skipped"))))
    root = ET.Element("testsuites")
    root.append(suite)
    ET.indent(root)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{ET.tostring(root, encoding="unicode")}\n'


def suite_properties(report: RunReport) -> Properties:
    """The suite's figures and decision as pairs of name and text, without figures that have no value."""
    found: Properties = []
    if report.gate is not None:
        found += [("grounding.gate", report.gate.status), ("grounding.suite", report.gate.suite)]
        for item in report.gate.thresholds:
            if item.value is not None:
                found.append((f"grounding.{item.name}", f"{item.value:.6g}"))
                found.append((f"grounding.{item.name}.limit", f"{item.comparison} {item.limit:g}"))
    if report.summary is not None:
        summary = report.summary
        statuses = ("transcripts", "passed", "review", "rejected", "skipped")
        counts = {name: getattr(summary, name) for name in statuses} | {"failed": len(report.run.failed)}
        parts = ["claims_scored", "claims_hallucinated", "citations", "citations_valid", "waived"]
        if summary.claims_judged:
            parts += ["claims_judged", "judge_overruled"]
        counts |= {name: getattr(summary, name) for name in parts}
        counts |= {f"abstention.{name}": number for name, number in summary.abstention.items()}
        found += [(f"grounding.{name}", str(number)) for name, number in counts.items()]
    return found


def item_properties(verdicts: Sequence[Verdict]) -> Properties:
    """The figures of the transcripts of one test; names are numbered from the second transcript on."""
    found: Properties = []
    for number, verdict in enumerate(verdicts, start=1):
        start = "grounding" if number == 1 else f"grounding.{number}"
        found += [(f"{start}.id", one_line(verdict.id)), (f"{start}.status", verdict.shown_status)]
        figures = ((name, getattr(verdict, name)) for name in _FIGURES)
        found += [(f"{start}.{name}", f"{value:.6g}") for name, value in figures if value is not None]
        if facts := Counter(fact.status for claim in verdict.claims for fact in claim.facts):
            counted = " ".join(f"{status}={number}" for status, number in sorted(facts.items()))
            found.append((f"{start}.facts", counted))
        if rules := sorted({item.rule for item in verdict.causes if item.severity != "info"}):
            found.append((f"{start}.rules", one_line(" ".join(rules))))
        if reasons := [f"{item.rule}: {item.waived.reason}" for item in verdict.causes if item.waived]:
            found.append((f"{start}.waived", one_line("; ".join(reasons))))
    return found


def _case(suite: ET.Element, group: str, name: str) -> ET.Element:
    names = {"classname": xml(one_line(group)), "name": xml(one_line(name)), "time": "0"}
    return ET.SubElement(suite, "testcase", names)


def _add_outcome(case: ET.Element, kind: str, message: str, text: str) -> None:
    ET.SubElement(case, kind, message=xml(one_line(message, 500))).text = xml(text)


def _properties(parent: ET.Element, found: Iterable[tuple[str, str]]) -> None:
    element = ET.SubElement(parent, "properties")
    for name, value in found:
        ET.SubElement(element, "property", name=xml(name), value=xml(value))

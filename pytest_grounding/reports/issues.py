"""Everything that is wrong in a run as one flat list, for the outputs that show places in files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import NamedTuple

from pytest_grounding._jsonio import content_hash
from pytest_grounding.model.finding import Finding, Severity
from pytest_grounding.model.run import RunReport
from pytest_grounding.model.verdict import Verdict
from pytest_grounding.reports.context import Context
from pytest_grounding.rules import ORDER

#: Rule of a transcript that failed without an error or a warning of its own.
GATE = "gate"
#: Rule of a row or file that could not be read.
UNREADABLE = "unreadable"


#: So many are shown at most: GitHub takes no more results of a run.
MOST = 5000


class Issue(NamedTuple):
    """One thing that is wrong."""

    rule: str
    severity: Severity
    message: str
    quote: str
    transcript: str
    path: str
    line: int
    fingerprint: str
    also: tuple[str, ...] = ()
    waived: str = ""

    @property
    def text(self) -> str:
        """Transcript, words and message in one sentence."""
        about = f' "{self.quote}":' if self.quote else ""
        also = f" (also {', '.join(self.also)})" if self.also else ""
        return f"{self.transcript}:{about} {self.message}{also}" if self.transcript else self.message


class Issues(list[Issue]):
    """What is wrong in a run: the gravest first, then by transcript; at most `MOST` of each severity."""

    def __init__(self, found: Iterable[Issue], numbers: Mapping[str, int]) -> None:
        super().__init__(found)
        self.numbers = Counter(numbers)

    @property
    def shown(self) -> list[Issue]:
        """The gravest, at most `MOST` in all."""
        return self[:MOST]

    @property
    def left_out(self) -> int:
        """How many are not shown."""
        return self.numbers.total() - len(self.shown)


def issues(report: RunReport, context: Context, *, lowest: Severity = "warning") -> Issues:
    """What is wrong in a run, the gravest first, then by transcript."""
    failed = frozenset(report.run.failed)
    kept: dict[str, list[Issue]] = {name: [] for name in ORDER if ORDER[name] <= ORDER[lowest]}
    numbers: Counter[str] = Counter()
    of_verdicts = (_of_verdict(item, context, failed=item.id in failed) for item in report.transcripts)
    for item in chain(_unreadable(report, context), chain.from_iterable(of_verdicts)):
        if item.severity in kept:
            numbers[item.severity] += 1
            if len(kept[item.severity]) < MOST:
                kept[item.severity].append(item)
    ordered = sorted(kept, key=lambda name: ORDER[name])
    return Issues(_numbered([item for name in ordered for item in kept[name]]), numbers)


def _of_verdict(verdict: Verdict, context: Context, *, failed: bool) -> Iterator[Issue]:
    path = context.path(verdict.source) if verdict.source else ""
    line = verdict.answer_line or verdict.line or 1
    for finding in verdict.findings:
        yield Issue(
            finding.rule,
            finding.severity,
            finding.message,
            words(verdict, finding),
            verdict.id,
            path,
            line,
            "",
            finding.rules[1:],
            _waived(finding),
        )
    if failed and all(finding.severity == "info" for finding in verdict.findings):
        yield Issue(GATE, "error", f"{verdict.status}: {verdict.reason}", "", verdict.id, path, line, "")


def _waived(finding: Finding) -> str:
    if finding.waived is None:
        return ""
    return ", ".join(text for text in (finding.waived.reason, finding.waived.by) if text)


def words(verdict: Verdict, finding: Finding) -> str:
    """The words of the answer that a finding is about: its claim, else its citation, else ""."""
    if finding.claim is not None and finding.claim < len(verdict.claims):
        return verdict.claims[finding.claim].text
    if finding.citation is not None and finding.citation < len(verdict.citations):
        return verdict.citations[finding.citation].text
    return ""


def _unreadable(report: RunReport, context: Context) -> Iterator[Issue]:
    for problem in report.run.problems:
        path, colon, line = problem.place.rpartition(":")
        if not colon or not line.isdecimal():
            path, line = problem.place, "1"
        shown = context.path(path)
        message = problem.message.replace(path, shown)
        yield Issue(UNREADABLE, "error", message, "", "", shown, int(line), "")


def _numbered(found: list[Issue]) -> list[Issue]:
    """The same with fingerprints: equal issues are told apart by their number."""
    seen: Counter[tuple[str, ...]] = Counter()
    named = []
    for item in found:
        key = (item.rule, item.transcript, item.path, item.quote, item.message)
        named.append(item._replace(fingerprint=content_hash([*key, seen[key]])))
        seen[key] += 1
    return named

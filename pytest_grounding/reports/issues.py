"""The issues of a run as a list: SARIF 2.1.0 (OASIS Standard, 2020) and GitLab code quality."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from importlib.metadata import metadata
from itertools import chain
from typing import Any

from pytest_grounding._io.jsonio import content_hash
from pytest_grounding._io.wording import if_known
from pytest_grounding.model.finding import Cause, Finding, Severity
from pytest_grounding.model.run_report import RunReport
from pytest_grounding.model.verdict import CitationVerdict, ClaimVerdict, Verdict
from pytest_grounding.reports.escaping import one_line, sarif_message, uri_path
from pytest_grounding.reports.report_links import LinkContext
from pytest_grounding.rules import ORDER, RULES, describe, graded
from pytest_grounding.settings import Settings

#: Rule of a transcript that failed without an error or warning of its own.
GATE = "gate"
#: Rule of a row or file that could not be read.
UNREADABLE = "unreadable"


#: Most results shown: GitHub accepts no more per run.
MOST = 5000
SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
#: The page of the distribution, which links to all others.
HOME = "https://pypi.org/project/{name}/"
_SEMANTIC = re.compile(r"(?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*)){2}")
_LEVELS = {"error": "error", "warning": "warning", "info": "note"}
_SEVERITIES = {"error": "critical", "warning": "major", "info": "info"}
#: GitLab requires a file for each entry; a transcript made in code has none.
NO_FILE = "(made in code)"


@dataclass(frozen=True, slots=True)
class Issue:
    """One issue."""

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
        if not self.transcript:
            return self.message
        quote, also = if_known(' "{}":', self.quote), if_known(" (also {})", ", ".join(self.also))
        return f"{self.transcript}:{quote} {self.message}{also}"


class Issues(list[Issue]):
    """The issues of a run, most severe first, then by transcript; at most `MOST` of each severity."""

    def __init__(self, found: Iterable[Issue], numbers: Mapping[str, int]) -> None:
        super().__init__(found)
        self.numbers = Counter(numbers)

    @property
    def shown(self) -> list[Issue]:
        """The most severe, at most `MOST` in all."""
        return self[:MOST]

    @property
    def left_out(self) -> int:
        """How many are not shown."""
        return self.numbers.total() - len(self.shown)


def issues(report: RunReport, context: LinkContext, *, lowest: Severity = "warning") -> Issues:
    """The issues of a run, most severe first, then by transcript."""
    failed = {name: f"golden: {found[0].message}" for name, found in report.run.goldens.items()}
    failed = dict.fromkeys(report.run.failed, "") | failed
    kept: dict[str, list[Issue]] = {name: [] for name in ORDER if ORDER[name] <= ORDER[lowest]}
    numbers: Counter[str] = Counter()
    of_verdicts = (_of_verdict(item, context, failed.get(item.id)) for item in report.transcripts)
    for item in chain(_unreadable_issues(report, context), chain.from_iterable(of_verdicts)):
        if item.severity in kept:
            numbers[item.severity] += 1
            if len(kept[item.severity]) < MOST:
                kept[item.severity].append(item)
    ordered = sorted(kept, key=lambda name: ORDER[name])
    return Issues(_with_fingerprints([item for name in ordered for item in kept[name]]), numbers)


def _of_verdict(verdict: Verdict, context: LinkContext, failed: str | None) -> Iterator[Issue]:
    path = context.path(verdict.source) if verdict.source else ""
    place = (verdict.id, path, verdict.answer_line or verdict.line or 1, "")
    severities = set()
    for finding in verdict.findings:
        severities.add(finding.severity)
        said = (finding.rule, finding.severity, finding.message, words(verdict, finding))
        yield Issue(*said, *place, finding.rules[1:], _excuse(finding))
    if failed is not None and severities <= {"info"}:
        yield Issue(GATE, "error", failed or f"{verdict.status}: {verdict.reason}", "", *place)


def _excuse(finding: Finding) -> str:
    if (waived := finding.waived) is None:
        return ""
    return ", ".join(filter(None, (waived.reason, waived.by)))


def claim_of(finding: Cause, verdict: Verdict) -> ClaimVerdict | None:
    """The claim of a finding, or None."""
    if finding.claim is None or finding.claim >= len(verdict.claims):
        return None
    return verdict.claims[finding.claim]


def citation_of(finding: Cause, verdict: Verdict) -> CitationVerdict | None:
    """The citation of a finding, or None."""
    if finding.citation is None or finding.citation >= len(verdict.citations):
        return None
    return verdict.citations[finding.citation]


def words(verdict: Verdict, finding: Finding) -> str:
    """The words of the answer that a finding is about: its claim, its citation, or ""."""
    subject = claim_of(finding, verdict) or citation_of(finding, verdict)
    return "" if subject is None else subject.text


def _unreadable_issues(report: RunReport, context: LinkContext) -> Iterator[Issue]:
    for problem in report.run.problems:
        path, colon, line = problem.place.rpartition(":")
        if not colon or not line.isdecimal():
            path, line = problem.place, "1"
        shown = context.path(path)
        message = problem.message.replace(path, shown)
        yield Issue(UNREADABLE, "error", message, "", "", shown, int(line), "")


def _with_fingerprints(found: list[Issue]) -> list[Issue]:
    seen: Counter[tuple[str, ...]] = Counter()
    named = []
    for item in found:
        key = (item.rule, item.transcript, item.path, item.quote, item.message)
        named.append(replace(item, fingerprint=content_hash([*key, seen[key]])))
        seen[key] += 1
    return named


def sarif(report: RunReport, context: LinkContext) -> str:
    """One run with a result for each finding, most severe first, at most `MOST`."""
    found = issues(report, context, lowest="info")
    kept = found.shown
    rules = sorted({rule for item in kept for rule in (item.rule, *item.also)})
    versions = sorted({verdict.engine_version for verdict in report.transcripts})
    driver: dict[str, Any] = {**_release(), "rules": list(map(_sarif_rule, rules))}
    if versions:
        driver["properties"] = {"engineVersions": versions}
    run: dict[str, Any] = {
        "tool": {"driver": driver},
        "automationDetails": {"id": "pytest-grounding/"},
        "columnKind": "unicodeCodePoints",
        "results": [_sarif_result(item, rules.index(item.rule)) for item in kept],
    }
    if found.left_out:
        run["properties"] = {"leftOut": found.left_out}
    document = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(document, ensure_ascii=False, indent=1, sort_keys=True, allow_nan=False) + "\n"


def _release() -> dict[str, str]:
    installed = metadata("pytest-rag-grounding")
    version, home = installed["Version"], HOME.format(name=installed["Name"])
    found = {"name": "pytest-grounding", "version": version, "informationUri": home}
    # Development versions are not semantic versions, which this field requires.
    if _SEMANTIC.fullmatch(version):
        found["semanticVersion"] = version
    return found


def _sarif_rule(name: str) -> dict[str, Any]:
    known = RULES.get(name)
    if known is None:
        words = sarif_message(name.replace("_", " ")) or name
        return {"id": one_line(name), "shortDescription": {"text": words}}
    title = known.title[0].upper() + known.title[1:]
    more = f"Severity: {known.severity_in_words}. Waiver: {known.waiver}. More: `docs/{known.page}`"
    parts = [f"{title}.", "\n".join(["```text", *known.example_lines, "```"]), known.advice, more]
    return {
        "id": name,
        "shortDescription": {"text": title},
        "fullDescription": {"text": f"{title}. {known.advice}"},
        "help": {"text": describe(name), "markdown": "\n\n".join(parts)},
        "helpUri": _release()["informationUri"],
        "defaultConfiguration": {"level": _LEVELS[graded(name, Settings())]},
    }


def _sarif_result(item: Issue, rule_index: int) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": one_line(item.rule),
        "ruleIndex": rule_index,
        "level": _LEVELS[item.severity],
        "message": {"text": sarif_message(item.text) or item.rule},
        "partialFingerprints": {"pytestGrounding/v1": item.fingerprint},
    }
    if item.also:
        result["properties"] = {"alsoRules": list(map(one_line, item.also))}
    if item.waived:
        why = sarif_message(item.waived)
        result["suppressions"] = [{"kind": "external", "status": "accepted", "justification": why}]
    location: dict[str, Any] = {}
    if item.path:
        location["physicalLocation"] = {
            "artifactLocation": {"uri": uri_path(item.path), "uriBaseId": "%SRCROOT%"},
            "region": {"startLine": max(item.line, 1)},
        }
    if item.transcript:
        location["logicalLocations"] = [{"name": one_line(item.transcript), "kind": "member"}]
    if location:
        result["locations"] = [location]
    return result


def gitlab(report: RunReport, context: LinkContext) -> str:
    """A list with an entry for each error and warning; one more entry counts those left out."""
    found = issues(report, context)
    entries = [
        _entry(item.rule, item.severity, item.text, item.path, item.line, item.fingerprint)
        for item in found.shown
    ]
    if found.left_out:
        text = f"{found.left_out} more findings are not in this list"
        digest = content_hash(["left_out", found.left_out])
        entries.append(_entry("left_out", "info", text, "", 1, digest))
    return json.dumps(entries, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def _entry(
    name: str, severity: Severity, text: str, path: str, line: int, fingerprint: str
) -> dict[str, Any]:
    return {
        "check_name": one_line(name),
        "description": one_line(text, 1000),
        "fingerprint": fingerprint,
        "location": {"lines": {"begin": max(line, 1)}, "path": one_line(path) or NO_FILE},
        "severity": _SEVERITIES[severity],
    }

"""The report of a run as SARIF 2.1.0 (OASIS Standard, 2020), for code scanning."""

from __future__ import annotations

import json
import re
from importlib.metadata import metadata
from typing import Any

from pytest_grounding.model.run import RunReport
from pytest_grounding.reports.context import Context
from pytest_grounding.reports.issues import MOST as MOST
from pytest_grounding.reports.issues import Issue, issues
from pytest_grounding.reports.neutral import one_line, sarif_message, uri_path
from pytest_grounding.rules import RULES, describe, graded
from pytest_grounding.settings import Settings

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

#: The page of the distribution, which leads to all others.
HOME = "https://pypi.org/project/{name}/"
_SEMANTIC = re.compile(r"(?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*)){2}")
_LEVELS = {"error": "error", "warning": "warning", "info": "note"}


def render(report: RunReport, context: Context) -> str:
    """One run with one result for each finding; the gravest come first, and at most `MOST`."""
    found = issues(report, context, lowest="info")
    kept = found.shown
    rules = sorted({rule for item in kept for rule in (item.rule, *item.also)})
    versions = sorted({verdict.engine_version for verdict in report.transcripts})
    run: dict[str, Any] = {
        "tool": {
            "driver": {
                **_release(),
                "rules": [_rule(name) for name in rules],
                **({"properties": {"engineVersions": versions}} if versions else {}),
            }
        },
        "automationDetails": {"id": "pytest-grounding/"},
        "columnKind": "unicodeCodePoints",
        "results": [_result(item, rules.index(item.rule)) for item in kept],
    }
    if found.left_out:
        run["properties"] = {"leftOut": found.left_out}
    document = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(document, ensure_ascii=False, indent=1, sort_keys=True, allow_nan=False) + "\n"


def _release() -> dict[str, str]:
    """Name, version and home of the tool, as it is installed."""
    installed = metadata("pytest-rag-grounding")
    version = installed["Version"]
    found = {
        "name": "pytest-grounding",
        "version": version,
        "informationUri": HOME.format(name=installed["Name"]),
    }
    # A version of development is none of semantic versioning, and the field is for no other.
    return {**found, "semanticVersion": version} if _SEMANTIC.fullmatch(version) else found


def _rule(name: str) -> dict[str, Any]:
    """What is known of a rule; of one of an extension that is its name."""
    known = RULES.get(name)
    if known is None:
        words = sarif_message(name.replace("_", " ")) or name
        return {"id": one_line(name), "shortDescription": {"text": words}}
    title = known.title[0].upper() + known.title[1:]
    example = "\n".join(known.example_lines)
    return {
        "id": name,
        "shortDescription": {"text": title},
        "fullDescription": {"text": f"{title}. {known.advice}"},
        "help": {
            "text": describe(name),
            "markdown": f"{title}.\n\n```text\n{example}\n```\n\n{known.advice}\n\n"
            f"Severity: {known.severity_in_words}. Waiver: {known.waiver}. More: `docs/{known.page}`",
        },
        "helpUri": _release()["informationUri"],
        "defaultConfiguration": {"level": _LEVELS[graded(name, Settings())]},
    }


def _result(item: Issue, rule_index: int) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": one_line(item.rule),
        "ruleIndex": rule_index,
        "level": _LEVELS[item.severity],
        "message": {"text": sarif_message(item.text) or item.rule},
        "partialFingerprints": {"pytestGrounding/v1": item.fingerprint},
    }
    if item.also:
        result["properties"] = {"alsoRules": [one_line(name) for name in item.also]}
    if item.waived:
        why = sarif_message(item.waived)
        result["suppressions"] = [{"kind": "external", "status": "accepted", "justification": why}]
    location: dict[str, Any] = {}
    if item.path:
        location["physicalLocation"] = {
            "artifactLocation": _artifact(item.path),
            "region": {"startLine": max(item.line, 1)},
        }
    if item.transcript:
        location["logicalLocations"] = [{"name": one_line(item.transcript), "kind": "member"}]
    if location:
        result["locations"] = [location]
    return result


def _artifact(path: str) -> dict[str, Any]:
    return {"uri": uri_path(path), "uriBaseId": "%SRCROOT%"}

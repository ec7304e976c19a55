"""The report of a run as GitLab's code-quality JSON, shown in merge requests."""

from __future__ import annotations

import json

from pytest_grounding.model.run import RunReport
from pytest_grounding.reports.context import Context
from pytest_grounding.reports.issues import issues
from pytest_grounding.reports.neutral import one_line

_SEVERITIES = {"error": "critical", "warning": "major", "info": "info"}

#: GitLab wants a file for each entry; a transcript made in code has none.
NO_FILE = "(made in code)"


def render(report: RunReport, context: Context) -> str:
    """A list with one entry for each error and warning."""
    entries = [
        {
            "check_name": one_line(item.rule),
            "description": one_line(item.text, 1000),
            "fingerprint": item.fingerprint,
            "location": {"lines": {"begin": max(item.line, 1)}, "path": one_line(item.path) or NO_FILE},
            "severity": _SEVERITIES[item.severity],
        }
        for item in issues(report, context)
    ]
    return json.dumps(entries, ensure_ascii=False, indent=1, sort_keys=True) + "\n"

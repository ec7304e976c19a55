"""The report of a run as GitLab's code-quality JSON, shown in merge requests."""

from __future__ import annotations

import json
from typing import Any

from pytest_grounding._jsonio import content_hash
from pytest_grounding.model.run import RunReport
from pytest_grounding.reports.context import Context
from pytest_grounding.reports.issues import issues
from pytest_grounding.reports.neutral import one_line

_SEVERITIES = {"error": "critical", "warning": "major", "info": "info"}

#: GitLab wants a file for each entry; a transcript made in code has none.
NO_FILE = "(made in code)"


def render(report: RunReport, context: Context) -> str:
    """A list with one entry for each error and warning; what is left out is one more entry."""
    found = issues(report, context)
    entries: list[dict[str, Any]] = [
        {
            "check_name": one_line(item.rule),
            "description": one_line(item.text, 1000),
            "fingerprint": item.fingerprint,
            "location": {"lines": {"begin": max(item.line, 1)}, "path": one_line(item.path) or NO_FILE},
            "severity": _SEVERITIES[item.severity],
        }
        for item in found.shown
    ]
    if found.left_out:
        entries.append(
            {
                "check_name": "left_out",
                "description": f"{found.left_out} more findings are not in this list",
                "fingerprint": content_hash(["left_out", found.left_out]),
                "location": {"lines": {"begin": 1}, "path": NO_FILE},
                "severity": "info",
            }
        )
    return json.dumps(entries, ensure_ascii=False, indent=1, sort_keys=True) + "\n"

"""The command that waives a finding, fit to be copied into a shell."""

from __future__ import annotations

import re
import shlex

from pytest_grounding.model.finding import Cause
from pytest_grounding.model.verdict import Verdict
from pytest_grounding.reports.neutral import visible
from pytest_grounding.waivers import NEVER_WAIVED

# A shell reads a quoted word as it is; what a terminal would not show, or act upon, must not be in it.
_UNFIT = re.compile(r"[^ -~\u00a1-\uffff]")


def waive_command(finding: Cause, verdict: Verdict) -> str:
    """The command line that waives a finding, or "" where none does."""
    if finding.severity == "info" or finding.waived is not None or finding.rule in NEVER_WAIVED:
        return ""
    if finding.claim is not None:
        return _command(verdict, f"--claim={finding.claim + 1}")
    return _command(verdict, f"--rule={finding.rule}")


def waive_confidence(verdict: Verdict) -> str:
    """The command line that accepts a confidence which alone holds an answer back, else ""."""
    if (
        verdict.status == "pass"
        or verdict.skipped
        or any(finding.severity != "info" for finding in verdict.findings)
    ):
        return ""
    return _command(verdict, "--rule=low_confidence")


def _command(verdict: Verdict, which: str) -> str:
    """The command; "" for a transcript made in code, and for names that a terminal would not show."""
    words = [verdict.source or "", f"--id={verdict.id}", which]
    if not verdict.source or any(_UNFIT.search(word) or visible(word) != word for word in words):
        return ""
    return f"pytest-grounding waive {shlex.join(words)} --reason 'WHY'"

"""The command that waives a finding, fit to be copied into a shell."""

from __future__ import annotations

import re
import shlex

from pytest_grounding.model.verdict import Cause, Verdict
from pytest_grounding.reports.neutral import visible
from pytest_grounding.waivers import NEVER_WAIVED

# A shell reads a quoted word as it is; what a terminal would not show, or act upon, must not be in it.
_UNFIT = re.compile(r"[^ -~\u00a1-\uffff]")


def waive_command(finding: Cause, verdict: Verdict) -> str:
    """The command line that waives a finding, or "" where none does.

    None does for a note, a rule that cannot be waived, a transcript made in code, and a name that holds
    what a terminal would not show.
    """
    if finding.severity == "info" or finding.waived is not None or finding.rule in NEVER_WAIVED:
        return ""
    words = [verdict.source or "", "--transcript", verdict.id, "--rule", finding.rule]
    if finding.claim is not None:
        words += ["--claim", str(finding.claim + 1)]
    if not verdict.source or any(_UNFIT.search(word) or visible(word) != word for word in words):
        return ""
    return f"pytest-grounding waive {shlex.join(words)} --reason 'WHY'"

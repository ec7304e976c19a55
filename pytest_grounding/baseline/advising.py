"""That a judge of a run only warned, for the gate's notes."""

from __future__ import annotations

from collections.abc import Iterable

from pytest_grounding._wording import counted
from pytest_grounding.model.verdict import Verdict

RULE = "judge_warns"


def warned(verdicts: Iterable[Verdict]) -> str:
    """What a judge that decides nothing said in a run, in words, or ""."""
    transcripts = rejected = 0
    why = ""
    for verdict in verdicts:
        found = [finding for finding in verdict.findings if finding.rule == RULE]
        transcripts += bool(found)
        rejected += sum(finding.claim is not None for finding in found)
        why = why or next((finding.message for finding in found if finding.claim is None), "")
    if not transcripts:
        return ""
    number = counted(rejected, "claim")
    return f"{why}; it alone rejects {number} in {counted(transcripts, 'transcript')}, which fails nothing"

"""That a judge of a run only warned, for the gate's notes."""

from __future__ import annotations

from pytest_grounding._wording import counted
from pytest_grounding.baseline.tally import Tally


def warned(tally: Tally) -> str:
    """What a judge that decides nothing said in a run, in words, or ""."""
    transcripts, rejected = tally.counts["judge_warned"], tally.counts["judge_warned_claims"]
    if not transcripts:
        return ""
    first = tally.firsts.get("judge_warned")
    number = counted(rejected, "claim")
    why = first[0][2] if first else ""
    return f"{why}; it alone rejects {number} in {counted(transcripts, 'transcript')}, which fails nothing"

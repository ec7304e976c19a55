"""What a change does to the answer as a whole: nothing at all, or a repair."""

from __future__ import annotations

from collections.abc import Sequence

from pytest_grounding.golden.changes import BESIDE_RULES, Change, grade_of
from pytest_grounding.golden.decisions import decisions
from pytest_grounding.golden.record import Golden
from pytest_grounding.golden.store import Store
from pytest_grounding.model.verdict import Verdict

_HELD_BACK = ("reject", "review")


def is_unaffected(golden: Golden, candidate: Golden, changes: Sequence[Change]) -> bool:
    """Neither the claims nor the citations nor the decision changed: nobody needs to look.

    Only chunks, their scores, other fields of the recording, the settings or the engine did. The verdicts
    are compared as they were given, so that an engine which judges the accepted recording otherwise is seen.

    Args:
        golden: the accepted recording, as it was judged then.
        candidate: the new one.
        changes: what changed between them.
    """
    beside = all(item.rule in BESIDE_RULES for item in changes)
    return beside and _outcome(golden.verdict) == _outcome(candidate.verdict)


def _outcome(verdict: Verdict) -> tuple[object, ...]:
    claims = tuple((claim.checked, claim.status, claim.waived is None) for claim in verdict.claims)
    return verdict.status, verdict.declined, claims, tuple(item.valid for item in verdict.citations)


def repair(store: Store, golden: Golden | None, candidate: Golden, changes: Sequence[Change]) -> str:
    """What was put right in a recording that passes and lost nothing, one clause; "" where nothing was.

    Held back was the accepted recording itself, whose errors are gone, or the last candidate, after which
    the claims of the golden are back.

    Args:
        store: the store of the candidate, which still holds the candidate before.
        golden: the accepted recording, or None.
        candidate: the new one.
        changes: what changed between them.
    """
    if golden is None or candidate.verdict.status != "pass" or grade_of(changes) == "regression":
        return ""
    if golden.verdict.status in _HELD_BACK:
        return f"was {golden.verdict.status}, is pass: its errors are gone"
    last = store.pending(candidate.id)
    if last is not None and last.candidate.verdict.transcript_hash == candidate.verdict.transcript_hash:
        return last.repaired
    if last is not None:
        was: object = last.candidate.verdict.status
    else:
        # A candidate that was rejected is forgotten; the log remembers how it stood.
        made = list(decisions(store, candidate.id))[-1:]
        was = made[0].get("status") if made and made[0].get("decision") == "reject" else ""
    return f"was {was}, is pass: the golden's claims are back" if was in _HELD_BACK else ""

"""Did the answer decline, and was that right: the four cells of abstention, and the answers beside them."""

from __future__ import annotations

from pytest_grounding.checks.check_context import CheckContext
from pytest_grounding.claims.refusals import lack_of
from pytest_grounding.claims.splitting import is_half_declined
from pytest_grounding.model.finding import Abstention
from pytest_grounding.model.verdict import RetrievalVerdict


def cell_of(context: CheckContext, retrieval: RetrievalVerdict, *, parts: int = 1) -> Abstention:
    """The cell in which an answer stands."""
    present = retrieval.answer_present
    if context.declined:
        if present == "partial":
            # Of several parts the chunks hold one that was not given; of one, its topic alone.
            return "over_refusal" if parts > 1 else "rightly_declined"
        return {"full": "over_refusal", "none": "rightly_declined"}.get(present, "untold")  # type: ignore[return-value]
    checked = [claim for claim in context.claims if claim.checked and lack_of(claim.bare) is None]
    if not checked:
        return "untold"
    if is_half_declined(context.claims):
        return "half_declined"
    if present == "abstain":
        return "untold"
    backed = _backed(context, present)
    if present in ("full", "partial"):
        # What stands in no source was not taken from what the sources hold, whatever else they do.
        return "answered_absent" if backed is False else "answered"
    # Where the sources back every claim, the answer was found there, however the question was put.
    return "answered" if _is_all_backed(context) else "answered_absent"


def _is_all_backed(context: CheckContext) -> bool:
    scores = [score for score in context.supports if score is not None]
    least = context.settings.supported_threshold
    return bool(scores) and all(
        (score.probability or 0.0) >= least
        and not any(found.severity == "error" for found in score.conflicts)
        for score in scores
    )


def _backed(context: CheckContext, present: str) -> bool | None:
    """Whether a source backs some claim: it is then on what the sources hold."""
    scores = [score for score in context.supports if score is not None and score.probability is not None]
    if not scores:
        return None
    least = context.settings.borderline_threshold
    if present == "full":
        return any((score.probability or 0.0) >= least - _OTHER_WORDS or score.conflicts for score in scores)
    return any((score.probability or 0.0) >= least for score in scores)


#: What an answer in other words than the sources' may lack in support.
_OTHER_WORDS = 0.15

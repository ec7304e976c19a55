"""A judge whose agreement with people is too low, or not measured, only warns: the engine decides alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from pytest_grounding.checks.base import CheckContext
from pytest_grounding.checks.ruled import Decided, Rulings
from pytest_grounding.errors import ScorerError
from pytest_grounding.model.finding import EngineOpinion, Finding, Opinions
from pytest_grounding.model.verdict import ClaimVerdict
from pytest_grounding.scorers.judge import Judge, Ruling
from pytest_grounding.scorers.judge.base import only_warns
from pytest_grounding.settings import Settings

RULE = "judge_warns"
_MEASURE = "measure it: pytest-grounding calibrate --judge LABELS -o FILE, named in judge_measured"
_BACKED = frozenset({"supported", "borderline"})


# The base is for the type checker: `frozen` makes a class of its own, which has all that is asked of it.
@dataclass(frozen=True, slots=True)
class Advice(Rulings):
    """What a judge says that only warns.

    Attributes:
        judge: its name.
        model: its model, or "".
        by_claim: index of a claim -> its ruling, or why there is none.
        why: why it decides nothing, in words.
    """

    judge: str = ""
    model: str = ""
    by_claim: Mapping[int, Ruling | ScorerError] = field(default_factory=dict)
    why: str = ""

    def on(self, index: int, engine: EngineOpinion) -> Opinions:
        """Both opinions; the judge's decides nothing."""
        return Rulings.on(self, index, engine).model_copy(update={"judge_warns": True})

    def decide(self, opinions: Opinions, settings: Settings) -> Decided:
        """What the engine says."""
        engine = opinions.engine
        return Decided(engine.status, engine.method, engine.reason)

    def findings(self, claims: Sequence[ClaimVerdict], settings: Settings) -> list[Finding]:
        """That it only warns, and what it alone rejects."""
        if not self.by_claim:
            return []
        who = " ".join(part for part in (self.judge, self.model) if part)
        found = [_note(f"the judge {who} only warns: {self.why}", _MEASURE)]
        for claim in claims:
            opinions = claim.opinions
            if opinions is None or opinions.engine.status not in _BACKED or opinions.judge.value == "full":
                continue
            said = opinions.judge.value or "could not tell"
            message = f"the judge, which only warns, says: {said}: {opinions.judge.reason}"
            found.append(
                _note(message, "read the evidence: the engine alone decides here").model_copy(
                    update={
                        "claim": claim.index,
                        "span": (claim.start, claim.end),
                        "evidence": claim.evidence[:1],
                    }
                )
            )
        return found


def advised(rulings: Rulings, context: CheckContext, judge: Judge) -> Rulings:
    """The same rulings, as advice alone where the judge does not decide."""
    why = only_warns(context.settings, judge)
    if not why:
        return rulings
    return Advice(rulings.judge, rulings.model, rulings.by_claim, why)


def _note(message: str, advice: str) -> Finding:
    return Finding(rule=RULE, severity="info", message=message, suggestion=advice)

"""What the engine and a judge say of one claim, side by side."""

# No postponed annotations here: pydantic would compile each of them once more, at every import.
from typing import Any, ClassVar, Literal

from pydantic import model_validator

from pytest_grounding.model._base import Model, Sparse

ClaimStatus = Literal["supported", "borderline", "unsupported", "contradicted", "abstained", "unchecked"]
Method = Literal["exact_match", "lexical", "semantic_similarity", "rerank", "llm_judge"]

_BACKED = frozenset({"supported", "borderline"})
_HELD_BACK = frozenset({"unsupported", "contradicted"})


class EngineOpinion(Model):
    """What a claim would be without a judge.

    Attributes:
        status: its status by the scorer alone.
        support: the scorer's support in [0, 1], or None where it abstained.
        method: how that came about.
        reason: why, in words.
    """

    status: ClaimStatus
    support: float | None = None
    method: Method | None = None
    reason: str = ""


class JudgeOpinion(Model):
    """What a judge says of a claim.

    Attributes:
        value: full, partial or none; None where it could not tell.
        reason: why, in its words, or why it could not tell.
        judge: its name.
        model: its model, or "" where it does not say.
    """

    value: str | None
    reason: str = ""
    judge: str = ""
    model: str = ""

    @model_validator(mode="before")
    @classmethod
    def _without_votes(cls, value: Any) -> Any:
        """Files of earlier versions hold the votes of panels."""
        return (
            {key: item for key, item in value.items() if key != "votes"} if isinstance(value, dict) else value
        )


class Opinions(Sparse):
    """Both opinions on one claim; its status follows the judge wherever that one could tell.

    Attributes:
        engine: what it would be without a judge.
        judge: what the judge says.
        judge_warns: the judge's agreement with people is too low or not measured: it decides nothing, and the
            status is the engine's.
    """

    left_out: ClassVar[tuple[str, ...]] = ("judge_warns",)

    judge_warns: bool = False
    engine: EngineOpinion
    judge: JudgeOpinion

    @property
    def has_ruled(self) -> bool:
        """Whether the judge could tell."""
        return self.judge.value in {"full", "partial", "none"}

    @property
    def differ(self) -> bool:
        """Whether the judge overrules the engine; an engine that abstained has no opinion."""
        if not self.has_ruled or self.judge_warns:
            return False
        return self.engine.status in (_HELD_BACK if self.judge.value == "full" else _BACKED)

    def __str__(self) -> str:
        """Both in one line, for people."""
        engine = self.engine
        support = "" if engine.support is None else f" (support {engine.support:.2f})"
        note = " (only warns)" if self.judge_warns else ""
        return f"engine: {engine.status}{support}; {said_by(self.judge)}{note}"


def said_by(judge: JudgeOpinion) -> str:
    """The judge's opinion in words: who, what and why."""
    named = " ".join(part for part in (judge.judge, judge.model) if part)
    who = f"judge {named}" if named else "judge"
    reason = f" ({judge.reason})" if judge.reason else ""
    return f"{who}: {judge.value or 'could not tell'}{reason}"

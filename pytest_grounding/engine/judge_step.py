"""What a judge is asked, the claims in its scope, and whether its rulings decide or only warn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from pytest_grounding.checks.check_context import CheckContext
from pytest_grounding.checks.citation import CitationOutcome
from pytest_grounding.checks.hallucination import is_full, status_of
from pytest_grounding.checks.judge_rulings import Decided, Rulings
from pytest_grounding.engine.screening import trusted
from pytest_grounding.errors import ScorerError
from pytest_grounding.model.finding import EngineOpinion, Finding, Opinions
from pytest_grounding.model.transcript import Chunk
from pytest_grounding.model.verdict import ClaimVerdict
from pytest_grounding.reading.spans import Claim
from pytest_grounding.scorers.protocol import ClaimText
from pytest_grounding.scorers.remote.judge import Judge, Ruling
from pytest_grounding.scorers.remote.judge.contract import only_warns
from pytest_grounding.settings import Settings

if TYPE_CHECKING:
    from pytest_grounding.scorers.remote.judge import BatchJudge


RULE = "judge_warns"
_MEASURE = "measure it: pytest-grounding calibrate --judge LABELS -o FILE, named in judge_measured"
_BACKED = frozenset({"supported", "borderline"})


# The base is for the type checker: `frozen` makes a class of its own, which has all that is asked of it.
@dataclass(frozen=True, slots=True)
class Advice(Rulings):
    """What a judge says that only warns."""

    judge: str = ""
    model: str = ""  # its model, or ""
    #: Index of a claim -> its ruling, or why there is none.
    by_claim: Mapping[int, Ruling | ScorerError] = field(default_factory=dict)
    why: str = ""  # why it decides nothing, in words

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


def rulings_of(context: CheckContext, judge: BatchJudge) -> Rulings:
    """What a judge says of the claims that the setting ``judge_scope`` puts before it, asked all at once."""
    chunks = trusted(context.transcript.chunks, context.settings)
    claims = [claim for claim in context.claims if is_in_scope(context, claim)]
    named = (judge.name, getattr(judge, "model", ""))
    if not claims or not any(chunk.text.strip() for chunk in chunks):
        return advised(Rulings(*named), context, judge)
    answers = said_of(context, judge, claims, chunks)
    by_claim = {claim.index: answer for claim, answer in zip(claims, answers, strict=True)}
    return advised(Rulings(*named, by_claim), context, judge)


def freed(cited: CitationOutcome, claims: Sequence[ClaimVerdict]) -> CitationOutcome:
    """The citations without what the engine doubts of a claim that a judge supports."""
    supported = {claim.index for claim in claims if is_full(claim)}

    def kept(findings: Sequence[Finding]) -> tuple[Finding, ...]:
        return tuple(
            one for one in findings if one.rule != "semantic_alignment" or one.claim not in supported
        )

    citations = tuple(
        item.model_copy(update={"findings": kept(item.findings)}) if item.findings else item
        for item in cited.citations
    )
    return replace(cited, citations=citations, findings=kept(cited.findings))


def said_of(
    context: CheckContext, judge: BatchJudge, claims: Sequence[Claim], chunks: Sequence[Chunk]
) -> list[Ruling | ScorerError]:
    """A judge's ruling on each claim by some chunks, or why there is none."""
    texts = [ClaimText(claim.bare, claim.context) for claim in claims]
    try:
        return judge.supports(texts, chunks, question=context.transcript.question)
    except ScorerError as error:
        return [error] * len(claims)


def is_in_scope(context: CheckContext, claim: Claim) -> bool:
    """Whether the judge is asked about a claim."""
    score, scope = context.supports[claim.index], context.settings.judge_scope
    if score is None or not claim.checked:
        return False
    status = status_of(score, context.settings)
    if scope == "borderline":
        return status == "borderline"
    return scope == "all" or status != "supported" or bool(score.conflicts)

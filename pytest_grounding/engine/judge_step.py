"""Ask a judge about the claims in its scope; its rulings decide or only warn."""

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


# The base class is for the type checker only.
@dataclass(frozen=True, slots=True)
class Advice(Rulings):
    """The rulings of a judge that only warns."""

    judge: str = ""
    model: str = ""  # its model, or ""
    #: Index of a claim -> its ruling, or the reason for none.
    by_claim: Mapping[int, Ruling | ScorerError] = field(default_factory=dict)
    why: str = ""  # why it does not decide, in words

    def on(self, index: int, engine: EngineOpinion) -> Opinions:
        """Both opinions; the engine's decides."""
        return Rulings.on(self, index, engine).model_copy(update={"judge_warns": True})

    def decide(self, opinions: Opinions) -> Decided:
        """The engine's status."""
        engine = opinions.engine
        return Decided(engine.status, engine.method, engine.reason)

    def findings(self, claims: Sequence[ClaimVerdict], settings: Settings) -> list[Finding]:
        """Report that the judge only warns, and the claims that only it rejects."""
        if not self.by_claim:
            return []
        who = " ".join(part for part in (self.judge, self.model) if part)
        found = [_note(f"the judge {who} only warns: {self.why}", _MEASURE)]
        for claim in claims:
            opinions = claim.opinions
            if opinions is None or opinions.engine.status not in _BACKED or opinions.judge.value == "full":
                continue
            said = opinions.judge.value or "could not decide"
            message = f"the judge, which only warns, answers: {said}: {opinions.judge.reason}"
            note = _note(message, "read the evidence: the engine alone decides here")
            place = {"claim": claim.index, "span": (claim.start, claim.end), "evidence": claim.evidence[:1]}
            found.append(note.model_copy(update=place))
        return found


def advised(rulings: Rulings, context: CheckContext, judge: Judge) -> Rulings:
    """The rulings, as warnings if the judge does not decide."""
    why = only_warns(context.settings, judge)
    if not why:
        return rulings
    return Advice(rulings.judge, rulings.model, rulings.by_claim, why)


def _note(message: str, advice: str) -> Finding:
    return Finding(rule=RULE, severity="info", message=message, suggestion=advice)


def rulings_of(context: CheckContext, judge: BatchJudge) -> Rulings:
    """The rulings on the claims in ``judge_scope``, all requested at once."""
    chunks = trusted(context.transcript.chunks, context.settings)
    claims = [claim for claim in context.claims if is_in_scope(context, claim)]
    named = (judge.name, getattr(judge, "model", ""))
    if not claims or not any(chunk.text.strip() for chunk in chunks):
        return advised(Rulings(*named), context, judge)
    answers = said_of(context, judge, claims, chunks)
    by_claim = {claim.index: answer for claim, answer in zip(claims, answers, strict=True)}
    return advised(Rulings(*named, by_claim), context, judge)


def freed(cited: CitationOutcome, claims: Sequence[ClaimVerdict]) -> CitationOutcome:
    """The citations without the engine's doubts about claims that the judge supports."""
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
    """The judge's ruling on each claim given some chunks, or the reason for none."""
    texts = [ClaimText(claim.bare, claim.context) for claim in claims]
    try:
        return judge.supports(texts, chunks, question=context.transcript.question)
    except ScorerError as error:
        return [error] * len(claims)


def is_in_scope(context: CheckContext, claim: Claim) -> bool:
    """Whether a claim is in the judge's scope."""
    score, scope = context.supports[claim.index], context.settings.judge_scope
    if score is None or not claim.checked:
        return False
    status = status_of(score, context.settings)
    if scope == "borderline":
        return status == "borderline"
    return scope == "all" or status != "supported" or bool(score.conflicts)

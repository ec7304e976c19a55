"""Ask a judge about the claims in its scope; its rulings decide or only warn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_grounding.checks.check_context import CheckContext, on_claim
from pytest_grounding.checks.citation import CitationOutcome
from pytest_grounding.checks.hallucination import HallucinationOutcome, is_full, status_of
from pytest_grounding.checks.judge_rulings import Decided, Rulings, is_unrecorded
from pytest_grounding.engine.screening import trusted
from pytest_grounding.errors import RECORD_JUDGE, ScorerError
from pytest_grounding.model.finding import BACKED, EngineOpinion, Finding, Opinions, finding_of
from pytest_grounding.model.verdict import ClaimVerdict
from pytest_grounding.reading.sentences import Claim
from pytest_grounding.scorers import ClaimText
from pytest_grounding.scorers.remote.judge import Judge, Ruling
from pytest_grounding.scorers.remote.judge.contract import only_warns
from pytest_grounding.settings import Settings

if TYPE_CHECKING:
    from pytest_grounding.scorers.remote.judge import BatchJudge

_MEASURE = "measure it: pytest-grounding calibrate --judge LABELS -o FILE, named in judge_measured"


@dataclass(frozen=True, slots=True)
class Advice(Rulings):
    """The rulings of a judge that only warns."""

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
        found = [finding_of("judge_warns", settings, f"the judge {who} only warns: {self.why}", _MEASURE)]
        for claim in claims:
            opinions = claim.opinions
            if opinions is None or opinions.engine.status not in BACKED or opinions.judge.value == "full":
                continue
            said = opinions.judge.value or "could not decide"
            message = f"the judge, which only warns, answers: {said}: {opinions.judge.reason}"
            advice = "read the evidence: the engine alone decides here"
            found.append(on_claim(claim, "judge_warns", settings, message, advice))
        return found


def advised(rulings: Rulings, context: CheckContext, judge: Judge) -> Rulings:
    """The rulings, as warnings if the judge does not decide."""
    why = only_warns(context.settings, judge)
    return Advice(rulings.judge, rulings.model, rulings.by_claim, why) if why else rulings


def rulings_of(context: CheckContext, judge: BatchJudge) -> Rulings:
    """The rulings on the claims in ``judge_scope``, all requested at once."""
    chunks = trusted(context.transcript.chunks, context.settings)
    claims = [claim for claim in context.claims if is_in_scope(context, claim)]
    if not any(chunk.text.strip() for chunk in chunks):
        claims = []
    texts = [ClaimText(claim.bare, claim.context) for claim in claims]
    answers: Sequence[Ruling | ScorerError]
    try:
        answers = judge.supports(texts, chunks, question=context.transcript.question) if texts else ()
    except ScorerError as error:
        answers = [error] * len(claims)
    by_claim = {claim.index: answer for claim, answer in zip(claims, answers, strict=True)}
    return advised(Rulings(judge.name, getattr(judge, "model", ""), by_claim), context, judge)


def freed(cited: CitationOutcome, claims: Sequence[ClaimVerdict]) -> CitationOutcome:
    """The citations without the engine's doubts about claims that the judge supports."""
    supported = {claim.index for claim in claims if is_full(claim)}

    def kept(found: Sequence[Finding]) -> tuple[Finding, ...]:
        return tuple(one for one in found if one.rule != "semantic_alignment" or one.claim not in supported)

    citations = tuple(
        item.model_copy(update={"findings": kept(item.findings)}) if item.findings else item
        for item in cited.citations
    )
    return cited._replace(citations=citations, findings=kept(cited.findings))


def with_remedies(claims: HallucinationOutcome, rulings: Rulings) -> HallucinationOutcome:
    """The outcome whose claims without a recorded ruling say how to record it."""

    def remedied(found: Finding) -> Finding:
        said = rulings.by_claim.get(found.claim) if found.claim is not None else None
        if found.rule == "abstained" and is_unrecorded(said):
            return found.model_copy(update={"suggestion": RECORD_JUDGE})
        return found

    return claims._replace(findings=tuple(map(remedied, claims.findings)))


def is_in_scope(context: CheckContext, claim: Claim) -> bool:
    """Whether a claim is in the judge's scope."""
    score, scope = context.supports[claim.index], context.settings.judge_scope
    if score is None or not claim.checked:
        return False
    if scope == "all":
        return True
    status, is_disputed = status_of(score, context.settings), bool(score.conflicts)
    if score.method == "exact_match" and status in BACKED and not is_disputed:
        return False  # a source states it in the same words
    if scope == "borderline":
        return status == "borderline"
    return status != "supported" or is_disputed

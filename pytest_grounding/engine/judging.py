"""The judge on the road: claim extraction, and the three Self-RAG checks."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from pytest_grounding.checks.base import CheckContext
from pytest_grounding.checks.ruled import failed
from pytest_grounding.checks.selfrag import SelfRagOutcome
from pytest_grounding.engine.advising import kept
from pytest_grounding.engine.asking import said_of
from pytest_grounding.engine.screening import trusted
from pytest_grounding.errors import ScorerError
from pytest_grounding.model.finding import Finding
from pytest_grounding.model.transcript import Transcript
from pytest_grounding.model.verdict import Judgement, ScorerFailure
from pytest_grounding.scorers.judge.measured import only_warns
from pytest_grounding.settings import Settings
from pytest_grounding.text.questions import asked_after
from pytest_grounding.text.spans import Claim

if TYPE_CHECKING:
    from pytest_grounding.checks.ruled import Rulings
    from pytest_grounding.scorers.judge import BatchJudge, Judge, Ruling


def overrule(
    context: CheckContext,
    judge: BatchJudge,
    outcome: SelfRagOutcome,
    *,
    known: Rulings | None = None,
    left_out: Collection[int] = (),
) -> tuple[SelfRagOutcome, list[Finding]]:
    """The judge's relevance, support and usefulness in place of the built-in ones."""
    transcript, before = context.transcript, outcome
    if context.declined or not transcript.answer.strip():
        return outcome, []
    findings: list[Finding] = []
    # The judge is asked about one question, so that a follow-up ("How long?") brings the turn it leans on.
    question = asked_after(transcript.question, transcript.history, context.language).text
    if transcript.chunks:
        ask = partial(judge.relevance, question, trusted(transcript.chunks, context.settings))
        ruling = _asked(context, judge.name, findings, ask)
        if ruling is not None:
            self_rag = outcome.self_rag.model_copy(update={"relevance": _judgement(ruling)})
            outcome = replace(outcome, self_rag=self_rag, relevant=ruling.value == "relevant")
    ruling = _asked(context, judge.name, findings, partial(judge.usefulness, question, transcript.answer))
    if ruling is not None:
        self_rag = outcome.self_rag.model_copy(update={"usefulness": _judgement(ruling)})
        outcome = replace(outcome, self_rag=self_rag, useful=ruling.value == "useful")
    checked = [claim for claim in context.claims if claim.checked and claim.index not in left_out]
    said = dict(known.by_claim) if known is not None else {}
    open_ = [claim for claim in checked if claim.index not in said]
    if open_:
        answers = said_of(context, judge, open_, trusted(transcript.chunks, context.settings))
        said.update({claim.index: answer for claim, answer in zip(open_, answers, strict=True)})
        for answer in answers:
            if isinstance(answer, ScorerError):
                _note(context, judge.name, findings, answer)
    rulings = [answer for claim in checked if not isinstance(answer := said[claim.index], ScorerError)]
    # One claim without a ruling, and the whole is the built-in one: the share would be of other claims.
    if rulings and len(rulings) == len(checked):
        outcome = _with_support(outcome, rulings)
    outcome, notes = kept(before, outcome, context, judge)
    return outcome, notes or findings


def _with_support(outcome: SelfRagOutcome, rulings: Sequence[Ruling]) -> SelfRagOutcome:
    """All, some or none of the claims are fully supported."""
    full = sum(ruling.value == "full" for ruling in rulings)
    some = any(ruling.value != "none" for ruling in rulings)
    value = "full" if full == len(rulings) else "partial" if some else "none"
    reason = f"the judge: {full} of {len(rulings)} claims are fully supported"
    self_rag = outcome.self_rag.model_copy(update={"support": Judgement(value=value, reason=reason)})
    return replace(outcome, self_rag=self_rag, support=value, support_share=full / len(rulings))


def _asked(
    context: CheckContext, judge: str, findings: list[Finding], ask: Callable[[], Ruling]
) -> Ruling | None:
    try:
        return ask()
    except ScorerError as error:
        _note(context, judge, findings, error)
        return None


def _note(context: CheckContext, judge: str, findings: list[Finding], error: ScorerError) -> None:
    finding = failed(judge, error, context.settings)
    if finding not in findings:
        findings.append(finding)


def _judgement(ruling: Ruling) -> Judgement:
    return Judgement(value=ruling.value, reason=f"the judge: {ruling.reason}")


def judged_claims(
    judge: Judge, transcript: Transcript, claims: Sequence[Claim], settings: Settings
) -> tuple[tuple[Claim, ...], tuple[ScorerFailure, ...]]:
    """The claims as the judge finds them, and why it could not, if it could not."""
    if only_warns(settings, judge):
        return tuple(claims), ()
    try:
        statements = judge.claims(transcript.answer, question=transcript.question)
    except ScorerError as error:
        return tuple(claims), (ScorerFailure.of(judge.name, error, f"claims could not be told: {error}"),)
    spans: list[tuple[int, int]] = []
    position = 0
    for text in statements:
        start = transcript.answer.find(text, position)
        if start >= 0:
            spans.append((start, start + len(text)))
            position = start + len(text)
    return tuple(_decided(claim, spans) for claim in claims), ()


def _decided(claim: Claim, spans: Sequence[tuple[int, int]]) -> Claim:
    named = any(start < claim.end and claim.start < end for start, end in spans)
    if named == claim.checked:
        return claim
    if named:
        return replace(claim, checked=True, skip_reason="")
    return replace(claim, checked=False, skip_reason="judge")

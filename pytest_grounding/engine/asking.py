"""What a judge is asked: the claims in its scope, and the rules on citations where it is to decide them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pytest_grounding.checks.base import CheckContext
from pytest_grounding.checks.citation import CitationOutcome
from pytest_grounding.checks.hallucination import status_of
from pytest_grounding.checks.ruled import Rulings
from pytest_grounding.engine.advising import advised
from pytest_grounding.engine.screening import trusted
from pytest_grounding.errors import InputError, ScorerError
from pytest_grounding.model.finding import Finding
from pytest_grounding.model.transcript import Chunk, Transcript
from pytest_grounding.scorers.base import ClaimText
from pytest_grounding.scorers.judge.measured import only_warns
from pytest_grounding.text.spans import Claim

if TYPE_CHECKING:
    from pytest_grounding.scorers.cassette import Request
    from pytest_grounding.scorers.judge import BatchJudge, ChatJudge, Ruling
    from pytest_grounding.settings import Settings

#: Name in the setting ``judge_rules`` -> the rules that a judge then decides.
_RULES = {"quotes": ("content_match",), "citations": ("semantic_alignment", "better_source")}


def rulings_of(context: CheckContext, judge: BatchJudge) -> Rulings:
    """What a judge says of the claims that the setting ``judge_scope`` puts before it, asked all at once."""
    chunks = trusted(context.transcript.chunks, context.settings)
    claims = [claim for claim in context.claims if _is_in_scope(context, claim)]
    named = (judge.name, getattr(judge, "model", ""))
    if not claims or not any(chunk.text.strip() for chunk in chunks):
        return advised(Rulings(*named), context, judge)
    answers = said_of(context, judge, claims, chunks)
    by_claim = {claim.index: answer for claim, answer in zip(claims, answers, strict=True)}
    return advised(Rulings(*named, by_claim), context, judge)


def said_of(
    context: CheckContext, judge: BatchJudge, claims: Sequence[Claim], chunks: Sequence[Chunk]
) -> list[Ruling | ScorerError]:
    """A judge's ruling on each claim by some chunks, or why there is none."""
    texts = [ClaimText(claim.bare, claim.context) for claim in claims]
    try:
        return judge.supports(texts, chunks, question=context.transcript.question)
    except ScorerError as error:
        return [error] * len(claims)


def questions_of(
    transcript: Transcript, settings: Settings, judge: ChatJudge, claim: int | None = None
) -> list[tuple[Request, Mapping[str, Any], bool]]:
    """What a judge is asked about the claims of a transcript: request, schema, and whether it is recorded."""
    from pytest_grounding import registry
    from pytest_grounding.engine.road import extract_and_score

    context, _ = extract_and_score(transcript, settings, registry.scorers(settings))
    chunks = trusted(transcript.chunks, settings)
    claims = [item for item in context.claims if _is_in_scope(context, item)]
    if claim is not None:
        if not 1 <= claim <= len(context.claims):
            hint = (
                f"write a number from 1 to {len(context.claims)}" if context.claims else "it holds no claim"
            )
            raise InputError(f"{claim} is no claim of {transcript.id!r}", field="--claim", hint=hint)
        claims = [context.claims[claim - 1]]
    texts = [ClaimText(item.bare, item.context) for item in claims]
    asked = judge.questions(texts, chunks, question=transcript.question)
    return [(request, schema, judge.is_recorded(request)) for request, schema in asked]


def _is_in_scope(context: CheckContext, claim: Claim) -> bool:
    score, scope = context.supports[claim.index], context.settings.judge_scope
    if score is None or not claim.checked:
        return False
    status = status_of(score, context.settings)
    if scope == "borderline":
        return status == "borderline"
    return scope == "all" or status != "supported" or bool(score.conflicts)


def judged_citations(context: CheckContext, judge: BatchJudge, cited: CitationOutcome) -> CitationOutcome:
    """The citations with the judge's word on the rules that the setting ``judge_rules`` puts before it."""
    asked = {rule for name in context.settings.judged_rules for rule in _RULES.get(name, ())}
    open_ = [item for item in cited.findings if item.rule in asked and _cited(item, cited)]
    if not open_ or only_warns(context.settings, judge):
        return cited
    chunks = {chunk.id: chunk for chunk in trusted(context.transcript.chunks, context.settings)}
    groups: dict[tuple[str, ...], list[int]] = {}
    for finding in open_:
        claims = groups.setdefault(_cited(finding, cited), [])
        if finding.claim is not None and finding.claim not in claims:
            claims.append(finding.claim)
    said: dict[tuple[tuple[str, ...], int | None], Ruling | ScorerError] = {}
    for names, indexes in groups.items():
        sources = [chunks[name] for name in names if name in chunks]
        if not any(chunk.text.strip() for chunk in sources):
            continue
        answers = said_of(context, judge, [context.claims[index] for index in indexes], sources)
        said.update({(names, index): answer for index, answer in zip(indexes, answers, strict=True)})
    changed = [(item, _softened(item, said.get((_cited(item, cited), item.claim)))) for item in open_]

    def anew(findings: Sequence[Finding]) -> tuple[Finding, ...]:
        return tuple(next((new for old, new in changed if old is item), item) for item in findings)

    citations = tuple(item.model_copy(update={"findings": anew(item.findings)}) for item in cited.citations)
    return replace(cited, citations=citations, findings=anew(cited.findings))


def _cited(finding: Finding, cited: CitationOutcome) -> tuple[str, ...]:
    """The chunks of the citation that a finding is about; () where it has no claim or cites no chunk."""
    if finding.claim is None or finding.citation is None:
        return ()
    return cited.citations[finding.citation].chunk_ids


def _softened(finding: Finding, said: Ruling | ScorerError | None) -> Finding:
    """A finding as a note, where the judge says that what is cited supports the claim."""
    if said is None or isinstance(said, ScorerError) or said.value != "full":
        return finding
    message = f"{finding.message}; the judge says that it does support the claim: {said.reason}"
    details = {**finding.details, "judge": said.value}
    changes = {"severity": "info", "message": message, "suggestion": "", "details": details}
    return finding.model_copy(update=changes)

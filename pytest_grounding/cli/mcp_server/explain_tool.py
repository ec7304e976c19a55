"""The explanation of a verdict, and the models of what tools return."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from pytest_grounding._io.wording import one_line
from pytest_grounding.checks.check_context import CheckContext
from pytest_grounding.engine import registry
from pytest_grounding.engine.pipeline import extract_and_score, judge
from pytest_grounding.errors import InputError
from pytest_grounding.model._base import Model
from pytest_grounding.model.finding import Cause, Evidence, Finding
from pytest_grounding.model.transcript import Transcript
from pytest_grounding.model.verdict import CitationVerdict, ClaimVerdict
from pytest_grounding.reports.explanation import is_on
from pytest_grounding.scorers.protocol import ClaimText
from pytest_grounding.settings import Settings


class Suggestion(Model):
    """A claim that is supported and cites nothing, with the chunks that it could cite, best first."""

    claim: int
    text: str
    chunk_ids: tuple[str, ...]


class CitationReport(Model):
    """The citations of one answer.

    Attributes:
        transcript_id: the transcript.
        status: valid, invalid (some citation points to nothing) or missing (the answer cites nothing).
        valid: citations that are valid.
        invalid: citations that point to nothing that was retrieved.
        citation_accuracy: valid citations ÷ citations, or None when there are none.
        citation_precision: citations that support their claim ÷ citations (ALCE), or None.
        citation_recall: claims that their citations support ÷ claims (ALCE), or None.
        citations: each citation with what the rules found on it.
        findings: what each rule found on citations, single citations and all of them.
        suggestions: chunks for supported claims that cite nothing.
        clean_answer: the answer without its invalid markers.
    """

    transcript_id: str
    status: Literal["valid", "invalid", "missing"]
    valid: int
    invalid: int
    citation_accuracy: float | None
    citation_precision: float | None
    citation_recall: float | None
    citations: tuple[CitationVerdict, ...]
    findings: tuple[Cause, ...]
    suggestions: tuple[Suggestion, ...]
    clean_answer: str


class NearMiss(Model):
    """The best sentence of a chunk that does not support the claim by itself, and the words that it lacks."""

    chunk_id: str
    support: float
    evidence: Evidence
    missing: tuple[str, ...]


class ClaimExplanation(ClaimVerdict):
    """Why one claim got its status: the claim's verdict, and what stands around it.

    Attributes:
        transcript_id: the transcript.
        explanation: the same in one or two sentences.
        is_hallucination: whether it counts as one: unsupported or contradicted.
        needed_support: support from which it would not be unsupported, in [0, 1].
        missing: words of the claim that no chunk says.
        near_misses: the chunks that come closest without supporting the claim, best first.
        cited: the citations that cover the claim.
        findings: the findings on the claim and on its citations.
    """

    transcript_id: str
    explanation: str
    is_hallucination: bool
    needed_support: float
    missing: tuple[str, ...]
    near_misses: tuple[NearMiss, ...]
    cited: tuple[CitationVerdict, ...]
    findings: tuple[Finding, ...]


#: Near misses that are told.
_MOST = 5
_LISTED = 10
_SHOWN = 60
# Callers write numbers as text now and then.
_LONGEST_INDEX = 10


def explain_claim(transcript: Transcript, claim: int | str, settings: Settings) -> ClaimExplanation:
    """Judge a transcript and say why one of its claims got its status."""
    scorers = registry.scorers(settings)
    context, failures = extract_and_score(transcript, settings, scorers)
    verdict = judge(context, scorers, failures)
    found = chosen_claim(verdict.claims, claim)
    missing, near = _closeness(context, found)
    cited = tuple(verdict.citations[index] for index in found.citations)
    return ClaimExplanation(
        **{name: getattr(found, name) for name in ClaimVerdict.model_fields},
        transcript_id=verdict.id,
        explanation=_in_words(found, near, settings),
        is_hallucination=found.status in {"unsupported", "contradicted"},
        needed_support=settings.borderline_threshold,
        missing=missing,
        near_misses=near,
        cited=cited,
        findings=tuple(item for item in verdict.findings if is_on(item, found)),
    )


def chosen_claim(claims: Sequence[ClaimVerdict], wanted: int | str) -> ClaimVerdict:
    """The claim of an index or of words; see `explain_claim`."""
    if not claims:
        hint = "explain an answer that states something"
        raise InputError("the answer holds no claim", field="claim", hint=hint)
    words = _folded(str(wanted))
    if isinstance(wanted, int) or (words.isascii() and words.isdigit()):
        if len(words) < _LONGEST_INDEX and 0 <= int(words) < len(claims):
            return claims[int(words)]
        problem = f"{words} is out of range" if len(words) < _LONGEST_INDEX else "is out of range"
        hint = f"write an index from 0 to {len(claims) - 1}: {_listed(claims)}"
        raise InputError(problem, field="claim", hint=hint)
    same = [item for item in claims if _folded(item.text) == words]
    found = same or [item for item in claims if words and words in _folded(item.text)]
    if len(found) == 1:
        return found[0]
    if found:
        raise InputError("fits several claims", field="claim", hint=f"write one's index: {_listed(found)}")
    hint = f"write the index of one: {_listed(claims)}"
    raise InputError("is no claim of the answer", field="claim", hint=hint)


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()


def _listed(claims: Sequence[ClaimVerdict]) -> str:
    shown = "; ".join(f"{item.index} “{one_line(item.text, _SHOWN)}”" for item in claims[:_LISTED])
    return f"{shown}; and {len(claims) - _LISTED} more" if len(claims) > _LISTED else shown


def _closeness(context: CheckContext, claim: ClaimVerdict) -> tuple[tuple[str, ...], tuple[NearMiss, ...]]:
    """Words that no chunk says, and the chunks that come closest without being enough."""
    if claim.status == "unchecked":
        return (), ()
    # The last one is the built-in engine, with the glossary where there is one.
    scorer = registry.scorers(context.settings)[-1]
    taken = context.claims[claim.index]
    asked = [ClaimText(taken.bare, taken.context)]
    question, language = context.transcript.question, context.language
    (whole,) = scorer.support(asked, context.transcript.chunks, question=question, language=language)
    near = []
    for chunk in context.transcript.chunks:
        (alone,) = scorer.support(asked, [chunk], question=question, language=language)
        enough = alone.probability is None or alone.probability >= context.settings.borderline_threshold
        if alone.probability is not None and alone.evidence and not enough:
            told = {"chunk_id": chunk.id, "support": alone.probability, "evidence": alone.evidence[0]}
            near.append(NearMiss(**told, missing=tuple(alone.missing)))
    # By their words: a conflict lowers the support of the very chunk that speaks of it.
    near.sort(key=lambda item: (-(item.evidence.score or 0.0), -item.support))
    return tuple(whole.missing), tuple(near[:_MOST])


def _in_words(claim: ClaimVerdict, near: Sequence[NearMiss], settings: Settings) -> str:
    if claim.status == "unchecked":
        return f"not checked: {claim.skip_reason or 'it states nothing that sources could back'}"
    needed = f"{settings.borderline_threshold:.2f} needed"
    support = "" if claim.support is None else f" (support {claim.support:.2f}, {needed})"
    told = [f"{claim.status}{support}: {claim.reason or 'no reason was given'}"]
    if claim.status == "unsupported" and near:
        told.append(f"nearest is chunk {near[0].chunk_id}: “{one_line(near[0].evidence.text)}”")
    else:
        shown = [item.evidence for item in claim.conflicts] or claim.evidence
        told += [f"chunk {item.chunk_id} says: “{one_line(item.text)}”" for item in shown[:1]]
    return "; ".join(told)

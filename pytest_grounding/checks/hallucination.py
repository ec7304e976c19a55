"""Whether the chunks support each claim, and identifiers that no source mentions, letter by letter."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from pytest_grounding.checks import claim_facts
from pytest_grounding.checks.check_context import CheckContext, on_claim, supports
from pytest_grounding.checks.edits import READ, READ_ONLY, Edit, offered_edit
from pytest_grounding.model.finding import BACKED, HALLUCINATED, EngineOpinion, Finding
from pytest_grounding.model.scores import is_contradicted
from pytest_grounding.model.verdict import ClaimStatus, ClaimVerdict, Conflict, SupportingSource
from pytest_grounding.reading.sentences import Claim
from pytest_grounding.scorers import SupportScore
from pytest_grounding.settings import Settings

if TYPE_CHECKING:
    from pytest_grounding.checks.judge_rulings import Rulings

_OPEN = frozenset({"unsupported", "borderline"})  # statuses of a claim that its facts alone may support
_COMPUTED = 0.95  # support of a claim that is a comparison of values of the sources
_RETRY_RATE = 0.1  # share of hallucinated claims above which the detector recommends to regenerate


class HallucinationOutcome(NamedTuple):
    """The verdicts on the claims, with findings and rate."""

    claims: tuple[ClaimVerdict, ...]  # one verdict per claim, in the order of the answer
    #: On unsupported, contradicted, borderline and abstained claims, and on unknown names.
    findings: tuple[Finding, ...]
    rate: float | None  # hallucinated claims ÷ checked and scored claims; None without any
    #: The detector's own recommendation; None if nothing was scored.
    recommendation: Literal["accept", "regenerate", "reject"] | None


def check(
    context: CheckContext, *, claim_citations: Sequence[Sequence[int]] = (), rulings: Rulings | None = None
) -> HallucinationOutcome:
    """Give each claim its status."""
    cited = list(claim_citations) or [()] * len(context.claims)
    detector = _Detector(context, rulings)
    claims = tuple(
        detector.verdict(claim, score, tuple(citations))
        for claim, score, citations in zip(context.claims, context.supports, cited, strict=True)
    )
    scored = [claim for claim in claims if claim.status not in {"unchecked", "abstained"}]
    rate = sum(claim.status in HALLUCINATED for claim in scored) / len(scored) if scored else None
    findings: list[Finding] = []
    for claim in claims:
        findings.extend(detector.findings(claim))
    if rulings is not None:
        findings.extend(rulings.findings(claims, context.settings))
    for claim in claims:
        findings.extend(claim_facts.fact_findings(claim, context.settings))
    return HallucinationOutcome(claims, tuple(findings), rate, recommend(rate, context.settings))


def recommend(rate: float | None, settings: Settings) -> Literal["accept", "regenerate", "reject"] | None:
    """The detector's recommendation: above 0.3 reject, above 0.1 regenerate, else accept (defaults)."""
    if rate is None:
        return None
    if rate > settings.max_hallucination_rate:
        return "reject"
    return "regenerate" if rate > _RETRY_RATE else "accept"


def status_of(score: SupportScore | None, settings: Settings) -> ClaimStatus:
    """Status of a claim from its score."""
    if score is None:
        return "unchecked"
    if score.probability is None:
        return "abstained"
    if is_contradicted(score):
        return "contradicted"
    if supports(score, settings.supported_threshold):
        return "supported"
    return "borderline" if supports(score, settings.borderline_threshold) else "unsupported"


class _Detector:
    """Gives the claims of one answer their statuses and findings."""

    def __init__(self, context: CheckContext, rulings: Rulings | None) -> None:
        self._context, self._settings, self._rulings = context, context.settings, rulings
        self._ledger = claim_facts.Ledger(context)
        self._chunks = context.chunk_by_id
        self._metadata: dict[str, dict[str, Any]] = {}

    def verdict(self, claim: Claim, score: SupportScore | None, citations: tuple[int, ...]) -> ClaimVerdict:
        ledger, rulings = self._ledger, self._rulings
        facts = ledger.facts(claim, score)
        deciding = ledger.deciding(facts)
        given, score = score, ledger.confirmed(claim, score, facts)
        status = status_of(score, self._settings)
        method, reason, support = (
            (score.method, score.reason, score.probability) if score else (None, "", None)
        )
        is_open = status in _OPEN and score is not None and not deciding and not score.missing
        is_compared = claim_facts.is_compared(facts)
        if is_compared and status == "supported" and support is not None and not deciding:
            support = max(support, _COMPUTED)
        if is_open and (score != given or is_compared):
            status, support = "supported", _COMPUTED
        if deciding and support is not None:
            status = claim_facts.status_with(deciding, status)
            support = round(support * claim_facts.UNSETTLED_SHARE, 6)
            if status != "contradicted":
                by_glossary = f"; {reason}" if "glossary" in reason else ""
                reason = claim_facts.reason_of(deciding) + by_glossary
        opinions = None
        if rulings is not None and claim.index in rulings.by_claim:
            engine = EngineOpinion(status=status, support=support, method=method, reason=reason)
            opinions = rulings.on(claim.index, engine)
            decided = rulings.decide(opinions)
            status, method, reason = decided.status, decided.method, decided.reason
            facts = claim_facts.with_ruling(facts, is_supported=status in BACKED)
            deciding = ledger.deciding(facts)
            if claim_facts.status_with(deciding, status) != status:
                status, reason = claim_facts.status_with(deciding, status), claim_facts.reason_of(deciding)
        sources = self._sources(score)
        # The support of a judge may come from any source: the engine's nearest one is not a suggestion.
        suggests = status in BACKED and not (opinions is not None and opinions.differ)
        # What a scorer of an extension or a judge says is checked.
        is_own = self._context.scorer.name == "builtin" and rulings is None
        make = ClaimVerdict.built if is_own else ClaimVerdict
        return make(
            index=claim.index,
            text=claim.text,
            start=claim.start,
            end=claim.end,
            kind=claim.kind,
            kind_confidence=claim.kind_confidence,
            checked=score is not None,
            skip_reason=claim.skip_reason or ("" if score else "hallucination detection is off"),
            status=status,
            support=support,
            method=method,
            reason=reason,
            missing_words=score.missing if score else (),
            evidence=score.evidence if score else (),
            conflicts=score.conflicts if score else (),
            facts=facts,
            citations=citations,
            sources=sources,
            suggested_chunk_ids=(sources[0].chunk_id,) if suggests and sources and not citations else (),
            opinions=opinions,
        )

    def _sources(self, score: SupportScore | None) -> tuple[SupportingSource, ...]:
        best: dict[str, float | None] = {}
        for item in score.evidence if score is not None else ():
            if item.chunk_id in self._chunks:
                best.setdefault(item.chunk_id, item.score)
        return tuple(self._source(chunk_id, support) for chunk_id, support in best.items())

    def _source(self, chunk_id: str, support: float | None) -> SupportingSource:
        chunk = self._chunks[chunk_id]
        if chunk_id not in self._metadata:
            given = chunk.metadata
            # Most chunks have no metadata, and writing it takes as long as scoring a claim.
            known = bool(given.model_fields_set or given.model_extra)
            self._metadata[chunk_id] = given.model_dump(mode="json", exclude_none=True) if known else {}
        metadata = copy.deepcopy(self._metadata[chunk_id]) if self._metadata[chunk_id] else {}
        return SupportingSource.built(
            chunk_id=chunk_id, metadata=metadata, retrieval_score=chunk.score, support=support
        )

    def findings(self, claim: ClaimVerdict) -> list[Finding]:
        settings = self._settings
        found = self._conflicts(claim)
        if claim.status == "unsupported":
            found.append(self._unsupported(claim))
        elif claim.status == "borderline":
            between = f"{settings.borderline_threshold} and {settings.supported_threshold}"
            said = f"support {claim.support:.2f} is between {between}: counted as supported"
            found.append(on_claim(claim, "borderline_claim", settings, said))
        elif claim.status == "abstained":
            said = f"could not be scored: {claim.reason or 'the scorer gave no answer'}"
            found.append(on_claim(claim, "abstained", settings, said))
        return found

    def _unsupported(self, claim: ClaimVerdict) -> Finding:
        deciding = self._ledger.deciding(claim.facts)
        if deciding and claim.reason.startswith(claim_facts.reason_of(deciding)):
            advice = "correct or remove the claim, or retrieve a chunk that states it"
            is_error = any(self._ledger.severities.get(fact.type) == "error" for fact in deciding)
            severity, details = "error" if is_error else None, {"facts": [fact.text for fact in deciding]}
            more = {"severity": severity, "details": details}
            return on_claim(claim, "unsupported_claim", self._settings, claim.reason, advice, **more)
        opinions = claim.opinions
        if opinions is not None and (opinions.engine.status == "supported" or claim.support is None):
            message = "the judge does not find this in the sources"
        else:
            message = f"not found in any source (support {claim.support:.2f})"
        advice = "remove the claim, or retrieve a chunk that states it"
        if claim.evidence:
            message += f"; nearest is chunk {claim.evidence[0].chunk_id}"
            advice = "remove the claim or retrieve a chunk that does"
            advice = f"read the nearest sentence; if it does not state this, {advice}"
        if claim.reason:
            message += f": {claim.reason}"
        return on_claim(claim, "unsupported_claim", self._settings, message, advice)

    def _conflicts(self, claim: ClaimVerdict) -> list[Finding]:
        """Contradictions by sources; at most one of them suggests an edit."""
        if not claim.conflicts:
            return []
        mend = offered_edit(self._context, self._context.claims[claim.index], claim)
        found = []
        for conflict in claim.conflicts:
            if is_full(claim) and conflict.severity == "error":
                continue  # the override by the judge is reported separately
            edit = mend[0] if mend is not None and conflict is mend[1] else None
            found.append(_on_conflict(claim, conflict, self._settings, edit))
        return found


def _on_conflict(claim: ClaimVerdict, conflict: Conflict, settings: Settings, edit: Edit | None) -> Finding:
    says = conflict.message or f"{conflict.kind}: {conflict.claim_text!r} against {conflict.evidence_text!r}"
    advice = READ if claim.status in HALLUCINATED else READ_ONLY
    severity = None
    if is_full(claim):
        says += "; the judge supports the claim"
        severity = "info"
    details = conflict.model_dump(include={"kind", "claim_text", "evidence_text"})
    return on_claim(
        claim,
        "contradicted" if conflict.severity == "error" else "possible_conflict",
        settings,
        f"contradicts {conflict.evidence.chunk_id}: {says}",
        f"use the source's value: {edit.text!r}" if edit is not None else advice,
        severity=severity,
        evidence=(conflict.evidence,),
        details=details if edit is None else details | {"edit": asdict(edit)},
    )


def is_full(claim: ClaimVerdict) -> bool:
    """Whether a deciding judge supports a claim."""
    opinions = claim.opinions
    return opinions is not None and opinions.judge.value == "full" and not opinions.judge_warns

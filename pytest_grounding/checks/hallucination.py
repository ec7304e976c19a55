"""Whether the chunks support each claim."""

from __future__ import annotations

import copy
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding.checks.check_context import CheckContext, on_claim
from pytest_grounding.lexicon import words as listed
from pytest_grounding.model.finding import EngineOpinion, Finding
from pytest_grounding.model.verdict import ClaimStatus, ClaimVerdict, Conflict, SupportingSource
from pytest_grounding.reading import Reading, reading_of
from pytest_grounding.reading.spans import Claim
from pytest_grounding.rules import graded
from pytest_grounding.scorers.protocol import SupportScore
from pytest_grounding.settings import Settings

if TYPE_CHECKING:
    from pytest_grounding.checks.advice import Edit
    from pytest_grounding.checks.judge_rulings import Rulings

#: Share of hallucinated claims above which the detector recommends to regenerate.
_RETRY_RATE = 0.1
HALLUCINATED = frozenset({"unsupported", "contradicted"})
_BACKED = frozenset({"supported", "borderline"})


@dataclass(frozen=True, slots=True)
class HallucinationOutcome:
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
    chunks = _Chunks(context)
    claims = tuple(
        _verdict(context, chunks, claim, score, tuple(citations), rulings)
        for claim, score, citations in zip(context.claims, context.supports, cited, strict=True)
    )
    scored = [claim for claim in claims if claim.status not in {"unchecked", "abstained"}]
    wrong = sum(claim.status in HALLUCINATED for claim in scored)
    rate = wrong / len(scored) if scored else None
    findings = [finding for claim in claims for finding in _findings(claim, context)]
    if rulings is not None:
        findings += rulings.findings(claims, context.settings)
    findings += _strangers(context, claims)
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
    if any(conflict.severity == "error" for conflict in score.conflicts):
        return "contradicted"
    # Rounded, so that 0.7 computed as 0.6999999999999999 is still 0.7 on every machine.
    support = round(score.probability, 9)
    if support >= settings.supported_threshold:
        return "supported"
    return "borderline" if support >= settings.borderline_threshold else "unsupported"


class _Chunks:
    """The chunks by id, with their metadata as reports show it, prepared once."""

    def __init__(self, context: CheckContext) -> None:
        self._chunks = context.chunk_by_id
        self._metadata: dict[str, dict[str, Any]] = {}

    def source(self, chunk_id: str, support: float | None) -> SupportingSource | None:
        """A chunk as the source of a claim; None for an unknown id."""
        chunk = self._chunks.get(chunk_id)
        if chunk is None:
            return None
        if chunk_id not in self._metadata:
            given = chunk.metadata
            # Most chunks have no metadata, and writing it takes as long as scoring a claim.
            known = bool(given.model_fields_set or given.model_extra)
            self._metadata[chunk_id] = given.model_dump(mode="json", exclude_none=True) if known else {}
        metadata = copy.deepcopy(self._metadata[chunk_id])
        return SupportingSource.built(
            chunk_id=chunk_id, metadata=metadata, retrieval_score=chunk.score, support=support
        )


def _verdict(
    context: CheckContext,
    chunks: _Chunks,
    claim: Claim,
    score: SupportScore | None,
    citations: tuple[int, ...],
    rulings: Rulings | None,
) -> ClaimVerdict:
    status = status_of(score, context.settings)
    method = score.method if score else None
    reason = score.reason if score else ""
    support = None if score is None else score.probability
    opinions = None
    if rulings is not None and claim.index in rulings.by_claim:
        engine = EngineOpinion(status=status, support=support, method=method, reason=reason)
        opinions = rulings.on(claim.index, engine)
        status, method, reason = rulings.decide(opinions, context.settings)
    sources = _sources(chunks, score)
    # The support of a judge may come from any source: the engine's nearest one is not a suggestion.
    suggests = status in _BACKED and not (opinions is not None and opinions.differ)
    return ClaimVerdict(
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
        citations=citations,
        sources=sources,
        suggested_chunk_ids=(sources[0].chunk_id,) if suggests and sources and not citations else (),
        opinions=opinions,
    )


def _sources(chunks: _Chunks, score: SupportScore | None) -> tuple[SupportingSource, ...]:
    """The chunks of the evidence, each once, best first."""
    if score is None:
        return ()
    best: dict[str, float | None] = {}
    for item in score.evidence:
        best.setdefault(item.chunk_id, item.score)
    sources = (chunks.source(chunk_id, support) for chunk_id, support in best.items())
    return tuple(source for source in sources if source is not None)


def _findings(claim: ClaimVerdict, context: CheckContext) -> list[Finding]:
    settings = context.settings
    found = _conflict_findings(claim, context)
    if claim.status == "unsupported":
        found.append(_unsupported(claim))
    elif claim.status == "borderline":
        found.append(
            on_claim(
                claim,
                "borderline_claim",
                "info",
                f"support {claim.support:.2f} is between {settings.borderline_threshold} and "
                f"{settings.supported_threshold}: counted as supported",
                "read the evidence, or let a judge settle it",
            )
        )
    elif claim.status == "abstained":
        found.append(
            on_claim(
                claim,
                "abstained",
                graded("abstained", settings),
                f"could not be scored: {claim.reason or 'the scorer gave no answer'}",
                "see why the scorer failed, or set abstained = warn",
            )
        )
    return found


def _strangers(context: CheckContext, claims: Sequence[ClaimVerdict]) -> list[Finding]:
    """The rule "entity not in the sources": a supported claim with a name that no source has."""
    transcript = context.transcript
    if not any(chunk.text.strip() for chunk in transcript.chunks):
        return []
    asked = " ".join([transcript.question, *(turn.content for turn in transcript.history)])
    found = []
    for claim, verdict, score in zip(context.claims, claims, context.supports, strict=True):
        # Only English has calibrated weights, and other languages use capitals differently.
        if verdict.status not in _BACKED or score is None or not score.calibrated or not score.missing:
            continue
        if is_full(verdict):
            continue  # a judge's ruling stands
        names = list(strange_names(claim.bare, score.missing, asked))
        if names:
            message = f"no source mentions {', '.join(names)}"
            advice = "check the name, or retrieve a chunk that mentions it"
            details = {"names": names}
            severity = graded("unknown_entity", context.settings)
            found.append(on_claim(verdict, "unknown_entity", severity, message, advice, details=details))
    return found


def _unsupported(claim: ClaimVerdict) -> Finding:
    opinions = claim.opinions
    if opinions is not None and (opinions.engine.status == "supported" or claim.support is None):
        nearest = f"; nearest is chunk {claim.evidence[0].chunk_id}" if claim.evidence else ""
        message = f"the judge does not find this in the sources{nearest}"
    elif claim.evidence:
        near = claim.evidence[0]
        message = f"no source backs this (support {claim.support:.2f}); nearest is chunk {near.chunk_id}"
    else:
        message = f"no source backs this (support {claim.support:.2f}), and none comes near"
    if claim.reason:
        message += f": {claim.reason}"
    return on_claim(
        claim,
        "unsupported_claim",
        "warning",
        message,
        "read the nearest sentence; if it does not say this, remove the claim or retrieve a chunk that does"
        if claim.evidence
        else "remove the claim, or retrieve a chunk that states it",
    )


def _conflict_findings(claim: ClaimVerdict, context: CheckContext) -> list[Finding]:
    """Contradictions by sources; at most one of them suggests an edit."""
    if not claim.conflicts:
        return []
    # Here and below: most claims have no conflict, and need no advice.
    from pytest_grounding.checks.advice import offered_edit

    mend = offered_edit(context, context.claims[claim.index], claim)
    found = []
    for conflict in claim.conflicts:
        if is_full(claim) and conflict.severity == "error":
            continue  # the override by the judge is reported separately
        edit = mend[0] if mend is not None and conflict is mend[1] else None
        found.append(_conflict_finding(claim, conflict, context.settings, edit))
    return found


def _conflict_finding(
    claim: ClaimVerdict, conflict: Conflict, settings: Settings, edit: Edit | None
) -> Finding:
    from pytest_grounding.checks.advice import READ, READ_ONLY

    says = conflict.message or f"{conflict.kind}: {conflict.claim_text!r} against {conflict.evidence_text!r}"
    certain = conflict.severity == "error"
    advice = READ if claim.status in HALLUCINATED else READ_ONLY
    possible = graded("possible_conflict", settings)
    if is_full(claim):
        says += "; the judge supports the claim"
        possible = "info"
    return on_claim(
        claim,
        "contradicted" if certain else "possible_conflict",
        "error" if certain else possible,
        f"chunk {conflict.evidence.chunk_id} says otherwise: {says}",
        f"write what the source says: {edit.text!r}" if edit is not None else advice,
        evidence=[conflict.evidence],
        details={
            "kind": conflict.kind,
            "claim_text": conflict.claim_text,
            "evidence_text": conflict.evidence_text,
            **({} if edit is None else {"edit": edit._asdict()}),
        },
    )


def is_full(claim: ClaimVerdict) -> bool:
    """Whether a deciding judge supports a claim."""
    opinions = claim.opinions
    return opinions is not None and opinions.judge.value == "full" and not opinions.judge_warns


# Names as written: joined by hyphens and apostrophes, not starting with a digit.
_WORD = lazy(r"[^\W\d_](?:[^\W_]|['’])*(?:-(?:[^\W_]|['’])+)*")
_OPENERS = ".!?:;\"“'‘(*•|>–—-\n"
_SHORTEST = 4
_COMMON = listed("names", "common")


def strange_names(text: str, missing: Collection[str], asked: str = "") -> tuple[str, ...]:
    """Names of a claim of which no word is in the sources."""
    if not missing or not any(word[:1].isupper() for word in missing):
        return ()
    words = list(_WORD.finditer(text))
    longer = [match[0][0].isupper() for match in words if len(match[0]) >= _SHORTEST]
    if len(longer) > 1 and all(longer):
        return ()  # "Scope of Coverage" is a title, where capitals do not mark names
    gone = set(missing)
    known = reading_of(asked).part(_words)
    found: dict[str, None] = {}
    for run in _runs(text, words):
        parts = [part for match in run for part in match[0].split("-")]
        name = text[run[0].start() : run[-1].end()]
        start = run[0].start()
        before = text[max(0, start - 3) : start].strip()
        opens = not before or before[-1] in _OPENERS
        if opens and len(run) == 1 and not (len(name) > 1 and name.isupper()):
            continue
        folded = [part.casefold() for part in parts]
        if gone.issuperset(parts) and not _COMMON.issuperset(folded) and known.isdisjoint(folded):
            found[name] = None
    return tuple(found)


def _words(reading: Reading) -> frozenset[str]:
    return frozenset(match[0] for match in _WORD.finditer(reading.text.casefold()))


def _runs(text: str, words: list[re.Match[str]]) -> list[list[re.Match[str]]]:
    """Neighbouring capitalised words, separated by blanks only."""
    runs: list[list[re.Match[str]]] = []
    last = None
    for match in words:
        if match[0][0].isupper():
            if last is not None and text[last.end() : match.start()] == " ":
                runs[-1].append(match)
            else:
                runs.append([match])
            last = match
        else:
            last = None
    return runs

"""Do the claims of an answer contradict each other (section 6 of the specification)."""

from __future__ import annotations

from collections.abc import Iterator

from pytest_grounding._frozen import frozen
from pytest_grounding.checks.base import CheckContext
from pytest_grounding.model.finding import Finding
from pytest_grounding.model.verdict import Conflict
from pytest_grounding.scorers.lexical.conflicts import conflicts_between
from pytest_grounding.scorers.lexical.tokens import tokenize
from pytest_grounding.text.spans import Claim

#: Claims beyond this many are compared with their neighbours only, so that time stays linear.
_WINDOW = 12
#: Content words that claims about the same thing share: so many, and this share of the shorter one's.
_SHARED_WORDS = 2
_SHARED_SHARE = 0.4

#: A longer claim, in characters, is a piece of a text without sentences, and no statement to hold others to.
_LONGEST = 600


@frozen
class ConsistencyOutcome:
    """The pairs of claims that cannot both be right, as findings."""

    findings: tuple[Finding, ...]


def check(context: CheckContext) -> ConsistencyOutcome:
    """Compare checked claims about the same thing with each other.

    Two claims that the sources back are not compared: what looks like a contradiction then is a list, or a
    conflict of the sources, which the retrieval check reports.
    """
    claims = [
        claim
        for claim in context.claims
        if claim.checked and context.supports[claim.index] and len(claim.bare) <= _LONGEST
    ]
    stems = {claim.index: _content(claim, context.language) for claim in claims}
    found: list[Finding] = []
    for earlier, later in _pairs(claims):
        if not _same_thing(stems[earlier.index], stems[later.index]):
            continue
        if _is_backed(context, earlier) and _is_backed(context, later):
            continue
        for conflict in _conflicts(context, later, earlier):
            if conflict.severity == "error":
                found.append(_finding(earlier, later, conflict))
                break
    return ConsistencyOutcome(tuple(found))


def _conflicts(context: CheckContext, later: Claim, earlier: Claim) -> tuple[Conflict, ...]:
    """What one claim says otherwise than another, read in its terms where there is a glossary."""
    if context.settings.glossary:
        # Deferred for cost: most projects have no glossary.
        from pytest_grounding.scorers.glossary import conflict_in, glossary_of

        glossary = glossary_of(context.settings)
        if glossary is not None:
            reading = glossary.nearest(later.bare, [earlier.bare], context.language)
            found = conflicts_between(reading.text, earlier.bare, language=context.language)
            return tuple(conflict_in(item, reading) for item in found)
    return conflicts_between(later.bare, earlier.bare, language=context.language)


def _pairs(claims: list[Claim]) -> Iterator[tuple[Claim, Claim]]:
    for position, later in enumerate(claims):
        for earlier in claims[max(0, position - _WINDOW) : position]:
            yield earlier, later


def _same_thing(stems: frozenset[str], others: frozenset[str]) -> bool:
    shared = len(stems & others)
    return shared >= _SHARED_WORDS and shared >= _SHARED_SHARE * min(len(stems), len(others))


def _content(claim: Claim, language: str) -> frozenset[str]:
    return frozenset(token.stem for token in tokenize(claim.bare, language) if not token.is_stop)


def _is_backed(context: CheckContext, claim: Claim) -> bool:
    score = context.supports[claim.index]
    if score is None or score.probability is None:
        return False
    contradicted = any(conflict.severity == "error" for conflict in score.conflicts)
    return score.probability >= context.settings.supported_threshold and not contradicted


def _finding(earlier: Claim, later: Claim, conflict: Conflict) -> Finding:
    return Finding(
        rule="internal_contradiction",
        severity="warning",
        message=(f"the answer contradicts itself ({conflict.kind}): {later.bare!r} against {earlier.bare!r}"),
        span=(later.start, later.end),
        suggestion="keep the statement that the sources back",
        claim=later.index,
        details={
            "kind": conflict.kind,
            "claim_text": conflict.claim_text,
            "evidence_text": conflict.evidence_text,
            "other_claim": earlier.index,
        },
    )

"""Finding the conflicts of a claim: all finders, then thresholds by kind, then the best of each place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from pytest_grounding.model.verdict import Conflict, Severity
from pytest_grounding.scorers.lexical.conflicts.absence import absence_conflicts, source_conflicts
from pytest_grounding.scorers.lexical.conflicts.bounds import with_bound
from pytest_grounding.scorers.lexical.conflicts.contest import Contest
from pytest_grounding.scorers.lexical.conflicts.exchanged import exchanged_names
from pytest_grounding.scorers.lexical.conflicts.frequency import frequency_conflicts
from pytest_grounding.scorers.lexical.conflicts.names import (
    LEAST_REST,
    LEAST_STRENGTH,
    LEAST_UNKNOWN,
    name_conflicts,
)
from pytest_grounding.scorers.lexical.conflicts.negation import negation_conflicts
from pytest_grounding.scorers.lexical.conflicts.opposites import opposite_conflicts, quantifier_conflicts
from pytest_grounding.scorers.lexical.conflicts.persons import person_conflicts
from pytest_grounding.scorers.lexical.conflicts.pivots import joined_name_conflicts, pivot_conflicts
from pytest_grounding.scorers.lexical.conflicts.polarity import strange_conflicts
from pytest_grounding.scorers.lexical.conflicts.roles import role_conflicts, turned_names
from pytest_grounding.scorers.lexical.conflicts.sources import Sources, sources_of
from pytest_grounding.scorers.lexical.conflicts.tongues import is_misread
from pytest_grounding.scorers.lexical.conflicts.values import Found, value_conflicts
from pytest_grounding.scorers.lexical.conflicts.view import view_of_claim
from pytest_grounding.scorers.lexical.index import ChunkIndex
from pytest_grounding.scorers.lexical.tokens import Token, tokenize


class Limit(NamedTuple):
    """What a kind must reach: binding and cover for a warning, and for an error."""

    warning: tuple[float, float]
    error: tuple[float, float]


_NEVER = (2.0, 2.0)
#: Words of a claim that are looked at.
_LONGEST_CLAIM = 200
#: Finders tell more kinds apart than people need to.
_NAMES = {
    "new_entity": "entity",
    "displaced": "entity",
    "new_number": "number",
    "new_date": "date",
    "strange": "antonym",
    "opposed": "antonym",
    "converse": "antonym",
    "turned": "role",
    "half": "role",
    "exchanged": "role",
    "person": "entity",
    "joined": "entity",
}
_VALUES = frozenset({"number", "unit"})
LIMITS: dict[str, Limit] = {
    "number": Limit((0.2, 0.1), (0.45, 0.25)),
    "unit": Limit((0.2, 0.1), (0.4, 0.2)),
    "date": Limit((0.2, 0.1), (0.5, 0.35)),
    "negation": Limit((0.25, 0.15), (0.55, 0.4)),
    "antonym": Limit((0.25, 0.2), (0.6, 0.45)),
    "comparison": Limit((0.2, 0.15), (0.5, 0.4)),
    "order": Limit((0.25, 0.2), (0.45, 0.35)),
    "quantifier": Limit((0.2, 0.1), (0.4, 0.2)),
    "entity": Limit((LEAST_STRENGTH, LEAST_REST), (1.15, 0.75)),
    "new_number": Limit((0.1, 0.1), _NEVER),
    "new_date": Limit((0.1, 0.1), _NEVER),
    "new_entity": Limit((LEAST_UNKNOWN, LEAST_UNKNOWN), _NEVER),
    "displaced": Limit((0.0, 0.0), _NEVER),
    "opposed": Limit((0.1, 0.1), (0.45, 0.3)),
    "strange": Limit((0.0, 0.0), _NEVER),
    "converse": Limit((0.25, 0.2), (0.75, 0.5)),
    "role": Limit((0.9, 0.3), (0.9, 0.7)),
    "joined": Limit((0.9, 0.2), _NEVER),
    "turned": Limit((0.9, 0.1), (0.9, 0.6)),
    "exchanged": Limit((0.15, 0.1), (0.5, 0.4)),
    "person": Limit((0.3, 0.4), (0.6, 0.6)),
    "half": Limit((0.9, 0.1), _NEVER),
    "absence": Limit((0.65, 0.65), (0.95, 0.95)),
    "source": Limit((0.6, 0.25), (0.99, 0.3)),
}


def find_conflicts(
    claim: str,
    tokens: Sequence[Token],
    indexes: Sequence[ChunkIndex] | Sources,
    chunk_ids: Sequence[str],
    language: str = "en",
    given: frozenset[str] = frozenset(),
) -> tuple[Conflict, ...]:
    """Find what the chunks say otherwise than a claim, about the same thing.

    Args:
        claim: text of the claim.
        tokens: its words, as `tokenize` gives them.
        indexes: the chunks taken apart, or the sources made of them, which the claims of an answer share.
        chunk_ids: their ids, in the same order.
        language: first part of a BCP 47 tag. Negations, opposites and quantifiers are English; numbers,
            dates in digits and names are compared in every language.
        given: stems of the question. A name that it holds is what the answer is about, and may be left out
            of the sentence that says the rest.

    Returns:
        The conflicts in the order of the claim's words, at most one for each stretch of the claim.
        ``claim_text`` and ``evidence_text`` are verbatim slices.
    """
    sources = indexes if isinstance(indexes, Sources) else Sources(indexes, language)
    if not tokens or not sources.indexes:
        return ()
    # A sentence has no thousand words: what does is a list or an attack, and its start has to do.
    read = claim
    if len(tokens) > _LONGEST_CLAIM:
        tokens = tokens[:_LONGEST_CLAIM]
        read = claim[: tokens[-1].end]
    view = view_of_claim(read, tokens, language)
    contest = Contest(view, sources, given)
    return tuple(
        _conflict(claim, found, severity, sources.indexes, chunk_ids)
        for found, severity in _accepted(contest, read, language)
    )


def conflicts_between(sentence: str, other: str, *, language: str = "en") -> tuple[Conflict, ...]:
    """Find what one sentence says otherwise than another; evidence is the other one, with chunk id ""."""
    return find_conflicts(sentence, tokenize(sentence, language), sources_of(other, language), [""], language)


def _all(contest: Contest) -> Iterator[Found]:
    yield from value_conflicts(contest)
    yield from negation_conflicts(contest)
    yield from opposite_conflicts(contest)
    yield from quantifier_conflicts(contest)
    yield from strange_conflicts(contest)
    yield from name_conflicts(contest)
    yield from role_conflicts(contest)
    yield from turned_names(contest)
    yield from exchanged_names(contest)
    yield from person_conflicts(contest)
    yield from frequency_conflicts(contest)
    yield from pivot_conflicts(contest)
    yield from joined_name_conflicts(contest)
    yield from absence_conflicts(contest)
    yield from source_conflicts(contest)


def _accepted(contest: Contest, claim: str, language: str) -> list[tuple[Found, Severity]]:
    texts = [] if language == "en" else [index.text for index in contest.sources.indexes]
    graded: list[tuple[Found, Severity]] = []
    for found in _all(contest):
        if is_misread(found.kind, claim[found.start : found.end], texts, language):
            continue
        limit = LIMITS[found.kind]
        if found.strength >= limit.error[0] and found.cover >= limit.error[1]:
            graded.append((found, "error"))
        elif found.strength >= limit.warning[0] and found.cover >= limit.warning[1]:
            graded.append((found, "warning"))
    graded.sort(key=lambda pair: (pair[1] != "error", -pair[0].strength, pair[0].start, pair[0].kind))
    kept: list[tuple[Found, Severity]] = []
    for found, severity in graded:
        if all(found.end <= other.start or other.end <= found.start for other, _ in kept):
            kept.append((found, severity))
    roles = [pair for pair in kept if _NAMES.get(pair[0].kind, pair[0].kind) == "role"]
    if roles:
        # Of two names that changed places, each stands where the other does; to say so once is enough.
        kept = [pair for pair in kept if pair == roles[0] or (pair not in roles and pair[0].kind != "joined")]
    return sorted(kept, key=lambda pair: pair[0].start)


def _conflict(
    claim: str, found: Found, severity: Severity, indexes: Sequence[ChunkIndex], chunk_ids: Sequence[str]
) -> Conflict:
    index = indexes[found.chunk]
    kind = _NAMES.get(found.kind, found.kind)
    (start, end), (low, high) = (found.start, found.end), (found.rival_start, found.rival_end)
    if kind in _VALUES and claim[start:end].lower() == index.text[low:high].lower():
        # "At least ten" against "up to ten": the number is the same, what is said of it is not.
        start, end = with_bound(claim, start, end)
        low, high = with_bound(index.text, low, high)
        kind = "number"
    ours, theirs = claim[start:end], index.text[low:high]
    return Conflict(
        kind=kind,
        severity=severity,
        claim_text=ours,
        evidence_text=theirs,
        evidence=index.evidence(chunk_ids[found.chunk], index.sentence_of[found.word]),
        claim_start=start,
        message=f'{kind}: the claim says "{ours}", the source says "{theirs}"',
    )

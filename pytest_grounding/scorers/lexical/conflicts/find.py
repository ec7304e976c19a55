"""Finding the conflicts of a claim: finders propose candidates, the trained verifier decides."""

from __future__ import annotations

from collections.abc import Sequence

from pytest_grounding._frozen import frozen
from pytest_grounding.model.verdict import Conflict
from pytest_grounding.scorers.lexical.conflicts.bounds import is_of_limit, with_bound
from pytest_grounding.scorers.lexical.conflicts.contest import Contest
from pytest_grounding.scorers.lexical.conflicts.frames import features_of
from pytest_grounding.scorers.lexical.conflicts.modality import modality_conflicts
from pytest_grounding.scorers.lexical.conflicts.names import name_conflicts
from pytest_grounding.scorers.lexical.conflicts.negation import negation_conflicts
from pytest_grounding.scorers.lexical.conflicts.opposites import opposite_conflicts, quantifier_conflicts
from pytest_grounding.scorers.lexical.conflicts.sources import Sources, sources_of
from pytest_grounding.scorers.lexical.conflicts.tongues import is_misread
from pytest_grounding.scorers.lexical.conflicts.values import Found, value_conflicts
from pytest_grounding.scorers.lexical.conflicts.verifier import Verifier, shipped_verifier
from pytest_grounding.scorers.lexical.conflicts.view import view_of_claim
from pytest_grounding.scorers.lexical.index import ChunkIndex
from pytest_grounding.scorers.lexical.tokens import Token, tokenize

#: Words of a claim that are looked at.
_LONGEST_CLAIM = 200
#: All finders, in an order that decides nothing.
_FINDERS = (
    value_conflicts,
    negation_conflicts,
    opposite_conflicts,
    quantifier_conflicts,
    name_conflicts,
    modality_conflicts,
)
#: Finders tell more kinds apart than people need to.
_NAMES = {"opposed": "antonym", "converse": "antonym"}
_VALUES = frozenset({"number", "unit"})
_OPPOSITES = frozenset({"antonym", "opposed", "comparison"})


@frozen
class Ruling:
    """A candidate with what the verifier says of it.

    Attributes:
        found: the candidate.
        odds: log odds that it is a real conflict.
        sure: whether that makes the claim contradicted.
    """

    found: Found
    odds: float
    sure: bool


def find_conflicts(
    claim: str,
    tokens: Sequence[Token],
    indexes: Sequence[ChunkIndex] | Sources,
    chunk_ids: Sequence[str],
    language: str = "en",
    given: frozenset[str] = frozenset(),
    carried: Sequence[str] = (),
    verifier: Verifier | None = None,
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
        carried: stems of the subject that the claim takes over from the sentence before it ("It has fans").
        verifier: decides on the candidates; None takes the one that ships.

    Returns:
        The conflicts in the order of the claim's words, at most one for each stretch of the claim.
        ``claim_text`` and ``evidence_text`` are verbatim slices, ``log_odds`` is what the verifier says.
    """
    sources = indexes if isinstance(indexes, Sources) else Sources(indexes, language)
    if not tokens or not sources.indexes:
        return ()
    # A sentence has no thousand words: what does is a list or an attack, and its start has to do.
    read = claim
    if len(tokens) > _LONGEST_CLAIM:
        tokens = tokens[:_LONGEST_CLAIM]
        read = claim[: tokens[-1].end]
    contest = Contest(view_of_claim(read, tokens, language), sources, given, carried)
    return tuple(
        _conflict(claim, ruling, sources.indexes, chunk_ids)
        for ruling in _accepted(contest, read, language, verifier or shipped_verifier())
    )


def conflicts_between(sentence: str, other: str, *, language: str = "en") -> tuple[Conflict, ...]:
    """Find what one sentence says otherwise than another; evidence is the other one, with chunk id ""."""
    return find_conflicts(sentence, tokenize(sentence, language), sources_of(other, language), [""], language)


def candidates_of(contest: Contest, claim: str, language: str = "en") -> list[Found]:
    """What the finders propose: words of the claim with what stands against them, sure or not.

    Args:
        contest: the claim against the chunks.
        claim: its text.
        language: first part of a BCP 47 tag.
    """
    texts = [] if language == "en" else [index.text for index in contest.sources.indexes]
    return [
        found
        for finder in _FINDERS
        for found in finder(contest)
        if not is_misread(found.kind, claim[found.start : found.end], texts, language)
        and not (found.kind in _OPPOSITES and is_of_limit(contest.claim, found.start, found.end))
    ]


def _accepted(contest: Contest, claim: str, language: str, verifier: Verifier) -> list[Ruling]:
    """The candidates that are worth a look, the surest of each stretch of the claim."""
    found = candidates_of(contest, claim, language)
    rulings = []
    for item in found:
        if item.kind in verifier.off:
            continue
        odds = verifier.log_odds(item.kind, features_of(contest, item, len(found)))
        sure = verifier.is_sure(item.kind, odds)
        if sure or odds >= verifier.possible:
            rulings.append(Ruling(item, odds, sure))
    rulings.sort(key=lambda ruling: (not ruling.sure, -ruling.odds, ruling.found.start, ruling.found.kind))
    kept: list[Ruling] = []
    for ruling in rulings:
        own = ruling.found
        if all(own.end <= other.found.start or other.found.end <= own.start for other in kept):
            kept.append(ruling)
    return sorted(kept, key=lambda ruling: ruling.found.start)


def _conflict(
    claim: str, ruling: Ruling, indexes: Sequence[ChunkIndex], chunk_ids: Sequence[str]
) -> Conflict:
    found = ruling.found
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
        severity="error" if ruling.sure else "warning",
        claim_text=ours,
        evidence_text=theirs,
        evidence=index.evidence(chunk_ids[found.chunk], index.sentence_of[found.word]),
        claim_start=start,
        message=f'{kind}: the claim says "{ours}", the source says "{theirs}"',
        log_odds=round(ruling.odds, 4),
    )

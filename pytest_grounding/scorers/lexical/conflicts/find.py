"""Finding the conflicts of a claim: generators propose candidates, the trained verifier decides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pytest_grounding.model.verdict import Conflict
from pytest_grounding.scorers.lexical.conflicts.contest import Contest
from pytest_grounding.scorers.lexical.conflicts.duel import Candidate, Span
from pytest_grounding.scorers.lexical.conflicts.frames import features_of
from pytest_grounding.scorers.lexical.conflicts.kinds import KINDS, Generator, Kind, Needs
from pytest_grounding.scorers.lexical.conflicts.sources import Comparisons, Sources, sources_of
from pytest_grounding.scorers.lexical.conflicts.verifier import Verifier, shipped_verifier
from pytest_grounding.scorers.lexical.conflicts.view import view_of_claim
from pytest_grounding.scorers.lexical.index import ChunkIndex
from pytest_grounding.scorers.lexical.tokens import Token, tokenize
from pytest_grounding.text.facts import extract_facts

#: Words of a claim that are looked at: a sentence has no thousand words. What does is a list or an attack.
_LONGEST_CLAIM = 200
_VALUES = frozenset({"number", "unit"})
#: Letters between words and what denies them.
_FARTHEST_DENIAL = 60
#: Kinds that propose single words. One that looks at whole statements proposes something for most claims, and
#: what decides for itself tells nothing.
_ABOUT_WORDS = frozenset(
    kind.name for kind in KINDS if kind.odds is None and kind.group in {"denials", "others"}
)


@dataclass(frozen=True, slots=True)
class Ruling:
    """A candidate with what is held of it.

    Attributes:
        found: the candidate.
        kind: its kind.
        odds: log odds that it is a real conflict.
        sure: whether that makes the claim contradicted.
    """

    found: Candidate
    kind: Kind
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
    kinds: Sequence[Kind] = KINDS,
    comparisons: Comparisons | None = None,
) -> tuple[Conflict, ...]:
    """Find what the chunks say otherwise than a claim, about the same thing."""
    sources = indexes if isinstance(indexes, Sources) else Sources(indexes, language)
    if not tokens or not sources.indexes:
        return ()
    read = claim
    if len(tokens) > _LONGEST_CLAIM:
        tokens = tokens[:_LONGEST_CLAIM]
        read = claim[: tokens[-1].end]
    contest = Contest(view_of_claim(read, tokens, language), sources, given, carried, comparisons)
    rulings = _without_overlaps(_rulings(contest, verifier or shipped_verifier(), kinds))
    return tuple(_conflict(claim, ruling, sources.indexes, chunk_ids) for ruling in rulings)


def conflicts_between(sentence: str, other: str, *, language: str = "en") -> tuple[Conflict, ...]:
    """Find what one sentence says otherwise than another; evidence is the other one, with chunk id ""."""
    return find_conflicts(sentence, tokenize(sentence, language), sources_of(other, language), [""], language)


def candidates_of(contest: Contest, kinds: Sequence[Kind] = KINDS) -> list[Candidate]:
    """What the generators propose: words of the claim with what stands against them, sure or not."""
    claim, language = contest.claim, contest.sources.language
    asked: set[Generator] = set()
    lacking: set[Needs] = set()
    found: list[Candidate] = []
    for kind in kinds:
        # Kinds that share a generator mostly share what it needs.
        if kind.generator in asked or kind.needs in lacking or not kind.reads(language):
            continue
        if kind.needs is not None and not kind.needs(claim):
            lacking.add(kind.needs)
            continue
        asked.add(kind.generator)
        found += kind.generator(contest)
    return found


def raised_by(found: Sequence[Candidate]) -> int:
    """How many candidates tell the verifier that a claim is in doubt: those about single words."""
    return sum(item.kind in _ABOUT_WORDS for item in found)


def _rulings(contest: Contest, verifier: Verifier, kinds: Sequence[Kind]) -> list[Ruling]:
    """The candidates that are worth a look."""
    found, by_name = candidates_of(contest, kinds), {kind.name: kind for kind in kinds}
    rulings = []
    raised = raised_by(found)
    for item in found:
        kind = by_name[item.kind]
        if kind.odds is None:
            odds = _odds(contest, item, raised, verifier)
            sure = verifier.is_sure(kind.name, odds)
        else:
            odds = kind.odds
            sure = odds >= verifier.contradicted.get(kind.name, 0.0)
        if sure or odds >= verifier.possible:
            rulings.append(Ruling(item, kind, odds, sure))
    return rulings


def _odds(contest: Contest, found: Candidate, raised: int, verifier: Verifier) -> float:
    """Log odds that a candidate is a real conflict."""
    return verifier.log_odds(found.kind, features_of(contest, found, raised))


def _without_overlaps(rulings: list[Ruling]) -> list[Ruling]:
    """The surest ruling of each stretch of the claim, in the order of its words."""
    kept: list[Ruling] = []
    for ruling in sorted(rulings, key=_rank):
        own = ruling.found
        if all(own.end <= other.found.start or other.found.end <= own.start for other in kept):
            kept.append(ruling)
    return sorted(kept, key=lambda ruling: ruling.found.start)


def _rank(ruling: Ruling) -> tuple[bool, bool, float, int, str]:
    """Sure ones first; of these what decides by its form, which names the words best; then the likeliest."""
    is_learned = ruling.kind.odds is None
    return not ruling.sure, ruling.sure and is_learned, -ruling.odds, ruling.found.start, ruling.found.kind


def _conflict(
    claim: str, ruling: Ruling, indexes: Sequence[ChunkIndex], chunk_ids: Sequence[str]
) -> Conflict:
    found, kind = ruling.found, ruling.kind.title
    index = indexes[found.chunk]
    (start, end), (low, high) = (found.start, found.end), (found.rival_start, found.rival_end)
    if kind in _VALUES and claim[start:end].lower() == index.text[low:high].lower():
        # "At least ten" against "up to ten": the number is the same, what is said of it is not.
        start, end = with_bound(claim, start, end)
        low, high = with_bound(index.text, low, high)
        kind = "number"
    if kind == "negation" and claim[start:end].lower() == index.text[low:high].lower():
        # "Do not pay within 30 days" against "pay within 30 days": the words are the same, the denial is not.
        sentence = index.sentences[index.sentence_of[found.word]]
        start, end = with_denial(claim, start, end, (0, len(claim)))
        low, high = with_denial(index.text, low, high, sentence)
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


def with_bound(text: str, start: int, end: int) -> Span:
    """A stretch of a text with the words next to it that make a limit of a number: "at least ten"."""
    for fact in extract_facts(text):
        if fact.start <= start and end <= fact.end:
            return min(start, fact.lead), (fact.tail if fact.tail > fact.end else end)
    return start, end


def with_denial(text: str, start: int, end: int, bounds: Span) -> Span:
    """A stretch of a text with the nearest word that denies, within some bounds: "do not pay in 30 days"."""
    denials = [
        (max(fact.start - end, start - fact.end), fact)
        for fact in extract_facts(text)
        if fact.kind == "negation" and bounds[0] <= fact.start and fact.end <= bounds[1]
    ]
    near = min(denials, key=lambda pair: pair[0], default=None)
    if near is None or near[0] > _FARTHEST_DENIAL:
        return start, end
    return min(start, near[1].start), max(end, near[1].end)

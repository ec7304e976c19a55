"""The one edit that corrects a claim, if it is certain."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from pytest_grounding.checks.check_context import CheckContext, score_of, stems_in, supports
from pytest_grounding.errors import ScorerError
from pytest_grounding.model.finding import HALLUCINATED, Span
from pytest_grounding.model.scores import is_contradicted
from pytest_grounding.model.verdict import ClaimVerdict, Conflict
from pytest_grounding.reading.facts import comparable, extract_facts
from pytest_grounding.reading.facts.fact import Fact
from pytest_grounding.reading.sentences import Claim, segment
from pytest_grounding.reading.words import Token, tokenize
from pytest_grounding.scorers import BUILT_IN_METHODS

#: General advice where no words can be suggested.
READ = "read the source's whole sentence: if it is about the same thing, correct the claim"
READ_ONLY = "read the source's whole sentence: the claim may be right as it is"

#: Kinds of conflicts between two values. Other kinds depend on more than the differing words.
_VALUES = frozenset({"number", "unit", "date", "entity"})
_MEASURED = frozenset({"number", "percent", "money", "quantity", "duration"})
_WORDLESS = frozenset({"name", "negation"})
_MOST = 8  # a claim with more conflicts is too ambiguous for a suggestion


@dataclass(frozen=True, slots=True)
class Edit:
    """Words of the answer, and the words of a source that may replace them."""

    start: int  # offset in the answer
    end: int  # end offset, exclusive
    text: str  # the source's words


def offered_edit(context: CheckContext, claim: Claim, verdict: ClaimVerdict) -> tuple[Edit, Conflict] | None:
    """The one edit that corrects a claim and changes nothing else, with its conflict."""
    score = context.supports[claim.index]
    if verdict.status not in HALLUCINATED or not 0 < len(verdict.conflicts) <= _MOST:
        return None
    if score is None or score.method not in BUILT_IN_METHODS:
        return None
    found: dict[Edit, tuple[Conflict, Span]] = {}
    for conflict in verdict.conflicts:
        place = _replaced(claim.bare, conflict, context.language) if conflict.kind in _VALUES else None
        at = _only(claim.text, conflict.claim_text) if place is not None else None
        if place is not None and at is not None:
            edit = Edit(claim.start + at[0], claim.start + at[1], conflict.evidence_text)
            found.setdefault(edit, (conflict, place))
    if len(found) != 1:
        return None
    edit, (conflict, place) = next(iter(found.items()))
    if not _are_of_one_mind(context, claim.bare, place, conflict):
        return None
    mended = claim.bare[: place[0]] + edit.text + claim.bare[place[1] :]
    is_backed = _is_value_backed(context, claim, mended, conflict.evidence.chunk_id)
    return (edit, conflict) if is_backed else None


def _is_value_backed(context: CheckContext, claim: Claim, text: str, chunk_id: str) -> bool:
    chunks = context.transcript.chunks
    others = [chunk for chunk in chunks if chunk.id != chunk_id]
    try:
        whole = score_of(context, text, chunks, claim.context)
        apart = score_of(context, text, others, claim.context) if others else None
    except ScorerError:
        return False
    is_backed = bool(supports(whole, context.settings.supported_threshold))
    return is_backed and not (apart is not None and is_contradicted(apart))


def _replaced(bare: str, conflict: Conflict, language: str) -> Span | None:
    """The span of the claim for which the source has another value; None if more differs."""
    source = conflict.evidence.text
    ours, theirs = _only(bare, conflict.claim_text), _only(source, conflict.evidence_text)
    if ours is None or theirs is None or not _are_single_values(conflict, bare, ours, source, theirs):
        return None
    words, others = tokenize(bare, language), tokenize(source, language)
    if _before(words, ours) != _before(others, theirs):
        return None
    (lead, said, rest), (ahead, held, behind) = _parts_of_edit(words, ours), _parts_of_edit(others, theirs)
    if said == held or rest[:1] != behind[: len(rest[:1])]:
        return None
    return ours if _place_in(lead, ahead) and _place_in(rest, behind) else None


def _parts_of_edit(words: Sequence[Token], span: Span) -> tuple[list[str], list[str], list[str]]:
    kept = [word for word in words if _weighs(word) or _is_inside(word, span)]
    return (
        [word.stem for word in kept if word.end <= span[0]],
        [word.stem for word in kept if _is_inside(word, span)],
        [word.stem for word in kept if word.start >= span[1]],
    )


def _place_in(words: Sequence[str], others: Sequence[str]) -> bool:
    rest = iter(others)
    return all(word in rest for word in words)


def _weighs(word: Token) -> bool:
    """Whether a word must be equal: a content word, or the letter of "Plan A"."""
    is_letter = len(word.text) == 1 and word.text.isupper() and word.start > 0
    return not word.is_stop or word.is_number or is_letter


def _are_of_one_mind(context: CheckContext, bare: str, place: Span, shown: Conflict) -> bool:
    """Whether no other sentence of the same chunk makes the same statement with another value."""
    language = context.language
    lead, _, rest = _parts_of_edit(tokenize(bare, language), place)
    offered = stems_in(shown.evidence_text, language)
    chunk = context.chunk_by_id.get(shown.evidence.chunk_id)
    if chunk is None:
        return True
    for said, held in _with_all((*lead, *rest), chunk.text, language):
        first, last = _end_of(lead, held), len(held) - _end_of(rest[::-1], held[::-1])
        if said != shown.evidence.text and not {*held[first:last]} <= offered:
            return False
    return True


def _with_all(stems: Sequence[str], text: str, language: str) -> Iterator[tuple[str, list[str]]]:
    sentences, places = _weighty(text, language)
    chosen = [places.get(stem, frozenset()) for stem in set(stems)]
    for number in sorted(frozenset.intersection(*chosen)) if chosen else range(len(sentences)):
        yield sentences[number]


@lru_cache(maxsize=64)
def _weighty(text: str, language: str) -> tuple[list[tuple[str, list[str]]], dict[str, frozenset[int]]]:
    found, places = [], defaultdict[str, set[int]](set)
    for number, sentence in enumerate(segment(text, language=language)):
        held = [word.stem for word in tokenize(sentence.text, language) if _weighs(word)]
        found.append((sentence.text, held))
        for stem in held:
            places[stem].add(number)
    return found, {stem: frozenset(numbers) for stem, numbers in places.items()}


def _end_of(words: Sequence[str], others: Sequence[str]) -> int:
    """The position after the last of the words, if all occur in order; the end if they do not."""
    at = 0
    for word in words:
        at = next((place + 1 for place in range(at, len(others)) if others[place] == word), len(others))
    return at


def _only(text: str, words: str) -> Span | None:
    if not words.strip():
        return None
    found = [match.span() for match in re.finditer(rf"(?<!\w){re.escape(words)}(?!\w)", text)]
    return found[0] if len(found) == 1 else None


def _is_inside(word: Token, span: Span) -> bool:
    return span[0] <= word.start and word.end <= span[1]


def _before(words: Sequence[Token], span: Span) -> str:
    return next((word.norm for word in reversed(words) if word.end <= span[0]), "")


def _are_single_values(conflict: Conflict, bare: str, ours: Span, source: str, theirs: Span) -> bool:
    mine, other = _values_around(bare, ours), _values_around(source, theirs)
    if conflict.kind == "entity":
        is_like = conflict.claim_text[:1].isupper() == conflict.evidence_text[:1].isupper()
        return not mine and not other and is_like
    if len(mine) != 1 or len(other) != 1:
        return False
    one, two = mine[0], other[0]
    if (one.bound, one.strict, one.approximate) != (two.bound, two.strict, two.approximate):
        return False
    if conflict.kind == "unit":
        return one.kind in _MEASURED and two.kind in _MEASURED
    return comparable(one, two)


def _values_around(text: str, span: Span) -> list[Fact]:
    facts = [fact for fact in extract_facts(text) if fact.start < span[1] and span[0] < fact.end]
    return [fact for fact in facts if fact.kind not in _WORDLESS]

"""A scorer that reads claims and questions with a user's glossary, whoever scores them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pytest_grounding.model.transcript import Chunk
from pytest_grounding.model.verdict import Conflict, Method
from pytest_grounding.scorers.base import BUILT_IN_METHODS, ClaimText, RelevanceScore, Scorer, SupportScore
from pytest_grounding.scorers.glossary.glossary import Glossary
from pytest_grounding.scorers.glossary.readings import Reading, conflict_in, replaced
from pytest_grounding.scorers.glossary.rivals import Rivals
from pytest_grounding.scorers.glossary.terms import Place
from pytest_grounding.scorers.lexical.language import language_in_force

#: A word that no text holds, and that resembles none: what is read as it stands nowhere.
NOWHERE = "zqxjkv"
#: Highest support of a claim that says one term of what its source says of a term that never means it.
_CONTRADICTED = 0.5
_SAMPLE = 200


class GlossaryScorer:
    """Scores each claim in the words of its sources, where a glossary names them, and takes the best.

    Args:
        scorer: who scores.
        glossary: the user's terms.
    """

    def __init__(self, scorer: Scorer, glossary: Glossary) -> None:
        self._scorer = scorer
        self._glossary = glossary

    @property
    def name(self) -> str:
        """Name of the scorer that it asks."""
        return self._scorer.name

    def relevance(
        self, question: str, chunks: Sequence[Chunk], *, language: str = "en"
    ) -> list[RelevanceScore]:
        """Relevance of each chunk to the question, by the reading that fits it best."""
        found = list(self._scorer.relevance(question, chunks, language=language))
        tongue = language_in_force(question, language)
        there = self._glossary.terms_in([chunk.text for chunk in chunks], tongue)
        for reading in self._glossary.readings(question, there, tongue):
            if reading.swaps:
                others = self._scorer.relevance(reading.text, chunks, language=language)
                found = [_more(one, other) for one, other in zip(found, others, strict=False)]
        return found

    def support(
        self,
        claims: Sequence[ClaimText],
        chunks: Sequence[Chunk],
        *,
        question: str = "",
        language: str = "en",
    ) -> list[SupportScore]:
        """Support of each claim by the reading that the chunks back best, told in the claim's own words.

        Args:
            claims: the claims.
            chunks: the chunks.
            question: the question; a claim is read in its terms too.
            language: BCP 47 tag.
        """
        tongue = _tongue(claims, chunks, language)
        there = self._glossary.terms_in([chunk.text for chunk in chunks], tongue)
        asked = frozenset(place.term for place in self._glossary.find(question, tongue))
        plans = [self._plan(claim.text, there, there | asked, tongue) for claim in claims]
        items = [
            replace(claim, text=reading.text)
            for claim, plan in zip(claims, plans, strict=True)
            for reading in plan.readings
        ]
        scores = iter(self._scorer.support(items, chunks, question=question, language=language))
        chosen = [_best(plan, [next(scores) for _ in plan.readings]) for plan in plans]
        chosen = self._without_rivals(claims, plans, chosen, chunks, question, language)
        rivals = Rivals(self._glossary, chunks, tongue)
        return [
            _told(
                _about(score, plan, rivals),
                reading,
                tuple(rivals.conflicts(claim.text, plan.places, reading)),
            )
            for claim, plan, (reading, score) in zip(claims, plans, chosen, strict=True)
        ]

    def _plan(self, claim: str, there: frozenset[int], known: frozenset[int], language: str) -> _Plan:
        places = self._glossary.find(claim, language)
        if not places:
            return _Plan((), (Reading(claim, claim),))
        found = self._glossary.readings(claim, known, language)
        itself = Reading(claim, claim)
        own = any(not reading.swaps for reading in found)
        found = [itself, *(reading for reading in found if reading.swaps)]
        blocked = {
            place.term: frozenset(self._glossary.never[place.term])
            for place in places
            if place.term not in there and not there.isdisjoint(self._glossary.never.get(place.term, ()))
        }
        return _Plan(places, tuple(found), own, blocked)

    def _without_rivals(
        self,
        claims: Sequence[ClaimText],
        plans: Sequence[_Plan],
        chosen: list[tuple[Reading, SupportScore]],
        chunks: Sequence[Chunk],
        question: str,
        language: str,
    ) -> list[tuple[Reading, SupportScore]]:
        """The scores once more where the evidence has a rival in the place of a claim's term.

        Shipped synonyms and spellings may have taken one for the other.
        """
        texts = {chunk.id: chunk.text for chunk in chunks}
        tongue = _tongue(claims, chunks, language)
        again: list[tuple[int, Reading]] = []
        for number, (plan, (reading, score)) in enumerate(zip(plans, chosen, strict=True)):
            if not plan.blocked or score.method not in BUILT_IN_METHODS:
                continue
            near = self._near(score, texts, tongue)
            lost = {
                place.term
                for place in self._glossary.find(reading.text, tongue)
                if not near.isdisjoint(plan.blocked.get(place.term, ()))
            }
            if lost:
                places = self._glossary.find(reading.text, tongue)
                again.append((number, replaced(reading.text, places, dict.fromkeys(lost, NOWHERE))))
        items = [replace(claims[number], text=bare.text) for number, bare in again]
        if not items:
            return chosen
        scores = self._scorer.support(items, chunks, question=question, language=language)
        for (number, bare), score in zip(again, scores, strict=True):
            reading, before = chosen[number]
            if (score.probability or 0.0) < (before.probability or 0.0):
                chosen[number] = reading, _mapped(score, bare)
        return chosen

    def _near(self, score: SupportScore, texts: dict[str, str], language: str) -> frozenset[int]:
        """The terms in the evidence of a score."""
        spans = [(item.chunk_id, item.start, item.end) for item in score.evidence]
        return frozenset(
            place.term
            for name, start, end in spans
            for place in self._glossary.find_in_chunk(texts.get(name, ""), language)
            if start <= place.start < end
        )


@dataclass(frozen=True, slots=True)
class _Plan:
    """How one claim is scored.

    Attributes:
        places: the terms that stand in it.
        readings: the claim itself, then its readings.
        own: the claim itself is one of them: the chunks hold its terms, or none that may stand for them.
        blocked: terms that no chunk holds, while one holds a term that they never mean.
    """

    places: tuple[Place, ...]
    readings: tuple[Reading, ...]
    own: bool = True
    blocked: dict[int, frozenset[int]] | None = None


def _tongue(claims: Sequence[ClaimText], chunks: Sequence[Chunk], language: str) -> str:
    """The language that the built-in scorer takes the same texts for, so that words are read once."""
    sample = " ".join([*(claim.text for claim in claims), *(chunk.text[:_SAMPLE] for chunk in chunks[:3])])
    return language_in_force(sample, language)


def _best(plan: _Plan, scores: Sequence[SupportScore]) -> tuple[Reading, SupportScore]:
    """The reading that counts.

    One without a contradiction, the best backed, that is not backed less than the claim itself; where each is
    contradicted, the best backed. A claim whose terms stand in no chunk counts as itself only where no
    reading of it is contradicted: its source speaks in the other terms.
    """
    itself = scores[0]
    order = range(len(scores)) if plan.own or len(scores) == 1 else range(1, len(scores))
    least = itself.probability or 0.0
    clear = [at for at in order if not _is_contradicted(scores[at])]
    fit = [at for at in clear if (scores[at].probability or 0.0) >= least]
    if not fit and not plan.own and clear and not _is_contradicted(itself):
        return plan.readings[0], itself
    # In other terms than its sources' a claim cannot be contradicted by them.
    at = max(
        fit or (clear if not plan.own else ()) or order,
        key=lambda number: (scores[number].probability or 0.0, -number),
    )
    return plan.readings[at], _mapped(scores[at], plan.readings[at])


def _is_contradicted(score: SupportScore) -> bool:
    return any(conflict.severity == "error" for conflict in score.conflicts)


def _mapped(score: SupportScore, reading: Reading) -> SupportScore:
    """A score of a reading in the words of the text that was read."""
    if not reading.swaps:
        return score
    conflicts = tuple(conflict_in(conflict, reading) for conflict in score.conflicts)
    reason = score.reason
    for conflict, told in zip(score.conflicts, conflicts, strict=True):
        reason = reason.replace(conflict.message, told.message) if conflict.message else reason
    written = {new: old for old, new in reading.pairs}
    missing = tuple(dict.fromkeys(written.get(word, word) for word in score.missing))
    for word in score.missing:
        if word in written:
            reason = reason.replace(word, written[word])
    return replace(score, conflicts=conflicts, reason=reason, missing=missing, method=_method(score))


def _about(score: SupportScore, plan: _Plan, rivals: Rivals) -> SupportScore:
    """A score without the conflicts whose evidence speaks of a term that the claim's never means."""
    kept, reason = [], score.reason
    for conflict in score.conflicts:
        rule = rivals.about_another(conflict, plan.places)
        if not rule:
            kept.append(conflict)
        elif conflict.message and conflict.message in reason:
            reason = f"the nearest source speaks of something else (glossary: {rule})"
    return (
        score if len(kept) == len(score.conflicts) else replace(score, conflicts=tuple(kept), reason=reason)
    )


def _told(score: SupportScore, reading: Reading, terms: tuple[Conflict, ...]) -> SupportScore:
    """A score with the conflicts of terms, which take the place of others at theirs, and how it was read."""
    note = ", ".join(f'"{old}" as "{new}"' for old, new in reading.pairs)
    reason = f"{score.reason}; the glossary reads {note}" if note else score.reason
    if not terms:
        return score if reason == score.reason else replace(score, reason=reason)
    spans = [(item.claim_start or 0, (item.claim_start or 0) + len(item.claim_text)) for item in terms]
    others = [
        item
        for item in score.conflicts
        if item.claim_start is None
        or all(
            item.claim_start >= high or item.claim_start + len(item.claim_text) <= low for low, high in spans
        )
    ]
    conflicts = tuple(sorted([*others, *terms], key=lambda item: item.claim_start or 0))
    error = next((item for item in terms if item.severity == "error"), None)
    if error is not None:
        reason = error.message if not note else f"{error.message}; the glossary reads {note}"
        if score.method in BUILT_IN_METHODS and score.probability is not None:
            score = replace(score, probability=min(score.probability, _CONTRADICTED))
    return replace(score, conflicts=conflicts, reason=reason, method=_method(score))


def _method(score: SupportScore) -> Method:
    """How the score of a reading came about: the claim itself stands nowhere word for word."""
    return "lexical" if score.method == "exact_match" else score.method


def _more(one: RelevanceScore, other: RelevanceScore) -> RelevanceScore:
    if other.value is None or (one.value is not None and one.value >= other.value):
        return one
    return other

"""Names that differ: another name stands where the claim's stands, or no source knows the name."""

from __future__ import annotations

from collections.abc import Iterator

from pytest_grounding.scorers.lexical.conflicts.contest import Contest, Place
from pytest_grounding.scorers.lexical.conflicts.values import Found
from pytest_grounding.text.facts import Fact

_TITLES = frozenset(
    "mr mrs ms dr prof president king queen sir saint st lord lady act university".split()  # noqa: SIM905
)


def name_conflicts(contest: Contest) -> Iterator[Found]:
    """Names of the claim that another name stands against, bound to the same words."""
    claim = contest.claim
    for fact, at in zip(claim.facts, claim.fact_at, strict=True):
        if fact.kind != "name":
            continue
        found = _against(contest, fact, at)
        if found is not None:
            yield found


def _words(contest: Contest, fact: Fact, at: int) -> tuple[int, list[int]]:
    """The last word of a name, and its content words."""
    tokens = contest.claim.tokens
    last = at
    while last + 1 < len(tokens) and tokens[last + 1].start < fact.end:
        last += 1
    return last, [number for number in range(at, last + 1) if not tokens[number].is_stop]


def _against(contest: Contest, fact: Fact, at: int) -> Found | None:
    last, words = _words(contest, fact, at)
    tokens = contest.claim.tokens
    if not words:
        return None
    stems = frozenset(tokens[number].stem for number in words)
    known = {stem for stem in stems if any(stem in index.positions for index in contest.indexes)}
    if fact.initial and not known:
        # A lone capitalised word that starts a sentence: a common word as often as a name.
        return None
    best: tuple[float, float, Place, Fact] | None = None
    for number, view in enumerate(contest.chunks):
        sentences: dict[int, list[tuple[Fact, int]]] = {}
        for other, word in zip(view.facts, view.fact_at, strict=True):
            if other.kind == "name":
                sentences.setdefault(view.sentence_of[word], []).append((other, word))
        for sentence, others in sentences.items():
            rest = contest.cover(number, sentence, without=stems)
            if rest < 0.5:
                continue
            held = {view.tokens[w].stem for w in range(len(view.tokens)) if view.sentence_of[w] == sentence}
            if stems & held:
                continue
            for other, word in others:
                if set(other.key.split()) & set(contest_key(contest)) or other.initial:
                    continue
                strength = contest.bind(at, last, Place(number, word))
                if best is None or (strength, rest) > best[:2]:
                    best = strength, rest, Place(number, word), other
    ally = 0.0
    for stem in known:
        for place in contest.places(stem):
            ally = max(ally, contest.bind(at, last, place))
    if best is None or best[0] <= ally + 0.05:
        return None
    strength, rest, place, other = best
    return Found("entity", fact.start, fact.end, *place, other.start, other.end, strength, rest)


def contest_key(contest: Contest) -> set[str]:
    """All words of names of the claim: a name that the claim holds elsewhere is no rival."""
    return {word for fact in contest.claim.facts if fact.kind == "name" for word in fact.key.split()}

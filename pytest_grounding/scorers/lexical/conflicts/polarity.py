"""Negation, antonyms, direction of comparisons, order in time, quantifiers."""

from __future__ import annotations

from collections.abc import Iterator

from pytest_grounding.scorers.lexical.conflicts.contest import Contest, Place
from pytest_grounding.scorers.lexical.conflicts.lexicon import QUANTIFIERS, negative_of, opposites
from pytest_grounding.scorers.lexical.conflicts.values import Found
from pytest_grounding.scorers.lexical.tokens import Token

def polarity_conflicts(contest: Contest) -> Iterator[Found]:
    """Words of the claim that a chunk denies, or says the opposite of, of the same thing."""
    table = opposites()
    negated = _negated_forms(contest)
    for number, token in enumerate(contest.claim.tokens):
        rivals = table.get(token.stem, {})
        others = negated.get(number, ())
        if token.is_stop and not rivals:
            continue
        found = _contest(contest, number, token, rivals, others)
        if found is not None:
            yield found


def _negated_forms(contest: Contest) -> dict[int, list[str]]:
    """For each word of the claim the stems in the chunks that are its negative by form, or the reverse."""
    found: dict[int, list[str]] = {}
    for number in contest.claim.content:
        token = contest.claim.tokens[number]
        for base in negative_of(token.norm):
            if any(base in index.positions for index in contest.indexes):
                found.setdefault(number, []).append(base)
        for prefix in ("un", "in", "im", "ir", "non", "dis"):
            if any(prefix + token.stem in index.positions for index in contest.indexes) and token.norm in negative_of(
                prefix + token.norm
            ):
                found.setdefault(number, []).append(prefix + token.stem)
    return found


def _contest(
    contest: Contest, number: int, token: Token, rivals: dict[str, str], others: list[str] | tuple[str, ...]
) -> Found | None:
    denied = contest.claim.denied.get(number)
    ally = 0.0
    best: tuple[float, Place, str] | None = None
    same = contest.places(token.stem)
    for stem, kind in [(token.stem, "negation"), *rivals.items(), *((stem, "antonym") for stem in others)]:
        opposite = stem != token.stem
        for place in same if not opposite else contest.places(stem):
            turned = opposite ^ (denied is not None) ^ (place.word in contest.chunks[place.chunk].denied)
            if not turned and best is None and not opposite and denied is None and not rivals and not others:
                # Nothing can stand against it yet: the binding of allies matters only with a rival.
                strength = -1.0
            else:
                strength = contest.bind(number, number, place)
            if turned:
                if best is None or strength > best[0]:
                    best = strength, place, kind
            else:
                ally = max(ally, strength)
    if best is None:
        return None
    strength, place, kind = best
    ally = max(
        (
            contest.bind(number, number, other)
            for other in same
            if (denied is not None) == (other.word in contest.chunks[other.chunk].denied)
        ),
        default=ally,
    )
    if strength <= ally + 0.02:
        return None
    view = contest.chunks[place.chunk]
    rival = view.tokens[place.word]
    denial = view.denied.get(place.word)
    start = min(denied.start, token.start) if denied is not None else token.start
    rival_start = min(denial.start, rival.start) if denial is not None else rival.start
    if denied is not None or denial is not None:
        kind = "negation"
    cover = contest.cover(place.chunk, contest.sentence_of(place))
    return Found(kind, start, token.end, *place, rival_start, rival.end, strength, cover)


def quantifier_conflicts(contest: Contest) -> Iterator[Found]:
    """Quantifiers of the claim ("all") against another of the same scale ("some") in the evidence."""
    for number, token in enumerate(contest.claim.tokens):
        level = QUANTIFIERS.get(token.norm)
        if level is None:
            continue
        ally = 0.0
        best: tuple[float, Place] | None = None
        for chunk, view in enumerate(contest.chunks):
            index = contest.indexes[chunk]
            for word, (scale, step) in QUANTIFIERS.items():
                if scale != level[0]:
                    continue
                for at in _word_places(index.positions, word):
                    if view.tokens[at].norm != word:
                        continue
                    strength = contest.bind(number, number, Place(chunk, at))
                    if abs(step - level[1]) == 0:
                        ally = max(ally, strength)
                    elif best is None or strength > best[0]:
                        best = strength, Place(chunk, at)
        if best is None or best[0] <= ally:
            continue
        strength, place = best
        rival = contest.chunks[place.chunk].tokens[place.word]
        cover = contest.cover(place.chunk, contest.sentence_of(place))
        yield Found("quantifier", token.start, token.end, *place, rival.start, rival.end, strength, cover)


def _word_places(positions: dict[str, list[int]], word: str) -> list[int]:
    from pytest_grounding.scorers.lexical.tokens import tokenize

    return positions.get(tokenize(word)[0].stem, [])

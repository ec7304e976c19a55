"""Antonyms, directions of comparison, order in time, and quantifiers."""

from __future__ import annotations

from collections.abc import Iterator

from pytest_grounding.scorers.lexical.conflicts.contest import MOST_PLACES, Contest, Place
from pytest_grounding.scorers.lexical.conflicts.lexicon import (
    QUANTIFIERS,
    negated_stems,
    quantifier_stems,
)
from pytest_grounding.scorers.lexical.conflicts.values import Found
from pytest_grounding.scorers.lexical.conflicts.view import TURNING, View

_HEAD_REACH = 5
#: Before "most" they make a superlative of it.
_SUPERLATIVE = frozenset({"the", "a", "his", "her", "its", "their", "our", "my", "your"})

_COMPARED = frozenset(
    {"more", "fewer", "less", "later", "earlier", "longer", "sooner", "greater", "higher", "lower"}
)


def opposite_conflicts(contest: Contest) -> Iterator[Found]:
    """Words of the claim against which an opposite stands in a chunk, said of the same thing."""
    sources, opposed = contest.sources, contest.sources.opposed
    own: dict[str, list[int]] = {}
    for number, token in enumerate(contest.claim.tokens):
        present = opposed.get(token.stem, _NO_RIVALS)
        bases = () if token.is_stop else negated_stems(token.norm)
        if bases:
            held = {stem: "antonym" for stem in bases if sources.holds(stem)}
            present = {**present, **held}
        if present:
            own = own or _numbers(contest.claim)
            found = _contest(contest, number, present, own)
            if found is not None:
                yield found


_NO_RIVALS: dict[str, str] = {}


def _numbers(view: View) -> dict[str, list[int]]:
    """For each stem the numbers of the words that have it."""
    found: dict[str, list[int]] = {}
    for number, token in enumerate(view.tokens):
        found.setdefault(token.stem, []).append(number)
    return found


def _contest(
    contest: Contest, number: int, rivals: dict[str, str], own: dict[str, list[int]]
) -> Found | None:
    token = contest.claim.tokens[number]
    denied = number in contest.claim.denied or _is_turned(contest.claim, number)
    best: tuple[float, Place, str] | None = None
    for stem, kind in sorted(rivals.items()):
        for place in contest.places(stem):
            view = contest.chunks[place.chunk]
            if token.stem in contest.stems(place.chunk, contest.sentence_of(place)):
                continue
            if denied != (place.word in view.denied or _is_turned(view, place.word)):
                # "not safe" and "dangerous" agree.
                continue
            strength = contest.bind(number, number, place)
            if any(contest.bind(other, other, place) >= strength for other in own.get(stem, ())):
                # The claim has that word too, and speaks of it there.
                continue
            if best is None or strength > best[0]:
                best = strength, place, kind
    if best is None:
        return None
    ally = max((contest.bind(number, number, place) for place in contest.places(token.stem)), default=0.0)
    if best[0] <= ally:
        return None
    strength, place, kind = best
    rival = contest.chunks[place.chunk].tokens[place.word]
    cover = contest.cover(place.chunk, contest.sentence_of(place))
    return Found(kind, token.start, token.end, *place, rival.start, rival.end, strength, cover)


def _is_turned(view: View, number: int) -> bool:
    """Whether a word right before a word turns it round: "less safe", "avoid hot water", "won't likely"."""
    own = view.sentence_of[number]
    if any(at in view.negated_at and view.sentence_of[at] == own for at in range(number - 3, number)):
        return True
    return any(
        (view.tokens[at].norm in TURNING or view.tokens[at].norm == "non") and view.sentence_of[at] == own
        for at in range(max(0, number - 2), number)
    )


def _bounds_a_number(view: View, number: int) -> bool:
    """Whether a word is part of a limit ("at most eight", "no more than eight") and no quantifier."""
    tokens = view.tokens
    before = tokens[number - 1].norm if number else ""
    after = tokens[number + 1].norm if number + 1 < len(tokens) else ""
    norm = tokens[number].norm
    return (norm in {"most", "least"} and before == "at") or (norm in {"no", "not"} and after in _COMPARED)


def quantifier_conflicts(contest: Contest) -> Iterator[Found]:
    """Quantifiers of the claim ("all") against another of the same scale ("some") said of the same thing."""
    stems = quantifier_stems()
    for number, token in enumerate(contest.claim.tokens):
        level = QUANTIFIERS.get(token.norm)
        if level is None or _bounds_a_number(contest.claim, number):
            continue
        head = _head(contest.claim, number)
        before = contest.claim.tokens[number - 1].norm if number else ""
        if not head or (token.norm == "most" and before in _SUPERLATIVE):
            continue
        ally = 0.0
        best: tuple[float, Place] | None = None
        agreeing: set[tuple[int, int]] = set()
        for chunk, view in enumerate(contest.chunks):
            positions = contest.indexes[chunk].positions
            for stem in stems:
                for at in positions.get(stem, ())[:MOST_PLACES]:
                    other = QUANTIFIERS.get(view.tokens[at].norm)
                    if other is None or other[0] != level[0] or _bounds_a_number(view, at):
                        continue
                    strength = contest.bind(number, number, Place(chunk, at))
                    shares = bool(head & _head(view, at))
                    if level[1] == other[1] and view.tokens[at].norm == token.norm:
                        agreeing.add((chunk, view.sentence_of[at]))
                    if not _apart(level[1], other[1]):
                        # "every day" is no ally of "all households".
                        ally = max(ally, strength + 0.1 if shares else 0.5 * strength)
                    elif shares and (best is None or strength > best[0]):
                        best = strength, Place(chunk, at)
        if best is None or best[0] <= ally:
            continue
        strength, place = best
        if (place.chunk, contest.sentence_of(place)) in agreeing:
            # "Most own a car, but only some use it": which of the two is meant is not sure.
            continue
        rival = contest.chunks[place.chunk].tokens[place.word]
        cover = contest.cover(place.chunk, contest.sentence_of(place))
        yield Found("quantifier", token.start, token.end, *place, rival.start, rival.end, strength, cover)


def _apart(a: int, b: int) -> bool:
    """Whether two steps of a scale say otherwise: "all" or "no" against any other, else two steps."""
    return a != b and (abs(a - b) >= 2 or max(a, b) == 5 or min(a, b) == 0)


def _head(view: View, number: int) -> set[str]:
    """Stems of the next two content words after a quantifier."""
    found: set[str] = set()
    own = view.sentence_of[number]
    for at in range(number + 1, min(number + 1 + _HEAD_REACH, len(view.tokens))):
        if view.sentence_of[at] != own:
            break
        if not view.tokens[at].is_stop:
            found.add(view.tokens[at].stem)
            if len(found) == 2:
                break
    return found

"""Antonyms, directions of comparison, order in time, and quantifiers."""

from __future__ import annotations

from collections.abc import Iterator

from pytest_grounding.scorers.lexical.background import synonyms_of
from pytest_grounding.scorers.lexical.conflicts.contest import MOST_PLACES, Contest, Place
from pytest_grounding.scorers.lexical.conflicts.lexicon import (
    HOMONYMS,
    QUANTIFIERS,
    alike,
    negated_stems,
    positive_of,
    quantifier_stems,
    twin_stems,
)
from pytest_grounding.scorers.lexical.conflicts.marks import NEGATIVE, QUANTIFIES, TURNING
from pytest_grounding.scorers.lexical.conflicts.sides import are_mirrored, around
from pytest_grounding.scorers.lexical.conflicts.values import Found
from pytest_grounding.scorers.lexical.conflicts.view import View
from pytest_grounding.scorers.lexical.tokens import Token

_HEAD_REACH = 5
#: Steps of the scales of quantifiers.
_SOME, _NEARLY_ALL = 2, 4
#: Before "most" they make a superlative of it.
_SUPERLATIVE = frozenset({"the", "a", "his", "her", "its", "their", "our", "my", "your"})

_SPANS = frozenset(
    {"seconds", "minutes", "hours", "days", "weeks", "months", "years", "times", "inches", "feet", "drops"}
)
_COMPARED = frozenset(
    {"more", "fewer", "less", "later", "earlier", "longer", "sooner", "greater", "higher", "lower"}
)


def opposite_conflicts(contest: Contest) -> Iterator[Found]:
    """Words of the claim against which an opposite stands in a chunk, said of the same thing."""
    claim, sources = contest.claim, contest.sources
    opposed, negative = sources.opposed, claim.with_mark(NEGATIVE)
    for number, (norm, stem) in enumerate(zip(claim.norms, claim.stems, strict=True)):
        present = opposed.get(stem, _NO_RIVALS)
        if number in negative and not claim.tokens[number].is_stop:
            present = {**present, **{base: "antonym" for base in negated_stems(norm) if sources.holds(base)}}
        twins = twin_stems(norm)
        if twins:
            present = {**present, **{twin: "antonym" for twin in twins if sources.holds(twin)}}
        if present and norm not in HOMONYMS:
            found = _contest(contest, number, present)
            if found is not None:
                yield found


_NO_RIVALS: dict[str, str] = {}
_NOBODY: frozenset[str] = frozenset()


def _contest(contest: Contest, number: int, rivals: dict[str, str]) -> Found | None:
    claim = contest.claim
    token = claim.tokens[number]
    denied: bool | None = None
    best: tuple[float, Place, str] | None = None
    least = 0.0
    for stem, kind in sorted(rivals.items()):
        own = [at for at, other in enumerate(claim.stems) if other == stem] if stem in claim.stems else ()
        for place in contest.places(stem):
            view = contest.chunks[place.chunk]
            sentence = view.sentence_of[place.word]
            if contest.local(number, number, place.chunk, sentence) <= least:
                # Nothing in its sentence is bound better: most places of common words end here.
                continue
            if token.stem in contest.stems(place.chunk, sentence) or view.norms[place.word] in HOMONYMS:
                continue
            if denied is None:
                denied = number in claim.denied or is_turned(claim, number)
            if denied != (place.word in view.denied or is_turned(view, place.word)):
                # "not safe" and "dangerous" agree.
                continue
            if kind != "antonym" and _agree_in_mirror(contest, number, place):
                continue
            strength = contest.bind(number, number, place)
            if any(contest.bind(at, at, place) >= strength for at in own):
                # The claim has that word too, and speaks of it there.
                continue
            if strength > least:
                best, least = (strength, place, kind), strength
    if best is None:
        return None
    strength, place, kind = best
    if any(
        contest.bind(number, number, other) >= strength
        for other in contest.places(token.stem)
        if contest.local(number, number, other.chunk, contest.sentence_of(other)) >= strength
    ):
        return None
    rival = contest.chunks[place.chunk].tokens[place.word]
    cover = contest.cover(place.chunk, contest.sentence_of(place))
    if kind == "antonym" and not token.is_name and not is_backed(contest, token):
        # No source says the claim's word of anything.
        kind = "opposed"
    heads = {_head_of(contest.claim, number), _head_of(contest.chunks[place.chunk], place.word)}
    # "The smaller tablet", "the larger model": said of two things, or of one by two names.
    doubts = ("other_thing",) if len(heads) == 2 and "" not in heads else ()
    return Found(kind, token.start, token.end, *place, rival.start, rival.end, strength, cover, doubts)


def _agree_in_mirror(contest: Contest, number: int, place: Place) -> bool:
    """Whether "A is larger than B" meets "B is smaller than A", or a comparison with something else."""
    view = contest.chunks[place.chunk]
    ours = around(contest.claim, number, 0, len(contest.claim.tokens))
    theirs = around(view, place.word, *contest.bounds(place.chunk, contest.sentence_of(place)))
    if are_mirrored(ours, theirs):
        return True
    if not _is_compared(contest.claim, number) or not _is_compared(view, place.word):
        return False
    return bool(ours[1]) and set(ours[1]).isdisjoint(theirs[1])


def _is_compared(view: View, number: int) -> bool:
    """Whether "than" follows soon after a word."""
    return any(token.norm == "than" for token in view.tokens[number + 1 : number + 4])


def _head_of(view: View, number: int) -> str:
    """Stem of the content word right behind a word that may describe it; "" where there is none."""
    if number + 1 >= len(view.tokens):
        return ""
    token = view.tokens[number + 1]
    joined = view.text[view.tokens[number].end : token.start] == " " and not token.is_stop
    return token.stem if joined and view.sentence_of[number + 1] == view.sentence_of[number] else ""


def is_backed(contest: Contest, token: Token) -> bool:
    """Whether a source holds a word, or one that says about the same."""
    holds = contest.sources.holds
    stem = token.stem
    return (
        holds(stem)
        or holds(positive_of(token.norm))
        or any(holds(other) for other in alike().get(stem, _NOBODY))
        or any(holds(other) for other in synonyms_of(stem))
    )


def is_turned(view: View, number: int) -> bool:
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
    if norm in {"every", "few"} and (after in _SPANS or tokens[min(number + 1, len(tokens) - 1)].is_number):
        # "Every 4 minutes", "a few minutes".
        return True
    return (norm in {"most", "least"} and before == "at") or (norm in {"no", "not"} and after in _COMPARED)


def quantifier_conflicts(contest: Contest) -> Iterator[Found]:
    """Quantifiers of the claim ("all") against another of the same scale ("some") said of the same thing."""
    stems = quantifier_stems()
    for number in contest.claim.with_mark(QUANTIFIES):
        token = contest.claim.tokens[number]
        level = _level(contest.claim, number)
        if _bounds_a_number(contest.claim, number):
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
                    other = _level(view, at) if view.norms[at] in QUANTIFIERS else None
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


def _level(view: View, number: int) -> tuple[str, int]:
    """Scale and step of a quantifier; "not all" and "not always" leave some."""
    scale, step = QUANTIFIERS[view.norms[number]]
    before = view.norms[number - 1] if number else ""
    if step >= _NEARLY_ALL and (before == "not" or before.endswith(("n't", "n’t"))):
        return scale, _SOME
    return scale, step


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

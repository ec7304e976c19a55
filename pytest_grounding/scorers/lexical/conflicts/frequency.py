"""How many times: "only once" against "twice". "Once" is also a conjunction, so it is no value elsewhere."""

from __future__ import annotations

from collections.abc import Iterator

from pytest_grounding.scorers.lexical.conflicts.contest import Contest, Place
from pytest_grounding.scorers.lexical.conflicts.values import Found
from pytest_grounding.scorers.lexical.conflicts.view import View

#: Before "once" and after it where it counts.
_BEFORE = frozenset({"only", "just"})
_AFTER = frozenset(
    {"a", "an", "per", "every", "each", "in", "during", "within", "for", "online", "more", "only"}
)
_LEAST, _MARGIN = 0.35, 0.05


def frequency_conflicts(contest: Contest) -> Iterator[Found]:
    """Times of the claim against those of a chunk, where one of the two is "once"."""
    claim = contest.claim
    for number, value in counts(claim):
        rivals: list[tuple[float, Place]] = []
        ally = 0.0
        for chunk, view in enumerate(contest.chunks):
            for at, other in counts(view):
                strength = contest.bind(number, number, Place(chunk, at))
                if value == other:
                    ally = max(ally, strength)
                elif 1.0 in (value, other):
                    # Other pairs are values, and have their own finder.
                    rivals.append((strength, Place(chunk, at)))
        if not rivals:
            continue
        strength, place = max(rivals, key=lambda pair: pair[0])
        if strength < _LEAST or strength <= ally + _MARGIN:
            continue
        token, rival = claim.tokens[number], contest.chunks[place.chunk].tokens[place.word]
        cover = contest.cover(place.chunk, contest.sentence_of(place))
        yield Found("number", token.start, token.end, *place, rival.start, rival.end, strength, cover)


def counts(view: View) -> Iterator[tuple[int, float]]:
    """The words of a text that say how many times, each with the number."""
    if "once" in view.norms:
        yield from ((at, 1.0) for at, norm in enumerate(view.norms) if norm == "once" and _counts(view, at))
    for fact, at in zip(view.facts, view.fact_at, strict=True):
        if fact.unit == "times" and fact.value is not None and not fact.bound:
            yield at, fact.value


def _counts(view: View, number: int) -> bool:
    """Whether "once" counts: "only once", "once a year", "renewed once."; not "once it is renewed"."""
    tokens = view.tokens
    own = view.sentence_of[number]
    before = tokens[number - 1].norm if number and view.sentence_of[number - 1] == own else ""
    if before in _BEFORE:
        return True
    if before in {"at", "more", "than"} or not before:
        return False
    is_last = number + 1 == len(tokens) or view.sentence_of[number + 1] != own
    return is_last or tokens[number + 1].norm in _AFTER

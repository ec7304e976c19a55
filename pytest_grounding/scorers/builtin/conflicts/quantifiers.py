"""How much, and how often: "all" beside "some", "always" beside "rarely"."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from pytest_grounding.lexicon import table, words
from pytest_grounding.reading.facts.numerals import ORDINALS, SMALL
from pytest_grounding.scorers.builtin.conflicts.conflict_words import QUANTIFIES
from pytest_grounding.scorers.builtin.conflicts.contest import Candidate, Contest, Duel
from pytest_grounding.scorers.builtin.conflicts.sentence_view import MOST_PLACES, Place, View


class Level(NamedTuple):
    """Where a quantifier stands: its scale, and how far up; scales are not compared with each other."""

    scale: str
    step: int


_LEVELS: Mapping[str, Level] = {
    word: Level(scale, int(step))
    for scale, section in (("amounts", "amounts"), ("amounts", "shares"), ("frequencies", "frequencies"))
    for word, step in table("conflicts", section).items()
}
_SHARES = table("conflicts", "shares").keys()
_BEHIND_SHARES = frozenset({"of", "the", "its", "their", "our"})
_NONE, _SOME, _MOST, _ALL = 0, 2, 4, 5
_SPANS = words("conflicts", "spans")
_COMPARED = words("conflicts", "compared")
_SUPERLATIVE = words("conflicts", "before superlatives")
_HEAD_REACH = 5
_SIGNS = frozenset(",;:()")
#: What a shared head adds to an ally; another thing's ally counts half.
_SHARED_HEAD = 0.1
_OTHER_HEAD = 0.5


def quantifies(claim: View) -> bool:
    """Whether a claim says how much or how often."""
    return bool(claim.with_mark(QUANTIFIES))


def quantifier_conflicts(contest: Contest) -> Iterator[Candidate]:
    """Quantifiers of the claim ("all") against another of the same scale ("some") said of the same thing."""
    claim = contest.claim
    for number in claim.with_mark(QUANTIFIES):
        level, head = _level_at(claim, number), _heads(claim, number)
        if level is None or not head or _is_superlative(claim, number):
            continue
        duel = Duel(contest, number)
        for chunk, view in enumerate(contest.chunks):
            for at in view.with_mark(QUANTIFIES)[:MOST_PLACES]:
                other = _level_at(view, at)
                if other is None or other.scale != level.scale or _is_other_sort(claim, number, view, at):
                    continue
                strength, shares = (
                    contest.bind(number, number, Place(chunk, at)),
                    _share(head, _heads(view, at)),
                )
                if level.step == other.step and view.norms[at] == claim.norms[number]:
                    # "Most own a car, but only some use it": which of the two is meant is not sure.
                    duel.agree(0.0, (chunk, view.sentence_of[at]))
                if not _are_apart(level.step, other.step):
                    # "every day" is no ally of "all households".
                    duel.agree(strength + _SHARED_HEAD if shares else _OTHER_HEAD * strength)
                elif shares:
                    duel.differ(strength, Place(chunk, at))
        yield from duel.candidates("quantifier")


def _level_at(view: View, number: int) -> Level | None:
    """Scale and step of a quantifier; "not all" leaves some. None for a part of a limit: "at most eight"."""
    norms, norm = view.norms, view.norms[number]
    before = norms[number - 1] if number else ""
    following = view.tokens[number + 1] if number + 1 < len(norms) else None
    after = "" if following is None else following.norm
    if norm in {"every", "few"} and (after in _SPANS or (following is not None and following.is_number)):
        # "Every 4 minutes", "a few minutes".
        return None
    if (norm == "most" and before == "at") or (norm == "no" and (after in _COMPARED or after == "other")):
        return None
    if norm in _SHARES:
        return _LEVELS[norm] if after in _BEHIND_SHARES and before not in ORDINALS else None
    level = _LEVELS[norm]
    if level.step >= _MOST and (before == "not" or before.endswith(("n't", "n’t"))):
        return level._replace(step=_SOME)
    return level


def _is_other_sort(claim: View, number: int, view: View, at: int) -> bool:
    """Whether one is a share and the other neither a share nor "all"."""
    ours, theirs = claim.norms[number], view.norms[at]
    return (ours in _SHARES) != (theirs in _SHARES) and "all" not in (ours, theirs)


def _is_superlative(view: View, number: int) -> bool:
    """Whether "most" makes a superlative: "the most people"."""
    return view.norms[number] == "most" and number > 0 and view.norms[number - 1] in _SUPERLATIVE


def _are_apart(a: int, b: int) -> bool:
    """Whether two steps of a scale say otherwise: "all" or "no" against any other, else two steps."""
    return a != b and (abs(a - b) >= 2 or max(a, b) == _ALL or min(a, b) == _NONE)


def _heads(view: View, number: int) -> list[str]:
    """Stems of the next two content words after a quantifier, before the next sign."""
    own = view.sentence_of[number]
    found: list[str] = []
    for at in range(number + 1, min(number + 1 + _HEAD_REACH, len(view.tokens))):
        between = view.gap(at)
        if view.sentence_of[at] != own or len(found) == 2 or not _SIGNS.isdisjoint(between):
            break
        if not (view.tokens[at].is_stop or view.tokens[at].is_number or view.norms[at] in SMALL):
            # "All ten members" and "half of the members" are of one thing.
            found.append(view.stems[at])
    return found


def _share(heads: list[str], others: list[str]) -> bool:
    """Whether two quantifiers are of one thing: the first word behind the one is behind the other."""
    return bool(heads and others) and (heads[0] in others or others[0] in heads)

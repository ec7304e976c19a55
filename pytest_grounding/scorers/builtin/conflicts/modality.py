"""Duties against permissions, and quantifiers: "must" against "may", "all" against "some"."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal, NamedTuple

from pytest_grounding.lexicon import table, words
from pytest_grounding.reading.facts.numerals import ORDINALS, SMALL
from pytest_grounding.scorers.builtin.conflicts.conflict_words import QUANTIFIES
from pytest_grounding.scorers.builtin.conflicts.contest import Candidate, Contest, Duel, candidate
from pytest_grounding.scorers.builtin.conflicts.sentence_view import MOST_PLACES, Place, View

#: A verb may be a duty, a choice, or forbidden.
Modality = Literal["duty", "choice", "ban"]

_MODALS: dict[str, Modality] = {
    **dict.fromkeys(words("conflicts", "duties"), "duty"),
    **dict.fromkeys(words("conflicts", "choices"), "choice"),
}
_BEFORE_TO: dict[str, Modality] = {
    **dict.fromkeys(words("conflicts", "duties before to"), "duty"),
    **dict.fromkeys(words("conflicts", "choices before to"), "choice"),
}
DENIED: dict[Modality, Modality] = {"duty": "choice", "choice": "ban"}
_BANS = words("conflicts", "bans")
_NO_DUTY = "needn't"
_UNSURE = words("conflicts", "unsure duties")
_NOT = words("conflicts", "denying a duty")
CUES = frozenset({*_MODALS, *_BEFORE_TO, *_BANS, _NO_DUTY})
#: Words between a modal and its verb, and before it to a negation.
_REACH = 4
_NEAR = 2
_LEAST = 0.35


def has_modal(claim: View) -> bool:
    """Whether a claim has a modal of duty or choice."""
    return not CUES.isdisjoint(claim.norms)


def modality_conflicts(contest: Contest) -> Iterator[Candidate]:
    """Duties of the claim that a chunk makes optional, and options that a chunk makes a duty."""
    claim = contest.claim
    for at, norm in enumerate(claim.norms):
        modality = modality_at(claim, at) if norm in CUES else None
        verb = verb_behind(claim, at) if modality in ("duty", "choice") else None
        if verb is None:
            continue
        duel = Duel(contest, verb)
        for place in contest.places(claim.stems[verb]):
            other, theirs = _modality_of(contest.chunks[place.chunk], place.word)
            if theirs == modality:
                duel.agree(contest.bind(verb, verb, place))
            elif theirs in ("duty", "choice"):
                duel.differ(contest.bind(verb, verb, place), Place(place.chunk, other))
        rival = duel.winner()
        if rival is not None and rival.strength >= _LEAST:
            yield candidate(contest, "modality", (claim.tokens[at].start, claim.tokens[at].end), rival)


def modality_at(view: View, at: int) -> Modality | None:
    """The effect of the word at an index on the verb after it; None if it is not a modal."""
    norms = view.norms
    norm = norms[at]
    following = norms[at + 1] if at + 1 < len(norms) else ""
    if norm in _BANS:
        return "ban"
    if norm in _MODALS:
        if following == "only" or following in _BEFORE_TO:
            # "Can only", "may need to": neither a duty nor a choice.
            return None
        return "ban" if following in _NOT else _MODALS[norm]
    if norm in _BEFORE_TO and following == "to":
        before = norms[max(0, at - _NEAR) : at]
        if not _UNSURE.isdisjoint(before):
            return None
        is_denied = any(number in view.negated_at for number in range(at - len(before), at))
        return DENIED[_BEFORE_TO[norm]] if is_denied else _BEFORE_TO[norm]
    return "choice" if norm == _NO_DUTY or (norm == "need" and following == "not") else None


def verb_behind(view: View, at: int) -> int | None:
    """The content word that a modal applies to."""
    own = view.sentence_of[at]
    for number in range(at + 1, min(len(view.tokens), at + 2 + _REACH)):
        if view.sentence_of[number] != own:
            return None
        if not view.tokens[number].is_stop:
            return (
                number if view.norms[number] not in _MODALS and view.norms[number] not in _BEFORE_TO else None
            )
    return None


def _modality_of(view: View, verb: int) -> tuple[int, Modality | None]:
    """The modal before a word of a chunk, and its effect; None where there is none."""
    first = max(0, verb - 1 - _REACH)
    if CUES.isdisjoint(view.norms[first:verb]):
        return verb, None
    own = view.sentence_of[verb]
    for at in range(verb - 1, first - 1, -1):
        if view.sentence_of[at] != own:
            break
        modality = modality_at(view, at)
        if modality is not None:
            return (at, modality) if verb_behind(view, at) == verb else (verb, None)
    return verb, None


class Level(NamedTuple):
    """A quantifier: its scale, and its step on it; different scales are not compared."""

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
#: Bonus for an ally with the same head noun; an ally about another thing counts half.
_SHARED_HEAD = 0.1
_OTHER_HEAD = 0.5


def quantifies(claim: View) -> bool:
    """Whether a claim has a word for how much or how often."""
    return bool(claim.with_mark(QUANTIFIES))


def quantifier_conflicts(contest: Contest) -> Iterator[Candidate]:
    """Quantifiers of the claim ("all") against another of the same scale ("some") about the same thing."""
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
                    # "Most own a car, but only some use it": ambiguous.
                    duel.agree(0.0, (chunk, view.sentence_of[at]))
                if not _are_apart(level.step, other.step):
                    # "every day" does not support "all households".
                    duel.agree(strength + _SHARED_HEAD if shares else _OTHER_HEAD * strength)
                elif shares:
                    duel.differ(strength, Place(chunk, at))
        yield from duel.candidates("quantifier")


def _level_at(view: View, number: int) -> Level | None:
    """Scale and step of a quantifier; "not all" means some. None inside a limit: "at most eight"."""
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
    """Whether one is a share and the other is neither a share nor "all"."""
    ours, theirs = claim.norms[number], view.norms[at]
    return (ours in _SHARES) != (theirs in _SHARES) and "all" not in (ours, theirs)


def _is_superlative(view: View, number: int) -> bool:
    """Whether "most" forms a superlative: "the most people"."""
    return view.norms[number] == "most" and number > 0 and view.norms[number - 1] in _SUPERLATIVE


def _are_apart(a: int, b: int) -> bool:
    """Whether two steps of a scale contradict: "all" or "no" against any other, else two steps apart."""
    return a != b and (abs(a - b) >= 2 or max(a, b) == _ALL or min(a, b) == _NONE)


def _heads(view: View, number: int) -> list[str]:
    """Stems of the next two content words after a quantifier, before the next punctuation mark."""
    own = view.sentence_of[number]
    found: list[str] = []
    for at in range(number + 1, min(number + 1 + _HEAD_REACH, len(view.tokens))):
        between = view.gap(at)
        if view.sentence_of[at] != own or len(found) == 2 or not _SIGNS.isdisjoint(between):
            break
        if not (view.tokens[at].is_stop or view.tokens[at].is_number or view.norms[at] in SMALL):
            # "All ten members" and "half of the members" are about the same thing.
            found.append(view.stems[at])
    return found


def _share(heads: list[str], others: list[str]) -> bool:
    """Whether two quantifiers are about the same thing: one's next word follows the other."""
    return bool(heads and others) and (heads[0] in others or others[0] in heads)

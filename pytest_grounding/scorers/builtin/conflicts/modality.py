"""Duty against permission: "must wear a badge" beside "may wear a badge"."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from pytest_grounding.lexicon import words
from pytest_grounding.scorers.builtin.conflicts.contest import Candidate, Contest, Duel, candidate
from pytest_grounding.scorers.builtin.conflicts.sentence_view import Place, View

#: Of what is said to be done: a duty, left to choice, or forbidden.
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
#: Words between a modal and its verb, and a denial before it.
_REACH = 4
_NEAR = 2
_LEAST = 0.35


def speaks_of_duties(claim: View) -> bool:
    """Whether a claim has a word of duty or choice."""
    return not CUES.isdisjoint(claim.norms)


def modality_conflicts(contest: Contest) -> Iterator[Candidate]:
    """Duties of the claim that a chunk leaves to choice, and choices that a chunk makes a duty."""
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
    """What the word at a number makes of the verb behind it; None where it is no modal verb."""
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
    """The content word that a modal is said of."""
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
    """The modal that governs a word of a chunk, and what it makes; None where there is none."""
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

"""Duty against permission: "must wear a badge" beside "may wear a badge"."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from pytest_grounding.scorers.lexical.conflicts.contest import Contest, Place
from pytest_grounding.scorers.lexical.conflicts.values import Found
from pytest_grounding.scorers.lexical.conflicts.view import View
from pytest_grounding.text.facts.tokens import words

#: Of what is said to be done: a duty, left to choice, or forbidden.
Modality = Literal["duty", "choice", "ban"]

_MODALS: dict[str, Modality] = {"must": "duty", "shall": "duty", "may": "choice", "can": "choice"}
_BEFORE_TO: dict[str, Modality] = {
    **dict.fromkeys(words("have has had need needs needed required obliged obligated"), "duty"),
    **dict.fromkeys(words("allowed permitted free entitled"), "choice"),
}
_CUES = frozenset(_MODALS) | frozenset(_BEFORE_TO)
_DENIED: dict[Modality, Modality] = {"duty": "choice", "choice": "ban"}
_OWN_NEGATIONS: dict[str, Modality] = {"cannot": "ban", "can't": "ban", "mustn't": "ban", "needn't": "choice"}
_LIMITING = frozenset({"only"})
_UNSURE = frozenset(words("may might can could would should only if"))
_ALL_CUES = _CUES | _OWN_NEGATIONS.keys()
_NOT = frozenset({"not", "never", "no"})
#: Words between a modal and its verb, and a denial before it.
_REACH = 4
_NEAR = 2
_LEAST = 0.35


def modality_conflicts(contest: Contest) -> Iterator[Found]:
    """Duties of the claim that a chunk leaves to choice, and choices that a chunk makes a duty."""
    claim = contest.claim
    for at, modality in _modals(claim):
        verb = _verb(claim, at)
        if verb is None or modality == "ban":
            continue
        rival: tuple[float, Place] | None = None
        ally = 0.0
        for place in contest.places(claim.stems[verb]):
            view = contest.chunks[place.chunk]
            theirs = _modality_of(view, place.word)
            if theirs is None or theirs[1] == "ban":
                continue
            strength = contest.bind(verb, verb, place)
            if theirs[1] == modality:
                ally = max(ally, strength)
            elif rival is None or strength > rival[0]:
                rival = strength, Place(place.chunk, theirs[0])
        if rival is None or rival[0] < _LEAST or rival[0] <= ally:
            continue
        strength, place = rival
        token, other = claim.tokens[at], contest.chunks[place.chunk].tokens[place.word]
        cover = contest.cover(place.chunk, contest.sentence_of(place))
        yield Found("modality", token.start, token.end, *place, other.start, other.end, strength, cover)


def _modals(view: View) -> Iterator[tuple[int, Modality]]:
    """The words of a text that make a duty or leave a choice, with what they make."""
    if _ALL_CUES.isdisjoint(view.norms):
        return
    for at, norm in enumerate(view.norms):
        modality = _modality_at(view, at) if norm in _ALL_CUES else None
        if modality is not None:
            yield at, modality


def _modality_at(view: View, at: int) -> Modality | None:
    norms = view.norms
    norm = norms[at]
    if norm in _OWN_NEGATIONS:
        return _OWN_NEGATIONS[norm]
    following = norms[at + 1] if at + 1 < len(norms) else ""
    if norm in _MODALS:
        if following in _LIMITING or following in _BEFORE_TO:
            # "Can only", "may need to": neither a duty nor a choice.
            return None
        return "ban" if following in _NOT else _MODALS[norm]
    if norm in _BEFORE_TO and following == "to":
        before = norms[max(0, at - _NEAR) : at]
        if not _UNSURE.isdisjoint(before):
            return None
        is_denied = any(word in _NOT or word.endswith("n't") for word in before)
        return _DENIED[_BEFORE_TO[norm]] if is_denied else _BEFORE_TO[norm]
    return "choice" if norm == "need" and following == "not" else None


def _verb(view: View, at: int) -> int | None:
    """The content word that a modal is said of."""
    own = view.sentence_of[at]
    for number in range(at + 1, min(len(view.tokens), at + 2 + _REACH)):
        if view.sentence_of[number] != own:
            return None
        if not view.tokens[number].is_stop:
            return number if view.norms[number] not in _CUES else None
    return None


def _modality_of(view: View, verb: int) -> tuple[int, Modality] | None:
    """The modal that governs a word of a chunk, and what it makes."""
    before = view.norms[max(0, verb - 1 - _REACH) : verb]
    if _ALL_CUES.isdisjoint(before):
        return None
    own = view.sentence_of[verb]
    for at in range(verb - 1, max(-1, verb - 2 - _REACH), -1):
        if view.sentence_of[at] != own:
            return None
        modality = _modality_at(view, at)
        if modality is not None:
            return (at, modality) if _verb(view, at) == verb else None
    return None

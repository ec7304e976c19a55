"""What is required beside what is optional, however it is said: "must wear a helmet", "helmets are optional".

`modality` sets two modal verbs of the same verb against each other. Here a statement of a duty or a choice
holds the words of its part of the sentence, and two statements meet that share one of them. Which of them
are about the same thing is for the verifier to tell, from the measures below.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from pytest_grounding.lexicon import words
from pytest_grounding.scorers.lexical.conflicts.contest import Contest
from pytest_grounding.scorers.lexical.conflicts.duel import Candidate, Rival, candidate
from pytest_grounding.scorers.lexical.conflicts.modality import (
    CUES,
    DENIED,
    Modality,
    modality_at,
    verb_behind,
)
from pytest_grounding.scorers.lexical.conflicts.sources import Place
from pytest_grounding.scorers.lexical.conflicts.view import View

#: What is measured of the claim's statement and the sources' one.
MEASURES: dict[str, str] = {
    "duty_said": "one of the two says it with an adjective or a noun: 'is optional', 'needs a permit'",
    "duty_both": "both say it so",
    "duty_share": "share of the words of the claim's statement that the sources' one holds",
    "duty_back": "share of the words of the sources' statement that the claim's one holds",
    "duty_choice": "the claim leaves to choice",
    "duty_last": "the words before or behind the two cues are the same",
}
_SAID: dict[str, Modality] = {
    **dict.fromkeys(words("conflicts", "said duties"), "duty"),
    **dict.fromkeys(words("conflicts", "said choices"), "choice"),
}
_NEEDING = words("conflicts", "needing")
_LEAVING_OUT = words("conflicts", "leaving out")
_BE = words("matching", "be")
_ENDS = words("conflicts", "clause words") - {"and", "or", "which"}
_ALL_CUES = CUES | _SAID.keys() | _NEEDING
_SIGNS = frozenset(",;:()\n")
#: Sentences that are looked at, words of a statement, and words between "is" and its adjective.
_SENTENCES = 4
_MOST_HEADS = 4
_BE_WITHIN = 4


class Duty(NamedTuple):
    """A statement of what must be, or may be.

    Attributes:
        modality: a duty, or left to choice.
        at: number of the word that says so.
        heads: numbers of the content words that it is said of, the nearest first.
        is_said: whether no modal verb says so.
    """

    modality: Modality
    at: int
    heads: tuple[int, ...]
    is_said: bool


def speaks_of_needs(claim: View) -> bool:
    """Whether a claim has a word of duty or choice."""
    return not _ALL_CUES.isdisjoint(claim.norms)


def duty_conflicts(contest: Contest) -> Iterator[Candidate]:
    """Duties of the claim that a source leaves to choice, and choices that a source makes a duty."""
    claim = contest.claim
    ours = tuple(duties_of(claim, 0, len(claim.tokens)))
    if not ours:
        return
    theirs = [
        (chunk, duty)
        for chunk, sentence in contest.best_sentences(_SENTENCES)
        for duty in duties_of(contest.chunks[chunk], *contest.bounds(chunk, sentence))
    ]
    for one in ours:
        met = [(_bound(contest, one, chunk, other), chunk, other) for chunk, other in theirs]
        ally = max((bound for bound, _, other in met if other.modality == one.modality), default=0.0)
        rivals = [pair for pair in met if pair[0] > ally and pair[2].modality != one.modality]
        if rivals:
            yield _candidate(contest, one, *max(rivals, key=lambda pair: (pair[0], -pair[1], -pair[2].at)))


def duties_of(view: View, low: int, high: int) -> Iterator[Duty]:
    """The statements of duty and choice among some words of a text, in their order; bans are none."""
    if _ALL_CUES.isdisjoint(view.norms[low:high]):
        return
    for at in range(low, high):
        norm = view.norms[at]
        if norm not in _ALL_CUES:
            continue
        duty = _said(view, at, low) if norm in _SAID else None
        duty = duty or _of_modal(view, at, low, high)
        if duty is None and norm in _NEEDING:
            duty = _needed(view, at, low, high)
        if duty is not None and duty.heads:
            yield duty


def _said(view: View, at: int, low: int) -> Duty | None:
    """What an adjective says: "A helmet is required", "no helmet is required", "it is not optional"."""
    first = max(low, at - _BE_WITHIN)
    be = next((n for n in range(at - 1, first - 1, -1) if view.norms[n] in _BE), None)
    if be is None or (at + 1 < len(view.norms) and view.norms[at + 1] == "to"):
        return None
    heads = _ahead(view, be, low)
    opens = range(max(low, heads[-1] - 1), heads[0]) if heads else ()
    is_denied = any(number in view.negated_at for number in (*range(be, at), *opens))
    modality = _SAID[view.norms[at]]
    if is_denied:
        modality = "choice" if modality == "duty" else "duty"
    return Duty(modality, at, heads, True)


def _of_modal(view: View, at: int, low: int, high: int) -> Duty | None:
    """What a modal verb says: "You must wear a helmet", "the helmet may be left out"."""
    modality = modality_at(view, at)
    verb = verb_behind(view, at) if modality in ("duty", "choice") else None
    if modality is None or verb is None or verb >= high:
        return None
    is_passive = not _BE.isdisjoint(view.norms[at:verb])
    if view.norms[verb] in _LEAVING_OUT:
        if modality == "duty":
            return None
        return Duty(
            "choice", at, _ahead(view, at, low) if is_passive else _behind(view, verb + 1, high), True
        )
    heads = (verb, *_ahead(view, at, low)) if is_passive else _behind(view, verb, high)
    return Duty(modality, at, heads, False)


def _needed(view: View, at: int, low: int, high: int) -> Duty | None:
    """What needs a thing: "Dogs need a permit", "cats need no permit", "you do not need a permit"."""
    following = view.norms[at + 1] if at + 1 < high else ""
    if following in {"to", "not", ""} or not _BE.isdisjoint(view.norms[max(low, at - 2) : at]):
        return None
    is_denied = any(number in view.negated_at for number in range(max(low, at - 2), at + 2))
    modality: Modality = DENIED["duty"] if is_denied else "duty"
    return Duty(modality, at, _behind(view, at + 1, high), True)


def _ahead(view: View, number: int, low: int) -> tuple[int, ...]:
    """The content words before a word in its part of the sentence, nearest first."""
    found: list[int] = []
    for at in range(number - 1, low - 1, -1):
        if _ends(view, at) or view.norms[at] in _ENDS:
            break
        if not view.tokens[at].is_stop and view.norms[at] not in _ALL_CUES:
            found.append(at)
    return tuple(found[:_MOST_HEADS])


def _behind(view: View, number: int, high: int) -> tuple[int, ...]:
    """The content words from a word on in its part of the sentence."""
    found: list[int] = []
    for at in range(number, high):
        if at > number and (_ends(view, at - 1) or view.norms[at] in _ENDS):
            break
        if not view.tokens[at].is_stop:
            found.append(at)
    return tuple(found[:_MOST_HEADS])


def _ends(view: View, at: int) -> bool:
    """Whether a sign ends a part of the sentence right behind a word."""
    if at + 1 >= len(view.tokens):
        return True
    return not _SIGNS.isdisjoint(view.text[view.tokens[at].end : view.tokens[at + 1].start])


def _bound(contest: Contest, ours: Duty, chunk: int, theirs: Duty) -> float:
    """How well two statements are bound by the words that both are said of; 0 where there is none."""
    claim, view = contest.claim, contest.chunks[chunk]
    places = {view.stems[number]: number for number in reversed(theirs.heads)}
    shared = [number for number in ours.heads if claim.stems[number] in places]
    if not shared:
        return 0.0
    best = max(contest.bind(n, n, Place(chunk, places[claim.stems[n]])) for n in shared)
    # "Gloves" alone is all that "gloves are optional" and "gloves must be worn" have in common.
    return (best + len(shared) / len(ours.heads)) / 2


def _candidate(contest: Contest, ours: Duty, bound: float, chunk: int, theirs: Duty) -> Candidate:
    claim, view = contest.claim, contest.chunks[chunk]
    mine, others = _stems(claim, ours.heads), _stems(view, theirs.heads)
    seen = {
        "duty_said": ours.is_said or theirs.is_said,
        "duty_both": ours.is_said and theirs.is_said,
        "duty_share": len(mine & others) / len(mine),
        "duty_back": len(mine & others) / len(others),
        "duty_choice": ours.modality == "choice",
        "duty_last": claim.stems[ours.heads[0]] == view.stems[theirs.heads[0]],
    }
    token = claim.tokens[ours.at]
    measures = tuple((name, float(value)) for name, value in seen.items() if value)
    rival = Rival(bound, Place(chunk, theirs.at))
    return candidate(contest, "duty", (token.start, token.end), rival)._replace(measures=measures)


def _stems(view: View, numbers: Sequence[int]) -> frozenset[str]:
    return frozenset(view.stems[number] for number in numbers)

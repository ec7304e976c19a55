"""Limits that a claim takes off: "all islands, Kolv too" beside "all islands but Kolv".

A source limits what it says: to some ("only the owner can delete it"), by an exception ("all islands but
Kolv") or by a condition ("unless the red flag is flying"). A claim that says the same more widely ("whatever
the flag", "on every plan") or of what is shut out ("Kolv is inhabited as well") contradicts it. One candidate
for each claim: the sentence that says most of it and limits it. Whether the claim keeps the limit in other
words is for the verifier to tell, from the measures below.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from pytest_grounding.lexicon import ordered, words
from pytest_grounding.scorers.lexical.conflicts.contest import Contest
from pytest_grounding.scorers.lexical.conflicts.duel import Candidate, Rival, Span, candidate
from pytest_grounding.scorers.lexical.conflicts.sources import Place, Sentence
from pytest_grounding.scorers.lexical.conflicts.view import View
from pytest_grounding.text.grammar import AUXILIARIES

Sort = Literal["exception", "only", "condition"]

#: What a claim does with a limit: it says more than the limit allows, or it does not.
_WIDER = {
    "lifted": "and the claim says that it holds whatever is the case",
    "widened": "and the claim says 'all' or 'always'",
    "included": "and the claim says 'too' or 'even'",
    "added": "and the claim joins something to what that is about",
}
_OTHERWISE = {
    "kept": "and the claim has a limit of its own",
    "named": "and the claim names what that is about",
    "plain": "and the claim does none of this",
}
_STATES = {**_WIDER, **_OTHERWISE}
_TOLD: dict[str, str] = {
    "exception": "the source makes an exception",
    "only": "the source says that it holds only of something",
    "condition": "the source names a condition",
}
#: What is measured of a candidate.
MEASURES: dict[str, str] = {
    **{
        f"limit_{sort}_{state}": f"{what}, {how}"
        for sort, what in _TOLD.items()
        for state, how in _STATES.items()
    },
    "limit_named": "the claim names half or more of what the limit is about",
    "limit_touched": "the claim names some of it",
    "limit_denied": "the claim denies",
    "limit_elsewhere": "the claim holds a word of another sentence that this one lacks",
    "limit_whole": "the claim holds nearly all of the sentence besides the limit",
}
_SENTENCES = 3
#: Share of the claim that a sentence must hold, and of what the best one holds.
_LEAST_COVER = 0.3
_LEAST_OF_BEST = 0.7
#: Content words of a limit that are looked at.
_LONGEST = 6
_AND = words("conflicts", "joining things")
_LEAST_NAMED = 0.5
_NEARLY_ALL = 0.75
_BREAKS = frozenset(",;:.!?()[]\n—–|")

Phrases = Mapping[str, Sequence[tuple[str, ...]]]


def _phrases(section: str) -> Phrases:
    found: dict[str, list[tuple[str, ...]]] = {}
    for phrase in ordered("conflicts", section):
        words = tuple(phrase.split())
        found.setdefault(words[0], []).append(words)
    return {first: sorted(phrases, key=len, reverse=True) for first, phrases in found.items()}


_SORTS: dict[Sort, Phrases] = {
    "exception": _phrases("exceptions"),
    "only": _phrases("shutting out others"),
    "condition": _phrases("depending"),
}
_ANY_SORT = frozenset(first for phrases in _SORTS.values() for first in phrases)
_WIDENING = _phrases("widening")
_LIFTING = _phrases("lifting")
_INCLUDING = _phrases("including")
_KEEPING = (*_SORTS.values(), _phrases("keeping to"))
_SPANS = words("conflicts", "spans")


class Limit(NamedTuple):
    """A limit in a sentence of a chunk.

    Attributes:
        sort: what limits.
        first: number of the word that says so.
        last: number of the last word of what it is about.
        about: stems of what it is about.
    """

    sort: Sort
    first: int
    last: int
    about: frozenset[str]


def limit_conflicts(contest: Contest) -> Iterator[Candidate]:
    """What a claim says more widely than the sentence that it rests on."""
    ranked = contest.best_sentences(_SENTENCES)
    best = contest.cover(*ranked[0]) if ranked else 0.0
    for spot in ranked:
        if contest.cover(*spot) < max(_LEAST_COVER, _LEAST_OF_BEST * best):
            return
        low, high = contest.bounds(*spot)
        if not _ANY_SORT.isdisjoint(contest.chunks[spot[0]].norms[low:high]):
            limits = limits_of(contest.chunks[spot[0]], low, high)
            if limits:
                yield _candidate(contest, spot, _most_touched(contest, limits))
                return


def _wide(claim: View) -> list[Span]:
    """Where a claim says "all" or "always"; "every night" and "every 14 days" count."""
    tokens = claim.tokens
    return [
        span
        for span in said(claim.norms, _WIDENING)
        if span[1] + 1 == len(tokens)
        or not (tokens[span[1] + 1].norm in _SPANS or tokens[span[1] + 1].is_number)
    ]


def said(norms: Sequence[str], phrases: Phrases) -> list[tuple[int, int]]:
    """Where words say one of these phrases: numbers of its first and its last word."""
    if phrases.keys().isdisjoint(norms):
        return []
    found = []
    for at in [at for at, norm in enumerate(norms) if norm in phrases]:
        for phrase in phrases[norms[at]]:
            if tuple(norms[at : at + len(phrase)]) == phrase:
                found.append((at, at + len(phrase) - 1))
                break
    return found


def limits_of(view: View, low: int, high: int) -> tuple[Limit, ...]:
    """The limits of a sentence of a chunk, from the numbers of its first word and of the first after it."""
    norms = view.norms[low:high]
    found = []
    for sort, phrases in _SORTS.items():
        for start, end in said(norms, phrases):
            last, about = _about(view, low + end, high)
            found.append(Limit(sort, low + start, last, about))
    return tuple(found)


def _about(view: View, mark: int, high: int) -> tuple[int, frozenset[str]]:
    """The last word of what a limit is about, and its stems: up to the next sign, six words at most."""
    stems: list[str] = []
    last = mark
    for number in range(mark + 1, high):
        between = view.gap(number)
        if stems and (not _BREAKS.isdisjoint(between) or view.norms[number] in AUXILIARIES):
            break
        last = number
        if not view.tokens[number].is_stop:
            stems.append(view.stems[number])
            if len(stems) == _LONGEST:
                break
    return last, frozenset(stems)


def _most_touched(contest: Contest, limits: Sequence[Limit]) -> Limit:
    """The limit of which the claim says most; of two the first."""
    own = set(contest.claim.stems)
    return max(limits, key=lambda limit: (len(limit.about & own), -limit.first))


def _candidate(contest: Contest, spot: Sentence, limit: Limit) -> Candidate:
    claim, view = contest.claim, contest.chunks[spot[0]]
    lifted, wide = said(claim.norms, _LIFTING), _wide(claim)
    low, high = contest.bounds(*spot)
    held, own = contest.spoken_of(*spot), frozenset(claim.stems)
    content = {claim.stems[number] for number in claim.content}
    about = limit.about
    named = len(about & own) / len(about) if about else 0.0
    main = {view.stems[n] for n in range(low, high) if not view.tokens[n].is_stop} - about
    included = [
        span for span in said(claim.norms, _INCLUDING) if claim.norms[span[0]] not in view.norms[low:high]
    ]
    kept = [span for phrases in _KEEPING for span in said(claim.norms, phrases)]
    kept = [span for span in kept if not any(a <= span[0] <= b for a, b in lifted)]
    state = (
        "lifted" if lifted
        else "kept" if kept
        else "widened" if wide
        else "added" if _adds(contest, spot, about)
        else "included" if included
        else "named" if named >= _LEAST_NAMED
        else "plain"
    )  # fmt: skip
    seen = {
        f"limit_{limit.sort}_{state}": True,
        "limit_named": named >= _LEAST_NAMED,
        "limit_touched": 0.0 < named < _LEAST_NAMED,
        "limit_denied": bool(claim.negations),
        "limit_elsewhere": any(stem not in held and contest.sources.holds(stem) for stem in content - about),
        "limit_whole": bool(main) and len(main & own) >= _NEARLY_ALL * len(main),
    }
    spans = lifted or wide or included
    first, last = spans[0] if spans else (0, len(claim.tokens) - 1)
    theirs: Span = view.tokens[limit.first].start, view.tokens[limit.last].end
    rival = Rival(contest.local(first, last, *spot), Place(spot[0], limit.first))
    ours = claim.tokens[first].start, claim.tokens[last].end
    measures = tuple((name, 1.0) for name, is_so in seen.items() if is_so)
    return candidate(contest, "limit", ours, rival, theirs)._replace(measures=measures)


def _adds(contest: Contest, spot: Sentence, about: frozenset[str]) -> bool:
    """Whether "and" or "or" joins what a limit is about to a word that the sentence lacks."""
    claim, held = contest.claim, contest.spoken_of(*spot)
    for at, norm in enumerate(claim.norms):
        if norm in _AND:
            left = next((claim.stems[n] for n in reversed(claim.content) if n < at), "")
            right = next((claim.stems[n] for n in claim.content if n > at), "")
            if (left in about and right not in held) or (right in about and left not in held):
                return True
    return False

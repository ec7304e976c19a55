"""Negations that one side has and the other has not."""

from __future__ import annotations

from collections.abc import Iterator

from pytest_grounding.lexicon import words
from pytest_grounding.lexicon.patterns import pattern
from pytest_grounding.scorers.builtin.background import synonyms_of
from pytest_grounding.scorers.builtin.conflicts.conflict_words import SOURCE, WITHOUT
from pytest_grounding.scorers.builtin.conflicts.contest import (
    Candidate,
    Contest,
    Duel,
    Rival,
    candidate,
    reasons,
)
from pytest_grounding.scorers.builtin.conflicts.sentence_view import Place, View

_CUE_REACH = 9
#: By how much a denial must be bound better than what agrees.
_MARGIN = 0.05
#: Sentences of the sources that are looked at, those that may demand, and words of what the claim denies.
_SENTENCES = 5
_DEMANDING_SENTENCES = 3
_MOST_WITHOUT = 3
_UNSAID = words("conflicts", "unsaid")
_LOOSE = words("conflicts", "loose denials")
_OPEN = words("conflicts", "open")
_ALLOWING = words("conflicts", "allowing")
_KEEPING = words("conflicts", "keeping")
_DEMANDING = words("conflicts", "demanding")
_JOINING = words("conflicts", "joining")
_ABSENT = pattern("matching", "absent")


def negation_conflicts(contest: Contest) -> Iterator[Candidate]:
    """Where the claim denies what a chunk states, or states what a chunk denies."""
    yield from _claim_denies(contest)
    yield from _chunk_denies(contest)
    yield from _claim_goes_without(contest)


def speaks_of_sources(claim: View) -> bool:
    """Whether a claim says that the sources do not say something: "the passages do not mention X"."""
    return bool(claim.with_mark(SOURCE)) and _ABSENT.search(claim.text) is not None


def _claim_denies(contest: Contest) -> Iterator[Candidate]:
    claim = contest.claim
    if not claim.negations or speaks_of_sources(claim):
        return
    cues = {claim.stems[number] for number in claim.cues}
    for which, (fact, at) in enumerate(zip(claim.negations, claim.negation_at, strict=True)):
        heads = [number for number, by in claim.denied.items() if by == which]
        if not heads or claim.norms[heads[0]] in _UNSAID:
            continue
        loose = claim.norms[at] in _LOOSE
        # "Failed to host" agrees with "failed in its bid to host".
        own = cues - {claim.stems[at]} if loose else cues
        duel = Duel(contest, at, margin=_MARGIN)
        for chunk, sentence in contest.best_sentences(_SENTENCES):
            place = _anchor(contest, at, heads[0], chunk, sentence)
            if place is None:
                continue
            strength = contest.local(at, at, chunk, sentence)
            if _is_denied_near(contest, place, own):
                duel.agree(strength)
            else:
                duel.differ(strength, place)
        rival = duel.winner()
        if rival is not None:
            unsaid = not _speaks_of(contest, heads, rival.place)
            doubts = reasons(loose=loose, unsure=_is_unsure(claim, at), unsaid=unsaid)
            ours = fact.start, claim.tokens[heads[0]].end
            yield candidate(contest, "negation", ours, rival, doubts=doubts)


def _speaks_of(contest: Contest, heads: list[int], place: Place) -> bool:
    """Whether the sentence of a place holds a word that the claim denies, or one that says about the same."""
    held, claim = contest.stems(*contest.spot(place)), contest.claim
    # "Not usually cooked" is about what is cooked.
    stems = [claim.stems[number] for number in heads[: 1 + claim.norms[heads[0]].endswith("ly")]]
    return any(other in held for stem in stems for other in (stem, *synonyms_of(stem)))


def _is_unsure(view: View, at: int) -> bool:
    """Whether a denial at a word is one of a condition, or of what may be."""
    own = view.sentence_of[at]
    near = range(max(0, at - 2), min(len(view.tokens), at + 3))
    return view.is_conditional(at) or any(
        view.norms[number] in _OPEN and view.sentence_of[number] == own for number in near
    )


def _anchor(contest: Contest, at: int, head: int, chunk: int, sentence: int) -> Place | None:
    """Where a sentence says what the claim denies: the denied word, or the nearest word around it."""
    sentence_of = contest.chunks[chunk].sentence_of
    positions = contest.indexes[chunk].positions
    stems = [contest.claim.stems[head], *(stem for stem, _, _ in contest.neighbours(at, at).words[:3])]
    for stem in stems:
        for word in positions.get(stem, ()):
            if sentence_of[word] == sentence:
                return Place(chunk, word)
    return None


def _is_denied_near(contest: Contest, place: Place, own: set[str]) -> bool:
    """Whether something denies near a place: a negation, or a word that the claim does not hold as well."""
    view = contest.chunks[place.chunk]
    return place.word in view.denied or any(
        cue in view.negated_at or view.stems[cue] not in own for cue in view.cues_near(place.word, _CUE_REACH)
    )


def _chunk_denies(contest: Contest) -> Iterator[Candidate]:
    claim, denials = contest.claim, contest.sources.denials
    if denials.keys().isdisjoint(claim.stems) or claim.negations or _keeps_from(claim):
        return
    heads = {claim.stems[number]: number for number in reversed(claim.content)}
    duels: dict[str, Duel] = {}
    for place, which in sorted(denial for stem in heads for denial in denials.get(stem, ())):
        view = contest.chunks[place.chunk]
        stem = view.stems[place.word]
        head = heads[stem]
        strength = contest.bind(head, head, place)
        if strength <= _MARGIN or _explains(contest, place):
            continue
        if stem not in duels:
            duels[stem] = Duel(contest, head, margin=_MARGIN)
            for other in contest.places(stem):
                if other.word not in contest.chunks[other.chunk].denied:
                    duels[stem].meet(other, agrees=True)
        if strength > duels[stem].ally + _MARGIN:
            token = claim.tokens[head]
            theirs = view.negations[which].start, view.tokens[place.word].end
            doubts = reasons(unsure=_is_unsure(view, view.negation_at[which]))
            rival = Rival(strength, place)
            yield candidate(contest, "negation", (token.start, token.end), rival, theirs, doubts)


def _explains(contest: Contest, place: Place) -> bool:
    """Whether the claim denies in its own words: a cue that the sentence does not hold."""
    stems = contest.stems(*contest.spot(place))
    return any(contest.claim.stems[cue] not in stems for cue in contest.claim.cues)


def _keeps_from(claim: View) -> bool:
    """Whether a claim says "keep the birds from nesting"."""
    norms = claim.norms
    return "from" in norms and not _KEEPING.isdisjoint(norms[: norms.index("from")])


def _claim_goes_without(contest: Contest) -> Iterator[Candidate]:
    """What the claim goes without and a source demands: "only with consent", "must be in the packaging"."""
    claim = contest.claim
    for at in claim.with_mark(WITHOUT):
        if any(number < at for number in claim.negation_at):
            # "Not without" is "with".
            continue
        heads = [number for number in claim.content if at < number <= at + _MOST_WITHOUT + 1][:_MOST_WITHOUT]
        for spot in contest.best_sentences(_DEMANDING_SENTENCES) if heads else ():
            found = _demanded(contest, heads, *spot)
            if found is not None:
                place, first, is_demanded = found
                tokens = contest.chunks[place.chunk].tokens
                theirs = tokens[first].start, tokens[place.word].end
                ours = claim.tokens[at].start, claim.tokens[heads[-1]].end
                is_allowed = not _ALLOWING.isdisjoint(claim.norms[:at])
                doubts = reasons(unsure=not is_demanded and not is_allowed)
                rival = Rival(contest.local(at, at, *spot), place)
                yield candidate(contest, "negation", ours, rival, theirs, doubts)
                break


def _demanded(
    contest: Contest, heads: list[int], chunk: int, sentence: int
) -> tuple[Place, int, bool] | None:
    """Where a sentence names what the claim goes without, what joins it, and whether it has to be."""
    low, high = contest.bounds(chunk, sentence)
    view, stems = contest.chunks[chunk], contest.stems(chunk, sentence)
    wanted = {contest.claim.stems[number] for number in heads}
    if not wanted <= stems or "without" in view.norms[low:high]:
        return None
    is_demanded = not _DEMANDING.isdisjoint(stems)
    for word in range(low, high):
        if view.stems[word] not in wanted or word in view.denied:
            continue
        for first in range(max(low, word - _MOST_WITHOUT - 1), word):
            if view.norms[first] == "with" or (is_demanded and view.norms[first] in _JOINING):
                return Place(chunk, word), first, is_demanded
        if is_demanded:
            return Place(chunk, word), word, True
    return None

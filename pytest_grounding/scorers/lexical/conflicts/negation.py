"""Negations that one side has and the other has not."""

from __future__ import annotations

from collections.abc import Iterator

from pytest_grounding.scorers.lexical.background import synonyms_of
from pytest_grounding.scorers.lexical.conflicts.absence import speaks_of_sources
from pytest_grounding.scorers.lexical.conflicts.contest import Contest, Place
from pytest_grounding.scorers.lexical.conflicts.marks import WITHOUT
from pytest_grounding.scorers.lexical.conflicts.values import Found
from pytest_grounding.scorers.lexical.conflicts.view import View

_CUE_REACH = 9
#: By how much a denial must be bound better than what agrees.
_MARGIN = 0.05
#: "not the first", "not the same": what is denied is seldom what a source states.
_UNSAID = frozenset({"first", "only", "same", "exactly", "related"})
#: Negations that sources put in many other ways.
_LOOSE = frozenset({"without", "fail", "failed", "fails", "lack", "lacks", "lacked", "lacking", "unable"})
#: What may be may also not be.
_MODAL = frozenset({"may", "might", "could", "necessarily", "would", "always", "every", "all"})
_ALLOWING = frozenset({"can", "may", "could", "allowed", "permitted", "possible"})
_KEEPING = frozenset({"keep", "keeps", "keeping", "kept"})
#: What makes a thing a condition: "only with the consent", "must be in the packaging".
_CONDITION = frozenset({"only", "onli", "must", "requir", "need", "unless", "mandatori"})
#: What joins it to what is conditional.
_JOINING = frozenset({"with", "together", "by", "in"})
#: Words that are looked at on either side.
_MOST_WITHOUT = 3


def negation_conflicts(contest: Contest) -> Iterator[Found]:
    """Where the claim denies what a chunk states, or states what a chunk denies."""
    yield from _claim_denies(contest)
    yield from _chunk_denies(contest)
    yield from _claim_goes_without(contest)


def _heads(contest: Contest, which: int) -> list[int]:
    return [number for number, by in contest.claim.denied.items() if by == which]


def _claim_denies(contest: Contest) -> Iterator[Found]:
    claim = contest.claim
    if not claim.negations or speaks_of_sources(claim):
        # "The passages do not mention X": another finder's business.
        return
    cues = {claim.stems[number] for number in claim.cues}
    for which, fact in enumerate(claim.negations):
        at = claim.negation_at[which]
        heads = _heads(contest, which)
        if not heads or claim.tokens[heads[0]].norm in _UNSAID:
            continue
        loose = claim.tokens[at].norm in _LOOSE
        # "Failed to host" agrees with "failed in its bid to host".
        own = cues - {claim.stems[at]} if loose else cues
        ally = 0.0
        best: tuple[float, Place] | None = None
        for chunk, sentence in contest.best_sentences(5):
            place = _anchor(contest, at, heads[0], chunk, sentence)
            if place is None:
                continue
            strength = contest.local(at, at, chunk, sentence)
            if _is_denied_near(contest, place, own):
                ally = max(ally, strength)
            elif best is None or strength > best[0]:
                best = strength, place
        if best is None or best[0] <= ally + _MARGIN:
            continue
        strength, place = best
        # The source does not speak of what is denied, or it is not quite denied.
        known = {
            "loose": loose,
            "unsure": _is_unsure(claim, at),
            "unsaid": not _speaks_of(contest, heads, place),
        }
        doubts = tuple(name for name, holds in known.items() if holds)
        cover = contest.cover(place.chunk, contest.sentence_of(place))
        token = contest.chunks[place.chunk].tokens[place.word]
        yield Found(
            "negation",
            fact.start,
            claim.tokens[heads[0]].end,
            *place,
            token.start,
            token.end,
            strength,
            cover,
            doubts,
        )


def _speaks_of(contest: Contest, heads: list[int], place: Place) -> bool:
    """Whether the sentence of a place holds a word that the claim denies, or one that says about the same."""
    held = contest.stems(place.chunk, contest.sentence_of(place))
    tokens = contest.claim.tokens
    # "Not usually cooked" is about what is cooked.
    stems = [tokens[number].stem for number in heads[: 1 + tokens[heads[0]].norm.endswith("ly")]]
    return any(other in held for stem in stems for other in (stem, *synonyms_of(stem)))


def _is_unsure(view: View, at: int) -> bool:
    """Whether a denial at a word is one of a condition, or of what may be."""
    own = view.sentence_of[at]
    near = range(max(0, at - 2), min(len(view.tokens), at + 3))
    return view.is_conditional(at) or any(
        view.tokens[number].norm in _MODAL and view.sentence_of[number] == own for number in near
    )


def _anchor(contest: Contest, at: int, head: int, chunk: int, sentence: int) -> Place | None:
    """Where a sentence says what the claim denies: the denied word, or the nearest word around it."""
    sentence_of = contest.chunks[chunk].sentence_of
    positions = contest.indexes[chunk].positions
    stems = [contest.claim.tokens[head].stem, *(stem for stem, _, _ in contest.neighbours(at, at).words[:3])]
    for stem in stems:
        for word in positions.get(stem, ()):
            if sentence_of[word] == sentence:
                return Place(chunk, word)
    return None


def _is_denied_near(contest: Contest, place: Place, own: set[str]) -> bool:
    """Whether something denies near a place: a negation, or a word that the claim does not hold as well."""
    view = contest.chunks[place.chunk]
    if place.word in view.denied:
        return True
    return any(
        cue in view.negated_at or view.tokens[cue].stem not in own
        for cue in view.cues_near(place.word, _CUE_REACH)
    )


def _chunk_denies(contest: Contest) -> Iterator[Found]:
    claim = contest.claim
    denials = contest.sources.denials
    if denials.keys().isdisjoint(claim.stems) or claim.negations or _keeps_from(claim):
        return
    heads = {claim.stems[number]: number for number in reversed(claim.content)}
    denied = [denial for stem in heads for denial in denials.get(stem, ())]
    bound_elsewhere: dict[str, float] = {}
    for place, which in sorted(denied):
        stem = contest.chunks[place.chunk].stems[place.word]
        head = heads[stem]
        strength = contest.bind(head, head, place)
        if strength <= _MARGIN or _explains(contest, place):
            continue
        if stem not in bound_elsewhere:
            bound_elsewhere[stem] = _bound_undenied(contest, stem, head)
        if strength <= bound_elsewhere[stem] + _MARGIN:
            continue
        view = contest.chunks[place.chunk]
        cover = contest.cover(place.chunk, contest.sentence_of(place))
        token = claim.tokens[head]
        doubts = ("unsure",) if _is_unsure(view, view.negation_at[which]) else ()
        start, end = view.negations[which].start, view.tokens[place.word].end
        yield Found("negation", token.start, token.end, *place, start, end, strength, cover, doubts)


def _bound_undenied(contest: Contest, stem: str, head: int) -> float:
    """How well a word of the claim is bound where the chunks do not deny it, at best."""
    undenied = (
        place for place in contest.places(stem) if place.word not in contest.chunks[place.chunk].denied
    )
    return max((contest.bind(head, head, place) for place in undenied), default=0.0)


def _explains(contest: Contest, place: Place) -> bool:
    """Whether the claim denies in its own words: a cue that the sentence does not hold."""
    stems = contest.stems(place.chunk, contest.sentence_of(place))
    return any(contest.claim.stems[cue] not in stems for cue in contest.claim.cues)


def _allows(claim: View, at: int) -> bool:
    """Whether a claim says before a word that something may be done."""
    return not _ALLOWING.isdisjoint(claim.norms[:at])


def _keeps_from(claim: View) -> bool:
    """Whether a claim says "keep the birds from nesting"."""
    norms = claim.norms
    return "from" in norms and not _KEEPING.isdisjoint(norms[: norms.index("from")])


def _claim_goes_without(contest: Contest) -> Iterator[Found]:
    """What the claim goes without and a source demands: "only with consent", "must be in the packaging"."""
    claim = contest.claim
    for at in claim.with_mark(WITHOUT):
        token = claim.tokens[at]
        if any(number < at for number in claim.negation_at):
            # "Not without" is "with".
            continue
        heads = [number for number in claim.content if at < number <= at + _MOST_WITHOUT + 1][:_MOST_WITHOUT]
        if not heads:
            continue
        for chunk, sentence in contest.best_sentences(3):
            found = _demanded(contest, heads, chunk, sentence)
            if found is None:
                continue
            cover = contest.cover(chunk, sentence)
            word, first, demanded = found
            rival = contest.chunks[chunk].tokens[word]
            start = contest.chunks[chunk].tokens[first].start
            yield Found(
                "negation",
                token.start,
                claim.tokens[heads[-1]].end,
                chunk,
                word,
                start,
                rival.end,
                contest.local(at, at, chunk, sentence),
                cover,
                () if demanded or _allows(claim, at) else ("unsure",),
            )
            break


def _demanded(contest: Contest, heads: list[int], chunk: int, sentence: int) -> tuple[int, int, bool] | None:
    """Where a sentence names what the claim goes without and what joins it, and whether it has to be."""
    low, high = contest.bounds(chunk, sentence)
    view = contest.chunks[chunk]
    stems = contest.stems(chunk, sentence)
    wanted = {contest.claim.tokens[number].stem for number in heads}
    if not wanted <= stems or any(view.tokens[number].norm == "without" for number in range(low, high)):
        return None
    conditional = bool(_CONDITION & stems)
    for word in range(low, high):
        if view.tokens[word].stem not in wanted or word in view.denied:
            continue
        for first in range(max(low, word - _MOST_WITHOUT - 1), word):
            norm = view.tokens[first].norm
            if norm in _JOINING and (conditional or norm == "with"):
                return word, first, conditional
        if conditional:
            return word, word, True
    return None

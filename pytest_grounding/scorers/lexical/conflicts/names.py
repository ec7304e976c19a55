"""Names that differ: another name stands where the claim's stands, or no source knows the name."""

from __future__ import annotations

from collections.abc import Iterator

from pytest_grounding.scorers.lexical.conflicts.absence import speaks_of_sources
from pytest_grounding.scorers.lexical.conflicts.contest import Contest, Place
from pytest_grounding.scorers.lexical.conflicts.displaced import displacement, is_topic
from pytest_grounding.scorers.lexical.conflicts.sides import shared_slots, slot_of
from pytest_grounding.scorers.lexical.conflicts.sources import heads_of
from pytest_grounding.scorers.lexical.conflicts.values import Found
from pytest_grounding.text.facts import Fact, compatible

#: Below these no name is a rival, so nothing more is looked at.
LEAST_REST = 0.4
LEAST_STRENGTH = 0.45
LEAST_UNKNOWN = 0.1
LEAST_DISPLACED = 0.0
#: What a word of the slot that both names share adds, and by how much a rival must be bound better.
_SHARED = 0.15
_MARGIN = 0.05
#: Below the strength of an error: what is said of one of two joined names may be said of the other.
_UNSURE = 0.85


def name_conflicts(contest: Contest) -> Iterator[Found]:
    """Names of the claim that another name stands against, bound to the same words."""
    names = contest.claim.named
    own = {word for fact, _ in names for word in fact.key.split()}
    for fact, at in names:
        found = _against(contest, fact, at, own)
        if found is not None:
            yield found


def _is_named(contest: Contest, fact: Fact) -> bool:
    """Some name of the chunks shares a word with this one."""
    return not contest.sources.names[1].isdisjoint(fact.key.split())


def _against(contest: Contest, fact: Fact, at: int, own: set[str]) -> Found | None:
    claim, sources = contest.claim, contest.sources
    last = claim.end_of(fact, at)
    stems = frozenset(token.stem for token in claim.tokens[at : last + 1] if not token.is_stop)
    if not stems:
        return None
    if fact.initial and not _is_named(contest, fact):
        # A lone capitalised word that starts a sentence: a common word as often as a name.
        return None
    known = stems & sources.held
    if len(known) < len(stems) and not fact.initial:
        unknown = any(not _is_derived(contest, stem) for stem in stems - known)
        if unknown and not _is_known_in_part(contest, fact):
            if stems <= contest.given and speaks_of_sources(claim):
                # "The passages do not mention Ulm", where the question is about Ulm.
                return None
            return _unknown(contest, fact, at, last, stems)
    slot = slot_of(claim, at, last, 0, len(claim.tokens))
    ally, best = _rival(contest, fact, (at, last), slot, stems, own)
    if (
        best is None
        or best[0] < LEAST_STRENGTH
        or _is_ally_bound(contest, known, (at, last), slot, ally, best[0])
    ):
        return _displaced(contest, fact, at, last, stems, known)
    strength, rest, place, other = best
    if _stand_side_by_side(contest, place, other, known):
        strength = min(strength, _UNSURE)
    return Found("entity", fact.start, fact.end, *place, other.start, other.end, strength, rest)


def _rival(
    contest: Contest,
    fact: Fact,
    words: tuple[int, int],
    slot: tuple[str, str],
    stems: frozenset[str],
    own: set[str],
) -> tuple[float, tuple[float, float, Place, Fact] | None]:
    """How well the name itself is bound in the best sentences, and the name there that is bound best.

    The latter with its strength, the rest of the claim that its sentence holds, and its place.
    """
    ally = 0.0
    best: tuple[float, float, Place, Fact] | None = None
    heads = heads_of(fact.key.split())
    for chunk, sentence in contest.best_sentences(4):
        rivals = contest.sources.named(chunk, sentence)
        if not rivals:
            continue
        rest = contest.cover(chunk, sentence, without=stems)
        if rest < LEAST_REST:
            continue
        # The sentence, or one right before it, speaks of the name: "he" may be it.
        near = any(
            not stems.isdisjoint(contest.stems(chunk, sentence - back))
            for back in (0, 1, 2)
            if sentence >= back
        )
        for other, place, their_words, their_heads, their_slot in rivals:
            shared = shared_slots(slot, their_slot)
            strength = contest.bind(*words, place) + _SHARED * shared
            if compatible(fact, other):
                ally = max(ally, strength)
                continue
            if not own.isdisjoint(their_words) or not heads.isdisjoint(their_heads):
                # The claim has that name too, or they are forms of one ("Italy", "Italian").
                continue
            if near and not shared:
                strength -= 0.2
            if best is None or (strength, rest) > best[:2]:
                best = strength, rest, place, other
    return ally, best


def _is_ally_bound(
    contest: Contest,
    known: frozenset[str],
    words: tuple[int, int],
    slot: tuple[str, str],
    ally: float,
    strength: float,
) -> bool:
    """Whether the name itself is bound about as well as its rival somewhere."""
    if strength <= ally + _MARGIN:
        return True
    for stem in known:
        for place in contest.places(stem):
            sentence = contest.sentence_of(place)
            if strength > contest.local(*words, place.chunk, sentence) + 2 * _SHARED + 2 * _MARGIN:
                continue
            view = contest.chunks[place.chunk]
            low, high = contest.bounds(place.chunk, sentence)
            shared = shared_slots(slot, slot_of(view, place.word, place.word, low, high))
            if strength <= contest.bind(*words, place) + _SHARED * shared + _MARGIN:
                return True
    return False


def _displaced(
    contest: Contest, fact: Fact, at: int, last: int, stems: frozenset[str], known: frozenset[str]
) -> Found | None:
    """A name that the sources know, but not of this: against the name in its place, or the sentence."""
    if not known or known & contest.given:
        return None
    found = displacement(contest, fact, (at, last), stems, known, (LEAST_DISPLACED, LEAST_REST))
    if found is None or is_topic(contest, known, found.chunk, found.sentence):
        return None
    if found.rival is not None:
        other, place = found.rival
        return Found(
            "displaced", fact.start, fact.end, *place, other.start, other.end, found.rest, found.rest
        )
    start, end = contest.indexes[found.chunk].sentences[found.sentence]
    word = contest.bounds(found.chunk, found.sentence)[0]
    return Found("displaced", fact.start, fact.end, found.chunk, word, start, end, found.rest, found.rest)


def _stand_side_by_side(contest: Contest, place: Place, rival: Fact, known: frozenset[str]) -> bool:
    """Whether a sentence joins the rival and the claim's name by "and" or "or", with no name between."""
    view = contest.chunks[place.chunk]
    low, high = contest.bounds(place.chunk, contest.sentence_of(place))
    last = view.end_of(rival, place.word)
    own = [number for number in range(low, high) if view.tokens[number].stem in known]
    for number in own:
        first, end = (last + 1, number) if number > last else (number + 1, place.word)
        between = view.tokens[first:end]
        if any(token.norm in {"and", "or"} for token in between) and not any(t.is_name for t in between):
            return True
    return False


def _is_known_in_part(contest: Contest, fact: Fact) -> bool:
    """Whether the chunks use the name or its end as a name ("Tolstoy" for "Leo Tolstoy")."""
    keys = contest.sources.names[0]
    words = fact.key.split(" ")
    # "Isle of France" is not called "France".
    longest = 1 if any(word.islower() for word in fact.text.split()) else len(words)
    return any(" ".join(words[first:]) in keys for first in range(longest))


def _is_derived(contest: Contest, stem: str) -> bool:
    """Whether the chunks hold another form of a name ("Italy", "Italian"), or spell it out."""
    if len(stem) < 2:
        return True
    if contest.sources.begins(stem[:4]):
        return len(stem) >= 4
    # An acronym of words that stand one after the other.
    return len(stem) <= 5 and contest.sources.spells(stem)


def _unknown(contest: Contest, fact: Fact, at: int, last: int, stems: frozenset[str]) -> Found | None:
    """A name that no chunk knows: set against the best name of the best sentence, or the sentence."""
    best: tuple[float, Place, Fact] | None = None
    for chunk, sentence in contest.best_sentences(2):
        for other, place, *_ in contest.sources.named(chunk, sentence):
            strength = contest.bind(at, last, place)
            if best is None or strength > best[0]:
                best = strength, place, other
    if best is None or best[0] < LEAST_UNKNOWN:
        return _against_sentence(contest, fact, stems)
    strength, place, other = best
    rest = contest.cover(place.chunk, contest.sentence_of(place), without=stems)
    return Found("new_entity", fact.start, fact.end, *place, other.start, other.end, strength, rest)


def _against_sentence(contest: Contest, fact: Fact, stems: frozenset[str]) -> Found | None:
    """An unknown name against the whole of the best sentence, which has no name in its place."""
    ranked = contest.best_sentences(1)
    if not ranked:
        return None
    chunk, sentence = ranked[0]
    rest = contest.cover(chunk, sentence, without=stems)
    start, end = contest.indexes[chunk].sentences[sentence]
    word = contest.bounds(chunk, sentence)[0]
    return Found("new_entity", fact.start, fact.end, chunk, word, start, end, rest, rest)

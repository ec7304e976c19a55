"""Names that differ: another name stands where the claim's stands, or no source knows the name."""

from __future__ import annotations

from collections.abc import Iterator

from pytest_grounding.scorers.lexical.conflicts.absence import speaks_of_sources
from pytest_grounding.scorers.lexical.conflicts.contest import Contest, Place
from pytest_grounding.scorers.lexical.conflicts.displaced import displacement, is_topic
from pytest_grounding.scorers.lexical.conflicts.values import Found, end_of
from pytest_grounding.scorers.lexical.conflicts.view import View
from pytest_grounding.text.facts import Fact, compatible

#: Below these no name is a rival, so nothing more is looked at.
LEAST_REST = 0.4
LEAST_STRENGTH = 0.45
LEAST_UNKNOWN = 0.1
LEAST_DISPLACED = 0.0
_STEM = 4
#: What a word of the slot that both names share adds, and by how much a rival must be bound better.
_SHARED = 0.15
_MARGIN = 0.05
#: Below the strength of an error: what is said of one of two joined names may be said of the other.
_UNSURE = 0.85


def name_conflicts(contest: Contest) -> Iterator[Found]:
    """Names of the claim that another name stands against, bound to the same words."""
    claim = contest.claim
    for fact, at in zip(claim.facts, claim.fact_at, strict=True):
        if fact.kind != "name":
            continue
        found = _against(contest, fact, at)
        if found is not None:
            yield found


def _words(contest: Contest, fact: Fact, at: int) -> tuple[int, list[int]]:
    """The last word of a name, and its content words."""
    tokens = contest.claim.tokens
    last = at
    while last + 1 < len(tokens) and tokens[last + 1].start < fact.end:
        last += 1
    return last, [number for number in range(at, last + 1) if not tokens[number].is_stop]


def _is_named(contest: Contest, fact: Fact) -> bool:
    """Some name of the chunks shares a word with this one."""
    return not contest.sources.names[1].isdisjoint(fact.key.split())


def _against(contest: Contest, fact: Fact, at: int) -> Found | None:
    last, words = _words(contest, fact, at)
    tokens = contest.claim.tokens
    if not words:
        return None
    stems = frozenset(tokens[number].stem for number in words)
    known = {stem for stem in stems if any(stem in index.positions for index in contest.indexes)}
    if fact.initial and not _is_named(contest, fact):
        # A lone capitalised word that starts a sentence: a common word as often as a name.
        return None
    if len(known) < len(stems) and not fact.initial:
        unknown = any(not _is_derived(contest, stem) for stem in stems - known)
        if unknown and not _is_known_in_part(contest, fact):
            if stems <= contest.given and speaks_of_sources(contest.claim.text):
                # "The passages do not mention Ulm", where the question is about Ulm.
                return None
            return _unknown(contest, fact, at, last, stems)
    best: tuple[float, float, Place, Fact] | None = None
    own = {word for other in contest.claim.facts if other.kind == "name" for word in other.key.split()}
    ally = 0.0
    slot = slot_of(contest.claim, at, last, 0, len(tokens))
    for chunk, sentence in contest.best_sentences(4):
        view = contest.chunks[chunk]
        rivals = view.names.get(sentence)
        rest = contest.cover(chunk, sentence, without=stems)
        if not rivals or rest < LEAST_REST:
            continue
        low, high = contest.bounds(chunk, sentence)
        held = bool(stems & contest.stems(chunk, sentence))
        near = held or any(
            stems & contest.stems(chunk, sentence - back) for back in (1, 2) if sentence >= back
        )
        for other, word in rivals:
            shared = shared_slots(slot, slot_of(view, word, end_of(view, other, word), low, high))
            strength = contest.bind(at, last, Place(chunk, word)) + _SHARED * shared
            if compatible(fact, other):
                ally = max(ally, strength)
                continue
            if own & set(other.key.split()) or _are_related(fact.key, other.key):
                continue
            if near and not shared:
                # The sentence, or one right before it, speaks of the name: "he" may be it.
                strength -= 0.2
            if best is None or (strength, rest) > best[:2]:
                best = strength, rest, Place(chunk, word), other
    if best is None or best[0] < LEAST_STRENGTH:
        return _displaced(contest, fact, at, last, stems, known)
    if _is_ally_bound(contest, known, (at, last), slot, ally, best[0]):
        return _displaced(contest, fact, at, last, stems, known)
    strength, rest, place, other = best
    if _stand_side_by_side(contest, place, other, known):
        strength = min(strength, _UNSURE)
    return Found("entity", fact.start, fact.end, *place, other.start, other.end, strength, rest)


def _is_ally_bound(
    contest: Contest,
    known: set[str],
    words: tuple[int, int],
    slot: tuple[str, str],
    ally: float,
    strength: float,
) -> bool:
    """Whether the name itself is bound about as well as its rival somewhere."""
    if strength <= ally + _MARGIN:
        return True
    reach = contest.reach(*words)
    for stem in known:
        for place in contest.places(stem):
            sentence = contest.sentence_of(place)
            if strength > reach.get((place.chunk, sentence), 0.0) + 2 * _SHARED + 2 * _MARGIN:
                continue
            view = contest.chunks[place.chunk]
            low, high = contest.bounds(place.chunk, sentence)
            shared = shared_slots(slot, slot_of(view, place.word, place.word, low, high))
            if strength <= contest.bind(*words, place) + _SHARED * shared + _MARGIN:
                return True
    return False


def _displaced(
    contest: Contest, fact: Fact, at: int, last: int, stems: frozenset[str], known: set[str]
) -> Found | None:
    """A name that the sources know, but not of this: against the name in its place, or the sentence."""
    if not known or known & contest.given:
        return None
    found = displacement(contest, fact, at, last, stems, known)
    if found is None or found.score < LEAST_DISPLACED or found.rest < LEAST_REST:
        return None
    if is_topic(contest, known, found.chunk, found.sentence):
        return None
    if found.rival is not None:
        other, place = found.rival
        return Found(
            "displaced", fact.start, fact.end, *place, other.start, other.end, found.rest, found.rest
        )
    start, end = contest.indexes[found.chunk].sentences[found.sentence]
    word = contest.bounds(found.chunk, found.sentence)[0]
    return Found("displaced", fact.start, fact.end, found.chunk, word, start, end, found.rest, found.rest)


def _stand_side_by_side(contest: Contest, place: Place, rival: Fact, known: set[str]) -> bool:
    """Whether a sentence joins the rival and the claim's name by "and" or "or", with no name between."""
    view = contest.chunks[place.chunk]
    low, high = contest.bounds(place.chunk, contest.sentence_of(place))
    last = end_of(view, rival, place.word)
    own = [number for number in range(low, high) if view.tokens[number].stem in known]
    for number in own:
        first, end = (last + 1, number) if number > last else (number + 1, place.word)
        between = view.tokens[first:end]
        if any(token.norm in {"and", "or"} for token in between) and not any(t.is_name for t in between):
            return True
    return False


def slot_of(view: View, first: int, last: int, low: int, high: int) -> tuple[str, str]:
    """The content words right before and right after words first to last, within words low to high."""
    before = after = ""
    for number in range(first - 1, max(low, first - 4) - 1, -1):
        if not view.tokens[number].is_stop:
            before = view.tokens[number].stem
            break
    for number in range(last + 1, min(high, last + 5)):
        if not view.tokens[number].is_stop:
            after = view.tokens[number].stem
            break
    return before, after


def shared_slots(slot: tuple[str, str], other: tuple[str, str]) -> int:
    """How many of the two sides of a slot hold the same word."""
    return sum(bool(a) and a == b for a, b in zip(slot, other, strict=True))


def _is_known_in_part(contest: Contest, fact: Fact) -> bool:
    """Whether the chunks use the name or its end as a name ("Tolstoy" for "Leo Tolstoy")."""
    keys = contest.sources.names[0]
    words = fact.key.split(" ")
    # "Isle of France" is not called "France".
    longest = 1 if any(word.islower() for word in fact.text.split()) else len(words)
    return any(" ".join(words[first:]) in keys for first in range(longest))


def _are_related(a: str, b: str) -> bool:
    """Whether two names are forms of one ("Italy", "Italian"): a word of each starts alike."""
    return any(len(one) >= _STEM and one[:_STEM] == other[:_STEM] for one in a.split() for other in b.split())


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
        view = contest.chunks[chunk]
        for other, word in view.names.get(sentence, ()):
            strength = contest.bind(at, last, Place(chunk, word))
            if best is None or strength > best[0]:
                best = strength, Place(chunk, word), other
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

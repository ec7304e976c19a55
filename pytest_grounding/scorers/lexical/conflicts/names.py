"""Names that differ: another name stands where the claim's stands."""

from __future__ import annotations

from collections.abc import Iterator

from pytest_grounding.scorers.lexical.conflicts.contest import Contest, Place
from pytest_grounding.scorers.lexical.conflicts.sides import shared_slots, slot_of
from pytest_grounding.scorers.lexical.conflicts.sources import heads_of
from pytest_grounding.scorers.lexical.conflicts.values import Found
from pytest_grounding.scorers.lexical.conflicts.view import View
from pytest_grounding.scorers.lexical.shortnames import are_short_forms
from pytest_grounding.text.facts import Fact, compatible

#: A sentence that holds less of the rest of the claim is about something else: it is not looked at.
LEAST_REST = 0.4
#: What a word of the slot that both names share adds, and by how much a rival must be bound better.
_SHARED = 0.15
_MARGIN = 0.05
#: A sentence that holds as much of a claim says all of it, whoever else it names.
_ALL = 0.999


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
            # Nothing that no source mentions has an ally.
            known = frozenset()
    slot = slot_of(claim, at, last, 0, len(claim.tokens))
    ally, best = _rival(contest, fact, (at, last), slot, stems, own)
    if best is None or _is_ally_bound(contest, known, (at, last), slot, ally, best[0]):
        return None
    strength, rest, place, other = best
    held = contest.spoken_of(place.chunk, contest.sentence_of(place))
    if stems <= held and rest >= _ALL:
        # "X was founded in 1981" and "Smith founded X in 1981": who else is named there is no rival.
        return None
    # What is said of one of two joined names may be said of the other, and the sentence may speak of both.
    reasons = {"held": stems <= held, "joined": _stand_side_by_side(contest, place, other, known)}
    doubts = tuple(name for name, holds in reasons.items() if holds)
    return Found("entity", fact.start, fact.end, *place, other.start, other.end, strength, rest, doubts)


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
    modifies = _modifies(contest.claim, words[1])
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
            if compatible(fact, other) or are_short_forms(their_words, fact.key.split()):
                ally = max(ally, strength)
                continue
            if not own.isdisjoint(their_words) or not heads.isdisjoint(their_heads):
                # The claim has that name too, or they are forms of one ("Italy", "Italian").
                continue
            view = contest.chunks[chunk]
            if not modifies and _modifies(view, view.end_of(other, place.word)):
                # "Hicks is an American actress" says no other name than "Hicks is an actress".
                continue
            if near and not shared:
                strength -= 0.2
            if best is None or (strength, rest) > best[:2]:
                best = strength, rest, place, other
    return ally, best


def _modifies(view: View, last: int) -> bool:
    """Whether a name that ends at a word only tells more of the word behind it ("an American actress")."""
    if last + 1 >= len(view.tokens):
        return False
    end, following = view.tokens[last].end, view.tokens[last + 1]
    tells = following.text[0].islower() and not following.is_stop and not following.is_number
    # A verb takes a name for its subject: "American Airlines flies", "Smith founded".
    verb = following.norm.endswith(("ed", "s")) and not following.norm.endswith("ss")
    return tells and not verb and view.text[end : following.start] == " "


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
    """Whether the chunks hold another form of a name ("Italy", "Italian", "Hibs"), or spell it out."""
    if len(stem) < 2:
        return True
    if any(index.name_words.short_form(word) for index in contest.indexes for word in (stem, stem + "s")):
        return True
    if contest.sources.begins(stem[:4]):
        return len(stem) >= 4
    # An acronym of words that stand one after the other.
    return len(stem) <= 5 and contest.sources.spells(stem)

"""Another name in the place of the claim's name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding.lexicon import words
from pytest_grounding.reading.facts import Fact, compatible
from pytest_grounding.scorers.builtin.conflicts.contest import Candidate, Contest, Duel, candidate, reasons
from pytest_grounding.scorers.builtin.conflicts.sentence_view import (
    Place,
    Sentence,
    Slot,
    Sources,
    View,
    heads_of,
    slot_of,
)
from pytest_grounding.scorers.builtin.token_index import are_short_forms

#: Sentences of the sources that are examined; one that contains less of the rest is about something else.
_SENTENCES = 4
_LEAST_REST = 0.4
#: Bonus for each slot word that both names share, cost of the claim's own name nearby,
#: and the margin by which a rival must be bound more closely.
_SHARED = 0.15
_NEAR = 0.2
_MARGIN = 0.05
#: A sentence with this coverage states the whole claim, whichever other names it has.
_ALL = 0.999
#: Languages that capitalise every noun, so that a capital is not a sign of a name. German endings are
#: short, and compounds contain their parts ("Kaufdatum", "Materialfehler").
_CAPITAL_NOUNS = frozenset({"de", "lb"})
_WORD = lazy(r"[^\W\d_]+")
_DETERMINERS = words("conflicts", "determiners")
#: "Team Otter" and "Team Heron" are different names.
_SORTS = words("names", "sorts_named")
_ENDING = 2
_SHORTEST = 4


class _Name(NamedTuple):
    """A name of the claim."""

    fact: Fact
    first: int
    last: int
    stems: frozenset[str]
    known: frozenset[str]
    slot: Slot


def has_names(claim: View) -> bool:
    """Whether a claim contains a name."""
    return bool(claim.named)


def name_conflicts(contest: Contest) -> Iterator[Candidate]:
    """Names of the claim that are opposed by another name, bound to the same words."""
    own = {word for fact, _ in contest.claim.named for word in fact.key.split()}
    for fact, at in contest.claim.named:
        name = _name(contest, fact, at)
        if name is not None and not is_common_noun(fact.text, contest.sources):
            yield from _against(contest, name, own)


def _name(contest: Contest, fact: Fact, at: int) -> _Name | None:
    """A name of the claim with its words; None if it may be a common word."""
    claim, sources = contest.claim, contest.sources
    last = claim.end_of(fact, at)
    stems = frozenset(token.stem for token in claim.tokens[at : last + 1] if not token.is_stop)
    if not stems or (fact.initial and sources.name_words.isdisjoint(fact.key.split())):
        # A single capitalised word at the start of a sentence is often a common word.
        return None
    known = stems & sources.held
    if not fact.initial and any(not _is_derived(contest, stem) for stem in stems - known):
        # A name that no source mentions has no ally.
        known = frozenset()
    sorts = _sorts_in(fact.key.split())
    if sorts:
        # "Team Heron" does not support "Team Otter".
        known = known.difference(token.stem for token in claim.tokens[at : last + 1] if token.norm in sorts)
    return _Name(fact, at, last, stems, known, slot_of(claim, at, last, 0, len(claim.tokens)))


def is_common_noun(stretch: str, sources: Sources) -> bool:
    """Whether a language capitalises nouns and the sources contain those of a stretch in some form."""
    if sources.language not in _CAPITAL_NOUNS:
        return False
    nouns = [word for word in _WORD.findall(stretch.lower()) if word not in _DETERMINERS]
    folded = "\n".join(index.text for index in sources.indexes).lower()
    return all(word[: max(_SHORTEST, len(word) - _ENDING)] in folded for word in nouns)


def _against(contest: Contest, name: _Name, own: set[str]) -> Iterator[Candidate]:
    duel = Duel(contest, name.first, name.last, margin=_MARGIN)
    for chunk, sentence in contest.best_sentences(_SENTENCES):
        _meet_names(contest, name, own, duel, (chunk, sentence))
    rival = duel.winner()
    if rival is None or _is_ally_bound(contest, name, rival.strength):
        return
    other: Fact = rival.what
    is_held = name.stems <= contest.spoken_of(*contest.spot(rival.place))
    if is_held and rival.tie >= _ALL:
        # "X was founded in 1981" and "Smith founded X in 1981": the other name is not a rival.
        return
    # A statement about one of two joined names may hold for the other, and the sentence may be about both.
    doubts = reasons(held=is_held, joined=_are_joined(contest, rival.place, other, name.known))
    ours, theirs = (name.fact.start, name.fact.end), (other.start, other.end)
    yield candidate(contest, "entity", ours, rival, theirs, doubts, cover=rival.tie)


def _meet_names(contest: Contest, name: _Name, own: set[str], duel: Duel, spot: Sentence) -> None:
    """Sort the names of a sentence into occurrences of the claim's name and rivals."""
    rivals = contest.sources.named(*spot)
    rest = contest.cover(*spot, without=name.stems) if rivals else 0.0
    if rest < _LEAST_REST:
        return
    chunk, sentence = spot
    view, key = contest.chunks[chunk], name.fact.key.split()
    modifies = _modifies(contest.claim, name.last)
    # This sentence, or the one before it, mentions the name: "he" may refer to it.
    is_near = False
    for back in range(max(0, sentence - 2), sentence + 1):
        if not name.stems.isdisjoint(contest.stems(chunk, back)):
            is_near = True
            break
    sorts = _sorts_in(key)
    for rival in rivals:
        # A common word such as "Team" does not make two names the same.
        sort = sorts & rival.words if sorts and rival.words > sorts else frozenset()
        shared = _shared_sides(name.slot, rival.slot)
        strength = contest.bind(name.first, name.last, rival.place) + _SHARED * shared
        if compatible(name.fact, rival.fact) or are_short_forms(rival.words, key):
            duel.agree(strength)
        elif (
            own.isdisjoint(rival.words - sort)
            # They are not forms of one name ("Italy", "Italian").
            and heads_of(set(key) - sort).isdisjoint(heads_of(rival.words - sort) if sort else rival.heads)
            # "Hicks is an American actress" has no other name than "Hicks is an actress".
            and (modifies or not _modifies(view, view.end_of(rival.fact, rival.place.word)))
        ):
            duel.differ(
                strength if shared or not is_near else strength - _NEAR, rival.place, rival.fact, rest
            )


def _sorts_in(key: list[str]) -> frozenset[str]:
    """The common words of a name: "Team" in "Team Otter"; none in "the Team"."""
    found = _SORTS.intersection(key)
    return found if len(found) < len(set(key)) else frozenset()


def _shared_sides(slot: Slot, other: Slot) -> int:
    """On how many sides two slots have the same word."""
    (left, right), (other_left, other_right) = slot, other
    return (left == other_left != "") + (right == other_right != "")


def _modifies(view: View, last: int) -> bool:
    """Whether a name before this word only describes it ("an American actress")."""
    if last + 1 >= len(view.tokens):
        return False
    end, following = view.tokens[last].end, view.tokens[last + 1]
    tells = following.text[0].islower() and not following.is_stop and not following.is_number
    # The subject of a verb may be a name: "American Airlines flies", "Smith founded".
    verb = following.norm.endswith(("ed", "s")) and not following.norm.endswith("ss")
    return tells and not verb and view.text[end : following.start] == " "


def _is_ally_bound(contest: Contest, name: _Name, strength: float) -> bool:
    """Whether the claim's name is bound about as closely somewhere as its rival."""
    words_of_name = name.first, name.last
    for stem in name.known:
        for place in contest.places(stem):
            spot = contest.spot(place)
            if strength > contest.local(*words_of_name, *spot) + 2 * _SHARED + 2 * _MARGIN:
                continue
            slot = slot_of(contest.chunks[place.chunk], place.word, place.word, *contest.bounds(*spot))
            shared = _shared_sides(name.slot, slot)
            if strength <= contest.bind(*words_of_name, place) + _SHARED * shared + _MARGIN:
                return True
    return False


def _are_joined(contest: Contest, place: Place, rival: Fact, known: frozenset[str]) -> bool:
    """Whether a sentence joins the rival and the claim's name by "and" or "or"."""
    view = contest.chunks[place.chunk]
    last = view.end_of(rival, place.word)
    for number in range(*contest.bounds(*contest.spot(place))):
        if view.stems[number] in known:
            first, end = (last + 1, number) if number > last else (number + 1, place.word)
            between = view.tokens[first:end]
            if any(token.norm in {"and", "or"} for token in between) and not any(t.is_name for t in between):
                return True
    return False


def _is_derived(contest: Contest, stem: str) -> bool:
    """Whether the chunks contain another form of a name ("Italy", "Italian", "Hibs"), or its long form."""
    if len(stem) < 2:
        return True
    if any(index.name_words.short_form(word) for index in contest.indexes for word in (stem, stem + "s")):
        return True
    if contest.sources.begins(stem[:4]):
        return len(stem) >= 4
    # An acronym of consecutive words.
    return len(stem) <= 5 and contest.sources.spells(stem)

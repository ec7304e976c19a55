"""Values and names that differ between a claim and a source about the same thing."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding.evidence.calendar_spans import span_around
from pytest_grounding.evidence.sentence_view import (
    VALUES,
    Place,
    Sentence,
    Slot,
    Sources,
    Value,
    View,
    heads_of,
    numbers_in,
    slot_of,
)
from pytest_grounding.evidence.token_index import are_short_forms
from pytest_grounding.evidence.value_readings import (
    MEASURES,
    has_equal_value,
    is_denied,
    is_the_only,
    is_told_below,
    is_twin,
    kind_of,
    stance,
)
from pytest_grounding.lexicon import words
from pytest_grounding.reading.facts import Fact, compatible
from pytest_grounding.reading.facts.often import Often, agree, often_in
from pytest_grounding.scorers.builtin.conflicts.contest import (
    Candidate,
    Contest,
    Duel,
    Rival,
    candidate,
    reasons,
)

#: Frequencies that are compared; more is a table or an attack.
_MOST_PERIODS, _MOST_OF_CHUNK = 10, 200
_SIGNS = frozenset(",;:()")
_JOINING = words("conflicts", "joining statements")

_LEADING = lazy(r"[^\d]*(\d[\d.,]*)")
_SEPARATOR = lazy(r"([.,])")
_COUNTS = frozenset({"number", "ordinal"})
_TIMED = frozenset({"quantity", "duration"})  # kinds of values that express a frequency
_MOST_OF_CLAIM = 40  # facts of a claim that are compared; more is a table or an attack
_ALLY = 0.05  # bonus for an equally bound ally
_LETTERED = lazy(r"\(?[a-z]\b(?!['’])")  # "401(k)", "401k": part of a name
_LABELS = words("conflicts", "labels")
_PLACING = words("facts", "placing")

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
_SORTS = words("names", "sorts_named")  # "Team Otter" and "Team Heron" are different names
_ENDING = 2
_SHORTEST = 4


class _Said(NamedTuple):
    """A frequency in a text, and the words it applies to."""

    often: Often
    place: Place
    last: int
    sentence: Sentence
    part: frozenset[str]


def often_conflicts(contest: Contest) -> Iterator[Candidate]:
    """Frequencies of the claim against another frequency bound to the same words."""
    owns = _frequencies_in(contest.claim, -1, _MOST_PERIODS)
    said = _frequencies(contest) if owns else []
    for own in owns if said else ():
        others = [mine for mine in owns if mine is not own]
        duel = Duel(contest, own.place.word, own.last)
        for one, share in _compared(contest, own, said):
            strength = contest.bind(own.place.word, own.last, one.place)
            if own.part:
                # Another part of the claim may have its own frequency.
                strength = (strength + share) / 2
            if _agrees(own.often, one.often):
                duel.agree(strength, one.sentence)
            elif (share or not own.part) and not _is_also_claimed(contest, one, strength, others):
                duel.differ(strength, one.place, one.often, share)
        rival = duel.winner()
        if rival is not None and not _are_values(contest, own.often, rival):
            ours, theirs = (own.often.start, own.often.end), (rival.what.start, rival.what.end)
            yield candidate(contest, "number", ours, rival, theirs)


def agreeing_elsewhere(contest: Contest, fact: Fact) -> Iterator[Place]:
    """Where the sources have the frequency of a value of the claim: "weekly", "every 7 days"."""
    for own in _frequencies_in(contest.claim, -1, _MOST_PERIODS):
        if own.often.start <= fact.start and fact.end <= own.often.end:
            found = _compared(contest, own, _frequencies(contest))
            yield from (one.place for one, _ in found if _agrees(own.often, one.often))


def _compared(contest: Contest, own: _Said, said: list[_Said]) -> list[tuple[_Said, float]]:
    """The frequencies of the chunks, each with the share of the claim's words beside it."""
    total = sum(map(contest.weight, sorted(own.part))) or 1.0
    shares = [sum(map(contest.weight, sorted(own.part & one.part))) / total for one in said]
    most: dict[Sentence, float] = {}
    for one, share in zip(said, shares, strict=True):
        if not _agrees(own.often, one.often):
            most[one.sentence] = max(most.get(one.sentence, 0.0), share)
    return [
        (one, share)
        for one, share in zip(said, shares, strict=True)
        if share >= most.get(one.sentence, 0.0) or not _agrees(own.often, one.often)
    ]


def _is_also_claimed(contest: Contest, one: _Said, strength: float, others: list[_Said]) -> bool:
    """Whether the claim's frequency agrees with one of a source that is bound at least as closely."""
    return any(
        _agrees(mine.often, one.often) and contest.bind(mine.place.word, mine.last, one.place) >= strength
        for mine in others
    )


def _agrees(own: Often, other: Often) -> bool:
    """Whether a source's frequency implies the claim's: daily implies on Mondays."""
    return agree(own, other) or (own.named and own.high <= other.low)


def _are_values(contest: Contest, own: Often, rival: Rival) -> bool:
    """Whether both are values in one unit, which the search for values compares."""
    theirs = _units_in(contest.chunks[rival.place.chunk], rival.what)
    return not _units_in(contest.claim, own).isdisjoint(theirs)


def _units_in(view: View, often: Often) -> set[str]:
    """The units of the values inside a frequency; months count as spans of seconds."""
    inside = [fact for fact in view.facts if often.start <= fact.start and fact.end <= often.end]
    return {"s" if fact.unit == "mo" else fact.unit for fact in inside if fact.unit}


def _frequencies(contest: Contest) -> list[_Said]:
    """The frequencies in the chunks, in order."""
    return [
        one
        for chunk, view in enumerate(contest.chunks)
        for one in _frequencies_in(view, chunk, _MOST_OF_CHUNK)
    ]


def _frequencies_in(view: View, chunk: int, most: int) -> list[_Said]:
    """The frequencies in a text, in order."""
    found = [
        (one, *view.words_between(one.start, one.end)) for one in often_in(view.text)[:most] if view.tokens
    ]
    said = []
    for number, (often, first, last) in enumerate(found):
        own = view.sentence_of[first]
        low, high = bisect_left(view.sentence_of, own), bisect_right(view.sentence_of, own)
        if number and found[number - 1][2] >= low:
            low = _edge(view, found[number - 1][2], first)
        if number + 1 < len(found) and found[number + 1][1] < high:
            high = _edge(view, last, found[number + 1][1])
        telling = view.content[bisect_left(view.content, low) : bisect_left(view.content, high)]
        part = frozenset(view.stems[at] for at in telling if not first <= at <= last)
        said.append(_Said(often, Place(chunk, first), last, (chunk, own), part))
    return said


def _edge(view: View, last: int, first: int) -> int:
    """The word between two statements at which the second begins."""
    for at in range(last + 1, first):
        between = view.gap(at)
        if not _SIGNS.isdisjoint(between) or view.norms[at] in _JOINING:
            return at
    return last + 1


class _Own(NamedTuple):
    """A value of the claim, with the indices of its first and last word."""

    fact: Fact
    first: int
    last: int


class _Other(NamedTuple):
    """How a value of a chunk relates, and why it may not be a rival."""

    fact: Fact
    doubts: tuple[str, ...] = ()


def has_values(claim: View) -> bool:
    """Whether a claim has a number, date, time or frequency."""
    if not VALUES.isdisjoint([fact.kind for fact in claim.facts]):
        return True
    return bool(often_in(claim.text))


def value_conflicts(contest: Contest) -> Iterator[Candidate]:
    """Values of the claim opposed by a value of a chunk, bound to the same words."""
    claim = contest.claim
    values = [_Own(fact, at, claim.end_of(fact, at)) for fact, at in claim.facts_of(VALUES, _MOST_OF_CLAIM)]
    for own in values:
        if not _is_label(contest, own.fact, own.first):
            yield from _against(contest, own, [other for other in values if other is not own])
    if contest.sources.language == "en":
        yield from often_conflicts(contest)


def _is_label(contest: Contest, fact: Fact, at: int) -> bool:
    """Whether a number counts the answer's own parts: "1." at its start, "passage 2"."""
    text = contest.claim.text
    if fact.kind == "ordinal" and fact.text.isalpha():
        after = contest.claim.tokens[at + 1].norm if at + 1 < len(contest.claim.tokens) else ""
        is_aside = text[fact.end : fact.end + 1] == "," and not (
            at and contest.claim.tokens[at - 1].norm in _PLACING
        )
        return is_aside or after in _LABELS
    if fact.kind != "number":
        return False
    if _LETTERED.match(text, fact.end):
        return True
    if fact.start <= 3 and text[fact.end : fact.end + 1] in {".", ")", ":"}:
        return True
    return at > 0 and contest.claim.tokens[at - 1].norm in _LABELS


def _heads(view: View, first: int, last: int) -> set[str]:
    """Stems of the content words next to a value: two after it, one before."""
    tokens, own = view.tokens, view.sentence_of[first]
    found: set[str] = set()
    at, left = last + 1, 2
    while at < len(tokens) and at <= last + 4 and left and view.sentence_of[at] == own:
        if not tokens[at].is_stop:
            found.add(tokens[at].stem)
            left -= 1
        at += 1
    at = first - 1
    while at >= 0 and at >= first - 2 and view.sentence_of[at] == own:
        if not tokens[at].is_stop:
            found.add(tokens[at].stem)
            break
        at -= 1
    return found


def _against(contest: Contest, own: _Own, others: list[_Own]) -> Iterator[Candidate]:
    fact, numbers = own.fact, numbers_in(own.fact.text)
    if not contest.comparisons.take(len(contest.sources.values)):
        return
    duel, twin, is_given = _survey(contest, own, others, numbers)
    if duel.rival is not None and fact.kind in _TIMED:
        for place in agreeing_elsewhere(contest, fact):
            duel.agree(contest.bind(own.first, own.last, place) + _ALLY, contest.spot(place))
    has_ally, rival = duel.ally > 0.0, duel.rival
    if not has_ally and not is_given:
        from pytest_grounding.evidence.guided_arithmetic import place_of_derived

        if place_of_derived(fact, contest.claim, contest.chunks) is not None:
            # The chunks contain it, in parts.
            return
        if any(span_around(fact, view.facts, view.text) is not None for view in contest.chunks):
            # "On Thursday" beside "from Tuesday to Friday".
            return
    if twin is not None and not is_given and (rival is None or twin.strength >= rival.strength):
        # The claim's number occurs with another unit only.
        yield _candidate(contest, "unit", fact, twin)
    elif rival is not None:
        rival = None if _is_spaced_number(contest, fact) else duel.winner()
        if rival is not None:
            kind, doubts = kind_of(fact, rival.what.fact, numbers), ("given",) if is_given else ()
            yield _candidate(contest, kind, fact, rival, doubts)


def _survey(
    contest: Contest, own: _Own, others: list[_Own], numbers: tuple[str, ...]
) -> tuple[Duel, Rival | None, bool]:
    """Compare a value of the claim with all of the chunks."""
    duel, twins = Duel(contest, own.first, own.last), Duel(contest, own.first, own.last)
    fact, words_of_it = own.fact, (own.first, own.last)
    is_given, is_measure = False, fact.kind in MEASURES
    denied = is_denied(contest.claim, fact, own.first)
    for value in contest.sources.values:
        other, place, sentence, theirs = value
        may_be_twin = is_measure and other.kind in MEASURES and not is_told_below(fact, contest.claim, other)
        if may_be_twin and is_twin(fact, numbers, other, theirs):
            twins.differ(contest.bind(*words_of_it, place), place, _Other(other))
        view = contest.chunks[place.chunk]
        found = stance(fact, contest.claim, other, view, has_same_numbers=numbers == theirs)
        agrees = found == "ally"
        is_given = is_given or found == "near"
        if found is None:
            continue
        if not agrees and duel.rival and contest.local(*words_of_it, *sentence) <= duel.rival.strength:
            # Nothing in its sentence is bound more closely: most pairs of two long tables end here.
            continue
        is_other = denied != is_denied(view, other, place.word)
        if agrees and not is_other:
            is_given = is_given or has_equal_value(fact, other)
            duel.agree(contest.bind(*words_of_it, place) + _ALLY, sentence)
        elif is_other and not agrees:
            # "Only 2.4 GHz" and "5 GHz are not supported" mean the same.
            is_given = is_given or (denied and is_the_only(view, other, place.word))
        else:
            _meet_rival(contest, own, others, duel, value, ("near",) if found == "near" else ())
    return duel, twins.rival, is_given


def _meet_rival(
    contest: Contest, own: _Own, others: list[_Own], duel: Duel, value: Value, doubts: tuple[str, ...]
) -> None:
    """Record a value that contradicts, unless the claim also has that value for something else."""
    place, other = value.place, value.fact
    strength = contest.bind(own.first, own.last, place)
    if duel.rival is not None and strength <= duel.rival.strength:
        return
    if any(
        contest.bind(mine.first, mine.last, place) >= strength and compatible(other, mine.fact)
        for mine in others
    ):
        return
    if not _COUNTS.isdisjoint((own.fact.kind, other.kind)):
        # A bare number applies to the word next to it.
        view = contest.chunks[place.chunk]
        theirs = _heads(view, place.word, view.end_of(other, place.word))
        if theirs.isdisjoint(_heads(contest.claim, own.first, own.last)):
            doubts = (*doubts, "other_head")
    duel.differ(strength, place, _Other(other, doubts))


def _candidate(
    contest: Contest, kind: str, fact: Fact, rival: Rival, doubts: tuple[str, ...] = ()
) -> Candidate:
    """Make a candidate of a value of the claim and its rival."""
    other: Fact = rival.what.fact
    ours, theirs = (fact.start, fact.end), (other.start, other.end)
    if kind != "unit" and fact.value == other.value:
        # The words at the number make the difference, and have to be shown with it.
        ours, theirs = (fact.lead, fact.tail), (other.lead, other.tail)
    return candidate(contest, kind, ours, rival, theirs, (*rival.what.doubts, *doubts))


def _is_spaced_number(contest: Contest, fact: Fact) -> bool:
    """Whether a chunk contains a number as some corpora print it: "1, 056" for 1,056, "31. 8" for 31.8."""
    match = _LEADING.match(fact.text)
    spaced = _SEPARATOR.sub(r"\1 ", match[1].rstrip(".,")) if match else ""
    return " " in spaced and any(spaced in index.text for index in contest.indexes)


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
            yield from _names_against(contest, name, own)


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


def _names_against(contest: Contest, name: _Name, own: set[str]) -> Iterator[Candidate]:
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
    return sum(own != "" and own == its for own, its in zip(slot, other, strict=True))


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

"""Crossed claims: what one statement speaks of, with what the statement beside it says.

"The Pro plan costs $50 a month" beside "The Pro plan is $20 per month" and "The Team plan is $50 per month":
every word of the claim stands in the sources, and so does the value. Two statements are *parallel* where they
share most of their words and differ, place by place, in the others; two rows of a table or entries of a list
are too, cell by cell. A claim is crossed where it takes one place from the first statement and another place
from the second, holds both sides of none, and no sentence has these words together.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise
from typing import NamedTuple

from pytest_grounding._patterns import lazy
from pytest_grounding.lexicon import words
from pytest_grounding.reading import Reading, reading_of
from pytest_grounding.scorers.lexical.conflicts.aligning import aligned
from pytest_grounding.scorers.lexical.conflicts.clauses import joints
from pytest_grounding.scorers.lexical.conflicts.contest import Contest
from pytest_grounding.scorers.lexical.conflicts.duel import Candidate, Span
from pytest_grounding.scorers.lexical.conflicts.sources import Bounds, Sentence
from pytest_grounding.scorers.lexical.conflicts.view import View
from pytest_grounding.scorers.lexical.index import ChunkIndex, index_of
from pytest_grounding.scorers.lexical.tokens import Token
from pytest_grounding.text.grammar import has_finite_verb
from pytest_grounding.text.tables import is_table_rule

#: Sentences of the sources that are laid against each other, those with most words of the claim first.
_MOST_SENTENCES = 6
#: Sentences whose clauses are.
_MOST_CUT = 2
#: Words of a statement, and of one place in which two differ.
_LONGEST = 40
_MOST_REPLACED = 5
#: Places in which two parallel statements differ.
_MOST_PLACES = 3
_SHORTEST_CLAUSE = 3
#: Words of a cell that is a value.
_LONGEST_CELL = 8
#: Shared words of parallel statements, and their share of the longer one: fewer where a value or name
#: differs. Share of the claim's words that the two hold. Chosen on visible rows (docs/conflicts.md).
_FEWEST_SHARED = 2
_LEAST_SHARED = 0.5
_LEAST_HELD = 0.7
_LEAST_SHARED_OF_FACTS = 0.3
_LEAST_HELD_OF_FACTS = 0.5
#: Content words of a claim that leaves out what it speaks of, at most.
_FRAGMENT = 3
_PRONOUNS = words("conflicts", "pronouns")
_LABELS = words("conflicts", "labels")
_BAR = lazy(r"(?<!\\)\|")
#: "- Pro: $20 per month".
_ENTRY = lazy(r"\s*(?:[-*•–]\s+|\d{1,2}[.)]\s+)?[^:|\n]{1,60}?(?::|\s[-–—])\s+(?=\S)")


class Statement(NamedTuple):
    """A sentence of a chunk, or a clause of one: the numbers of its first word and of the first after it."""

    chunk: int
    low: int
    high: int


class Difference(NamedTuple):
    """Where two statements differ.

    Attributes:
        first: the words of the first statement.
        second: those of the other one.
        ours: stems of content words that only the first statement has, of this place.
        theirs: those that only the other one has.
    """

    first: Bounds
    second: Bounds
    ours: frozenset[str]
    theirs: frozenset[str]


def crossed_conflicts(contest: Contest) -> Iterator[Candidate]:
    """What a claim says of one thing although a source says it of another, and something else of this one."""
    claim = contest.claim
    if claim.negations or not claim.content:
        # "The Pro plan does not cost $50": true.
        return
    # "Passage 2" counts the sources and says nothing of them.
    spoken = [
        n for n in claim.content if not (claim.tokens[n].is_number and n and claim.norms[n - 1] in _LABELS)
    ]
    stems = list(dict.fromkeys(claim.stems[number] for number in spoken))
    implied = contest.carried
    if not implied and (claim.norms[0] in _PRONOUNS or _is_fragment(claim)):
        # "It costs $50.", "$50 a month": said of what the question asks about.
        implied = sorted(contest.given)
    bits = {stem: 1 << number for number, stem in enumerate(dict.fromkeys([*stems, *implied]))}
    masks = _masks(contest, bits)
    proposed = []
    for one, other, is_listed in _pairs(contest, masks, _LEAST_HELD_OF_FACTS * len(bits)):
        differences = _cells(contest, one, other) if is_listed else _differences(contest, one, other, bits)
        found = _crossed(contest, (one, other), differences, bits, masks)
        suits = _is_entry if is_listed else _is_parallel
        if found is not None and suits(contest, one, other, found, bits):
            proposed.append(found)
    if proposed:
        yield min(proposed, key=lambda found: _unlike(contest, found))


def _unlike(contest: Contest, found: Candidate) -> int:
    """0 where two values of one kind with a unit differ, 2 where no two of one kind do."""
    facts, theirs = contest.claim.facts, contest.chunks[found.chunk].facts
    ours = {fact.kind for fact in facts if fact.start < found.end and fact.end > found.start}
    ours &= {fact.kind for fact in theirs if fact.start < found.rival_end and fact.end > found.rival_start}
    return 0 if ours - {"number"} else 1 if ours else 2


def _is_fragment(claim: View) -> bool:
    return len(claim.content) <= _FRAGMENT and not has_finite_verb(claim.norms)


def _masks(contest: Contest, bits: dict[str, int]) -> dict[Sentence, int]:
    """For each sentence the words of the claim that it holds or takes over, as bits."""
    masks: dict[Sentence, int] = {}
    taken_over = contest.sources.taken_over
    for stem, bit in bits.items():
        for spot in contest.sources.spots(stem).sentences:
            masks[spot] = masks.get(spot, 0) | bit
        for spot in taken_over.get(stem, ()):
            masks[spot] = masks.get(spot, 0) | bit
    return masks


def _pairs(
    contest: Contest, masks: dict[Sentence, int], least: float
) -> Iterator[tuple[Statement, Statement, bool]]:
    """Statements to lay against each other, and whether they are rows or entries.

    Two that are neither hold so many words of the claim at least.
    """
    ranked = sorted([(-mask.bit_count(), spot) for spot, mask in masks.items()])[:_MOST_SENTENCES]
    best = [spot for _, spot in ranked]
    if not best:
        return
    held = masks[best[0]]
    for mask in masks.values():
        held |= mask
    if held != masks[best[0]]:
        listed = {spot for spot in best if _is_listed(contest, spot)}
        for one, other in combinations(sorted(best), 2):
            if not (masks[one] & ~masks[other] and masks[other] & ~masks[one]):
                continue
            if one[0] == other[0] and one in listed and other in listed:
                yield _whole(contest, one), _whole(contest, other), True
                continue
            if (masks[one] | masks[other]).bit_count() < least:
                continue
            ours, theirs = contest.stems(*one), contest.stems(*other)
            if len(ours & theirs) >= _LEAST_SHARED_OF_FACTS * max(len(ours), len(theirs)):
                yield _whole(contest, one), _whole(contest, other), False
    for count, spot in ranked[:_MOST_CUT]:
        if -count < least:
            return
        for first, second in combinations(_clauses(contest, spot), 2):
            yield first, second, False


def _spot(contest: Contest, statement: Statement) -> Sentence:
    return statement.chunk, contest.chunks[statement.chunk].sentence_of[statement.low]


def _whole(contest: Contest, spot: Sentence) -> Statement:
    return Statement(spot[0], *contest.bounds(*spot))


def _clauses(contest: Contest, spot: Sentence) -> list[Statement]:
    """The clauses of a sentence that has two values or names, by its commas and joints."""
    chunk, view = spot[0], contest.chunks[spot[0]]
    low, high = contest.bounds(*spot)
    facts = bisect_left(view.fact_at, high) - bisect_left(view.fact_at, low)
    if facts < 2 or high - low > 2 * _LONGEST:
        return []
    cuts = [low, *joints(view, low, high), high]
    return [Statement(chunk, a, b) for a, b in pairwise(cuts) if b - a >= _SHORTEST_CLAUSE]


def _text(index: ChunkIndex, sentence: int) -> str:
    start, end = index.sentences[sentence]
    return index.text[start:end]


def _is_listed(contest: Contest, spot: Sentence) -> bool:
    """Whether a sentence is a row of a table, or an entry that names something before a colon or dash."""
    reading = reading_of(contest.indexes[spot[0]].text, contest.sources.language)
    return spot[1] in reading.part(_listed)


def _listed(reading: Reading) -> frozenset[int]:
    """The numbers of the sentences of a chunk that are rows or entries."""
    index = index_of(reading.text, reading.language)
    texts = [_text(index, number) for number in range(len(index.sentences))]
    rules = {number for number, text in enumerate(texts) if is_table_rule(text)}
    found = set()
    for number, text in enumerate(texts):
        is_row = text.lstrip().startswith("|")
        # The row above the rule is the header.
        if (number not in rules and number + 1 not in rules) if is_row else _ENTRY.match(text) is not None:
            found.add(number)
    return frozenset(found)


def _cuts(contest: Contest, statement: Statement) -> list[int]:
    """Offsets at which the cells of a row, or the name and the rest of an entry, end."""
    spot = _spot(contest, statement)
    start = contest.indexes[statement.chunk].sentences[spot[1]][0]
    text = _text(contest.indexes[spot[0]], spot[1])
    if text.lstrip().startswith("|"):
        return [start + match.start() for match in _BAR.finditer(text)][1:]
    match = _ENTRY.match(text)
    return [start + match.end(), start + len(text)] if match else []


def _cells(contest: Contest, one: Statement, other: Statement) -> list[Difference]:
    """The cells in which two rows or entries differ; none where they have another number of them."""
    ours, theirs = _cuts(contest, one), _cuts(contest, other)
    if len(ours) != len(theirs) or len(ours) < 2:
        return []
    places = zip(_stretches(contest, one, ours), _stretches(contest, other, theirs), strict=True)
    return _told_apart(contest, one, other, list(places))


def _stretches(contest: Contest, statement: Statement, cuts: Sequence[int]) -> list[Bounds]:
    tokens = contest.chunks[statement.chunk].tokens
    found, first = [], statement.low
    for cut in cuts:
        last = first
        while last < statement.high and tokens[last].start < cut:
            last += 1
        found.append((first, last))
        first = last
    return found


def _differences(
    contest: Contest, one: Statement, other: Statement, bits: dict[str, int]
) -> list[Difference]:
    """The places in which two statements differ; none where too few of their words are equal."""
    longer = max(one.high - one.low, other.high - other.low)
    if longer > _LONGEST:
        return []
    least = max(_FEWEST_SHARED, _LEAST_SHARED_OF_FACTS * longer)
    left, right = _words(contest, one), _words(contest, other)
    all_left, all_right = set(left), set(right)
    # Most pairs end here: laying them against each other takes a hundred times as long.
    if len(all_left & all_right) < least:
        return []
    if bits.keys().isdisjoint(all_left - all_right) or bits.keys().isdisjoint(all_right - all_left):
        return []
    pairs = aligned(left, right, least)
    if not pairs:
        return []
    places, a, b = [], 0, 0
    for ours, theirs in [*pairs, (len(left), len(right))]:
        if 0 < ours - a <= _MOST_REPLACED and 0 < theirs - b <= _MOST_REPLACED:
            places.append(((one.low + a, one.low + ours), (other.low + b, other.low + theirs)))
        a, b = ours + 1, theirs + 1
    return _told_apart(contest, one, other, places) if len(places) <= _MOST_PLACES else []


def _told_apart(
    contest: Contest, one: Statement, other: Statement, places: Sequence[tuple[Bounds, Bounds]]
) -> list[Difference]:
    left, right = frozenset(_words(contest, one)), frozenset(_words(contest, other))
    ours, theirs = contest.chunks[one.chunk], contest.chunks[other.chunk]
    return [
        Difference(mine, other_, _content(ours, mine) - right, _content(theirs, other_) - left)
        for mine, other_ in places
        if mine[0] < mine[1] and other_[0] < other_[1]
    ]


def _words(contest: Contest, statement: Statement) -> Sequence[str]:
    return contest.chunks[statement.chunk].stems[statement.low : statement.high]


def _content(view: View, place: Bounds) -> frozenset[str]:
    """Stems of the words of a place that name or measure: with its verb, two statements may say the same."""
    tokens = [view.tokens[number] for number in range(*place)]
    return frozenset(t.stem for t in tokens if not t.is_stop and (_tells(t) or not has_finite_verb([t.norm])))


def _crossed(
    contest: Contest,
    statements: tuple[Statement, Statement],
    differences: Sequence[Difference],
    bits: dict[str, int],
    masks: dict[Sentence, int],
) -> Candidate | None:
    """The candidate of a claim with one place of each of two statements, or None."""
    first: tuple[Difference, int] | None = None
    second: tuple[Difference, int] | None = None
    together = 0
    for difference in differences:
        here, there = _held(difference.ours, bits), _held(difference.theirs, bits)
        if here and there:
            # "Pro is $20, Team is $50": both are told.
            return None
        together |= here | there
        if here:
            first = difference, here
        elif there:
            second = difference, there
    if first is None or second is None:
        return None
    # Clauses of one sentence: that it has both tells nothing.
    own = [_spot(contest, statement) for statement in statements]
    if any(mask & together == together and spot not in own for spot, mask in masks.items()):
        return None
    # What is said stands behind what it is said of, mostly.
    ends = [
        (first[0].first, first[1], statements[1].chunk, first[0].second),
        (second[0].first, second[1], statements[0].chunk, second[0].first),
    ]
    for _, held, chunk, rival in sorted(ends, reverse=True):
        ours = [number for number in contest.claim.content if bits.get(contest.claim.stems[number], 0) & held]
        if ours:
            # Not taken over from the question, or from the sentence before.
            return _candidate(contest, ours, chunk, rival)
    return None


def _held(stems: frozenset[str], bits: dict[str, int]) -> int:
    found = 0
    for stem in stems:
        found |= bits.get(stem, 0)
    return found


def _candidate(contest: Contest, ours: Sequence[int], chunk: int, rival: Bounds) -> Candidate:
    view, (low, high) = contest.chunks[chunk], rival
    start, end = shown(contest.claim, ours[0], ours[-1] + 1)
    cover = contest.cover(chunk, view.sentence_of[low])
    return Candidate("crossed", start, end, chunk, low, *shown(view, low, high), 1.0, cover)


def shown(view: View, low: int, high: int) -> Span:
    """Offsets of words, with the rest of the values, names and codes ("C3") that they are part of."""
    text, start, end = view.text, view.tokens[low].start, view.tokens[high - 1].end
    facts = [fact for fact in view.facts if fact.start < end and start < fact.end]
    start = min([start, *(fact.start for fact in facts)])
    end = max([end, *(fact.end for fact in facts)])
    while start and text[start - 1].isalnum():
        start -= 1
    while end < len(text) and text[end].isalnum():
        end += 1
    return start, end


def _is_entry(
    contest: Contest, one: Statement, other: Statement, found: Candidate, bits: dict[str, int]
) -> bool:
    """Whether the claim has the name of one row with a number or name that stands in the other."""
    chunk = contest.chunks[one.chunk]
    own, ally = (one, other) if one.low <= found.word < one.high else (other, one)
    (name, *_), (_, *behind) = (_stretches(contest, row, _cuts(contest, row)) for row in (own, ally))
    # "Plan" stands in the name of every row.
    own_name = _content(chunk, name) - frozenset(_words(contest, ally))
    said = {t.stem for t in contest.claim.tokens if found.start <= t.start < found.end and _tells(t)}
    if not _held(own_name, bits) or all(said.isdisjoint(_content(chunk, cell)) for cell in behind):
        return False
    rival = [t for t in chunk.tokens[found.word : own.high] if t.start < found.rival_end]
    held = sum(stem in contest.indexes[one.chunk].positions for stem in bits) / len(bits)
    return len(rival) <= _LONGEST_CELL and any(map(_tells, rival)) and held >= _LEAST_HELD_OF_FACTS


def _tells(token: Token) -> bool:
    return token.is_number or token.is_name


def _is_parallel(
    contest: Contest, one: Statement, other: Statement, found: Candidate, bits: dict[str, int]
) -> bool:
    """Whether two statements share enough, and the claim has little that neither holds."""
    left, right = _words(contest, one), _words(contest, other)
    shared = len(aligned(left, right)) / max(len(left), len(right))
    both = {*left, *right}
    held = sum(stem in both for stem in bits) / len(bits)
    # Which words are verbs is known of English alone.
    if contest.sources.language == "en" and shared >= _LEAST_SHARED and held >= _LEAST_HELD:
        return True
    view = contest.chunks[found.chunk]
    has_fact = any(fact.start < found.end and fact.end > found.start for fact in contest.claim.facts)
    has_rival = any(fact.start < found.rival_end and fact.end > found.rival_start for fact in view.facts)
    return has_fact and has_rival and shared >= _LEAST_SHARED_OF_FACTS and held >= _LEAST_HELD_OF_FACTS

"""Match the words of a claim with the words of the chunks, and pick the sentences that support it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from types import MappingProxyType

from pytest_grounding._io.lazy_values import lazy_value
from pytest_grounding.evidence.all_chunks import Context, acronym_spans, closeness, name_runs
from pytest_grounding.evidence.number_matches import (
    FACTORS,
    VALUE_WORDS,
    Said,
    find_value,
    is_bare_number,
    is_conversion,
    is_part_of,
    where_factor,
    where_often,
)
from pytest_grounding.evidence.sentence_view import Comparisons
from pytest_grounding.evidence.token_index import synonyms_of, weight_of
from pytest_grounding.lexicon import words
from pytest_grounding.model.finding import Evidence
from pytest_grounding.reading.facts import extract_facts
from pytest_grounding.reading.facts.often import often_in
from pytest_grounding.reading.words import (
    FIRST_PERSON,
    IRREGULAR,
    STOP_WORDS,
    Token,
    is_acronym,
    stem_of,
    tokenize,
)

#: Small words that compounds begin with ("up-front", "off-line"). Other pairs of words form one by chance:
#: "not able" is not "notable".
_OPENERS = words("matching", "compound_openers")
#: Those that also form a compound across a blank in the claim: "up front"
#: may be "upfront", but "on line 21" is not "online", nor "over time" "overtime".
_LOOSE = frozenset("up out off down back".split())
#: Letters of a compound; a shorter one ("Wi-Fi") needs a hyphen or no small word ("seat" is not "see at").
_SHORTEST = 6
_SHORTEST_OF_ALL = 4
_LONGEST = 30
_SHORTEST_PART = 2
#: Words with the initials of a shorter acronym occur side by side by chance.
_SHORTEST_ACRONYM = 3
_SHORTEST_STEM = 3
_LONGEST_ENDING = 3  # letters of an ending that stemming removes ("screens", "workers")
#: A part with more occurrences is not searched further, so that long texts do not cost quadratic time.
_MOST_PLACES = 200

_SYNONYM = 0.9
_NAME_BY_INITIALS = 0.9
_SHORT_NAME = 0.9
WHOLE: Mapping[str, float] = MappingProxyType({})
#: Short names of countries and the stems of their long names, in any case.
#: "States" and "Kingdom" match them only where the claim also has "United".
_STATES = ("unit", "state")
_LONG_NAMES = {"us": _STATES, "usa": _STATES, "uk": ("unit", "kingdom"), "uae": ("unit", "emir")}
_UNITED = "unit"
_SHORT_NAMES = {"state": ("usa", "us"), "kingdom": ("uk",), "emir": ("uae",)}
#: The share of a claim, by weight, that may come from the question alone.
_EXCUSED_SHARE = 0.4
#: The share of a claim that the chunks must contain for that to be excused.
_OWN_SHARE = 0.3


def parts_of(word: str, context: Context) -> str | None:
    """Find a word of the claim that the chunks write as two: "coworker" as "co-worker"."""
    if not _SHORTEST_OF_ALL <= len(word) <= _LONGEST:
        return None
    positions, stems, sentence_at = context.positions, context.stems, context.sentence_at
    stops = STOP_WORDS["en"]
    for cut in range(_SHORTEST_PART, len(word) - _SHORTEST_PART + 1):
        head = word[:cut]
        stem = head if head in positions else _stem_of(head)
        places = positions.get(stem)
        if places is None or (head in stops and head not in _OPENERS):
            continue
        rest = word[cut:]
        if len(word) < _SHORTEST and (head in stops or rest in stops):
            continue
        for place in places[:_MOST_PLACES]:
            other = stems[place + 1]
            if _inflects(rest, other) and sentence_at[place] == sentence_at[place + 1]:
                return other if len(positions[other]) <= len(places) else stem
    return None


def _stem_of(head: str) -> str:
    """Stem of the first part of a compound, without stemming it anew: most heads are not words."""
    if head in IRREGULAR:
        return tokenize(head)[0].stem
    return head[:-1] if head[-1] == "e" else ""


def _inflects(word: str, stem: str) -> bool:
    """Whether a word is a stem, or a stem with an ending."""
    if word == stem:
        return True
    return len(stem) >= _SHORTEST_STEM and word.startswith(stem) and len(word) - len(stem) <= _LONGEST_ENDING


def wholes_of(
    claim: str, tokens: Sequence[Token], context: Context, lost: Collection[str]
) -> Iterator[tuple[str, str, str]]:
    """Stems of two neighbouring words that the chunks write as one, and of that: "co-worker", "coworker"."""
    for left, right in pairwise(tokens):
        if left.stem not in lost and right.stem not in lost:
            continue
        between = claim[left.end : right.start]
        least = _SHORTEST_OF_ALL if between == "-" else _SHORTEST
        if between not in ("-", " ") or len(left.norm) + len(right.norm) < least:
            continue
        if left.is_number or right.is_number:
            continue
        has_stop = left.is_stop or right.is_stop
        if between == " " and has_stop and _LOOSE.isdisjoint((left.norm, right.norm)):
            continue
        stem = _stem_of_both(left.norm + right.norm)
        if stem in context.positions:
            yield left.stem, right.stem, stem


def _stem_of_both(joined: str) -> str:
    """The stem of two folded words written as one, or "" where they do not form one word."""
    if joined.isascii() and joined.isalpha():
        return stem_of(joined)
    tokens = tokenize(joined)
    return tokens[0].stem if len(tokens) == 1 else ""


@lru_cache(maxsize=64)
def _initials(context: Context) -> dict[str, str]:
    """The initials of all runs of content words, with the stem of the first."""
    found: dict[str, str] = {}
    for index in context.indexes:
        for run in _plain_runs(index.tokens, index.sentence_of):
            letters = "".join(token.norm[0] for token in run)
            for first, last in acronym_spans(len(run)):
                if last - first >= _SHORTEST_ACRONYM:
                    found.setdefault(letters[first:last], run[first].stem)
    return found


def _plain_runs(tokens: Sequence[Token], sentences: Sequence[int]) -> Iterator[Sequence[Token]]:
    """Runs of content words long enough for an acronym; no small words, no numbers."""
    start = 0
    for end in range(len(tokens) + 1):
        ends = end == len(tokens) or tokens[end].is_stop or tokens[end].is_number
        if not ends and (end == start or sentences[end] == sentences[end - 1]):
            continue
        if end - start >= _SHORTEST_ACRONYM:
            yield tokens[start:end]
        start = end + 1 if ends else end


class Alignment:
    """A claim matched against a context."""

    asked: frozenset[str]  # stems in the question or in the sentence before the claim
    given: frozenset[str]  # the part of ``asked`` and ``named`` that needs no evidence; empty for a mere echo
    weights: dict[str, float]  # weight of each content stem
    found: dict[str, str]  # claim stem -> the stem it was matched with in the chunks
    quality: dict[str, float]  # claim stem -> quality of that match, in (0, 1]
    #: Matched stem -> numbers of the sentences that contain it.
    places: dict[str, frozenset[int]]

    def __init__(
        self,
        claim: str,
        tokens: list[Token],
        context: Context,
        given: frozenset[str],
        language: str,
        named: frozenset[str] = frozenset(),
        comparisons: Comparisons | None = None,
        question: str = "",
    ) -> None:
        self.claim, self.question = claim, question
        self.context: Context = context
        self.comparisons = comparisons or Comparisons()
        self.tokens: list[Token] = tokens
        self.asked = self.given = given
        self.named: frozenset[str] = named  # stems in the titles of the chunks
        own = FIRST_PERSON if language == "en" else frozenset()
        #: Content words of the claim; all words where there are none.
        self.content: list[Token] = [token for token in tokens if not token.is_stop or token.norm in own]
        self.has_content: bool = bool(self.content)  # whether the claim has a content word
        if not self.content:
            self.content = tokens
        if any(token.is_number for token in self.content):
            self.content = self._without_bare_numbers(tokens)
        self.weights, self.found, self.quality = {}, {}, {}
        self.computed: list[str] = []
        self._look_up_words(language)
        weights, found, quality = self.weights, self.found, self.quality
        self.total: float = sum(weights.values()) or 1.0
        backed = sum([weights[stem] * share for stem, share in quality.items() if stem not in given])
        excused = sum([weight for stem, weight in weights.items() if stem in given and stem not in quality])
        if excused > _EXCUSED_SHARE * self.total:
            self.given = frozenset()
        elif backed < _OWN_SHARE * self.total:
            # "Yes, the museum opens on Sundays": an echo of the question is not evidence for itself.
            # A number from the question is not invented, though.
            self.given = frozenset(t.stem for t in self.content if t.is_number and t.stem in given)
        if named:
            self.given |= named
        #: Content words found neither in the chunks nor in ``given``.
        self.missing: list[Token] = []
        if len(found) < len(weights):
            known = self.given
            self.missing = [t for t in self.content if t.stem not in quality and t.stem not in known]
        #: Matched stem -> its forms in the chunks, best first, where there are several.
        self.forms: dict[str, tuple[str, ...]] = {}
        self.places = {}
        places_of = context.places_of
        for stem, other in found.items():
            there = places_of(stem, other)
            self.places[stem] = there.sentences
            if there.forms:
                self.forms[stem] = there.forms
        #: Matched stem -> its weight times the quality of the match.
        self.gains: dict[str, float] = {stem: weights[stem] * share for stem, share in quality.items()}
        self.held: dict[int, float] = {}  # sentence -> the weight of the claim's words in it
        #: Sentence of ``held`` -> the stems in it, as indices into ``places``.
        self.holds: dict[int, list[int]] = {}
        self._read_sentences()

    def _look_up_words(self, language: str) -> None:
        """Match each content word with the chunks."""
        weights, found, quality = self.weights, self.found, self.quality
        context = self.context
        positions = context.positions
        for token in self.content:
            stem = token.stem
            if stem not in weights:
                weights[stem] = weight_of(token.norm, stem, token.is_number, language)
                if stem in positions:
                    found[stem] = stem
                    quality[stem] = 1.0
                else:
                    self._look_up(token)
        if len(found) < len(weights):
            if context.has_acronyms:
                self._look_up_names()
            self._look_up_numbers()
            if language == "en":
                self._look_up_spellings()

    @lazy_value
    def ranked(self) -> list[tuple[float, int]]:
        """The sentences with words of the claim, heaviest first: (-weight, sentence)."""
        return sorted([(-weight, sentence) for sentence, weight in self.held.items()])

    def _read_sentences(self) -> None:
        """Collect the stems of each sentence and their total weight."""
        held, holds, gains = self.held, self.holds, self.gains
        for number, (stem, sentences) in enumerate(self.places.items()):
            gain = gains[stem]
            for sentence in sentences:
                if sentence in held:
                    held[sentence] += gain
                    holds[sentence].append(number)
                else:
                    held[sentence] = gain
                    holds[sentence] = [number]

    def _without_bare_numbers(self, tokens: list[Token]) -> list[Token]:
        """The content words without labels ("step 4") and counts of listed items ("two types")."""
        bare = {
            t.start for n, t in enumerate(tokens) if t.is_number and is_bare_number(self.claim, tokens, n)
        }
        return [token for token in self.content if token.start not in bare] or self.content

    def _look_up(self, token: Token) -> None:
        """Match a word that is not in the chunks with another that means the same."""
        stem = token.stem
        if token.is_number:
            return
        if is_acronym(token.text):
            expansion = self.context.expansion(token.norm)
            if expansion is not None:
                self._match(stem, expansion, 1.0)
                return
        country = self._country(token)
        if country is not None:
            self._match(stem, country, 1.0)
            return
        forms = self.context.forms(stem)
        if forms:
            is_synonym = forms[0] in synonyms_of(stem)
            self._match(stem, forms[0], _SYNONYM if is_synonym else closeness(stem, forms[0]))
        elif token.text[0].isupper():
            names = (index.name_words.short_form(token.norm) for index in self.context.indexes)
            name = next(filter(None, names), None)
            if name is not None:
                self._match(stem, name, _SHORT_NAME)

    def _country(self, token: Token) -> str | None:
        """What the short name of a country matches in the chunks, or a word of its long name."""
        positions = self.context.positions
        stems = _LONG_NAMES.get(token.norm)
        if stems is not None and all(stem in positions for stem in stems):
            return stems[-1]
        if token.stem not in _SHORT_NAMES and token.stem != _UNITED:
            return None
        said = {other.stem for other in self.content}
        if _UNITED not in said:
            return None
        shorts = (short for stem in sorted(said & _SHORT_NAMES.keys()) for short in _SHORT_NAMES[stem])
        return next((short for short in shorts if short in positions), None)

    def _match(self, stem: str, other: str, quality: float) -> None:
        self.found[stem] = other
        self.quality[stem] = quality

    def _look_up_names(self) -> None:
        """Match "World Health Organization" with WHO in the chunks."""
        for run in name_runs(self.tokens):
            letters = "".join(token.norm[0] for token in run)
            for first, last in acronym_spans(len(run)):
                stem = self.context.acronym(letters[first:last])
                if stem is None:
                    continue
                for token in run[first:last]:
                    if token.stem in self.weights and token.stem not in self.quality:
                        self._match(token.stem, stem, _NAME_BY_INITIALS)

    def _look_up_spellings(self) -> None:
        """Match "coworker" with "co-worker" and back, and "CEO" with its long form."""
        lost = {token.stem: token for token in self.content if token.stem not in self.quality}
        for stem, token in lost.items():
            part = parts_of(token.norm, self.context)
            if part is not None:
                self._match(stem, part, 1.0)
            elif len(token.norm) >= _SHORTEST_ACRONYM and is_acronym(token.text):
                first = _initials(self.context).get(token.norm)
                if first is not None:
                    self._match(stem, first, _NAME_BY_INITIALS)
        if lost.keys() <= self.quality.keys():
            return
        for left, right, whole in wholes_of(self.claim, self.tokens, self.context, lost):
            for stem in (left, right):
                if stem in lost and stem not in self.quality:
                    self._match(stem, whole, 1.0)

    def _look_up_numbers(self) -> None:
        """Match numbers by value: "1.2 million" and "1,200,000", "half" and "50%", "5 dollars" and "$5"."""
        starts = [token.start for token in self.content]
        places: dict[tuple[str, str], Said | None] = {}
        facts = extract_facts(self.claim)
        for number, fact in enumerate(facts):
            if fact.value is None and fact.date is None and fact.kind != "date":
                continue
            first = max(0, bisect_left(starts, fact.lead) - 1)
            inside = [t for t in self.content[first : bisect_left(starts, fact.tail)] if fact.lead < t.end]
            if all(t.stem in self.quality for t in inside):
                continue
            key = fact.kind, self.claim[fact.lead : fact.tail]
            if key not in places:
                places[key] = find_value(
                    fact, self.claim, self.context.indexes, self.comparisons, self.question
                )
            said = places[key]
            if said is None and number and is_conversion(fact, facts[number - 1]):
                at = bisect_left(starts, facts[number - 1].start)
                place = self.found.get(self.content[at].stem) if at < len(starts) else None
                said = Said(place, None) if place is not None else None
            if said is not None:
                if said.operands:
                    self.computed.append(f"{fact.text} from {' and '.join(said.operands)}")
                for t in inside:
                    if t.stem not in self.quality and (said.is_whole or is_part_of(t, fact, said.fact)):
                        self._match(t.stem, said.stem, 1.0)
        self._look_up_periods()

    def _look_up_periods(self) -> None:
        """Match frequencies without a number: "quarterly" with "four times a year"."""
        for token in self.content:
            factor = FACTORS.get(token.norm)
            if factor is not None and token.stem not in self.quality:
                ratio = where_factor(factor, self.context.indexes)
                if ratio is not None:
                    self.computed.append(f"{token.text} from {' and '.join(ratio.operands)}")
                    self._match(token.stem, ratio.stem, 1.0)
        lost = [t for t in self.content if t.norm in VALUE_WORDS and t.stem not in self.quality]
        for often in often_in(self.claim) if lost else ():
            inside = [t for t in lost if often.start < t.end and t.start < often.end]
            said = where_often(often, self.context.indexes) if inside else None
            if said is not None:
                for token in inside:
                    self._match(token.stem, said.stem, 1.0)

    def is_covered_nearby(self, sentences: Iterable[int], least: float = 0.0) -> bool:
        """Whether a sentence, or a neighbour in its chunk, has at least this weight of the claim."""
        held, chunk_of = self.held, self.context.chunk_of
        return any(
            beside in held and held[beside] >= least and chunk_of[beside] == chunk_of[sentence]
            for sentence in sentences
            for beside in (sentence - 1, sentence, sentence + 1)
        )

    def held_without(self, skipped: frozenset[str], less: Mapping[str, float] = WHOLE) -> dict[int, float]:
        """Weight of the claim in each sentence, without some stems and with less weight for others."""
        held: dict[int, float] = {}
        for stem, sentences in self.places.items():
            if stem not in skipped:
                gain = self.gains[stem]
                if stem in less:
                    gain = max(0.0, gain - less[stem])
                for sentence in sentences:
                    held[sentence] = held.get(sentence, 0.0) + gain
        return held


def evidence_for(alignment: Alignment, chunk_ids: Sequence[str]) -> tuple[Evidence, ...]:
    """Pick up to three sentences as evidence: the heaviest, then those that add most to it."""
    ranked, holds = alignment.ranked, alignment.holds
    if not ranked:
        return ()
    gains = list(alignment.gains.values())
    chosen = [ranked[0]]
    covered = set(holds[ranked[0][1]])
    while len(chosen) < 3 and len(covered) < len(gains):
        best, most = ranked[0], 0.0
        for place in ranked:
            # No sentence adds more than its own weight: the rest cannot win.
            if -place[0] <= most:
                break
            weight = 0.0
            for number in holds[place[1]]:
                if number not in covered:
                    weight += gains[number]
            if weight > most:
                best, most = place, weight
        if not most:
            break
        chosen.append(best)
        covered.update(holds[best[1]])
    context, found = alignment.context, []
    for less, sentence in sorted(chosen):
        chunk = context.chunk_of[sentence]
        score = round(min(1.0, -less / alignment.total), 6)
        found.append(
            context.indexes[chunk].evidence(chunk_ids[chunk], sentence - context.offset[chunk], score)
        )
    return tuple(found)

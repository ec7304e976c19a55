"""The claim model's features, and the relevance of a chunk to a question."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import chain, pairwise
from typing import NamedTuple

from pytest_grounding._io.lazy_values import kept_with_owner
from pytest_grounding.evidence import token_index
from pytest_grounding.evidence.all_chunks import Context
from pytest_grounding.lexicon import meanings, words
from pytest_grounding.model.transcript import Chunk
from pytest_grounding.questions import looks_english
from pytest_grounding.reading import base_language
from pytest_grounding.reading.words import NEGATIONS, STOP_WORDS, content_stems, tokenize, tokenize_once
from pytest_grounding.scorers import RelevanceScore
from pytest_grounding.scorers.builtin.align import WHOLE, Alignment
from pytest_grounding.scorers.builtin.predicate import lacks_noun, strange_part

_OPENS = words("matching", "phrase_openers")
_PUNCTUATION = frozenset(",;:()—–")
#: Unmatched words in a row at the end, and their share of the content words: a single unmatched
#: word at the end is as often a paraphrase as an invention.
_LEAST_RUN = 2
_PART = 4
_REACH = 4  # words from an opening word to the first content word of its phrase
_UNITS = words("matching", "duration_stems")
_ONE = words("matching", "one")
_SAME = 0.15  # a sentence with this share of a claim is about the same thing

#: Name of each feature, in the order of `features_of`, and what it measures.
FEATURES = meanings("features", "support")
_NOTHING: frozenset[str] = frozenset()
_WINDOW = 3
_MOST_CENTRES = 400  # sentences around which windows are tried, the best first
_FROM_QUESTION = 0.8
_LONGEST_NAME = 3  # words of a name at most
_NEAR = 4
_RUNS = (2, 3, 5)
_STOP_SHARE = 0.5
_NEGATED_SHARE = 0.1
_GENERIC_SHARE = 0.35
_FRAMING_SHARE = 0.03
_WEIGHT_SCALE = 7.0
#: Later occurrences of a word are ignored, so that long texts do not cost quadratic time.
_MOST_PLACES = 4000

#: The best three sentences are more telling than words spread over the chunk.
_WINDOW_SHARE = 0.7
_TITLE_SHARE = 0.8
#: A chunk that answers a question rarely repeats all of its words; this lifts most of them above 0.6.
_STRETCH = 0.8
_SAMPLE = 400
#: Words cannot be compared across languages: below this, a chunk in another language than the question
#: has no score. Names and numbers alone may lift it above.
_FOREIGN_LEAST = 0.3


def has_strange_phrase(alignment: Alignment) -> bool:
    """Whether a claim has a duration or a comparison that no source makes."""
    if "than" in alignment.claim and _compares_anew(alignment):
        return True
    return bool(alignment.missing) and _has_strange_duration(alignment)


def ends_in_strange_words(alignment: Alignment) -> bool:
    """Whether the last two or more words, a fourth of the content words, are in no chunk."""
    if len(alignment.missing) < _LEAST_RUN:
        return False
    light = token_index.light_stems()
    gone = {token.start for token in alignment.missing}
    run = first = 0
    for token in reversed(alignment.content):
        if token.start in gone:
            if token.stem not in light:
                run += 1
            first = token.start
        elif token.stem not in light or token.stem in alignment.quality:
            break
    return run >= _LEAST_RUN and run * _PART >= len(alignment.weights) and _opens(alignment, first)


def _opens(alignment: Alignment, start: int) -> bool:
    """Whether a phrase starts at a word or shortly before it: an opening word or punctuation."""
    tokens = alignment.tokens
    at = next(number for number, token in enumerate(tokens) if token.start == start)
    for number in range(at, max(0, at - _REACH), -1):
        between = alignment.claim[tokens[number - 1].end : tokens[number].start]
        if tokens[number].norm in _OPENS or not _PUNCTUATION.isdisjoint(between):
            return True
    return False


def _has_strange_duration(alignment: Alignment) -> bool:
    """Whether a duration has a unit that no chunk has, and no nearby sentence has another duration."""
    tokens = alignment.tokens
    gone = {token.start for token in alignment.missing if token.stem in _UNITS}
    if not gone or not any(
        token.start in gone and number and (tokens[number - 1].is_number or tokens[number - 1].norm in _ONE)
        for number, token in enumerate(tokens)
    ):
        return False
    units = frozenset().union(*(alignment.context.sentences(unit) for unit in sorted(_UNITS)))
    return not alignment.is_covered_nearby(units, _SAME * alignment.total)


def _compares_anew(alignment: Alignment) -> bool:
    """Whether the claim compares two things, and no source does or gives numbers for it."""
    tokens = alignment.tokens
    if not any(
        token.norm == "than"
        and number
        and tokens[number - 1].norm not in ("rather", "other", "more", "less")
        and number + 1 < len(tokens)
        and not tokens[number + 1].is_number
        for number, token in enumerate(tokens)
    ):
        return False
    text_of, least = alignment.context.text_of, _SAME * alignment.total
    if alignment.is_covered_nearby(alignment.context.sentences("than"), least):
        return False
    near = [text_of(sentence) for sentence, weight in alignment.held.items() if weight >= least]
    return not any(char.isdigit() for text in near for char in text)


def _best_window(alignment: Alignment) -> tuple[Sequence[int], float]:
    """The three neighbouring sentences of a chunk that cover most of a claim, and the covered weight."""
    holds, given = alignment.holds, alignment.given
    if given.isdisjoint(alignment.places):
        held, gains = alignment.held, list(alignment.gains.values())
        top = alignment.ranked
    else:
        less = {stem: _FROM_QUESTION * alignment.weights[stem] for stem in given & alignment.places.keys()}
        held = alignment.held_without(_NOTHING, less)
        gains = [max(0.0, gain - less.get(stem, 0.0)) for stem, gain in alignment.gains.items()]
        top = sorted([(-weight, sentence) for sentence, weight in held.items()])
    chunk_of = alignment.context.chunk_of
    weigh = held.get
    best: list[int] = []
    most = 0.0
    tried: set[int] = set()
    for less_weight, centre in top[:_MOST_CENTRES]:
        # No window covers more than three times its best sentence: the rest cannot win.
        if -_WINDOW * less_weight <= most:
            break
        chunk = chunk_of[centre]
        for start in range(centre - _WINDOW + 1, centre + 1):
            if start in tried:
                continue
            tried.add(start)
            # A window covers at most the sum of its sentences: skip it if that cannot win.
            if weigh(start, 0.0) + weigh(start + 1, 0.0) + weigh(start + 2, 0.0) <= most:
                continue
            telling = [holds[s] for s in (start, start + 1, start + 2) if s in holds and chunk_of[s] == chunk]
            if len(telling) == 1:
                weight = held[centre]
            else:
                weight = 0.0
                for number in sorted(set().union(*telling)):
                    weight += gains[number]
            if weight > most + 1e-9:
                best, most = [start, centre], weight
    if best:
        start, centre = best
        around = range(max(start, 0), min(start + _WINDOW, len(chunk_of)))
        best = [sentence for sentence in around if chunk_of[sentence] == chunk_of[centre]]
    return best, most


def features_of(alignment: Alignment, language: str = "en") -> list[float]:
    """The features of one claim, in the order of `FEATURES`."""
    _, covered = _best_window(alignment)
    strange = strange_part(alignment) if language == "en" else ()
    runs = _runs(alignment)
    shares = _shares(alignment, language)
    total = sum(shares) or 1.0
    framing = token_index.framing_stems() if language == "en" else frozenset()
    return [
        _window_share(alignment, covered),
        _fresh_share(alignment),
        *_pair_shares(alignment),
        *[weight / total for weight in _in_runs(shares, runs)],
        math.log1p(_missing_run(alignment)),
        _second_missing(alignment) / _WEIGHT_SCALE,
        float(any(token.is_number for token in alignment.missing)),
        math.log1p(sum([token.is_name for token in alignment.missing])),
        float(_negates_anew(alignment)),
        float(language == "en" and lacks_noun(alignment, parted=strange is not None)),
        float(bool(strange)),
        float(language == "en" and has_strange_phrase(alignment)),
        float(language == "en" and ends_in_strange_words(alignment)),
        len(framing.intersection(alignment.weights)) / len(alignment.weights),
        float(not alignment.has_content),
    ]


def _window_share(alignment: Alignment, most: float) -> float:
    if not alignment.held:
        return 0.0
    weights, given = alignment.weights, alignment.given
    base = 0.0 if given.isdisjoint(weights) else sum([weights[stem] for stem in weights if stem in given])
    return (_FROM_QUESTION * base + most) / alignment.total


def _fresh_share(alignment: Alignment) -> float:
    """Share covered by the best sentence, of the words that are not the question's (or of all words)."""
    asked, weights = alignment.asked, alignment.weights
    fresh = weights if asked.isdisjoint(weights) else [stem for stem in weights if stem not in asked]
    if not fresh:
        fresh, asked = weights, _NOTHING
    total = sum([weights[stem] for stem in fresh])
    named = alignment.named.intersection(fresh)
    if not named:
        return _best_share_without(alignment, asked) / total
    base = _FROM_QUESTION * sum([weights[stem] for stem in weights if stem in named])
    less = {stem: _FROM_QUESTION * weights[stem] for stem in named}
    return (base + _best_share_without(alignment, asked, less)) / total


def is_echo(alignment: Alignment) -> bool:
    """Whether a claim only adds a name or value to words of the question, and no chunk has any of these."""
    asked, weights = alignment.asked, alignment.weights
    if alignment.given or not alignment.missing or not asked.isdisjoint(alignment.found.values()):
        return False
    added = [at for at, token in enumerate(alignment.tokens) if token.stem in weights.keys() - asked]
    is_one = 0 < len(added) < len(alignment.content) and added[-1] - added[0] < _LONGEST_NAME
    return is_one and all(alignment.tokens[at].is_name or alignment.tokens[at].is_number for at in added)


def _best_share_without(
    alignment: Alignment, skipped: frozenset[str] | dict[str, float], less: Mapping[str, float] = WHOLE
) -> float:
    """The best sentence's weight of a claim, without some stems and with less weight for others."""
    gains = []
    for stem, gain in alignment.gains.items():
        if stem in skipped:
            gain = 0.0
        elif stem in less:
            gain = max(0.0, gain - less[stem])
        gains.append(gain)
    holds, best = alignment.holds, 0.0
    for whole, sentence in alignment.ranked:
        # No sentence covers more without them: the rest cannot be the best.
        if -whole <= best:
            break
        weight = 0.0
        for number in holds[sentence]:
            weight += gains[number]
        if weight > best:
            best = weight
    return best


def _pair_shares(alignment: Alignment) -> tuple[float, float]:
    """Shares of neighbouring content words near each other, and in one sentence, by the lighter weight."""
    weights, places = alignment.weights, alignment.places.get
    words = [(stem, weights[stem], places(stem)) for _, _, stem, *_ in alignment.content]
    total = near = together = 0.0
    known: dict[tuple[str, str], bool] = {}
    for (left, first, here), (right, second, there) in pairwise(words):
        if left == right:
            continue
        weight = first if first < second else second
        total += weight
        if here is None or there is None:
            continue
        if not here.isdisjoint(there):
            together += weight
        pair = left, right
        if pair not in known:
            known[pair] = _meet_in_some_form(alignment, left, right)
        if known[pair]:
            near += weight
    near_share = near / total if total else _best_share(alignment)
    for (left, first, here), (right, second, there) in zip(words, words[2:], strict=False):
        if left == right:
            continue
        weight = first if first < second else second
        total += weight
        if here is not None and there is not None and not here.isdisjoint(there):
            together += weight
    return near_share, together / total if total else _best_share(alignment)


def _meet(context: Context, one: str, other: str) -> bool:
    """Whether two stems come within `_NEAR` of each other somewhere."""
    stems, positions = context.stems, context.positions
    if one == other:
        return any(right - left <= _NEAR for left, right in pairwise(positions[one]))
    if len(positions[one]) > len(positions[other]):
        one, other = other, one
    for place in positions[one]:
        first = place - _NEAR if place > _NEAR else 0
        if other in stems[first : place + 1 + _NEAR]:
            return True
    return False


def _meet_in_some_form(alignment: Alignment, left: str, right: str) -> bool:
    forms, found = alignment.forms, alignment.found
    if left not in forms and right not in forms:
        return _meet(alignment.context, found[left], found[right])
    ours, theirs = forms.get(left, (found[left],)), forms.get(right, (found[right],))
    return any(_meet(alignment.context, one, other) for one in ours for other in theirs)


def _best_share(alignment: Alignment) -> float:
    return max(alignment.held.values(), default=0.0) / alignment.total


def _runs(alignment: Alignment) -> list[int]:
    """For each word of the claim, the length of the longest verbatim run that includes it."""
    positions, pairs = alignment.context.positions, alignment.context.pair
    is_long = len(alignment.context.stems) > _MOST_PLACES
    ending: list[int] = []
    # Runs of two or more words that end at the current word: position of their last word -> length.
    runs: dict[int, int] = {}
    stems = [stem for _, _, stem, *_ in alignment.tokens]
    for pair in pairwise(["", *stems]):
        places = pairs(*pair)
        if not places:
            runs = {}
            ending.append(1 if pair[1] in positions else 0)
        else:
            if is_long:
                places = _looked_at(places, *[positions[stem] for stem in pair])
            if len(places) == 1:
                place = places[0]
                run = runs.get(place - 1, 1) + 1
                runs = {place: run}
                ending.append(run)
            elif runs:
                known = runs.get
                runs = {place: known(place - 1, 1) + 1 for place in places}
                ending.append(max(runs.values(), default=1))
            else:
                runs = dict.fromkeys(places, 2)
                ending.append(2 if places else 1)
    return _longest(ending)


def _looked_at(pair: tuple[int, ...], previous: Sequence[int], places: Sequence[int]) -> tuple[int, ...]:
    """The positions of a pair of words, without those past the limit."""
    if len(previous) <= _MOST_PLACES and len(places) <= _MOST_PLACES:
        return pair
    last = min(previous[:_MOST_PLACES][-1] + 1, places[:_MOST_PLACES][-1])
    return pair[: bisect_right(pair, last)]


def _longest(ending: Sequence[int]) -> list[int]:
    """For each word the longest run that includes it, from the longest runs that end at each."""
    longest = list(ending)
    last = len(ending) - 1
    for number, run in enumerate(ending):
        if run > 1 and (number == last or ending[number + 1] != run + 1):
            for word in range(number - run + 1, number):
                if longest[word] < run:
                    longest[word] = run
    return longest


def _in_runs(shares: Sequence[float], runs: Sequence[int]) -> list[float]:
    """Weight of the words in runs of at least this length, for each of `_RUNS`."""
    least, middling, most = _RUNS
    two = three = five = 0.0
    for share, run in zip(shares, runs, strict=True):
        if run >= least:
            two += share
            if run >= middling:
                three += share
                if run >= most:
                    five += share
    return [two, three, five]


def _shares(alignment: Alignment, language: str) -> list[float]:
    """Weight of each word in `_runs`: half for stop words, next to nothing for framing."""
    tokens = alignment.tokens
    if language != "en":
        return [_STOP_SHARE if token.is_stop else 1.0 for token in tokens]
    light = _light_shares().get
    return [light(stem) or (_STOP_SHARE if is_stop else 1.0) for _, _, stem, _, _, is_stop, _, _ in tokens]


@lru_cache(maxsize=1)
def _light_shares() -> dict[str, float]:
    """Weight in `_runs` of an uninformative word, by its stem."""
    return dict.fromkeys(token_index.generic_stems(), _GENERIC_SHARE) | dict.fromkeys(
        token_index.framing_stems(), _FRAMING_SHARE
    )


def _missing_run(alignment: Alignment) -> float:
    if not alignment.missing:
        return 0.0
    missing = {token.stem for token in alignment.missing}
    longest = run = 0.0
    for token in alignment.content:
        stem = token.stem
        if stem in missing:
            run += alignment.weights[stem]
            longest = max(longest, run)
        else:
            run = 0.0
    return longest


def _second_missing(alignment: Alignment) -> float:
    weights = sorted({t.stem: alignment.weights[t.stem] for t in alignment.missing}.values(), reverse=True)
    return weights[1] if len(weights) > 1 else 0.0


def _negates_anew(alignment: Alignment) -> bool:
    """Whether the claim negates, and no sentence about it, nor a neighbour of one, does."""
    if NEGATIONS.isdisjoint([token.norm for token in alignment.tokens]):
        return False
    denied = chain.from_iterable(map(alignment.context.sentences, NEGATIONS))
    return not alignment.is_covered_nearby(denied, _NEGATED_SHARE * alignment.total)


def relevance_of(question: str, chunk: Chunk, language: str) -> RelevanceScore:
    """Weighted share of the question's content words in a chunk."""
    return _relevance(question, chunk.text, titles_of(chunk), language)


# Cached, because the answers to one question share its chunks.
@lru_cache(maxsize=1024)
def _relevance(question: str, text: str, titles: str, language: str) -> RelevanceScore:
    tokens = [token for token in tokenize(question, language) if not token.is_stop]
    if not tokens:
        return RelevanceScore(None, "the question has no content words")
    context = Context([token_index.index_of(text, language)], language)
    alignment = Alignment(question, tokens, context, frozenset(), language)
    window, _ = _best_window(alignment)
    title = {token.stem for token in tokenize(titles, language)}
    near = far = 0.0
    for stem, weight in alignment.weights.items():
        floor = _TITLE_SHARE if stem in title else 0.0
        quality = max(floor, alignment.quality.get(stem, 0.0))
        far += weight * quality
        is_inside = stem in alignment.places and not alignment.places[stem].isdisjoint(window)
        near += weight * (quality if is_inside else floor)
    value = (_WINDOW_SHARE * near + (1 - _WINDOW_SHARE) * far) / alignment.total
    score = round(min(1.0, value**_STRETCH), 6)
    if score < _FOREIGN_LEAST and _languages_differ(question, text):
        return RelevanceScore(None, "the question and the chunk are in different languages")
    if score < _FOREIGN_LEAST and base_language(language) not in STOP_WORDS:
        return RelevanceScore(None, f"few words are shared, which means little in {language!r}")
    return RelevanceScore(score, _reason(alignment, title))


def _languages_differ(question: str, text: str) -> bool:
    """Whether one of two texts is plainly English and the other plainly not."""
    first = looks_english(question)
    if first == looks_english(text):
        return False
    # One word in eight is an English stop word: names are not a sign.
    tokens = tokenize((question if first else text)[:_SAMPLE], "en")
    return sum(token.is_stop for token in tokens) * 8 >= max(1, len(tokens))


def titles_of(chunk: Chunk) -> str:
    """The titles of a chunk's document and section: every sentence of the chunk is about them."""
    metadata = chunk.metadata
    return " ".join(part for part in (metadata.title, metadata.section_title) if part)


def _reason(alignment: Alignment, title: set[str]) -> str:
    lost = [t.text for t in alignment.content if t.stem not in alignment.quality and t.stem not in title]
    held = len(alignment.weights) - len({t.stem for t in alignment.content if t.text in lost})
    text = f"holds {held} of {len(alignment.weights)} content words of the question"
    return f"{text}; not: {', '.join(dict.fromkeys(lost))}" if lost else text


class Coverage(NamedTuple):
    """How much of an answer's wording the chunks contain."""

    words: int  # number of content words of the answer
    held: float  # share of them in some chunk, in [0, 1]; 1 where there is none
    own: float  # the same without the question's words
    pairs: float  # share of pairs of neighbouring content words that are neighbours in a chunk
    lost_numbers: int  # numbers of the answer that no chunk contains


def coverage_of(
    answer: str,
    question: str,
    texts: Sequence[str],
    language: str = "en",
    left_out: Sequence[tuple[int, int]] = (),  # spans to ignore, sorted and disjoint
) -> Coverage:
    """The coverage of an answer by the texts of the chunks."""
    for start, end in reversed(left_out):
        answer = f"{answer[:start]} {answer[end:]}"
    indexes = [token_index.index_of(text, language) for text in texts]
    tokens = [token for token in tokenize_once(answer, language) if not token.is_stop]
    stems = [token.stem for token in tokens]
    asked = content_stems(question, language)
    held = {stem for index in indexes for stem in index.positions.keys() & stems}
    pairs = list(pairwise(stems))
    together = frozenset().union(*[_content_pairs(index).intersection(pairs) for index in indexes])
    return Coverage(
        words=len(stems),
        held=_share([stem in held for stem in stems]),
        own=_share([stem in held for stem in stems if stem not in asked]),
        pairs=_share([pair in together for pair in pairs]),
        lost_numbers=sum(token.is_number and token.stem not in held for token in tokens),
    )


@kept_with_owner
def _content_pairs(index: token_index.ChunkIndex) -> frozenset[tuple[str, str]]:
    """The stems of neighbouring content words of a chunk."""
    return frozenset(pairwise([token.stem for token in index.tokens if not token.is_stop]))


def _share(hits: Sequence[bool]) -> float:
    return sum(hits) / len(hits) if hits else 1.0

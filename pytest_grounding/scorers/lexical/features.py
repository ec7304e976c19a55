"""What the model sees of a claim: a dozen numbers, none of which depends on where the claim stands.

Position in the answer and length of the claim are left out on purpose: they alone predict labels of one
corpus (AUROC 72 without reading a source) and nothing elsewhere.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from pytest_grounding.scorers.lexical.align import Alignment
from pytest_grounding.scorers.lexical.background import framing_stems, generic_stems
from pytest_grounding.scorers.lexical.slots import ends_in_strange_clause, lacks_noun
from pytest_grounding.scorers.lexical.wordlists import NEGATIONS

#: Names of the features, in the order of `features_of`, with what each one is.
FEATURES: dict[str, str] = {
    "window": "share of the content, by weight, in the best three neighbouring sentences; words of the "
    "question count for 0.8",
    "fresh": "share of the content that the question does not hold, by weight, in the best single sentence",
    "near": "share of neighbouring content words of the claim that stand within four words of each other",
    "pairs": "share of pairs of close content words of the claim that share a sentence",
    "runs_of_two": "share of the words, by weight, in runs of two or more that stand verbatim in a chunk",
    "runs_of_three": "the same for runs of three or more",
    "runs_of_five": "the same for runs of five or more",
    "missing_run": "log of one plus the weight of the longest run of content words that stand nowhere",
    "second_missing": "weight of the second weightiest word that stands nowhere, over seven",
    "missing_number": "whether a number stands nowhere",
    "missing_names": "log of one plus the number of names that stand nowhere",
    "new_negation": "whether the claim negates and the best three sentences do not",
    "lacks_noun": "whether a short claim has a noun that stands nowhere",
    "strange_clause": "whether its last clause is about what no source holds, while the rest is held",
    "framing": "share of the content that talks about the answer or the sources",
    "no_content": "whether the claim has no content word",
}

_TOP_SENTENCES = 5
_WINDOW = 3
_FROM_QUESTION = 0.8
_NEAR = 4
_RUNS = (2, 3, 5)
_STOP_SHARE = 0.5
_GENERIC_SHARE = 0.35
_FRAMING_SHARE = 0.03
_WEIGHT_SCALE = 7.0
#: A word that stands more often than this is looked at no further: long texts must not cost their square.
_MOST_PLACES = 4000


def best_window(alignment: Alignment) -> tuple[list[int], float]:
    """The three neighbouring sentences of one chunk that hold most of a claim.

    Returns:
        Their numbers in the context (empty where no sentence holds a word), and the weight they hold.
    """
    top = sorted(alignment.held.items(), key=lambda item: (-item[1], item[0]))[:_TOP_SENTENCES]
    places = [
        (gain, alignment.places[stem]) for stem, gain in alignment.gains.items() if stem in alignment.places
    ]
    chunk_of = alignment.context.chunk_of
    best: list[int] = []
    most = 0.0
    tried: set[int] = set()
    for centre, _ in top:
        for start in range(centre - _WINDOW + 1, centre + 1):
            if start in tried:
                continue
            tried.add(start)
            window = [
                sentence
                for sentence in range(start, start + _WINDOW)
                if 0 <= sentence < len(chunk_of) and chunk_of[sentence] == chunk_of[centre]
            ]
            weight = 0.0
            for gain, sentences in places:
                if not sentences.isdisjoint(window):
                    weight += gain
            if weight > most + 1e-9:
                best, most = window, weight
    return best, most


def features_of(alignment: Alignment, language: str = "en") -> list[float]:
    """The features of one claim, in the order of `FEATURES`."""
    window, _ = best_window(alignment)
    runs = _runs(alignment)
    shares = _shares(alignment, language)
    total = sum(shares) or 1.0
    framing = framing_stems() if language == "en" else frozenset()
    return [
        _window_share(alignment, window),
        _fresh_share(alignment),
        _near_share(alignment),
        _pair_share(alignment),
        *(sum(s for s, run in zip(shares, runs, strict=True) if run >= least) / total for least in _RUNS),
        math.log1p(_missing_run(alignment)),
        _second_missing(alignment) / _WEIGHT_SCALE,
        float(any(token.is_number for token in alignment.missing)),
        math.log1p(sum(token.is_name for token in alignment.missing)),
        float(_negates_anew(alignment, window)),
        float(language == "en" and lacks_noun(alignment)),
        float(language == "en" and ends_in_strange_clause(alignment, window)),
        sum(stem in framing for stem in alignment.weights) / len(alignment.weights),
        float(not alignment.has_content),
    ]


def _window_share(alignment: Alignment, window: Sequence[int]) -> float:
    if not window:
        return 0.0
    held = 0.0
    for stem, weight in alignment.weights.items():
        share = _FROM_QUESTION if stem in alignment.given else 0.0
        if not alignment.sentences(stem).isdisjoint(window):
            share = max(share, alignment.quality[stem])
        held += weight * share
    return held / alignment.total


def _fresh_share(alignment: Alignment) -> float:
    total = sum(weight for stem, weight in alignment.weights.items() if stem not in alignment.given)
    if not total:
        return 1.0
    return max(alignment.held_without(alignment.given).values(), default=0.0) / total


def _near_share(alignment: Alignment) -> float:
    """Neighbouring content words that also stand near each other in a chunk, by the lighter weight."""
    positions = alignment.context.positions
    total = near = 0.0
    known: dict[tuple[str, str], bool] = {}
    for left, right in pairwise(alignment.content):
        if left.stem == right.stem:
            continue
        weight = min(alignment.weights[left.stem], alignment.weights[right.stem])
        total += weight
        first, second = alignment.found.get(left.stem), alignment.found.get(right.stem)
        if first is None or second is None:
            continue
        if (first, second) not in known:
            known[first, second] = _meet(positions[first], positions[second])
        if known[first, second]:
            near += weight
    return near / total if total else _best_share(alignment)


def _meet(left: Sequence[int], right: Sequence[int]) -> bool:
    """Whether two ascending lists of positions come within `_NEAR` of each other, but not on the same."""
    i = j = 0
    while i < len(left) and j < len(right):
        distance = right[j] - left[i]
        if distance and -_NEAR <= distance <= _NEAR:
            return True
        if distance > 0:
            i += 1
        else:
            j += 1
    return False


def _pair_share(alignment: Alignment) -> float:
    content = alignment.content
    total = together = 0.0
    for step in (1, 2):
        for left, right in zip(content, content[step:], strict=False):
            if left.stem == right.stem:
                continue
            weight = min(alignment.weights[left.stem], alignment.weights[right.stem])
            total += weight
            if not alignment.sentences(left.stem).isdisjoint(alignment.sentences(right.stem)):
                together += weight
    return together / total if total else _best_share(alignment)


def _best_share(alignment: Alignment) -> float:
    return max(alignment.held.values(), default=0.0) / alignment.total


def _runs(alignment: Alignment) -> list[int]:
    """For each word of the claim the length of the longest run of words through it that stands verbatim."""
    positions = alignment.context.positions
    ending: list[int] = []
    before: dict[int, int] = {}
    for token in alignment.tokens:
        places = positions.get(token.stem)
        if places is None:
            before = {}
            ending.append(0)
            continue
        if before:
            before = {place: before.get(place - 1, 0) + 1 for place in places[:_MOST_PLACES]}
            ending.append(max(before.values()))
        else:
            before = dict.fromkeys(places[:_MOST_PLACES], 1)
            ending.append(1)
    longest = [0] * len(ending)
    for number, run in enumerate(ending):
        grows = number + 1 < len(ending) and ending[number + 1] == run + 1
        for word in () if grows else range(number - run + 1, number + 1):
            longest[word] = max(longest[word], run)
    return longest


def _shares(alignment: Alignment, language: str) -> list[float]:
    """How much each word of the claim counts in `_runs`: stop words half, framing next to nothing."""
    if language != "en":
        return [_STOP_SHARE if token.is_stop else 1.0 for token in alignment.tokens]
    framing, generic = framing_stems(), generic_stems()
    return [
        _FRAMING_SHARE
        if token.stem in framing
        else _GENERIC_SHARE
        if token.stem in generic
        else _STOP_SHARE
        if token.is_stop
        else 1.0
        for token in alignment.tokens
    ]


def _missing_run(alignment: Alignment) -> float:
    missing = {token.stem for token in alignment.missing}
    longest = run = 0.0
    for token in alignment.content:
        run = run + alignment.weights[token.stem] if token.stem in missing else 0.0
        longest = max(longest, run)
    return longest


def _second_missing(alignment: Alignment) -> float:
    weights = sorted({t.stem: alignment.weights[t.stem] for t in alignment.missing}.values(), reverse=True)
    return weights[1] if len(weights) > 1 else 0.0


def _negates_anew(alignment: Alignment, window: Sequence[int]) -> bool:
    if not window or not any(token.norm in NEGATIONS for token in alignment.tokens):
        return False
    return NEGATIONS.isdisjoint(alignment.context.words_of(window))

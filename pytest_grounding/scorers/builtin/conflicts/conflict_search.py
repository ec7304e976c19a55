"""Search for conflicts of a claim: each kind proposes candidates, a trained verifier decides."""

from __future__ import annotations

import json
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from operator import itemgetter, mul
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args

from pytest_grounding.evidence.conflict_words import TURNING
from pytest_grounding.evidence.sentence_view import (
    VALUES,
    Bounds,
    Comparisons,
    Sentence,
    Sources,
    View,
    sources_of,
    view_of_claim,
    within,
)
from pytest_grounding.evidence.token_index import ChunkIndex
from pytest_grounding.lexicon import meanings, words
from pytest_grounding.model.verdict import Conflict
from pytest_grounding.reading.facts import extract_facts
from pytest_grounding.reading.words import Token, tokenize
from pytest_grounding.scorers.builtin.conflicts.contest import Candidate, Contest, Span
from pytest_grounding.scorers.builtin.conflicts.opposites import (
    has_modal,
    modality_conflicts,
    negation_conflicts,
    opposite_conflicts,
    quantifier_conflicts,
    quantifies,
)
from pytest_grounding.scorers.builtin.conflicts.values_and_names import (
    has_names,
    has_values,
    name_conflicts,
    value_conflicts,
)

Generator = Callable[[Contest], Iterable[Candidate]]
#: Whether a claim has what the generator needs.
Needs = Callable[[View], bool]
#: The verifier's weights for a kind: denials need other signs than other values
#: or words.
Group = Literal["denials", "others"]
DOUBTS = meanings("features", "doubts")
_HEDGES = words("conflicts", "hedges")
_PRONOUNS = words("conflicts", "pronouns")
_ONLY = words("conflicts", "shutting out")
_WAITING, _WAITED = words("conflicts", "waiting"), words("conflicts", "waited for")
_REACH = 5
_CLOSE = 3
_MOST_PLACES = 40  # occurrences of the claim's own words that are examined
_MOST_REST = 10
_MOST_RAISED = 6
_MOST_STRANGE = 4
_FEW = 3
_ALIKE = 3  # common first letters of two similar words
_PARTING = frozenset(",;:()—–|\n")  # punctuation that separates two statements of a sentence
_NOBODY: frozenset[str] = frozenset()
#: Words of a claim that are read; a longer one is a list or an attack.
_LONGEST_CLAIM = 200
_VALUES = frozenset({"number", "unit"})
_FARTHEST_DENIAL = 60  # characters between words and their negation


class Kind(NamedTuple):
    """A kind of conflict."""

    name: str  # its name, as used in the generator's candidates
    generator: Generator  # proposes candidates; a generator shared by several kinds runs once
    example: str  # a claim and a source, for the documentation
    #: Cheap test of the claim; the generator runs only if it is true, or always if this is None.
    needs: Needs | None = None
    languages: frozenset[str] = frozenset()  # first parts of BCP 47 tags that it can read; empty: all
    shown: str = ""  # the name in reports; empty: the same
    group: Group = "others"  # the verifier's weights for it
    trained: bool = False  # whether the verifier has a feature for it
    #: Fixed log odds of its candidates (an error from 0 on); None: the verifier decides.
    odds: float | None = None

    @property
    def title(self) -> str:
        """The name in reports."""
        return self.shown or self.name

    def reads(self, language: str) -> bool:
        """Whether it can read a language."""
        return not self.languages or language in self.languages


#: All kinds. The trained ones are features of the verifier, in this order.
KINDS: tuple[Kind, ...] = (
    Kind("number", value_conflicts, '"45 days" / "14 days", "over 5" / "up to 5"', has_values, trained=True),
    Kind("unit", value_conflicts, '"5 mg" / "5 g"', has_values, trained=True),
    Kind("date", value_conflicts, '"1998" / "1989", "5 pm" / "7 pm"', has_values, trained=True),
    Kind("negation", negation_conflicts, '"is safe" / "is not safe"', group="denials", trained=True),
    Kind("antonym", opposite_conflicts, '"edible" / "poisonous"', trained=True),
    Kind("opposed", opposite_conflicts, '"low" / "high", "low" unsaid', shown="antonym", trained=True),
    Kind("converse", opposite_conflicts, '"buys from" / "sells to"', shown="antonym"),
    Kind("comparison", opposite_conflicts, '"rose" / "fell", "more" / "less"', trained=True),
    Kind("order", opposite_conflicts, '"before" / "after"', trained=True),
    Kind("modality", modality_conflicts, '"must" / "may"', has_modal, trained=True),
    Kind("quantifier", quantifier_conflicts, '"all" / "some", "always" / "rarely"', quantifies, trained=True),
    Kind("entity", name_conflicts, '"founded by Larsen" / "founded by Petrova"', has_names, trained=True),
)  # fmt: skip
#: The weights used for each kind.
_GROUP_OF: dict[str, str] = {kind.name: kind.group for kind in KINDS}
GROUPS: dict[str, frozenset[str]] = dict.fromkeys(get_args(Group), frozenset())
for _kind in KINDS:
    GROUPS[_kind.group] |= {_kind.name}
#: Names of the features, in the order of `features_of`.
FEATURES: dict[str, str] = {
    **meanings("features", "verifier basis"),
    **{f"doubt_{name}": reason for name, reason in DOUBTS.items()},
    **meanings("features", "verifier"),
    **{f"is_{kind.name}": f"whether the kind is {kind.name}" for kind in KINDS if kind.trained},
}
_UNSEEN = dict.fromkeys(FEATURES, 0.0)
_in_order = itemgetter(*FEATURES)
#: Kinds that propose single words. A kind about whole statements proposes something for most claims, so
#: its candidates do not count as signs of doubt.
_ABOUT_WORDS = frozenset(
    kind.name for kind in KINDS if kind.odds is None and kind.group in {"denials", "others"}
)


def features_of(contest: Contest, found: Candidate, raised: int) -> list[float]:
    """The features of one candidate, in the order of `FEATURES`."""
    pair = _Pair(contest, found)
    seen: dict[str, float] = {
        **_UNSEEN,
        "strength": found.strength,
        "cover": found.cover,
        **dict.fromkeys((f"doubt_{name}" for name in found.doubts), True),
        **_frames(pair),
        **_polarities(pair),
        **_rest(pair),
        **_likeness(pair),
        **_softness(pair),
        **_return(pair),
        # "Does it have fans?" contains the negated word, but is not evidence either way.
        "asked": found.kind != "negation" and not pair.stems.isdisjoint(contest.given),
        "raised": min(raised, _MOST_RAISED),
        "unknown": contest.sources.held.isdisjoint(pair.stems),
        "whole": pair.is_whole,
        f"is_{found.kind}": True,
    }
    return list(map(float, _in_order(seen)))


class _Pair:
    """The disputed words of the claim beside the words that oppose them."""

    def __init__(self, contest: Contest, found: Candidate) -> None:
        self.contest, self.found = contest, found
        self.claim, self.view = contest.claim, contest.chunks[found.chunk]
        self.first, self.last = self.claim.words_between(found.start, found.end)
        inside = self.claim.tokens[self.first : self.last + 1]
        telling = [token.stem for token in inside if not token.is_stop]
        self.stems = frozenset(telling or [token.stem for token in inside])
        self.low, self.high = self.view.words_between(found.rival_start, found.rival_end)
        self.spot: Sentence = (found.chunk, self.view.sentence_of[found.word])
        self.bounds: Bounds = contest.bounds(*self.spot)
        self.is_whole = self.low <= self.bounds[0] and self.high + 1 >= self.bounds[1]


def _frames(pair: _Pair) -> dict[str, float]:
    """Equal words around the disputed words and the rival; the nearest content words on each side."""
    contest, claim, view = pair.contest, pair.claim, pair.view
    if pair.last - pair.first + 1 == len(claim.tokens):
        # No words surround a whole claim.
        return {}
    left = right = near_left = near_right = 0
    if not pair.is_whole:
        left, right = _frame(pair, pair.found.chunk, pair.low, pair.high)
        near_left = len(_close(claim, pair.first, before=True) & _close(view, pair.low, before=True))
        near_right = len(_close(claim, pair.last, before=False) & _close(view, pair.high, before=False))
    length, ally = pair.last - pair.first, 0
    for place in contest.places(claim.stems[pair.first])[:_MOST_PLACES]:
        is_rival = place == (pair.found.chunk, pair.low)
        if not is_rival and place.word + length < len(contest.chunks[place.chunk].stems):
            ally = max(ally, sum(_frame(pair, place.chunk, place.word, place.word + length)))
    return {
        "frame_left": left,
        "frame_right": right,
        "frame_ally": ally,
        "frame_gap": left + right - ally,
        "near_left": near_left,
        "near_right": near_right,
    }


def _frame(pair: _Pair, chunk: int, first: int, last: int) -> tuple[int, int]:
    """Count equal words to the left and right of the claim's words and of words of a chunk."""
    claim, view = pair.claim, pair.contest.chunks[chunk]
    sentence = view.sentence_of[first]
    low, high = pair.contest.bounds(chunk, sentence)
    # The subject of "It has no fans" is in the sentence before.
    subject = pair.contest.indexes[chunk].carried.get(sentence, ())
    ours = reversed(claim.stems[max(0, pair.first - _REACH) : pair.first])
    left = right = 0
    for mine, at in zip(ours, range(first - 1, low - 1, -1), strict=False):
        if mine != view.stems[at] and not (view.norms[at] in _PRONOUNS and mine in subject):
            break
        left += 1
    for mine, other in zip(claim.stems[pair.last + 1 :][:_REACH], view.stems[last + 1 : high], strict=False):
        if mine != other:
            break
        right += 1
    return left, right


def _close(view: View, number: int, *, before: bool) -> set[str]:
    """Stems of the nearest content words on one side of a word, within its sentence."""
    content, own = view.content, view.sentence_of[number]
    at = bisect_left(content, number) if before else bisect_right(content, number)
    near = content[max(0, at - _CLOSE) : at] if before else content[at : at + _CLOSE]
    return {view.stems[other] for other in near if view.sentence_of[other] == own}


def _polarities(pair: _Pair) -> dict[str, float]:
    """Which side denies; coverage by the best sentence of the same and of the other polarity."""
    contest, denying = pair.contest, pair.contest.sources.denying
    denies, rival_denies = bool(pair.claim.negations), pair.spot in denying
    same = other = 0.0
    # The sentences are sorted: the first of either polarity has the highest coverage.
    for spot in contest.best_sentences(None):
        if (spot in denying) != denies:
            other = other or contest.covers[spot]
        elif not same and not pair.stems.isdisjoint(contest.stems(*spot)):
            same = contest.covers[spot]
        if same and other:
            break
    total = contest.total or 1.0
    return {
        "denies": denies,
        "rival_denies": rival_denies,
        "polarity": denies != rival_denies,
        "same_polarity": same / total,
        "other_polarity": other / total,
        "polarity_gap": other / total - same / total,
    }


def _rest(pair: _Pair) -> dict[str, float]:
    """The claim without the disputed words: length, missing words, subject, names and numbers."""
    contest, claim, (chunk, sentence) = pair.contest, pair.claim, pair.spot
    here = contest.spoken_of(chunk, sentence)
    before = contest.spoken_of(chunk, sentence - 1) if sentence else _NOBODY
    rest = [claim.tokens[number] for number in claim.content if claim.stems[number] not in pair.stems]
    names = [token.stem in here or token.stem in before for token in rest if token.is_name]
    numbers = [token.stem in here for token in rest if token.is_number]
    weights = {token.stem: contest.weight(token.stem) for token in rest}
    lost = sum(weight for stem, weight in weights.items() if not contest.sources.holds(stem))
    subject = 0.0
    if rest and rest[0].stem in here:
        subject = 1.0
    elif rest and rest[0].stem in before:
        subject = 0.5
    return {
        "rest_words": min(len(rest), _MOST_REST) / _MOST_REST,
        "few_words": len(rest) < _FEW,
        "pronoun": claim.norms[0] in _PRONOUNS,
        "missing": lost / sum(weights.values()) if rest else 0.0,
        "subject": subject,
        "names": sum(names) / len(names) if names else 1.0,
        "numbers": sum(numbers) / len(numbers) if numbers else 1.0,
    }


def _return(pair: _Pair) -> dict[str, float]:
    """How much of the rival's surroundings the claim contains, and the best coverage elsewhere."""
    contest, claim = pair.contest, pair.claim
    here = contest.spoken_of(*pair.spot)
    own = {claim.stems[number] for number in claim.content}
    rest = own - pair.stems
    held = len(rest & here) / len(rest) if rest else 0.0
    others = [spot for spot in contest.best_sentences(2) if spot != pair.spot]
    low, high = _part_around(pair)
    return {
        "back": _share_in(pair, low, high, own),
        "back_full": _share_in(pair, *pair.bounds, own) * held,
        "elsewhere": contest.covers[others[0]] / (contest.total or 1.0) if others else 0.0,
        "strange": min(len(rest - here), _MOST_STRANGE) / _MOST_STRANGE,
    }


def _part_around(pair: _Pair) -> tuple[int, int]:
    """The part of the rival's sentence between punctuation marks."""
    view, (low, high) = pair.view, pair.bounds
    cuts = [n for n in within(view.apart, low + 1, high - 1) if not _PARTING.isdisjoint(view.gap(n))]
    first = max((n for n in cuts if n <= pair.low), default=low)
    return first, min((n for n in cuts if n > pair.high), default=high)


def _share_in(pair: _Pair, low: int, high: int, own: set[str]) -> float:
    """Share of a stretch's content words, without the rival, found in the claim or the question."""
    view, given = pair.view, pair.contest.given
    stems = {
        view.stems[n] for n in range(low, high) if not (pair.low <= n <= pair.high or view.tokens[n].is_stop)
    }
    return sum(stem in own or stem in given for stem in stems) / len(stems) if stems else 1.0


def _likeness(pair: _Pair) -> dict[str, float]:
    """Whether the claim also contains the rival's words, and how similar the two are."""
    claim, view, found = pair.claim, pair.view, pair.found
    fact = next((item for item in claim.facts if item.start == found.start and item.kind in VALUES), None)
    other = next((item for item in view.facts if item.start == found.rival_start), None)
    rivals = {view.stems[n] for n in range(pair.low, pair.high + 1) if not view.tokens[n].is_stop}
    others = {*claim.stems[: pair.first], *claim.stems[pair.last + 1 :]}
    heads = {stem[:_ALIKE] for stem in pair.stems if len(stem) > _ALIKE}
    ours = digits_in(claim.text[found.start : found.end])
    seen: dict[str, float] = {
        "twice": bool(rivals) and not pair.is_whole and rivals <= others,
        "same_digits": bool(ours) and ours == digits_in(view.text[found.rival_start : found.rival_end]),
        "alike": not pair.is_whole and any(stem[:_ALIKE] in heads for stem in rivals if len(stem) > _ALIKE),
    }
    if fact is not None:
        seen["same_sort"] = other is not None and (fact.kind, fact.unit) == (other.kind, other.unit)
        seen["one"] = fact.value in {0.0, 1.0}
        seen["bare"] = not fact.unit and fact.kind == "number"
    return seen


def digits_in(text: str) -> str:
    """The digits of a text."""
    return "".join(filter(str.isdecimal, text))


def _softness(pair: _Pair) -> dict[str, float]:
    """Whether just one side denies in any form; soft denials, hedges and "only" on either side."""
    claim, view, (low, high) = pair.claim, pair.view, pair.bounds
    cues = view.cues[bisect_left(view.cues, low) : bisect_left(view.cues, high)]
    norms = view.norms[low:high]
    return {
        "conditional": not _HEDGES.isdisjoint(claim.norms),
        "rival_conditional": not _HEDGES.isdisjoint(norms),
        "soft": bool(cues) and not claim.cues,
        "own_soft": bool(claim.cues) and not cues,
        "cue": any(view.norms[number] in TURNING for number in cues),
        "only": not _ONLY.isdisjoint(norms),
        "own_only": not _ONLY.isdisjoint(claim.norms),
        "waits": not _WAITING.isdisjoint(norms),
        "own_waits": not _WAITED.isdisjoint(claim.norms),
    }


class Line(NamedTuple):
    """One logistic regression."""

    intercept: float  # start of the log odds
    weights: tuple[float, ...]  # one per feature, in the order of `FEATURES`


class Verifier(NamedTuple):
    """Weights and thresholds."""

    lines: Mapping[str, Line]  # the regression for each of `GROUPS`
    contradicted: Mapping[str, float]  # log odds from which a candidate is a contradiction, by kind
    possible: float  # log odds from which a candidate is reported as possible

    def log_odds(self, kind: str, features: Sequence[float]) -> float:
        """Log odds that a candidate is a real conflict."""
        line = self.lines[_GROUP_OF.get(kind, "others")]
        total: float = sum(map(mul, line.weights, features))
        return line.intercept + total

    def is_sure(self, kind: str, odds: float) -> bool:
        """Whether these log odds make a candidate a contradiction."""
        threshold = self.contradicted.get(kind)
        return threshold is not None and odds >= threshold

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Verifier:
        """Read the content of ``verifier.json``."""
        lines = {}
        for name in GROUPS:
            line = data["lines"][name]
            if list(line["weights"]) != list(FEATURES):
                raise ValueError(
                    "the verifier was trained for other features; run python -m training.verifier"
                )
            weights = tuple(float(value) for value in line["weights"].values())
            lines[name] = Line(float(line["intercept"]), weights)
        contradicted = {kind: float(value) for kind, value in data["contradicted"].items()}
        return cls(lines, contradicted, float(data["possible"]))


@lru_cache(maxsize=1)
def shipped_verifier() -> Verifier:
    """The verifier shipped beside this module."""
    file = Path(__file__).with_name("verifier.json")
    return Verifier.from_json(json.loads(file.read_text(encoding="utf-8")))


class Ruling(NamedTuple):
    """A candidate and the verifier's ruling."""

    found: Candidate  # the candidate
    kind: Kind
    odds: float  # log odds that it is a real conflict
    sure: bool  # whether it makes the claim contradicted


def find_conflicts(
    claim: str,
    tokens: Sequence[Token],
    indexes: Sequence[ChunkIndex] | Sources,
    chunk_ids: Sequence[str],
    language: str = "en",
    given: frozenset[str] = frozenset(),
    carried: Sequence[str] = (),
    kinds: Sequence[Kind] = KINDS,
    comparisons: Comparisons | None = None,
) -> tuple[Conflict, ...]:
    """Find what in the chunks contradicts a claim."""
    sources = indexes if isinstance(indexes, Sources) else Sources(indexes, language)
    if not tokens or not sources.indexes:
        return ()
    read = claim
    if len(tokens) > _LONGEST_CLAIM:
        tokens = tokens[:_LONGEST_CLAIM]
        read = claim[: tokens[-1].end]
    contest = Contest(view_of_claim(read, tokens, language), sources, given, carried, comparisons)
    rulings = _without_overlaps(_rulings(contest, shipped_verifier(), kinds))
    return tuple(_conflict(claim, ruling, sources.indexes, chunk_ids) for ruling in rulings)


def conflicts_between(sentence: str, other: str, *, language: str = "en") -> tuple[Conflict, ...]:
    """Find conflicts between two sentences; the evidence is the second, with chunk id ""."""
    return find_conflicts(sentence, tokenize(sentence, language), sources_of(other, language), [""], language)


def candidates_of(contest: Contest, kinds: Sequence[Kind] = KINDS) -> list[Candidate]:
    """All candidates of the generators: words of the claim and what opposes them."""
    claim, language = contest.claim, contest.sources.language
    asked: set[Generator] = set()
    lacking: set[Needs] = set()
    found: list[Candidate] = []
    for kind in kinds:
        # Kinds with the same generator mostly need the same.
        if kind.generator in asked or kind.needs in lacking or not kind.reads(language):
            continue
        if kind.needs is not None and not kind.needs(claim):
            lacking.add(kind.needs)
            continue
        asked.add(kind.generator)
        found += kind.generator(contest)
    return found


def raised_by(found: Sequence[Candidate]) -> int:
    """Number of candidates about single words: a sign of doubt for the verifier."""
    return sum(item.kind in _ABOUT_WORDS for item in found)


def _rulings(contest: Contest, verifier: Verifier, kinds: Sequence[Kind]) -> list[Ruling]:
    """The candidates that are at least possible conflicts."""
    found, by_name = candidates_of(contest, kinds), {kind.name: kind for kind in kinds}
    rulings = []
    raised = raised_by(found)
    for item in found:
        kind = by_name[item.kind]
        if kind.odds is None:
            odds = verifier.log_odds(item.kind, features_of(contest, item, raised))
            sure = verifier.is_sure(kind.name, odds)
        else:
            odds = kind.odds
            sure = odds >= verifier.contradicted.get(kind.name, 0.0)
        if sure or odds >= verifier.possible:
            rulings.append(Ruling(item, kind, odds, sure))
    return rulings


def _without_overlaps(rulings: list[Ruling]) -> list[Ruling]:
    """The surest ruling for each stretch of the claim, in text order."""
    kept: list[Ruling] = []
    for ruling in sorted(rulings, key=_rank):
        own = ruling.found
        if all(own.end <= other.found.start or other.found.end <= own.start for other in kept):
            kept.append(ruling)
    return sorted(kept, key=lambda ruling: ruling.found.start)


def _rank(ruling: Ruling) -> tuple[bool, bool, float, int, str]:
    """Sort key: sure ones first, then fixed ones (which name the words best), then by log odds."""
    is_learned = ruling.kind.odds is None
    return not ruling.sure, ruling.sure and is_learned, -ruling.odds, ruling.found.start, ruling.found.kind


def _conflict(
    claim: str, ruling: Ruling, indexes: Sequence[ChunkIndex], chunk_ids: Sequence[str]
) -> Conflict:
    found, kind = ruling.found, ruling.kind.title
    index = indexes[found.chunk]
    (start, end), (low, high) = (found.start, found.end), (found.rival_start, found.rival_end)
    if kind in _VALUES and claim[start:end].lower() == index.text[low:high].lower():
        # "At least ten" against "up to ten": the number is equal, its limit is not.
        start, end = with_bound(claim, start, end)
        low, high = with_bound(index.text, low, high)
        kind = "number"
    if kind == "negation" and claim[start:end].lower() == index.text[low:high].lower():
        # "Do not pay within 30 days" against "pay within 30 days": the words are equal, the polarity is not.
        sentence = index.sentences[index.sentence_of[found.word]]
        start, end = with_denial(claim, start, end, (0, len(claim)))
        low, high = with_denial(index.text, low, high, sentence)
    ours, theirs = claim[start:end], index.text[low:high]
    return Conflict.built(
        kind=kind,
        severity="error" if ruling.sure else "warning",
        claim_text=ours,
        evidence_text=theirs,
        evidence=index.evidence(chunk_ids[found.chunk], index.sentence_of[found.word]),
        claim_start=start,
        message=f'{kind}: the claim says "{ours}", the source says "{theirs}"',
        log_odds=round(ruling.odds, 4),
    )


def with_bound(text: str, start: int, end: int) -> Span:
    """A stretch extended by the words that make a number a limit: "at least ten"."""
    for fact in extract_facts(text):
        if fact.start <= start and end <= fact.end:
            return min(start, fact.lead), (fact.tail if fact.tail > fact.end else end)
    return start, end


def with_denial(text: str, start: int, end: int, bounds: Span) -> Span:
    """A stretch extended to the nearest negation within bounds: "do not pay in 30 days"."""
    denials = [
        (max(fact.start - end, start - fact.end), fact)
        for fact in extract_facts(text)
        if fact.kind == "negation" and bounds[0] <= fact.start and fact.end <= bounds[1]
    ]
    near = min(denials, key=lambda pair: pair[0], default=None)
    if near is None or near[0] > _FARTHEST_DENIAL:
        return start, end
    return min(start, near[1].start), max(end, near[1].end)

"""Whether two wordings say the same: their values, limiting words, content words and order are compared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

from pytest_grounding._io.wording import if_known
from pytest_grounding.evidence.conflict_words import negated_stems, opposites_of
from pytest_grounding.evidence.ledger import facts_of
from pytest_grounding.evidence.ledger_sources import Given, LedgerSources, is_denier, typed_values
from pytest_grounding.evidence.token_index import synonyms_of
from pytest_grounding.lexicon import table, words
from pytest_grounding.model.transcript import Chunk
from pytest_grounding.reading.facts import Fact, compatible
from pytest_grounding.reading.grammar import has_finite_verb
from pytest_grounding.reading.sentences import Claim
from pytest_grounding.reading.words import Token, tokenize

Meaning = Literal["same", "reworded", "regression"]

_LIMITS = table("denials", "limiting words")
_LONGEST_LIMIT = 4
_DENIAL, _CONTRACTED = "not", "n't"
_ALL = "all"  # a limiting word that may be meant without being written: "all visitors", "visitors"
_NOTHING = "nothing"  # phrases that limit nothing: "in order to", "according to the source"
#: Words that say something else in place of each other only: "both … and", "either … or" are idle.
_PAIRS = (frozenset({"both", "either"}), frozenset({"and", "or"}))
#: Limiting words whose sides matter: "rinse before soaking"; of "to" only behind "from".
_SIDED = frozenset({"after", "before", "from", "into", "than", "until"})
_IDLE = words("denials", "polite words")
_MOST_MOVED = 80  # words between the first and the last difference among which an exchange is searched
_JOINTS = frozenset({"and", "or", ","})


@dataclass(frozen=True)
class Rewording:
    """How the meaning of a text compares with that of another, and the differences in words."""

    meaning: Meaning = "same"
    differences: tuple[str, ...] = ()


@dataclass
class _Item:
    key: str
    start: int
    end: int


class _Wording:
    """The values, limiting words and content words of a text; in English, function words say nothing."""

    def __init__(self, text: str, language: str, other: str) -> None:
        self.text = text
        self.values = typed_values(text)
        self.limits: Counter[str] = Counter()
        self.content: dict[str, str] = {}  # stem -> word
        self.items: list[_Item] = []
        self._is_english = language[:2] == "en"
        tokens = tokenize(text, language)
        stems = frozenset(token.stem for token in tokenize(other, language))
        taken = 0
        for number, token in enumerate(tokens):
            value = next((one for one in self.values if one.lead <= token.start < _value_end(one)), None)
            if value is not None:
                self._add(_value_key(value), value.start, value.end)
            elif number >= taken:
                taken = number + self._read(tokens, number, stems)

    def _read(self, tokens: Sequence[Token], at: int, others: frozenset[str]) -> int:
        token, length = tokens[at], 1
        if self._is_english:
            limit, length = _limit_at(tokens, at)
            base = _negated(token, others)
            self.limits.update([_DENIAL] * (is_denier(token.norm) or base is not None))
            self.limits.update([limit] if limit else [])
            token = base or token
            is_sided = token.norm in _SIDED or (token.norm == "to" and "from" in self.limits)
            if is_sided:
                self._add(f"<{token.norm}>", tokens[at].start, tokens[at].end)
            is_letter = at > 0 and len(token.text) == 1 and token.text.isupper() and token.text != "I"
            is_idle = token.is_stop or token.norm in _IDLE
            if limit or is_sided or (is_idle and not is_letter):
                return length
        self.content[token.stem] = tokens[at].text
        self._add(token.stem, tokens[at].start, tokens[at].end)
        return length

    def _add(self, key: str, start: int, end: int) -> None:
        if not self.items or self.items[-1].start != start:
            self.items.append(_Item(key, start, end))

    def rename(self, key: str, other: str) -> None:
        for item in self.items:
            item.key = other if item.key == key else item.key

    def is_joined(self, at: int) -> bool:
        between = self.text[self.items[at - 1].end : self.items[at].start].casefold()
        return "\n" in between or not _JOINTS.isdisjoint(between.replace(",", " , ").split())


def rewording(old: str, new: str, language: str, lead: Sequence[str] = ("", "")) -> Rewording:
    """Compare two wordings; words of the lead-ins beside them are neither new nor gone."""
    before, after = _Wording(old, language, new), _Wording(new, language, old)
    # "You need:" above a list has a limiting word too.
    leads = [_Wording(text, language, "").limits for text in lead]
    found = [*_values_apart(before, after), *_limits_apart(before, after, leads)]
    gone = _words_without(before, after, tokenize(lead[1], language))
    fresh = _words_without(after, before, tokenize(lead[0], language))
    found += [f"opposite: {fresh[stem]}" for stem in fresh if not gone.keys().isdisjoint(opposites_of(stem))]
    found += [] if found else _unsettled(new, old, language) or _unsettled(old, new, language)
    notes = _one_sided("word", gone.values(), fresh.values())
    if not notes and not found:
        notes = _order_apart(before, after)
    # A verb more or less is another wording: "the fee for adults is 9 euros", "adults pay a fee of 9 euros".
    others = [word.lower() for word in (gone or fresh).values()]
    is_item = bool(gone) != bool(fresh) and not all(has_finite_verb([word]) for word in others)
    if found or is_item or any(note.startswith("exchanged") for note in notes):
        return Rewording("regression", tuple(dict.fromkeys([*found, *notes])))
    notes += ["all: gone or new"] if before.limits[_ALL] != after.limits[_ALL] else []
    return Rewording("reworded", tuple(notes)) if notes else Rewording()


def _value_end(value: Fact) -> int:
    return max(value.tail, value.end)


def _value_key(value: Fact) -> str:
    return f"={value.kind} {value.key}"


def _negated(token: Token, others: frozenset[str]) -> Token | None:
    """The word that a word negates by its form, where the other text has that one: "unused", "not used"."""
    bases = (tokenize(word, "en")[0] for word in negated_stems(token.norm)[::2])
    return next((base for base in bases if base.stem in others and token.stem not in others), None)


def _limit_at(tokens: Sequence[Token], at: int) -> tuple[str, int]:
    """What the limiting word means that begins here, "" without one, and how many words it is."""
    for length in range(_LONGEST_LIMIT, 0, -1):
        phrase = " ".join(token.norm for token in tokens[at : at + length]).removesuffix(_CONTRACTED)
        if phrase in _LIMITS:
            return _LIMITS[phrase], length
    return "", 1


def _one_sided(name: str, gone: Iterable[str], new: Iterable[str]) -> list[str]:
    old, fresh = ", ".join(gone), ", ".join(new)
    if old and fresh:
        return [f"{name}: {old} -> {fresh}"]
    lines = [f"{name} gone: {old}"] if old else []
    return [f"{name} new: {fresh}"] if fresh else lines


def _values_apart(before: _Wording, after: _Wording) -> list[str]:
    gone, fresh = list(before.values), []
    for value in after.values:
        equal = next((other for other in before.values if _are_equal(value, other)), None)
        if equal is None:
            fresh.append(after.text[value.lead : _value_end(value)])
        else:
            after.rename(_value_key(value), _value_key(equal))
            gone = [other for other in gone if not _are_equal(value, other)]
    return _one_sided("value", [before.text[value.lead : _value_end(value)] for value in gone], fresh)


def _are_equal(one: Fact, other: Fact) -> bool:
    ours, theirs = ((value.bound, value.strict, value.approximate) for value in (one, other))
    return ours == theirs and compatible(one, other)


def _limits_apart(before: _Wording, after: _Wording, leads: Sequence[Counter[str]]) -> list[str]:
    lost, won = before.limits - after.limits - leads[1], after.limits - before.limits - leads[0]
    idle = (pair for pair in _PAIRS if not pair <= lost.keys() | won.keys())
    for name in frozenset({_ALL, _NOTHING}).union(*idle):
        del lost[name], won[name]
    return _one_sided("limiting word", lost, won)


def _words_without(mine: _Wording, other: _Wording, lead: Sequence[Token]) -> dict[str, str]:
    found = {}
    for stem, word in mine.content.items():
        if stem in other.content:
            continue
        equal = next((form for form in synonyms_of(stem) if form in other.content), None)
        if equal is not None:
            mine.rename(stem, min(stem, equal))
            other.rename(equal, min(stem, equal))
        elif all(token.stem != stem for token in lead):
            found[stem] = word
    return found


def _unsettled(text: str, source: str, language: str) -> list[str]:
    sources = LedgerSources([Chunk(id="golden", text=source)], Given(), language=language, sample=text)
    claim = Claim(index=0, start=0, end=len(text), text=text, bare=text, sentence=0)
    found = []
    for fact in facts_of(claim, sources):
        # "Unused" at the start of a sentence is no name.
        is_name = fact.type != "name" or not negated_stems(fact.text.lower())
        if fact.is_unsettled and is_name:
            beside = if_known(" (beside: {})", fact.nearest)
            found.append(f"{fact.type} {fact.status}: {fact.text}{beside}")
    return found


def _order_apart(before: _Wording, after: _Wording) -> list[str]:
    """What stands in another place, if that may change who does what, or which value belongs to what."""
    # Words of a lead-in stand in one text only.
    shared = {item.key for item in before.items} & {item.key for item in after.items}
    for wording in (before, after):
        wording.items = [item for item in wording.items if item.key in shared]
    old, new = [item.key for item in before.items], [item.key for item in after.items]
    is_passive = _has_agent(before.text) != _has_agent(after.text)
    if old == new:
        return ["active or passive: look who does what"] if is_passive else []
    if sorted(old) != sorted(new):
        return ["words are repeated or left out"]
    first = next(at for at, key in enumerate(old) if key != new[at])
    last = next(at for at in range(len(old), 0, -1) if old[at - 1] != new[at - 1])
    left, right = old[first:last], new[first:last]
    if any(left[cut:] + left[:cut] == right for cut in range(1, len(left))):
        return []
    for low, high in combinations(range(1, len(left) if len(left) <= _MOST_MOVED else 0), 2):
        if left[high:] + left[low:high] + left[:low] == right:
            return [] if is_passive else _exchanged_words(before, first, first + low, first + high)
    return [] if all(map(before.is_joined, range(first + 1, last))) else ["another order of words"]


def _has_agent(text: str) -> bool:
    return " by " in f" {text.casefold()} "


def _exchanged_words(wording: _Wording, first: int, low: int, high: int) -> list[str]:
    """Two parts that stand in the place of each other; not those of a list."""
    one, other = wording.items[first], wording.items[high]
    # "Before soaking the wool, rinse it": the sided word moves with what it stands before.
    if "<" in (one.key[0], other.key[0]) or (wording.is_joined(low) and wording.is_joined(high)):
        return []
    return [f'exchanged: "{wording.text[one.start : one.end]}", "{wording.text[other.start : other.end]}"']

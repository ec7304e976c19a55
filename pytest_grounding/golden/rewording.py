"""Whether two wordings say the same: their values, limiting words, content words and order are compared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

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
_IDLE = words("denials", "polite words")
_DENIAL = "not"
_CONTRACTED = "n't"
#: A limiting word that may be meant without being written: "all visitors", "visitors".
_OPEN_LIMITS = frozenset({"all"})
#: Limiting words whose side matters: "rinse before soaking".
_SIDED = frozenset({"after", "before", "from", "into", "than", "until"})
_LIST_JOINTS = frozenset({"and", "or", ","})
_LONGEST_LIMIT = 3


class Rewording(NamedTuple):
    """How the meaning of a text compares with that of another, and the differences in words."""

    meaning: Meaning
    differences: tuple[str, ...] = ()


class _Item(NamedTuple):
    """A content word, a value or a sided word, in its place."""

    key: str
    start: int
    end: int


@dataclass
class _Reading:
    """What one text says."""

    text: str
    values: Sequence[Fact]
    limits: Counter[str]
    content: dict[str, str]  # stem -> word
    items: list[_Item]


def rewording(old: str, new: str, language: str, lead: Sequence[str] = ("", "")) -> Rewording:
    """Compare two wordings; words of the lead-ins beside them are neither new nor gone."""
    tokens = [tokenize(text, language) for text in (old, new)]
    stems = [frozenset(token.stem for token in mine) for mine in tokens]
    is_english = language[:2] == "en"
    before = _read(old, tokens[0], stems[1], is_english=is_english)
    after = _read(new, tokens[1], stems[0], is_english=is_english)
    found = [*_values_apart(before, after), *_limits_apart(before, after)]
    known = [frozenset(token.stem for token in tokenize(text, language)) for text in lead]
    gone, fresh = _words_without(before, after, known[1]), _words_without(after, before, known[0])
    opposed = [word for stem, word in fresh.items() if not gone.keys().isdisjoint(opposites_of(stem))]
    found += [f"opposite: {word}" for word in opposed]
    if not found:
        found += _unsettled(new, old, language, "new") or _unsettled(old, new, language, "gone")
    is_open = before.limits["all"] != after.limits["all"]
    order = "" if gone or fresh or found else _order_apart(before, after)
    notes = _apart("word", gone.values(), fresh.values())
    # A verb more or less is another wording: "the fee for adults is 9 euros", "adults pay a fee of 9 euros".
    is_item = bool(gone) != bool(fresh) and not all(map(_is_verb, [*gone.values(), *fresh.values()]))
    if found or is_item or order.startswith("exchanged"):
        return Rewording("regression", tuple(dict.fromkeys(filter(None, [*found, order, *notes]))))
    if notes or order or is_open:
        scope = ["all or every: gone or new"] if is_open else []
        return Rewording("reworded", tuple(filter(None, [*notes, order, *scope])))
    return Rewording("same")


def _is_verb(word: str) -> bool:
    return has_finite_verb([word.lower()])


def _read(text: str, tokens: Sequence[Token], others: frozenset[str], *, is_english: bool) -> _Reading:
    """The values, limiting words and content words of a text; in English function words say nothing."""
    reading = _Reading(text, typed_values(text), Counter(), {}, [])
    read_values: set[int] = set()
    taken = 0
    for number, token in enumerate(tokens):
        if number < taken:
            continue
        value = next((f for f in reading.values if f.lead <= token.start < max(f.tail, f.end)), None)
        if value is not None:
            if value.start not in read_values:
                reading.items.append(_Item(_key(value), value.start, value.end))
            read_values.add(value.start)
            continue
        limits, length = _limits_at(tokens, number) if is_english else ([], 1)
        negated = _negated(token, others) if is_english else None
        taken = number + length
        reading.limits.update(limits)
        if negated is not None:
            reading.limits[_DENIAL] += 1
            token = negated
        if is_english and _is_sided(token, reading.items):
            reading.items.append(_Item(f"<{token.norm}>", token.start, token.end))
        elif not limits and not (is_english and (token.is_stop or token.norm in _IDLE)):
            reading.content[token.stem] = token.text
            reading.items.append(_Item(token.stem, token.start, token.end))
    return reading


def _is_sided(token: Token, before: Sequence[_Item]) -> bool:
    """Whether it matters what stands on which side of a word; of "to" only behind "from"."""
    return token.norm in _SIDED or (token.norm == "to" and any(item.key == "<from>" for item in before))


def _negated(token: Token, others: frozenset[str]) -> Token | None:
    """The word that a word negates by its form, where the other text has that one: "unused", "not used"."""
    bases = (tokenize(word, "en")[0] for word in negated_stems(token.norm)[::2])
    found = next((base for base in bases if base.stem in others and token.stem not in others), None)
    return None if found is None else found._replace(text=token.text, start=token.start, end=token.end)


def _key(value: Fact) -> str:
    return f"={value.kind} {value.key}"


def _limits_at(tokens: Sequence[Token], at: int) -> tuple[list[str], int]:
    """The limiting words that begin here, by what they mean, and how many words they are."""
    norm = tokens[at].norm.replace("’", "'")
    denial = [_DENIAL] if is_denier(norm) else []
    for length in range(_LONGEST_LIMIT, 0, -1):
        phrase = " ".join(token.norm for token in tokens[at : at + length])
        if phrase in _LIMITS:
            return [*denial, _LIMITS[phrase]], length
    stem = norm.removesuffix(_CONTRACTED)
    return ([*denial, _LIMITS[stem]] if stem in _LIMITS else denial), 1


def _apart(name: str, gone: Iterable[str], new: Iterable[str]) -> list[str]:
    """One line on what only one text has, in words; none if both are empty."""
    old, fresh = ", ".join(gone), ", ".join(new)
    if old and fresh:
        return [f"{name}: {old} -> {fresh}"]
    return [f"{name} {'gone' if old else 'new'}: {old or fresh}"] if old or fresh else []


def _values_apart(before: _Reading, after: _Reading) -> list[str]:
    """The values that only one text has; equal ones get equal keys."""
    gone, fresh = list(before.values), []
    for value in after.values:
        equal = next((other for other in before.values if _is_equal(value, other)), None)
        if equal is None:
            fresh.append(value)
        else:
            _rename(after, _key(value), _key(equal))
            gone = [other for other in gone if not _is_equal(value, other)]
    texts = [
        [mine.text[value.lead : max(value.tail, value.end)] for value in values]
        for mine, values in ((before, gone), (after, fresh))
    ]
    return _apart("value", *texts)


def _is_equal(one: Fact, other: Fact) -> bool:
    return compatible(one, other) and (one.bound, one.strict) == (other.bound, other.strict)


def _rename(reading: _Reading, key: str, other: str) -> None:
    reading.items = [item._replace(key=other) if item.key == key else item for item in reading.items]


def _limits_apart(before: _Reading, after: _Reading) -> list[str]:
    some = (before.limits - after.limits, after.limits - before.limits)
    return _apart("limiting word", *([limit for limit in one if limit not in _OPEN_LIMITS] for one in some))


def _words_without(mine: _Reading, other: _Reading, known: frozenset[str]) -> dict[str, str]:
    """The content words of a text that the other has in no form, by stem; synonyms are made equal."""
    found = {}
    for stem, word in mine.content.items():
        if stem in other.content:
            continue
        equal = next((form for form in synonyms_of(stem) if form in other.content), None)
        if equal is not None:
            _rename(mine, stem, min(stem, equal))
            _rename(other, equal, min(stem, equal))
        elif stem not in known:
            found[stem] = word
    return found


def _unsettled(text: str, source: str, language: str, name: str) -> list[str]:
    """The facts of one text that the ledger does not find in the other, or finds elsewhere or denied."""
    sources = LedgerSources([Chunk(id="golden", text=source)], Given(), language=language, sample=text)
    claim = Claim(index=0, start=0, end=len(text), text=text, bare=text, sentence=0)
    facts = [fact for fact in facts_of(claim, sources) if fact.is_unsettled]
    # "Unused" at the start of a sentence is no name.
    facts = [fact for fact in facts if fact.type != "name" or not negated_stems(fact.text.lower())]
    return [
        f"{fact.type} {name}: {fact.text}"
        if fact.status == "missing"
        else f"{fact.type} exchanged or turned: {fact.text}{f' ({fact.nearest})' if fact.nearest else ''}"
        for fact in facts
    ]


def _order_apart(before: _Reading, after: _Reading) -> str:
    """What stands in another place, if that may change who does what, or which value belongs to what."""
    for mine, other in ((before, after), (after, before)):
        # Words of a lead-in stand in one text only.
        theirs = {item.key for item in other.items}
        mine.items = [item for item in mine.items if item.key in theirs]
    old, new = [item.key for item in before.items], [item.key for item in after.items]
    first = next((at for at, (left, right) in enumerate(zip(old, new, strict=False)) if left != right), None)
    if first is None or old == new:
        return "" if len(old) == len(new) else "words are repeated or left out"
    last, most = 0, min(len(old), len(new)) - first
    while last < most and old[-1 - last] == new[-1 - last]:
        last += 1
    left, right = old[first : len(old) - last], new[first : len(new) - last]
    if any(left[cut:] + left[:cut] == right for cut in range(1, len(left))):
        return ""
    for low in range(1, len(left)):
        for high in range(low + 1, len(left)):
            if left[high:] + left[low:high] + left[:low] == right:
                return _exchange(before, after, first, first + low, first + high)
    is_list = sorted(left) == sorted(right) and _is_list(before, first, len(old) - last)
    return "" if is_list else "another order of words"


def _exchange(before: _Reading, after: _Reading, first: int, low: int, high: int) -> str:
    """Two parts stand in the place of each other; not so in lists, and between active and passive."""
    one, other = (before.items[at] for at in (first, high))
    is_turned = _has_agent(before.text) != _has_agent(after.text)
    is_list = _is_joined(before, low) and _is_joined(before, high)
    # "Before soaking the wool, rinse it": the sided word moves with what it stands before.
    if is_turned or is_list or "<" in (one.key[0], other.key[0]):
        return ""
    text = before.text
    return f'exchanged: "{text[one.start : one.end]}" and "{text[other.start : other.end]}"'


def _has_agent(text: str) -> bool:
    return " by " in f" {text.casefold()} "


def _is_joined(reading: _Reading, at: int) -> bool:
    """Whether a comma, a line feed, "and" or "or" stands before an item."""
    between = reading.text[reading.items[at - 1].end : reading.items[at].start].casefold()
    return "\n" in between or not _LIST_JOINTS.isdisjoint(between.replace(",", " , ").split())


def _is_list(reading: _Reading, first: int, last: int) -> bool:
    return all(_is_joined(reading, at) for at in range(first + 1, last))

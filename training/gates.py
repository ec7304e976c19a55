"""Write ``lexicon/patterns/gates.json``: the letters that every match of a pattern contains.

Run: python -m training.gates

Each pattern is walked as parsed by `re`. The result is groups of letters of which every match contains one;
each group is then replaced by a few pieces that are rare in English. Looking for letters is a hundred times
cheaper than compiling a long pattern, and most texts contain none of them.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache, partial
from itertools import product
from typing import Any, NamedTuple

from pytest_grounding._io.jsonio import write_atomic
from pytest_grounding._io.lazy_patterns import letters_of
from pytest_grounding.lexicon import words
from pytest_grounding.lexicon.patterns import FOLDER, SHARED, patterns_of, source

TARGET = FOLDER / "gates.json"
#: A larger set of strings is cut.
MOST_STRINGS = 160
#: More groups add little and cost time.
MOST_GROUPS = 3
#: Unions of the ways of an alternative that are tried.
MOST_UNIONS = 8
#: A group in more than this share of sentences excludes little.
COMMON = 0.7
#: The cost of searching a string, in probabilities of having to compile or search the pattern.
PRICE = 0.02
_SENTENCE = 120
#: Frequencies of letters in English, in per mille; a missing letter is rare.
_SHARES = dict(
    zip(
        " etaoinshrdlucmfwypvbgkqjxz'’",
        (180, *(102, 75, 65, 62, 57, 57, 53, 50, 50, 35, 33, 23, 23, 20, 18, 17, 16, 15, 8, 12, 16, 6)),
        strict=False,
    )
)


#: Strings in almost every sentence, whatever the frequencies of their letters.
_COMMON_WORDS = (
    " ".join(sorted({"", *words("grammar", "function_words"), *words("grammar", "auxiliaries")})) + " "
)


class Read(NamedTuple):
    """What a part of a pattern matches: exactly these strings, or None and groups that are in each match."""

    strings: frozenset[str] | None
    groups: tuple[frozenset[str], ...] = ()


NOTHING = Read(frozenset({""}))
ANYTHING = Read(None)


@cache
def _folded(char: str) -> str | None:
    """A letter as `letters_of` writes it; None if letters equal for `re` are written differently."""
    found = re.compile(re.escape(char), re.IGNORECASE)
    if char.isascii() and not char.isalpha():
        return char
    alike = {
        char,
        char.lower(),
        char.upper(),
        char.casefold(),
        char.swapcase(),
        "\u212a",
        "\u017f",
        "\u0130",
        "\u0131",
    }
    folded = {letters_of(one) for one in alike if len(one) == 1 and found.fullmatch(one)}
    return letters_of(char) if len(folded) == 1 else None


def _of_set(items: Sequence[tuple[Any, Any]]) -> Read:
    chars: set[str] = set()
    for kind, value in items:
        if str(kind) == "LITERAL":
            chars.add(chr(value))
        elif str(kind) == "RANGE" and value[1] - value[0] < 8:
            chars.update(map(chr, range(value[0], value[1] + 1)))
        else:
            return ANYTHING
    folded = [_folded(char) for char in sorted(chars)]
    return Read(frozenset(char for char in folded if char)) if all(folded) and len(folded) <= 12 else ANYTHING


def read(parsed: Any) -> Read:
    """What a parsed pattern matches."""
    groups: list[frozenset[str]] = []
    held, is_whole = NOTHING.strings or frozenset(), True
    for kind, value in parsed:
        if str(kind) == "ASSERT" and value[0] > 0:
            # Text in a lookahead is in the text too.
            ahead = read(value[1])
            groups += ahead.groups if ahead.strings is None else (ahead.strings,)
            continue
        found = _read_one(str(kind), value)
        if found.strings is not None and len(held) * len(found.strings) <= MOST_STRINGS:
            held = frozenset(map("".join, product(held, found.strings)))
            continue
        groups += [held, *found.groups]
        held, is_whole = found.strings or frozenset({""}), False
    groups = list(filter(_tells, groups))
    if is_whole and not groups:
        return Read(held)
    return Read(None, tuple(group for group in (*groups, held) if _tells(group)))


def _tells(group: frozenset[str]) -> bool:
    return all(len(text) > 1 or (text and not text.isascii()) for text in group)


def _read_one(kind: str, value: Any) -> Read:
    match kind:
        case "LITERAL":
            folded = _folded(chr(value))
            return Read(frozenset({folded})) if folded is not None else ANYTHING
        case "IN":
            return _of_set(value)
        case "SUBPATTERN":
            return read(value[-1])
        case "ATOMIC_GROUP":
            return read(value)
        case "AT" | "ASSERT" | "ASSERT_NOT":
            return NOTHING
        case "BRANCH":
            return _one_of([read(part) for part in value[1]])
        case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
            return _repeated(*value)
        case _:
            return ANYTHING


def _repeated(fewest: int, most: int, parsed: Any) -> Read:
    found = read(parsed)
    if fewest == most == 1:
        return found
    if not fewest:
        return Read(found.strings | {""}) if most == 1 and found.strings is not None else ANYTHING
    groups = found.groups if found.strings is None else (found.strings,)
    return Read(None, tuple(group for group in groups if _tells(group)))


def _one_of(reads: Sequence[Read]) -> Read:
    strings = frozenset().union(*(found.strings or () for found in reads))
    if all(found.strings is not None for found in reads) and len(strings) <= MOST_STRINGS:
        return Read(strings)
    options = [
        [group for group in (found.groups if found.strings is None else (found.strings,)) if _tells(group)]
        for found in reads
    ]
    if not all(options):
        return ANYTHING
    rarest = [min(groups, key=_cost) for groups in options]
    unions: list[frozenset[str]] = [frozenset().union(*rarest)]
    starts = sorted({group for groups in options for group in groups}, key=_cost)
    # What each alternative adds: "not" of one goes with "never" of another, and not with its nouns again.
    for start in starts[:MOST_UNIONS]:
        unions += [_joined(start, options, _strings_added), _joined(start, options, _cost_added)]
    ranked = sorted(dict.fromkeys(unions), key=_cost)
    return Read(None, tuple(ranked[:MOST_UNIONS]))


def _joined(
    start: frozenset[str],
    options: Sequence[Sequence[frozenset[str]]],
    added: Callable[[frozenset[str], frozenset[str]], Any],
) -> frozenset[str]:
    """A group with one string of each alternative, the one that adds least."""
    for groups in options:
        start |= min(groups, key=partial(added, start))
    return start


def _strings_added(held: frozenset[str], group: frozenset[str]) -> tuple[int, list[str]]:
    return len(group - held), sorted(group)


def _cost_added(held: frozenset[str], group: frozenset[str]) -> tuple[bool, tuple[float, list[str]]]:
    return not group <= held, _cost(group)


def _cost(group: frozenset[str]) -> tuple[float, list[str]]:
    found = covered(group)
    return chance(found) + PRICE * len(found), sorted(group)


def chance(letters: Iterable[str]) -> float:
    """Probability that a sentence contains one of some strings."""
    return 1 - math.prod(1 - _chance_of(text) for text in letters)


@cache
def _chance_of(text: str) -> float:
    """Probability that a sentence contains a string."""
    if text in _COMMON_WORDS:
        return COMMON / 2
    return 1 - math.exp(-_SENTENCE * math.prod(_SHARES.get(char, 1) / 1000 for char in text) * 3)


@cache
def covered(group: frozenset[str]) -> tuple[str, ...]:
    """A few rare strings; each string of a group contains one of them."""
    texts = sorted(group)
    # Piece -> the strings that contain it, a bit each.
    holders: dict[str, int] = {}
    for number, text in enumerate(texts):
        for start in range(len(text)):
            for end in range(start + 1, min(len(text), start + 14) + 1):
                if end - start > 1 or not text[start].isascii():
                    piece = text[start:end]
                    holders[piece] = holders.get(piece, 0) | 1 << number
    # Of the pieces of the same strings only one can be the best.
    rivals: dict[int, tuple[float, int, str]] = {}
    for piece, held in holders.items():
        rival = (PRICE + _chance_of(piece), -len(piece), piece)
        if held not in rivals or rival < rivals[held]:
            rivals[held] = rival
    price = {piece: cost for cost, _, piece in rivals.values()}
    holders = {piece: held for held, (_, _, piece) in rivals.items()}
    found: list[str] = []
    left = (1 << len(texts)) - 1
    while left:
        best = min(
            holders,
            key=lambda piece: (
                price[piece] / max(0.001, (holders[piece] & left).bit_count()),
                -len(piece),
                piece,
            ),
        )
        found.append(best)
        left &= ~holders[best]
        holders = {piece: held for piece, held in holders.items() if held & left}
    # An early one may contain nothing that later ones lack.
    for text in sorted(found, key=lambda text: -price[text]):
        others = [other for other in found if other != text]
        if all(any(other in whole for other in others) for whole in group):
            found = others
    return tuple(sorted(found, key=lambda text: (-chance((text,)), text)))


def needs_of(pattern: str, flags: int = re.IGNORECASE) -> list[list[str]]:
    """Groups of letters of which every match contains one; the shortest group first.

    Most texts lack one: they are rejected soonest by the group that is searched soonest.
    """
    found = read(re._parser.parse(pattern, flags))  # type: ignore[attr-defined]
    groups = found.groups if found.strings is None else (found.strings,)
    tried = {covered(group) for group in groups if _tells(group)}
    ranked = sorted(tried, key=lambda group: (chance(group) + PRICE * len(group), group))
    kept: list[tuple[str, ...]] = []
    for group in ranked:
        says_less = any(all(any(text in other for text in group) for other in known) for known in kept)
        if not says_less and (chance(group) < COMMON):
            kept.append(group)
    return [list(group) for group in sorted(kept[:MOST_GROUPS], key=len)]


def gates() -> dict[str, dict[str, list[list[str]]]]:
    """File -> pattern -> its letters."""
    files = sorted(path.stem for path in FOLDER.glob("*.txt") if path.stem != SHARED)
    return {
        file: {name: needs_of(source(file, name)) for name in patterns_of(file).entries} for file in files
    }


def as_json() -> str:
    """The gates as shipped, one pattern per line."""
    rows = [
        f"{json.dumps(file)}: {{\n"
        + ",\n".join(
            f"{json.dumps(name)}: {json.dumps(needs, ensure_ascii=False)}" for name, needs in held.items()
        )
        + "\n}"
        for file, held in gates().items()
    ]
    return "{\n" + ",\n".join(rows) + "\n}\n"


if __name__ == "__main__":
    write_atomic(TARGET, as_json())

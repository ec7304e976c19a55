"""What the finders know of words: opposites by stem, quantifiers, negative forms."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Any

from pytest_grounding._patterns import lazy
from pytest_grounding.scorers.lexical.tokens import tokenize
from pytest_grounding.text.facts.tokens import words

#: Position of a quantifier on its scale: how much of the whole it speaks of. Scales are not compared
#: with each other: things ("all"), times ("always").
QUANTIFIERS: dict[str, tuple[str, int]] = {
    "no": ("amount", 0),
    "none": ("amount", 0),
    "nobody": ("amount", 0),
    "few": ("amount", 1),
    "some": ("amount", 2),
    "several": ("amount", 2),
    "many": ("amount", 3),
    "numerous": ("amount", 3),
    "most": ("amount", 4),
    "all": ("amount", 5),
    "every": ("amount", 5),
    "each": ("amount", 5),
    "entire": ("amount", 5),
    "never": ("time", 0),
    "rarely": ("time", 1),
    "seldom": ("time", 1),
    "hardly": ("time", 1),
    "occasionally": ("time", 2),
    "sometimes": ("time", 2),
    "often": ("time", 3),
    "frequently": ("time", 3),
    "usually": ("time", 4),
    "generally": ("time", 4),
    "typically": ("time", 4),
    "normally": ("time", 4),
    "commonly": ("time", 4),
    "mostly": ("time", 4),
    "always": ("time", 5),
}

NEGATIVE_PREFIXES = ("un", "in", "im", "il", "ir", "non", "dis", "non-", "mis")
#: Words that only look like the negative of another ("discover", "income").
_NO_NEGATIVES = frozenset(
    words(
        """
        discover disease discount intend inform inside input income impress import improve display
        dissolve disposition indeed impact inhabit invest unless unit until union implant impart
        inflammable invaluable intense instill install insure infield inland indoor intake insight
        dismember discuss dismiss dispose discharge disappoint uncover increase indifferent interest
        incline include inclose inquire institute discourse discipline distance disaster undo
        understand under uncle uniform unique universe inspire instance instant intent invent
        involve imprint impose imply immigrant immigrate illuminate illustrate irrigate nonetheless
        nonsense mission missile mister mistake dispatch distribute disturb district income infant
        inflate inflict influence ingredient inherit initial injure inner innovate dish disk incase
        inform inbound infuse insert inscribe indent index indicate induce indulge infect infer
        """
    )
)


#: Words that share a stem with one of the table and mean something else ("several" is not "severe"; a prize
#: that is "closely" contested is not closed; "defeated" is what a winner did).
HOMONYMS = frozenset(
    words(
        """
        several severally position positions positioned positional author authors authored authority
        authorities respective respectively fleet fleets grate grates odds goods closely nearly highly
        shortly largely mainly mostly virtually hopefully seriously basically particularly fitness
        wellness wells finale finals department departments custom customs operation operations
        fortune fortunes minute minutes opening openings defeated defeats defeating
        publication publications illness importance cost costs costing conservation
        """
    )
)


@lru_cache(maxsize=1)
def _table() -> dict[str, Any]:
    # Stemming the words anew would cost more than all the rest of loading: `python -m training.opposites`.
    found: dict[str, Any] = json.loads(Path(__file__).with_name("opposites.json").read_text(encoding="utf-8"))
    return found


@lru_cache(maxsize=1)
def opposites() -> dict[str, dict[str, str]]:
    """For each stem its opposed stems, with the kind of conflict that they make.

    "converse" pairs (buy, sell) are opposed only where the two sides have not changed places too.
    """
    table: dict[str, dict[str, str]] = {}
    for kind in ("antonym", "comparison", "order", "converse"):
        for line in _table()[kind]:
            left, right = (side.split(" ") for side in line.split("|"))
            for a in left:
                for b in right:
                    if a != b:
                        table.setdefault(a, {})[b] = kind
                        table.setdefault(b, {})[a] = kind
    return table


@lru_cache(maxsize=1)
def alike() -> dict[str, frozenset[str]]:
    """For each stem of the table the stems that stand on a side with it: near synonyms."""
    table: dict[str, set[str]] = {}
    for kind in ("antonym", "comparison", "order"):
        for line in _table()[kind]:
            for side in line.split("|"):
                stems = side.split(" ")
                for stem in stems:
                    table.setdefault(stem, set()).update(stems)
    return {stem: frozenset(stems) for stem, stems in table.items()}


@lru_cache(maxsize=1)
def quantifier_stems() -> tuple[str, ...]:
    """The stems of all quantifiers."""
    return tuple(sorted({tokenize(word)[0].stem for word in QUANTIFIERS}))


@lru_cache(maxsize=65536)
def stem_of(word: str) -> str:
    """The stem of one word."""
    tokens = tokenize(word)
    return tokens[0].stem if tokens else word


@lru_cache(maxsize=1)
def _no_negative_stems() -> frozenset[str]:
    return frozenset(stem_of(word) for word in _NO_NEGATIVES)


@lru_cache(maxsize=65536)
def negative_of(word: str) -> tuple[str, ...]:
    """The words that a word may be the negative of, by its form: "safe" for "unsafe"."""
    # Few words look like one, and only these are stemmed.
    if len(word) < 5 or not (word.startswith(NEGATIVE_PREFIXES) or word.endswith("less")):
        return ()
    if stem_of(word) in _no_negative_stems():
        return ()
    found = [
        word[len(prefix) :]
        for prefix in NEGATIVE_PREFIXES
        if word.startswith(prefix) and len(word) > len(prefix) + 2
    ]
    if word.endswith("less") and len(word) > 6:
        found += [word[:-4], word[:-4] + "ful"]
    return tuple(found)


@lru_cache(maxsize=65536)
def negated_stems(word: str) -> tuple[str, ...]:
    """What the words that a word may be the negative of may stand as: themselves, and their stems."""
    return tuple(stem for base in negative_of(word) for stem in (base, stem_of(base)))


#: Beginnings that turn a word into its opposite: "overpaid" and "underpaid".
_TWINS = (
    ("over", "under"),
    ("pre", "post"),
    ("up", "down"),
    ("in", "out"),
    ("hyper", "hypo"),
    ("pro", "anti"),
)
_TWIN_FORMS = tuple(form for pair in _TWINS for form in pair)
#: What follows them is a word of its own that is at least as long; these are not such pairs.
_SHORTEST_TWIN = 4
_NO_TWINS = frozenset(
    {"come", "takes", "taking", "taken", "take", "took", "stand", "standing", "lays", "look", "line"}
)


@lru_cache(maxsize=65536)
def twin_stems(word: str) -> tuple[str, ...]:
    """Stems of what a word becomes with the opposite beginning: "underpaid" for "overpaid"."""
    if not word.startswith(_TWIN_FORMS):
        return ()
    found = []
    for pair in _TWINS:
        for own, other in (pair, pair[::-1]):
            rest = word[len(own) :]
            if word.startswith(own) and len(rest) >= _SHORTEST_TWIN and rest not in _NO_TWINS:
                found.append(stem_of(other + rest))
    return tuple(found)


_GRADED = lazy(r"(.{3,}?)(?:(i)?(?:er|est))")


@lru_cache(maxsize=65536)
def positive_of(norm: str) -> str:
    """The stem of what a comparative or superlative compares ("slower": "slow"), or ""."""
    match = _GRADED.fullmatch(norm)
    if match is None:
        return ""
    base = match[1] + ("y" if match[2] else "")
    # "bigger" is "big".
    return stem_of(base[:-1] if len(base) > 3 and base[-1] == base[-2] else base)

"""How much each content word of a question weighs in the share that a statement has to hold."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from pytest_grounding.lexicon import ordered
from pytest_grounding.scorers.lexical.tokens import Token, stems_of
from pytest_grounding.text.grammar import has_finite_verb
from pytest_grounding.text.questions import QuestionPart
from pytest_grounding.text.questions.synonyms import synonyms_of

#: Share of the whole weight that the names of a question have together; that of names with numbers, and
#: that of the word that says what is asked. Without a number or that word, a text stays below 60 %.
_NAMES_SHARE = 0.38
_NUMBERS_SHARE = 0.42
_KEY_SHARE = 0.42
_WEAK = 0.5
#: Weight of the last word of a question by how, when, where or why: its verb or its object. Of three words
#: the other two stay below 60 %.
LAST = 1.45
#: Weight of the verb in "how do I cancel ...".
DEED = 2.0
LAST_COUNTS = frozenset(["how", "when", "where", "why", "how_much", "how_many"])
IMPLIED = 0.25
WEAK_WORDS = " ".join(ordered("questions", "weak"))
IMPLIED_WORDS = " ".join(ordered("questions", "implied_weak"))
_PRICED_WORDS = " ".join(ordered("questions", "priced"))
SITED_WORDS = " ".join(ordered("questions", "sited"))


@dataclass(frozen=True, slots=True)
class AskedWord:
    """One content word of a question.

    Attributes:
        stem: its stem.
        stems: stems that count as it, its own among them.
        weight: what it weighs in the share.
        is_name: a name or a number.
    """

    stem: str
    stems: frozenset[str]
    weight: float
    is_name: bool


def weighted(
    kept: dict[str, Token], named: set[str], key: str, part: QuestionPart, stressed: dict[str, float]
) -> list[AskedWord]:
    """The content words with their weights.

    Args:
        kept: stem -> word, in the order of the question.
        named: stems of names and numbers.
        key: stem of the word that names the attribute or deed, or "".
        part: the question part.
        stressed: stem -> a weight of its own for a word that would weigh 1.
    """
    weights = {stem: weigh(stem, part.expected, part.measure) for stem in kept}
    for stem, weight in stressed.items():
        if weights.get(stem, 0.0) >= 1.0:
            weights[stem] = weight
    groups = {
        "names": [stem for stem in kept if stem in named],
        "key": [key] if key in kept and key not in named and key not in stems_of(WEAK_WORDS) else [],
    }
    groups["rest"] = [stem for stem in kept if stem not in groups["names"] and stem not in groups["key"]]
    numbers = any(kept[stem].is_number for stem in groups["names"])
    shares = {"names": _NUMBERS_SHARE if numbers else _NAMES_SHARE, "key": _KEY_SHARE}
    shares = {name: share for name, share in shares.items() if groups[name]}
    if shares and all(weights[stem] <= IMPLIED for stem in groups["rest"]):
        # An answer of the expected kind says the rest by itself.
        shares = {name: share * 0.8 / sum(shares.values()) for name, share in shares.items()}
    left = 1.0 - sum(shares.values())
    if not groups["rest"]:
        shares = dict.fromkeys(shares, 1.0)
    for name, members in groups.items():
        whole = sum(weights[stem] for stem in members)
        group = shares.get(name, left)
        for stem in members if shares else ():
            weights[stem] *= group / whole
    return [
        AskedWord(
            stem,
            frozenset({stem}) if token.is_number else frozenset({stem}) | synonyms_of(stem),
            weights[stem],
            stem in named,
        )
        for stem, token in kept.items()
    ]


def weigh(stem: str, expected: str, measure: str = "") -> float:
    """What a word weighs by itself, before names and the asked attribute are given their share."""
    if (
        stem in stems_of(_PRICED_WORDS)
        and expected == "quantity"
        and measure not in {"money", "amount", "percent"}
    ):
        # "How long does it take to pay": a length of time does not say "pay".
        return 1.0
    if stem in stems_of(IMPLIED_WORDS) or (expected == "location" and stem in stems_of(SITED_WORDS)):
        return IMPLIED
    return _WEAK if stem in stems_of(WEAK_WORDS) else 1.0


def kinds_of_names(content: list[Token], named: set[str], key: str, last: str) -> dict[str, float]:
    """The nouns that only say what a name is the name of: "the Starter plan" is "Starter" too."""
    return {
        after.stem: IMPLIED
        for before, after in pairwise(content)
        if before.stem in named
        and not before.is_number
        and after.start - before.end == 1
        and after.text.islower()
        and after.stem not in {key, last, content[-1].stem, *named}
        and not has_finite_verb([after.norm])
    }

"""Words of a question that tell one thing from another of its kind, each with the word beside it."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from pytest_grounding.checks.retrieval.weighing import weigh
from pytest_grounding.lexicon import words
from pytest_grounding.scorers.lexical.tokens import Token
from pytest_grounding.text.questions.synonyms import synonyms_of

ORDINALS = words("questions", "ordinals")
PREFIXES = words("questions", "prefixes")


@dataclass(frozen=True, slots=True)
class Slot:
    """A word of a question with the word beside it: "version 4", "Pro plan", "chalk paint", "choir of Vik".

    Attributes:
        stems: what says the word: its stem and those of its synonyms.
        neighbour: the stem of the word beside it.
        side: 1 where the neighbour follows, -1 where it precedes.
        is_name: the word is a number or a name.
        linked: "of" stands between the two.
        named_only: only a number or a name can be its rival.
        ordinal: only another word of order can ("second" for "first").
    """

    stems: frozenset[str]
    neighbour: str
    side: int
    is_name: bool = False
    linked: bool = False
    named_only: bool = False
    ordinal: bool = False


def slots_of(tokens: list[Token], chosen: list[Token], named: set[str], focus: str) -> tuple[Slot, ...]:
    """The slots of a question part.

    Args:
        tokens: the words of the whole question.
        chosen: those of the part that count as its content.
        named: stems of names and numbers.
        focus: the noun that names the answer, in lower case, or "".
    """
    starts = {t.start for t in chosen}
    slots = []
    for before, after in pairwise(tokens):
        if after.start - before.end > 1 or not {before.start, after.start} <= starts:
            continue
        if before.stem in named and not before.is_number:
            only = after is chosen[-1] or after.stem in named
            slots.append(Slot(frozenset({before.stem}), after.stem, 1, is_name=True, named_only=only))
        elif before.stem in named and after.stem not in named:
            slots.append(Slot(frozenset({before.stem}), after.stem, 1, is_name=True, named_only=True))
        elif after.stem in named:
            slots.append(Slot(frozenset({after.stem}), before.stem, -1, is_name=True, named_only=True))
        elif before.norm in ORDINALS:
            slots.append(Slot(frozenset({before.stem}), after.stem, 1, ordinal=True))
        elif not before.is_stop and weigh(before.stem, "") == 1.0:
            slots.append(Slot(frozenset({before.stem}) | synonyms_of(before.stem), after.stem, 1))
    for before, link, after in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if link.norm != "of" or before.is_stop or not {before.start, after.start} <= starts:
            continue
        if weigh(before.stem, "") == 1.0 and before.norm != focus:
            stems = frozenset({before.stem}) | synonyms_of(before.stem)
            slots.append(Slot(stems, after.stem, 1, linked=True))
    return tuple(slots)

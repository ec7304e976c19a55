"""The kinds of conflicts, one row each. Whatever needs to know a kind reads it here."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal

from pytest_grounding.scorers.builtin.conflicts.contest import Candidate, Contest
from pytest_grounding.scorers.builtin.conflicts.modality import (
    modality_conflicts,
    quantifier_conflicts,
    quantifies,
    speaks_of_duties,
)
from pytest_grounding.scorers.builtin.conflicts.name_conflicts import has_names, name_conflicts
from pytest_grounding.scorers.builtin.conflicts.opposites import negation_conflicts, opposite_conflicts
from pytest_grounding.scorers.builtin.conflicts.sentence_view import View
from pytest_grounding.scorers.builtin.conflicts.values import has_values, value_conflicts

Generator = Callable[[Contest], Iterable[Candidate]]
#: Whether a claim has what a generator looks at.
Needs = Callable[[View], bool]
#: Which weights of the verifier judge a kind: what speaks for a denial differs from what speaks for another
#: value or word.
Group = Literal["denials", "others"]


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of conflict.

    Attributes:
        name: its name, which the generator's candidates bear.
        generator: proposes candidates; one that serves several kinds runs once.
        example: what the claim and a source say, for the documentation.
        needs: a cheap look at the claim: False keeps the generator from running; None: it always runs.
        languages: first parts of BCP 47 tags for which it can tell; empty: all of them.
        shown: the name that people see; empty: the same.
        group: which weights of the verifier judge it.
        trained: whether the verifier has a column of its own for it.
        odds: log odds of each of its candidates, which are errors from 0 on; None: the verifier decides.
    """

    name: str
    generator: Generator
    example: str
    needs: Needs | None = None
    languages: frozenset[str] = frozenset()
    shown: str = ""
    group: Group = "others"
    trained: bool = False
    odds: float | None = None

    @property
    def title(self) -> str:
        """The name that people see."""
        return self.shown or self.name

    def reads(self, language: str) -> bool:
        """Whether it can tell for a language."""
        return not self.languages or language in self.languages


#: Every kind. The trained ones give the verifier's columns, in this order.
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
    Kind("modality", modality_conflicts, '"must" / "may"', speaks_of_duties, trained=True),
    Kind("quantifier", quantifier_conflicts, '"all" / "some", "always" / "rarely"', quantifies, trained=True),
    Kind("entity", name_conflicts, '"founded by Larsen" / "founded by Petrova"', has_names, trained=True),
)  # fmt: skip

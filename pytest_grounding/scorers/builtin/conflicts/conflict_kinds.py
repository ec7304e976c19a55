"""The kinds of conflicts, one row each; everything else reads this table."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal

from pytest_grounding.scorers.builtin.conflicts.contest import Candidate, Contest
from pytest_grounding.scorers.builtin.conflicts.modality import (
    has_modal,
    modality_conflicts,
    quantifier_conflicts,
    quantifies,
)
from pytest_grounding.scorers.builtin.conflicts.name_conflicts import has_names, name_conflicts
from pytest_grounding.scorers.builtin.conflicts.opposites import negation_conflicts, opposite_conflicts
from pytest_grounding.scorers.builtin.conflicts.sentence_view import View
from pytest_grounding.scorers.builtin.conflicts.values import has_values, value_conflicts

Generator = Callable[[Contest], Iterable[Candidate]]
#: Whether a claim has what the generator needs.
Needs = Callable[[View], bool]
#: The verifier's weights for a kind: denials need other signs than other values
#: or words.
Group = Literal["denials", "others"]


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of conflict.

    Attributes:
        name: its name, as used in the generator's candidates.
        generator: proposes candidates; a generator shared by several kinds runs once.
        example: a claim and a source, for the documentation.
        needs: cheap test of the claim; the generator runs only if it is true, or always if this is None.
        languages: first parts of BCP 47 tags that it can read; empty: all.
        shown: the name in reports; empty: the same.
        group: the verifier's weights for it.
        trained: whether the verifier has a feature for it.
        odds: fixed log odds of its candidates (an error from 0 on); None: the verifier decides.
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

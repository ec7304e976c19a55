"""What an answer gives of what was asked: the parts that it answers, and whether it declines rightly."""

# No postponed annotations here: pydantic would compile each of them once more, at every import.
from typing import Literal

from pytest_grounding.model._base import Model

PartStatus = Literal["answered", "declined", "missing", "unsourced"]
Abstention = Literal[
    "answered", "over_refusal", "rightly_declined", "answered_absent", "half_declined", "untold"
]

#: The cells that can be told, in the order of reports.
CELLS: tuple[str, ...] = ("answered", "over_refusal", "rightly_declined", "answered_absent", "half_declined")


class Rate(Model):
    """A share of answers.

    Attributes:
        name: name of the figure.
        label: the same in words.
        count: how many count for it.
        total: of how many.
        value: the share, in [0, 1]; None where there was nothing to measure.
        low: lower end of its 95 % Wilson interval, or None.
        high: upper end.
    """

    name: str
    label: str
    count: int
    total: int
    value: float | None = None
    low: float | None = None
    high: float | None = None


class AnswerPart(Model):
    """One of the things that a question asks for, and what the answer does with it.

    Attributes:
        text: the part, in words of the question.
        status: *answered*; *declined*, said openly not to be in the sources; *missing*, left out;
            *unsourced*, left out without a word, and the sources do not hold it.
    """

    text: str
    status: PartStatus


class Completeness(Model):
    """Whether an answer to a question of several parts holds something on each.

    Attributes:
        parts: the parts of the question, at least two, in their order.
        complete: no part was left out without a word.
    """

    parts: tuple[AnswerPart, ...]
    complete: bool

    @property
    def left_out(self) -> tuple[AnswerPart, ...]:
        """The parts that the answer leaves out without a word."""
        return tuple(part for part in self.parts if part.status in ("missing", "unsourced"))

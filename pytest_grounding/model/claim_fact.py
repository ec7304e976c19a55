"""The facts of a claim: what can be checked by its type, and what the sources have for it."""

# No postponed annotations here: pydantic would compile each of them again at every import.
from typing import Literal

from pytest_grounding.model.base import Model

FactType = Literal[
    "quantity", "point_in_time", "name", "identifier", "quotation", "polarity", "operator", "role", "clause"
]
FactStatus = Literal["found", "computed", "known", "question", "judge", "elsewhere", "denied", "missing"]
#: A claim with a fact of such a status is never supported.
UNSETTLED: frozenset[str] = frozenset({"missing", "denied", "elsewhere"})
#: Types that a judge may settle; values, identifiers and quotations are compared, not judged.
JUDGED_TYPES: frozenset[str] = frozenset({"name", "polarity", "operator", "role", "clause"})


class ClaimFact(Model):
    """One fact of a claim.

    Attributes:
        type: quantity, point_in_time, name, identifier, quotation, polarity, operator (how much, how often,
            a limit, a comparison), role (what is said of whom) or clause (a joined clause or list item with
            words of its own).
        text: its words in the answer: ``answer[start:end]``.
        start: offset in the answer.
        end: one past its last character.
        status: found (a chunk has it), computed (it follows from values of the chunks), known (declared by
            the user), question (only the question or earlier turns have it), judge (a recorded judge settled
            it), elsewhere (the chunks have it with another subject), denied (they say the reverse) or
            missing. No fact has the type quotation yet: quotations are checked with the citations.
        chunk_id: the chunk that has it, or the chunk of ``nearest``; None without one.
        source_text: the words of that chunk, verbatim; "" where only their place is unknown.
        source_start: offset of ``source_text`` in the chunk's text, or None.
        formula: how it was computed, with the values of the chunks; "" otherwise.
        nearest: the nearest fact of the same type that the sources have, for an unsettled one; "" otherwise.
    """

    type: FactType
    text: str
    start: int
    end: int
    status: FactStatus
    chunk_id: str | None = None
    source_text: str = ""
    source_start: int | None = None
    formula: str = ""
    nearest: str = ""

    @property
    def is_unsettled(self) -> bool:
        """Whether a claim with this fact cannot be supported."""
        return self.status in UNSETTLED

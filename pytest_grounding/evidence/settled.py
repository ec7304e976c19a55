"""A fact of a claim with what the sources have for it, before it is placed in the answer."""

from __future__ import annotations

from typing import NamedTuple

from pytest_grounding.model.claim_fact import FactStatus, FactType


class Place(NamedTuple):
    """Where a chunk has a fact: its number, and offsets in its text as it is compared; None if unknown."""

    chunk: int | None = None
    start: int | None = None
    end: int | None = None


NOWHERE = Place()


class Outcome(NamedTuple):
    """What the sources have for a fact."""

    status: FactStatus
    place: Place = NOWHERE
    formula: str = ""
    nearest: str = ""


class Settled(NamedTuple):
    """A fact of a claim's bare text, settled."""

    type: FactType
    start: int
    end: int
    outcome: Outcome

    def overlaps(self, other: Settled) -> bool:
        """Whether two facts share a character."""
        return self.start < other.end and other.start < self.end

"""What every check is given, and what a check of a user's own is."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field
from typing import Protocol, runtime_checkable

from pytest_grounding._frozen import frozen
from pytest_grounding.citations.base import ExtractedCitation
from pytest_grounding.model.finding import Finding
from pytest_grounding.model.transcript import Chunk, Transcript
from pytest_grounding.reading import Readings, readings_of
from pytest_grounding.scorers.base import Scorer, SupportScore
from pytest_grounding.settings import Settings
from pytest_grounding.text.spans import Claim, Sentence


@frozen(kw_only=True)
class CheckContext:
    """One transcript as the checks see it: taken apart once, scored once.

    Attributes:
        transcript: the transcript.
        settings: the settings in force.
        language: BCP 47 tag in force ("en" where none is known).
        sentences: the answer's sentences.
        claims: the answer's claims, checked or not; ``claims[i].index == i``.
        citations: the answer's citations in order.
        owners: for each citation the index of the claim that it belongs to, or None.
        supports: for each claim its support by all chunks, or None where it is not checked.
        scorer: for checks that need further scores; chunk work is cached in it.
        declined: the answer says that it cannot answer.
        readings: question, answer and chunks as they are read; what is asked of them is asked once.
    """

    transcript: Transcript
    settings: Settings
    language: str
    sentences: tuple[Sentence, ...]
    claims: tuple[Claim, ...]
    citations: tuple[ExtractedCitation, ...]
    owners: tuple[int | None, ...]
    supports: tuple[SupportScore | None, ...]
    scorer: Scorer
    declined: bool = False
    readings: Readings = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        given = self.transcript
        texts = [chunk.text for chunk in given.chunks]
        object.__setattr__(self, "readings", readings_of(given.question, given.answer, texts, self.language))

    @property
    def chunk_by_id(self) -> dict[str, Chunk]:
        """The chunks by id."""
        return {chunk.id: chunk for chunk in self.transcript.chunks}


@runtime_checkable
class Check(Protocol):
    """A check of a user's own, registered through the hook ``pytest_grounding_checks``."""

    @property
    def name(self) -> str:
        """Name that its findings are filed under when it crashes."""
        ...

    def run(self, context: CheckContext) -> Iterable[Finding]:
        """The findings on one transcript."""
        ...

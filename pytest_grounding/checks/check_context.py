"""The input of every check, and the protocol of a user's own check."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from pytest_grounding.citations.syntax import ExtractedCitation
from pytest_grounding.model.finding import Finding, finding_of
from pytest_grounding.model.scores import is_contradicted
from pytest_grounding.model.transcript import Chunk, Transcript
from pytest_grounding.model.verdict import ClaimVerdict
from pytest_grounding.reading.sentences import Claim, Sentence
from pytest_grounding.reading.words import tokenize
from pytest_grounding.scorers import ClaimText, Scorer, SupportScore
from pytest_grounding.settings import Settings

BY_CALLS = "the calls of tools back it: "  # start of the reason of a claim that tool calls support


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckContext:
    """One transcript as the checks see it: parsed once, scored once."""

    transcript: Transcript  # the transcript, with its tool results as further chunks
    settings: Settings  # the settings in use
    language: str  # BCP 47 tag in use ("en" if unknown)
    sentences: tuple[Sentence, ...]  # the answer's sentences
    claims: tuple[Claim, ...]  # the answer's claims, checked or not; ``claims[i].index == i``
    citations: tuple[ExtractedCitation, ...]  # the answer's citations in order
    owners: tuple[int | None, ...]  # for each citation the index of the claim that it belongs to, or None
    supports: tuple[SupportScore | None, ...]  # for each claim its support; None if it is not checked
    scorer: Scorer  # for further scores; it caches the chunks
    declined: bool = False  # whether the answer declines to answer
    given: Transcript | None = None  # the transcript as recorded, if tool results were added to it

    @property
    def recorded(self) -> Transcript:
        """The transcript as recorded."""
        return self.given or self.transcript

    @property
    def own_scorer(self) -> Scorer:
        """The built-in scorer, for texts that are not claims: it needs no request and no cassette."""
        if self.scorer.name == "builtin":
            return self.scorer
        from pytest_grounding.scorers.builtin.builtin_scorer import LexicalScorer

        return LexicalScorer()

    @property
    def chunk_by_id(self) -> dict[str, Chunk]:
        """The chunks by id."""
        return {chunk.id: chunk for chunk in self.transcript.chunks}


def on_claim(
    claim: ClaimVerdict, rule: str, settings: Settings, message: str, suggestion: str = "", **fields: Any
) -> Finding:
    """A finding on a claim."""
    place = {"span": (claim.start, claim.end), "claim": claim.index, "evidence": claim.evidence[:1]}
    return finding_of(rule, settings, message, suggestion, **(place | fields))


def score_of(
    context: CheckContext, text: str, chunks: Sequence[Chunk], before: str = "", scorer: Scorer | None = None
) -> SupportScore:
    """The support of a text, with the sentence before it, by some chunks."""
    asked, language = context.transcript.question, context.language
    claims = [ClaimText(text, before)]
    return (scorer or context.scorer).support(claims, chunks, question=asked, language=language)[0]


def stems_in(text: str, language: str = "en") -> set[str]:
    """The stems of all words of a text."""
    return {token.stem for token in tokenize(text, language)}


def supports(score: SupportScore | None, threshold: float) -> bool | None:
    """Whether a score supports the claim; None if it was not scored."""
    if score is None or score.probability is None:
        return None
    # Rounded, so that 0.7 computed as 0.6999999999999999 is still 0.7 on every machine.
    return round(score.probability, 9) >= threshold and not is_contradicted(score)


@runtime_checkable
class Check(Protocol):
    """A user's own check, registered through the hook ``pytest_grounding_checks``."""

    @property
    def name(self) -> str:
        """Name under which a crash of the check is reported."""
        ...

    def run(self, context: CheckContext) -> Iterable[Finding]:
        """The findings on one transcript."""
        ...

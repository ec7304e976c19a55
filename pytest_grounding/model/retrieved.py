"""What was found on a retrieval: its rating, each chunk's relevance, and whether the answer is there."""

# No postponed annotations here: pydantic would compile each of them once more, at every import.
from collections.abc import Mapping
from typing import Any, Literal

from pydantic import Field, model_validator

from pytest_grounding.errors import ScorerError
from pytest_grounding.model._base import Model, without_surrogates
from pytest_grounding.model.finding import Conflict, Evidence
from pytest_grounding.model.presence import AnswerPresent

Rating = Literal["good", "partial", "poor"]


class ChunkRelevance(Model):
    """Relevance of one chunk to the question, and the quality of the chunk as a source.

    Attributes:
        chunk_id: the chunk.
        score: its relevance, in [0, 1], or None where no scorer could say.
        relevant: it reaches the setting ``relevance_threshold``.
        reason: why, for a person.
        quality: how good a source its text is, in [0, 1], or None.
        quality_reasons: what lowers its quality, such as a text that is cut off.
    """

    chunk_id: str
    score: float | None
    relevant: bool
    reason: str = ""
    quality: float | None = None
    quality_reasons: tuple[str, ...] = ()


class ScorerFailure(Model):
    """Why a scorer or judge that was asked for did not serve.

    Attributes:
        scorer: its name.
        error: class of the error, such as ``CassetteError`` or ``ConnectError``; "" where a file of an
            older release does not say.
        message: what went wrong, for a person.
    """

    scorer: str
    error: str = ""
    message: str

    @model_validator(mode="before")
    @classmethod
    def _read_old(cls, value: Any) -> Any:
        """Older files hold ``scorer: message``."""
        if not isinstance(value, str):
            return value
        scorer, colon, message = value.partition(": ")
        return {"scorer": scorer, "message": message} if colon else {"scorer": "", "message": value}

    @classmethod
    def of(cls, scorer: str, error: Exception, message: str = "") -> "ScorerFailure":
        """The failure that an error stands for; a `ScorerError` is named by what it was raised for."""
        cause = (error.__cause__ or error.__context__) if type(error) is ScorerError else None
        name = type(cause if isinstance(cause, Exception) else error).__name__
        text: str = without_surrogates(message or str(error))[0]
        return cls(scorer=scorer, error=name, message=text)

    def __str__(self) -> str:
        """``scorer: message``."""
        return f"{self.scorer}: {self.message}" if self.scorer else self.message


class RetrievalVerdict(Model):
    """Did the retrieval bring what the question needs (``docs/retrieval.md``).

    Attributes:
        rating: good, partial or poor.
        reason: why, for a person.
        rating_confidence: how sure the rating is, in [0, 1]: how far the relevance scores are from tipping
            it, and how sure the presence of the answer is where that decides; None where nothing was rated.
        rating_confidence_reason: why, for a person.
        question_type: what is asked for, such as when, who, how or yes_no.
        expected_answer: kind of value that answers it, such as date, or "".
        relevance: each chunk with its relevance, in the order of the transcript.
        mean_relevance: over the relevant chunks, in [0, 1]; 0 when there is none.
        mean_all: over all chunks, in [0, 1].
        answer_present: full, partial, none or abstain; a plain string but for its truth: "none" and
            "abstain" are false.
        presence_reason: why, for a person.
        evidence: the sentences that state the answer.
        scorer: who scored the relevance.
        scorer_failures: who was asked before and did not serve.
        conflicts: chunks that contradict each other about what is asked.
        stage_ms: milliseconds by stage; left out of canonical JSON, because a clock is never equal twice.
    """

    rating: Rating
    reason: str
    rating_confidence: float | None = None
    rating_confidence_reason: str = ""
    question_type: str
    expected_answer: str = ""
    relevance: tuple[ChunkRelevance, ...] = ()
    mean_relevance: float = 0.0
    mean_all: float = 0.0
    answer_present: AnswerPresent
    presence_reason: str = ""
    evidence: tuple[Evidence, ...] = ()
    scorer: str = "builtin"
    scorer_failures: tuple[ScorerFailure, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    stage_ms: Mapping[str, float] = Field(default_factory=dict, exclude=True)

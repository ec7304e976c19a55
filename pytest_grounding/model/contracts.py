"""Contracts of services that produce answers, and the conversion of their responses to transcripts.

`STRUCTURED_PROMPT`, with the context of `pytest_grounding.citations.naming.format_context`, numbers the
sources as validation counts them, so that code that records answers and code that checks them agree.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, ClassVar

from pydantic import (
    AliasChoices,
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    ModelWrapValidatorHandler,
    PrivateAttr,
    ValidationInfo,
    field_validator,
    model_validator,
)
from pydantic_core import CoreSchema, PydanticCustomError
from pydantic_core.core_schema import SerializerFunctionWrapHandler

from pytest_grounding.model.base import Model, serialised_by
from pytest_grounding.model.chunks import read_chunks
from pytest_grounding.model.transcript import (
    Chunk,
    Identifier,
    Label,
    Question,
    Share,
    Text,
    Transcript,
    longest_question,
)

_SCORE = "confidence_score"  # the other name of a response's confidence
BROKEN_CONTRACT = "broken_contract"  # rule of the finding on a response that breaks its contract
#: Instruction for a `StructuredRAGResponse`, with ``{context}`` and ``{question}`` for `str.format`.
STRUCTURED_PROMPT = Path(__file__).with_name("structured_prompt.txt").read_text(encoding="utf-8")
_NO_CONFIDENCE = {
    "rule": BROKEN_CONTRACT,
    "severity": "error",
    "message": "the response's metadata contains no confidence; its contract asks for one from 0 to 1",
}
ChunkLike = Chunk | Mapping[str, Any]
Number = Annotated[int, Field(strict=True)]  # a number that is never converted: front ends compare types


def _chunks_of_sources(chunks: Sequence[Any]) -> list[Chunk]:
    shaped = read_chunks(list(chunks))
    return [chunk if isinstance(chunk, Chunk) else Chunk.model_validate(chunk) for chunk in shaped]


class ChatRequest(Model):
    """A request to a service.

    Attributes:
        question: 1 to 2000 characters, not only white space; as in a transcript, another limit
            is the validation context's ``question_max_length``.
    """

    question: Question
    filters: Mapping[str, Any] | None = None

    @field_validator("question")
    @classmethod
    def _question_is_usable(cls, value: str, info: ValidationInfo) -> str:
        limit, length = longest_question(info), len(value)
        # Pydantic's own error types, so that a service handles them like others.
        if not value.strip():
            raise PydanticCustomError("string_too_short", "is empty; write the question that is asked")
        if length > limit:
            said = "has {length} characters; write at most {limit}"
            raise PydanticCustomError("string_too_long", said, {"length": length, "limit": limit})
        return value


class Source(Model):
    """One source listed in a response.

    Attributes:
        excerpt: the words used by the response.
        relevance_score: its relevance, in [0, 1].
    """

    chapter_id: Number | Label
    section_number: Number | Label
    section_title: Label = ""
    excerpt: Text = ""
    relevance_score: Share | None = None


class RAGMetadata(Model):
    """A pipeline's statements about a response. Further keys are kept.

    Attributes:
        confidence: of the pipeline in its answer, in [0, 1]. Given as ``confidence_score``, it is written
            under that name too. A response without one is a finding.
    """

    model_config: ClassVar[ConfigDict] = ConfigDict(frozen=True, extra="allow", protected_namespaces=())

    confidence: Annotated[Share | None, Field(validation_alias=AliasChoices("confidence", _SCORE))] = None
    model_version: str | None = None
    response_id: str | None = None
    session_id: str | None = None
    recorded_at: str | None = None
    processing_time_ms: Annotated[float, Field(ge=0, allow_inf_nan=False)] | None = None

    _is_score: bool = PrivateAttr(default=False)

    @model_validator(mode="wrap")
    @classmethod
    def _remember_name(cls, value: Any, handler: ModelWrapValidatorHandler[RAGMetadata]) -> RAGMetadata:
        made = handler(value)
        if isinstance(value, Mapping) and "confidence" not in value and _SCORE in value:
            made._is_score = True
        return made

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return serialised_by(_under_its_name, handler(source), handler)


def _under_its_name(value: RAGMetadata, handler: SerializerFunctionWrapHandler) -> Any:
    """The serialised metadata, with the confidence under the name that it came by."""
    found = handler(value)
    if not value._is_score:
        return found
    return {_SCORE if name == "confidence" else name: item for name, item in found.items()}


class ChatResponse(Model):
    """A service's response."""

    answer: Text
    sources: tuple[Source, ...] = ()
    metadata: RAGMetadata = RAGMetadata()

    def to_transcript(
        self, request: ChatRequest | str, *, chunks: Sequence[ChunkLike] | None = None, id: Identifier
    ) -> Transcript:
        """The exchange as a transcript.

        Args:
            request: the request, or its question.
            chunks: the retrieved chunks; by default the listed sources, with their excerpts as text.
            id: unique name of the transcript in its suite.

        Returns:
            The transcript. A missing confidence, and a listed source that was not retrieved, become notes in
            it, and then findings.

        Raises:
            pydantic.ValidationError: the parts do not make a transcript, such as an empty question.
        """
        asked = request if isinstance(request, ChatRequest) else ChatRequest(question=request)
        notes: list[dict[str, Any]] = []
        if self.metadata.confidence is None:
            notes.append(_NO_CONFIDENCE)
        if chunks is None:
            retrieved = _chunks_of_sources(self.sources)
        else:
            retrieved = _chunks_of_sources(chunks)
            notes.extend(_not_retrieved(self.sources, retrieved))
        return Transcript.model_validate(
            {
                "id": id,
                "question": asked.question,
                "filters": asked.filters,
                "chunks": retrieved,
                "answer": self.answer,
                "confidence": self.metadata.confidence,
                "metadata": self.metadata.model_dump(exclude_none=True, exclude={"confidence"}),
                "notes": notes,
            }
        )


def _not_retrieved(sources: Sequence[Source], chunks: Sequence[Chunk]) -> list[dict[str, Any]]:
    """A note for each listed source without a chunk; none if chunks name no sections."""
    placed = (chunk.metadata for chunk in chunks if chunk.metadata.section_number is not None)
    known = {(_folded_field(data.chapter_id), _folded_field(data.section_number)) for data in placed}
    if not known:
        return []
    return [
        {
            "rule": "source_exists",
            "severity": "error",
            "message": f"the response lists chapter {source.chapter_id}, section {source.section_number} "
            "as a source, which was not retrieved",
        }
        for source in sources
        if (_folded_field(source.chapter_id), _folded_field(source.section_number)) not in known
    ]


def _folded_field(value: str | int | None) -> str:
    text = "" if value is None else str(value).strip().casefold()
    return ".".join(part.lstrip("0") or "0" if part.isdecimal() else part for part in text.split("."))


class CitationReference(Model):
    """One reference of a structured response: the number of a source and the words that cite it.

    Attributes:
        index: 1-based number of the source.
        claim_text: the statement that cites it, or None if the response does not give it.
    """

    index: Annotated[int, Field(ge=1, strict=True)]
    claim_text: Text | None = None


class StructuredRAGResponse(Model):
    """A model's answer to `STRUCTURED_PROMPT`.

    Attributes:
        citations: the 1-based numbers it claims to cite, verbatim; a wrong one is a finding of
            the validation, not an error here.
    """

    answer: Annotated[Text, Field(description="The answer, with an [n] marker after each statement.")]
    citations: Annotated[
        tuple[Number, ...],
        Field(description="The 1-based numbers of the sources that the answer cites; [] for none."),
    ]
    confidence: Annotated[Share, Field(description="From 0 to 1: how well the sources back the answer.")]
    missing_information: Annotated[
        Text | tuple[Text, ...] | None,
        Field(description="What was asked and the sources do not say; an empty string for nothing."),
    ] = None

    def to_transcript(
        self,
        question: str,
        chunks: Sequence[ChunkLike],
        *,
        id: Identifier,
        metadata: Mapping[str, Any] | None = None,
    ) -> Transcript:
        """The exchange as a transcript.

        Args:
            question: the question.
            chunks: the numbered sources, in the order in which the model saw them.
            id: unique name of the transcript in its suite.
            metadata: further facts of the transcript, such as ``model_version``.

        Returns:
            The transcript, with the list of numbers in ``cited_indices``.

        Raises:
            pydantic.ValidationError: the parts do not make a transcript, such as an empty question.
        """
        return Transcript.model_validate(
            {
                "id": id,
                "question": question,
                "chunks": _chunks_of_sources(chunks),
                "answer": self.answer,
                "cited_indices": self.citations,
                "confidence": self.confidence,
                "missing_information": self.missing_information,
                "metadata": dict(metadata or {}),
            }
        )

"""One recorded exchange: question, retrieved chunks, answer, citations, metadata."""

# No postponed annotations here: pydantic would compile each of them once more, at every import.
from collections.abc import Mapping
from datetime import date
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, ValidationInfo, field_validator, model_validator

from pytest_grounding.model._base import Model, without_surrogates
from pytest_grounding.model.shapes import read_transcript

DEFAULT_QUESTION_MAX_LENGTH = 2000
#: Key of a transcript's metadata that says which status its author expects.
EXPECTED_STATUS = "expected_status"

Text = Annotated[str, Field(strict=True)]
Identifier = Annotated[str, Field(min_length=1, coerce_numbers_to_str=True)]
Label = Annotated[str, Field(coerce_numbers_to_str=True)]
#: The schema says the limits too, for clients of a service; the sentence of `usable_question` says them here.
Question = Annotated[
    str,
    Field(
        strict=True,
        json_schema_extra={"minLength": 1, "maxLength": DEFAULT_QUESTION_MAX_LENGTH, "pattern": r"\S"},
    ),
]
Share = Annotated[float, Field(ge=0.0, le=1.0, allow_inf_nan=False, strict=True)]


def longest_question(info: ValidationInfo) -> int:
    """The longest question, in characters: the validation context's ``question_max_length``, else 2000."""
    context = info.context if isinstance(info.context, Mapping) else {}
    longest: int = context.get("question_max_length", DEFAULT_QUESTION_MAX_LENGTH)
    return longest


def usable_question(value: str, info: ValidationInfo) -> str:
    """The question, where it is neither blank nor too long; one sentence says what else is wrong with it."""
    longest = longest_question(info)
    if not value.strip():
        raise ValueError("is empty; write the question that was asked")
    if len(value) > longest:
        raise ValueError(
            f"has {len(value)} characters; write at most {longest}, or raise the setting question_max_length"
        )
    return value


class Note(Model):
    """Something that was noticed while the transcript was read; it becomes a finding of the verdict."""

    rule: str
    severity: Literal["error", "warning", "info"] = "info"
    message: str


class ChunkMetadata(Model):
    """What is known of a chunk's origin. The fields below have a meaning; any other key is kept.

    ``line_start`` and ``line_end`` are 1-based and inclusive; ``page`` is what a reader would cite.
    """

    model_config = ConfigDict(frozen=True, extra="allow")

    document: Label | None = None
    title: Label | None = None
    chapter_id: Label | None = None
    section_number: Label | None = None
    section_title: Label | None = None
    page: Label | None = None
    url: str | None = None
    slug: str | None = None
    payload_id: Label | None = None
    path: str | None = None
    line_start: Annotated[int, Field(ge=1)] | None = None
    line_end: Annotated[int, Field(ge=1)] | None = None
    domain: str | None = None
    chunk_type: str | None = None


class Chunk(Model):
    """One retrieved passage.

    Attributes:
        id: unique in the transcript.
        text: the passage, as the model saw it.
        score: what the retriever gave it, in [0, 1], or None; kept as it came.
    """

    id: Identifier
    text: Text
    score: Share | None = None
    metadata: ChunkMetadata = ChunkMetadata()


class ProviderCitation(Model):
    """A citation as a provider reports it: a span of the answer and the chunks behind it.

    Attributes:
        start: first character of the answer that it covers (code points, 0-based).
        end: one past the last.
        text: the answer's words between them, for a self-check.
        chunk_ids: the chunks that it names.
        quote: the source's words, where the provider gives them.
    """

    start: int
    end: int
    text: Text | None = None
    chunk_ids: tuple[Identifier, ...] = ()
    quote: Text | None = None


class Turn(Model):
    """One earlier turn of the conversation."""

    role: str
    content: Text


class Transcript(Model):
    """One recorded RAG exchange. See ``docs/transcripts.md`` for the file format.

    The question may stand under ``query``, the chunks under ``sources`` and in the shapes that
    `model.shapes` knows. Lone
    surrogates are replaced by U+FFFD, with a note. The question's longest length is 2000
    characters unless the validation context carries ``question_max_length``.
    """

    schema_version: Literal[1] = 1
    id: Identifier
    question: Question
    chunks: tuple[Chunk, ...]
    answer: Text
    language: str | None = None
    filters: Mapping[str, Any] | None = None
    history: tuple[Turn, ...] = ()
    citations: tuple[ProviderCitation, ...] = ()
    cited_indices: tuple[Annotated[int, Field(strict=True)], ...] | None = None
    confidence: Share | None = None
    missing_information: Text | tuple[Text, ...] | None = None
    metadata: Mapping[str, Any] = Field(default_factory=dict)
    notes: tuple[Note, ...] = ()

    @model_validator(mode="before")
    @classmethod
    def _replace_lone_surrogates(cls, value: Any) -> Any:
        if not isinstance(value, Mapping):
            return value
        value = read_transcript(value)
        clean, count = without_surrogates(dict(value))
        if not count:
            return value
        note = {
            "rule": "lone_surrogate",
            "severity": "info",
            "message": f"{count} lone surrogate{'s were' if count > 1 else ' was'} replaced by U+FFFD",
        }
        notes = clean.get("notes", ())
        clean["notes"] = [*notes, note] if isinstance(notes, (list, tuple)) else notes
        return clean

    @field_validator("question")
    @classmethod
    def _question_is_usable(cls, value: str, info: ValidationInfo) -> str:
        return usable_question(value, info)

    @model_validator(mode="after")
    def _chunk_ids_are_unique(self) -> "Transcript":
        first: dict[str, int] = {}
        for index, chunk in enumerate(self.chunks):
            if chunk.id in first:
                raise ValueError(
                    f"chunks[{first[chunk.id]}] and chunks[{index}] share the id {chunk.id!r}; "
                    "give each chunk its own"
                )
            first[chunk.id] = index
        return self

    @property
    def recorded_on(self) -> str | None:
        """The day of the recording, ``YYYY-MM-DD`` as ``metadata.recorded_at`` begins with it, or None."""
        text = self.metadata.get("recorded_at")
        try:
            return date.fromisoformat(text[:10]).isoformat() if isinstance(text, str) else None
        except ValueError:
            return None

    @property
    def effective_language(self) -> str | None:
        """The transcript's language: its own field, else ``metadata.language``, else None."""
        named = self.language or self.metadata.get("language")
        return named if isinstance(named, str) and named else None

"""One recorded exchange: question, retrieved chunks, answer, citations, metadata."""

# No postponed annotations here: pydantic would compile each of them once more, at every import.
from collections.abc import Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, Protocol

from pydantic import ConfigDict, Field, ValidationInfo, field_validator, model_validator

from pytest_grounding._io.jsonio import content_hash
from pytest_grounding.model.base import Model, Sparse, without_surrogates
from pytest_grounding.model.chunks import read_transcript

DEFAULT_QUESTION_MAX_LENGTH = 2000
EXPECTED_STATUS = "expected_status"  # key of a transcript's metadata for the status expected by its author
#: Metadata keys for the pipeline's own confidence; the first number counts.
REPORTED_CONFIDENCE = ("confidence_score", "confidence")
#: What models write for "nothing is missing".
_NOTHING = frozenset({"", "-", "none", "nothing", "n/a", "na", "null", "no", "nothing is missing"})
Text = Annotated[str, Field(strict=True)]
#: An expected fact; an empty one would be found in any answer.
Said = Annotated[str, Field(strict=True, min_length=1, pattern=r"\S")]
AnyOf = Annotated[tuple[Said, ...], Field(min_length=1)]
Identifier = Annotated[str, Field(min_length=1, coerce_numbers_to_str=True)]
Label = Annotated[str, Field(coerce_numbers_to_str=True)]
#: The schema has the limits too, for clients of a service; `Transcript` enforces them.
Question = Annotated[
    str,
    Field(
        strict=True,
        json_schema_extra={"minLength": 1, "maxLength": DEFAULT_QUESTION_MAX_LENGTH, "pattern": r"\S"},
    ),
]
Share = Annotated[float, Field(ge=0.0, le=1.0, allow_inf_nan=False, strict=True)]
_ENDING = ("valid", "expir")  # metadata that are compared with the day of the recording: "valid_until"
#: Context of transcripts that this package wrote: they were checked before, also for a question's length.
OF_OURS = {"question_max_length": 10**9}


def longest_question(info: ValidationInfo) -> int:
    """The longest question, in characters: the validation context's ``question_max_length``, else 2000."""
    context = info.context if isinstance(info.context, Mapping) else {}
    longest: int = context.get("question_max_length", DEFAULT_QUESTION_MAX_LENGTH)
    return longest


class Document(Protocol):
    """A passage of a library, such as LangChain's ``Document``: recognised by its shape alone."""

    @property
    def page_content(self) -> str:
        """The passage."""
        ...

    @property
    def metadata(self) -> Mapping[str, Any]:
        """Its metadata."""
        ...


class Note(Model):
    """A note from reading the transcript; it becomes a finding of the verdict."""

    rule: str
    severity: Literal["error", "warning", "info"] = "info"
    message: str


class ChunkMetadata(Model):
    """Metadata of a chunk. The fields below have a meaning; any other key is kept.

    Attributes:
        chapter_id: the chapter, as in citations ("3").
        section_number: the section, as in citations ("2.1").
        page: the page number for readers.
        slug: last part of its address, below the setting ``link_base``.
        payload_id: its id in a content management system, below the setting ``cms_base``.
        path: file of the chunk, from the setting ``source_root``.
        line_start: first line of the chunk in that file, 1-based.
        line_end: its last line, 1-based and inclusive.
    """

    model_config: ClassVar[ConfigDict] = ConfigDict(frozen=True, extra="allow")

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
        score: the retriever's score, in [0, 1], or None; unchanged.
    """

    id: Identifier
    text: Text
    score: Share | None = None
    metadata: ChunkMetadata = ChunkMetadata.model_construct()

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            id: str | float,
            text: str,
            score: float | None = None,
            metadata: ChunkMetadata | Mapping[str, Any] = ...,
        ) -> None: ...


class ProviderCitation(Model):
    """A citation reported by a provider: a span of the answer and its chunks.

    Attributes:
        start: offset of the covered words (code points, 0-based); -1 for a citation without a place, which
            the pipeline only lists.
        end: end offset, exclusive; -1 without a place.
        text: the covered words of the answer, for a self-check.
        quote: the words of the source, if the provider gives them.
    """

    start: int = -1
    end: int = -1
    text: Text | None = None
    chunk_ids: tuple[Identifier, ...] = ()
    quote: Text | None = None

    @model_validator(mode="after")
    def _has_both_ends(self) -> "ProviderCitation":
        given = self.model_fields_set & {"start", "end"}
        if len(given) == 1:
            lacking = "end" if "start" in given else "start"
            raise ValueError(f"has a {given.pop()} and no {lacking}; write both, or neither")
        return self


class Turn(Model):
    """One earlier turn of the conversation."""

    role: str
    content: Text


class ToolCall(Model):
    """A tool call of the model before its answer.

    Attributes:
        result: its result: text, or any JSON value; None if there was none.
    """

    name: Label
    arguments: Mapping[str, Any] = Field(default_factory=dict)
    result: Any = None
    error: Text | None = None
    id: Identifier | None = None


class Transcript(Sparse):
    """One recorded RAG exchange. See ``docs/transcripts.md`` for the file format.

    The question may be called ``query``, the chunks ``sources``, in the shapes that
    `model.chunks` knows. Lone surrogates are replaced by U+FFFD, with a note. The question's longest length
    is 2000 characters unless the validation context has ``question_max_length``.

    Attributes:
        question: the question, 1 to 2000 characters.
        language: BCP 47 tag of question and answer, or None: it is detected.
        filters: restrictions of the retrieval, as the service defines them; kept, not read.
        known: what the assistant may say without a chunk, such as its company's name; None without any.
        citations: spans of the answer reported by a provider, with their chunks.
        cited_indices: numbers of cited sources that the response lists beside its text, or None.
        confidence: the pipeline's own, in [0, 1], or None.
        missing_information: what the sources lack according to the pipeline, or None.
        tool_calls: the tool calls behind the answer, in order; None if none were recorded, and
            empty if the model made none. Their results are sources too.
        expected: facts that the answer must state, each a text or a list of alternatives.
        forbidden: facts that the answer must not state.
    """

    left_out: ClassVar[tuple[str, ...]] = ("known", "tool_calls", "expected", "forbidden", "expected_sources")

    schema_version: Literal[1] = 1
    id: Identifier
    question: Question
    chunks: tuple[Chunk, ...]
    answer: Text
    language: str | None = None
    filters: Mapping[str, Any] | None = None
    history: tuple[Turn, ...] = ()
    known: tuple[Text, ...] | None = None
    citations: tuple[ProviderCitation, ...] = ()
    cited_indices: tuple[Annotated[int, Field(strict=True)], ...] | None = None
    confidence: Share | None = None
    missing_information: Text | tuple[Text, ...] | None = None
    tool_calls: tuple[ToolCall, ...] | None = None
    expected: tuple[Said | AnyOf, ...] | None = None
    forbidden: tuple[Said, ...] | None = None
    expected_sources: tuple[Identifier, ...] | None = None
    metadata: Mapping[str, Any] = Field(default_factory=dict)
    notes: tuple[Note, ...] = ()

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            id: str | float,
            question: str,
            chunks: Sequence[Chunk | Mapping[str, Any] | Document | str | tuple[Any, float]],
            answer: str,
            schema_version: Literal[1] = 1,
            language: str | None = None,
            filters: Mapping[str, Any] | None = None,
            history: Sequence[Turn | Mapping[str, Any]] = (),
            known: Sequence[str] | None = None,
            citations: Sequence[ProviderCitation | Mapping[str, Any]] = (),
            cited_indices: Sequence[int] | None = None,
            confidence: float | None = None,
            missing_information: str | Sequence[str] | None = None,
            tool_calls: Sequence[ToolCall | Mapping[str, Any]] | None = None,
            expected: Sequence[str | Sequence[str]] | None = None,
            forbidden: Sequence[str] | None = None,
            expected_sources: Sequence[str | float] | None = None,
            metadata: Mapping[str, Any] = ...,
            notes: Sequence[Note | Mapping[str, Any]] = (),
        ) -> None: ...

    @model_validator(mode="before")
    @classmethod
    def _replace_lone_surrogates(cls, value: Any, info: ValidationInfo) -> Any:
        if not isinstance(value, Mapping) or info.context is OF_OURS:
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
        longest = longest_question(info)
        if not value.strip():
            raise ValueError("is empty; write the question that was asked")
        if len(value) > longest:
            problem = f"has {len(value)} characters; write at most {longest}"
            raise ValueError(f"{problem}, or raise the setting question_max_length")
        return value

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
    def reported_confidence(self) -> float | None:
        """The pipeline's own confidence, in [0, 1].

        The field ``confidence``, else ``metadata.confidence_score``, else ``metadata.confidence``: the first
        that is a number from 0 to 1; None without one.
        """
        given = (self.confidence, *map(self.metadata.get, REPORTED_CONFIDENCE))
        found: list[float] = [float(value) for value in given if value is not None and _is_fraction(value)]
        return found[0] if found else None

    @property
    def reported_missing(self) -> tuple[str, ...] | None:
        """What is missing according to the pipeline: nothing (empty), or None if it does not say."""
        given = self.missing_information
        if given is None:
            return None
        texts = (given,) if isinstance(given, str) else given
        return tuple(text.strip() for text in texts if text.strip(" .\t\r\n").casefold() not in _NOTHING)

    @property
    def recorded_on(self) -> str | None:
        """The day of the recording, ``YYYY-MM-DD``, from ``metadata.recorded_at``, or None."""
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


def recorded_hash(transcript: Transcript) -> str:
    """Hash of the content of a recording; of its time only if a chunk of it is valid for a time."""
    value = transcript.model_dump(mode="json")
    names = (name for chunk in transcript.chunks for name in chunk.metadata.model_extra or ())
    if not any(name.startswith(_ENDING) for name in names):
        value["metadata"].pop("recorded_at", None)
    return content_hash(value)


def _is_fraction(value: Any) -> bool:
    """Whether a value of free metadata is a number from 0 to 1 (not a boolean)."""
    return isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value <= 1

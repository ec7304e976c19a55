"""How a source is shown to readers: its title, the place in it, its address, its position in the answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from pytest_grounding._io.wording import a_kind, one_line
from pytest_grounding.citations.numbering import chunk_numbers, shared_numbers
from pytest_grounding.citations.syntax import source_url
from pytest_grounding.errors import InputError, SettingsError
from pytest_grounding.model.base import Model
from pytest_grounding.model.chunks import read_chunks
from pytest_grounding.model.transcript import Chunk, ChunkMetadata, Transcript
from pytest_grounding.model.verdict import CitationVerdict
from pytest_grounding.settings import Settings

if TYPE_CHECKING:
    from pytest_grounding.settings.mapping import SettingsDict

_TITLES = ("title", "doc_title", "document", "path")  # metadata members that name a source, best first
_LONGEST = 200  # longest shown name of a source or section, in characters


def title_of(chunk: Chunk, settings: Settings) -> str:
    """The name of a source."""
    named = title_in(chunk.metadata)
    return named or source_url(chunk, settings) or _said(chunk.metadata, "slug") or chunk.id


def title_in(metadata: ChunkMetadata) -> str:
    """The name in the metadata, or ""."""
    return next((text for name in _TITLES if (text := _said(metadata, name))), "")


def place_in(metadata: ChunkMetadata) -> str:
    """The place in a source: ``chapter 3, section 2: Refunds, page 12``, as far as it is known."""
    chapter, number = _said(metadata, "chapter_id"), _said(metadata, "section_number")
    title = _said(metadata, "section_title")
    if not number and not title:
        number = _said(metadata, "section")
    section = ": ".join(part for part in (number, title) if part)
    page = _said(metadata, "page")
    named = (("chapter", chapter), ("section", section), ("page", page))
    return ", ".join(f"{word} {text}" for word, text in named if text)


def source_line(chunk: Chunk, settings: Settings) -> str:
    """Title, place and address of a source on one line, each once."""
    parts = (title_of(chunk, settings), place_in(chunk.metadata), source_url(chunk, settings) or "")
    return ", ".join(dict.fromkeys(part for part in parts if part))


def format_context(
    chunks: Sequence[Chunk | Mapping[str, Any] | str],
    *,
    index_base: int | None = None,
    settings: Settings | SettingsDict | Mapping[str, Any] | None = None,
) -> str:
    """The numbered context for a model that cites, one chunk per paragraph.

    Args:
        chunks: the retrieved chunks, in the order in which the transcript will hold them: Chunk, mapping,
            document of a library, or text (its position is its id).
        index_base: number of the first chunk, 0 or 1; None uses the setting of that name, which validation
            counts by.
        settings: for the base addresses; a Settings, a mapping, or None for the defaults.

    Returns:
        ``[1] text (Source: title, place, address)``, paragraphs separated by a blank line. The title falls
        back to the document, the path, the address and the id; place and address are added if the metadata
        have them (``section_title``, ``page``, ``url``, ``slug``, ``payload_id``).

    Raises:
        InputError: the chunks are not a list, or one is invalid.
        SettingsError: the settings or the number of the first chunk are wrong.
    """
    in_force = Settings.of(settings)
    first = in_force.index_base if index_base is None else index_base
    if isinstance(first, bool) or first not in (0, 1):
        raise SettingsError(f"index_base = {index_base!r} is out of range; write 0 or 1")
    shaped = read_chunks(list_of_chunks(chunks))
    passages = [_chunk(chunk, number) for number, chunk in enumerate(shaped)]
    numbers = shared_numbers(passages, in_force, first) or range(first, first + len(passages))
    return "\n\n".join(
        f"[{number}] {chunk.text.strip()} (Source: {source_line(chunk, in_force)})"
        for number, chunk in zip(numbers, passages, strict=True)
    )


def _chunk(given: Any, number: int) -> Chunk:
    if isinstance(given, Chunk):
        return given
    try:
        return Chunk.model_validate(given)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        field = "".join(f".{step}" for step in first["loc"])
        problem = "is no chunk" if not field else str(first["msg"]).lower()
        hint = 'write {"id": "c1", "text": "..."}'
        raise InputError(problem, field=f"chunks[{number}]{field}", hint=hint) from None


def list_of_chunks(chunks: Any) -> list[Any]:
    """The chunks as a list; a text, alone or in a mapping, gets its position as id."""
    is_text = isinstance(chunks, (str, bytes, bytearray))
    if is_text or not isinstance(chunks, (Sequence, Iterator)):
        kind = "one chunk" if isinstance(chunks, (Mapping, Chunk)) else a_kind(chunks)
        problem = f"is {'a text' if is_text else kind}, and a list is needed"
        raise InputError(problem, field="chunks", hint="write it in brackets: [...]")
    found = []
    for number, chunk in enumerate(chunks, start=1):
        held = {"text": chunk} if isinstance(chunk, str) else chunk
        is_plain = isinstance(held, Mapping) and {"text"} <= set(held) <= {"text", "score", "metadata"}
        found.append({"id": str(number), **held} if is_plain else held)
    return found


def _said(metadata: ChunkMetadata, name: str) -> str:
    """A metadata member as text on one line; "" if it is not text."""
    value = getattr(metadata, name, None)
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        return ""
    return one_line(str(value), _LONGEST)


class InlineCitation(Model):
    """One valid citation with its place in the answer.

    Attributes:
        index: number of the cited chunk, counted from the setting ``index_base``; None for a file.
        position: offset of the marker in the answer, in characters.
        chunk_id: the cited chunk, or None for a file.
        title: title of the source: its title, document, section, path or id.
        url: http or https address of the source, or None.
    """

    index: int | None
    position: int
    end: int
    text: str
    citation: int
    chunk_id: str | None
    title: str
    url: str | None
    path: str | None
    slug: str | None = None
    payload_id: str | None = None
    chunk_type: str | None = None
    target: str


def valid_inline_citations(
    transcript: Transcript, citations: Sequence[CitationVerdict], settings: Settings
) -> list[InlineCitation]:
    """The valid citations with a position in the answer, in order."""
    numbers = chunk_numbers(transcript.chunks, settings)
    chunks = {chunk.id: chunk for chunk in transcript.chunks}
    found: list[InlineCitation] = []
    for item in citations:
        if not item.valid or item.start < 0:
            continue
        chunk = chunks.get(item.chunk_id or "")
        metadata = chunk.metadata if chunk is not None else ChunkMetadata()
        title = title_in(metadata) or metadata.section_title or item.path or item.chunk_id or item.target
        place = metadata.model_dump(include={"slug", "payload_id", "chunk_type"})
        place |= item.model_dump(include={"end", "text", "chunk_id", "target"})
        found.append(
            InlineCitation(
                index=numbers.get(item.chunk_id or ""),
                position=item.start,
                citation=item.index,
                title=title,
                url=source_url(chunk, settings) if chunk is not None else None,
                path=item.path or metadata.path,
                **place,
            )
        )
    return found

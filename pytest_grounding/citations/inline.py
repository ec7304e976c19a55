"""The citations of an answer as a front end shows them: number, place, title, address."""

from __future__ import annotations

from collections.abc import Sequence

from pytest_grounding.citations.links import source_url
from pytest_grounding.citations.naming import title_in
from pytest_grounding.model._base import Model
from pytest_grounding.model.transcript import Transcript
from pytest_grounding.model.verdict import CitationVerdict
from pytest_grounding.settings import Settings


class InlineCitation(Model):
    """One valid citation with its place in the answer.

    Attributes:
        index: number of the cited chunk, counted from the setting ``index_base``; None for a file.
        position: offset of the marker in the answer, in characters.
        end: one past its last character.
        text: the marker.
        citation: index of the citation in the verdict.
        chunk_id: the cited chunk, or None for a file.
        title: title of the source: its title, document, section, path or id.
        url: http or https address of the source, or None.
        path: cited file, for code.
        slug: last part of its address, from the metadata of the chunk, as are the next two.
        payload_id: its id in a content management system.
        chunk_type: what the chunk is, such as text, table or code.
        target: what the marker points to.
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


def inline_citations(
    transcript: Transcript, citations: Sequence[CitationVerdict], settings: Settings
) -> list[InlineCitation]:
    """The valid citations that have a place in the answer, in its order."""
    numbers = {chunk.id: number for number, chunk in enumerate(transcript.chunks, start=settings.index_base)}
    chunks = {chunk.id: chunk for chunk in transcript.chunks}
    found: list[InlineCitation] = []
    for item in citations:
        if not item.valid or item.start < 0:
            continue
        chunk = chunks.get(item.chunk_id or "")
        metadata = chunk.metadata if chunk is not None else None
        names = [title_in(metadata), metadata.section_title] if metadata else []
        place = metadata.model_dump(include={"slug", "payload_id", "chunk_type"}) if metadata else {}
        found.append(
            InlineCitation(
                index=numbers.get(item.chunk_id or ""),
                position=item.start,
                end=item.end,
                text=item.text,
                citation=item.index,
                chunk_id=item.chunk_id,
                title=next((name for name in names if name), item.path or item.chunk_id or item.target),
                url=source_url(chunk, settings) if chunk is not None else None,
                path=item.path or (metadata.path if metadata is not None else None),
                target=item.target,
                **place,
            )
        )
    return found

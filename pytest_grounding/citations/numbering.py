"""The number of each chunk in citations: of its source in the metadata, of its document, or its position."""

from __future__ import annotations

from collections.abc import Sequence

from pytest_grounding.lexicon import member_names
from pytest_grounding.model.transcript import Chunk
from pytest_grounding.settings import Settings

_NUMBER_NAMES = member_names("source numbers")
_FILE_NAMES = member_names("source files")


def chunk_numbers(chunks: Sequence[Chunk], settings: Settings) -> dict[str, int]:
    """The number of each chunk by its id."""
    shared = shared_numbers(chunks, settings, settings.index_base)
    numbers = shared or range(settings.index_base, settings.index_base + len(chunks))
    return {chunk.id: number for chunk, number in zip(chunks, numbers, strict=True)}


def shared_numbers(chunks: Sequence[Chunk], settings: Settings, first: int) -> list[int]:
    """The numbers in chunk order where chunks of one document may share one; empty if positions count."""
    own: list[int] = []
    for chunk in chunks:
        number = _own_number(chunk)
        if number is None:
            break
        own.append(number)
    if chunks and len(own) == len(chunks):
        return own
    if settings.citation_numbers != "documents":
        return []
    known: dict[str, int] = {}
    return [known.setdefault(_document_of(chunk), first + len(known)) for chunk in chunks]


def _document_of(chunk: Chunk) -> str:
    names = file_names_of(chunk)
    return names[0] if names else chunk.metadata.title or chunk.id


def file_names_of(chunk: Chunk) -> list[str]:
    """The names of a chunk's file."""
    extra = chunk.metadata.model_extra or {}
    held = [chunk.metadata.document, chunk.metadata.path]
    held += [extra[name] for name in _FILE_NAMES if name in extra]
    return [name for name in held if isinstance(name, str) and name]


def _own_number(chunk: Chunk) -> int | None:
    extra = chunk.metadata.model_extra
    if not extra:
        return None
    held = next((extra[name] for name in _NUMBER_NAMES if extra.get(name) is not None), None)
    if isinstance(held, str) and held.isdecimal() and len(held) < 5:
        return int(held)
    return held if type(held) is int else None

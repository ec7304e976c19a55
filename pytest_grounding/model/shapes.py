"""Shapes in which others keep a chunk or a question, read as our own: documents, and sources of services.

Only what is known whole is read. A member that no such shape has leaves the value as it came, so that a slip
of the pen is named and not guessed at.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from pathlib import PurePath
from typing import Any
from uuid import UUID

from pytest_grounding._patterns import lazy
from pytest_grounding.model.passages import unwrapped

#: Members of a chunk that hold its text, and that name it, besides our own.
_TEXTS = ("content", "page_content")
_NAMES = ("chunkId", "chunk_id")
_SCORES = ("relevance_score",)
#: Members that say where a chunk comes from; they belong to its metadata.
_ORIGINS = (
    *("document", "title", "doc_title", "section", "section_number", "section_title", "chapter_id"),
    *("page", "path", "url", "slug", "source"),
)
#: Members that a library adds of its own accord.
_IGNORED = ("type",)
_KNOWN = frozenset((*_TEXTS, *_NAMES, *_SCORES, *_ORIGINS, *_IGNORED, "id", "score", "metadata"))
_LABELS = (
    *("document", "title", "chapter_id", "section_number", "section_title", "page", "payload_id"),
    *("url", "slug", "path", "domain", "chunk_type"),
)
#: Values that are nested deeper are left out; nobody reads them.
_DEPTH = 20
_LINES = ("line_start", "line_end")
_NUMBERED = lazy(r"\d{1,6}(?:\.\d{1,6}){0,8}\.?")


def read_chunks(chunks: Any) -> Any:
    """The chunks of a list with those of known shapes in our own; anything but a list as it is.

    Known are texts, what `passages.unwrapped` knows (LangChain's ``Document``, LlamaIndex's
    ``NodeWithScore``, pairs with a score), and mappings with ``content`` and no ``text``, such as
    ``{document, chunkId, content, section}``. One without an id is named by its position: ``chunk-1``.
    """
    if isinstance(chunks, Iterator):
        chunks = list(chunks)
    elif callable(getattr(chunks, "tolist", None)) and getattr(chunks, "shape", ()) != ():
        chunks = chunks.tolist()  # of an array library
    if not isinstance(chunks, (list, tuple)) or all(_is_own(item) for item in chunks):
        return chunks
    return [_read(item, number) for number, item in enumerate(chunks, start=1)]


def read_transcript(value: Mapping[str, Any]) -> Mapping[str, Any]:
    """A transcript's mapping with our own names: ``query`` for the question, ``sources`` for the chunks.

    Each is read where our own name is not there, and sources where each of them has a known shape. Whole
    numbers as ``citations`` are ``cited_indices``: they say which sources are cited, and not where.
    """
    names = {}
    if "cited_indices" not in value and _are_numbers(value.get("citations")):
        names["citations"] = "cited_indices"
    if "query" in value and "question" not in value:
        names["query"] = "question"
    chunks = given = value.get("chunks")
    if "chunks" not in value and isinstance(value.get("sources"), (list, tuple)):
        # Texts in a list of sources may be names of files.
        is_named = any(isinstance(item, str) for item in value["sources"])
        chunks = [] if is_named else read_chunks(value["sources"])
        if not is_named and all(_is_own(item) for item in chunks):
            names["sources"] = "chunks"
    elif "chunks" in value:
        chunks = read_chunks(given)
    if not names and chunks is given:
        return value
    renamed = {names.get(key, key): item for key, item in value.items()}
    return {**renamed, "chunks": chunks} if "chunks" in renamed else renamed


def _are_numbers(value: Any) -> bool:
    """Whether it is a list of whole numbers that is not empty."""
    return isinstance(value, (list, tuple)) and bool(value) and all(type(item) is int for item in value)


def section_of(section: Any) -> dict[str, str]:
    """What a member ``section`` says: the number of a section, or its title."""
    if isinstance(section, bool) or not isinstance(section, (str, int, float)) or not str(section).strip():
        return {}
    text = str(section).strip()
    numbered = _NUMBERED.fullmatch(text.removeprefix("§").strip())
    return {"section_number": numbered[0].rstrip(".")} if numbered else {"section_title": text}


def _is_own(item: Any) -> bool:
    return isinstance(item, Mapping) and "text" in item and "id_" not in item


def _read(item: Any, number: int) -> Any:
    """One chunk in our own shape; as it came, where its shape is not known."""
    if isinstance(item, str):
        return {"id": f"chunk-{number}", "text": item}
    library = unwrapped(item)
    value = item if library is None else library
    if not isinstance(value, Mapping) or "text" in value or not _KNOWN.issuperset(value):
        return item
    text = next((value[name] for name in _TEXTS if name in value), None)
    metadata = value.get("metadata")
    if not isinstance(text, str) or not isinstance(metadata, (Mapping, type(None))):
        return item
    origin = {name: value[name] for name in _ORIGINS if value.get(name) is not None}
    name = next((value[key] for key in ("id", *_NAMES) if value.get(key) is not None), f"chunk-{number}")
    kept = _metadata({**(metadata or {}), **origin})
    found = {"id": name, "text": text, "metadata": kept}
    score = next((value[key] for key in ("score", *_SCORES) if value.get(key) is not None), None)
    if library is not None and score is not None and not 0.0 <= score <= 1.0:
        # Distances, and scores of rerankers: nobody wrote them as a score of ours.
        kept.setdefault("retrieval_score", score)
        score = None
    return found if score is None else {**found, "score": score}


def _metadata(given: Mapping[Any, Any]) -> dict[str, Any]:
    """Metadata with our names filled in; a member with a meaning that its value cannot have is set aside."""
    kept: dict[str, Any] = {}
    aside: dict[str, Any] = {}
    for key, member in given.items():
        name, value = str(key), _plain(member)
        if value is None:
            continue
        fits = isinstance(value, (str, int, float)) and not isinstance(value, bool)
        if name in _LINES:
            fits = isinstance(value, int) and not isinstance(value, bool) and value >= 1
        if name in (*_LABELS, *_LINES) and not fits:
            aside[name] = value
        else:
            kept[name] = value if name not in _LABELS or isinstance(value, str) else str(value)
    source = kept.get("source")
    if isinstance(source, str) and source.strip():
        kept.setdefault("url" if source.startswith(("http://", "https://")) else "document", source)
    # Loaders of PDF files count pages from 0 in "page" and keep what is printed in "page_label".
    printed = next((kept[name] for name in ("page_label", "page_number") if kept.get(name) is not None), None)
    if isinstance(printed, (str, int)) and not isinstance(printed, bool):
        kept["page"] = str(printed)
    for name, text in section_of(kept.get("section")).items():
        kept.setdefault(name, text)
    return {**kept, "original": aside} if aside else kept


def _plain(value: Any, depth: int = _DEPTH) -> Any:
    """What can be written as JSON of a value that a library keeps; None for the rest."""
    if isinstance(value, (str, bool, int)):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, (date, PurePath, UUID)):
        return value.isoformat() if isinstance(value, date) else str(value)
    if depth and isinstance(value, Mapping):
        return {str(key): _plain(item, depth - 1) for key, item in value.items()}
    if depth and isinstance(value, (list, tuple)):
        return [_plain(item, depth - 1) for item in value]
    return None


def texts_of(chunks: Sequence[Any]) -> list[Any]:
    """The texts of chunks: of texts, chunks and known shapes; anything else as it came."""
    found = []
    for item in read_chunks(list(chunks)):
        own = item.get("text") if isinstance(item, Mapping) else getattr(item, "text", item)
        found.append(item if isinstance(item, str) else own)
    return found

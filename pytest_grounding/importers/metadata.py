"""What frameworks know of a chunk's origin, in the words of `ChunkMetadata`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pytest_grounding.importers.reading import as_int, as_name, bounded, first_of
from pytest_grounding.model.shapes import section_of

#: Names that loaders and stores give to the file or document of a chunk, the best first.
_DOCUMENT = (
    "document",
    "document_title",
    "file_name",
    "filename",
    "file",
    "file_path",
    "source",
    "doc_uri",
    "source_file",
)
_URL = ("url", "uri", "link", "source_url", "source", "doc_uri")
_LABELS = ("document", "title", "chapter_id", "section_number", "section_title", "page", "payload_id")
_TEXTS = ("url", "slug", "path", "domain", "chunk_type")
_LINES = ("line_start", "line_end")


def chunk_metadata(raw: Mapping[str, Any]) -> dict[str, Any]:
    """The metadata of a chunk, with the names that have a meaning filled in from those in use elsewhere."""
    kept: dict[str, Any] = {}
    original: dict[str, Any] = {}
    for key, value in bounded(dict(raw)).items():
        if value is None:
            continue
        checked = _checked(key, value)
        if checked is None:
            original[key] = value
        else:
            kept[key] = checked
    if original:
        kept["original"] = original
    url = next((kept[name] for name in _URL if _is_url(kept.get(name))), None)
    if url is not None:
        kept.setdefault("url", url)
    document = next((kept[name] for name in _DOCUMENT if _is_document(kept.get(name))), None)
    if document is not None:
        kept.setdefault("document", document)
    for name, text in section_of(kept.get("section")).items():
        kept.setdefault(name, text)
    # Loaders of PDF files count pages from 0 in "page" and keep what is printed in "page_label".
    label = as_name(first_of(kept, "page_label", "page_number"))
    if label is not None:
        kept["page"] = label
    return kept


def _checked(key: str, value: Any) -> Any:
    """The value in the type that the name asks for, or None where it cannot be."""
    if key in _LABELS:
        return as_name(value)
    if key in _TEXTS:
        return value if isinstance(value, str) else None
    if key in _LINES:
        number = as_int(value)
        return number if number is not None and number >= 1 else None
    return value


def _is_url(value: Any) -> bool:
    return isinstance(value, str) and value.startswith(("http://", "https://"))


def _is_document(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip()) and not _is_url(value)

"""Annotations of OpenAI's answers, common to its three interfaces: files, links and their places."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pytest_grounding._wording import counted
from pytest_grounding.importers.draft import LOSS, Draft
from pytest_grounding.importers.messages import text_of
from pytest_grounding.importers.offsets import CODE_POINTS, Span
from pytest_grounding.importers.reading import as_int, as_list, as_map, as_name, as_text, first_text

_KINDS = ("url_citation", "file_citation", "container_file_citation", "file_path")


@dataclass(frozen=True, slots=True)
class Annotated:
    """Annotations of one part of the answer.

    Attributes:
        base: where the part begins in the answer.
        annotations: as they came.
    """

    base: int
    annotations: tuple[Mapping[str, Any], ...]


def add_results(results: Any, draft: Draft) -> None:
    """Add the results of a file search as chunks; several may come from one file."""
    for item in as_list(results):
        result = as_map(item)
        file = as_name(result.get("file_id"))
        text = as_text(result.get("text"))
        if text is None:
            text = text_of(result.get("content"))
        name = first_text(result, "filename", "file_name")
        metadata = {**as_map(result.get("attributes"))}
        if name or file:
            metadata["document"] = name or file
        draft.chunk(text, id=file, score=result.get("score"), metadata=metadata, shared_id=True)


def cite(parts: list[Annotated], draft: Draft) -> None:
    """Turn the annotations into citations, with the place of each checked as far as it can be."""
    spans: list[Span] = []
    named: list[tuple[list[str], str | None, bool]] = []
    lost = 0
    for part in parts:
        for note in part.annotations:
            kind = note.get("type")
            inner = {**note, **as_map(note.get(kind))} if isinstance(kind, str) else note
            span = _span(inner, part.base)
            if kind not in _KINDS or span is None:
                lost += 1
                continue
            spans.append(span)
            ids = _url_chunk(inner, draft) if kind == "url_citation" else _file_chunks(inner, draft)
            named.append((ids, as_text(inner.get("quote")), span.start == span.end))
    if lost:
        what = counted(lost, "annotation")
        draft.note(LOSS, f"left out: {what} of an unknown kind or without a place", "warning")
    found = draft.fit(spans, CODE_POINTS)
    for index, (start, end) in enumerate(found.places):
        ids, quote, is_point = named[index]
        text = "" if is_point else spans[index].text
        draft.cite(start, end, ids, text=text, quote=quote)


def _span(note: Mapping[str, Any], base: int) -> Span | None:
    """The place of an annotation: a span with its end exclusive, or the point where a mark stood."""
    start, end = as_int(note.get("start_index")), as_int(note.get("end_index"))
    if start is not None and end is not None:
        url = as_text(note.get("url")) if note.get("type") == "url_citation" else None
        return Span(
            start, end, as_text(note.get("text")), contains=url, bases=tuple(dict.fromkeys((base, 0)))
        )
    index = as_int(note.get("index"))
    return None if index is None else Span(index, index, bases=(base,))


def _url_chunk(note: Mapping[str, Any], draft: Draft) -> list[str]:
    url = as_text(note.get("url")) or "link"
    known = draft.names(url) or draft.alike("url", url)
    if not known:
        title = as_text(note.get("title"))
        known = [draft.chunk("", id=url, metadata={"url": url, "title": title}, is_address=True)]
    return list(known)


def _file_chunks(note: Mapping[str, Any], draft: Draft) -> list[str]:
    """A file citation names a file, so it resolves to every result of that file."""
    file = as_name(note.get("file_id")) or "file"
    known = list(draft.names(file))
    if not known:
        name = first_text(note, "filename", "file_name")
        known = list(draft.alike("document", name)) if name else []
        known = known or [draft.chunk("", id=file, metadata={"document": name or file})]
    return known

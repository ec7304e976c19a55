"""Amazon Bedrock: Converse with documents and citations, and RetrieveAndGenerate of knowledge bases."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pytest_grounding._io.wording import counted
from pytest_grounding.importers.draft import CODE_POINTS, Draft, Span
from pytest_grounding.importers.importer import Format, Recording
from pytest_grounding.importers.messages import split_turns, text_of_content, turns_of
from pytest_grounding.importers.tool_calls import read_tools
from pytest_grounding.model.json_values import as_int, as_text
from pytest_grounding.model.members import as_list, as_map, first_text, maps_in

#: Members of a place in a source, by what it counts.
_LOCATIONS = ("documentChar", "documentPage", "documentChunk", "searchResultLocation", "web")
_URIS = ("s3Location", "webLocation", "confluenceLocation", "salesforceLocation", "sharePointLocation")


class Bedrock(Format):
    """Reads a response with its request; citations are blocks of the answer, or spans of it."""

    name = "bedrock"

    def _fits(self, recording: Recording) -> bool:
        output = as_map(recording.body.get("output"))
        if isinstance(as_map(output.get("message")).get("content"), list):
            return "stopReason" in recording.body or "usage" in recording.body
        return isinstance(output.get("text"), str) and isinstance(recording.body.get("citations"), list)

    def _read(self, recording: Recording, draft: Draft) -> None:
        body, request = recording.body, recording.request
        output = as_map(body.get("output"))
        message = as_map(output.get("message"))
        if message:
            draft.ask(split_turns(turns_of(request.get("messages") or [])))
            draft.answered(None, request.get("modelId"), body.get("stopReason"))
            _read_converse(message.get("content"), request, draft)
        else:
            asked = as_map(request.get("input")).get("text") or request.get("input")
            draft.question = draft.question or as_text(asked) or ""
            draft.used |= {"citations"}
            draft.answer = as_text(output.get("text")) or ""
            _read_generated(body.get("citations"), draft)
        draft.need_chunks("the recording contains no documents")


def _read_converse(content: Any, request: Mapping[str, Any], draft: Draft) -> None:
    documents: list[str] = []
    results: list[str] = []
    for message in maps_in(request.get("messages")):
        for block in maps_in(message.get("content")):
            _collect(block, documents, results, draft)
    for block in maps_in(content):
        cited = as_map(block.get("citationsContent"))
        parts = as_list(cited.get("content")) or [block]
        text = text_of_content(parts)
        start = len(draft.answer)
        draft.answer += text
        for note in maps_in(cited.get("citations")):
            ids = _cite_parts(note, documents, results, draft)
            quote = text_of_content(note.get("sourceContent")).strip()
            draft.cite(start, start + len(text), ids, text=text, quote=quote)
    read_tools(request.get("messages"), draft)


def _collect(block: Mapping[str, Any], documents: list[str], results: list[str], draft: Draft) -> None:
    document, result = as_map(block.get("document")), as_map(block.get("searchResult"))
    if document:
        source = as_map(document.get("source"))
        text = as_text(source.get("text")) or _joined_texts(source.get("content"))
        name = as_text(document.get("name"))
        documents.append(draft.chunk(text, id=name, metadata={"document": name} if name else {}))
    if result:
        place = as_text(result.get("source")) or ""
        metadata = {"title": result.get("title"), "url" if "://" in place else "document": place or None}
        text = _joined_texts(result.get("content"))
        results.append(draft.chunk(text, id=place or None, metadata=metadata, shared_id=True))
    for inner in maps_in(as_map(block.get("toolResult")).get("content")):
        _collect(inner, documents, results, draft)


def _joined_texts(parts: Any) -> str:
    return "\n".join(as_text(part.get("text")) or "" for part in maps_in(parts))


def _cite_parts(note: Mapping[str, Any], documents: list[str], results: list[str], draft: Draft) -> list[str]:
    location = as_map(note.get("location"))
    place = next((as_map(location[name]) for name in _LOCATIONS if name in location), location)
    for name, known in (("documentIndex", documents), ("searchResultIndex", results)):
        index = as_int(place.get(name))
        if index is not None:
            return [known[index]] if 0 <= index < len(known) else [f"{name} {index}"]
    named = first_text(place, "url", "domain") or first_text(note, "source", "title") or "source"
    return list(draft.names(named) or draft.alike("url", named)) or [named]


def _read_generated(citations: Any, draft: Draft) -> None:
    """The passages of a knowledge base, given with the part of the answer that they back."""
    known: dict[tuple[str, str], str] = {}
    spans: list[Span] = []
    unplaced = 0
    for item in maps_in(citations):
        part = as_map(as_map(item.get("generatedResponsePart")).get("textResponsePart"))
        ids = []
        for reference in maps_in(item.get("retrievedReferences")):
            text = as_text(as_map(reference.get("content")).get("text")) or ""
            uri = _uri(as_map(reference.get("location")))
            if (text, uri) not in known:
                known[text, uri] = _append_passage(reference, text, uri, draft)
            ids.append(known[text, uri])
        span, said = as_map(part.get("span")), as_text(part.get("text"))
        start, end = as_int(span.get("start")), as_int(span.get("end"))
        if start is None or end is None:
            unplaced += bool(ids)
            continue
        # The documentation leaves open whether the end is included; the words decide.
        end += int(said is not None and end - start == len(said) - 1)
        if ids:
            spans.append(Span(start, end, said, chunk_ids=ids))
    draft.cite_all(spans, CODE_POINTS)
    if unplaced:
        draft.lose(f"{counted(unplaced, 'citation')} without a place in the answer left out")


def _append_passage(reference: Mapping[str, Any], text: str, uri: str, draft: Draft) -> str:
    metadata = dict(as_map(reference.get("metadata")))
    own = as_text(metadata.get("x-amz-bedrock-kb-chunk-id"))
    name = uri.rstrip("/").rpartition("/")[2] or None
    if uri:
        metadata["url" if uri.startswith(("http://", "https://")) else "uri"] = uri
        metadata.setdefault("document", name)
    score = reference.get("score")
    return draft.chunk(text, id=own or name, metadata=metadata, score=score, shared_id=own is None)


def _uri(location: Mapping[str, Any]) -> str:
    places = (as_map(location.get(name)) for name in _URIS)
    return next((uri for place in places if (uri := first_text(place, "uri", "url"))), "")

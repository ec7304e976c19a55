"""Gemini with grounding: segments in UTF-8 bytes, and zeros that are omitted."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from pytest_grounding._io.wording import counted
from pytest_grounding.importers.draft import UTF8, Draft, Span
from pytest_grounding.importers.importer import Format, Recording
from pytest_grounding.importers.messages import split_turns, turns_of
from pytest_grounding.importers.tool_calls import read_tools
from pytest_grounding.model.json_values import as_int, as_text, decoded
from pytest_grounding.model.members import as_list, as_map, first_of, first_text, list_or_one, maps_in

_SNAKE = re.compile(r"_([a-z])")
_KINDS = ("retrievedContext", "web", "maps", "image")
_MAX_DEPTH = 40
_OURS = ("usageMetadata", "modelVersion", "responseId")  # members of a response that no other service has


class Gemini(Format):
    """Reads a response with its request, in the camel case of REST and the snake case of the SDK."""

    name = "gemini"

    def _fits(self, recording: Recording) -> bool:
        candidates = as_list(recording.body.get("candidates"))
        content = as_map(as_map(candidates[0]).get("content")) if candidates else {}
        is_said = isinstance(content.get("parts"), (list, tuple))
        return is_said or bool(_blocked(as_map(_camel(recording.body))))

    def _read(self, recording: Recording, draft: Draft) -> None:
        body = as_map(_camel(recording.body))
        draft.ask(split_turns(turns_of(recording.request.get("contents") or [])))
        candidates = as_list(body.get("candidates"))
        if len(candidates) > 1:
            draft.lose(f"the response has {len(candidates)} candidates; the first is the answer", "info")
        candidate = as_map(candidates[0]) if candidates else {}
        blocked = _blocked(body)
        if blocked:
            draft.failed(blocked)
        draft.answered(body.get("responseId"), body.get("modelVersion"), candidate.get("finishReason"))
        bases = draft.say(as_list(as_map(candidate.get("content")).get("parts")))
        read_grounding(candidate.get("groundingMetadata"), draft, bases)
        read_tools(recording.request.get("contents"), draft)
        if not draft.chunks and not blocked:
            draft.gap("chunks", "the response contains no grounding chunks", "warning")


def read_grounding(metadata: Any, draft: Draft, bases: list[int | None] | None = None) -> None:
    """Add the chunks and citations of a grounding, which other libraries hand on in their own places."""
    held = decoded(metadata)
    for item in list_or_one(held):
        grounding = as_map(_camel(item))
        chunks = enumerate(maps_in(grounding.get("groundingChunks")))
        ids = [_chunk_of_grounding(chunk, draft, index) for index, chunk in chunks]
        _grounding_supports(grounding.get("groundingSupports"), ids, bases or [0], draft)


def _blocked(body: Mapping[str, Any]) -> str:
    candidates = as_list(body.get("candidates"))
    if not candidates:
        return as_text(as_map(body.get("promptFeedback")).get("blockReason")) or ""
    candidate = as_map(candidates[0])
    if as_map(candidate.get("content")).get("parts") is not None:
        return ""
    # Before "content" was omitted, a key specific to Gemini has to identify the candidate.
    is_ours = "safetyRatings" in candidate or any(key in body for key in _OURS)
    return (as_text(candidate.get("finishReason")) or "") if is_ours else ""


def _camel(value: Any, depth: int = _MAX_DEPTH) -> Any:
    """The value with the keys of the SDK's dump in REST spelling."""
    if depth <= 0:
        return None
    if isinstance(value, Mapping):
        named = ((_SNAKE.sub(lambda match: match[1].upper(), str(key)), item) for key, item in value.items())
        return {key: _camel(item, depth - 1) for key, item in named}
    return [_camel(item, depth - 1) for item in value] if isinstance(value, (list, tuple)) else value


def _chunk_of_grounding(chunk: Mapping[str, Any], draft: Draft, index: int) -> str:
    kind = next((name for name in _KINDS if isinstance(chunk.get(name), Mapping)), "")
    held = as_map(chunk.get(kind))
    text = first_text(held, "text")
    kept = ("title", "uri", "documentName", "fileSearchStore", "pageNumber")
    metadata: dict[str, Any] = {key: held[key] for key in kept if held.get(key)}
    for pair in maps_in(held.get("customMetadata")):
        value = first_of(pair, "stringValue", "numericValue")
        if isinstance(pair.get("key"), str) and value is not None:
            metadata.setdefault(pair["key"], value)
    title = held.get("title") if kind != "web" else None
    metadata.setdefault("document", metadata.get("documentName") or title)
    return draft.chunk(text or "", id=f"g{index}", metadata=metadata, is_address=text is None)


def _grounding_supports(supports: Any, ids: list[str], bases: list[int | None], draft: Draft) -> None:
    cited, lost, beyond = [], 0, 0
    for support in maps_in(supports):
        segment = as_map(support.get("segment"))
        start = as_int(segment.get("startIndex") or 0)
        end = as_int(segment.get("endIndex"))
        part = as_int(segment.get("partIndex") or 0)
        if start is None or end is None:
            lost += 1
            continue
        # The part may be a tool call, while the position counts in the joined text.
        own = bases[part] if part is not None and 0 <= part < len(bases) else None
        bases_of_span = tuple(dict.fromkeys((own or 0, 0)))
        indices = list(map(as_int, as_list(support.get("groundingChunkIndices"))))
        known = [ids[number] for number in indices if number is not None and 0 <= number < len(ids)]
        outside = [f"g{number}" for number in indices if number is not None and not 0 <= number < len(ids)]
        beyond += len(outside)
        text = as_text(segment.get("text"))
        cited.append(Span(start, end, text, bases=bases_of_span, chunk_ids=known + outside))
    if lost:
        draft.lose(f"left out: {counted(lost, 'grounding support')} without an end")
    if beyond:
        mentions = counted(beyond, "mention")
        draft.lose(f"grounding supports: {mentions} of chunks that the response does not contain")
    draft.cite_all(cited, UTF8)

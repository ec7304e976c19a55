"""Cohere v2: chat responses with their request, and rerank calls (a retrieval alone)."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from pytest_grounding._io.wording import counted
from pytest_grounding.importers.draft import CODE_POINTS, Draft, Span
from pytest_grounding.importers.importer import Format, Recording
from pytest_grounding.importers.messages import split_turns, turns_of
from pytest_grounding.model.json_values import as_int, as_name, as_text, decoded
from pytest_grounding.model.members import as_list, as_map, first_text, maps_in

_POSITION = re.compile(r"doc:(\d{1,6})(?::\d{1,6})?")
_TEXTS = ("text", "snippet", "body", "passage", "page_content", "excerpt", "content")


class CohereChat(Format):
    """Citations are spans of the answer in characters; a document without an id is cited as ``doc:0``."""

    name = "cohere"

    def _fits(self, recording: Recording) -> bool:
        body = recording.body
        message = as_map(body.get("message"))
        is_said = message.get("role", "assistant") == "assistant"
        if isinstance(message.get("content"), (list, str)) and is_said:
            return "finish_reason" in body or "citations" in message
        # Tool calls or a failure, without text.
        is_bare = message.get("role") == "assistant" and "finish_reason" in body
        return is_bare or _is_rerank(recording)

    def _read(self, recording: Recording, draft: Draft) -> None:
        body, request = recording.body, recording.request
        if _is_rerank(recording):
            _read_rerank(recording, draft)
            return
        message = as_map(body.get("message"))
        draft.ask(split_turns(turns_of(request.get("messages") or request.get("message") or [])))
        draft.answered(body.get("id"), request.get("model"), body.get("finish_reason"))
        if not draft.chunks:
            self._documents(request, draft)
        content = message.get("content")
        bases = draft.say([{"text": content}] if isinstance(content, str) else as_list(content))
        self._citations(message, bases, draft)
        draft.need_chunks("the recording contains no retrieved documents")

    def _documents(self, request: Mapping[str, Any], draft: Draft) -> None:
        for index, item in enumerate(as_list(request.get("documents"))):
            _add_document(draft, item, f"doc:{index}")
        for message in maps_in(request.get("messages")):
            if message.get("role") != "tool":
                continue
            call = as_name(message.get("tool_call_id")) or "tool"
            content = message.get("content")
            for index, block in enumerate([content] if isinstance(content, str) else as_list(content)):
                document = as_map(block).get("document", block)
                _add_document(draft, decoded(as_map(block).get("text", document)), f"{call}:{index}")

    def _citations(self, message: Mapping[str, Any], bases: list[int | None], draft: Draft) -> None:
        cited, left_out = [], 0
        for citation in maps_in(message.get("citations")):
            index = as_int(citation.get("content_index")) or 0
            base = bases[index] if 0 <= index < len(bases) else 0
            start, end = as_int(citation.get("start")), as_int(citation.get("end"))
            is_text = citation.get("type") in (None, "TEXT_CONTENT")
            if not is_text or base is None or start is None or end is None:
                left_out += 1
                continue
            ids = _source_ids(citation.get("sources"), draft)
            cited.append(Span(start, end, as_text(citation.get("text")), bases=(base, 0), chunk_ids=ids))
        if left_out:
            what = counted(left_out, "citation")
            draft.lose(f"left out: {what} of the model's thinking or without a place", "info")
        draft.cite_all(cited, CODE_POINTS)


def _add_document(draft: Draft, item: Any, position: str) -> str:
    if isinstance(item, str):
        return draft.chunk(item, id=position)
    value = as_map(item)
    inner = value.get("data", value)
    data = as_map(decoded(inner))
    text = first_text(data, *_TEXTS) or as_text(inner)
    if text is None:
        # Without a text member, the model is shown all members.
        shown = {key: part for key, part in data.items() if key not in ("id", "_excludes")}
        text = "\n".join(f"{key}: {_shown_json(part)}" for key, part in shown.items())
    metadata = {key: part for key, part in data.items() if key not in _TEXTS and key != "id"}
    return draft.chunk(text, id=as_name(value.get("id")) or position, metadata=metadata)


def _shown_json(value: Any) -> str:
    if isinstance(value, str):
        return value
    try:
        return json.dumps(value, ensure_ascii=False, sort_keys=True)
    except (TypeError, ValueError, RecursionError):
        return ""


def _source_ids(sources: Any, draft: Draft) -> list[str]:
    """The chunks of a citation's sources; one that was not recorded is added from the citation."""
    ids: list[str] = []
    for source in maps_in(sources):
        name = as_name(source.get("id"))
        held = source.get("document") or source.get("tool_output")
        known = draft.names(name) if name else []
        match = _POSITION.fullmatch(name or "")
        if not known and match:
            known = draft.names(f"doc:{int(match[1])}")
        if not known and isinstance(held, Mapping):
            text = first_text(held, *_TEXTS)
            known = draft.alike("text", text)[:1] if text else []
            known = known or [_add_document(draft, held, name or f"source-{len(draft.chunks)}")]
        elif not known and name:
            known = [draft.chunk("", id=name)]
        ids += known
    return ids


def _is_rerank(recording: Recording) -> bool:
    results = recording.body.get("results")
    if not isinstance(results, list) or "query" not in recording.request or "summary" in recording.body:
        return False
    return all("relevance_score" in item for item in maps_in(results[:3]))


def _read_rerank(recording: Recording, draft: Draft) -> None:
    """A rerank call has a question and scored documents, and no answer."""
    draft.question = draft.question or first_text(recording.request, "query") or ""
    documents = as_list(recording.request.get("documents"))
    for result in maps_in(recording.body.get("results")):
        index = as_int(result.get("index"))
        held = documents[index] if index is not None and 0 <= index < len(documents) else None
        if held is None:
            draft.lose(f"the ranking names document {result.get('index')!r:.40}, which was not sent", "info")
            continue
        text = held if isinstance(held, str) else first_text(as_map(held), *_TEXTS)
        draft.chunk(text, id=f"doc:{index}", score=result.get("relevance_score"))
    draft.gap("answer", "a rerank response contains no answer: only the retrieval can be judged")

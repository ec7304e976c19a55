"""From the events of a stream to the response: one function a service, each linear in the events."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pytest_grounding.importers.reading import as_int, as_list, as_map, as_text, first_of, first_text

#: Whose the events with token, sources and done are, for messages.
OWN = "own service"
_MAX_BLOCKS = 10_000
_DONE = ("done", "end", "complete", "completed", "finish", "message_end", "stream-end", "[DONE]")
_DELTAS = ("token", "delta", "content", "text", "chunk", "message", "answer")
_EXTRA = ("sources", "citations", "chunks", "documents", "context", "metadata", "request")


@dataclass(frozen=True, slots=True)
class Assembled:
    """A response that was put together.

    Attributes:
        service: whose it is, for messages.
        response: the response in the service's own format.
        is_complete: whether the service said that it was done.
    """

    service: str
    response: Mapping[str, Any]
    is_complete: bool


Events = Sequence[tuple[str, Any]]


def cohere(events: Events) -> Assembled | None:
    """Cohere v2: ``content-delta`` and ``citation-start``, which holds one citation despite its name."""
    if not any(name.startswith(("content-", "citation-", "message-")) for name, _ in events):
        return None
    blocks: dict[int, dict[str, Any]] = {}
    texts: dict[int, list[str]] = {}
    citations: list[Any] = []
    body: dict[str, Any] = {}
    done = False
    for name, data in events:
        delta = as_map(as_map(data).get("delta"))
        message = as_map(delta.get("message"))
        index = as_int(as_map(data).get("index")) or 0
        if name == "message-start":
            # An agent sends one before the calls of its tools and one after them; the last one answers.
            blocks, texts, citations = {}, {}, []
            body = {"id": as_map(data)["id"]} if isinstance(as_map(data).get("id"), str) else {}
        elif name in ("content-start", "content-delta"):
            block = as_map(message.get("content"))
            if isinstance(block.get("type"), str):
                blocks[index] = {"type": block["type"]}
            texts.setdefault(index, []).append(as_text(block.get("text")) or "")
        elif name == "citation-start":
            held = message.get("citations")
            citations += held if isinstance(held, list) else [held]
        elif name == "message-end":
            done = True
            body["finish_reason"] = delta.get("finish_reason")
    if not texts:
        return None
    content = [
        {"type": "text", **blocks.get(index, {}), "text": "".join(texts[index])} for index in sorted(texts)
    ]
    body.setdefault("finish_reason", None)
    return Assembled(
        "Cohere", {**body, "message": {"role": "assistant", "content": content, "citations": citations}}, done
    )


def anthropic(events: Events) -> Assembled | None:
    """Anthropic: blocks with ``text_delta`` and ``citations_delta``, which carries one citation."""
    if not any(name.startswith("content_block") for name, _ in events):
        return None
    blocks: dict[int, dict[str, Any]] = {}
    texts: dict[int, list[str]] = {}
    body: dict[str, Any] = {"type": "message", "role": "assistant"}
    done = False
    for name, data in events:
        index = as_int(as_map(data).get("index")) or 0
        delta = as_map(as_map(data).get("delta"))
        if name == "message_start":
            blocks, texts = {}, {}
            message = as_map(as_map(data).get("message"))
            body.update({key: message[key] for key in ("id", "model") if isinstance(message.get(key), str)})
        elif name == "content_block_start":
            block = {**as_map(as_map(data).get("content_block"))}
            block["citations"] = list(as_list(block.get("citations")))
            blocks[index] = block
            texts[index] = [as_text(block.get("text")) or ""]
        elif name == "content_block_delta":
            block = blocks.setdefault(index, {"type": "text", "citations": []})
            if delta.get("type") == "citations_delta":
                block["citations"].append(delta.get("citation"))
            else:
                texts.setdefault(index, []).append(as_text(delta.get("text")) or "")
        elif name == "message_delta" and isinstance(delta.get("stop_reason"), str):
            body["stop_reason"] = delta["stop_reason"]
        elif name == "message_stop":
            done = True
    content = []
    for index in sorted(blocks)[:_MAX_BLOCKS]:
        block = blocks[index]
        if block.get("type", "text") == "text":
            block["text"] = "".join(texts.get(index, ()))
        content.append(block)
    return Assembled("Anthropic", {**body, "content": content}, done) if content else None


def openai_responses(events: Events) -> Assembled | None:
    """OpenAI Responses: the last event holds the whole response; a stream that was cut off, its pieces."""
    if not any(name.startswith("response.") for name, _ in events):
        return None
    body: dict[str, Any] = {}
    texts: list[str] = []
    annotations: list[Any] = []
    output: list[Any] = []
    for name, data in events:
        members = as_map(data)
        whole = as_map(members.get("response"))
        if name in ("response.completed", "response.incomplete") and whole:
            return Assembled("OpenAI", whole, name == "response.completed")
        if name == "response.failed" and whole and not texts:
            return Assembled("OpenAI", whole, True)
        if name == "response.created":
            body = {**as_map(members.get("response"))}
        elif name == "response.output_text.delta":
            texts.append(as_text(members.get("delta")) or "")
        elif name == "response.output_text.annotation.added":
            annotations.append(members.get("annotation"))
        elif (
            name == "response.output_item.done"
            and as_map(members.get("item")).get("type") == "file_search_call"
        ):
            output.append(members["item"])
    if not texts:
        return None
    block = {"type": "output_text", "text": "".join(texts), "annotations": annotations}
    output.append({"type": "message", "role": "assistant", "content": [block]})
    return Assembled("OpenAI", {**body, "object": "response", "output": output}, False)


def openai_chat(events: Events) -> Assembled | None:
    """OpenAI Chat Completions: chunks with a delta; a ``finish_reason`` ends the choice."""
    texts: list[str] = []
    annotations: list[Any] = []
    body: dict[str, Any] = {}
    refusals: list[str] = []
    reason: Any = None
    seen = False
    for _, data in events:
        choice = _first(as_map(data).get("choices"))
        if not choice:
            continue
        delta = as_map(choice.get("delta"))
        seen = seen or "delta" in choice
        body.update({key: data[key] for key in ("id", "model") if isinstance(data.get(key), str)})
        texts.append(as_text(delta.get("content")) or "")
        refusals.append(as_text(delta.get("refusal")) or "")
        annotations += as_list(delta.get("annotations"))
        reason = choice.get("finish_reason") or reason
    if not seen:
        return None
    message: dict[str, Any] = {"role": "assistant", "content": "".join(texts), "annotations": annotations}
    message["refusal"] = "".join(refusals) or None
    choice = {"index": 0, "finish_reason": reason, "message": message}
    return Assembled("OpenAI", {**body, "choices": [choice]}, reason is not None)


def _first(answers: Any) -> Mapping[str, Any]:
    """The piece of the first answer in an event; empty where the event goes on with another one."""
    return next((as_map(item) for item in as_list(answers) if not as_map(item).get("index")), {})


def gemini(events: Events) -> Assembled | None:
    """Gemini: each event is a response with the next parts; the grounding comes with the last ones."""
    texts: list[str] = []
    grounding: Mapping[str, Any] = {}
    body: dict[str, Any] = {}
    reason: Any = None
    seen = False
    for _, data in events:
        candidate = _first(as_map(data).get("candidates"))
        if not candidate:
            continue
        seen = True
        for item in as_list(as_map(candidate.get("content")).get("parts")):
            part = as_map(item)
            if not part.get("thought"):
                texts.append(as_text(part.get("text")) or "")
        found = first_of(candidate, "groundingMetadata", "grounding_metadata")
        grounding = as_map(found) or grounding
        reason = first_of(candidate, "finishReason", "finish_reason") or reason
        body.update(
            {key: data[key] for key in ("responseId", "modelVersion") if isinstance(data.get(key), str)}
        )
    if not seen:
        return None
    content = {"role": "model", "parts": [{"text": "".join(texts)}]}
    candidate = {"content": content, "groundingMetadata": grounding, "finishReason": reason}
    return Assembled("Gemini", {**body, "candidates": [candidate]}, bool(reason))


def plain(events: Events) -> Assembled | None:
    """A service of one's own: ``token`` events, then ``sources`` and ``metadata``, then ``done``."""
    texts: list[str] = []
    response: dict[str, Any] = {}
    done = False
    for name, data in events:
        members = as_map(data)
        if name in _DONE or data in _DONE:
            done = True
            response.update({key: members[key] for key in ("answer", *_EXTRA) if key in members})
        elif name in _EXTRA:
            response[name] = members.get(name, members.get("data", data))
        elif name in _DELTAS or not name:
            text = as_text(data)
            if text is None:
                text = first_text(members, *_DELTAS) or as_text(first_of(members, *_DELTAS))
            if text is None:
                text = as_text(members.get("data"))
            texts.append(text or "")
            response.update({key: members[key] for key in _EXTRA if key in members})
    response.setdefault("answer", "".join(texts))
    if not isinstance(response["answer"], str) or not (texts or response["answer"]):
        return None
    response.setdefault("sources", [])
    response.setdefault("metadata", {})
    return Assembled(OWN, response, done)


ASSEMBLERS: tuple[Callable[[Events], Assembled | None], ...] = (
    cohere,
    anthropic,
    openai_responses,
    openai_chat,
    gemini,
    plain,
)

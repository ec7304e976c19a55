"""OpenTelemetry's GenAI spans: retrieval and chat operations of one trace."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pytest_grounding.importers.draft import Draft
from pytest_grounding.importers.messages import role_of, split_turns
from pytest_grounding.importers.reading import as_list, as_map, as_text, decoded, first_of, first_text
from pytest_grounding.importers.spans import TraceSpan

NAME = "otel-genai"
HOW: Mapping[str, str] = {
    "question": "record gen_ai.input.messages (content capture is off by default)",
    "text": "add the text to gen_ai.retrieval.documents, or name the setting corpus",
    "score": "record the score in gen_ai.retrieval.documents",
    "chunks": "record a retrieval span with gen_ai.retrieval.documents",
}


def tells(span: TraceSpan) -> bool:
    """Whether the span has attributes of ``gen_ai``."""
    return any(key.startswith("gen_ai.") for key in span.attributes)


def read(spans: Sequence[TraceSpan], draft: Draft) -> None:
    """Fill the draft from the spans of one trace, ordered by start."""
    for span in spans:
        asked = first_of(span.attributes, "gen_ai.input.messages", "gen_ai.prompt")
        question, history = split_turns(_turns(asked))
        if question:
            draft.question, draft.history = question, history
        said = first_of(span.attributes, "gen_ai.output.messages", "gen_ai.completion")
        answers = [text for role, text in _turns(said, "assistant") if role == "assistant"]
        if answers:
            # The last model call of a trace gives the answer to the user.
            draft.answer = answers[-1]
        model = first_of(span.attributes, "gen_ai.response.model", "gen_ai.request.model")
        if isinstance(model, str):
            draft.metadata["model_version"] = model
        for item in as_list(decoded(span.attributes.get("gen_ai.retrieval.documents"))):
            draft.chunk_of(item)
    if not draft.question:
        asked = (as_text(span.attributes.get("gen_ai.retrieval.query.text")) for span in spans)
        draft.question = next((text for text in asked if text), "")
    if not draft.answer:
        draft.gap("answer", "the trace holds no gen_ai.output.messages, so no answer", "warning")
    if not draft.chunks:
        draft.gap("chunks", "the trace holds no retrieved documents", "warning")


def _turns(value: Any, role: str = "user") -> list[tuple[str, str]]:
    """Role and text of messages; each has ``parts`` with ``content``, and the list may be JSON in text."""
    held = decoded(value)
    if isinstance(held, str):
        return [(role, held)] if held.strip() else []
    found = []
    for item in as_list(held):
        message = as_map(item)
        parts = [as_map(part) for part in as_list(message.get("parts"))]
        texts = [
            first_text(part, "content", "text") or "" for part in parts if part.get("type", "text") == "text"
        ]
        text = "".join(texts) or as_text(message.get("content")) or ""
        if text.strip():
            found.append((role_of(message) or role, text))
    return [turn for turn in found if turn[0] in ("user", "assistant")]

"""OpenInference spans (Phoenix and others): a trace's root, its retrievers and its reranker."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pytest_grounding.importers.draft import LOSS, Draft
from pytest_grounding.importers.messages import split_turns, text_of, turns_of
from pytest_grounding.importers.reading import as_list, as_map, as_name, as_text, decoded, first_text
from pytest_grounding.importers.spans import TraceSpan, numbered

NAME = "openinference"
HOW: Mapping[str, str] = {
    "question": "set input.value on the root span",
    "text": "let the instrumentation record document.content (OPENINFERENCE_HIDE_* off)",
    "score": "set document.score on the retriever's documents",
    "id": "set document.id on the retriever's documents",
    "chunks": "record a RETRIEVER span with retrieval.documents",
}
QUESTIONS = ("question", "query", "user_input", "input", "prompt", "q", "text", "message", "user_query")
ANSWERS = ("answer", "response", "output", "result", "content", "text", "generation", "message")

#: Members of an input that hold the messages of a conversation.
_TALKS = ("messages", "input")


def tells(span: TraceSpan) -> bool:
    """Whether the span is OpenInference's."""
    return bool(span.kind)


def read(spans: Sequence[TraceSpan], draft: Draft) -> None:
    """Fill the draft from the spans of one trace, ordered by start."""
    known = {span.id for span in spans if span.id}
    root = next((span for span in spans if span.kind and span.parent not in known), spans[0])
    models = [span for span in spans if span.kind == "LLM"]
    retrievers = [span for span in spans if span.kind == "RETRIEVER"]
    asked = root.attributes.get("input.value")
    draft.question, draft.history = question_in(asked)
    for span in (*models, *retrievers):
        if draft.question:
            break
        turns = turns_of([_message(item) for item in numbered(span.attributes, "llm.input_messages")])
        draft.question, draft.history = split_turns(turns)
        if not draft.question and span.kind == "RETRIEVER":
            draft.question = as_text(span.attributes.get("input.value")) or ""
    draft.answer = answer_in(root.attributes.get("output.value"))
    for span in reversed(models):
        if draft.answer:
            break
        messages = numbered(span.attributes, "llm.output_messages")
        draft.answer = "".join(
            text for _, text in turns_of([_message(item, "assistant") for item in messages])
        )
        draft.answer = draft.answer or answer_in(span.attributes.get("output.value"))
    _documents(spans, retrievers, draft)
    if not draft.answer:
        draft.gap("answer", "the trace holds no output.value, so no answer", "warning")


def question_in(value: Any) -> tuple[str, list[dict[str, str]]]:
    """The question and the turns before it in the input of a span: text, JSON in text, or an object."""
    held = decoded(value)
    if isinstance(held, Mapping):
        text = first_text(held, *QUESTIONS)
        if text is not None:
            return text, []
        messages = next((held[key] for key in _TALKS if isinstance(held.get(key), (list, tuple))), None)
        nested = next(
            (held[key] for key in (*QUESTIONS, "request") if isinstance(held.get(key), Mapping)), None
        )
        if messages is None and nested is not None:
            talk = next((nested[key] for key in _TALKS if isinstance(nested.get(key), (list, tuple))), None)
            text = first_text(nested, *QUESTIONS)
            return (text, []) if text is not None else split_turns(turns_of(talk or []))
        texts = [item for item in held.values() if isinstance(item, str) and item.strip()]
        if messages is None and len(texts) == 1:
            return texts[0], []
        return split_turns(turns_of(messages or []))
    return split_turns(turns_of(held)) if isinstance(held, list) else (as_text(held) or "", [])


def answer_in(value: Any) -> str:
    """The answer in the output of a span: text, JSON in text, or an object."""
    held = decoded(value)
    if isinstance(held, Mapping):
        choices = as_list(held.get("choices"))
        if choices:
            return text_of(as_map(as_map(choices[0]).get("message")).get("content"))
        text = first_text(held, *ANSWERS)
        if text is not None:
            return text
        nested = next((held[key] for key in (*ANSWERS, "kwargs") if isinstance(held.get(key), Mapping)), None)
        if nested is not None:
            return first_text(nested, *ANSWERS) or ""
        if isinstance(held.get("content"), (list, tuple)):
            return text_of(held["content"])
        turns = next(
            (turns for key in ("messages", "output") if (turns := turns_of(held.get(key) or []))), []
        )
        return turns[-1][1] if turns else ""
    if isinstance(held, list):
        turns = turns_of(held)
        return turns[-1][1] if turns else text_of(held) or as_text(value) or ""
    return "" if value == "null" else as_text(held) or as_text(value) or ""


def _message(item: Mapping[str, Any], role: str = "user") -> dict[str, Any]:
    text = item.get("message.content")
    if text is None:
        parts = numbered(item, "message.contents")
        text = "".join(as_text(part.get("message_content.text")) or "" for part in parts)
    return {"role": item.get("message.role") or role, "content": text}


def _documents(spans: Sequence[TraceSpan], retrievers: Sequence[TraceSpan], draft: Draft) -> None:
    """What a reranker put out is what the model saw; without one, what all retrievers found."""
    reranked = [
        documents for span in spans if (documents := numbered(span.attributes, "reranker.output_documents"))
    ]
    found = [numbered(span.attributes, "retrieval.documents") for span in retrievers]
    if reranked:
        if sum(map(len, found)) > len(reranked[-1]):
            draft.note(LOSS, "the chunks are those that the reranker kept, not all that were retrieved")
        found = [reranked[-1]]
    seen: set[tuple[str | None, str]] = set()
    for item in (document for documents in found for document in documents):
        content = item.get("document.content")
        text = content if isinstance(content, str) else ""
        name = as_name(item.get("document.id"))
        if (name, text) in seen:
            # Several retrievers of one trace find the same passage.
            continue
        seen.add((name, text))
        metadata = item.get("document.metadata")
        known = as_map(decoded(metadata))
        if isinstance(metadata, str) and metadata.strip() and not known:
            draft.note(LOSS, "a document.metadata is no JSON; it is kept as text")
            known = {"document_metadata": metadata}
        draft.chunk(text, id=name, score=item.get("document.score"), metadata=known)
    if not draft.chunks:
        draft.gap("chunks", "the trace holds no retrieved documents", "warning")

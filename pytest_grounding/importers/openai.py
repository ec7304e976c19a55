"""OpenAI: Responses and Chat Completions, with annotations for files, links and their positions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pytest_grounding._io.wording import counted
from pytest_grounding.importers.draft import CODE_POINTS, Draft, Span, fit_spans
from pytest_grounding.importers.importer import Format, Recording
from pytest_grounding.importers.messages import split_turns, text_of_content, turns_of
from pytest_grounding.importers.tool_calls import read_tools
from pytest_grounding.model.json_values import as_int, as_name, as_text
from pytest_grounding.model.members import as_list, as_map, first_of, first_text, maps_in

if TYPE_CHECKING:
    from pytest_grounding.importers.message_sources import MessageSources

KINDS = ("url_citation", "file_citation", "container_file_citation", "file_path")


def add_results(results: Any, draft: Draft) -> None:
    """Add the results of a file search as chunks; several may come from one file."""
    for result in maps_in(results):
        file = as_name(result.get("file_id"))
        text = as_text(result.get("text"))
        if text is None:
            text = text_of_content(result.get("content"))
        name = first_text(result, "filename", "file_name") or file
        metadata = {**as_map(result.get("attributes")), **({"document": name} if name else {})}
        draft.chunk(text, id=file, score=result.get("score"), metadata=metadata, shared_id=True)


def cite(notes: Iterable[tuple[int, Mapping[str, Any]]], draft: Draft) -> None:
    """Convert annotations of parts, given their position, to citations, checked as far as possible."""
    cited: list[Span] = []
    lost = 0
    for base, note in notes:
        kind = note.get("type")
        inner = {**note, **as_map(note.get(kind))} if isinstance(kind, str) else note
        span = _span_of_note(inner, base)
        if kind not in KINDS or span is None:
            lost += 1
            continue
        ids = _url_chunk(inner, draft) if kind == "url_citation" else _chunks_of_search(inner, draft)
        cited.append(replace(span, chunk_ids=ids, quote=as_text(inner.get("quote"))))
    if fit_spans(draft.answer, cited).misfits:
        # Such a span may also cover the cited words, and not the link after them.
        cited = [replace(span, contains=None) for span in cited]
    if lost:
        draft.lose(f"left out: {counted(lost, 'annotation')} of an unknown kind or without a place")
    draft.cite_all(cited, CODE_POINTS)


def _span_of_note(note: Mapping[str, Any], base: int) -> Span | None:
    """The position of an annotation: a span with exclusive end, or the point of a mark."""
    start, end = as_int(note.get("start_index")), as_int(note.get("end_index"))
    if start is not None and end is not None:
        url = as_text(note.get("url")) if note.get("type") == "url_citation" else None
        bases = tuple(dict.fromkeys((base, 0)))
        return Span(start, end, as_text(note.get("text")), contains=url, bases=bases)
    index = as_int(note.get("index"))
    return None if index is None else Span(index, index, bases=(base,))


def _url_chunk(note: Mapping[str, Any], draft: Draft) -> list[str]:
    url = as_text(note.get("url")) or "link"
    known = draft.names(url) or draft.alike("url", url)
    if not known:
        title = as_text(note.get("title"))
        known = [draft.chunk("", id=url, metadata={"url": url, "title": title}, is_address=True)]
    return list(known)


def _chunks_of_search(note: Mapping[str, Any], draft: Draft) -> list[str]:
    """A file citation names a file, so it resolves to every result from that file."""
    file = as_name(note.get("file_id")) or "file"
    known = list(draft.names(file))
    if not known:
        name = first_text(note, "filename", "file_name")
        known = list(draft.alike("document", name)) if name else []
        known = known or [draft.chunk("", id=file, metadata={"document": name or file})]
    return known


class OpenAIResponses(Format):
    """Reads a response with its request; the question is the last input of the user."""

    name = "openai-responses"

    def _fits(self, recording: Recording) -> bool:
        body = recording.body
        return body.get("object") == "response" and isinstance(body.get("output"), (list, tuple))

    def _read(self, recording: Recording, draft: Draft) -> None:
        body = recording.body
        asked = recording.request.get("input")
        draft.ask(split_turns(turns_of(asked if asked is not None else body.get("input") or [])))
        reason = as_map(body.get("incomplete_details")).get("reason")
        draft.answered(body.get("id"), body.get("model"), reason)
        if body.get("status") == "failed":
            draft.failed(first_text(as_map(body.get("error")), "message", "code") or "status failed")
        searched = withheld = 0
        notes: list[tuple[int, Mapping[str, Any]]] = []
        for output in maps_in(body.get("output")):
            if output.get("type") == "file_search_call":
                searched += 1
                withheld += not isinstance(output.get("results"), (list, tuple))
                add_results(output.get("results"), draft)
            elif output.get("type", "message") == "message":
                # Before it calls a tool, a model often announces it in a separate message.
                draft.answer += "\n\n" if draft.answer.strip() else ""
                notes += _read_message(output, draft)
        if withheld:
            problem = f"the results of {withheld} of {searched} file searches are not in the recording"
            draft.gap("chunks", problem, "warning")
        cite(notes, draft)
        read_tools([*as_list(asked), *as_list(body.get("output"))], draft)
        if not draft.chunks and not withheld:
            draft.gap("chunks", "the recording contains no retrieved chunks", "warning")


def _read_message(output: Mapping[str, Any], draft: Draft) -> list[tuple[int, Mapping[str, Any]]]:
    found = []
    for block in maps_in(output.get("content")):
        text = as_text(block.get("refusal" if block.get("type") == "refusal" else "text"))
        if text is None:
            continue
        found += [(len(draft.answer), note) for note in maps_in(block.get("annotations"))]
        draft.answer += text
    return found


class ChatCompletions(Format):
    """Reads a completion with its request. The API has no retrieval: chunks are beside it."""

    name = "openai-chat"

    def _fits(self, recording: Recording) -> bool:
        choices = as_list(recording.body.get("choices"))
        return bool(choices) and isinstance(as_map(choices[0]).get("message"), Mapping)

    def _read(self, recording: Recording, draft: Draft) -> None:
        body = recording.body
        draft.ask(split_turns(turns_of(recording.request.get("messages") or [])))
        choices = as_list(body.get("choices"))
        if len(choices) > 1:
            draft.lose(f"the completion has {len(choices)} choices; the first is the answer", "info")
        choice = as_map(choices[0])
        draft.answered(body.get("id"), body.get("model"), choice.get("finish_reason"))
        message = {"role": "assistant", **as_map(choice.get("message"))}
        draft.answer = text_of_content(message.get("content")) or as_text(message.get("refusal")) or ""
        asked = recording.request.get("messages")
        self._chunks(body, choice, message, draft)
        sources = self._sources(asked, message, draft)
        cite([(0, note) for note in maps_in(message.get("annotations"))], draft)
        read_tools(asked, draft)
        sources.read_answer(message)
        draft.need_chunks("a chat completion contains no retrieved chunks")

    @staticmethod
    def _sources(asked: Any, message: Mapping[str, Any], draft: Draft) -> MessageSources:
        """The sources within the messages; those beside the answer are added."""
        # Imported here for cost, and because it reads annotations by `cite`.
        from pytest_grounding.importers.message_sources import MessageSources

        sources = MessageSources(draft)
        if not draft.chunks:
            sources.collect(maps_in(asked))
        sources.read_beside(message)
        return sources

    @staticmethod
    def _chunks(
        body: Mapping[str, Any], choice: Mapping[str, Any], message: Mapping[str, Any], draft: Draft
    ) -> None:
        """The passages that services and gateways add to a completion."""
        from pytest_grounding.importers.gemini import read_grounding
        from pytest_grounding.importers.parts import find_passages

        fields = (message.get("provider_specific_fields"), choice.get("provider_specific_fields"))
        for place in (message, *map(as_map, fields)):
            if not draft.chunks:
                draft.chunks_of(as_list(as_map(place.get("context")).get("citations")))
        if not draft.chunks:
            draft.chunks_of(map(_web_result, maps_in(body.get("search_results"))))
        for place in (body, message, *map(as_map, fields)):
            held = first_of(place, "vertex_ai_grounding_metadata", "grounding_metadata", "groundingMetadata")
            read_grounding(None if draft.chunks else held, draft)
        rest = {key: held for key, held in body.items() if key not in ("choices", "usage")}
        for place in (choice, rest):
            found = None if draft.chunks else find_passages({**place, "message": None}, draft.answer)
            if found is not None:
                draft.used.add(found.path[-1])
                draft.chunks_of(found.value)


def _web_result(item: Mapping[str, Any]) -> Mapping[str, Any]:
    """A result of a search in the web, whose ``source`` is its kind and not its name."""
    rest = {key: held for key, held in item.items() if key != "source"}
    address = as_text(item.get("url"))
    return {**rest, "id": address} if address and "id" not in item else rest

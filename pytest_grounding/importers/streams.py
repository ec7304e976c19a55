"""Assemble recorded streams of server-sent events to the response of the service."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pytest_grounding._io.wording import counted
from pytest_grounding.errors import InputError
from pytest_grounding.importers.draft import LOSS, Options
from pytest_grounding.importers.endings import INCOMPLETE, error_text
from pytest_grounding.importers.importer import Drafting, Importer, Recording, is_stream_text, recording_of
from pytest_grounding.importers.messages import TOOLS
from pytest_grounding.importers.paths import at_path
from pytest_grounding.lexicon import member_fields, member_names
from pytest_grounding.model.json_values import as_int, as_text, decoded
from pytest_grounding.model.members import as_list, as_map, first_of, first_text, maps_in

OWN = "own service"  # name of the format with the events token, sources and done, for messages
_MAX_BLOCKS = 10_000
_DONE = ("done", "end", "complete", "completed", "finish", "message_end", "stream-end", "[DONE]")
#: Names of events that report an error, or a run that was given up.
_ERRORS = ("error", "exception", "on_chain_error", "response.error", "stream-error")
_ENDED_BADLY = frozenset(member_names("ended badly"))
#: Events that are a piece of the answer, and the path to its text.
_PIECES_OF_TEXT = {name: paths[0] for name, paths in member_fields("text pieces").items()}
_DELTAS = ("token", "delta", "content", "text", "chunk", "message", "answer")
_EXTRA = ("sources", "citations", "chunks", "documents", "context", "metadata", "request")
Event = tuple[str, Any]
Events = Sequence[Event]
_PIECES = frozenset({"choices", "candidates"})  # members of events without a name
_KNOWN = "Cohere, Anthropic, OpenAI, Gemini, and events with token, sources and done"
_CUT = "the stream ends before the service reported the end"
_QUESTIONS = ("question", "query", "user_input")
_ASK = 'put the request first, as an event named request, or beside it as {"request": ..., "response": ...}'


@dataclass(frozen=True, slots=True)
class Assembled:
    """An assembled response, in the format of its service."""

    service: str
    response: Mapping[str, Any]
    is_complete: bool


def cohere(events: Events) -> Assembled | None:
    """Cohere v2: ``content-delta`` and ``citation-start``, which has one citation despite its name."""
    blocks: dict[int, dict[str, Any]] = {}
    citations: list[Any] = []
    body: dict[str, Any] = {"finish_reason": None}
    done = False
    for name, data in events:
        delta = as_map(as_map(data).get("delta"))
        message = as_map(delta.get("message"))
        if name == "message-start":
            # An agent sends one before its tool calls and one after them; the last one is the answer.
            blocks, citations = {}, []
            body = {"finish_reason": None, **_named_texts(data, "id")}
        elif name in ("content-start", "content-delta"):
            given = as_map(message.get("content"))
            block = blocks.setdefault(as_int(as_map(data).get("index")) or 0, {"type": "text", "text": ""})
            block.update(_named_texts(given, "type"), text=block["text"] + (as_text(given.get("text")) or ""))
        elif name == "citation-start":
            held = message.get("citations")
            citations += held if isinstance(held, list) else [held]
        elif name == "message-end":
            done = True
            body["finish_reason"] = delta.get("finish_reason")
    content = [blocks[index] for index in sorted(blocks)]
    message = {"role": "assistant", "content": content, "citations": citations}
    return Assembled("Cohere", {**body, "message": message}, done) if blocks else None


def anthropic(events: Events) -> Assembled | None:
    """Anthropic: blocks with ``text_delta`` and ``citations_delta``, which has one citation."""
    blocks: dict[int, dict[str, Any]] = {}
    body: dict[str, Any] = {"type": "message", "role": "assistant"}
    for name, data in events:
        index = as_int(as_map(data).get("index")) or 0
        delta = as_map(as_map(data).get("delta"))
        if name == "message_start":
            blocks = {}
            body |= _named_texts(as_map(data).get("message"), "id", "model")
        elif name == "content_block_start":
            block = {**as_map(as_map(data).get("content_block"))}
            blocks[index] = {**block, "citations": list(as_list(block.get("citations")))}
        elif name == "content_block_delta":
            block = blocks.setdefault(index, {"type": "text", "citations": []})
            if delta.get("type") == "citations_delta":
                block["citations"].append(delta.get("citation"))
            elif block.get("type", "text") == "text":
                block["text"] = (as_text(block.get("text")) or "") + (as_text(delta.get("text")) or "")
        elif name == "message_delta":
            body |= _named_texts(delta, "stop_reason")
    content = [blocks[index] for index in sorted(blocks)[:_MAX_BLOCKS]]
    done = any(name == "message_stop" for name, _ in events)
    return Assembled("Anthropic", {**body, "content": content}, done) if content else None


def openai_responses(events: Events) -> Assembled | None:
    """OpenAI Responses: the last event has the whole response; a truncated stream has only its pieces."""
    body: Mapping[str, Any] = {}
    output: list[Any] = []
    block: dict[str, Any] = {"type": "output_text", "text": "", "annotations": []}
    for name, data in events:
        members = as_map(data)
        whole = as_map(members.get("response"))
        if name in ("response.completed", "response.incomplete") and whole:
            return Assembled("OpenAI", whole, name == "response.completed")
        if name == "response.failed" and whole and not block["text"]:
            return Assembled("OpenAI", whole, True)
        item = as_map(members.get("item"))
        if name == "response.created":
            body = whole
        elif name == "response.output_text.delta":
            block["text"] = f"{block['text']}{as_text(members.get('delta')) or ''}"
        elif name == "response.output_text.annotation.added":
            block["annotations"].append(members.get("annotation"))
        elif name == "response.output_item.done" and item.get("type") == "file_search_call":
            output.append(item)
    if not block["text"]:
        return None
    output.append({"type": "message", "role": "assistant", "content": [block]})
    return Assembled("OpenAI", {**body, "object": "response", "output": output}, False)


def _named_texts(members: Any, *names: str) -> dict[str, str]:
    return {name: text for name in names if (text := as_text(as_map(members).get(name))) is not None}


def openai_chat(events: Events) -> Assembled | None:
    """OpenAI Chat Completions: chunks with a delta; Azure and Perplexity add their search results."""
    content = refusal = role = ""
    body: dict[str, Any] = {}
    message: dict[str, Any] = {"role": "assistant", "annotations": []}
    reason: Any = None
    seen = False
    for _, data in events:
        if found := as_map(data).get("search_results"):
            body["search_results"] = found
        choice = _first_choice(as_map(data).get("choices"))
        delta = as_map(choice.get("delta"))
        seen = seen or "delta" in choice
        role = as_text(delta.get("role")) or role
        # A tool result is not part of the answer.
        content += "" if role in TOOLS else as_text(delta.get("content")) or ""
        refusal = f"{refusal}{as_text(delta.get('refusal')) or ''}"
        message["annotations"] += as_list(delta.get("annotations"))
        if as_map(delta.get("context")):
            message["context"] = delta["context"]
        if choice:
            body |= _named_texts(data, "id", "model")
            reason = choice.get("finish_reason") or reason
    if not seen:
        return None
    message |= {"content": content, "refusal": refusal or None}
    choice = {"index": 0, "finish_reason": reason, "message": message}
    return Assembled("OpenAI", {**body, "choices": [choice]}, reason is not None)


def _first_choice(answers: Any) -> Mapping[str, Any]:
    """The piece of the first answer in an event; empty if the event continues another one."""
    return next((as_map(item) for item in as_list(answers) if not as_map(item).get("index")), {})


def gemini(events: Events) -> Assembled | None:
    """Gemini: each event is a response with the next parts; the grounding comes with the last ones."""
    text = ""
    body: dict[str, str] = {}
    made: dict[str, Any] = {}
    for _, data in events:
        candidate = _first_choice(as_map(data).get("candidates"))
        for part in maps_in(as_map(candidate.get("content")).get("parts")):
            text += "" if part.get("thought") else as_text(part.get("text")) or ""
        for name, other in (("groundingMetadata", "grounding_metadata"), ("finishReason", "finish_reason")):
            made[name] = first_of(candidate, name, other) or made.get(name)
        body |= _named_texts(data, "responseId", "modelVersion") if candidate else {}
    if not any(_first_choice(as_map(data).get("candidates")) for _, data in events):
        return None
    candidate = {"content": {"role": "model", "parts": [{"text": text}]}, **made}
    return Assembled("Gemini", {**body, "candidates": [candidate]}, bool(made["finishReason"]))


def plain_stream(events: Events) -> Assembled | None:
    """A user's own service: ``token`` events, then ``sources`` and ``metadata``, then ``done``."""
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
            texts.append(text or as_text(first_of(members, *_DELTAS, "data")) or "")
            response.update({key: members[key] for key in _EXTRA if key in members})
    response.setdefault("answer", "".join(texts))
    if not isinstance(response["answer"], str) or not (texts or response["answer"]):
        return None
    response.setdefault("sources", [])
    response.setdefault("metadata", {})
    return Assembled(OWN, response, done)


_ASSEMBLERS = (cohere, anthropic, openai_responses, openai_chat, gemini, plain_stream)


class Streams(Drafting):
    """Reads a stream as text or as a list of events, and passes the response to its importer."""

    name = "stream"

    def __init__(self, importers: Sequence[Importer], options: Options | None = None) -> None:
        super().__init__(options)
        self._importers = importers

    def recognises(self, value: Any) -> bool:
        """Whether the value is a stream, alone or as the response beside a request."""
        return bool(_events_in(_recording(value)))

    def convert(self, value: Any) -> Iterator[Mapping[str, Any]]:
        """The transcripts of the responses in the events: one for each event named ``request``."""
        recording = _recording(value)
        exchanges = _exchanges(_events_in(recording))
        for asked, events in exchanges:
            # Members beside several exchanges are the question and id of none of them.
            one = ("id", *_QUESTIONS) if len(exchanges) > 1 else ()
            beside = {key: item for key, item in recording.beside.items() if key not in one}
            request = asked if isinstance(asked, Mapping) else recording.request
            if isinstance(asked, str):
                beside.setdefault("question", asked)
            yield from self._exchange(events, request, beside)

    def _exchange(
        self, events: Events, request: Mapping[str, Any], beside: Mapping[str, Any]
    ) -> Iterator[Mapping[str, Any]]:
        made = next((found for read in _ASSEMBLERS if (found := read(events)) is not None), None)
        error = next((said for name, data in events if (said := _error_in(name, data))), "")
        if made is None:
            problem, hint = "these events are of no known service, or contain no text", f"known are {_KNOWN}"
            if error:
                problem, hint = f"the service sent an error ({error}) and no text", "record it again"
            raise InputError(problem, field="data", hint=hint)
        problem = f"the service ended the stream with an error ({error})" if error else _CUT
        cut = {"rule": INCOMPLETE, "severity": "error", "message": f"{problem}; the answer may be cut off"}
        notes = [cut] if error or not made.is_complete else []
        is_whole = any(as_map(data).get("response") is made.response for _, data in events)
        if not is_whole and (lost := sum(_has_lost_text(name, data) for name, data in events)):
            said = f"{counted(lost, 'piece')} of the stream without text; the answer may lack words"
            notes.append({"rule": LOSS, "severity": "warning", "message": said})
        try:
            for mapping in self._hand_over(made, request, beside):
                yield {**mapping, "notes": [*mapping.get("notes", ()), *notes]} if notes else mapping
        except InputError as failure:
            held = (request, beside, made.response)
            if self.options.question or any(first_text(members, *_QUESTIONS) for members in held):
                raise
            if request and failure.field != "question":
                raise
            problem = f"this stream ({made.service}) does not contain the question"
            raise InputError(problem, field="question", hint=_ASK) from failure

    def _hand_over(
        self, made: Assembled, request: Mapping[str, Any], beside: Mapping[str, Any]
    ) -> Iterator[Mapping[str, Any]]:
        question = first_text(request, "question", "query")
        if question is None and made.service == OWN and not first_text(beside, *_QUESTIONS):
            question = self.options.question or None
        if question is not None and not first_text(beside, "question"):
            beside = {**beside, "question": question}
        forms: list[dict[str, Any]] = [{**beside, "request": request, "response": made.response}]
        if made.service == OWN:
            # Sources without a contract are read beside question and answer.
            forms.append({**beside, **made.response})
        for whole in forms:
            for importer in self._importers:
                if importer.recognises(whole):
                    yield from importer.convert(whole)
                    return
        problem = f"the stream's response ({made.service}) is of no format that is known"
        hint = "each of its sources needs content or text, or the members of Source (docs/formats.md)"
        raise InputError(problem, field="data", hint=hint)


def _exchanges(events: Events) -> list[tuple[Any, list[Event]]]:
    found: list[tuple[Any, list[Event]]] = [(None, [])]
    for name, data in events:
        if name != "request":
            found[-1][1].append((name, data))
        elif found[-1][1]:
            found.append((data, []))
        else:
            found[-1] = (data, [])
    return found


def _error_in(name: str, data: Any) -> str:
    """The error in an event, in the forms of OpenAI, Anthropic, Gemini and others; "" for none."""
    members = as_map(data)
    failed = as_map(members.get("response")).get("error")
    error = failed or members.get("error") or (data if name in _ERRORS else None)
    return error_text(error) or (name if name in _ENDED_BADLY else "")


def _has_lost_text(name: str, data: Any) -> bool:
    """Whether an event is a piece of the answer, by its name, and holds no text and no thought."""
    path, kind = _PIECES_OF_TEXT.get(name), as_map(as_map(data).get("delta")).get("type")
    is_told = any(isinstance(at_path(data, at), str) for at in (path or "", "delta.message.content.thinking"))
    return path is not None and kind in (None, "text_delta") and not is_told


def _recording(value: Any) -> Recording:
    """The parts of a value; those that stand beside a list of events called ``stream`` too."""
    recording = recording_of(value)
    key = next((key for key in ("stream", "events") if key in recording.body), None)
    if key is None or recording.response is not recording.whole:
        return recording
    beside = {name: item for name, item in recording.body.items() if name not in (key, "request")}
    request = as_map(recording.body.get("request"))
    return Recording({key: recording.body[key]}, request, beside, recording.whole)


def parse_events(text: str) -> list[dict[str, Any]]:
    """The events of a recorded stream: ``event:`` and ``data:`` lines, blank lines between events."""
    events: list[dict[str, Any]] = []
    name = ""
    data: list[str] = []
    for line in [*text.lstrip("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n"), ""]:
        if not line:
            if data or name:
                events.append({"event": name, "data": "\n".join(data)})
            name, data = "", []
            continue
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if field == "event":
            name = value
        elif field == "data":
            data.append(value)
    return events


def _events_in(recording: Recording) -> list[Event]:
    whole = value = recording.response
    is_response = whole is not recording.whole
    if isinstance(value, str):
        value = parse_events(value) if is_stream_text(value) else ()
    members = as_map(value)
    held = members.get("stream", members.get("events", value))
    if isinstance(held, str):
        held = parse_events(held)
    found: list[Event] = []
    for item in as_list(held):
        event = as_map(decoded(item))
        if not event:
            return []
        wrapped = "data" in event and set(event) <= {"event", "data", "id", "retry"}
        data = decoded(event.get("data")) if wrapped else event
        name = event.get("event") if wrapped else None
        if not isinstance(name, str) or not name:
            name = first_of(as_map(data), "type", "event", "status")
        found.append((name if isinstance(name, str) else "", data))
    is_pieces = is_response and all(_PIECES.intersection(as_map(data)) for _, data in found)
    is_stream = bool(found) and (held is not whole or is_pieces or any(name for name, _ in found))
    return found if is_stream else []

"""Recorded streams of server-sent events: put together to the response that the service would have given."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pytest_grounding.errors import InputError
from pytest_grounding.importers.assembling import ASSEMBLERS, Assembled
from pytest_grounding.importers.base import Importer, Options
from pytest_grounding.importers.draft import CUT_OFF, LOSS
from pytest_grounding.importers.reading import as_list, as_map, decoded, first_text
from pytest_grounding.importers.recording import is_stream_text, recording_of

Event = tuple[str, Any]

#: Events that begin a message; an agent sends one before the calls of its tools and one after them.
_BEGINNINGS = ("message-start", "message_start")
_CUT = "the stream ends before the service said that it was done"


class Streams:
    """Reads a stream as text or as a list of events, and hands the response to the importer of its format.

    Args:
        importers: the importers of responses.
        options: what is said beside the recordings.
    """

    name = "stream"

    def __init__(self, importers: Sequence[Importer], options: Options | None = None) -> None:
        self._importers = importers
        self.options: Options = options or Options()

    def recognises(self, value: Any) -> bool:
        """Whether the value is a stream, alone or as the response beside a request."""
        return bool(_events_in(recording_of(value).response))

    def convert(self, value: Any) -> Iterator[Mapping[str, Any]]:
        """The transcripts of the responses that the events make: one for each event named ``request``.

        Raises:
            InputError: the events are of no service that is known, or hold no answer.
        """
        recording = recording_of(value)
        exchanges = _exchanges(_events_in(recording.response))
        for asked, events in exchanges:
            # What stands beside several exchanges is the question and id of none of them.
            one = ("id", "question", "query", "user_input") if len(exchanges) > 1 else ()
            beside = {key: item for key, item in recording.beside.items() if key not in one}
            request = asked if isinstance(asked, Mapping) else recording.request
            if isinstance(asked, str):
                beside.setdefault("question", asked)
            yield from self._exchange(events, request, beside)

    def _exchange(
        self, events: Sequence[Event], request: Mapping[str, Any], beside: Mapping[str, Any]
    ) -> Iterator[Mapping[str, Any]]:
        made = next((found for read in ASSEMBLERS if (found := read(events)) is not None), None)
        if made is None:
            raise InputError(
                "these events are of no service that is known, or hold no text",
                field="data",
                hint="known are Cohere, Anthropic, OpenAI, Gemini, and events with token, sources and done",
            )
        for mapping in self._hand_over(made, request, beside):
            yield _noted(mapping, made, events)

    def _hand_over(
        self, made: Assembled, request: Mapping[str, Any], beside: Mapping[str, Any]
    ) -> Iterator[Mapping[str, Any]]:
        question = first_text(request, "question", "query")
        if question is not None and not first_text(beside, "question"):
            beside = {**beside, "question": question}
        whole = {**beside, "request": request, "response": made.response}
        for importer in self._importers:
            if importer.recognises(whole):
                yield from importer.convert(whole)
                return
        raise InputError(
            f"the stream's response ({made.service}) could not be put together",
            field="data",
            hint="record the whole stream",
        )


def _exchanges(events: Sequence[Event]) -> list[tuple[Any, list[Event]]]:
    """What was asked, and the events of its response, for each exchange of a recorded stream.

    The stream of a response does not hold what was asked, so recorders put it first, as ``request``.
    """
    found: list[tuple[Any, list[Event]]] = [(None, [])]
    for name, data in events:
        if name != "request":
            found[-1][1].append((name, data))
        elif found[-1][1]:
            found.append((data, []))
        else:
            found[-1] = (data, [])
    return found


def _noted(mapping: Mapping[str, Any], made: Assembled, events: Sequence[Event]) -> Mapping[str, Any]:
    """The transcript with notes on messages that are left out, and on a stream that ended before its time."""
    begun = sum(name in _BEGINNINGS for name, _ in events)
    if begun > 1:
        message = f"the stream holds {begun} messages of the model; the last one is the answer"
        note = {"rule": LOSS, "severity": "info", "message": message}
        mapping = {**mapping, "notes": [*mapping.get("notes", ()), note]}
    if made.is_complete:
        return mapping
    error = next((said for _, data in events if (said := _error_in(data))), "")
    problem = f"the service ended the stream with an error ({error})" if error else _CUT
    note = {"rule": CUT_OFF, "severity": "warning", "message": f"{problem}; the answer may be cut off"}
    return {**mapping, "notes": [*mapping.get("notes", ()), note]}


def _error_in(data: Any) -> str:
    """What an event says of an error, in the forms of OpenAI, Anthropic, Gemini and others; "" for none."""
    members = as_map(data)
    failed = as_map(members.get("response")).get("error")
    error = failed or members.get("error") or (members if members.get("type") == "error" else None)
    text = error if isinstance(error, str) else first_text(as_map(error), "message", "type", "code") or ""
    return text[:200]


def parse_events(text: str) -> list[dict[str, Any]]:
    """The events of a recorded stream: ``event:`` and ``data:`` lines, blank lines between events.

    Data of several lines is joined by line feeds; comments and the fields ``id`` and ``retry`` are
    skipped; an event that the end of the file cut off is kept.
    """
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


def _events_in(value: Any) -> list[Event]:
    """Name and decoded data of the events in a stream's text, in a list, or under ``stream``."""
    whole = value
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
            name = as_map(data).get("type") or as_map(data).get("event") or ""
        found.append((name if isinstance(name, str) else "", data))
    is_stream = bool(found) and (held is not whole or any(name for name, _ in found))
    return found if is_stream else []

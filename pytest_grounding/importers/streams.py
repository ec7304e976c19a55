"""Recorded streams of server-sent events: put together to the response that the service would have given."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pytest_grounding.errors import InputError
from pytest_grounding.importers.assembling import ASSEMBLERS, Assembled
from pytest_grounding.importers.base import Importer, Options
from pytest_grounding.importers.draft import CUT_OFF
from pytest_grounding.importers.reading import as_list, as_map, decoded, first_text
from pytest_grounding.importers.recording import is_stream_text, recording_of

Event = tuple[str, Any]


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
        """The transcripts of the response that the events make.

        Raises:
            InputError: the events are of no service that is known, or hold no answer.
        """
        recording = recording_of(value)
        events = _events_in(recording.response)
        beside = {**recording.beside}
        request = recording.request
        for name, data in events:
            # The stream of a response does not hold what was asked, so recorders put it first.
            if name == "request" and isinstance(data, Mapping):
                request = data
            elif name == "request" and isinstance(data, str):
                beside.setdefault("question", data)
        events = [event for event in events if event[0] != "request"]
        made = next((found for read in ASSEMBLERS if (found := read(events)) is not None), None)
        if made is None:
            raise InputError(
                "these events are of no service that is known, or hold no text",
                field="data",
                hint="known are Cohere, Anthropic, OpenAI, Gemini, and events with token, sources and done",
            )
        yield from self._hand_over(made, request, beside)

    def _hand_over(
        self, made: Assembled, request: Mapping[str, Any], beside: Mapping[str, Any]
    ) -> Iterator[Mapping[str, Any]]:
        question = first_text(request, "question", "query")
        if question is not None and not first_text(beside, "question"):
            beside = {**beside, "question": question}
        whole = {**beside, "request": request, "response": made.response}
        for importer in self._importers:
            if importer.recognises(whole):
                for mapping in importer.convert(whole):
                    yield self._noted(mapping, made)
                return
        raise InputError(
            f"the stream's response ({made.service}) could not be put together",
            field="data",
            hint="record the whole stream",
        )

    @staticmethod
    def _noted(mapping: Mapping[str, Any], made: Assembled) -> Mapping[str, Any]:
        if made.is_complete:
            return mapping
        note = {
            "rule": CUT_OFF,
            "severity": "warning",
            "message": "the stream ends before the service said that it was done; the answer may be cut off",
        }
        return {**mapping, "notes": [*mapping.get("notes", ()), note]}


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

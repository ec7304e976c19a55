"""Recorded streams of server-sent events: put together to the response that the service would have given."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pytest_grounding.errors import InputError
from pytest_grounding.importers.assembling import ASSEMBLERS, OWN, Assembled
from pytest_grounding.importers.base import Importer, Options
from pytest_grounding.importers.draft import CUT_OFF, LOSS
from pytest_grounding.importers.reading import as_list, as_map, decoded, first_text
from pytest_grounding.importers.recording import Recording, is_stream_text, recording_of

Event = tuple[str, Any]

#: Events that begin a message; an agent sends one before the calls of its tools and one after them.
_BEGINNINGS = ("message-start", "message_start")
#: Members of events that have no name.
_PIECES = frozenset({"choices", "candidates"})
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
        return bool(_events_of(_recording(value)))

    def convert(self, value: Any) -> Iterator[Mapping[str, Any]]:
        """The transcripts of the responses that the events make: one for each event named ``request``.

        Raises:
            InputError: the events are of no service that is known, or hold no answer.
        """
        recording = _recording(value)
        exchanges = _exchanges(_events_of(recording))
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
        error = next((said for name, data in events if (said := _error_in(name, data))), "")
        if made is None and error:
            raise InputError(
                f"the service sent an error ({error}) and no text", field="data", hint="record it again"
            )
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
        forms: list[dict[str, Any]] = [{**beside, "request": request, "response": made.response}]
        if made.service == OWN:
            # Sources that follow no contract are read where they stand beside question and answer.
            forms.append({**beside, **made.response})
        for whole in forms:
            for importer in self._importers:
                if importer.recognises(whole):
                    yield from importer.convert(whole)
                    return
        raise InputError(
            f"the stream's response ({made.service}) is of no format that is known",
            field="data",
            hint="each of its sources needs content or text, or the members of Source (docs/formats.md)",
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
    lost = []
    begun = sum(name in _BEGINNINGS for name, _ in events)
    if begun > 1:
        lost.append(f"the stream holds {begun} messages of the model; the last one is the answer")
    if any(_is_other_answer(data) for _, data in events):
        lost.append("the stream holds several answers; the first one is read")
    notes = [{"rule": LOSS, "severity": "info", "message": message} for message in lost]
    mapping = {**mapping, "notes": [*mapping.get("notes", ()), *notes]}
    if made.is_complete:
        return mapping
    error = next((said for name, data in events if (said := _error_in(name, data))), "")
    problem = f"the service ended the stream with an error ({error})" if error else _CUT
    note = {"rule": CUT_OFF, "severity": "warning", "message": f"{problem}; the answer may be cut off"}
    return {**mapping, "notes": [*mapping.get("notes", ()), note]}


def _is_other_answer(data: Any) -> bool:
    """Whether an event goes on with another answer than the first."""
    return any(as_map(item).get("index") for key in _PIECES for item in as_list(as_map(data).get(key)))


def _error_in(name: str, data: Any) -> str:
    """What an event says of an error, in the forms of OpenAI, Anthropic, Gemini and others; "" for none."""
    members = as_map(data)
    failed = as_map(members.get("response")).get("error")
    error = failed or members.get("error") or (data if name == "error" else None)
    text = error if isinstance(error, str) else first_text(as_map(error), "message", "type", "code") or ""
    return text[:200]


def _recording(value: Any) -> Recording:
    """The parts of a value; those that stand beside a list of events called ``stream`` too."""
    recording = recording_of(value)
    key = next((key for key in ("stream", "events") if key in recording.body), None)
    if key is None or recording.response is not recording.whole:
        return recording
    beside = {name: item for name, item in recording.body.items() if name not in (key, "request")}
    return Recording(
        {key: recording.body[key]}, as_map(recording.body.get("request")), beside, recording.whole
    )


def _events_of(recording: Recording) -> list[Event]:
    return _events_in(recording.response, is_response=recording.response is not recording.whole)


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


def _events_in(value: Any, *, is_response: bool) -> list[Event]:
    """Name and decoded data of the events in a stream's text, in a list, or under ``stream``.

    A list that is a response may hold events without a name, as the libraries of OpenAI and Gemini give them.
    """
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
    is_pieces = is_response and all(_PIECES.intersection(as_map(data)) for _, data in found)
    is_stream = bool(found) and (held is not whole or is_pieces or any(name for name, _ in found))
    return found if is_stream else []

"""Streams of events with one event a line, as libraries hand them out: Anthropic, OpenAI, LangGraph."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pytest_grounding.errors import InputError
from pytest_grounding.importers.draft import Options
from pytest_grounding.importers.endings import INCOMPLETE, error_text
from pytest_grounding.importers.importer import Found, Gathering, Importer
from pytest_grounding.lexicon import member_names
from pytest_grounding.model.json_values import as_text
from pytest_grounding.model.members import as_list, as_map

_KINDS = member_names("event types")  # types of events that begin or belong to a stream of a service
#: Members of such an event; one that only ends something has none of them.
_MEMBERS = frozenset(("index", "delta", "snapshot", "message", "error", "usage"))
_PIECE = "chat.completion.chunk"
_ON = "on_"
_END = "on_chain_end"
Whole = tuple[int, Any, list[dict[str, str]]]


class EventLines(Gathering):
    """Collects the events of a file, one a line, and hands each stream on as a whole."""

    name = "event-lines"

    def __init__(self, importers: Sequence[Importer], options: Options | None = None) -> None:
        super().__init__(options)
        self._importers = importers

    def belongs(self, value: Any) -> bool:
        """Whether the value is an event of a stream."""
        members = as_map(value)
        if is_graph_event(members) or members.get("object") == _PIECE:
            return True
        kind = members.get("type")
        if not isinstance(kind, str) or "role" in members or "answer" in members:
            return False
        if kind in ("request", "message_start") or kind.startswith("response."):
            return True
        is_alone = len(members) == 1
        return kind in _KINDS and (is_alone or not _MEMBERS.isdisjoint(members))

    def _drafts(self, values: Sequence[Any]) -> Iterator[tuple[int, Found]]:
        for index, whole, notes in (*_graph_runs(values), *_streams(values)):
            try:
                yield index, self._read(whole, notes)
            except InputError as error:
                yield index, error

    def _read(self, whole: Any, notes: Sequence[Mapping[str, str]]) -> Mapping[str, Any]:
        for importer in self._importers:
            if importer.recognises(whole):
                found = next(iter(importer.convert(whole)))
                return {**found, "notes": [*as_list(found.get("notes")), *notes]} if notes else found
        problem = "these events make no response of a format that is known"
        hint = "record the request first, as an event of the type request"
        raise InputError(problem, field="type", hint=hint)


def is_graph_event(members: Mapping[str, Any]) -> bool:
    """Whether it is an event of LangChain's ``astream_events``."""
    name = members.get("event")
    return isinstance(name, str) and name.startswith(_ON) and "run_id" in members and "data" in members


def _graph_runs(values: Sequence[Any]) -> Iterator[Whole]:
    """The last state of each outermost run, with what it was asked."""
    inputs: dict[str, Any] = {}
    first: dict[str, int] = {}
    ended: dict[str, Any] = {}
    failed: dict[str, str] = {}
    for index, value in enumerate(values):
        members = as_map(value)
        if not is_graph_event(members):
            continue
        run, data = as_text(members.get("run_id")) or "", as_map(members.get("data"))
        if members["event"].endswith("_error"):
            failed[run] = error_text(data.get("error")) or "an error"
        if members.get("parent_ids"):
            continue
        first.setdefault(run, index)
        if data.get("input") is not None:
            inputs.setdefault(run, data["input"])
        if members["event"] == _END:
            ended[run] = data.get("output")
    for run, index in first.items():
        output = ended.get(run)
        asked = as_map(inputs.get(run))
        whole = {**asked, **as_map(output)} if isinstance(output, Mapping) else {**asked, "answer": output}
        problem = "the events end before the run was done"
        if run in failed:
            problem = f"the run ended with an error ({failed[run]})"
        said = f"{problem}; the answer may be cut off"
        note = {"rule": INCOMPLETE, "severity": "error", "message": said}
        yield index, whole, [] if run in ended else [note]


def _streams(values: Sequence[Any]) -> Iterator[Whole]:
    events: list[Any] = []
    start = 0
    for index, value in enumerate(values):
        members = as_map(value)
        if is_graph_event(members):
            continue
        if members.get("type") == "request" and events:
            yield start, _stream(events), []
            events, start = [], index
        start = index if not events else start
        events.append(members)
    if events:
        yield start, _stream(events), []


def _stream(events: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The events as one value; helper events that repeat a delta are left out."""
    asked = next((event for event in events if event.get("type") == "request"), {})
    request = as_map(asked.get("request")) or {key: held for key, held in asked.items() if key != "type"}
    kept = [event for event in events if event is not asked and "snapshot" not in event]
    return {"request": request, "stream": kept}

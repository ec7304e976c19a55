"""The protocol of importers, and bases for the built-in ones."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol, runtime_checkable

from pytest_grounding.errors import InputError
from pytest_grounding.importers.draft import Draft, Options
from pytest_grounding.model.json_values import decoded
from pytest_grounding.model.members import as_list, as_map, first_text

Found = Mapping[str, Any] | InputError  # a transcript in the native format, or the error in its place
#: Members of a row of a data set, whose response is the answer even if it is a JSON object in text.
_ROW = frozenset(("user_input", "retrieved_contexts", "contexts"))


@runtime_checkable
class Importer(Protocol):
    """Reads one foreign format. Register your own through the hook ``pytest_grounding_importers``."""

    @property
    def name(self) -> str:
        """Name of the format, for messages."""
        ...

    def recognises(self, value: Any) -> bool:
        """Whether this JSON value has this format. Must be cheap, and never raise."""
        ...

    def convert(self, value: Any) -> Iterable[Mapping[str, Any]]:
        """The transcripts in the value, as mappings in the native format.

        A mapping without ``id`` gets one made from its question, so that it stays the same in every
        recording.

        Raises:
            InputError: the value has this format, but cannot be read; names the field.
        """
        ...


@runtime_checkable
class Gatherer(Protocol):
    """Reads a format whose exchanges span several values of a file, which are collected and read together."""

    def belongs(self, value: Any) -> bool:
        """Whether this JSON value is to be collected. Must be cheap, and never raise."""
        ...

    def gather(self, values: Sequence[Any], folder: str | None) -> Iterable[tuple[int, Found]]:
        """The transcripts in the values of a file in this folder, each with the index of its first value."""
        ...


@dataclass(frozen=True, slots=True)
class Recording:
    """One response, decoded if it was text, and its surroundings; ``whole`` is the original value."""

    response: Any
    request: Mapping[str, Any] = field(default_factory=dict)
    beside: Mapping[str, Any] = field(default_factory=dict)
    whole: Any = None

    @property
    def body(self) -> Mapping[str, Any]:
        """The response as a mapping; empty if it is not one."""
        return as_map(self.response)


def recording_of(value: Any) -> Recording:
    """The parts of a value: ``{"request": …, "response": …}``, or a response alone."""
    whole = decoded(value)
    members = as_map(whole)
    said = members.get("response")
    is_row = isinstance(said, str) and not _ROW.isdisjoint(members)
    response, request = said if is_row else _body(said), _body(members.get("request"))
    items = as_list(response)
    is_events = bool(items) and all(isinstance(item, (Mapping, str)) for item in items[:3])
    if not (isinstance(response, Mapping) or is_events or is_stream_text(response)):
        return Recording(whole, whole=whole)
    beside = {key: item for key, item in members.items() if key not in ("response", "request")}
    if isinstance(request, str):
        beside.setdefault("question", request)
    return Recording(response, as_map(request), beside, whole)


def _body(value: Any) -> Any:
    value = decoded(value)
    inner = decoded(as_map(value).get("body"))
    return inner if isinstance(inner, (Mapping, list)) else value


def is_stream_text(value: Any) -> bool:
    """Whether a text is a recorded stream of server-sent events."""
    return isinstance(value, str) and value.lstrip().startswith(("event:", "data:"))


class Drafting:
    """A format with a name and options; ``how_to_record.tsv`` has its advice (see `Draft.gap`)."""

    name: ClassVar[str]

    def __init__(self, options: Options | None = None) -> None:
        self.options: Options = options or Options()

    def draft(self) -> Draft:
        """An empty draft of this format."""
        return Draft(self.name, self.options)


class Format(Drafting, ABC):
    """Reads recordings of one response: `_fits` recognises it without raising, `_read` fills the draft."""

    def recognises(self, value: Any) -> bool:
        """Whether the value is a recording of this format, with or without its request."""
        return self._fits(recording_of(value))

    def convert(self, value: Any) -> Iterator[Mapping[str, Any]]:
        """The transcripts in the recording, mostly one."""
        for recording in self._exchanges(recording_of(value)):
            draft = self.draft()
            draft.beside(recording.beside)
            draft.question = draft.question or first_text(as_map(recording.whole), "question") or ""
            self._read(recording, draft)
            draft.reported(recording.body)
            yield draft.finish()

    def _exchanges(self, recording: Recording) -> Iterable[Recording]:
        return [recording]

    @abstractmethod
    def _fits(self, recording: Recording) -> bool: ...

    @abstractmethod
    def _read(self, recording: Recording, draft: Draft) -> None: ...


class Gathering(Drafting, ABC):
    """Reads values that belong together: `belongs` recognises one, `gather` joins them."""

    def recognises(self, value: Any) -> bool:
        """Whether the value is a part of an exchange of this format."""
        return self.belongs(value)

    def convert(self, value: Any) -> Iterator[Mapping[str, Any]]:
        """The transcripts of one value that includes all its parts."""
        for _, found in self.gather(self._parts(value), None):
            if isinstance(found, InputError):
                raise found
            yield found

    def _parts(self, value: Any) -> Sequence[Any]:
        return [value]

    @abstractmethod
    def belongs(self, value: Any) -> bool:
        """Whether the value is to be collected. Must be cheap, and never raise."""

    def gather(self, values: Sequence[Any], folder: str | None) -> Iterator[tuple[int, Found]]:
        """The transcripts of all values; see `Gatherer.gather`."""
        for index, draft in self._drafts(values):
            try:
                yield index, draft.finish() if isinstance(draft, Draft) else draft
            except InputError as error:
                yield index, error

    @abstractmethod
    def _drafts(self, values: Sequence[Any]) -> Iterable[tuple[int, Draft | Found]]: ...

"""What the tools accept at most, and the rules as they list them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pytest_grounding.errors import InputError, SettingsError
from pytest_grounding.settings import FIELDS, Settings, resolve


@dataclass(frozen=True, slots=True)
class Limits:
    """Sizes that one call must keep to; all of them count characters (code points) or pieces."""

    answer: int = 20_000
    chunks: int = 50
    chunk: int = 20_000
    total: int = 500_000

    def check(self, arguments: Mapping[str, Any]) -> None:
        """Refuse a call that is too large, before anything is built of it."""
        inner = arguments.get("transcript")
        place, holder = ("transcript.", inner) if isinstance(inner, Mapping) else ("", arguments)
        answer, chunks = holder.get("answer"), holder.get("chunks")
        if isinstance(answer, str) and len(answer) > self.answer:
            raise _too_large(f"{place}answer", len(answer), self.answer, "characters", "--max-answer")
        if isinstance(chunks, (list, tuple)):
            self._check_chunks(f"{place}chunks", chunks)
        size = _characters(arguments, self.total)
        if size > self.total:
            raise _too_large("arguments", size, self.total, "characters in all", "--max-total", "more than ")

    def _check_chunks(self, field: str, chunks: list[Any] | tuple[Any, ...]) -> None:
        if len(chunks) > self.chunks:
            raise _too_large(field, len(chunks), self.chunks, "chunks", "--max-chunks")
        for index, chunk in enumerate(chunks):
            text = chunk.get("text") if isinstance(chunk, Mapping) else chunk
            if isinstance(text, str) and len(text) > self.chunk:
                name = f"{field}[{index}]" + (".text" if isinstance(chunk, Mapping) else "")
                raise _too_large(name, len(text), self.chunk, "characters", "--max-chunk")


def _too_large(field: str, size: int, limit: int, unit: str, option: str, about: str = "") -> InputError:
    shown = limit if about else size
    return InputError(
        f"has {about}{shown} {unit}",
        field=field,
        hint=f"send at most {limit}, or start the server with a higher {option}",
    )


def _characters(value: Any, enough: int) -> int:
    """Characters in all texts of a JSON value; counting ends once there are more than ``enough``."""
    total = 0
    waiting = [value]
    while waiting and total <= enough:
        item = waiting.pop()
        if isinstance(item, str):
            total += len(item)
        elif isinstance(item, Mapping):
            total += sum(len(str(key)) for key in item)
            waiting.extend(item.values())
        elif isinstance(item, (list, tuple)):
            # A list of a million numbers is large too.
            total += len(item)
            waiting.extend(item)
    return total


#: Settings that a call may change: thresholds, policies and reading rules. All others choose files, models
#: or code, and are the business of who starts the server.
CALLER_SETTINGS = (
    "profile",
    "language",
    "hallucination_detection",
    "supported_threshold",
    "borderline_threshold",
    "max_hallucination_rate",
    "abstained",
    "nothing_checked",
    "possible_conflicts",
    "require_citations",
    "index_base",
    "alignment_threshold",
    "relevance_threshold",
    "confidence_model",
    "accept_confidence",
    "reject_confidence",
    "question_max_length",
)


@dataclass(frozen=True, slots=True)
class Rules:
    """The settings that the server was started with."""

    layers: Sequence[tuple[str, Mapping[str, Any]]] = ()
    profiles: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    source_root: str = ""

    def of_call(self, given: Any = None) -> Settings:
        """The settings for one call."""
        values = {} if given is None else given
        if not isinstance(values, Mapping):
            raise InputError(
                "is not an object", field="settings", hint='write {"NAME": VALUE}, or leave it out'
            )
        for name in values:
            if name in FIELDS and name not in CALLER_SETTINGS:
                raise InputError(
                    "cannot be changed by a call",
                    field=f"settings.{name}",
                    hint="set it where the server is started, or leave it out",
                )
        try:
            layered, _ = resolve([*self.layers, ("the call", values)], profiles=self.profiles)
        except SettingsError as error:
            raise SettingsError(f"settings: {error}") from None
        return layered.with_values({"source_root": self.source_root, "record": "none", "audit": ""})

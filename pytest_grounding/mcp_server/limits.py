"""How much one call may bring."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pytest_grounding.errors import InputError


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

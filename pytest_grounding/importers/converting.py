"""From a value that somebody has to native mappings: which importer reads it, and what its failures say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pytest_grounding._jsonio import content_hash
from pytest_grounding.errors import GroundingError, InputError
from pytest_grounding.importers.base import Gatherer, Importer
from pytest_grounding.importers.reading import as_map, bounded, is_list_of


def is_native(value: Any) -> bool:
    """Whether a value is in the project's own format, complete or with a slip of the pen."""
    members = as_map(value)
    if "chunks" not in members or not {"answer", "question"} & set(members) or "response" in members:
        return False
    if not is_list_of(members.get("citations"), int):
        return True
    # A structured response lists numbers where a transcript lists spans, and says how sure it is.
    return {"id", "question", "answer"} <= set(members) and not {"confidence", "missing_information"} & set(
        members
    )


def importer_of(value: Any, importers: Sequence[Importer]) -> Importer | None:
    """The first importer that recognises the value; None for the native format and for what is unknown."""
    native = is_native(value)
    for importer in importers:
        # What is shipped leaves native values alone; whoever adds an importer may want them.
        if native and type(importer).__module__.startswith(__package__ + "."):
            continue
        try:
            if importer.recognises(value):
                return importer
        except RecursionError:
            raise InputError("is nested too deeply to be read") from None
        except Exception as error:
            raise _failed(importer, error) from error
    return None


def convert(importer: Importer, value: Any) -> Iterator[Mapping[str, Any]]:
    """The native mappings that an importer makes of a value."""
    try:
        yield from importer.convert(value)
    except GroundingError:
        raise
    except RecursionError:
        raise InputError("is nested too deeply to be read") from None
    except Exception as error:
        raise _failed(importer, error) from error


def _failed(importer: Importer, error: Exception) -> InputError:
    name = getattr(importer, "name", type(importer).__name__)
    return InputError(f"the importer {name!r} failed: {type(error).__name__}: {str(error)[:200]}")


def named(mapping: Mapping[str, Any], name: str) -> tuple[Mapping[str, Any], bool]:
    """The mapping with an id, and whether the id was made up."""
    if mapping.get("id") is not None:
        return mapping, False
    asked = [mapping.get("question"), bounded(mapping.get("history") or [])]
    form = as_map(mapping.get("metadata")).get("format", name)
    note = {
        "rule": "recording_gap",
        "severity": "info",
        "message": "the recording has no id; this one is made of its question",
    }
    notes = mapping.get("notes")
    return {
        **mapping,
        "id": f"{form}-{content_hash(asked)[:12]}",
        "notes": [*(notes if isinstance(notes, (list, tuple)) else ()), note],
    }, True


def refuse_unknown(value: Any) -> None:
    """Say that an object is of no format, where nothing in it looks like a transcript."""
    members = as_map(value)
    response = as_map(members.get("response"))
    if response and "answer" not in members:
        raise InputError(
            f"is of no format that is known (its fields: {_fields(response)})",
            field="response",
            hint="record one of the formats of docs/formats.md, whole, or write id, question, chunks, answer",
        )
    if members and not {"id", "question", "chunks", "answer"} & set(members):
        raise InputError(
            "is neither a transcript nor a recording of a format that is known "
            f"(its fields: {_fields(members)})",
            hint="write id, question, chunks and answer, or record one of the formats of docs/formats.md",
        )


def _fields(members: Mapping[str, Any]) -> str:
    return ", ".join(repr(str(key)[:30]) for key in list(members)[:6])


class Forced:
    """An importer that is taken for every value, because somebody said which format it is.

    Args:
        importer: the importer that was named.
    """

    def __init__(self, importer: Importer) -> None:
        self._importer = importer

    @property
    def name(self) -> str:
        """Name of the format."""
        return self._importer.name

    def recognises(self, value: Any) -> bool:
        """Every value."""
        return True

    def convert(self, value: Any) -> Iterator[Mapping[str, Any]]:
        """What the importer makes of the value."""
        if not self._importer.recognises(value):
            raise InputError(
                f"is not of the format {self.name}", hint="leave --format out to have it recognised"
            )
        yield from self._importer.convert(value)

    def belongs(self, value: Any) -> bool:
        """Whether the importer gathers, and wants this value."""
        return isinstance(self._importer, Gatherer) and self._importer.belongs(value)

    def gather(
        self, values: Sequence[Any], folder: str | None
    ) -> Iterator[tuple[int, Mapping[str, Any] | InputError]]:
        """What the importer gathers."""
        assert isinstance(self._importer, Gatherer)
        yield from self._importer.gather(values, folder)

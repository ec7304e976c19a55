"""From a value that somebody has to native mappings: which importer reads it, and what its failures say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pytest_grounding._jsonio import content_hash
from pytest_grounding.errors import GroundingError, InputError
from pytest_grounding.importers.base import Importer
from pytest_grounding.importers.reading import as_map, bounded, is_list_of


def is_native(value: Any) -> bool:
    """Whether a value is in the project's own format, complete or with a slip of the pen."""
    members = as_map(value)
    if "chunks" not in members or not {"answer", "question"} & set(members) or "response" in members:
        return False
    # A structured response lists numbers where a transcript lists spans.
    return not is_list_of(members.get("citations"), int)


def importer_of(value: Any, importers: Sequence[Importer]) -> Importer | None:
    """The first importer that recognises the value; None for the native format and for what is unknown.

    Raises:
        InputError: an importer failed over the value; names it.
    """
    native = is_native(value)
    for importer in importers:
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
    """The native mappings that an importer makes of a value.

    Raises:
        InputError: the value cannot be read, or the importer failed over it.
    """
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


class Ids:
    """Names the transcripts of one file that bring no id: by their question, so that names stay the same."""

    def __init__(self) -> None:
        self._used: dict[str, int] = {}

    def named(self, mapping: Mapping[str, Any], name: str) -> Mapping[str, Any]:
        """The mapping with an id, and a note where it was made.

        Args:
            mapping: a native mapping, perhaps without ``id``.
            name: name of its format.
        """
        if mapping.get("id") is not None:
            return mapping
        asked = [mapping.get("question"), bounded(mapping.get("history") or [])]
        stem = f"{name}-{content_hash(asked)[:12]}"
        number = self._used[stem] = self._used.get(stem, 0) + 1
        note = {
            "rule": "recording_gap",
            "severity": "info",
            "message": "the recording has no id; this one is made of its question",
        }
        notes = mapping.get("notes")
        return {
            **mapping,
            "id": stem if number == 1 else f"{stem}-{number}",
            "notes": [*(notes if isinstance(notes, (list, tuple)) else ()), note],
        }

"""What an importer is: it recognises one format by its content and turns it into transcripts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Protocol, runtime_checkable


@runtime_checkable
class Importer(Protocol):
    """Reads one foreign format. Register your own through the hook ``pytest_grounding_importers``."""

    @property
    def name(self) -> str:
        """Name of the format, for messages."""
        ...

    def recognises(self, value: Any) -> bool:
        """Whether this JSON value is of this format. Cheap, and never raises."""
        ...

    def convert(self, value: Any) -> Iterable[Mapping[str, Any]]:
        """The transcripts that the value holds, as mappings in the native format.

        Raises:
            InputError: the value is of this format, but cannot be read; names the field.
        """
        ...

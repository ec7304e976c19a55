"""What an importer is: it recognises one format by its content and turns it into transcripts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from pytest_grounding.errors import InputError


@runtime_checkable
class Importer(Protocol):
    """Reads one foreign format. Register your own through the hook ``pytest_grounding_importers``."""

    @property
    def name(self) -> str:
        """Name of the format, for messages and for ``pytest-grounding convert --format``."""
        ...

    def recognises(self, value: Any) -> bool:
        """Whether this JSON value is of this format. Cheap, and never raises."""
        ...

    def convert(self, value: Any) -> Iterable[Mapping[str, Any]]:
        """The transcripts that the value holds, as mappings in the native format.

        A mapping without ``id`` gets one that is made of its question, so it stays the same from
        recording to recording.

        Raises:
            InputError: the value is of this format, but cannot be read; names the field.
        """
        ...


@runtime_checkable
class Gatherer(Protocol):
    """Reads a format whose exchanges lie in several values of one file: spans of a trace, joined rows.

    An importer that is a gatherer too is asked for this first: the values that belong to it are kept until
    the end of the file, and then read together.
    """

    def belongs(self, value: Any) -> bool:
        """Whether this JSON value is a part to be kept. Cheap, and never raises."""
        ...

    def gather(
        self, values: Sequence[Any], folder: str | None
    ) -> Iterable[tuple[int, Mapping[str, Any] | InputError]]:
        """The transcripts that the values hold together.

        Args:
            values: the parts, in the order of the file.
            folder: where the file lies, or None for values that came from no file.

        Returns:
            Pairs of the index of the value that a transcript begins at, and the mapping in the native
            format, or the error that stands in its place.
        """
        ...


@dataclass(frozen=True, slots=True)
class Options:
    """What a recording may leave to be said beside it.

    Attributes:
        question: question of a recording that holds none; empty: such a recording is an error.
        corpus: JSON Lines file with the texts of passages that a recording names by id alone.
        columns: column of a table for each field: ``question``, ``answer``, ``chunks``, ``id`` and so on.
    """

    question: str = ""
    corpus: str = ""
    columns: Mapping[str, str] = field(default_factory=dict)

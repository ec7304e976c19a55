"""What the built-in importers have in common whose exchanges lie in several values of one file."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from pytest_grounding.errors import InputError
from pytest_grounding.importers.draft import Draft
from pytest_grounding.importers.format import Drafting

#: A transcript in the native format, or the error that stands in its place.
Found = Mapping[str, Any] | InputError


class Gathering(Drafting, ABC):
    """Reads values that belong together: `belongs` recognises one, `gather` joins them."""

    def recognises(self, value: Any) -> bool:
        """Whether the value is a part of an exchange of this format."""
        return self.belongs(value)

    def convert(self, value: Any) -> Iterator[Mapping[str, Any]]:
        """The transcripts of one value that has all its parts within."""
        for _, found in self.gather(self.parts(value), None):
            if isinstance(found, InputError):
                raise found
            yield found

    def parts(self, value: Any) -> Sequence[Any]:
        """The parts that one value holds."""
        return [value]

    @abstractmethod
    def belongs(self, value: Any) -> bool:
        """Whether the value is a part to be kept. Cheap, and never raises."""

    @abstractmethod
    def gather(self, values: Sequence[Any], folder: str | None) -> Iterator[tuple[int, Found]]:
        """The transcripts of all values; see `Gatherer.gather`."""


def finished(drafts: Iterable[tuple[int, Draft]]) -> Iterator[tuple[int, Found]]:
    """Each draft as a transcript, or as the error that it has."""
    for index, draft in drafts:
        try:
            yield index, draft.finish()
        except InputError as error:
            yield index, error

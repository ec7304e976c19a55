"""What the built-in importers have in common, and what those of one response each have."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from pytest_grounding.importers.base import Options
from pytest_grounding.importers.draft import Draft
from pytest_grounding.importers.reading import as_map, first_text
from pytest_grounding.importers.recording import Recording, recording_of


class Drafting:
    """A format with a name, the words on how to record what it lacks, and what was said beside it.

    Args:
        options: what is said beside the recordings.
    """

    name: ClassVar[str]
    #: How to record what is missing; see `Draft`.
    how: ClassVar[Mapping[str, str]]

    def __init__(self, options: Options | None = None) -> None:
        self.options: Options = options or Options()

    def draft(self) -> Draft:
        """An empty draft of this format."""
        return Draft(self.name, self.options, self.how)


class Format(Drafting, ABC):
    """Reads recordings of one response: `fits` recognises it, `read` fills the draft."""

    def recognises(self, value: Any) -> bool:
        """Whether the value is a recording of this format, with or without its request."""
        return self.fits(recording_of(value))

    def convert(self, value: Any) -> Iterator[Mapping[str, Any]]:
        """The one transcript that the recording holds."""
        recording = recording_of(value)
        draft = self.draft()
        draft.beside(recording.beside)
        draft.question = draft.question or first_text(as_map(recording.whole), "question") or ""
        self.read(recording, draft)
        draft.reported(recording.body)
        yield draft.finish()

    @abstractmethod
    def fits(self, recording: Recording) -> bool:
        """Whether the response has the shape of this format. Never raises."""

    @abstractmethod
    def read(self, recording: Recording, draft: Draft) -> None:
        """Fill the draft from the recording."""

"""Transcripts from what somebody has: a mapping, a file, a folder, a pattern."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pytest_grounding import registry
from pytest_grounding.errors import InputError
from pytest_grounding.importers.loading import KnownIds, Row, iter_rows
from pytest_grounding.importers.native import to_transcript
from pytest_grounding.model.transcript import Transcript
from pytest_grounding.settings import Settings

Given = Transcript | Mapping[str, Any]
GivenSettings = Settings | Mapping[str, Any] | None


def as_transcript(given: Given, settings: GivenSettings = None) -> Transcript:
    """A transcript from a mapping in the native or a known foreign format; a Transcript as it is.

    Raises:
        InputError: it is no transcript; names the field and what to write.
    """
    if isinstance(given, Transcript):
        return given
    longest = Settings.of(settings).question_max_length
    for importer in registry.importers():
        if importer.recognises(given):
            mappings = list(importer.convert(given))
            if len(mappings) != 1:
                raise InputError(f"a {importer.name} value with {len(mappings)} transcripts, expected one")
            return to_transcript(mappings[0], question_max_length=longest)
    return to_transcript(given, question_max_length=longest)


def iter_transcripts(
    path: str | Path, settings: GivenSettings = None, *, known: KnownIds | None = None
) -> Iterator[Row]:
    """Yield every row of a file, folder or pattern; a bad row carries its error, the others go on.

    Args:
        path: a file, a folder or a glob pattern.
        settings: decides the longest question.
        known: ids seen so far; pass one object for all paths of a suite.

    Raises:
        InputError: the path names nothing.
    """
    longest = Settings.of(settings).question_max_length
    return iter_rows(path, importers=registry.importers(), question_max_length=longest, known=known)


def load_transcripts(path: str | Path, settings: GivenSettings = None) -> list[Transcript]:
    """All transcripts of a file, folder or pattern.

    Raises:
        InputError: the path names nothing, or a row cannot be read (file, line, field, what to write).
        DuplicateIdError: two transcripts share an id.
    """
    loaded = []
    for row in iter_transcripts(path, settings):
        if row.error is not None:
            raise row.error
        if row.transcript is not None:
            loaded.append(row.transcript)
    return loaded

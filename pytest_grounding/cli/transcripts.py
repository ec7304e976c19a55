"""The transcripts that a command is given, over all its paths."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from pytest_grounding.citations.origins import comes_from, known_sources
from pytest_grounding.cli.arguments import no_source
from pytest_grounding.engine import iter_transcripts
from pytest_grounding.errors import InputError
from pytest_grounding.importers.loading import KnownIds, Row
from pytest_grounding.settings import Settings, refuse_missing_folder


def rows(paths: Sequence[str], settings: Settings) -> Iterator[Row]:
    """Yield the rows of all paths; a path that names nothing is a row with its error.

    Args:
        paths: files, folders and patterns; an id may stand only once in all of them.
        settings: decides the longest question.

    Raises:
        InputError: no path held a row at all.
        SettingsError: the source root is no folder.
    """
    refuse_missing_folder(settings)
    known = KnownIds()
    seen = False
    for path in paths:
        try:
            for row in iter_transcripts(path, settings, known=known):
                seen = True
                yield row
        except InputError as error:
            seen = True
            yield Row(path, error.line or 1, None, error)
    if not seen:
        raise InputError(
            f"no transcript was found in {', '.join(paths)}", hint="give a file or folder that holds some"
        )


def of_sources(found: Iterable[Row], sources: Sequence[str], settings: Settings) -> Iterator[Row]:
    """Yield the rows whose transcripts come from some sources, and those that cannot be read.

    Args:
        found: the rows.
        sources: names and patterns, as `citations.origins.is_named` reads them.
        settings: give the bases of addresses.

    Raises:
        InputError: no transcript comes from them; names those that there are.
    """
    left_out = []
    seen = False
    for row in found:
        if row.transcript is None:
            yield row
        elif comes_from(row.transcript, sources, settings):
            seen = True
            yield row
        else:
            left_out.append(row.transcript)
    if not seen and left_out:
        raise no_source(sources, known_sources(left_out))

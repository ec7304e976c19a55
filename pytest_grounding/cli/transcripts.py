"""The transcripts in all paths of a command."""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from pytest_grounding._io.filenames import is_nearly_named
from pytest_grounding._io.jsonio import DAMAGED, opened
from pytest_grounding._io.wording import listed
from pytest_grounding.citations.origins import comes_from, known_sources
from pytest_grounding.cli.parser import no_source
from pytest_grounding.engine import registry
from pytest_grounding.engine.transcript_input import iter_transcripts
from pytest_grounding.errors import InputError
from pytest_grounding.importers.load_files import KnownIds, Row
from pytest_grounding.importers.native import is_native
from pytest_grounding.importers.searching import search
from pytest_grounding.model.transcript import Transcript
from pytest_grounding.reports.terminal import safe
from pytest_grounding.settings import Settings, refuse_missing_folder

_LOOKED_INTO = 50  # most files that are opened for a note; a folder may contain thousands
_LONGEST_LINE = 1 << 20


def say_left_out(paths: Sequence[str], settings: Settings) -> bool:
    """Report on standard error which recordings in folders are not read."""
    found = []
    for path in dict.fromkeys(paths):
        # Errors in a path are reported by its reader.
        with contextlib.suppress(InputError):
            found.append(search(path))
    read = {file for one in found for file in one.files}
    left = dict.fromkeys(file for one in found for file in one.others if file not in read)
    named = [file for file in left if is_nearly_named(file)]
    gone = [file for file in named if not Path(file).exists()]
    others = [file for file in left if file not in named and Path(file).exists()][:_LOOKED_INTO]
    unread = [file for file in named if file not in gone]
    unread += [file for file in others if _is_recording(file, settings)]
    _say_not_read(gone, "a link that leads nowhere")
    _say_not_read(unread, "name it to read it")
    return not (gone or unread)


def cover(paths: Sequence[str], place: Path) -> bool:
    """Whether a folder among the paths is or contains this one."""
    return any(Path(path).is_dir() and place.resolve().is_relative_to(Path(path).resolve()) for path in paths)


def _is_recording(file: str, settings: Settings) -> bool:
    try:
        with opened(file) as stream:
            first = json.loads(stream.readline(_LONGEST_LINE))
        return is_native(first) or registry.importers(settings).of(first) is not None
    except (OSError, ValueError, RecursionError, InputError, *DAMAGED):
        return False


def _say_not_read(files: Sequence[str], advice: str) -> None:
    if files:
        print(safe(f"not read: {listed(files)} ({advice})"), file=sys.stderr, flush=True)


def transcript_rows(paths: Sequence[str], settings: Settings) -> Iterator[Row]:
    """Yield the rows of all paths; a path that matches nothing is a row with its error."""
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
        hint = "give a file or folder with some"
        raise InputError(f"no transcript was found in {', '.join(paths)}", hint=hint)


def readable(paths: Sequence[str], settings: Settings, unread: list[Row]) -> Iterator[tuple[Row, Transcript]]:
    """Yield the rows with a transcript; print the errors of the others and collect them."""
    for row in transcript_rows(paths, settings):
        if row.transcript is not None:
            yield row, row.transcript
        else:
            unread.append(row)
            print(safe(str(row.error)), file=sys.stderr, flush=True)


def all_of(paths: Sequence[str], settings: Settings) -> Iterator[tuple[Row, Transcript]]:
    """Yield the rows of all paths with their transcripts; an unreadable one is an error."""
    for row in transcript_rows(paths, settings):
        if row.transcript is None:
            raise row.error or InputError("contains no transcript", path=row.path, line=row.line)
        yield row, row.transcript


def of_sources(found: Iterable[Row], sources: Sequence[str], settings: Settings) -> Iterator[Row]:
    """Yield the rows whose transcripts use some sources, and the unreadable ones."""
    left_out = []
    seen = False
    for row in found:
        is_of = row.transcript is not None and comes_from(row.transcript, sources, settings)
        seen = seen or is_of
        if row.transcript is None or is_of:
            yield row
        else:
            left_out.append(row.transcript)
    if not seen and left_out:
        raise no_source(sources, known_sources(left_out))

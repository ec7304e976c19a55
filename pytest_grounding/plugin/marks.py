"""``@pytest.mark.transcripts``: one call of the test for each transcript that its patterns find."""

from __future__ import annotations

import glob
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from pytest_grounding.errors import InputError
from pytest_grounding.importers.searching import find_files
from pytest_grounding.plugin.rows import item_name, relative, rows_of
from pytest_grounding.plugin.state import RunState, of


def parametrize(metafunc: pytest.Metafunc, marks: Sequence[pytest.Mark]) -> None:
    """Give the test one transcript a call; what cannot be read becomes a call that fails and says so."""
    patterns = [pattern for mark in marks for pattern in mark.args if isinstance(pattern, str)]
    if not patterns:
        return  # refused with a sentence once all marks have been looked at
    state = of(metafunc.config)
    state.marked = True
    values: list[Any] = []
    ids: list[str] = []
    folder = metafunc.definition.path.parent
    shown = ", ".join(repr(pattern) for pattern in patterns)
    state.promised.add(f"transcripts({shown})")
    for file in _files(state, folder, patterns, values, ids):
        for row in rows_of(state, file):
            values.append(row.transcript or (f"{row.path}:{row.line}", str(row.error)))
            ids.append(item_name(row))
    if not values:
        _nothing_found(state, metafunc, patterns, values, ids)
    metafunc.parametrize("transcript", values, ids=ids, indirect=True)


def _files(
    state: RunState, folder: Path, patterns: Sequence[str], values: list[Any], ids: list[str]
) -> list[Path]:
    """The files of all patterns, each once; a pattern without any is a value that fails."""
    files: dict[Path, None] = {}
    for pattern in patterns:
        found = expand(pattern, (state.config.rootpath, folder))
        files.update(dict.fromkeys(found))
        if not found and len(patterns) > 1 and state.configured.settings.missing == "fail":
            values.append((pattern, _no_match(state, folder, pattern)))
            ids.append(pattern)
    return list(files)


def expand(pattern: str, folders: Sequence[Path]) -> list[Path]:
    """The files that a pattern finds in the first folder in which it finds any, in order of their names."""
    for folder in folders:
        start = folder / pattern
        if start.is_file():
            return [start]
        if start.is_dir():
            try:
                return [Path(file) for file in find_files(start)]
            except InputError:
                continue
        # Path.glob takes no pattern that is absolute or climbs with "..".
        names = sorted(glob.glob(pattern, root_dir=folder, recursive=True))  # noqa: PTH207
        found = [folder / name for name in names if (folder / name).is_file()]
        found = [path for path in found if "__golden__" not in path.parts]
        if found:
            return sorted(found, key=lambda path: path.as_posix())
    return []


def _no_match(state: RunState, folder: Path, pattern: str) -> str:
    here = relative(state, folder)
    return (
        f"transcripts({pattern!r}) matches no file, neither from the root of the project nor from {here}/; "
        "check the pattern"
    )


def _nothing_found(
    state: RunState, metafunc: pytest.Metafunc, patterns: Sequence[str], values: list[Any], ids: list[str]
) -> None:
    text = _no_match(state, metafunc.definition.path.parent, patterns[0])
    if state.configured.settings.missing == "fail":
        values.append((relative(state, metafunc.definition.path), text))
    else:
        values.append(pytest.param(None, marks=pytest.mark.skip(reason=text)))
    ids.append("no transcripts")

"""Resolve relative paths in a run: from the root of the project, else from the folder of the test."""

from __future__ import annotations

import glob
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from pytest_grounding._io.wording import listed
from pytest_grounding.errors import InputError, SettingsError
from pytest_grounding.plugin.option_table import PATHS
from pytest_grounding.settings.glossary_setting import is_glossary_path

#: Settings for output files, which need not exist.
_WRITTEN = ("cassette", "audit", "judge_measured")


def lead(path: str | os.PathLike[str], folders: Sequence[Path]) -> Path | None:
    """The file, folder or pattern meant by a path: in the first folder that has it, or None."""
    name = os.fspath(path)
    for folder in folders:
        there = folder / name
        is_there = there.exists() or (
            # Path.glob accepts no pattern that is absolute or climbs with "..".
            glob.has_magic(name) and any(glob.iglob(name, root_dir=folder, recursive=True))  # noqa: PTH207
        )
        if is_there:
            return there
    return None


def folders_of(root: Path, test: Path, started: Path | None = None) -> list[Path]:
    """The base folders for a path of a test, each once."""
    found = [root, test]
    if started is not None and Path.cwd() != started:
        found.append(Path.cwd())
    return list(dict.fromkeys(found))


def _folders(item: pytest.Item) -> list[Path]:
    config = item.config
    return folders_of(config.rootpath, item.path.parent, config.invocation_params.dir)


def lead_for(item: pytest.Item, path: str | os.PathLike[str], *, is_new: bool) -> str:
    """Resolve a path in a call of a running test; see `ItemObserver.place`."""
    folders = _folders(item)
    found = lead(path, folders) or (folders[0] / path if is_new else None)
    if found is None:
        name = os.fspath(path)
        if Path(name).is_absolute():
            return name  # its reader reports that it does not exist
        raise InputError(
            f"does not exist: it is {looked_at(folders)}",
            path=name,
            hint="write a path from the root of the project",
        )
    return os.fspath(path) if found == Path.cwd() / path else os.path.relpath(found)


def given_in(item: pytest.Item, settings: Mapping[str, Any]) -> Mapping[str, Any]:
    """Settings in a call of a running test; see `ItemObserver.given`."""
    if not isinstance(settings, Mapping) or not _relative(settings):
        return settings
    folders = _folders(item)
    refuse_nowhere(settings, folders, "argument")
    return settle(settings, folders)


def of_folders(directories: Mapping[str, Mapping[str, Any]], root: Path) -> dict[str, dict[str, Any]]:
    """Settings by folder, with paths from the root of the project, else from that folder."""
    settled = {}
    for folder, values in directories.items():
        folders = folders_of(root, root / folder)
        refuse_nowhere(values, folders, f"grounding_directories {folder}")
        settled[folder] = settle(values, folders)
    return settled


def looked_at(folders: Sequence[Path]) -> str:
    """The folders for a message: ``neither in the root of the project (/a) nor in tests``."""
    root, *others = folders
    first = f"in the root of the project ({root.as_posix()})"
    if not others:
        return f"not {first}"
    names = [Path(os.path.relpath(folder, root)).as_posix() for folder in others]
    return f"neither {first} nor in {listed(names)}"


def settle(values: Mapping[str, Any], folders: Sequence[Path]) -> dict[str, Any]:
    """The same settings with paths relative to the current folder; missing files start at the root."""
    here = Path.cwd()
    settled = dict(values)
    for name, path in _relative(values):
        found = folders[0] / path if name == "audit" else lead(path, folders) or folders[0] / path
        # A path that already resolves stays as written: messages and hashes contain it.
        settled[name] = path if found == here / path else os.path.relpath(found, here)
    return settled


def refuse_nowhere(values: Mapping[str, Any], folders: Sequence[Path], source: str) -> None:
    """Refuse a setting whose input is in none of the folders."""
    for name, path in _relative(values):
        if name not in _WRITTEN and lead(path, folders) is None:
            problem = f"{name} = {path!r} (from {source}) is {looked_at(folders)}"
            raise SettingsError(f"{problem}; write a path from the root of the project")


def _relative(values: Mapping[str, Any]) -> list[tuple[str, str]]:
    found = []
    for name in (*PATHS, "glossary"):
        value = values.get(name)
        if not value or not isinstance(value, (str, os.PathLike)) or Path(value).is_absolute():
            continue
        if name != "glossary" or is_glossary_path(os.fspath(value)):
            found.append((name, os.fspath(value)))
    return found

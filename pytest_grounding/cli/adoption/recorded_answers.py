"""The recorded answers of a project, found where pytest would find them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from fnmatch import fnmatch
from pathlib import Path
from typing import TypeVar

from pytest_grounding.errors import InputError
from pytest_grounding.importers.searching import SKIPPED

_T = TypeVar("_T")

#: Names of the files that are tests by themselves.
PATTERNS = ("*.transcript.json", "*.transcripts.jsonl")

#: Folders that hold accepted recordings or byte code.
_OWN_SKIPPED = ("__golden__", "__pycache__")

#: What to do where nothing is recorded yet: three lines.
HOW_TO_RECORD = (
    '1. write questions.jsonl, one question a line in quotation marks: "How long do refunds take?"',
    "2. run: pytest-grounding record app:answer questions.jsonl -o transcripts "
    '(app:answer is your function: it takes a question and returns {"chunks": [...], "answer": "..."})',
    "3. run: pytest-grounding init   (or name the files that another tool recorded: "
    "pytest-grounding init answers.jsonl)",
)


def recorded_files(root: Path, patterns: Sequence[str], skipped: Sequence[str] = ()) -> list[str]:
    """The files below a folder that pytest takes for tests of answers, sorted by name."""
    without = (*(skipped or SKIPPED), *_OWN_SKIPPED)
    found = []
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(
            name
            for name in folders
            if not any(fnmatch(name, pattern) for pattern in without)
            and not Path(folder, name, "pyvenv.cfg").is_file()
        )
        place = Path(folder).relative_to(root)
        found += [
            (place / name).as_posix() for name in names if any(fnmatch(name, pattern) for pattern in patterns)
        ]
    return sorted(found)


def inside(root: Path, file: str) -> str:
    """A file's path from the root of the project, with forward slashes."""
    try:
        return Path(file).resolve().relative_to(root.resolve()).as_posix()
    except ValueError:
        raise InputError(
            f"lies outside the project ({root})", path=file, hint="copy it into the project first"
        ) from None


def further_names(root: Path, files: Sequence[str], patterns: Sequence[str]) -> tuple[str, ...]:
    """The names that ``grounding_files`` needs beside its patterns, so that pytest takes all the files."""
    names = sorted(
        {
            Path(file).name
            for file in files
            if not any(fnmatch(Path(file).name, pattern) for pattern in patterns)
        }
    )
    others = sorted(set(recorded_files(root, names)) - set(files)) if names else []
    if others:
        raise InputError(
            "would become a test too, because pytest knows these files by their name alone",
            path=others[0],
            hint="give the file that holds recorded answers a name of its own, such as *.transcripts.jsonl",
        )
    return tuple(names)


def spread(items: Sequence[_T], limit: int) -> list[_T]:
    """At most so many of the items, taken evenly from the first to the last."""
    if len(items) <= limit:
        return list(items)
    return [items[number * len(items) // limit] for number in range(limit)]


def covering(files: Sequence[str]) -> list[str]:
    """The few paths that name all the files and those that will be recorded beside them."""
    found = set()
    for file in files:
        head, slash, _ = file.partition("/")
        if slash:
            found.add(head)
        else:
            own = [pattern for pattern in PATTERNS if fnmatch(file, pattern)]
            found.add(own[0] if own else file)
    return sorted(found)

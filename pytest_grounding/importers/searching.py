"""Find the files that a path names: itself, those below a folder, or the matches of a pattern."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

from pytest_grounding._io.filenames import is_nearly_named
from pytest_grounding._io.jsonio import DAMAGED, STANDARD, bare_name, opened
from pytest_grounding.errors import InputError

#: How files of this package begin, with the kind of each.
_BEGINNING = re.compile(Path(__file__).with_name("written_here.txt").read_bytes(), re.VERBOSE)
_LOOKED_INTO = 1 << 16
#: Names that are searched first in a folder; only without any, every .json and .jsonl counts.
OWN_PATTERNS = ("*.transcript.json", "*.transcripts.jsonl")
ANY_PATTERNS = ("*.json", "*.jsonl", "*.ndjson")
OTHER_PATTERNS = ("*.csv", "*.tsv", "*.sse")
WORK_MARK = ".grounding-work.lock"  # in a folder with the data of a run in parts, and nothing to validate
_LINES = (".jsonl", ".ndjson")
_GOLDEN = "__golden__"
#: Folders that pytest does not enter unless they are named: its norecursedirs.
SKIPPED = ("*.egg", ".*", "_darcs", "build", "CVS", "dist", "node_modules", "venv", "{arch}")
_ENVIRONMENT = ("pyvenv.cfg", "conda-meta")


def is_written_here(file: str) -> bool:
    """Whether a file starts like one written by this package; an unreadable file does not."""
    try:
        with opened(file) as stream:
            return _BEGINNING.match(stream.read(_LOOKED_INTO)) is not None
    except (OSError, *DAMAGED):
        return False


@dataclass(frozen=True, slots=True)
class Found:
    """The files of a path that are read, and those of a folder that are not."""

    files: Sequence[str]
    others: Sequence[str] = ()


def find_files(path: str | Path) -> list[str]:
    """The files that a path names: itself, a folder's transcripts, or the matches of a pattern."""
    return list(search(path).files)


def search(path: str | Path) -> Found:
    """Like `find_files`, with the left out files that may be recordings too."""
    name = str(path)
    if name == STANDARD:
        return Found([name])
    root = Path(name)
    if root.is_dir():
        return _in_folder(root)
    if root.exists():
        return Found([root.as_posix()])
    if glob.has_magic(name):
        return Found(_matching_files(name))
    raise InputError("does not exist", path=name, hint="check the path")


def _in_folder(root: Path) -> Found:
    below = sorted(_files_below(root))
    for patterns in (OWN_PATTERNS, ANY_PATTERNS, OTHER_PATTERNS):
        files = []
        for file in below:
            name = bare_name(Path(file).name)
            if any(fnmatch(name, pattern) for pattern in patterns) and Path(file).is_file():
                files.append(file)
        if patterns is ANY_PATTERNS:
            ours = {file for file in files if is_written_here(file)}
            files = [file for file in files if file not in ours]
            below = [file for file in below if file not in ours]
        if files:
            left = set(below).difference(files)
            others = [file for file in below if file in left]
            near = [file for file in others if bare_name(file).endswith(_LINES) or is_nearly_named(file)]
            return Found(files, near)
    hint = "expected *.transcript.json or *.transcripts.jsonl files"
    raise InputError("contains no transcripts", path=str(root), hint=hint)


def _matching_files(pattern: str) -> list[str]:
    # Path.glob accepts no absolute pattern.
    matches = glob.glob(pattern, recursive=True)  # noqa: PTH207
    found = sorted(Path(match).as_posix() for match in matches)
    files = [file for file in found if Path(file).is_file() and _GOLDEN not in Path(file).parts]
    parents = {Path(file).parent for file in files}
    works = {parent for parent in parents if (parent / WORK_MARK).exists()}
    files = [file for file in files if Path(file).parent not in works]
    if not files:
        hint = "check the pattern and the folder it starts in"
        raise InputError("matches no file", path=pattern, hint=hint)
    return files


def _files_below(root: Path) -> Iterator[str]:
    """All files below a folder, with forward slashes; each folder once."""
    seen: set[tuple[int, int]] = set()
    starts = [str(root)]
    # Links are appended while the list is walked, so that they come last.
    for start in starts:
        # A link that leads up would be walked for ever.
        if start != starts[0] and Path(start).parent.resolve().is_relative_to(Path(start).resolve()):
            continue
        for folder, below, names in os.walk(start, onerror=_refuse_unreadable):
            place = Path(folder).stat()
            key = (place.st_dev, place.st_ino)
            # The part files of a run contain verdicts, and goldens contain accepted transcripts.
            if key in seen or WORK_MARK in names or _GOLDEN in Path(folder).parts:
                below.clear()
                continue
            seen.add(key)
            below[:] = sorted(name for name in below if not _is_skipped(folder, name))
            starts += [str(inside) for name in below if (inside := Path(folder, name)).is_symlink()]
            prefix = Path(folder, "_").as_posix()[:-1]
            yield from (prefix + name for name in names)


def _is_skipped(folder: str, name: str) -> bool:
    is_named = any(fnmatch(name, pattern) for pattern in SKIPPED)
    return is_named or any(Path(folder, name, sign).exists() for sign in _ENVIRONMENT)


def _refuse_unreadable(error: OSError) -> None:
    raise InputError(f"cannot be read ({error.strerror or error})", path=str(error.filename)) from None

"""Check a command's outputs against its inputs: nothing the user needs is overwritten."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from pytest_grounding.errors import InputError


@dataclass(frozen=True, slots=True)
class Output:
    """An output file: its path, the user's spelling, and whether others may append to it too."""

    path: str
    said: str
    is_shared: bool = False


def refuse_overwriting(outputs: Sequence[Output], inputs: Callable[[], Iterable[str]]) -> None:
    """Refuse to overwrite inputs, and to write two things to one file."""
    taken: dict[tuple[int, int] | str, Output] = {}
    for output in outputs:
        if (file := _identity(output.path)) is None:
            continue
        other = taken.setdefault(file, output)
        if other is not output and not (other.is_shared and output.is_shared):
            said = dict.fromkeys((other.said, output.said))
            problem = f"is to be written twice ({' and '.join(said)})"
            raise InputError(problem, path=output.path, hint="give each a file of its own")
    # A missing file cannot be lost.
    there = {file: output for file, output in taken.items() if not isinstance(file, str)}
    for name in inputs() if there else ():
        read = _identity(name)
        if not isinstance(read, str) and read is not None and (found := there.get(read)) is not None:
            problem = f"is read, so that {found.said} would write over it"
            raise InputError(problem, path=found.path, hint="name another file to write to")


def _identity(path: str) -> tuple[int, int] | str | None:
    """Identity of a file under any of its names; a text if it is missing, None if it is not a file."""
    try:
        found = Path(path).stat()
    except (OSError, ValueError):
        return os.path.normcase(Path(path).absolute())
    return (found.st_dev, found.st_ino) if stat.S_ISREG(found.st_mode) else None

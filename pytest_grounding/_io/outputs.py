"""What a command is to write, held against what it reads: nothing is written over that a user still needs."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from pytest_grounding.errors import InputError


class Output(NamedTuple):
    """A file that will be written: its path, what the user wrote, and whether others may add to it too."""

    path: str
    said: str
    is_shared: bool = False


def refuse_overwriting(outputs: Sequence[Output], inputs: Callable[[], Iterable[str]]) -> None:
    """Refuse to write over what is read, and to write two things to one file."""
    taken: dict[tuple[int, int] | str, Output] = {}
    for output in outputs:
        if (file := _identity(output.path)) is None:
            continue
        other = taken.setdefault(file, output)
        if other is not output and not (other.is_shared and output.is_shared):
            said = dict.fromkeys((other.said, output.said))
            problem = f"is to be written twice ({' and '.join(said)})"
            raise InputError(problem, path=output.path, hint="give each a file of its own")
    # What is not there cannot be lost.
    there = {file: output for file, output in taken.items() if not isinstance(file, str)}
    for name in inputs() if there else ():
        read = _identity(name)
        if not isinstance(read, str) and read is not None and (found := there.get(read)) is not None:
            problem = f"is read, so that {found.said} would write over it"
            raise InputError(problem, path=found.path, hint="name another file to write to")


def _identity(path: str) -> tuple[int, int] | str | None:
    """What is the same for two names of one file; a text where it is not there, None where it is no file."""
    try:
        found = Path(path).stat()
    except (OSError, ValueError):
        return os.path.normcase(Path(path).absolute())
    return (found.st_dev, found.st_ino) if stat.S_ISREG(found.st_mode) else None

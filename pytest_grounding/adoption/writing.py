"""Several files written together: all are checked first, and an error takes back what was written."""

from __future__ import annotations

import contextlib
import os
import shlex
import subprocess
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from pytest_grounding._jsonio import write_atomic
from pytest_grounding.errors import InputError


def refuse_taken(files: Sequence[Path], root: Path) -> None:
    """Refuse to write over files that are there."""
    for file in files:
        if os.path.lexists(file):
            raise InputError(
                "is there already",
                path=shown(file, root),
                hint="write it anew with --force, or remove it first",
            )


def refuse_closed(files: Sequence[Path], root: Path) -> None:
    """Refuse places that cannot be written, before anything is."""
    for file in files:
        folder = next(place for place in (file.parent, *file.parents) if place.exists())
        if file.is_dir():
            raise InputError(
                "is a folder where a file belongs", path=shown(file, root), hint="rename the folder"
            )
        if not folder.is_dir() or not os.access(folder, os.W_OK):
            raise InputError("cannot be written here", path=shown(file, root), hint=f"look at {folder}")


@contextlib.contextmanager
def together(files: Sequence[Path]) -> Iterator[Callable[[Path, str], None]]:
    """Write files one after the other; where one fails, all are as they were before."""
    before = {file: file.read_bytes() if file.is_file() else None for file in files}
    try:
        yield write_atomic
    except BaseException:
        for file, content in before.items():
            _restore(file, content)
        raise


def _restore(file: Path, content: bytes | None) -> None:
    # What cannot be put back stays whole as it was written: each file is replaced at once.
    with contextlib.suppress(OSError, UnicodeDecodeError):
        if content is None:
            file.unlink(missing_ok=True)
        elif file.read_bytes() != content:
            write_atomic(file, content.decode("utf-8"))


def shown(file: Path, root: Path) -> str:
    """A file's path from the root of the project."""
    try:
        return file.relative_to(root).as_posix()
    except ValueError:
        return str(file)


def uncommitted(files: Sequence[Path], root: Path) -> list[str] | None:
    """The files that git knows and that differ from what it holds; None where there is no git."""
    names = [shown(file, root) for file in files]
    said = _git(root, "status", "--porcelain", "-z", "--untracked-files=no", "--", *names)
    return None if said is None else [entry[3:] for entry in said.split("\0") if entry]


def undo_lines(changed: Sequence[Path], made: Sequence[Path], root: Path) -> list[str]:
    """The commands that take back what was written."""
    new = shlex.join(shown(file, root) for file in made)
    known = _git(root, "ls-files", "-z", "--", *(shown(file, root) for file in changed))
    names = [] if known is None else known.split("\0")
    old = shlex.join(shown(file, root) for file in changed if shown(file, root) in names)
    lost = ", ".join(shown(file, root) for file in changed if shown(file, root) not in names)
    lines = [f"git checkout -- {old}"] if old else []
    lines += [f"{'rm' if known is None else 'git clean -f --'} {new}"] if new else []
    return [*lines, f"(git does not hold what stood in {lost})"] if lost else lines


def _git(root: Path, *words: str) -> str | None:
    try:
        found = subprocess.run(  # noqa: S603 -- fixed commands
            ["git", *words],  # noqa: S607 -- the git of the user
            cwd=root,
            capture_output=True,
            text=True,
            timeout=30,
            check=False,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return found.stdout if found.returncode == 0 else None

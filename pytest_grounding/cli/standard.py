"""``-`` in place of a file: standard input where a command reads it, standard output where it writes it."""

from __future__ import annotations

import argparse
import contextlib
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from pytest_grounding._jsonio import STANDARD, standard_input, standard_output
from pytest_grounding.errors import GroundingError, InputError

#: Arguments that are read whole as one file. Transcripts are not among them: their readers know ``-``.
_READ = ("baseline", "corpus", "file", "files", "labels", "questions", "used")
#: Arguments that are written.
_WRITTEN = ("html", "output")


@contextlib.contextmanager
def streams(args: argparse.Namespace) -> Iterator[None]:
    """Let a command that knows files alone read standard input and write standard output."""
    standard_input.cache_clear()
    with contextlib.ExitStack() as stack:
        if is_written(args):
            stack.enter_context(standard_output(sys.stdout))
            stack.enter_context(contextlib.redirect_stdout(sys.stderr))
        if not _reads(args):
            yield
            return
        folder = stack.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True))
        copy = Path(folder) / "standard input"
        copy.write_bytes(standard_input())
        for name in _files(args):
            value = getattr(args, name, None)
            if value == STANDARD:
                setattr(args, name, str(copy))
            elif isinstance(value, list):
                setattr(args, name, [str(copy) if item == STANDARD else item for item in value])
        try:
            yield
        except GroundingError as error:
            if str(copy) not in str(error):
                raise
            # The copy is nobody's business: what is wrong is wrong with standard input.
            raise InputError(str(error).replace(str(copy), STANDARD)) from error


def _files(args: argparse.Namespace) -> tuple[str, ...]:
    """The arguments that are read whole as one file; an audit log is, where it is only shown."""
    is_log = getattr(args, "action", None) == "show" and hasattr(args, "since")
    return (*_READ, "path") if is_log else _READ


def is_written(args: argparse.Namespace) -> bool:
    """Whether a file that a command writes is standard output."""
    written = [name for name in _WRITTEN if getattr(args, name, None) == STANDARD]
    if _is_new_baseline(args) and args.file == STANDARD:
        if args.prune:
            hint = "name the file of the baseline"
            raise InputError("standard output cannot be pruned", field="FILE", hint=hint)
        written.append("file")
    if len(written) > 1:
        raise InputError(
            "standard output can take one file", field=", ".join(written), hint="name the others"
        )
    return bool(written)


def _is_new_baseline(args: argparse.Namespace) -> bool:
    return hasattr(args, "allow_new") and hasattr(args, "file") and bool(args.paths)


def _reads(args: argparse.Namespace) -> bool:
    """Whether a file that is read is standard input."""
    given: list[object] = []
    for name in _files(args):
        value = getattr(args, name, None)
        if name == "file" and _is_new_baseline(args):
            continue
        given += value if isinstance(value, list) else [value]
    transcripts: list[object] = []
    for name in {"paths", "subjects", "path", "check", "transcripts"}.difference(_files(args)):
        value = getattr(args, name, None)
        transcripts += value if isinstance(value, list) else [value]
    if (given + transcripts).count(STANDARD) > 1:
        raise InputError("standard input can be read as one file", field=STANDARD, hint="name the others")
    return STANDARD in given

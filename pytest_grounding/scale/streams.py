"""Standard input and pipes: they give their bytes once, so they are copied into the work folder first."""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import IO

from pytest_grounding._jsonio import STANDARD
from pytest_grounding.errors import InputError
from pytest_grounding.scale.inputs import is_address

#: Folder of what had to be unpacked, fetched or copied, inside of the work folder.
SPOOL = "inputs"

#: What this process has copied: a plan that is made anew finds it here.
_copied: dict[tuple[str, str], str] = {}


def is_stream(path: str) -> bool:
    """Whether a path is standard input, a pipe or a device."""
    if path == STANDARD:
        return True
    return not is_address(path) and Path(path).exists() and not Path(path).is_file()


def copied(path: str, folder: Path) -> str:
    """The name of a stream's copy, as seen from the work folder.

    Args:
        path: the stream.
        folder: the work folder.

    Raises:
        InputError: it cannot be read, or there is no room for it.
    """
    key = path, str(folder.resolve())
    if key not in _copied:
        name = f"{SPOOL}/stream-{hashlib.sha256(path.encode('utf-8', 'surrogatepass')).hexdigest()[:16]}"
        try:
            _write(path, folder / name)
        except OSError as error:
            raise InputError(f"cannot be copied ({error.strerror or error})", path=path) from error
        _copied[key] = name
    return _copied[key]


def _write(path: str, target: Path) -> None:
    """Copy a stream, under a temporary name until it is whole."""
    target.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=".", suffix=".tmp")
    try:
        with os.fdopen(handle, "wb") as stream:
            _copy(path, stream)
        os.replace(temporary, target)
    except BaseException:
        os.unlink(temporary)
        raise


def _copy(path: str, target: IO[bytes]) -> None:
    if path == STANDARD:
        source = getattr(sys.stdin, "buffer", None)
        if source is None:
            # A test or a notebook may have put a stream of text there.
            target.write(sys.stdin.read().encode("utf-8"))
        else:
            shutil.copyfileobj(source, target)
        return
    with open(path, "rb") as stream:
        shutil.copyfileobj(stream, target)

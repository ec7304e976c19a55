"""The inputs of a run in parts: paths, patterns, addresses and streams, packed or not."""

from __future__ import annotations

import gzip
import hashlib
import os
import re
import sys
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import AbstractContextManager, suppress
from fnmatch import fnmatch
from pathlib import Path
from typing import IO, Any, cast

from pytest_grounding._io import optional as _optional
from pytest_grounding._io.jsonio import STANDARD
from pytest_grounding.errors import InputError
from pytest_grounding.importers.searching import find_files

EXTRA = "scale"
#: Ending of a file of ours that is being written: nobody else's ends like this.
UNFINISHED = ".grounding-tmp"
#: Endings of files that are read line by line, and of those that are packed.
LINES = (".jsonl", ".ndjson")
PACKED = (".gz", ".zst")
PARQUET = ".parquet"
#: Folder of what had to be unpacked, fetched or copied, inside of the work folder.
SPOOL = ".grounding-inputs"

_BLOCK = 1 << 20
#: Packed bytes that are unpacked at once: a small packed input may hold a very large one.
_PACKED_BLOCK = 1 << 14
_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+(?:://|::)")
#: What may go wrong while an object of a store is read; their libraries have errors of their own.
_BROKEN = (OSError, EOFError, zlib.error, ValueError)


def is_address(path: str) -> bool:
    """Whether a path is an address such as ``s3://bucket/runs/*.jsonl``, and no file of this machine."""
    return _ADDRESS.match(path) is not None


def found_inputs(path: str) -> list[str]:
    """The files or objects that a path, a pattern or an address names, in the order of their names."""
    if not is_address(path):
        return find_files(path, packed=True)
    files = _filesystem(path)
    try:
        if any(sign in path for sign in "*[") or (not path.startswith("http") and files.isdir(path)):
            pattern = path if any(sign in path for sign in "*[") else f"{path.rstrip('/')}/**"
            names = sorted(files.unstrip_protocol(name) for name in files.glob(pattern))
            found = [name for name in names if is_readable(name)]
            if not found:
                hint = "expected objects that end in .jsonl, .jsonl.gz, .jsonl.zst or .parquet"
                raise InputError("matches nothing", path=path, hint=hint)
            return found
        if not files.exists(path):
            raise InputError("does not exist", path=path, hint="check the address")
    except InputError:
        raise
    except Exception as error:
        raise unreadable(path, error) from error
    return [path]


def is_readable(name: str) -> bool:
    """Whether the ending of a name is one that is cut into parts."""
    return any(fnmatch(name.lower(), f"*{ending}") for ending in _endings())


def is_lines(name: str) -> bool:
    """Whether a file is JSON Lines, packed or not."""
    return unpacked_name(name).lower().endswith(LINES)


def is_packed(name: str) -> bool:
    """Whether a file is packed by gzip or zstd."""
    return name.lower().endswith(PACKED)


def unpacked_name(name: str) -> str:
    """The name without the ending of a packer."""
    return name.rpartition(".")[0] if is_packed(name) else name


def blocks(path: str, *, plain: bool = False) -> Iterator[bytes]:
    """Yield the bytes of an input, unpacked unless ``plain``, a block at a time."""
    # Whoever consumes a generator raises nothing into it: what is caught here came from reading.
    try:
        with _opened(path) as raw:
            if not plain and path.lower().endswith(".zst"):
                yield from _unpacked_zstd(raw)
                return
            is_gzip = not plain and path.lower().endswith(".gz")
            stream: Any = gzip.GzipFile(fileobj=raw) if is_gzip else raw
            while block := stream.read(_BLOCK):
                yield block
    except _BROKEN as error:
        raise unreadable(path, error) from error


def lines(path: str, start: int, end: int) -> Iterator[bytes]:
    """Yield the lines of a run of bytes that begins and ends at the beginning of a line."""
    try:
        with _opened(path) as stream:
            stream.seek(start)
            place = start
            while place < end:
                line = stream.readline()
                if not line:
                    return
                place += len(line)
                yield line
    except _BROKEN as error:
        raise unreadable(path, error) from error


def _opened(path: str) -> AbstractContextManager[IO[bytes]]:
    if is_address(path):
        return cast("AbstractContextManager[IO[bytes]]", _filesystem(path).open(path, "rb"))
    return open(path, "rb")


def unreadable(path: str, error: Exception) -> InputError:
    """The one sentence for an input that cannot be read."""
    if isinstance(error, FileNotFoundError):
        return InputError("is no longer there", path=path, hint="put it back, or leave it out")
    why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    if isinstance(error, (EOFError, zlib.error, gzip.BadGzipFile)):
        return InputError(f"cannot be unpacked ({why})", path=path, hint="it is cut off or damaged")
    return InputError(f"cannot be read ({type(error).__name__}: {why})", path=path)


def unpacker() -> Any:
    """The zstd of the standard library (Python 3.14) or of the extra, behind ``open(file, mode)``."""
    try:
        import importlib

        return importlib.import_module("compression.zstd")
    except ImportError:
        return _optional.require("zstandard", extra=EXTRA)


def _unpacked_zstd(raw: IO[bytes]) -> Iterator[bytes]:
    """Yield the content of zstd frames; a last frame without its end is an error, not a shorter input."""
    module = unpacker()
    new = getattr(module.ZstdDecompressor(), "decompressobj", module.ZstdDecompressor)
    frame = None
    try:
        while data := raw.read(_PACKED_BLOCK):
            while data:
                frame = frame or new()
                yield frame.decompress(data)
                data, frame = (frame.unused_data, None) if frame.eof else (b"", frame)
    except module.ZstdError as error:
        raise zlib.error(str(error)) from error
    if frame is not None:
        raise EOFError("the end of its last frame is missing")


def _endings() -> list[str]:
    return [*LINES, *(f"{ending}{packer}" for ending in LINES for packer in PACKED), PARQUET]


def _filesystem(path: str) -> Any:
    fsspec = _optional.require("fsspec", extra=EXTRA)
    try:
        return fsspec.core.url_to_fs(path)[0]
    except (ImportError, ValueError) as error:
        scheme = path.partition(":")[0]
        hint = f"install what fsspec needs for {scheme}"
        raise InputError(f"cannot be opened ({error})", path=path, hint=hint) from error


def size_of(path: str) -> int | None:
    """Bytes of an input as it lies there; None where that is not known."""
    try:
        if is_address(path):
            found = _filesystem(path).size(path)
            return found if isinstance(found, int) else None
        return Path(path).stat().st_size
    except (InputError, *_BROKEN):
        return None


def is_stream(path: str) -> bool:
    """Whether a path is standard input, a pipe or a device."""
    return path == STANDARD or (not is_address(path) and Path(path).exists() and not Path(path).is_file())


#: What this process has copied: a plan that is made anew finds it here.
_copied: dict[tuple[str, str], str] = {}


def copied(path: str, folder: Path) -> str:
    """The name of the unpacked copy of an input in the work folder, which is made at the first call."""
    key = path, str(folder.resolve())
    if key not in _copied or not (folder / _copied[key]).exists():
        name = f"{SPOOL}/{hashlib.sha256(path.encode('utf-8', 'surrogatepass')).hexdigest()[:16]}"
        try:
            _copy(_standard_input() if path == STANDARD else blocks(path), folder / name)
        except OSError as error:
            raise InputError(f"cannot be copied ({error.strerror or error})", path=path) from error
        _copied[key] = name
    return _copied[key]


def _copy(source: Iterator[bytes], target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=".", suffix=UNFINISHED)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.writelines(source)
        os.replace(temporary, target)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise


def _standard_input() -> Iterator[bytes]:
    source = getattr(sys.stdin, "buffer", None)
    if source is None:
        # A test or a notebook may have put a stream of text there.
        yield sys.stdin.read().encode("utf-8")
        return
    while block := source.read(_BLOCK):
        yield block

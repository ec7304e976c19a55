"""JSON in this project: canonical bytes, atomic files, errors that name the line."""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import importlib
import io
import json
import os
import stat
import sys
import tempfile
import time
import zlib
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import IO, Any, NamedTuple, TextIO, cast

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding.errors import InputError, require

STANDARD = "-"  # instead of a file's name: standard input for reading, standard output for writing
PACKED = (".gz", ".zst")  # endings of files that are unpacked when read
DAMAGED = (EOFError, zlib.error, gzip.BadGzipFile)  # the errors of damaged ones
_WHITESPACE = lazy(r"[ \t\n\r]*")
_CANONICAL = json.JSONEncoder(ensure_ascii=False, sort_keys=True, allow_nan=False, separators=(",", ":"))
_WALKER = json.JSONDecoder(strict=False)  # for walks over text that has been parsed before
DEEPEST = 150  # deepest nesting of a value: reports hold it a few levels deeper, and are read back up to 200
TOO_DEEP = f"it is nested too deeply: write at most {DEEPEST} levels"
CONFLICT = "it is a mark of a merge conflict: keep what is right of both branches, and delete the marks"
_TOO_DEEP = f"is not JSON that can be read: {TOO_DEEP}"
#: Ending of a file that is being written, and the age from which its writer must have been killed.
_UNFINISHED, _ABANDONED_S = ".grounding.tmp", 3600.0
_WRITER = lazy(r"\.([0-9a-f]{1,8})-(\d{1,9})\.[^.]*\Z")  # its machine and process, in the file's name
_output: TextIO | None = None


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is not a JSON number")


class _RepeatedNameError(ValueError):
    """An object has two members with one name; which one counts would be a guess."""


def _refuse_repeated(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        names = [name for name, _ in pairs]
        raise _RepeatedNameError(next(name for name in names if names.count(name) > 1))
    return members


# NaN and the infinities are not JSON, and a NaN would compare as "not below the limit".
_DECODER = json.JSONDecoder(strict=False, parse_constant=_refuse_constant, object_pairs_hook=_refuse_repeated)


class JsonRecord(NamedTuple):
    """One JSON value of a file: its 1-based first line, the value, and its text."""

    line: int
    value: Any
    source: str


def canonical_json(value: Any) -> str:
    """Render a JSON value on one line in canonical form, without a final line feed."""
    return _CANONICAL.encode(value)


def canonical_document(value: Any) -> str:
    """Render a JSON value as an indented canonical document with a final line feed."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, allow_nan=False, indent=2) + "\n"


def content_hash(value: Any) -> str:
    """SHA-256 of the canonical form, as 64 hexadecimal digits."""
    return hashlib.sha256(canonical_json(value).encode("utf-8", "surrogatepass")).hexdigest()


@lru_cache(maxsize=256)
def _remove_leftovers(folder: Path) -> None:
    """Remove the unfinished files of killed writers from a folder, once for each process."""
    for left in folder.glob(f".*{_UNFINISHED}"):
        with contextlib.suppress(OSError):
            if _is_killed(left) or time.time() - left.stat().st_mtime > _ABANDONED_S:
                left.unlink()


def _is_killed(left: Path) -> bool:
    """Whether the writer of an unfinished file ran on this machine, and does so no more."""
    found = _WRITER.search(left.name.removesuffix(_UNFINISHED))
    if found is None or found[1] != _machine():
        return False
    try:
        os.kill(int(found[2]), 0)
    except ProcessLookupError:
        return True
    return False


def _machine() -> str:
    """This machine in hexadecimal digits; "" where no process may be asked for without harm."""
    name = getattr(os, "uname", None)
    return "" if name is None else f"{zlib.crc32(name().nodename.encode()):x}"


@contextlib.contextmanager
def atomic_writer(path: str | os.PathLike[str]) -> Iterator[TextIO]:
    """A text file for writing; readers see either the old content or all of the new."""
    if path == STANDARD:
        # The stream itself: a command that writes there prints its messages to standard error.
        yield sys.stdout if _output is None else _output
        return
    if _is_device(path):
        with open(path, "w", encoding="utf-8", newline="\n") as stream:
            yield stream
        return
    target = Path(path)
    if target.is_symlink():
        target = Path(os.path.realpath(target))
    target.parent.mkdir(parents=True, exist_ok=True)
    _remove_leftovers(target.parent)
    try:
        prefix = f".{target.name[:40]}.{_machine()}-{os.getpid()}."
        handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=prefix, suffix=_UNFINISHED)
    except OSError as error:
        # The temporary file's name means nothing to the user: report the requested one.
        error.filename = os.fspath(path)
        raise
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        # mkstemp makes private files; keep the mode of the target, or apply the umask.
        Path(temporary).chmod(_mode_for(target))
        os.replace(temporary, target)
    except BaseException as error:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        if isinstance(error, OSError):
            # A full disk is told without a name, or with that of the temporary file.
            error.filename = os.fspath(path)
        raise


@contextlib.contextmanager
def standard_output(stream: TextIO) -> Iterator[None]:
    """The meaning of ``-`` while a command's own output goes elsewhere."""
    global _output
    before, _output = _output, stream
    try:
        yield
        stream.flush()
    finally:
        _output = before


@lru_cache(maxsize=1)
def standard_input() -> bytes:
    """The content of standard input, which may be read more than once."""
    raw: bytes | str = getattr(sys.stdin, "buffer", sys.stdin).read()
    return raw.encode("utf-8") if isinstance(raw, str) else raw


def write_atomic(path: str | os.PathLike[str], text: str) -> None:
    """Write a text file with `atomic_writer`."""
    with atomic_writer(path) as file:
        file.write(text)


def _is_device(path: str | os.PathLike[str]) -> bool:
    try:
        mode = Path(path).stat().st_mode
    except (OSError, ValueError):
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)) or os.fspath(path).startswith("/dev/")


def _mode_for(target: Path) -> int:
    with contextlib.suppress(OSError):
        return target.stat().st_mode & 0o777
    umask = os.umask(0)
    os.umask(umask)
    return 0o666 & ~umask


def write_json(path: str | os.PathLike[str], value: Any) -> None:
    """Write one canonical document, atomically."""
    write_atomic(path, canonical_document(value))


def write_json_lines(path: str | os.PathLike[str], values: Iterable[Any]) -> None:
    """Write one canonical JSON value per line, atomically and in constant memory."""
    with atomic_writer(path) as file:
        for value in values:
            file.write(canonical_json(value) + "\n")


def read_records(path: str | os.PathLike[str]) -> Iterator[JsonRecord]:
    """Yield the JSON values of a file; an unreadable one ends it."""
    for record in iter_records(path):
        if isinstance(record, InputError):
            raise record
        yield record


def iter_records(path: str | os.PathLike[str]) -> Iterator[JsonRecord | InputError]:
    """Yield the JSON values of a file: one document, or JSON Lines; an unreadable one as its error."""
    name = str(path)
    try:
        if name == STANDARD:
            yield from _read_document(name, standard_input().decode("utf-8-sig"))
        elif Path(name).is_fifo() and not name.startswith("/dev/"):
            hint = "write - for the path and pipe it in"
            yield InputError("is a named pipe, which can be read only once", path=name, hint=hint)
        elif bare_name(name).lower().endswith((".jsonl", ".ndjson")) and not _is_document(name):
            with opened(name) as stream:
                yield from records_of_lines(stream, name)
        else:
            with opened(name) as stream:
                text = stream.read().decode("utf-8-sig")
            yield from _read_document(name, text)
    except DAMAGED as error:
        yield InputError(f"cannot be unpacked ({error})", path=name, hint="it is cut off or damaged")
    except OSError as error:
        yield InputError(f"cannot be read ({error.strerror or error})", path=name)
    except UnicodeDecodeError as error:
        yield InputError(f"is not UTF-8 text (byte {error.start})", path=name, hint="save the file as UTF-8")
    except InputError as error:
        yield error


def bare_name(name: str) -> str:
    """The name of a file without the ending of a packer."""
    return name.rpartition(".")[0] if name.lower().endswith(PACKED) else name


def opened(name: str) -> IO[bytes]:
    """The bytes of a file, unpacked if its name has such an ending."""
    if name.lower().endswith(".gz"):
        return cast("IO[bytes]", gzip.open(name))
    return io.BytesIO(_unpacked_bytes(name)) if name.lower().endswith(".zst") else open(name, "rb")


def _unpacked_bytes(name: str) -> bytes:
    """The content of zstd frames; an incomplete last frame is an error."""
    try:
        module = importlib.import_module("compression.zstd")  # Python 3.14
    except ImportError:
        module = require("zstandard", extra="scale")
    new = getattr(module.ZstdDecompressor(), "decompressobj", module.ZstdDecompressor)
    data, found = Path(name).read_bytes(), b""
    try:
        while data:
            frame = new()
            found += frame.decompress(data)
            if not frame.eof:
                raise EOFError("the end of its last frame is missing")
            data = frame.unused_data
    except module.ZstdError as error:
        raise zlib.error(str(error)) from error
    return found


def _is_document(name: str) -> bool:
    """Whether a file starts with a lone bracket: one document over several lines, whatever its name."""
    with opened(name) as stream:
        for raw in stream:
            opening = raw.removeprefix(b"\xef\xbb\xbf").strip()
            if opening:
                return opening in (b"[", b"{")
    return False


def records_of_lines(lines: Iterable[bytes], name: str, first: int = 1) -> Iterator[JsonRecord | InputError]:
    """The JSON values of the lines of a file; an unreadable one as its error."""
    for number, raw in enumerate(lines, start=first):
        try:
            text = raw.decode("utf-8-sig" if number == 1 else "utf-8").strip()
            if text:
                yield JsonRecord(number, parse_json(text, path=name, first_line=number), text)
        except UnicodeDecodeError as error:
            problem = f"is not UTF-8 text (byte {error.start} of the line)"
            yield InputError(problem, path=name, line=number, hint="save the file as UTF-8")
        except InputError as error:
            yield error


def _read_document(name: str, text: str) -> Iterator[JsonRecord]:
    position = _skip_blanks(text, 0)
    if position == len(text):
        raise InputError("is empty", path=name, hint="write one JSON object, or one a line in a .jsonl file")
    while position < len(text):
        line = text.count("\n", 0, position) + 1
        try:
            value, end = _DECODER.raw_decode(text, position)
        except _RepeatedNameError as error:
            raise _repeated(error, name, line) from None
        except (ValueError, RecursionError) as error:
            raise _not_json(error, name, 1) from error
        _refuse_deep(value, text[position:end], name, line)
        yield JsonRecord(line, value, text[position:end])
        position = _skip_blanks(text, end)


def _skip_blanks(text: str, position: int) -> int:
    match = _WHITESPACE.match(text, position)
    return match.end() if match else position


def parse_json(text: str, *, path: str | None = None, first_line: int = 1) -> Any:
    """Parse one JSON value."""
    try:
        value = json.loads(
            text, strict=False, parse_constant=_refuse_constant, object_pairs_hook=_refuse_repeated
        )
        _refuse_deep(value, text, path, first_line)
        return value
    except _RepeatedNameError as error:
        raise _repeated(error, path, first_line) from None
    except (ValueError, RecursionError) as error:
        raise _not_json(error, path, first_line) from error


def _refuse_deep(value: Any, text: str, path: str | None, line: int) -> None:
    if text.count("{") + text.count("[") <= DEEPEST:
        return
    level = [value]
    for _ in range(DEEPEST + 1):
        level = [
            item
            for each in level
            if isinstance(each, (dict, list))
            for item in (each.values() if isinstance(each, dict) else each)
        ]
    if level:
        raise InputError(_TOO_DEEP, path=path, line=line)


def _not_json(error: Exception, path: str | None, first_line: int) -> InputError:
    hint = None
    if isinstance(error, json.JSONDecodeError):
        line = first_line + error.lineno - 1
        problem = f"is not JSON: {error.msg.removesuffix(' at')} at column {error.colno}"
        hint = _mending(error.doc, error.pos)
    elif isinstance(error, RecursionError):
        line, problem = first_line, _TOO_DEEP
    else:
        # CPython's message on a huge number ends with advice to programmers.
        said = str(error).partition(" for integer string")[0]
        line, problem = first_line, f"is not JSON that can be read: {said}"
    return InputError(problem, path=path, line=line, hint=hint)


def _mending(text: str, position: int) -> str | None:
    """What to write where JSON breaks off, for common mistakes."""
    here, before = text[position : position + 1], text[:position].rstrip()[-1:]
    if here == "," or (before == "," and here in ("}", "]")):
        after = text[position + 1 :].lstrip()[:1] if here == "," else here
        return "remove the comma before the closing bracket" if after in ("}", "]") else None
    if here == "'":
        return "write names and texts in double quotes"
    if here in ("/", "#"):
        return "remove the comment; JSON has none"
    if text[position : position + 7] in ("<<<<<<<", "=======", ">>>>>>>"):
        return CONFLICT
    return None if text[position:].strip() else "its end is missing, so record it again"


def _repeated(error: _RepeatedNameError, path: str | None, line: int) -> InputError:
    hint = "keep one of the two"
    return InputError("occurs twice in one object", path=path, line=line, field=str(error)[:60], hint=hint)


def line_of_field(source: str, loc: Iterable[str | int], *, first_line: int = 1) -> int:
    """Line of a field in a JSON text."""
    position = _skip_blanks(source, 0)
    with contextlib.suppress(ValueError, IndexError, RecursionError):
        for step in loc:
            position = _enter_value(source, position, step)
    return first_line + source.count("\n", 0, position)


def split_list(record: JsonRecord) -> Iterator[JsonRecord]:
    """The members of a record that is a list, each with its first line and JSON text."""
    source, line = record.source, record.line
    counted = 0
    position = _skip_blanks(source, 1)
    for value in record.value:
        line += source.count("\n", counted, position)
        counted = position
        _, end = _WALKER.raw_decode(source, position)
        yield JsonRecord(line, value, source[position:end])
        position = _skip_blanks(source, _skip_blanks(source, end) + 1)


def _enter_value(source: str, position: int, step: str | int) -> int:
    """Position of one member of the object or list at ``position``; ValueError without one."""
    is_object = source[position] == "{"
    if not is_object and source[position] != "[":
        raise ValueError("neither an object nor a list")
    index = 0
    position = _skip_blanks(source, position + 1)
    while source[position] not in "]}":
        start = position
        key: str | int = index
        if is_object:
            key, end = _WALKER.raw_decode(source, position)
            position = _skip_blanks(source, _skip_blanks(source, end) + 1)
        if key == step:
            return position if not is_object or source[position] in "[{" else start
        _, end = _WALKER.raw_decode(source, position)
        position = _skip_blanks(source, end)
        if source[position] == ",":
            position = _skip_blanks(source, position + 1)
        index += 1
    raise ValueError("no such member")

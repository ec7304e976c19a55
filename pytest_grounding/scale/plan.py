"""The plan of a run in parts: its inputs cut into parts, and a hash of all that their results depend on."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from importlib.metadata import PackageNotFoundError, version
from itertools import groupby
from pathlib import Path
from typing import Any, Literal

from pytest_grounding._io import optional as _optional
from pytest_grounding._io.jsonio import canonical_json, content_hash
from pytest_grounding.engine import ENGINE_VERSION, registry
from pytest_grounding.errors import InputError
from pytest_grounding.gate.waivers import read as read_waivers
from pytest_grounding.gate.waivers import today
from pytest_grounding.importers.importer import Gatherer
from pytest_grounding.importers.native import importer_of
from pytest_grounding.model._base import Model, without_surrogates
from pytest_grounding.scale.inputs import (
    PARQUET,
    blocks,
    copied,
    found_inputs,
    is_address,
    is_lines,
    is_packed,
    is_stream,
    size_of,
)
from pytest_grounding.settings import BUILD_SETTINGS, Settings, refuse_missing_folder

#: Bytes of a part of JSON Lines; small runs have smaller ones, so that every core has some.
LARGEST = 8 << 20
SMALLEST = 64 << 10
_PARTS = 64
#: Settings of the build that a part depends on all the same; the others decide when all is merged.
_COUNTED = frozenset({"fail_on", "suite_confidence", "abstained", "waivers", "waivers_file", "record"})
#: Settings that name a file whose content counts.
_FILES = ("calibration", "corpus")


class Piece(Model):
    """A run of one input."""

    path: str
    data: str = ""
    kind: Literal["lines", "whole", "rows", "problem"]
    start: int = 0
    end: int = 0
    line: int = 1
    sha256: str = ""
    message: str = ""
    is_all: bool = True

    @property
    def size(self) -> int:
        """Bytes, as far as they say how long the work takes; row groups are parts by themselves."""
        return self.end - self.start if self.kind in ("lines", "whole") else 0


class Part(Model):
    """What one worker does at a time."""

    index: int
    pieces: tuple[Piece, ...]
    settings: int = 0

    @property
    def description(self) -> str:
        """The part in words: the input and where in it."""
        first = self.pieces[0]
        others = len({piece.path for piece in self.pieces}) - 1
        more = f" and {others} more" if others else ""
        return f"part {self.index + 1} ({first.path} from line {first.line}{more})"


def part_file(index: int) -> str:
    """Name of the file of a part in the work folder."""
    return f"{index:06d}.jsonl"


class Plan(Model):
    """A run in parts."""

    hash: str
    ingredients: Mapping[str, str]
    parts: tuple[Part, ...]
    values: tuple[Mapping[str, Any], ...]
    sources: tuple[str, ...] = ()
    folder: str
    root: str

    @cached_property
    def settings(self) -> tuple[Settings, ...]:
        """The settings of ``values``, made once."""
        return tuple(Settings(**values) for values in self.values)

    @property
    def place(self) -> Path:
        """The work folder."""
        return Path(self.folder)

    @property
    def shown(self) -> str:
        """The work folder as people read it: from the folder of the run, where it lies below."""
        place = Path(self.folder)
        return str(place.relative_to(self.root)) if place.is_relative_to(self.root) else self.folder

    def without_parts(self) -> Plan:
        """The same without its parts: what a worker that is given one of them needs."""
        return self.model_copy(update={"parts": ()})


def differences(before: Mapping[str, str], after: Mapping[str, str]) -> list[str]:
    """The names of the ingredients in which two plans differ."""
    return [name for name in sorted(before.keys() | after.keys()) if before.get(name) != after.get(name)]


def make_plan(
    paths: Sequence[str],
    settings: Settings,
    folder: Path,
    *,
    settings_for: Callable[[str], Settings] | None = None,
    sources: Sequence[str] = (),
    whole: Collection[str] = (),
) -> Plan:
    """Cut the inputs into parts, and hash what their results depend on."""
    refuse_missing_folder(settings)
    listed = _listed(paths)
    total = sum(_size_of(item, folder) for item in listed)
    size = max(SMALLEST, min(LARGEST, total // _PARTS))
    values, parts = _parts(listed, size, folder, settings_for or (lambda path: settings), settings, whole)
    ingredients = {
        **_ingredients([Settings(**given) for given in values]),
        "sources": ", ".join(sources),
        **_inputs(parts),
    }
    return Plan(
        hash=content_hash(ingredients),
        ingredients=ingredients,
        parts=tuple(parts),
        values=tuple(values),
        sources=tuple(sources),
        folder=str(folder.resolve()),
        root=str(Path.cwd()),
    )


def _parts(
    listed: Sequence[str | Piece],
    size: int,
    folder: Path,
    settings_for: Callable[[str], Settings],
    settings: Settings,
    whole: Collection[str],
) -> tuple[list[dict[str, Any]], list[Part]]:
    values: list[dict[str, Any]] = [settings.as_dict()]
    pieces: list[tuple[int, Piece]] = []
    for item in listed:
        if isinstance(item, Piece):
            pieces.append((0, item))
            continue
        own = settings_for(item)
        given = own.as_dict()
        if given not in values:
            values.append(given)
        number = values.index(given)
        found = pieces_of(item, size, folder, whole=item in whole, is_whole=_gathers_in(own))
        pieces += [(number, piece) for piece in found]
    parts: list[Part] = []
    for number, group in groupby(pieces, key=lambda pair: pair[0]):
        for together in packed_together((piece for _, piece in group), size):
            parts.append(Part(index=len(parts), pieces=tuple(together), settings=number))
    return values, parts


def _listed(paths: Sequence[str]) -> list[str | Piece]:
    found: dict[str, str | Piece] = {}
    for path in paths:
        try:
            for name in found_inputs(path):
                found.setdefault(name, name)
        except InputError as error:
            problem = Piece(path=path, kind="problem", line=error.line or 1, message=str(error))
            found.setdefault(f"{path}\n", problem)
    return list(found.values())


def _size_of(item: str | Piece, folder: Path) -> int:
    if isinstance(item, Piece):
        return 0
    try:
        return size_of(str(folder / copied(item, folder)) if is_stream(item) else item) or 0
    except InputError:
        # Whoever cuts it says what is wrong with it.
        return 0


def _gathers_in(settings: Settings) -> Callable[[bytes], bool]:
    importers = registry.importers(settings)

    def gathers(line: bytes) -> bool:
        try:
            value = json.loads(line)
            importer = importer_of(value, importers)
            return isinstance(importer, Gatherer) and importer.belongs(value)
        except (ValueError, RecursionError, InputError):
            # Whoever reads it says what is wrong with it.
            return False

    return gathers


def _inputs(parts: Sequence[Part]) -> dict[str, str]:
    told: dict[str, list[Any]] = {}
    for part in parts:
        for piece in part.pieces:
            shown = [piece.kind, piece.start, piece.end, piece.line, piece.sha256, piece.message]
            told.setdefault(piece.path, []).append(shown)
    found = {f"input {path}": content_hash(pieces) for path, pieces in told.items()}
    return {**found, "order of the inputs": content_hash(list(told))}


def _ingredients(chosen: Sequence[Settings]) -> dict[str, str]:
    """What the results depend on besides the inputs: the engine, the settings, and the files they name."""
    found = {"engine": ENGINE_VERSION, "package": version(_optional.DISTRIBUTION), **_extensions()}
    usual = Settings().as_dict()
    for number, settings in enumerate(chosen):
        suffix = f" (folder {number})" if number else ""
        for name, value in settings.as_dict().items():
            if value != usual[name] and (name not in BUILD_SETTINGS or name in _COUNTED):
                found[f"setting {name}{suffix}"] = str(value)
        for name, told in _files(settings).items():
            found[f"{name}{suffix}"] = told
    return found


def _files(settings: Settings) -> dict[str, str]:
    found = {}
    if settings.glossary:
        found["glossary"] = content_hash(settings.glossary_rules)
    for name in _FILES:
        path = getattr(settings, name)
        if path and Path(path).is_file():
            found[f"file of {name}"] = _hash_of_file(path)
    if settings.waivers_file and settings.waivers != "off":
        found["waivers"] = _hash_of_file(settings.waivers_file)
        if Path(settings.waivers_file).is_file() and any(
            item.expires for item in read_waivers(settings.waivers_file)
        ):
            # A waiver that expires tomorrow gives another verdict then.
            found["day of the waivers"] = today()
    is_remote = settings.scorer != "builtin" or settings.judge
    if is_remote and settings.record == "none":
        found["cassette"] = _hash_of_file(settings.cassette)
    return found


def _extensions() -> dict[str, str]:
    found = {}
    for _, distribution in registry.plugin_manager().list_plugin_distinfo():
        name = distribution.project_name
        try:
            found[f"extension {name}"] = version(name)
        except PackageNotFoundError:
            found[f"extension {name}"] = "of unknown version"
    return found


def _hash_of_file(path: str) -> str:
    if Path(path).is_dir():
        below = sorted(
            (os.path.relpath(Path(folder, name), path), Path(folder, name).stat().st_size)
            for folder, _, names in os.walk(path)
            for name in names
        )
        return hashlib.sha256(canonical_json(below).encode()).hexdigest()
    if not Path(path).is_file():
        return "none"
    digest = hashlib.sha256()
    for block in blocks(path, plain=True):
        digest.update(block)
    return digest.hexdigest()


def pieces_of(
    path: str,
    size: int,
    folder: Path,
    *,
    whole: bool = False,
    is_whole: Callable[[bytes], bool] = lambda line: False,
) -> list[Piece]:
    """The pieces of one input."""
    name = without_surrogates(path)[0]
    if name != path:
        hint = "rename it, or leave --jobs out"
        error = InputError("has a name that is no Unicode", path=name, hint=hint)
        return [Piece(path=name, kind="problem", message=str(error))]
    try:
        if path.lower().endswith(PARQUET):
            return _row_groups(path)
        if is_stream(path) or is_lines(path):
            return _lines(path, size, folder, lambda line: whole or is_whole(line))
        if is_address(path) or is_packed(path):
            hint = "give .jsonl, .jsonl.gz, .jsonl.zst or .parquet there, or fetch the file"
            raise InputError("is of a kind that is read from this machine alone", path=path, hint=hint)
        return [_whole(path)]
    except InputError as error:
        return [Piece(path=path, kind="problem", line=error.line or 1, message=str(error))]


def _whole(path: str) -> Piece:
    digest, size = hashlib.sha256(), 0
    for block in blocks(path):
        digest.update(block)
        size += len(block)
    return Piece(path=path, data=path, kind="whole", end=size, sha256=digest.hexdigest())


def _lines(path: str, size: int, folder: Path, is_whole: Callable[[bytes], bool]) -> list[Piece]:
    # Only a plain file can be read from its middle.
    is_copied = is_stream(path) or is_packed(path) or path.startswith(("http:", "https:"))
    data = copied(path, folder) if is_copied else path
    cutter = _Cutter(path, data, size, is_whole)
    for block in blocks(str(folder / data) if is_copied else path):
        cutter.take(block)
    found = cutter.finish()
    if cutter.is_document or cutter.is_blank:
        if is_copied or is_address(path):
            what = "holds one JSON document" if cutter.is_document else "is empty"
            raise InputError(what, path=path, hint="write one transcript a line")
        return [_whole(path)]
    return [piece.model_copy(update={"is_all": len(found) == 1}) for piece in found]


class _Cutter:
    """Takes the blocks of an input and cuts them at the first line start after each ``size`` bytes."""

    def __init__(self, path: str, data: str, size: int, is_whole: Callable[[bytes], bool]) -> None:
        self._path, self._data, self._size, self._ask = path, data, size, is_whole
        self._is_whole = False
        self._pieces: list[Piece] = []
        self._start = self._place = 0
        self._line = self._lines = 1
        self._digest = hashlib.sha256()
        self._head = b""
        self.is_blank = True

    @property
    def is_document(self) -> bool:
        """Whether the first line that says anything is a lone bracket."""
        return self._head.strip() in (b"[", b"{")

    def take(self, block: bytes) -> None:
        """Add a block."""
        if self.is_blank:
            # A byte order mark and blank lines say nothing.
            text = block.removeprefix(b"\xef\xbb\xbf") if not self._place else block
            self.is_blank = not text.strip()
            self._head = b"" if self.is_blank else text.lstrip().partition(b"\n")[0]
            self._is_whole = not self.is_blank and self._ask(self._head)
        while block:
            cut = self._cut_in(block)
            self._add(block[:cut])
            if cut < len(block) or self._is_at_cut(block, cut):
                self._close()
            block = block[cut:]

    def _cut_in(self, block: bytes) -> int:
        if self._is_whole:
            return len(block)
        due = max(0, self._start + self._size - 1 - self._place)
        found = block.find(b"\n", due) if due < len(block) else -1
        return found + 1 if found >= 0 else len(block)

    def _is_at_cut(self, block: bytes, cut: int) -> bool:
        is_long = self._place - self._start >= self._size
        return is_long and block[cut - 1 : cut] == b"\n" and not self._is_whole

    def _add(self, data: bytes) -> None:
        self._digest.update(data)
        self._place += len(data)
        self._lines += data.count(b"\n")

    def _close(self) -> None:
        self._pieces.append(
            Piece(
                path=self._path,
                data=self._data,
                kind="lines",
                start=self._start,
                end=self._place,
                line=self._line,
                sha256=self._digest.hexdigest(),
            )
        )
        self._start, self._line, self._digest = self._place, self._lines, hashlib.sha256()

    def finish(self) -> list[Piece]:
        """The pieces, the rest as the last of them."""
        if self._place > self._start:
            self._close()
        return self._pieces


def _row_groups(path: str) -> list[Piece]:
    from pytest_grounding.scale.columns import parquet_file

    found, first = [], 1
    with parquet_file(path) as file:
        for number in range(file.metadata.num_row_groups):
            group = file.metadata.row_group(number)
            # The bytes themselves are read by the worker; sizes, offsets and statistics tell files apart.
            told = f"{file.schema_arrow}{group.to_dict()}"
            digest = hashlib.sha256(told.encode()).hexdigest()
            place = {"start": number, "end": number + 1, "line": first}
            found.append(Piece(path=path, data=path, kind="rows", sha256=digest, **place))
            first += group.num_rows
    if first == 1:
        raise InputError("is empty", path=path, hint="write one transcript a row, or remove the file")
    return [piece.model_copy(update={"is_all": len(found) == 1}) for piece in found]


def packed_together(pieces: Iterable[Piece], size: int) -> Iterator[list[Piece]]:
    """Yield pieces in groups of about one size: a folder of small files is not one part a file."""
    group: list[Piece] = []
    total = 0
    for piece in pieces:
        is_alone = piece.kind == "rows" or piece.size >= size
        if group and (is_alone or total + piece.size > size or group[-1].kind == "rows"):
            yield group
            group, total = [], 0
        group.append(piece)
        total += piece.size
    if group:
        yield group

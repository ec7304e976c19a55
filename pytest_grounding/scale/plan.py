"""The plan of a run in parts: the split inputs, and a hash of everything that affects the results."""

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

from pytest_grounding._io.jsonio import content_hash
from pytest_grounding.engine import registry
from pytest_grounding.engine.pipeline import ENGINE_VERSION
from pytest_grounding.errors import DISTRIBUTION, InputError
from pytest_grounding.gate.waivers import read as read_waivers
from pytest_grounding.gate.waivers import today
from pytest_grounding.importers.importer import Gatherer
from pytest_grounding.importers.searching import find_files
from pytest_grounding.model.base import Model, without_surrogates
from pytest_grounding.settings import BUILD_SETTINGS, Settings, refuse_missing_folder

_BOM = b"\xef\xbb\xbf"
#: Bytes per part of JSON Lines; small runs have smaller parts, so that every core gets some.
LARGEST = 8 << 20
SMALLEST = 64 << 10
_PARTS = 64
#: Settings of the build that affect a part; the others only matter for the merged result.
_COUNTED = frozenset({"fail_on", "suite_confidence", "abstained", "waivers", "waivers_file", "record"})
_FILES = ("calibration", "corpus")  # settings that name a file whose content matters


class InputPiece(Model):
    """A run of one input."""

    path: str
    kind: Literal["lines", "whole", "problem"]
    start: int = 0
    end: int = 0
    line: int = 1
    sha256: str = ""
    message: str = ""
    is_all: bool = True
    is_joined: bool = False

    @property
    def size(self) -> int:
        """Its bytes, a measure of the work."""
        return self.end - self.start


class PlanPart(Model):
    """The unit of work of a worker."""

    index: int
    pieces: tuple[InputPiece, ...]
    settings: int = 0
    is_row: bool = False

    @property
    def description(self) -> str:
        """The part in words: the input and the position in it."""
        first = self.pieces[0]
        if self.is_row:
            return f"{first.path}:{first.line}"
        others = len({piece.path for piece in self.pieces}) - 1
        more = f" and {others} more" if others else ""
        return f"part {self.index + 1} ({first.path} from line {first.line}{more})"

    def halves(self, index: int) -> tuple[PlanPart, ...]:
        """The part in two, numbered from an index on; a row in one; () where it cannot be cut."""
        first, middle = self.pieces[0], len(self.pieces) // 2
        groups = [self.pieces[:middle], self.pieces[middle:]]
        if not middle:
            is_whole = self.is_row or first.kind != "lines" or first.is_joined
            groups = [] if is_whole else [(piece,) for piece in _halves_of(first)]
        made = enumerate(groups, start=index)
        told = {"settings": self.settings, "is_row": len(groups) == 1}
        return tuple(PlanPart(index=number, pieces=pieces, **told) for number, pieces in made)


def _halves_of(piece: InputPiece) -> list[InputPiece]:
    with open(piece.path, "rb") as stream:
        stream.seek(piece.start)
        text = stream.read(piece.size)
    if hashlib.sha256(text).hexdigest() != piece.sha256:
        return []
    middle = len(text) // 2
    cut = text.find(b"\n", middle) + 1
    if cut in (0, len(text.rstrip()) + 1, len(text)):
        cut = text.rfind(b"\n", 0, middle) + 1
    found, start, line = [], piece.start, piece.line
    for block in filter(None, (text[:cut], text[cut:])):
        digest, end = hashlib.sha256(block).hexdigest(), start + len(block)
        place = {"start": start, "end": end, "line": line, "sha256": digest, "is_all": False}
        found.append(piece.model_copy(update=place))
        start, line = end, line + block.count(b"\n")
    return found


def part_file(index: int) -> str:
    """Name of the file of a part in the work folder."""
    return f"{index:06d}.jsonl"


class Plan(Model):
    """A run in parts."""

    hash: str
    ingredients: Mapping[str, str]
    parts: tuple[PlanPart, ...]
    values: tuple[Mapping[str, Any], ...]
    sources: tuple[str, ...] = ()
    folder: str
    root: str

    @cached_property
    def settings(self) -> tuple[Settings, ...]:
        """The settings of ``values``."""
        return tuple(Settings(**values) for values in self.values)

    @property
    def place(self) -> Path:
        """The work folder."""
        return Path(self.folder)

    @property
    def shown(self) -> str:
        """The work folder for display: relative to the folder of the run, if it is below."""
        place = Path(self.folder)
        return str(place.relative_to(self.root)) if place.is_relative_to(self.root) else self.folder


def make_plan(
    paths: Sequence[str],
    settings: Settings,
    folder: Path,
    *,
    settings_for: Callable[[str], Settings] | None = None,
    sources: Sequence[str] = (),
    whole: Collection[str] = (),
) -> Plan:
    """Split the inputs into parts, and hash everything that affects the results."""
    refuse_missing_folder(settings)
    inputs = _inputs_of(paths)
    files = [Path(item) for item in inputs if isinstance(item, str)]
    total = sum(file.stat().st_size for file in files if file.is_file())
    size = max(SMALLEST, min(LARGEST, total // _PARTS))
    values: list[dict[str, Any]] = [settings.as_dict()]
    pieces: list[tuple[int, InputPiece]] = []
    for item in inputs:
        own = settings if settings_for is None or isinstance(item, InputPiece) else settings_for(item)
        given = own.as_dict()
        if given not in values:
            values.append(given)
        if isinstance(item, InputPiece):
            found = [item]
        else:
            found = pieces_of_file(item, size, _gathers_in(own, item in whole))
        pieces += [(values.index(given), piece) for piece in found]
    parts: list[PlanPart] = []
    for number, group in groupby(pieces, key=lambda pair: pair[0]):
        for together in _grouped_pieces((piece for _, piece in group), size):
            parts.append(PlanPart(index=len(parts), pieces=tuple(together), settings=number))
    chosen = _ingredients([Settings(**given) for given in values])
    ingredients = {**chosen, "sources": ", ".join(sources), **_hashes(parts)}
    return Plan(
        hash=content_hash(ingredients),
        ingredients=ingredients,
        parts=tuple(parts),
        values=tuple(values),
        sources=tuple(sources),
        folder=str(folder.resolve()),
        root=str(Path.cwd()),
    )


def _inputs_of(paths: Sequence[str]) -> list[str | InputPiece]:
    found: dict[str, str | InputPiece] = {}
    for path in paths:
        try:
            found.update((name, name) for name in find_files(path))
        except InputError as error:
            found[f"{path}\n"] = _problem_of_input(path, error)
    return list(found.values())


def _problem_of_input(path: str, error: InputError) -> InputPiece:
    return InputPiece(path=path, kind="problem", line=error.line or 1, message=str(error))


def _gathers_in(settings: Settings, always: bool) -> Callable[[bytes], bool]:
    importers = registry.importers(settings)

    def gathers(line: bytes) -> bool:
        if always:
            return True
        try:
            value = json.loads(line)
            importer = importers.of(value)
            return isinstance(importer, Gatherer) and importer.belongs(value)
        except (ValueError, RecursionError, InputError):
            # Its reader reports the problem.
            return False

    return gathers


def _hashes(parts: Sequence[PlanPart]) -> dict[str, str]:
    told: dict[str, list[Any]] = {}
    for part in parts:
        for piece in part.pieces:
            shown = [piece.kind, piece.start, piece.end, piece.line, piece.sha256, piece.message]
            told.setdefault(piece.path, []).append(shown)
    found = {f"input {path}": content_hash(pieces) for path, pieces in told.items()}
    return {**found, "order of the inputs": content_hash(list(told))}


def _ingredients(chosen: Sequence[Settings]) -> dict[str, str]:
    """What affects the results besides the inputs: the engine, the settings, and the files they name."""
    found = {"engine": ENGINE_VERSION, "package": version(DISTRIBUTION), **_extensions()}
    usual = Settings().as_dict()
    for number, settings in enumerate(chosen):
        suffix = f" (folder {number})" if number else ""
        for name, value in settings.as_dict().items():
            if value != usual[name] and (name not in BUILD_SETTINGS or name in _COUNTED):
                found[f"setting {name}{suffix}"] = str(value)
        for name, told in _files_of_settings(settings).items():
            found[f"{name}{suffix}"] = told
    return found


def _files_of_settings(settings: Settings) -> dict[str, str]:
    found = {}
    if settings.glossary:
        found["glossary"] = content_hash(settings.glossary_rules)
    if settings.known_lines:
        found["known"] = content_hash(list(settings.known_lines))
    for name in _FILES:
        path = getattr(settings, name)
        if path and Path(path).is_file():
            found[f"file of {name}"] = _hash_of_path(path)
    if (file := settings.waivers_file) and settings.waivers != "off":
        found["waivers"] = _hash_of_path(file)
        if Path(file).is_file() and any(item.expires for item in read_waivers(file)):
            # A waiver that expires tomorrow changes verdicts then.
            found["day of the waivers"] = today()
    if (settings.scorer != "builtin" or settings.judge) and settings.record == "none":
        found["cassette"] = _hash_of_path(settings.cassette)
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


def _hash_of_path(path: str) -> str:
    if Path(path).is_dir():
        below = []
        for folder, _, names in os.walk(path):
            files = [Path(folder, name) for name in names]
            below += [(os.path.relpath(file, path), file.stat().st_size) for file in files]
        return content_hash(sorted(below))
    return hash_of_file(path) if Path(path).is_file() else "none"


def hash_of_file(path: str | Path) -> str:
    """SHA-256 of the bytes of a file."""
    with open(path, "rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def unreadable(path: str, error: Exception) -> InputError:
    """The message for an unreadable input."""
    if isinstance(error, FileNotFoundError):
        return InputError("is no longer there", path=path, hint="put it back, or leave it out")
    why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return InputError(f"cannot be read ({why})", path=path)


def pieces_of_file(path: str, size: int, gathers: Callable[[bytes], bool]) -> list[InputPiece]:
    """The pieces of one input."""
    name = without_surrogates(path)[0]
    try:
        if name != path:
            hint = "rename it, or leave --jobs out"
            raise InputError("has a name that is not Unicode", path=name, hint=hint)
        if not Path(path).is_file():
            hint = "write it into a file, or leave out --jobs and GROUNDING_JOBS"
            raise InputError("cannot be read in parts", path=path, hint=hint)
        head = b""
        if path.lower().endswith((".jsonl", ".ndjson")):
            with open(path, "rb") as stream:
                head = next(filter(None, (line.removeprefix(_BOM).strip() for line in stream)), b"")
        # A lone bracket starts one document over many lines.
        if head in (b"", b"[", b"{"):
            return [_whole_file(path)]
        if gathers(head):
            return [_whole_file(path, "lines").model_copy(update={"is_joined": True})]
        return _cut_file(path, size)
    except OSError as error:
        return [_problem_of_input(path, unreadable(path, error))]
    except InputError as error:
        return [_problem_of_input(name, error)]


def _whole_file(path: str, kind: Literal["lines", "whole"] = "whole") -> InputPiece:
    return InputPiece(path=path, kind=kind, end=Path(path).stat().st_size, sha256=hash_of_file(path))


def _cut_file(path: str, size: int) -> list[InputPiece]:
    found: list[InputPiece] = []
    start, line = 0, 1
    with open(path, "rb") as stream:
        while block := stream.read(size) + stream.readline():
            end, digest = start + len(block), hashlib.sha256(block).hexdigest()
            found.append(InputPiece(path=path, kind="lines", start=start, end=end, line=line, sha256=digest))
            start, line = end, line + block.count(b"\n")
    return [piece.model_copy(update={"is_all": len(found) == 1}) for piece in found]


def _grouped_pieces(pieces: Iterable[InputPiece], size: int) -> Iterator[list[InputPiece]]:
    """Group pieces to about one size: a folder of small files is not one part per file."""
    group: list[InputPiece] = []
    for piece in pieces:
        total = sum(item.size for item in (*group, piece))
        if group and total > size:
            yield group
            group = []
        group.append(piece)
    if group:
        yield group

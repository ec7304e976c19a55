"""What a run in parts is about: its inputs cut into parts, and all that their results depend on."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from pytest_grounding._jsonio import content_hash
from pytest_grounding.model._base import Model
from pytest_grounding.scale.result import Place
from pytest_grounding.settings import Settings

#: Which lines of part files hold their transcript.
Keep = Literal["none", "failed", "all"]

#: The rows that a part names as its worst.
WORST = 50


class Piece(Model):
    """A run of one input.

    Attributes:
        path: the input, as messages and verdicts name it.
        data: where its bytes are read: a path, an address, or a file of the work folder (``inputs/...``).
        kind: ``lines`` of JSON Lines, a ``whole`` file, ``rows`` of Parquet, or a ``problem``: no input.
        start: first byte, or row group.
        end: one past the last one.
        line: 1-based line or row on which it begins.
        sha256: of the bytes, or for Parquet of what the file says of its row groups.
        message: why there is no input.
        is_all: it holds all of its input.
    """

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
    """What one worker does at a time.

    Attributes:
        index: position among all parts.
        pieces: what it holds, in order.
        settings: index of its settings among those of the plan.
    """

    index: int
    pieces: tuple[Piece, ...]
    settings: int = 0

    @property
    def place(self) -> Place:
        """Where it stands."""
        first = self.pieces[0]
        return Place(
            index=self.index,
            path=first.path,
            start=first.start,
            end=self.pieces[-1].end if len(self.pieces) == 1 else first.end,
            line=first.line,
            inputs=len({piece.path for piece in self.pieces}),
        )

    @property
    def description(self) -> str:
        """The part in words: the input and where in it."""
        first = self.pieces[0]
        others = len({piece.path for piece in self.pieces}) - 1
        more = f" and {others} more" if others else ""
        return f"part {self.index + 1} ({first.path} from line {first.line}{more})"


class Plan(Model):
    """A run in parts.

    Attributes:
        hash: of the ingredients; two plans with one hash have the same results.
        ingredients: what the results depend on -> its value or hash, for people who ask what differs.
        parts: in the order of the inputs.
        values: settings by name, for each folder of inputs that has its own; the first are the run's.
        sources: only what comes from these counts.
        keep: which lines hold their transcript: ``none``, ``failed`` ones, or ``all``.
        compress: how part files are packed: not at all, or by ``zst``.
        worst: rows that a part names as its worst.
        folder: the work folder.
        root: the folder that relative paths are meant from.
    """

    hash: str
    ingredients: Mapping[str, str]
    parts: tuple[Part, ...]
    values: tuple[Mapping[str, Any], ...]
    sources: tuple[str, ...] = ()
    keep: Keep = "none"
    compress: Literal["", "zst"] = ""
    worst: int = WORST
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


#: Names of ingredients: the size of the parts in bytes; each input has one, with its path behind this.
PART_SIZE = "part size"
INPUT = "input "


def hash_of(ingredients: Mapping[str, str]) -> str:
    """The hash of a plan."""
    return content_hash(dict(ingredients))


def differences(before: Mapping[str, str], after: Mapping[str, str]) -> list[str]:
    """What differs between the ingredients of two plans, in words; the size of the parts comes first.

    Parts of another size begin at other places: whether an input has changed as well cannot be told then.
    """
    found = []
    is_cut_anew = before.get(PART_SIZE) != after.get(PART_SIZE)
    for name in sorted(before.keys() | after.keys(), key=lambda name: (name != PART_SIZE, name)):
        old, new = before.get(name), after.get(name)
        if old == new:
            continue
        if old is None:
            found.append(f"{name} is new")
        elif new is None:
            found.append(f"{name} is gone")
        elif len(old) < 40 and len(new) < 40:
            found.append(f"{name} was {old} and is {new}")
        elif is_cut_anew and name.startswith(INPUT):
            found.append(f"{name} is cut at other places, or has changed")
        else:
            found.append(f"{name} has changed")
    return found

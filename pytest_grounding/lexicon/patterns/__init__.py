r"""Long patterns, kept as files beside this one, each with its reason and examples, which are tests.

A file starts with its purpose. Then come pieces, with names in round brackets, and patterns, with
names in square brackets::

    # How answers decline.

    (telling) what sources do
        mention|say|state

    [silent] the sources lack it
    yes: The sources do not say when it opened.
    yes: These passages never mention a fee.
    no: The passages say nothing new.
        (?:sources|passages) (?:do not|never) {telling}\b

Lines of a pattern are indented and joined without their indentation; blanks within a line count, and
``[ ]`` is a blank at the end of a line, ``\n`` in an example a line break. ``{name}`` refers to a piece of
the file or of ``pieces.txt``, ``{file.name}`` to the words of a section of the lexicon. Case is
ignored. A pattern whose name starts with ``^`` is matched at the start of a text; others are searched. A
line ``@end …`` is appended to each pattern of the file.

The letters that a pattern requires are derived from it: ``python -m training.gates`` writes ``gates.json``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

from pytest_grounding._io.lazy_patterns import Needs, Parts, gated, lazy
from pytest_grounding.lexicon import ordered

FOLDER = Path(__file__).parent
SHARED = "pieces"  # the file of pieces available to every other file
_REFERENCE = lazy(r"\{([a-z_][a-z0-9_.]*)\}")
_HEADING = lazy(r"[\[(](\^?)([a-z0-9_]+)[\])] +(.*)")


@dataclass(frozen=True, slots=True)
class PatternEntry:
    """A pattern as written in its file."""

    name: str  # in brackets
    reason: str  # the text after the name
    matching: tuple[str, ...]  # examples that it matches
    others: tuple[str, ...]  # examples that it does not match
    body: str  # the regular expression, with references
    is_at_start: bool  # it is matched at the start of a text


@dataclass(frozen=True, slots=True)
class Patterns:
    """One file of patterns."""

    entries: Mapping[str, PatternEntry]  # its patterns, in order
    pieces: Mapping[str, str]  # its own pieces
    end: str  # appended to each pattern


@cache
def parts(file: str) -> Parts:
    """The patterns of a file; one match is enough."""
    return Parts(partial(_lazy_parts, file), re.IGNORECASE)


def _lazy_parts(file: str) -> list[tuple[Needs, Callable[[], str]]]:
    return [(_needs(file, name), partial(source, file, name)) for name in names(file)]


@cache
def pattern(file: str, name: str) -> re.Pattern[str]:
    """A pattern, compiled for the first text that contains the letters it requires."""
    return gated(partial(_needs, file, name), partial(source, file, name), re.IGNORECASE)


class PatternFile:
    """The patterns of a file by name, as attributes; each as `pattern` returns it."""

    def __init__(self, file: str) -> None:
        self._file = file

    def __getattr__(self, name: str) -> re.Pattern[str]:
        if name not in names(self._file):
            raise AttributeError(f"{self._file}.txt has no pattern [{name}]")
        found = pattern(self._file, name)
        setattr(self, name, found)
        return found


@cache
def plain(file: str, name: str) -> re.Pattern[str]:
    """The same for callers that have already checked the letters."""
    return lazy(partial(source, file, name), re.IGNORECASE)


def source(file: str, name: str) -> str:
    """A pattern as a regular expression, with all references replaced."""
    held = patterns_of(file)
    entry = held.entries[name]
    body = _filled(entry.body, file)
    return f"(?:{body}){held.end}" if held.end else body


def _filled(body: str, file: str) -> str:
    return _REFERENCE.sub(lambda found: _piece(file, found[1]), body)


@cache
def _piece(file: str, name: str) -> str:
    words, _, section = name.partition(".")
    if section:
        return "(?:" + "|".join(re.escape(word).replace("\\ ", " ") for word in ordered(words, section)) + ")"
    own = patterns_of(file).pieces
    body = own[name] if name in own else patterns_of(SHARED).pieces[name]
    return f"(?:{_filled(body, file if name in own else SHARED)})"


@cache
def _gates() -> dict[str, dict[str, list[list[str]]]]:
    """File -> pattern -> groups of letters; every match contains one of each group."""
    held: dict[str, dict[str, list[list[str]]]] = json.loads((FOLDER / "gates.json").read_text("utf-8"))
    return held


def _needs(file: str, name: str) -> Needs:
    return tuple(map(tuple, _gates()[file][name]))


def names(file: str) -> Collection[str]:
    """The names of the patterns of a file, without reading it."""
    return _gates()[file].keys()


@cache
def patterns_of(file: str) -> Patterns:
    """The content of a file."""
    entries: dict[str, PatternEntry] = {}
    pieces: dict[str, str] = {}
    end = ""
    for number, block in _blocks_of_file((FOLDER / f"{file}.txt").read_text(encoding="utf-8").splitlines()):
        if block[0].startswith("@end "):
            end = block[0].removeprefix("@end ")
            continue
        heading = _HEADING.fullmatch(block[0])
        if heading is None or heading[2] in entries or heading[2] in pieces:
            raise ValueError(f"{file}.txt:{number}: neither a pattern nor a piece of a new name")
        start, name, reason = heading.groups()
        body = "".join(line.strip() for line in block[1:] if line[:1] == " ")
        if block[0][0] == "(":
            pieces[name] = body
        else:
            matching, others = _lines_with("yes: ", block), _lines_with("no: ", block)
            entries[name] = PatternEntry(name, reason, matching, others, body, bool(start))
    return Patterns(entries, pieces, end)


def _lines_with(mark: str, block: list[str]) -> tuple[str, ...]:
    return tuple(line.removeprefix(mark).replace("\\n", "\n") for line in block if line.startswith(mark))


def _blocks_of_file(lines: list[str]) -> list[tuple[int, list[str]]]:
    """Headings and settings with their line numbers, each with the lines that belong to it."""
    blocks: list[tuple[int, list[str]]] = []
    for number, line in enumerate(lines, start=1):
        if not line.strip() or line[0] == "#":
            continue
        if line[0] == " " or line.startswith(("yes: ", "no: ")):
            blocks[-1][1].append(line)
        else:
            blocks.append((number, [line]))
    return blocks

r"""Long patterns, kept as files beside this one: each with its reason and with examples that are tests.

A file begins with what it is for. Then come pieces, whose names stand in round brackets, and patterns, whose
names stand in square ones::

    # How answers decline.

    (telling) what sources do
        mention|say|state

    [silent] the sources do not tell
    yes: The sources do not say when it opened.
    yes: These passages never mention a fee.
    no: The passages say nothing new.
        (?:sources|passages) (?:do not|never) {telling}\b

Lines of a pattern are indented and joined without their indentation; blanks within a line count, and
``[ ]`` is a blank at an end of a line, ``\n`` in an example a line break. ``{name}`` stands for a piece of
the file or of ``pieces.txt``, ``{file.name}`` for the words of a section of the lexicon. Upper and lower
case are one. A pattern whose name begins with ``^`` is asked at the start of a text; others are searched. A
line ``@end …`` gives what is put behind each pattern of the file.

The letters that a pattern needs are worked out from it: ``python -m training.gates`` writes ``gates.json``.
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
#: The file of pieces that every other file may use.
SHARED = "pieces"
_REFERENCE = lazy(r"\{([a-z_][a-z0-9_.]*)\}")
_HEADING = lazy(r"[\[(](\^?)([a-z0-9_]+)[\])] +(.*)")


@dataclass(frozen=True, slots=True)
class Entry:
    """One pattern, as its file has it.

    Attributes:
        name: in brackets.
        reason: what stands behind the name.
        matching: texts that it matches.
        others: texts that it does not match.
        body: the regular expression, with references.
        is_at_start: it is asked at the start of a text.
    """

    name: str
    reason: str
    matching: tuple[str, ...]
    others: tuple[str, ...]
    body: str
    is_at_start: bool


@dataclass(frozen=True, slots=True)
class Patterns:
    """One file of patterns.

    Attributes:
        entries: its patterns, in order.
        pieces: its own pieces.
        end: what is put behind each pattern.
    """

    entries: Mapping[str, Entry]
    pieces: Mapping[str, str]
    end: str


@cache
def parts(file: str) -> Parts:
    """The patterns of a file, of which one is enough."""
    return Parts(partial(_parts, file), re.IGNORECASE)


def _parts(file: str) -> list[tuple[Needs, Callable[[], str]]]:
    return [(_needs(file, name), partial(source, file, name)) for name in names(file)]


@cache
def pattern(file: str, name: str) -> re.Pattern[str]:
    """One pattern, compiled when the first text is asked that holds the letters it needs."""
    return gated(partial(_needs, file, name), partial(source, file, name), re.IGNORECASE)


@cache
def plain(file: str, name: str) -> re.Pattern[str]:
    """The same for those who know already that its letters stand there."""
    return lazy(partial(source, file, name), re.IGNORECASE)


def source(file: str, name: str) -> str:
    """A pattern as a regular expression, with all that it refers to."""
    held = patterns_of(file)
    entry = held.entries[name]
    body = _filled(entry.body, file)
    return f"(?:{body}){held.end}" if held.end else body


def piece(name: str) -> str:
    """A piece of ``pieces.txt`` as a regular expression."""
    return _piece(SHARED, name)


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
    """File -> pattern -> groups of letters, of each of which one stands in what the pattern matches."""
    held: dict[str, dict[str, list[list[str]]]] = json.loads((FOLDER / "gates.json").read_text("utf-8"))
    return held


def _needs(file: str, name: str) -> Needs:
    return tuple(map(tuple, _gates()[file][name]))


def names(file: str) -> Collection[str]:
    """The names of the patterns of a file, which is not read for them."""
    return _gates()[file].keys()


@cache
def patterns_of(file: str) -> Patterns:
    """What a file holds."""
    entries: dict[str, Entry] = {}
    pieces: dict[str, str] = {}
    end = ""
    for number, block in _blocks((FOLDER / f"{file}.txt").read_text(encoding="utf-8").splitlines()):
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
            matching, others = _said("yes: ", block), _said("no: ", block)
            entries[name] = Entry(name, reason, matching, others, body, bool(start))
    return Patterns(entries, pieces, end)


def _said(mark: str, block: list[str]) -> tuple[str, ...]:
    return tuple(line.removeprefix(mark).replace("\\n", "\n") for line in block if line.startswith(mark))


def _blocks(lines: list[str]) -> list[tuple[int, list[str]]]:
    """Headings and settings, each with the lines that belong to it and the number of its own."""
    blocks: list[tuple[int, list[str]]] = []
    for number, line in enumerate(lines, start=1):
        if not line.strip() or line[0] == "#":
            continue
        if line[0] == " " or line.startswith(("yes: ", "no: ")):
            blocks[-1][1].append(line)
        else:
            blocks.append((number, [line]))
    return blocks

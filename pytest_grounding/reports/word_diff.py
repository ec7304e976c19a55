"""Two texts compared word by word, as pieces for a page and as lines for a terminal."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from pytest_grounding.reports.terminal import safe

#: Comparing word by word is quadratic at its worst; longer texts are shown without marks.
_LONGEST = 20_000
#: An unchanged stretch above this many characters is shown by its ends.
_STRETCH, _END = 240, 80
_MARGIN = 4
_GAP = " | "
#: How what stands in one text alone is marked: in colour, and without, as git does.
_COLOURS = {"old": ("\x1b[31;9m", "\x1b[0m"), "new": ("\x1b[32;1m", "\x1b[0m")}
_SIGNS = {"old": ("[-", "-]"), "new": ("{+", "+}")}
_ESCAPES = re.compile(r"\x1b\[[0-9;]*m")


class Piece(NamedTuple):
    """A stretch of a text, and whether it is in this text alone."""

    text: str
    is_changed: bool


class _Atom(NamedTuple):
    """What no line break may part: a word with the marks around its parts, or one wide character."""

    pieces: tuple[Piece, ...]
    after_blank: bool

    @property
    def columns(self) -> int:
        return sum(columns(piece.text) for piece in self.pieces)


def marked(old: str, new: str) -> tuple[list[Piece], list[Piece]]:
    """Two texts as pieces, those that stand in one of them alone marked; compared word by word."""
    if not old or not new or len(old) + len(new) > _LONGEST:
        return [Piece(old, False)] if old else [], [Piece(new, False)] if new else []
    left, right = _words(old), _words(new)
    before: list[Piece] = []
    after: list[Piece] = []
    for kind, i, j, k, m in SequenceMatcher(None, left, right, autojunk=False).get_opcodes():
        if i < j:
            before.append(Piece("".join(left[i:j]), kind != "equal"))
        if k < m:
            after.append(Piece("".join(right[k:m]), kind != "equal"))
    return _joined(before), _joined(after)


def _words(text: str) -> list[str]:
    return re.findall(r"\w+|\s+|[^\w\s]", text)


def _joined(pieces: list[Piece]) -> list[Piece]:
    found: list[Piece] = []
    for number, piece in enumerate(pieces):
        between = 0 < number < len(pieces) - 1 and found[-1].is_changed and pieces[number + 1].is_changed
        is_changed = piece.is_changed or (between and piece.text.isspace())
        if found and found[-1].is_changed is is_changed:
            found[-1] = Piece(found[-1].text + piece.text, is_changed)
        else:
            found.append(Piece(piece.text, is_changed))
    return found


def columns(text: str) -> int:
    """Columns that a text takes in a terminal; escape sequences for colour take none."""
    return sum(map(_columns, _ESCAPES.sub("", text)))


def _columns(character: str) -> int:
    if character < "\u0300":
        return 1
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def diff_lines(old: str, new: str, *, width: int, wide: int, colour: bool = False) -> Iterator[str]:
    """Old and new with the words marked that stand in one of them alone."""
    before, after = marked(safe(old), safe(new))
    sides = [_atoms("old", before, colour), _atoms("new", after, colour)]
    column = (width - _MARGIN - len(_GAP)) // 2
    longest = max(atom.columns for side in sides for atom in side)
    if width >= wide and longest <= column:
        left, right = (_filled(side, column, name, colour) for side, name in zip(sides, _SIGNS, strict=True))
        for number in range(max(len(left), len(right))):
            one = left[number] if number < len(left) else ""
            other = right[number] if number < len(right) else ""
            pad = " " * (column - columns(one))
            yield f"{' ' * _MARGIN}{one}{pad}{_GAP}{other}".rstrip()
        return
    for side, name in zip(sides, _SIGNS, strict=True):
        for line in _filled(side, width - _MARGIN, name, colour):
            yield f"{' ' * _MARGIN}{line}"


def fit(text: str, width: int) -> Iterator[str]:
    """A text as lines of a terminal, broken between words; further lines are indented."""
    for line in text.split("\n"):
        if not width or columns(line) <= width:
            yield line
            continue
        start = len(line) - len(line.lstrip())
        pieces = [Piece(line[start:], False)]
        rest = _filled(list(_split(pieces)), max(width - start - 2, 20), "", colour=False)
        for number, filled in enumerate(rest):
            yield f"{' ' * (start + 2 * bool(number))}{filled}"


def cut(text: str, longest: int) -> str:
    """A text of at most so many characters, cut after a word."""
    if len(text) <= longest:
        return text
    head = text[: max(longest - 3, 0)]
    blank = head.rfind(" ")
    # An endless word is cut where it must be.
    return f"{head[:blank] if blank > len(head) // 2 else head}..."


def _atoms(name: str, pieces: Sequence[Piece], colour: bool) -> list[_Atom]:
    start, end = ("", "") if colour else _SIGNS[name]
    signed = [
        Piece(f"{start}{piece.text}{end}" if piece.is_changed else _shortened(piece.text), piece.is_changed)
        for piece in pieces
    ]
    return list(_split([Piece(f'{name}: "', False), *signed, Piece('"', False)]))


def _shortened(text: str) -> str:
    if len(text) <= _STRETCH:
        return text
    head, tail = text[:_END].rpartition(" ")[0], text[-_END:].partition(" ")[2]
    return f"{head or text[:_END]} [...] {tail or text[-_END:]}"


def _split(pieces: Sequence[Piece]) -> Iterator[_Atom]:
    word: list[Piece] = []
    blank = False
    for piece in pieces:
        for token in re.findall(r"\s+|[^\s\u1100-\uffff]+|[\u1100-\uffff]", piece.text):
            is_wide = not token.isspace() and _columns(token[0]) == 2
            if word and (token.isspace() or is_wide):
                yield _Atom(tuple(word), blank)
                word, blank = [], False
            if token.isspace():
                blank = True
            elif is_wide:
                yield _Atom((Piece(token, piece.is_changed),), blank)
                blank = False
            else:
                word.append(Piece(token, piece.is_changed))
    if word:
        yield _Atom(tuple(word), blank)


def _filled(atoms: Sequence[_Atom], width: int, name: str, colour: bool) -> list[str]:
    lines: list[list[Piece]] = [[]]
    taken = 0
    for atom in atoms:
        blank = int(atom.after_blank and taken > 0)
        if taken and taken + blank + atom.columns > width:
            lines.append([])
            taken, blank = 0, 0
        if blank:
            lines[-1].append(Piece(" ", lines[-1][-1].is_changed and atom.pieces[0].is_changed))
        lines[-1] += atom.pieces
        taken += blank + atom.columns
    return [_painted(line, name, colour) for line in lines]


def _painted(pieces: Sequence[Piece], name: str, colour: bool) -> str:
    found = []
    for piece in _joined(list(pieces)):
        start, end = _COLOURS[name] if colour and piece.is_changed else ("", "")
        found.append(f"{start}{piece.text}{end}")
    return "".join(found)

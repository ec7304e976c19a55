"""Two texts compared word by word, as pieces for a page and as lines for a terminal."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import NamedTuple

from pytest_grounding.reports.terminal import safe

#: Comparing word by word is quadratic at its worst; longer texts are shown without marks.
_LONGEST = 20_000
#: An unchanged stretch above this many characters is shown by its ends.
_STRETCH, _END = 240, 80
#: How what stands in one text alone is marked: in colour, and without, as git does.
_COLOURS = {"old": ("\x1b[31;9m", "\x1b[0m"), "new": ("\x1b[32;1m", "\x1b[0m")}
_SIGNS = {"old": ("[-", "-]"), "new": ("{+", "+}")}


class Piece(NamedTuple):
    """A stretch of a text, and whether it is in this text alone."""

    text: str
    is_changed: bool


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


def diff_lines(old: str, new: str, *, colour: bool = False) -> Iterator[str]:
    """Old, then new, with the words marked that stand in one of them alone: in colour, or as git does."""
    for name, pieces in zip(_SIGNS, marked(safe(old), safe(new)), strict=True):
        start, end = (_COLOURS if colour else _SIGNS)[name]
        shown = (f"{start}{text}{end}" if changed else _shortened(text) for text, changed in pieces)
        yield f'    {name}: "{"".join(shown)}"'


def _shortened(text: str) -> str:
    if len(text) <= _STRETCH:
        return text
    head, tail = text[:_END].rpartition(" ")[0], text[-_END:].partition(" ")[2]
    return f"{head or text[:_END]} [...] {tail or text[-_END:]}"


def fit(text: str, width: int) -> Iterator[str]:
    """A text as lines of a terminal, broken between words; further lines are indented."""
    for line in text.split("\n"):
        if not width or len(line) <= width:
            yield line
            continue
        indent = " " * (len(line) - len(line.lstrip()))
        yield from textwrap.wrap(
            line.strip(),
            max(width, len(indent) + 22),
            initial_indent=indent,
            subsequent_indent=f"{indent}  ",
            break_long_words=False,
            break_on_hyphens=False,
        )


def cut(text: str, longest: int) -> str:
    """A text of at most so many characters, cut after a word."""
    if len(text) <= longest:
        return text
    head = text[: max(longest - 3, 0)]
    blank = head.rfind(" ")
    # An endless word is cut where it must be.
    return f"{head[:blank] if blank > len(head) // 2 else head}..."

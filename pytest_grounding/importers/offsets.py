"""Offsets of other people's spans: in which unit they count, and where they lie in characters."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate

CODE_POINTS = "code points"
UTF8 = "UTF-8 bytes"
UTF16 = "UTF-16 units"
UNITS = (CODE_POINTS, UTF8, UTF16)


@dataclass(frozen=True, slots=True)
class Span:
    """A span as it was recorded, in the provider's unit, with the end exclusive."""

    start: int
    end: int
    text: str | None = None
    contains: str | None = None
    bases: tuple[int, ...] = (0,)


@dataclass(frozen=True, slots=True)
class Fit:
    """Where spans lie in the answer, in code points, and the indexes of those that do not fit."""

    unit: str
    places: tuple[tuple[int, int], ...]
    misfits: tuple[int, ...]


def fit(answer: str, spans: Sequence[Span], documented: str = CODE_POINTS) -> Fit:
    """Find the unit in which the spans count, and their places in code points."""
    tried: list[Fit] = []
    for unit in dict.fromkeys((documented, *UNITS)):
        tried.append(_in_unit(answer, spans, unit))
        if not any(spans[index].text or spans[index].contains for index in tried[-1].misfits):
            return tried[-1]
    return min(tried, key=lambda found: len(found.misfits))


def _in_unit(answer: str, spans: Sequence[Span], unit: str) -> Fit:
    at = position_reader(answer, unit)
    places, misfits = [], []
    for index, span in enumerate(spans):
        place, fits = _place(answer, span, at)
        places.append(place)
        if not fits:
            misfits.append(index)
    return Fit(unit, tuple(places), tuple(misfits))


Reader = Callable[[int, int], "int | None"]


def _place(answer: str, span: Span, at: Reader) -> tuple[tuple[int, int], bool]:
    first: tuple[int, int] | None = None
    for base in span.bases:
        start, end = at(base, span.start), at(base, span.end)
        if start is None or end is None or end < start:
            continue
        first = first or (start, end)
        words = answer[start:end]
        if (not span.text or words == span.text) and (not span.contains or span.contains in words):
            return (start, end), True
    # Kept as recorded: whoever validates says that it lies outside, or holds other words.
    return first or (span.start, span.end), False


def position_reader(answer: str, unit: str) -> Reader:
    """A function from a base (code points) and an offset (in the unit) to a code point, or None."""
    length = len(answer)
    if unit == CODE_POINTS or answer.isascii():
        return lambda base, offset: base + offset if 0 <= offset <= length - base else None
    width = _utf8_width if unit == UTF8 else _utf16_width
    sums = list(accumulate(map(width, answer), initial=0))

    def at(base: int, offset: int) -> int | None:
        if offset < 0 or not 0 <= base <= length:
            return None
        wanted = sums[base] + offset
        index = bisect_left(sums, wanted)
        return index if index <= length and sums[index] == wanted else None

    return at


def _utf8_width(char: str) -> int:
    return 1 if char < "\x80" else 2 if char < "\u0800" else 3 if char < "\U00010000" else 4


def _utf16_width(char: str) -> int:
    return 1 if char < "\U00010000" else 2

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
    """A span as it was recorded.

    Attributes:
        start: first position, in the provider's unit, from 0.
        end: one past the last position.
        text: the words that it covers, where the recording says so.
        contains: words that must stand within it, where that is all that is known.
        bases: positions of the answer, in code points, that it may count from; the first that fits.
    """

    start: int
    end: int
    text: str | None = None
    contains: str | None = None
    bases: tuple[int, ...] = (0,)

    @property
    def checks(self) -> bool:
        """Whether it carries text to check it by."""
        return bool(self.text) or bool(self.contains)


@dataclass(frozen=True, slots=True)
class Fit:
    """Where spans lie in the answer.

    Attributes:
        unit: the unit in which they were read.
        places: start and end of each span, in code points; outside of the answer where it does not fit.
        misfits: indexes of the spans whose text is not at its place, or that lie outside.
    """

    unit: str
    places: tuple[tuple[int, int], ...]
    misfits: tuple[int, ...]


def fit(answer: str, spans: Sequence[Span], documented: str = CODE_POINTS) -> Fit:
    """Find the unit in which the spans count, and their places in code points."""
    best: Fit | None = None
    for unit in dict.fromkeys((documented, *UNITS)):
        found = _in_unit(answer, spans, unit)
        wrong = [index for index in found.misfits if spans[index].checks]
        if not wrong:
            return found
        if best is None or len(found.misfits) < len(best.misfits):
            best = found
    assert best is not None
    return best


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
    """The span's place from the first base that fits, and whether one did."""
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

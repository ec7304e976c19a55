"""Long passages in windows: whole sentences, as many as fit; nothing is lost between them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from pytest_grounding.text.segment import segment

#: Words and marks, each by itself: how a tokenizer of plain text counts.
_MARKS = re.compile(r"\w+|[^\w\s]")

Count = Callable[[str], int]


def counter(unit: str, tokens: Count) -> Count:
    """What measures a text: its words, its words and marks, or the model's tokens."""
    if unit == "words":
        return lambda text: len(text.split())
    if unit == "marks":
        return lambda text: sum(1 for _ in _MARKS.finditer(text))
    return tokens


def windows(text: str, size: int, count: Count, joiner: str) -> list[str]:
    """A passage as windows of whole sentences, each of at most ``size``."""
    if count(text) <= size:
        return [text]
    found: list[str] = []
    held: list[str] = []
    measured = 0
    for piece in _pieces(text, size, count):
        length = count(piece)
        if held and measured + length > size:
            found.append(joiner.join(held))
            held, measured = [], 0
        held.append(piece)
        measured += length
    if held:
        found.append(joiner.join(held))
    # Sums of parts are not the measure of the whole: with what joins them a window may be too long.
    return [part for window in found for part in _fitted(window, size, count)]


def _pieces(text: str, size: int, count: Count) -> Iterator[str]:
    for line in text.splitlines():
        for sentence in segment(line, language="en"):
            if piece := sentence.text.strip():
                yield from _fitted(piece, size, count)


def _fitted(text: str, size: int, count: Count) -> Iterator[str]:
    """The text, or its halves, cut between words where there are any."""
    if count(text) <= size or len(text) < 2:
        yield text
        return
    middle = len(text) // 2
    cut = next((at for at in _outwards(middle, len(text)) if text[at].isspace()), middle)
    yield from _fitted(text[:cut].rstrip(), size, count)
    yield from _fitted(text[cut:].lstrip(), size, count)


def _outwards(middle: int, length: int) -> Iterator[int]:
    """Places from the middle to both ends, without the ends."""
    for step in range(length // 2):
        for at in (middle - step, middle + step):
            if 0 < at < length - 1:
                yield at


def packed(parts: Sequence[str], lengths: Sequence[int], budget: int) -> list[list[str]]:
    """Passages in groups that fit into a budget, in their order; one that is too long for it stands alone."""
    groups: list[list[str]] = []
    used = 0
    for part, length in zip(parts, lengths, strict=True):
        # The line feed between two passages is a token of its own.
        if groups and used + 1 + length <= budget:
            groups[-1].append(part)
            used += 1 + length
        else:
            groups.append([part])
            used = length
    return groups

"""Quotations in a text, and whether a source has them word by word."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding.lexicon import words as listed
from pytest_grounding.lexicon.patterns import plain
from pytest_grounding.reading import read_once
from pytest_grounding.reading.visible_text import fold

MIN_WORDS = 4  # a shorter quotation is a name or a term, not a passage; a single word is not a quotation
MIN_TERM_WORDS = 2
_MIN_CHARACTERS = 8
_QUOTATION = plain("text_form", "quotation")
_BLOCK_MARK = lazy(r"(?m)^[ ]{0,3}(?:>[ ]?){1,9}")
_SAYING = listed("citing", "quoting")
_BEFORE = lazy(r"(\w{1,30})[:,]?[ ]{0,3}(?:that[ ]{1,3})?\Z")
_REACH = 40
_PASSAGES = frozenset({"emphasis", "plain", "single", "block"})  # marks around a mere term too
_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
# Quotations are compared letter by letter, without stems; each Chinese character is a word.
WORD = lazy(rf"[{_CJK}]|\d{{1,40}}(?:[.,:/]\d{{1,40}}){{0,8}}|[^\W\d{_CJK}]{{1,200}}", re.UNICODE)
_GAP = lazy(r"\s{0,4}(?:\[[^\]]{0,60}\]|\(\.{3}\)|\.{3,6}|…)\s{0,4}")
_EDGES = " \t\r\n.,;:!?'\"*_`()[]"
#: What a page leaves inside words and sentences: a hyphen at a line's end, its number, that of a footnote.
_BROKEN_WORD = lazy(r"(?<=[^\W\d_])[-\u00ad\u2010]\r?\n[ \t]{0,8}(?=[^\W\d_])")
_PAGE_NUMBER = lazy(r"(?m)^[ \t]{0,8}\d{1,4}[ \t]{0,8}$\r?\n?")
_FOOTNOTE = lazy(r"(?<=[^\W\d_]{3})\d{1,2}(?![\w])")


class Quotation(NamedTuple):
    """Words of the answer between quotation marks, with the offsets of the marks."""

    start: int
    end: int
    text: str


def quotations(answer: str, markers: Sequence[tuple[int, int]] = ()) -> list[Quotation]:
    """The quotations of an answer that are long enough to be a passage or a term, in order."""
    if not any(mark in answer for mark in "\"“„«»「『‘'*>"):
        return []
    found: list[Quotation] = []
    position = 0
    for match in _QUOTATION.finditer(answer):
        group = match.lastgroup or "straight"
        start, end = match.span(group)
        while position < len(markers) and markers[position][1] <= start:
            position += 1
        pieces, at, number = [], start, position
        while number < len(markers) and markers[number][0] < end:
            first, last = markers[number]
            if first >= at and last <= end:
                pieces.append(answer[at:first])
                at = last
            number += 1
        text = "".join([*pieces, answer[at:end]]).strip()
        if group == "block":
            text = " ".join(_BLOCK_MARK.sub("", text).split())
        if not is_passage(text) and (group in _PASSAGES or not is_term(text)):
            continue
        before = _BEFORE.search(answer, max(0, match.start() - _REACH), match.start())
        if group != "emphasis" or (before is not None and before[1].lower() in _SAYING):
            found.append(Quotation(match.start(), match.end(), text))
    return found


def is_term(text: str) -> bool:
    """Whether words are a term: two or three, in a script with blanks."""
    words = WORD.findall(text[:4_000])
    return MIN_TERM_WORDS <= len(words) < MIN_WORDS and sum(len(word) > 1 for word in words) > 1


def is_term_of(term: str, source: str) -> bool:
    """Whether a source contains a term, in singular or plural."""
    singular, others = (_word_line(text).replace("s ", " ") for text in (term, source))
    return is_quoted(term, source) or singular in others


def is_passage(text: str) -> bool:
    """Whether words are a passage rather than a name: four words, or eight characters without blanks."""
    words = WORD.findall(text[:4_000])
    has_word = any(len(word) > 1 for word in words)
    return len(words) >= MIN_WORDS and (has_word or len(words) >= _MIN_CHARACTERS)


@read_once
def _folded_text(text: str) -> str:
    return fold(text).text


@read_once
def _word_line(text: str) -> str:
    """The folded words of a text with blanks around each, for a search without punctuation."""
    return f" {' '.join(WORD.findall(_folded_text(text)))} "


def is_quoted(quote: str, source: str) -> bool:
    """Whether a source contains a quotation, after folding; gaps (``...``, ``[…]``) match anything."""
    if quote in source:
        return True
    folded = (_folded_text(part).strip(_EDGES) for part in _GAP.split(quote))
    parts = [part for part in folded if part]
    if _in_order(parts, _folded_text(source)):
        return True
    lines = [line for line in map(_word_line, parts) if line.strip()]
    if not lines:
        return False
    if _in_order(lines, _word_line(source)):
        return True
    mended = _without_traces_of_pages(source)
    return mended != source and _in_order(lines, _word_line(mended))


@read_once
def _without_traces_of_pages(text: str) -> str:
    """A text without hyphens at the ends of lines, page numbers, and the numbers of footnotes."""
    return _FOOTNOTE.sub("", _PAGE_NUMBER.sub("", _BROKEN_WORD.sub("", text)))


def _in_order(parts: Sequence[str], text: str) -> bool:
    position = 0
    for part in parts:
        found = text.find(part, position)
        if found < 0:
            return False
        position = found + len(part.rstrip(" "))  # the blank after a word may be the one before the next
    return True

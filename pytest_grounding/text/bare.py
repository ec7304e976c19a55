"""The bare words of a claim: no citation markers, no markup, no words that only point at the sources."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence

from pytest_grounding._markdown import MaskSpan
from pytest_grounding.text.attribution import strip_attribution

_LINE_START = re.compile(
    r"(?m)^[ \t]*(?:>[ \t]?)*[ \t]*"
    r"(?:#{1,6}[ \t]+|[-*+•‣◦▪●○–][ \t]+|\d{1,3}[.)](?:[ \t]+|$)|\(\d{1,3}\)[ \t]+|[a-zA-Z]\)[ \t]+)?"
)
_SETEXT = re.compile(r"\n[ ]{0,3}(?:=+|-+)[ \t]*$")
_EMPHASIS = re.compile(
    r"\*{2,3}|~~|__(?=\S)|(?<=\S)__"
    r"|(?<![\w*])\*(?=[^\s*])|(?<=[^\s*])\*(?![\w*])"
    r"|(?<![\w_])_(?=[^\s_])|(?<=[^\s_])_(?![\w_])"
)
_TAG = re.compile(
    r"</?(?:br|b|i|em|strong|sup|sub|u|p|span|div|li|ul|ol|code|mark|small)\b[^<>]{0,200}>", re.IGNORECASE
)
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_BEFORE_STOP = re.compile(r"[ \t]+(?=[.,;:!?)\]。，；：！？](?:[\s\"'”’)]|$))")
_EMPTY_BRACKETS = re.compile(r"[ ]?\([\s,;]*\)")
_DOUBLE_COMMA = re.compile(r",(?:[ ]?,)+|,(?=[.;:])")
_LEADING = re.compile(r"(?:[,;:)\]–—]|\.(?=\s))[\s,;:.)\]–—]*(?=\S)")


def blank_markers(text: str, markers: Sequence[tuple[int, int]]) -> str:
    """The text with citation markers turned into blanks; its length stays."""
    pieces: list[str] = []
    position = 0
    for start, end in sorted(markers):
        first = max(start, position)
        if start < 0 or first >= end or first >= len(text):
            continue
        last = min(end, len(text))
        pieces.append(text[position:first])
        pieces.append(" " * (last - first))
        position = last
    if not pieces:
        return text
    pieces.append(text[position:])
    return "".join(pieces)


def plain_text(blanked: str, start: int, end: int, spans: Sequence[MaskSpan]) -> str:
    """The words of a stretch without markup, on one line.

    Args:
        blanked: the answer with markers blanked (`blank_markers`).
        start: offset of the stretch.
        end: one past its last character.
        spans: the answer's Markdown spans, ordered.
    """
    text = _without_spans(blanked, start, end, spans) if spans else blanked[start:end]
    # A list item or quote may hold several lines, each with its own sign.
    if "\n" in text or "\r" in text:
        text = _LINE_START.sub("", _SETEXT.sub("", text))
    else:
        text = _LINE_START.sub("", text, count=1)
    if "*" in text or "_" in text or "~" in text:
        text = _EMPHASIS.sub("", text)
    if "<" in text:
        text = _TAG.sub(" ", text)
    if "\\" in text:
        text = _ESCAPE.sub(r"\1", text)
    text = " ".join(text.split())
    if "(" in text:
        text = _EMPTY_BRACKETS.sub("", text)
    text = _BEFORE_STOP.sub("", text)
    return _DOUBLE_COMMA.sub(lambda match: "," if match[0].count(",") > 1 else "", text).strip()


def bare_of(plain: str, words: Sequence[str]) -> str:
    """The statement in a plain stretch: attributions and leading joints dropped.

    ``words`` are the words of the stretch. Never empty where the stretch has letters or digits: then it is the stretch itself.
    """
    text = _LEADING.sub("", plain, count=1) if plain[:1] in ",;:)].–—" else plain
    return strip_attribution(text, words) or plain


def _without_spans(text: str, start: int, end: int, spans: Sequence[MaskSpan]) -> str:
    pieces: list[str] = []
    position = start
    first = bisect_left(spans, start, key=lambda span: span.start)
    for span in spans[first:]:
        if span.start >= end:
            break
        if span.start < position:
            continue  # inside a link's text, which was taken whole
        pieces.append(text[position : span.start])
        keeps = span.kind in ("inline_code", "autolink", "fence", "definition")
        if span.kind == "link_text":
            pieces.append(text[span.inner_start : span.inner_end].replace("`", ""))
        elif keeps:
            pieces.append(text[span.inner_start : span.inner_end])
        position = max(position, min(span.end, end))
    pieces.append(text[position:end])
    return "".join(pieces)

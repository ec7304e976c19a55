"""The bare words of a claim: no citation markers, no markup, no words that only point at the sources."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding.lexicon import words as listed
from pytest_grounding.lexicon.patterns import pattern
from pytest_grounding.reading.link_labels import states
from pytest_grounding.reading.markdown import MaskSpan
from pytest_grounding.reading.visible_text import as_read, decode_entities

SOURCE_WORDS = listed("refusals", "sources")
_OPENS = pattern("attribution", "opens")
_LEAD_IN = pattern("attribution", "lead_in")
_REPORT = pattern("attribution", "report")
_TAIL = pattern("attribution", "tail")
_ANNOUNCEMENT = pattern("attribution", "announcement")
# What stands before the colon of "Genetics: According to passage 1, …".
_LABEL = lazy(r"[^:.,;!?()]{1,60}:[ ](?=\S)")
# Attribution stands within this many characters of the end.
_REACH = 160


def strip_attribution(sentence: str, words: Sequence[str] | None = None) -> str:
    """A sentence without the words that say which sources it comes from."""
    if words is not None and "here" not in words[:3] and SOURCE_WORDS.isdisjoint(words):
        return sentence
    announced = _ANNOUNCEMENT.match(sentence)
    if announced is not None:
        sentence = sentence[announced.end() :]
    label = _LABEL.match(sentence)
    head = label[0] if label is not None else ""
    rest = sentence[len(head) :]
    # The short pattern first: the long ones take ten milliseconds to compile.
    for first, then in ((_OPENS, _LEAD_IN), (None, _REPORT)):
        match = then.match(rest) if first is None or first.match(rest) is not None else None
        if match is not None:
            rest = rest[match.end() :]
    if rest[:1].islower() and sentence[len(head) : len(head) + 1].isupper():
        rest = rest[0].upper() + rest[1:]
    tail = _TAIL.search(rest, max(0, len(rest) - _REACH))
    if tail is not None:
        rest = rest[: tail.start()] + rest[tail.end() :]
    return (head + rest).strip() if rest else ""


def is_bare_attribution(sentence: str) -> bool:
    """Whether a sentence holds nothing but an attribution ("Based on the passages provided:")."""
    if len(sentence) >= _REACH or _OPENS.match(sentence) is None:
        return False
    return _LEAD_IN.fullmatch(sentence.rstrip(" .:,") + ", ") is not None


_LINE_START = lazy(
    r"(?m)^[ \t]*(?:>[ \t]?)*[ \t]*"
    r"(?:#{1,6}[ \t]+|[-*+•‣◦▪●○–][ \t]+|\d{1,3}[.)](?:[ \t]+|$)|\(\d{1,3}\)[ \t]+|[a-zA-Z]\)[ \t]+"
    # "> [!NOTE]" titles a quote.
    r"|\[![a-zA-Z]{3,12}\][ \t]*)?"
)
_SETEXT = lazy(r"\n[ ]{0,3}(?:=+|-+)[ \t]*$")
_EMPHASIS = lazy(
    r"(?<!\\)(?:\*{2,3}|~~|__(?=\S)|(?<=\S)__"
    r"|(?<![\w*])\*(?=[^\s*])|(?<=[^\s*])\*(?![\w*])"
    r"|(?<![\w_])_(?=[^\s_])|(?<=[^\s_])_(?![\w_]))"
)
# Tags inside a line, which part no word, and tags that begin something new.
_INLINE_TAG = lazy(
    r"</?(?:b|i|em|strong|u|s|del|ins|span|font|mark|small|code|kbd|abbr|cite)\b[^<>]{0,200}>", re.IGNORECASE
)
_TAG = lazy(
    r"</?(?:br|hr|sup|sub|p|div|section|h[1-6]|blockquote|li|ul|ol|d[dlt]|table|thead|tbody|t[dhr]|details|summary"
    r"|center)\b[^<>]{0,200}>",
    re.IGNORECASE,
)
# An escaped bar stays: it is no end of a table's cell.
_ESCAPE = lazy(r"\\([!-/:-@\[-`{}~])")
_BEFORE_STOP = lazy(r"[ \t]+(?=[.,;:!?)\]。，；：！？](?:[\s\"'”’)]|$))")
_CLOSES = lazy(r"[ \t]*\)")
_EMPTY_BRACKETS = lazy(r"[ ]?\((?:see|cf\.|sources?:?|refs?\.?)?[\s,;]*\)", re.IGNORECASE)
# What a blanked marker leaves behind: "According to [1], …", "… as stated in [2]."
_DANGLING = pattern("bare", "dangling")
_DANGLING_TAIL = pattern("bare", "dangling_tail")
_DANGLING_ENDS = ("to", "in", "by", "see", "per")
# As `_markdown` reads them, with the brackets.
_LONGEST_LABEL = 66
_TITLED = lazy(r"\[(?P<title>[^\[\]\r\n]{1,200})\]\(")
# "Answer: it is red." says that it is red. "A" alone is also a name's letter ("a: first item").
_RUN_IN = pattern("bare", "run_in")
_RUN_IN_LETTER = lazy(r"A:[ ]+(?=\S)")
# "[1] states that …", its marker blanked.
_REPORTS = pattern("bare", "reports")
_DOUBLE_COMMA = lazy(r",(?:[ ]?,)+|,(?=[.;:])")
_LEADING = lazy(r"(?:[,;:)\]–—]|\.(?=\s))[\s,;:.)\]–—]*(?=\S)")


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
        title = _TITLED.match(text, first, last)
        if title is not None and _goes_on(text, first, last):
            pieces.append(" " + title["title"] + " " * (last - title.end("title")))
        else:
            pieces.append(" " * (last - first))
        position = last
    if not pieces:
        return text
    pieces.append(text[position:])
    return "".join(pieces)


def plain_text(blanked: str, start: int, end: int, spans: Sequence[MaskSpan]) -> str:
    """The words of a stretch without markup, on one line."""
    text = _without_spans(blanked, start, end, spans) if spans else _without_markup(blanked[start:end])
    text = " ".join(as_read(text).split())
    if "(" in text:
        text = _EMPTY_BRACKETS.sub("", text)
    text = _BEFORE_STOP.sub("", text)
    if "," in text:
        text = _DOUBLE_COMMA.sub(lambda match: "," if match[0].count(",") > 1 else "", text)
    return text.strip()


def bare_of(plain: str, words: Sequence[str]) -> str:
    """The statement in a plain stretch: attributions and leading joints dropped."""
    text = _LEADING.sub("", plain, count=1) if plain[:1] in ",;:)].–—" else plain
    # Two of the labels end with a colon, and the third with a word.
    for opening in (_RUN_IN, _RUN_IN_LETTER, _REPORTS) if ":" in text or "that" in text else ():
        label = opening.match(text)
        if label is not None:
            text = text[label.end() :]
    dangling = _DANGLING.match(text) if "," in text else None
    if dangling is not None:
        text = text[dangling.end() :]
    ends = text.rstrip(".!").endswith(_DANGLING_ENDS)
    tail = _DANGLING_TAIL.search(text, max(0, len(text) - 40)) if ends else None
    if tail is not None:
        text = text[: tail.start()] + text[tail.end() :]
    if text[:1].islower() and plain[:1].isupper():
        text = text[0].upper() + text[1:]
    text = strip_attribution(text, words)
    return text if any(char.isalnum() for char in text) else plain


def _goes_on(text: str, start: int, end: int) -> bool:
    """Whether a sentence goes on behind a link with a word in lower case, and the link did not open it."""
    before = text[max(0, start - 4) : start].rstrip()
    after = text[end : end + 4].lstrip(" ")
    return bool(before) and before[-1] not in ".!?…。" and after[:1].islower()


def _without_markup(text: str) -> str:
    # A list item or quote may hold several lines, each with its own sign.
    if "\n" in text or "\r" in text:
        return _inline(_LINE_START.sub("", _SETEXT.sub("", text)))
    # A letter at the start is no sign of a list or quote, but for that of "a) …".
    if not (text[:1].isalpha() and text[1:2] != ")"):
        text = _LINE_START.sub("", text, count=1)
    return _inline(text)


def _inline(text: str) -> str:
    """A stretch without code, without emphasis, tags, escapes and entities."""
    if "*" in text or "_" in text or "~" in text:
        text = _EMPHASIS.sub("", text)
    if "<" in text:
        text = _TAG.sub(" ", _INLINE_TAG.sub("", text))
    if "\\" in text:
        text = _ESCAPE.sub(r"\1", text)
    return decode_entities(text)


def _without_spans(text: str, start: int, end: int, spans: Sequence[MaskSpan]) -> str:
    """The words of a stretch with code kept as it is, links and telling images as their text."""
    pieces: list[str] = []
    position = start
    for number in range(bisect_left(spans, start, key=lambda span: span.start), len(spans)):
        span = spans[number]
        if span.start >= end:
            break
        if span.start < position:
            continue  # inside a link's text, which was taken whole
        before = text[position : span.start]
        pieces.append(_without_markup(before) if position == start else _inline(before))
        inner = text[span.inner_start : min(span.inner_end, end)]
        if span.kind == "link_text":
            # A link that fills its parentheses names a source; it is no part of the statement.
            fills = text[max(span.start - 1, 0)] == "(" and _CLOSES.match(text, span.end)
            if not fills or states(inner):
                pieces.append(_inline(inner.replace("`", "")))
        elif span.kind == "image":
            # Whoever does not see an image reads the words in its place.
            pieces.append(f" {_inline(inner)} " if states(inner) else "")
        elif span.kind in ("inline_code", "autolink", "fence", "definition"):
            pieces.append(inner)
        position = max(position, min(_link_end(text, span), end))
    rest = text[position:end]
    pieces.append(_without_markup(rest) if position == start else _inline(rest))
    return "".join(pieces)


def _link_end(text: str, span: MaskSpan) -> int:
    """Where a span ends, with the label behind the words of a reference link ("[the guide][docs]")."""
    if span.kind != "link_text" or text[span.end : span.end + 1] != "[":
        return span.end
    return max(text.find("]", span.end, span.end + _LONGEST_LABEL) + 1, span.end)

"""Code, links, checkboxes and definitions in Markdown, with offsets, in linear time."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding.lexicon.patterns import pattern
from pytest_grounding.reading.grammar import opens_as_clause, words_of

MAX_TARGET = 2_048  # longest link target with title, in characters; keeps hostile text linear
_LINE = lazy(r"([^\r\n]*)(\r\n|\r|\n|\Z)")
_FENCE = lazy(r"[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(`{3,}|~{3,})([^\r\n]*)")
_DEFINITION = lazy(r"[ ]{0,3}\[(?P<label>\^[^\[\]\s]{1,64}|[^\[\]\r\n^]{1,64})\]:[ \t]*(?P<text>\S[^\r\n]*)")
_DESTINATION = lazy(r"<?[a-zA-Z][a-zA-Z0-9+.-]*://\S+|[/.#]\S+|<[^<>]*>")
_CHECKBOX = lazy(r"[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]+(\[[ xX]\])(?=[ \t])")
_BLOCK_START = lazy(r"[ \t]*(?:[-*+•][ \t]|\d{1,9}[.)][ \t]|\||>|#{1,6}[ \t])")
_TOKEN = lazy(r"\\[!-/:-@\[-_{-~]|`+|!\[|[\[\]]|<[a-zA-Z][a-zA-Z0-9+.-]{1,31}:[^\s<>]*>|<!--")
_TITLE = lazy(r"[ \t]+(?:\"[^\"\r\n]*\"|'[^'\r\n]*'|\([^()\r\n]*\))[ \t]*\)")
_PARENTHESIS = lazy(r"\\[!-/:-@\[-`{-~]|[()]|\s")
_PLAIN_ADDRESS = lazy(r"[^\s()]*")
_INTEREST = lazy(r"[`~\[<]")
_LEAST_WORDS = 4  # a text with fewer words is a title
_HEADING_OPENER = pattern("sentences", "heading_opener")
_LINK = "\x00"  # a link is replaced by one such character for the patterns below, whatever its length
_SIGN = r"(?:sources?|see(?:[ ]also)?|refs?|references?|via|from|cf\.?|read[ ]more|quellen?)"
# Blanks are bounded, and a second stretch needs a sign before it, so that a join has one reading.
_JOIN = r"(?:[ \t]{0,4}(?:(?:[,;&|·]|and)[ \t]{0,4})?)"
_LINKS = rf"\x00(?:{_JOIN}\x00){{0,40}}"
_GROUP = lazy(rf"\([ \t]{{0,4}}(?:{_SIGN}[ \t]{{0,4}}(?::[ \t]{{0,4}})?)?{_LINKS}[ \t]{{0,4}}\)", re.I)
_TAIL = lazy(
    r"[.!?…。！？][\"'”’)*_]{0,4}(?:[ \t]{0,4}[-–—|·][ \t]{0,4}|\s*)"
    rf"(?P<links>{_LINKS})"
    r"(?=[ \t]*(?:[.\r\n]|\Z|[^\W\d_a-zß-öø-ÿ]|\d|[\"“*_]))"
)


class MaskSpan(NamedTuple):
    """A stretch of Markdown that is not plain prose."""

    start: int  # start offset
    end: int  # end offset, exclusive
    #: ``fence`` (with its fence lines), ``inline_code`` (with its backticks), ``image``, ``link_text`` (with
    #: its brackets), ``link_target`` (with its parentheses), ``checkbox`` (the brackets), ``definition`` (the
    #: whole line and its indented continuation lines), ``autolink`` (with its angle brackets), ``comment``.
    kind: str
    #: Offset of the content between the delimiters: of code, of a link's text, of the address in a target or
    #: an autolink, of a definition's text. Equal to ``start`` where there are no delimiters.
    inner_start: int
    inner_end: int  # end offset of that content


def mask_spans(text: str) -> tuple[MaskSpan, ...]:
    """All such stretches of a text, ordered by start, in linear time."""
    if _INTEREST.search(text) is None:
        return ()
    spans: list[MaskSpan] = []
    labels: set[str] = set()
    stretches: list[tuple[int, int]] = []
    for kind, span in _blocks(text):
        if kind == "inline":
            stretches.append((span.start, span.end))
            continue
        spans.append(span)
        if kind == "definition":
            labels.add(_label_of(text, span))
    for start, end in stretches:
        _scan_inline(text, start, end, labels, spans)
    spans.sort(key=lambda span: (span.start, -span.end))
    return tuple(spans)


def blank(text: str, spans: Iterable[MaskSpan]) -> str:
    """The text with these stretches replaced by spaces; length and line breaks stay."""
    pieces: list[str] = []
    position = 0
    for span in sorted(spans, key=lambda span: span.start):
        start = max(span.start, position)
        if start >= span.end:
            continue
        pieces.append(text[position:start])
        pieces.append(_spaces(text[start : span.end]))
        position = span.end
    pieces.append(text[position:])
    return "".join(pieces)


def definitions(text: str) -> dict[str, str]:
    """The definitions ``[1]: …`` and ``[^1]: …``."""
    found: dict[str, str] = {}
    for span in mask_spans(text) if "]:" in text else ():
        if span.kind == "definition":
            found.setdefault(_label_of(text, span), " ".join(text[span.inner_start : span.inner_end].split()))
    return found


def _spaces(text: str) -> str:
    if "\n" not in text and "\r" not in text:
        return " " * len(text)
    return "".join(char if char in "\r\n" else " " for char in text)


def _label_of(text: str, span: MaskSpan) -> str:
    first = text.index("[", span.start) + 1
    return " ".join(text[first : text.index("]:", first)].split()).casefold()


def _blocks(text: str) -> Iterator[tuple[str, MaskSpan]]:
    """Fences, definitions and checkboxes, and the stretches of inline text between them."""
    run_start = run_end = -1
    fence: tuple[int, int, str] | None = None
    definition: MaskSpan | None = None
    for line in _LINE.finditer(text):
        start, end, following = line.start(), line.end(1), line.end()
        if start == len(text):
            break
        line_is_blank = not text[start:end].strip()
        if fence is not None:
            closing = text[start:end].strip(" \t>")
            if len(closing) >= len(fence[2]) and not closing.strip(fence[2][0]):
                yield "fence", MaskSpan(fence[0], end, "fence", fence[1], start)
                fence = None
            continue
        if definition is not None:
            if not line_is_blank and text[start:end].startswith(("    ", "\t")):
                definition = MaskSpan(definition.start, end, "definition", definition.inner_start, end)
                continue
            yield "definition", definition
            definition = None
        opening = _FENCE.match(text, start, end)
        if opening is not None and not (opening[1][0] == "`" and "`" in opening[2]):
            fence = (opening.start(1), following, opening[1])
        else:
            definition = _definition(text, start, end)
        if fence is None and definition is None and not line_is_blank:
            box = _CHECKBOX.match(text, start, end)
            if box is not None:
                yield "checkbox", MaskSpan(*box.span(1), "checkbox", box.start(1) + 1, box.end(1) - 1)
            if run_start >= 0 and _BLOCK_START.match(text, start, end) is None:
                run_end = end
                continue
            if run_start >= 0:
                yield "inline", MaskSpan(run_start, run_end, "inline", run_start, run_end)
            run_start, run_end = (box.end(1) if box is not None else start), end
            continue
        if run_start >= 0:
            yield "inline", MaskSpan(run_start, run_end, "inline", run_start, run_end)
            run_start = -1
    if run_start >= 0:
        yield "inline", MaskSpan(run_start, run_end, "inline", run_start, run_end)
    if definition is not None:
        yield "definition", definition
    if fence is not None:
        yield "fence", MaskSpan(fence[0], len(text), "fence", min(fence[1], len(text)), len(text))


def _definition(text: str, start: int, end: int) -> MaskSpan | None:
    match = _DEFINITION.match(text, start, end)
    if match is None:
        return None
    label = match["label"]
    # "[Note]: this is prose" is not a definition; a number, a footnote, or a lone address is.
    if not (label[0] == "^" or label.strip().isdigit() or _DESTINATION.match(match["text"])):
        return None
    return MaskSpan(start, end, "definition", match.start("text"), end)


def _scan_inline(text: str, start: int, end: int, labels: set[str], spans: list[MaskSpan]) -> None:
    """Code, links, images, autolinks and comments between two offsets, by one pass over the tokens."""
    tokens = list(_TOKEN.finditer(text, start, end))
    closers = _code_closers(tokens)
    word_ends = _parentheses(text, start, end) if text.find("](", start, end) >= 0 else {}
    brackets: list[tuple[int, bool]] = []
    position = start
    for number, token in enumerate(tokens):
        first, last = token.span()
        if first < position:
            continue
        mark = token[0]
        if mark[0] == "`":
            closer = None if _is_escaped(text, tokens, number) else closers.get(number)
            if closer is not None:
                spans.append(MaskSpan(first, closer.end(), "inline_code", last, closer.start()))
                position = closer.end()
        elif mark in ("[", "!["):
            brackets.append((first, mark == "!["))
        elif mark == "]":
            if brackets:
                position = _close_bracket(text, brackets, first, end, word_ends, labels, spans, position)
        elif mark == "<!--":
            stop = _comment_end(text, first, end)
            if stop:
                spans.append(MaskSpan(first, stop, "comment", last, max(stop - 3, last)))
                position = stop
        elif mark[0] == "<":
            spans.append(MaskSpan(first, last, "autolink", first + 1, last - 1))


def _comment_end(text: str, start: int, end: int) -> int:
    inner = start + len("<!--")
    for sign in (">", "->"):
        if text.startswith(sign, inner):
            return inner + len(sign)
    stop = text.find("-->", inner, end)
    if stop >= 0:
        return stop + len("-->")
    return end if not text[text.rfind("\n", 0, start) + 1 : start].strip() else 0


def _is_escaped(text: str, tokens: list[re.Match[str]], number: int) -> bool:
    r"""Whether a backslash precedes these backticks: they do not open code, but may close it."""
    start = tokens[number].start()
    if start == 0 or text[start - 1] != "\\":
        return False
    return not (number and tokens[number - 1].end() == start)  # "\\\\`" is an escaped backslash


def _code_closers(tokens: list[re.Match[str]]) -> dict[int, re.Match[str]]:
    """For each run of backticks the next run of the same length."""
    last: dict[int, re.Match[str]] = {}
    closers: dict[int, re.Match[str]] = {}
    for number in range(len(tokens) - 1, -1, -1):
        token = tokens[number]
        mark = token[0]
        if mark[0] == "`":
            length = token.end() - token.start()
            if length in last:
                closers[number] = last[length]
            last[length] = token
    return closers


def _close_bracket(
    text: str,
    brackets: list[tuple[int, bool]],
    close: int,
    end: int,
    word_ends: dict[int, int],
    labels: set[str],
    spans: list[MaskSpan],
    position: int,
) -> int:
    """Handle one ``]``: record the link or image that it ends; return where scanning continues."""
    opened, is_image = brackets.pop()
    after = close + 1
    if after >= end:
        return position
    if text[after] == "(":
        target = _target(text, after, end, word_ends)
        if target is None:
            return position
        if is_image:
            while spans and spans[-1].start > opened:
                spans.pop()
            spans.append(MaskSpan(opened, target[0], "image", opened + 2, close))
        else:
            spans.append(MaskSpan(opened, after, "link_text", opened + 1, close))
            spans.append(MaskSpan(after, target[0], "link_target", target[1], target[2]))
            # Links do not nest: brackets still open do not belong to a link.
            brackets[:] = [entry for entry in brackets[-4:] if entry[1]]
        return target[0]
    if text[after] == "[" and not is_image and labels:
        stop = text.find("]", after, min(end, after + 66))
        label = " ".join(text[after + 1 : stop].split()).casefold() if stop > 0 else ""
        # "[1][2]" is two citations; "[the guide][2]" is a link whose target is a citation.
        if label in labels and not text[opened + 1 : close].strip("^ ").isdigit():
            spans.append(MaskSpan(opened, after, "link_text", opened + 1, close))
    return position


def _parentheses(text: str, start: int, end: int) -> dict[int, int]:
    """For each ``(`` the end of the unbroken word after it: its own ``)``, or white space."""
    ends: dict[int, int] = {}
    opened: list[int] = []
    for token in _PARENTHESIS.finditer(text, start, end):
        mark = token[0]
        if mark == "(":
            opened.append(token.start())
        elif mark == ")":
            if opened:
                ends[opened.pop()] = token.start()
        elif mark[0] != "\\" and opened:
            ends[opened[-1]] = token.start()
            opened.clear()
    return ends


def _target(text: str, opened: int, end: int, word_ends: dict[int, int]) -> tuple[int, int, int] | None:
    """End of a link target, and the span of its address; None if it is not a target."""
    first = opened + 1
    if text[first : first + 1] in (" ", "\t"):
        while first < end and text[first] in " \t":
            first += 1
        match = _PLAIN_ADDRESS.match(text, first, end)
        last = match.end() if match is not None else first
    elif text[first : first + 1] == "<":
        last = text.find(">", first, min(end, opened + MAX_TARGET))
        if last < 0 or "\n" in text[first:last]:
            return None
        return _after_address(text, last + 1, end, first + 1, last)
    else:
        last = word_ends.get(opened, -1)
    if last < 0 or last - first > MAX_TARGET:
        return None
    return _after_address(text, last, end, first, last)


def _after_address(text: str, after: int, limit: int, first: int, last: int) -> tuple[int, int, int] | None:
    stop = after
    while stop < limit and text[stop] in " \t":
        stop += 1
    if stop < limit and text[stop] == ")":
        return stop + 1, first, last
    title = _TITLE.match(text, after, limit)
    return (title.end(), first, last) if title is not None else None


def states(words: str) -> bool:
    """Whether the words of a link, image or footnote make a statement, and are not the title of a source."""
    words = words.strip()
    if words.endswith(("?", "？", ":", "：")) or _HEADING_OPENER.match(words) is not None:
        return False
    count = len(words_of(words))
    if count < _LEAST_WORDS:
        return False
    return words.endswith((".", "!", "。", "！")) or opens_as_clause(words)


def naming_markers(
    text: str, spans: Sequence[MaskSpan], markers: Sequence[tuple[int, int]]
) -> list[tuple[int, int]]:
    """All stretches that only name sources: markers, and links by their position."""
    several = (span for span, _ in _links(spans) if " " in text[span.start : span.end])
    stating = {span.start for span in several if states(text[span.inner_start : span.inner_end])}
    named = [(start, end) for start, end in markers if start not in stating]
    return [*named, *label_links(text, [span for span in spans if span.start not in stating])]


def _links(spans: Sequence[MaskSpan]) -> Iterator[tuple[MaskSpan, MaskSpan]]:
    """The links with a target, each as the spans of its words and of that."""
    position = 0
    for number, span in enumerate(spans):
        if span.kind != "link_text" or span.start < position:
            continue
        # Code and images inside a link's words lie between these and its target.
        target = next((other for other in spans[number + 1 : number + 9] if other.start >= span.end), None)
        if target is None or target.kind != "link_target" or target.start != span.end:
            continue
        position = target.end
        yield span, target


def label_links(text: str, spans: Sequence[MaskSpan]) -> list[tuple[int, int]]:
    """The spans of links that only name a source."""
    if not any(span.kind == "link_target" for span in spans):
        return []
    pieces: list[str] = []
    # Positions of the links in the text: offsets in the shortened text shift by this much.
    links: list[int] = []
    moved = [0]
    position = length = 0
    for span, target in _links(spans):
        pieces.append(text[position : span.start].replace(_LINK, " "))
        pieces.append(_LINK)
        length += span.start - position + 1
        position = target.end
        links.append(length - 1)
        moved.append(position - length)
    pieces.append(text[position:].replace(_LINK, " "))
    shape = "".join(pieces)
    found = [match.span() for match in _GROUP.finditer(shape)]
    found += [match.span("links") for match in _TAIL.finditer(shape)]
    # Both ends lie outside of links, so they shift by the extra length of all links before them.
    return sorted((a + moved[bisect_left(links, a)], b + moved[bisect_left(links, b)]) for a, b in found)

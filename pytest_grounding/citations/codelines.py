"""Citations of code: ``src/a.py:45-120``, ``src/a.py#L45-L120``, ``src/a.py (lines 45–120)``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from pytest_grounding._io.filenames import BARE_NAMES, EXTENSIONS
from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding.citations.syntax import Marker, SyntaxContext, Target, line_range, normal_path
from pytest_grounding.model.transcript import Chunk
from pytest_grounding.reading.markdown import MaskSpan

MAX_PATH = 300  # longest recognised path, in characters
# Hostile spellings are included on purpose: "../../etc/passwd.txt:1" is an invalid citation.
_PATH_CHAR = r"[\w./\\@+~%$\x00-]"
_PATH = rf"(?<![\w./\\@+~%$:-])(?P<path>(?:[A-Za-z]:(?=[\\/]))?{_PATH_CHAR}{{1,{MAX_PATH}}}+)"
_NUMBER = r"\d{1,100}"  # more than any file has: a line that cannot exist is an invalid citation
_TO = r"\s?(?:[-–—‑]|to|bis|through)\s?"
_COLON = rf":L?(?P<c1>{_NUMBER})(?:[-–—‑]L?(?P<c2>{_NUMBER})|:\d{{1,5}})?"
_HASH = rf"#L(?P<h1>{_NUMBER})(?:C\d{{1,5}})?(?:[-–—‑]L?(?P<h2>{_NUMBER})(?:C\d{{1,5}})?)?"
_WORDS = rf"(?:lines?|zeilen?|ll?\.)\s{{0,2}}(?P<w1>{_NUMBER})(?:{_TO}(?P<w2>{_NUMBER}))?"
_LETTERS = rf"L(?P<l1>{_NUMBER})(?:{_TO}L?(?P<l2>{_NUMBER}))?"
_IN_PARENTHESES = rf"`?\s{{0,2}}\((?:{_WORDS}|{_LETTERS})\)"
_BARE_PARENTHESES = rf"\((?P<p1>{_NUMBER})(?:[-–,][ ]?(?P<p2>{_NUMBER}))?\)"  # Microsoft's compilers
_AFTER_COMMA = rf"`?,?\s(?:lines?|zeilen?)\s(?P<a1>{_NUMBER})(?:{_TO}(?P<a2>{_NUMBER}))?"
_CITATION = lazy(
    rf"{_PATH}(?:{_COLON}|{_HASH}|{_IN_PARENTHESES}|{_BARE_PARENTHESES}|{_AFTER_COMMA})(?!\w|[-–—‑]\d)",
    re.IGNORECASE,
)
_LINES_FIRST = lazy(
    rf"(?<!\w)lines?\s(?P<f1>{_NUMBER})(?:{_TO}(?P<f2>{_NUMBER}))?\s(?:of|in|from)\s`?"
    rf"(?P<path>(?:[A-Za-z]:(?=[\\/]))?{_PATH_CHAR}{{1,{MAX_PATH}}}(?<!\.))`?",
    re.IGNORECASE,
)
# A citation has its lines after a colon, or after one of these words and signs; most answers have none.
_COLON_HINT = lazy(r":[Ll]?\d|\w\(\d")
_HINTS = ("#l", "(l", "line", "zeile")
_GLUED = lazy(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]{1,300}(?=[\x21-\x7e])")
_STARTS = ("c1", "h1", "w1", "l1", "a1", "f1", "p1")
_ENDS = ("c2", "h2", "w2", "l2", "a2", "f2", "p2")
_EXTENSION = lazy(r"[^/]\.([A-Za-z][A-Za-z0-9_+-]{0,15})\Z")


class CodeLinesSyntax:
    """Citations of a file and its lines (1-based, inclusive)."""

    name = "code"
    priority = 70

    def find(self, context: SyntaxContext) -> Iterable[Marker]:
        """All markers of this syntax: in prose, in inline code with nothing else, in a link."""
        return _Finder(context, self.name).markers()


class _Finder:
    def __init__(self, context: SyntaxContext, name: str) -> None:
        self._context = context
        self._name = name

    @cached_property
    def _mentioned(self) -> frozenset[str]:
        found = (match for chunk in self._context.chunks for match in _CITATION.finditer(chunk.text))
        return frozenset(_lines_cited(match, match["path"])[0] for match in found)

    def markers(self) -> Iterator[Marker]:
        """All markers; those in code and links first."""
        answer = self._context.answer
        previous: MaskSpan | None = None
        found: list[Marker | None] = []
        for span in self._context.spans:
            if span.kind == "inline_code":
                found.append(self._in_code(span))
            elif span.kind == "link_target" and previous is not None and previous.kind == "link_text":
                address = answer[span.inner_start : span.inner_end]
                if "://" not in address and len(address) <= 2 * MAX_PATH:
                    # An empty target leaves the words of the link, as DeepWiki writes its sources.
                    named = span if address.strip() else previous
                    match = _CITATION.fullmatch(answer, named.inner_start, named.inner_end)
                    found.append(self._marker(match, previous.start, span.end) if match is not None else None)
            if span.kind in ("link_text", "link_target"):
                previous = span
        for pattern in _patterns_for(self._context.masked):
            for match in pattern.finditer(self._context.masked):
                found.append(self._marker(match, match.start(), match.end()))
        return (marker for marker in found if marker is not None)

    def _in_code(self, span: MaskSpan) -> Marker | None:
        """```` `src/a.py:3-9` ````, and ```` `src/a.py` (lines 3-9) ````."""
        answer = self._context.answer
        inner = answer[span.inner_start : span.inner_end]
        stripped = inner.strip()
        if not stripped or len(inner) > 2 * MAX_PATH:
            return None
        start = span.inner_start + inner.index(stripped)
        match = _CITATION.fullmatch(answer, start, start + len(stripped))
        if match is not None:
            return self._marker(match, match.start(), match.end())
        if span.inner_start != span.start + 1:
            return None
        match = _CITATION.match(answer, start, min(len(answer), span.end + 80))
        if match is None or match.end() <= span.end:
            return None
        # The path fills the code and the lines follow it: the marker includes the backtick.
        return self._marker(match, span.start, match.end())

    def _marker(self, match: re.Match[str], start: int, end: int) -> Marker | None:
        context, path = self._context, match["path"]
        glued = _GLUED.match(path)
        # Scripts without blanks write a path right after a word, which may also be a folder's name.
        if glued is not None and start == match.start("path") and not context.lookup.by_path(path):
            start += glued.end()
            path = path[glued.end() :]
        if path.startswith("@") and not context.lookup.by_path(path):
            path = path[1:]  # as assistants mention files
        if not _is_file(path, context):
            return None
        label, lines = _lines_cited(match, path)
        chunk_ids = near_lines(context.lookup.by_path(path), lines)
        if not chunk_ids and not context.settings.source_root and label in self._mentioned:
            return None
        target = Target(label, chunk_ids, path=path, lines=lines)
        return context.marker(start, end, self._name, [target])


def _patterns_for(text: str) -> list[re.Pattern[str]]:
    # Patterns that ignore case take both Turkish letters for an "i", and folding does not.
    folded = text.casefold().replace("\u0131", "i").replace("\u0307", "")
    patterns = []
    if _COLON_HINT.search(text) is not None or any(hint in folded for hint in _HINTS):
        patterns.append(_CITATION)
    if "line" in folded:
        patterns.append(_LINES_FIRST)
    return patterns


def _lines_cited(match: re.Match[str], path: str) -> tuple[str, tuple[int, int]]:
    groups = match.groupdict()
    first = next(int(groups[name]) for name in _STARTS if groups.get(name))
    last = next((int(groups[name]) for name in _ENDS if groups.get(name)), first)
    span = f"{first}" if first == last else f"{first}-{last}"
    return f"{normal_path(path)}:{span}".replace("\x00", "\ufffd"), (first, last)


def _is_file(path: str, context: SyntaxContext) -> bool:
    """Whether a path names a file rather than a host, a time, a ratio or an abbreviation."""
    normal = normal_path(path)
    base = normal.rpartition("/")[2]
    match = _EXTENSION.search("/" + base if len(base) < 2 else base)
    if BARE_NAMES.fullmatch(base) or (match is not None and EXTENSIONS.fullmatch(match[1])):
        return True
    # "example.com:8080" is a host; with a folder before it, or among the chunks, it is a file.
    is_placed = "/" in normal and (match is not None or normal.startswith(("/", "../")))
    return is_placed or bool(context.lookup.by_path(path))


def near_lines(chunks: Sequence[Chunk], lines: tuple[int, int]) -> tuple[str, ...]:
    """The chunks of a file with some of the lines, or without line numbers; else all of them."""
    held = [(chunk.id, line_range(chunk)) for chunk in chunks]
    near = tuple(name for name, at in held if at is None or (at[0] <= lines[1] and lines[0] <= at[1]))
    return near or tuple(name for name, _ in held)

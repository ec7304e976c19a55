"""Citations of code: ``src/a.py:45-120``, ``src/a.py#L45-L120``, ``src/a.py (lines 45–120)``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from pytest_grounding._markdown import MaskSpan
from pytest_grounding.citations.base import Marker, SyntaxContext, Target
from pytest_grounding.citations.lookup import line_range, normal_path

#: Longest path that is recognised, in characters.
MAX_PATH = 300

# Hostile spellings are part of the pattern on purpose: "../../etc/passwd.txt:1" is a citation, and a
# failed one.
_PATH_CHAR = r"[\w./\\@+~%$\x00-]"
_PATH = rf"(?<![\w./\\@+~%$:-])(?P<path>(?:[A-Za-z]:(?=[\\/]))?{_PATH_CHAR}{{1,{MAX_PATH}}}+)"
_NUMBER = r"\d{1,7}"
_TO = r"\s?(?:[-–—‑]|to|bis|through)\s?"
_COLON = rf":L?(?P<c1>{_NUMBER})(?:[-–—‑]L?(?P<c2>{_NUMBER})|:\d{{1,5}})?"
_HASH = rf"#L(?P<h1>{_NUMBER})(?:C\d{{1,5}})?(?:[-–—‑]L?(?P<h2>{_NUMBER})(?:C\d{{1,5}})?)?"
_WORDS = rf"(?:lines?|zeilen?|ll?\.)\s{{0,2}}(?P<w1>{_NUMBER})(?:{_TO}(?P<w2>{_NUMBER}))?"
_LETTERS = rf"L(?P<l1>{_NUMBER})(?:{_TO}L?(?P<l2>{_NUMBER}))?"
_IN_PARENTHESES = rf"`?\s{{0,2}}\((?:{_WORDS}|{_LETTERS})\)"
_AFTER_COMMA = rf"`?,?\s(?:lines?|zeilen?)\s(?P<a1>{_NUMBER})(?:{_TO}(?P<a2>{_NUMBER}))?"
_CITATION = re.compile(
    rf"{_PATH}(?:{_COLON}|{_HASH}|{_IN_PARENTHESES}|{_AFTER_COMMA})(?!\w|[-–—‑]\d)", re.IGNORECASE
)
_LINES_FIRST = re.compile(
    rf"(?<!\w)lines?\s(?P<f1>{_NUMBER})(?:{_TO}(?P<f2>{_NUMBER}))?\s(?:of|in|from)\s`?"
    rf"(?P<path>(?:[A-Za-z]:(?=[\\/]))?{_PATH_CHAR}{{1,{MAX_PATH}}}(?<!\.))`?",
    re.IGNORECASE,
)
_GLUED = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]{1,300}(?=[\x21-\x7e])")
_STARTS = ("c1", "h1", "w1", "l1", "a1")
_ENDS = ("c2", "h2", "w2", "l2", "a2")
_EXTENSION = re.compile(r"[^/]\.([A-Za-z][A-Za-z0-9_+-]{0,15})\Z")
_BARE_NAMES = re.compile(
    r"makefile|dockerfile|jenkinsfile|rakefile|gemfile|procfile|vagrantfile|license|readme|changelog"
    r"|\.env|\.gitignore|\.dockerignore|\.editorconfig",
    re.IGNORECASE,
)
_EXTENSIONS = re.compile(
    r"adoc|asm|astro|bash|bat|bzl|c|cc|cfg|clj|cljs|cmake|cmd|conf|cpp|cs|css|csv|cts|cu|cue|cxx|d|dart|diff"
    r"|ejs|el|elm|env|erb|erl|ex|exs|f90|fish|fs|fsx|gd|go|gql|gradle|graphql|groovy|h|haml|hbs|hcl|hpp|hrl"
    r"|hs|htm|html|hxx|idl|ini|ipynb|java|jinja2?|jl|js|json|json5|jsonc|jsonl|jsx|kt|kts|less|lisp|lock|log"
    r"|lua|m|make|markdown|md|mdx|mjs|mk|ml|mli|mm|mts|nim|nix|php|pl|plist|pm|po|pp|prisma|proto|ps1|pug|py"
    r"|pyi|pyx|r|rb|rake|rkt|rs|rst|sass|sbt|scala|scm|scss|sh|sol|sql|styl|svelte|swift|tcl|tex|tf|tfvars"
    r"|thrift|toml|ts|tsv|tsx|txt|v|vb|vhd|vhdl|vim|vue|wat|xml|xsd|xsl|yaml|yml|zig|zsh",
    re.IGNORECASE,
)


class CodeLinesSyntax:
    """Citations of a file and its lines (1-based, inclusive)."""

    name = "code"
    priority = 70

    def find(self, context: SyntaxContext) -> Iterable[Marker]:
        """All markers of this syntax: in prose, in inline code that holds nothing else, in a link."""
        previous: MaskSpan | None = None
        for span in context.spans:
            if span.kind == "inline_code":
                yield from self._in_code(context, span)
            elif span.kind == "link_target" and previous is not None and previous.kind == "link_text":
                yield from self._in_link(context, previous, span)
            if span.kind in ("link_text", "link_target"):
                previous = span
        text = context.masked
        for pattern in (_CITATION, _LINES_FIRST):
            for match in pattern.finditer(text):
                marker = self._marker(context, match, match.start(), match.end())
                if marker is not None:
                    yield marker

    def _in_code(self, context: SyntaxContext, span: MaskSpan) -> Iterator[Marker]:
        """```` `src/a.py:3-9` ````, and ```` `src/a.py` (lines 3-9) ````."""
        inner = context.answer[span.inner_start : span.inner_end]
        if len(inner) > 2 * MAX_PATH:
            return
        stripped = inner.strip()
        start = span.inner_start + inner.index(stripped) if stripped else span.inner_start
        match = _CITATION.fullmatch(context.answer, start, start + len(stripped))
        if match is not None:
            marker = self._marker(context, match, match.start(), match.end())
        elif span.inner_start == span.start + 1 and stripped:
            match = _CITATION.match(context.answer, start, min(len(context.answer), span.end + 80))
            if match is None or match.end() <= span.end:
                return
            # The path fills the code and the lines follow it: the marker takes the backtick with it.
            marker = self._marker(context, match, span.start, match.end())
        else:
            return
        if marker is not None:
            yield marker

    def _in_link(self, context: SyntaxContext, text: MaskSpan, target: MaskSpan) -> Iterator[Marker]:
        address = context.answer[target.inner_start : target.inner_end]
        if "://" in address or len(address) > 2 * MAX_PATH:
            return
        match = _CITATION.fullmatch(context.answer, target.inner_start, target.inner_end)
        if match is not None:
            marker = self._marker(context, match, text.start, target.end)
            if marker is not None:
                yield marker

    def _marker(self, context: SyntaxContext, match: re.Match[str], start: int, end: int) -> Marker | None:
        groups = match.groupdict()
        path = groups["path"]
        glued = _GLUED.match(path)
        # Scripts without blanks write a path right behind a word; it may also be the name of a folder.
        if glued is not None and start == match.start("path") and not context.lookup.by_path(path):
            start += glued.end()
            path = path[glued.end() :]
        if not _is_file(path, context):
            return None
        first = next(groups[name] for name in (*_STARTS, "f1") if groups.get(name))
        last = next((groups[name] for name in (*_ENDS, "f2") if groups.get(name)), first)
        lines = (int(first), int(last))
        span = f"{lines[0]}" if lines[0] == lines[1] else f"{lines[0]}-{lines[1]}"
        label = f"{normal_path(path)}:{span}".replace("\x00", "\ufffd")
        target = Target(label, _chunk_ids(context, path, lines), path=path, lines=lines)
        return Marker(start, end, context.answer[start:end], self.name, (target,))


def _is_file(path: str, context: SyntaxContext) -> bool:
    """Whether a path names a file rather than a host, a time, a ratio or an abbreviation."""
    normal = normal_path(path)
    base = normal.rpartition("/")[2]
    match = _EXTENSION.search("/" + base if len(base) < 2 else base)
    if match is not None and _EXTENSIONS.fullmatch(match[1]):
        return True
    if _BARE_NAMES.fullmatch(base):
        return True
    # "example.com:8080" is a host; with a folder before it, or among the chunks, it is a file.
    is_placed = "/" in normal and (match is not None or normal.startswith(("/", "../")))
    return is_placed or bool(context.lookup.by_path(path))


def _chunk_ids(context: SyntaxContext, path: str, lines: tuple[int, int]) -> tuple[str, ...]:
    """Chunks of the file that hold some of the lines, or that do not say; else all of the file."""
    chunks = context.lookup.by_path(path)
    holding: list[str] = []
    for chunk in chunks:
        held = line_range(chunk)
        if held is None or (held[0] <= lines[1] and lines[0] <= held[1]):
            holding.append(chunk.id)
    return tuple(holding) or tuple(chunk.id for chunk in chunks)

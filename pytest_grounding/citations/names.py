"""Citations by the name of a document: ``[gifts.md]``, ``(source: gifts.md)``, ``[Gift cards]``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from pytest_grounding._io.filenames import DOCUMENTS, EXTENSIONS
from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding.citations.syntax import Marker, SyntaxContext, Target, brackets, normal_number
from pytest_grounding.lexicon import member_names
from pytest_grounding.lexicon.patterns import plain
from pytest_grounding.model.transcript import Chunk

_NAMES = member_names("document names")
_SOURCE_WORDS = (
    r"(?:sources?|src|docs?|documents?|files?|from|see|refs?|references?|quellen?|cf\.?|via|according to)"
)
_PREFIX = lazy(rf"(?i){_SOURCE_WORDS}\s{{0,2}}[:=]?\s{{1,2}}|{_SOURCE_WORDS}\s{{0,2}}[:=]\s{{0,2}}")
_PAGE = plain("recorded", "page_after_name")
_PARENTHESES = lazy(r"\(([^()\r\n]{2,200}+)\)")
_SEPARATOR = lazy(r"\s{0,3}[;,|]\s{1,3}|\s(?:and|und|&)\s")
_FILE = lazy(r"[^\s/\\][^\r\n:*?<>|]{0,150}\.(?P<extension>[A-Za-z][A-Za-z0-9]{0,5})\Z")
_STEM = lazy(r"\.[A-Za-z0-9]{1,6}\Z")
_EDGES = " \t\"'`*_“”‘’«»"
_LONGEST = 200
_MOST_PAGES = 50
_MOST_PARTS = 12


class NameTable:
    """The chunks by every name of their documents: whole, last part of a path, and without extension."""

    def __init__(self, chunks: Sequence[Chunk]) -> None:
        self._chunks = chunks
        self._known: dict[str, list[Chunk]] = {}
        self.has_files = False
        for chunk in chunks:
            for name in document_names_in(chunk):
                self.has_files = self.has_files or file_extension(name) is not None
                for form in _spellings(name):
                    held = self._known.setdefault(form, [])
                    if chunk not in held[-1:]:
                        held.append(chunk)

    def of(self, name: str) -> list[Chunk]:
        """The chunks of a document with this name."""
        wanted = folded_name(name)
        return self._known.get(wanted) or self._known.get(wanted.rpartition("/")[2]) or []


def document_names_in(chunk: Chunk) -> list[str]:
    """The names of a chunk's document in its metadata."""
    metadata = chunk.metadata
    held = {**metadata.__dict__, **(metadata.model_extra or {})}
    found = (held[key] for key in _NAMES if held.get(key))
    return [name for name in found if isinstance(name, str) and name.strip()]


def folded_name(name: str) -> str:
    """A name without case, quotation marks and odd blanks."""
    return " ".join(name.strip(_EDGES).replace("\\", "/").casefold().split())


def _spellings(name: str) -> list[str]:
    whole = folded_name(name)
    last = whole.rstrip("/").rpartition("/")[2]
    return list(dict.fromkeys(form for form in (whole, last, _STEM.sub("", last)) if len(form) > 1))


def file_extension(name: str) -> str | None:
    """The extension of a file's name; None if it is not one."""
    match = _FILE.search(name.strip())
    if match is None:
        return None
    extension = match["extension"]
    is_known = extension.casefold() in DOCUMENTS or EXTENSIONS.fullmatch(extension) is not None
    return extension if is_known else None


class NameSyntax:
    """Citations by the file, title or path of a document; all of its chunks are meant, or those of a page."""

    name = "name"
    priority = 59

    def find(self, context: SyntaxContext) -> Iterable[Marker]:
        """All markers of this syntax, in brackets and in parentheses."""
        if not context.chunks:
            return
        for bracket in brackets(context.masked):
            targets = _name_targets(bracket.body, context, is_bracket=True)
            yield context.marker(bracket.start, bracket.end, self.name, targets)
        for match in _PARENTHESES.finditer(context.masked):
            yield context.marker(*match.span(), self.name, _name_targets(match[1], context, is_bracket=False))


def _name_targets(body: str, context: SyntaxContext, *, is_bracket: bool) -> list[Target]:
    if len(body) < 2 or not any(map(str.isalpha, body)):
        return []  # no document is named by a single letter
    table = context.lookup.document_names
    text = body.strip(_EDGES)
    prefix = _PREFIX.match(text)
    rest = text[prefix.end() :] if prefix is not None else text
    is_word = " " not in rest and file_extension(rest) is None and _PAGE.search(rest) is None
    if not is_bracket and prefix is None and is_word:
        return []  # one word in parentheses may be any remark
    # An unknown file is an invented source where sources are cited by their files.
    may_invent = is_bracket or prefix is not None or table.has_files
    for candidate in dict.fromkeys((text, rest)):
        if target := named_target(candidate, table):
            return [target]
    parts = [part for part in _SEPARATOR.split(rest) if part.strip()]
    found: list[Target] = []
    for part in _with_pages(parts)[:_MOST_PARTS]:
        target = named_target(part, table) or (invented_target(part) if may_invent else None)
        if target is None:
            return []
        found.append(target)
    if any(target.chunk_ids for target in found):
        return list(dict.fromkeys(found))
    # What a chunk has in its own text is content.
    name = re.sub(r"\s+", " ", body).strip(_EDGES)
    return [] if any(name in chunk.text for chunk in context.chunks) else list(dict.fromkeys(found))


def _with_pages(parts: Sequence[str]) -> list[str]:
    """The parts of a list, each with the page that follows it."""
    found: list[str] = []
    for part in parts:
        if found and _PAGE.fullmatch(f", {part.strip()}"):
            found[-1] += f", {part.strip()}"
        else:
            found.append(part)
    return found


def named_target(text: str, table: NameTable) -> Target | None:
    """The target of a document's name, with or without a page; None if no chunk has the name."""
    if len(text) > _LONGEST:
        return None
    if found := table.of(text):
        return Target(text.strip(_EDGES), tuple(chunk.id for chunk in found))
    match = _PAGE.search(text)
    found = table.of(text[: match.start()]) if match is not None else []
    if match is None or not found:
        return None
    first, last = int(match["first"]), int(match["last"] or match["first"])
    label = f"{text[: match.start()].strip(_EDGES)}, p. {match['first']}"
    label += f"–{match['last']}" if match["last"] else ""
    if not first <= last < first + _MOST_PAGES:
        return Target(label, problem=f"the pages {first} to {last} are no range")
    pages = {normal_number(str(page)) for page in range(first, last + 1)}
    cited = [chunk for chunk in found if normal_number(chunk.metadata.page or "") in pages]
    if not cited and any(chunk.metadata.page is None for chunk in found):
        cited = [chunk for chunk in found if chunk.metadata.page is None]
    return Target(label, tuple(chunk.id for chunk in cited))


def invented_target(text: str) -> Target | None:
    """The target of a file's name that no chunk has; None for other words and addresses."""
    name = _PAGE.sub("", text).strip(_EDGES)
    is_name = file_extension(name) is not None and name.count(" ") <= 6
    return Target(name) if is_name and not name.casefold().startswith(("http://", "https://")) else None

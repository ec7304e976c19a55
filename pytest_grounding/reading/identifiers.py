"""Names that must match letter by letter: paths, addresses, versions, and names in code."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from pytest_grounding._io.filenames import DOCUMENTS, EXTENSIONS
from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding.lexicon import words as listed
from pytest_grounding.lexicon.patterns import plain
from pytest_grounding.reading import masks_of, read_once

IdentifierKind = Literal["url", "email", "path", "version", "name", "function", "code"]
MAX_LENGTH = 300  # longer runs are data, not names
# Every identifier contains one of these; most claims do not, and are settled here.
_HINT = lazy(r"[_/\\@]|[a-z][A-Z]|\w\(\)|\w\.\w|[A-Za-z]\d|\d[A-Za-z+]|[A-Z]-")
# Latin letters only, so that a script without blanks ends an identifier.
_RUN = lazy(r"[A-Za-z0-9\u00c0-\u024f_./\\@+~%$#:?&=*-]+")
_SIGNS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./\\@+~%$#:?&=*-")
_LETTERS = lazy(r"[^\W\d_]")
_CUT = lazy(r"[^:=?&#%$~*@]+")
_TRAILING = ".:?!=&#%$~*"
_EMAIL = lazy(r"[\w.+%-]{1,100}@(?:[A-Za-z0-9-]{1,63}\.){1,5}[A-Za-z]{2,24}")
_SCHEME = lazy(r"[A-Za-z][A-Za-z0-9+.-]{1,20}://.+")
_HOST = plain("text_form", "host")
_ROOTED = lazy(r"(?:\.{0,2}|~|[A-Za-z]:)[/\\](?=.?[A-Za-z_]).*")
_EXTENSION = lazy(r".*[^/\\.]\.([A-Za-z][A-Za-z0-9]{0,15})")
_VERSION = lazy(r"[vV]\d{1,6}(?:\.\d{1,6}){1,3}(?:[-+][A-Za-z0-9.-]{1,40})?|\d{1,5}(?:\.\d{1,6}){2,3}")
_DATE = lazy(r"\d{1,2}\.\d{1,2}\.(?:\d{2}|\d{4})|\d{4}\.\d{1,2}\.\d{1,2}|\d{1,3}(?:\.\d{3}){2,3}")
_SNAKE = lazy(r"(?:[A-Za-z0-9.]*_)+[A-Za-z0-9.]*")
_CAMEL = lazy(r"[A-Za-z0-9.]{0,40}[a-z]{2}[A-Z][A-Za-z0-9.]{1,80}")
_WORD = lazy(r"[A-Za-z_][A-Za-z0-9_.]{1,80}")
_CODE_WORD = lazy(r"(?<![\w./\\-])-{0,2}[A-Za-z][A-Za-z0-9-]{1,80}(?![\w./\\])")
_LITERALS = listed("names", "identifier_literals")
_CODE = lazy(r"[A-Z]{1,4}-?\d{1,5}[A-Za-z]?|[vV]\d{1,3}|\d{1,3}d\d{1,3}|\d{1,3}\+")


class Identifier(NamedTuple):
    """An identifier in a text."""

    kind: IdentifierKind  # a ``name`` is a variable, key or type; a ``code`` a short one ("A4", "2d6", "3+")
    text: str  # verbatim
    start: int  # start offset
    end: int  # end offset, exclusive


@read_once
def identifiers(text: str) -> tuple[Identifier, ...]:
    """The identifiers of a text in order, in linear time."""
    found: list[Identifier] = []
    end = 0
    for hint in _HINT.finditer(text):
        start = hint.start()
        if start < end:
            continue
        while start > end and (text[start - 1] in _SIGNS or "\u00c0" <= text[start - 1] <= "\u024f"):
            start -= 1
        match = _RUN.match(text, start)
        end = match.end() if match is not None else hint.end()
        found.extend(_read(text, start, end))
    return tuple(found)


def words_in_code(text: str) -> list[Identifier]:
    """The words in inline code, which are names whatever their form, but for placeholders in capitals."""
    if "`" not in text:
        return []
    found = []
    for span in masks_of(text):
        if span.kind != "inline_code" or span.inner_end - span.inner_start > MAX_LENGTH:
            continue
        matches = list(_CODE_WORD.finditer(text, span.inner_start, span.inner_end))
        for match in matches:
            is_placeholder = len(matches) > 1 and match[0].isupper()
            if not is_placeholder and match[0].lower() not in _LITERALS:
                found.append(Identifier("name", match[0], match.start(), match.end()))
    return found


def _read(text: str, start: int, end: int) -> Iterator[Identifier]:
    run = text[start:end].rstrip(_TRAILING)
    end = start + len(run)
    if not 1 < len(run) <= MAX_LENGTH:
        return
    whole = _whole(run)
    if whole is not None:
        yield Identifier(whole, run, start, end)
        return
    for match in _CUT.finditer(run):
        part = match[0].rstrip(".")
        first = start + match.start()
        last = first + len(part)
        is_called = text.startswith("()", last)
        if part.startswith("/") and text[first - 1 : first].isalnum():
            continue  # "45 m³/s": no path contains the character before the slash
        kind = _kind(part, is_called=is_called) if len(part) > 1 else None
        if kind is not None:
            yield Identifier(kind, part, first, last)


def _whole(run: str) -> IdentifierKind | None:
    """The kind of a run that may contain colons, question marks and so on."""
    if "@" in run and _EMAIL.fullmatch(run) is not None:
        return "email"
    if "://" in run:
        return "url" if _SCHEME.fullmatch(run) is not None else None
    if "." in run and "\\" not in run and _HOST.fullmatch(run.lower()) is not None:
        return "url"
    return None


def _kind(run: str, *, is_called: bool) -> IdentifierKind | None:
    if run[0] == "\\" and run[1:].isalpha():
        return None  # LaTeX: "\times", "\alpha"
    if is_path(run):
        return "path"
    if "/" in run or "\\" in run:
        return None
    if "." in run and run[-1].isalnum() and _VERSION.fullmatch(run) is not None:
        return "version" if _DATE.fullmatch(run) is None else None
    if _CODE.fullmatch(run) is not None:
        return "code"
    if "-" in run:
        return None
    if is_called and _WORD.fullmatch(run) is not None:
        return "function"
    if "_" in run:
        return "name" if _SNAKE.fullmatch(run) is not None and _LETTERS.search(run) is not None else None
    return "name" if _CAMEL.fullmatch(run) is not None else None


def is_path(run: str) -> bool:
    """Whether a run is a path: it starts at a root, or ends in a file extension."""
    if ("/" in run or "\\" in run) and _ROOTED.fullmatch(run) is not None:
        return True
    found = _EXTENSION.fullmatch(run) if "." in run else None
    if found is None or (found[1].lower() not in DOCUMENTS and EXTENSIONS.fullmatch(found[1]) is None):
        return False
    if "/" in run or "\\" in run:
        return True
    # "p.m." and "J.R" have no extension, and "Node.js" is a product.
    stem = run[: found.start(1) - 1]
    return len(found[1]) > 1 and found[1].islower() and len(stem) > 1 and not stem[:1].isupper()

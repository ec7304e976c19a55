"""A folder of documents as searchable passages: the corpus behind a retriever."""

from __future__ import annotations

import hashlib
import os
import re
import sqlite3
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from pytest_grounding._io.jsonio import opened, read_records, split_list
from pytest_grounding.errors import InputError, require
from pytest_grounding.importers.html_page import HtmlPage
from pytest_grounding.model.chunks import read_chunk

_ROWS = (".json", ".jsonl", ".ndjson")
_PAGES = (".html", ".htm")
_SUFFIXES = (*_ROWS, *_PAGES, ".txt", ".md", ".markdown", ".rst", ".adoc", ".pdf")
_LONGEST = 1000  # characters of a passage: paragraphs of a section are joined up to this, longer ones split
_HEADING = re.compile(r"#{1,6}\s|=+\s")
#: SQLite splits words at spaces, which these scripts do not use.
_UNSPACED = re.compile("[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_FORMAT = "1"  # part of an index's file name, so that an index of an older version is not read


@dataclass(frozen=True, slots=True, order=True)
class FilePassage:
    """A stretch of a document."""

    number: int  # its index among all passages; neighbours in a document have consecutive numbers
    path: str  # the document, relative to the corpus, with forward slashes
    line: int  # 1-based line on which it starts; in a PDF the page
    id: str  # its id in a file of chunks, or ""
    text: str  # the words, verbatim

    def place(self, offset: int = 0) -> str:
        """The location of a character: ``guide.md:12``, or ``guide.pdf, page 3``."""
        if self.path.lower().endswith(".pdf"):
            return f"{self.path}, page {self.line}"
        below = 0 if self.path.lower().endswith(_ROWS) else self.text.count("\n", 0, offset)
        return f"{self.path}:{self.line + below}"


class Corpus:
    """The passages of a file or folder, with an index of their words (SQLite's FTS5, ranked by BM25)."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def search(self, words: Iterable[str], most: int) -> list[FilePassage]:
        """The passages that share most with some words, best first."""
        asked = " OR ".join(f'"{word}"' for word in dict.fromkeys(_spaced(" ".join(words)).split()))
        if not asked:
            return []
        rows = self._connection.execute(
            "SELECT passages.* FROM words JOIN passages ON passages.number = words.rowid "
            "WHERE words MATCH ? ORDER BY bm25(words), passages.number LIMIT ?",
            (asked, most),
        )
        return [FilePassage(*row) for row in rows]

    def beside(self, passage: FilePassage) -> list[FilePassage]:
        """The passages right before and after one in its document."""
        rows = self._connection.execute(
            "SELECT * FROM passages WHERE number IN (?, ?) AND path = ? ORDER BY number",
            (passage.number - 1, passage.number + 1, passage.path),
        )
        return [FilePassage(*row) for row in rows]


def open_corpus(path: str) -> Corpus:
    """The corpus at a path, indexed once: the index is cached in the user's cache folder by file hashes."""
    return _opened_corpus(path, os.getpid())


@lru_cache(maxsize=4)
def _opened_corpus(path: str, _process: int) -> Corpus:
    files = _files_of_folder(Path(path))
    if not files:
        hint = f"name a folder with {', '.join(_SUFFIXES)}"
        raise InputError("contains no document", path=path, field="corpus", hint=hint)
    seen = hashlib.sha256(_FORMAT.encode())
    for name, file in files:
        try:
            seen.update(f"{name}\0{hashlib.sha256(file.read_bytes()).hexdigest()}\0".encode())
        except OSError as error:
            raise InputError(f"cannot be read ({error.strerror})", path=str(file), field="corpus") from None
    owner = hashlib.sha256(os.fsencode(Path(path).resolve())).hexdigest()[:12]
    index = _cache() / f"corpus-{owner}-{seen.hexdigest()[:32]}.sqlite"
    if not index.is_file() and not _build(index, files):
        # No place to keep it: built again in each process.
        connection = sqlite3.connect(":memory:", check_same_thread=False)
        _fill(connection, files)
        return Corpus(connection)
    address = f"{index.absolute().as_uri()}?mode=ro&immutable=1"
    return Corpus(sqlite3.connect(address, uri=True, check_same_thread=False))


def _cache() -> Path:
    base = os.environ.get("LOCALAPPDATA" if os.name == "nt" else "XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "pytest-rag-grounding"


def _build(index: Path, files: Sequence[tuple[str, Path]]) -> bool:
    """Write the index under a temporary name and move it; False if the folder is not writable."""
    try:
        index.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(suffix=".tmp", dir=index.parent)
    except OSError:
        return False
    os.close(handle)
    try:
        connection = sqlite3.connect(name)
        try:
            _fill(connection, files)
        finally:
            connection.close()
        Path(name).replace(index)
    except BaseException as error:
        Path(name).unlink(missing_ok=True)
        if isinstance(error, (OSError, sqlite3.Error)):
            return False  # for example, no space left: it is built in memory
        raise
    for old in index.parent.glob(index.name[:20] + "*.sqlite"):
        if old != index:
            old.unlink(missing_ok=True)
    return True


def _fill(connection: sqlite3.Connection, files: Sequence[tuple[str, Path]]) -> None:
    connection.executescript(
        "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;"
        "CREATE TABLE passages (number INTEGER PRIMARY KEY, path TEXT, line INTEGER, id TEXT, text TEXT);"
        "CREATE VIRTUAL TABLE words USING fts5"
        "(text, content = '', tokenize = 'porter unicode61 remove_diacritics 2');"
    )
    found = ((name, *passage) for name, file in files for passage in _passages_of_text(file))
    for number, row in enumerate(found, start=1):
        connection.execute("INSERT INTO passages VALUES (?, ?, ?, ?, ?)", (number, *row))
        connection.execute("INSERT INTO words (rowid, text) VALUES (?, ?)", (number, _spaced(row[-1])))
    connection.commit()


def _spaced(text: str) -> str:
    text = text.replace('"', " ")
    return text if text.isascii() else _UNSPACED.sub(lambda match: f" {match[0]} ", text)


def _files_of_folder(root: Path) -> list[tuple[str, Path]]:
    """The documents below a folder with their names, in the same order on every machine; or the one file."""
    if not root.exists():
        hint = "name a file or folder of documents"
        raise InputError("is not there", path=str(root), field="corpus", hint=hint)
    if root.is_file():
        return [(root.name, root)]
    found = []
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        found += [Path(folder, name) for name in names if name.lower().endswith(_SUFFIXES)]
    shown = (file for file in found if not file.name.startswith("."))
    return sorted((file.relative_to(root).as_posix(), file) for file in shown)


def _passages_of_text(file: Path) -> Iterator[tuple[int, str, str]]:
    suffix = file.suffix.lower()
    if suffix in _ROWS:
        for record in read_records(file):
            members = split_list(record) if isinstance(record.value, list) else [record]
            for member in members:
                chunk = read_chunk(member.value)
                if chunk is None or not chunk["text"]:
                    hint = 'write {"id": "c1", "text": "..."}'
                    raise InputError("is not a passage", path=str(file), line=member.line, hint=hint)
                yield member.line, str(chunk.get("id") or ""), chunk["text"]
    elif suffix == ".pdf":
        reader = require("pypdf", extra="pdf")
        try:
            pages = [page.extract_text() for page in reader.PdfReader(file).pages]
        except Exception as error:  # a damaged file makes the library raise anything
            raise InputError(f"is not a PDF that can be read ({error})", path=str(file)) from None
        for number, page in enumerate(pages, start=1):
            for _, text in _packed_blocks(page):
                yield number, "", text
    else:
        with opened(str(file)) as stream:
            text = stream.read().decode("utf-8-sig", "replace").replace("\r\n", "\n")
        packed = HtmlPage(text, _LONGEST).passages() if suffix in _PAGES else _packed_blocks(text)
        yield from ((line, "", passage) for line, passage in packed)


def _packed_blocks(text: str) -> Iterator[tuple[int, str]]:
    """The paragraphs of a text with their lines; short ones of a section are joined."""
    first, held = 1, ""
    line = 1
    for block in re.split(r"(\n[ \t]*\n\s*)", text):
        if block.strip():
            body = block.rstrip()
            is_new = _HEADING.match(body) is not None or len(held) + len(body) > _LONGEST
            if held.strip() and is_new:
                yield first, held.rstrip()
            if is_new or not held.strip():
                first, held = line, ""
            at = line
            # The sentences of a paragraph that is longer than a passage.
            is_short = len(body) <= _LONGEST
            for piece in [body] if is_short else re.split(r"(?<=[.!?。！？])(?=\s)", body):
                if len(held) + len(piece) > _LONGEST and held.strip():
                    yield first, held.rstrip()
                    first, held = at + piece[: -len(piece.lstrip())].count("\n"), ""
                held += piece if held else piece.lstrip()
                at += piece.count("\n")
        elif held:
            held += block
        line += block.count("\n")
    if held.strip():
        yield first, held.rstrip()

"""Which transcripts and verdicts involve a source: a document, a path, an address, by name or pattern."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fnmatch import fnmatchcase

from pytest_grounding.citations.codelines import CodeLinesSyntax
from pytest_grounding.citations.extract import make_context
from pytest_grounding.citations.syntax import normal_url, source_url
from pytest_grounding.model.transcript import Chunk, Transcript
from pytest_grounding.settings import Settings

#: Metadata members that name the origin of a chunk.
_NAMES = ("document", "title", "doc_title", "path", "url", "slug", "payload_id", "source", "file_name")
_WILD = frozenset("*?[")


def names_of(chunk: Chunk, settings: Settings) -> frozenset[str]:
    """Every name of a chunk's source, folded; the id of the chunk is one of them."""
    found = [chunk.id, source_url(chunk, settings)]
    found += [getattr(chunk.metadata, name, None) for name in _NAMES]
    return frozenset(_comparable_name(name) for name in found if isinstance(name, str) and name.strip())


def is_named(names: Iterable[str], patterns: Sequence[str]) -> bool:
    """Whether a pattern matches one of some folded names."""
    known = list(names)
    return any(_matches(name, _comparable_name(pattern)) for pattern in patterns for name in known)


def comes_from(transcript: Transcript, patterns: Sequence[str], settings: Settings) -> bool:
    """Whether a transcript retrieved a chunk of the sources, or cites a file of them."""
    if any(is_named(names_of(chunk, settings), patterns) for chunk in transcript.chunks):
        return True
    return is_named(_cited_files(transcript, settings), patterns)


def known_sources(transcripts: Iterable[Transcript]) -> list[str]:
    """The names of the sources of some transcripts, in order, for a message."""
    named: set[str] = set()
    for transcript in transcripts:
        for chunk in transcript.chunks:
            metadata = chunk.metadata
            name = metadata.document or metadata.path or metadata.url or metadata.title
            named.add(name or chunk.id)
    return sorted(named)


def _cited_files(transcript: Transcript, settings: Settings) -> Iterator[str]:
    """The files that an answer cites by path and line, which need not be chunks."""
    for marker in CodeLinesSyntax().find(make_context(transcript, settings)):
        for target in marker.targets:
            if target.path:
                yield _comparable_name(target.path)


def _comparable_name(name: str) -> str:
    normal = normal_url(name) if "://" in name and not _WILD & set(name) else None
    return (normal[0] if normal is not None else name).strip().replace("\\", "/").casefold()


def _matches(name: str, pattern: str) -> bool:
    last = name.rstrip("/").rpartition("/")[2]
    if _WILD & set(pattern):
        return fnmatchcase(name, pattern) or fnmatchcase(last, pattern)
    whole = pattern.rstrip("/") or pattern
    return whole in (name.rstrip("/"), last) or name.endswith(f"/{whole}") or name.startswith(f"{whole}/")

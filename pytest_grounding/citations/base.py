"""What a citation syntax is, and the values that extraction hands on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from pytest_grounding._markdown import MaskSpan
from pytest_grounding.citations.lookup import ChunkLookup
from pytest_grounding.model.transcript import Chunk, Transcript
from pytest_grounding.settings import Settings

#: Syntax of a span that a provider reports.
PROVIDER = "provider"


@dataclass(frozen=True, slots=True)
class Target:
    """What one citation points to.

    Attributes:
        label: normalised, for people: ``3``, ``ch 3, sec 2``, ``src/a.py:3-9``, an address, an id.
        chunk_ids: chunks that answer to it, best first; empty when none does.
        problem: why it cannot be right whatever the chunks are (``reversed range``), or "".
        path: file that it names, as written, for code lines; else None.
        lines: 1-based inclusive line range, for code lines; else None.
        quote: the source's words that the citation carries, or None.
    """

    label: str
    chunk_ids: tuple[str, ...] = ()
    problem: str = ""
    path: str | None = None
    lines: tuple[int, int] | None = None
    quote: str | None = None


@dataclass(frozen=True, slots=True)
class Marker:
    """One marker in the answer, with its one or several targets (``[1, 3]`` has two).

    Attributes:
        start: offset of the marker in the answer; -1 for an entry of a list that the text never mentions.
        end: one past its last character.
        text: ``answer[start:end]``.
        syntax: name of the syntax that found it.
        targets: what it points to, in the order written.
    """

    start: int
    end: int
    text: str
    syntax: str
    targets: tuple[Target, ...]


@dataclass(frozen=True, slots=True)
class ExtractedCitation:
    """One citation: one target of one marker. Several may share a marker's span.

    Attributes:
        start: offset in the answer; -1 for a list entry that the text never mentions, and for a
            provider's span that lies outside of the answer.
        end: one past its last character, or -1.
        text: ``answer[start:end]``, or "" where there is no span.
        syntax: name of the syntax that found it; ``list`` for an entry of ``cited_indices`` that the
            text never mentions, ``provider`` for a provider's span.
        target: what it points to.
        mismatch: why the span that a provider gave does not fit the answer, or "".
    """

    start: int
    end: int
    text: str
    syntax: str
    target: Target
    mismatch: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SyntaxContext:
    """What a syntax may look at.

    Attributes:
        answer: the answer, verbatim.
        masked: the same, of the same length, with code and other places that hold no citation blanked.
        chunks: the retrieved chunks, in order.
        transcript: the whole transcript.
        settings: the settings in force.
        definitions: what ``[1]: …`` and ``[^1]: …`` lines say, label -> text of the definition.
        spans: where code, links, definitions and bare addresses (kind ``address``) stand.
        lookup: finds chunks by position, id, address, section and path.
    """

    answer: str
    masked: str
    chunks: Sequence[Chunk]
    transcript: Transcript
    settings: Settings
    definitions: dict[str, str] = field(default_factory=dict)
    spans: tuple[MaskSpan, ...] = ()
    lookup: ChunkLookup = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "lookup", ChunkLookup(self.chunks, self.settings))


@runtime_checkable
class CitationSyntax(Protocol):
    """One way to write a citation. Register your own through the hook ``pytest_grounding_syntaxes``.

    Where markers of several syntaxes overlap, the one with the higher priority stays, then the longer
    one, then the first.
    """

    @property
    def name(self) -> str:
        """Name that citations carry in ``syntax``."""
        ...

    @property
    def priority(self) -> int:
        """Rank where syntaxes overlap; built-in ones use 10 to 90."""
        ...

    def find(self, context: SyntaxContext) -> Iterable[Marker]:
        """All markers of this syntax, resolved against the chunks, in linear time."""
        ...

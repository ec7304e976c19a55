"""The first two rules: the source exists, and the cited lines exist in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pytest_grounding._io.wording import counted, with_verb
from pytest_grounding.checks.check_context import CheckContext
from pytest_grounding.citations.numbering import chunk_numbers
from pytest_grounding.citations.syntax import ExtractedCitation, Target, line_range, normal_path
from pytest_grounding.model.finding import Finding, Severity, finding_of
from pytest_grounding.model.transcript import Chunk

if TYPE_CHECKING:
    from pytest_grounding.citations.source_root import NumberedText, SourceProblem, SourceRoot

SOURCE_EXISTS = "source_exists"
LINE_RANGE = "line_range"
_MOST_LINES = 10**9  # most lines of a source file; a citation beyond is wrong without opening the file
_NUMBERED = ("index", "list")
_MAX_SUGGESTIONS = 20  # similar names are searched for this many unknown sources of an answer
_MAX_NAMES = 2_000


@dataclass(slots=True)
class Findings:
    """Collects findings and the citation of each."""

    context: CheckContext
    found: list[Finding] = field(default_factory=list)
    by_citation: dict[int, list[Finding]] = field(default_factory=dict)
    numbers: dict[str, int] = field(init=False)

    def __post_init__(self) -> None:
        self.numbers = chunk_numbers(self.context.transcript.chunks, self.context.settings)

    def add(self, rule: str, message: str, suggestion: str = "", **fields: Any) -> Finding:
        """Report a finding."""
        self.found.append(finding_of(rule, self.context.settings, message, suggestion, **fields))
        return self.found[-1]

    def on_citation(self, index: int, rule: str, message: str, suggestion: str = "", **fields: Any) -> None:
        """Report a finding on a citation; its claim is the citation's own unless one is given."""
        citation = self.context.citations[index]
        said = f"{citation.text}: {message}" if citation.text else message
        span = (citation.start, citation.end) if citation.start >= 0 else None
        place = {"span": span, "claim": self.context.owners[index], "citation": index}
        finding = self.add(rule, said, suggestion, **(place | fields))
        self.by_citation.setdefault(index, []).append(finding)


def retrieved(count: int) -> str:
    """How many chunks were retrieved, in words."""
    return f"{with_verb(count, 'chunk', 'was', 'were')} retrieved"


@dataclass(frozen=True, slots=True)
class Unresolved:
    """A rule that failed on a citation, before it has a place in the verdict."""

    rule: str
    severity: Severity
    message: str
    suggestion: str = ""


@dataclass(frozen=True, slots=True)
class Resolution:
    """The source that a citation resolved to."""

    chunks: tuple[Chunk, ...] = ()  # the chunks it refers to
    file: NumberedText | None = None  # the file under the source root it refers to, or None
    faults: tuple[Unresolved, ...] = ()  # the failures of the two rules, in their order

    @property
    def is_valid(self) -> bool:
        """Whether no error rule failed."""
        return not any(fault.severity == "error" for fault in self.faults)


class Resolver:
    """Applies the two rules to the citations of an answer; equal targets are looked up once."""

    def __init__(self, context: CheckContext, reader: SourceRoot | None) -> None:
        self._transcript = context.transcript
        self._settings = context.settings
        self._reader = reader
        self._chunks: Mapping[str, Chunk] = context.chunk_by_id
        self._known: dict[tuple[str, Target], Resolution] = {}
        self._suggestions = _MAX_SUGGESTIONS

    def resolve(self, citation: ExtractedCitation) -> Resolution:
        """Resolve a citation, with the rules that failed."""
        key = (citation.syntax, citation.target)
        if key not in self._known:
            target = citation.target
            is_code = target.path is not None and target.lines is not None
            self._known[key] = self._code(target) if is_code else self._plain(citation)
        return self._known[key]

    def _plain(self, citation: ExtractedCitation) -> Resolution:
        target = citation.target
        chunks = tuple(self._chunks[name] for name in target.chunk_ids if name in self._chunks)
        if target.problem:
            hint = self._numbers() if citation.syntax in _NUMBERED else ""
            return Resolution(faults=(Unresolved(SOURCE_EXISTS, "error", target.problem, hint),))
        return Resolution(chunks) if chunks else Resolution(faults=(self._unknown(citation),))

    def _unknown(self, citation: ExtractedCitation) -> Unresolved:
        label, chunks = citation.target.label, self._transcript.chunks
        if citation.syntax in _NUMBERED and label.isdecimal():
            message = f"there is no source {label}: {retrieved(len(chunks))}"
            return Unresolved(SOURCE_EXISTS, "error", message, self._numbers())
        known = chunks[:_MAX_NAMES]
        message, names = f"no retrieved chunk answers to {label!r}", [chunk.id for chunk in known]
        if citation.syntax == "url":
            message = f"no retrieved chunk has the address {label}"
            names = [chunk.metadata.url or "" for chunk in known]
        elif citation.syntax == "section":
            message = f"no retrieved chunk is {label}"
            names = []
            for place in (chunk.metadata for chunk in known):
                if place.section_number is not None:
                    names.append(f"ch {place.chapter_id or ''}, sec {place.section_number}")
        return Unresolved(SOURCE_EXISTS, "error", message, self._near(label, names))

    def _numbers(self) -> str:
        numbers = chunk_numbers(self._transcript.chunks, self._settings).values()
        if not numbers:
            return "nothing was retrieved, so nothing can be cited"
        first, last = min(numbers), max(numbers)
        return f"write a number from {first} to {last}" if last > first else f"the only source is {first}"

    def _near(self, label: str, names: list[str]) -> str:
        if self._suggestions <= 0 or len(label) > 300:
            return ""
        self._suggestions -= 1
        from difflib import get_close_matches

        folded = {name.casefold(): name for name in reversed(names) if name}
        folded = dict(reversed(folded.items()))
        near = get_close_matches(label.casefold(), folded, n=1, cutoff=0.6)
        return f"did you mean {folded[near[0]]}?" if near else ""

    def _code(self, target: Target) -> Resolution:
        from pytest_grounding.citations.source_root import NumberedText, SourceProblem

        assert target.path is not None
        assert target.lines is not None
        chunks = tuple(self._chunks[name] for name in target.chunk_ids if name in self._chunks)
        read = self._reader.read(target.path) if self._reader is not None else None
        if self._reader is not None and isinstance(read, SourceProblem) and chunks and read.kind == "missing":
            # "b.py:45" may abbreviate the path of the chunk it refers to.
            read = self._reader.read(chunks[0].metadata.path or target.path)
        file = read if isinstance(read, NumberedText) else None
        if file is None and not chunks:
            return Resolution(faults=(self._no_file(target, read),))
        fault = _line_fault(target.lines, file, chunks, target.path)
        return Resolution(chunks, file, (fault,) if fault is not None else ())

    def _no_file(self, target: Target, read: NumberedText | SourceProblem | None) -> Unresolved:
        from pytest_grounding.citations.source_root import SourceProblem

        path = (target.path or "").replace("\x00", "\ufffd")
        if isinstance(read, SourceProblem):
            message = f"{path} answers to no retrieved chunk, and under the source root: {read.reason}"
        else:
            message = f"no retrieved chunk is of the file {path}"
        names = [chunk.metadata.path or "" for chunk in self._transcript.chunks[:_MAX_NAMES]]
        return Unresolved(SOURCE_EXISTS, "error", message, self._near(normal_path(path), names))


def _line_fault(
    lines: tuple[int, int], file: NumberedText | None, chunks: tuple[Chunk, ...], path: str
) -> Unresolved | None:
    first, last = lines
    said = f"line {first}" if first == last else f"lines {first} to {last}"
    if last < first:
        return Unresolved(LINE_RANGE, "error", f"{said} of {path} run backwards", f"write {last}-{first}")
    if first < 1:
        return Unresolved(LINE_RANGE, "error", f"{said} of {path}: lines are counted from 1")
    if file is not None:
        if last <= len(file.lines):
            return None
        has = f"{path} has {counted(len(file.lines), 'line')}"
        advice = f"write lines up to {len(file.lines)}"
        return Unresolved(LINE_RANGE, "error", f"{said} do not exist: {has}", advice)
    if last > _MOST_LINES:
        message = f"{said} do not exist: no file has that many"
        return Unresolved(LINE_RANGE, "error", message, "cite lines that exist")
    held = [(line_range(chunk), chunk.id) for chunk in chunks]
    ranges = sorted(item[0] for item in held if item[0] is not None)
    overlaps = [held for held in ranges if held[0] <= last and first <= held[1]]
    if _covers_lines(overlaps, first, last):
        return None
    if len(ranges) < len(chunks):
        return Unresolved(LINE_RANGE, "info", f"{said} of {path} cannot be verified: a chunk names no lines")
    known = ", ".join(f"{start}-{end}" for start, end in ranges[:5])
    if overlaps:
        message = f"the retrieved chunks contain only a part of {said} of {path} (they contain {known})"
        advice = "set source_root to check the file itself, or cite the retrieved lines"
        return Unresolved(LINE_RANGE, "warning", message, advice)
    message = f"{said} of {path} are in no retrieved chunk (they contain {known})"
    advice = "cite lines that were retrieved, or set source_root to check the file itself"
    return Unresolved(LINE_RANGE, "error", message, advice)


def _covers_lines(ranges: list[tuple[int, int]], first: int, last: int) -> bool:
    reached = first - 1
    for start, end in ranges:
        if start > reached + 1:
            return False
        reached = max(reached, end)
        if reached >= last:
            return True
    return False

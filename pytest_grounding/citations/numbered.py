"""Citations by position: numbers in brackets, and the marks of OpenAI."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from pytest_grounding._io.lazy_patterns import gated, lazy
from pytest_grounding.citations.names import named_target
from pytest_grounding.citations.section import SectionSyntax, page_target
from pytest_grounding.citations.syntax import Bracket, Marker, SyntaxContext, Target, brackets
from pytest_grounding.lexicon import alternation

MAX_RANGE = 100  # a range of more indices is one invalid citation
MAX_EXPANDED = 10_000  # with more citations, the ranges of an answer are no longer expanded
_BLANK = r"[\s\u200e\u200f\u2066-\u2069]"  # other scripts may have direction marks around digits
_WORD = rf"(?:{alternation('citing', 'sources')}|cite|results?|ref_id|ids?|citation_id|source_id|[sd](?=\d))"
#: Words before a number whose count starts from 0 where a 0 occurs: those of services, not of prompts.
_ZERO_WORDS = lazy(r"(?i)\s{0,4}(?:ids?|ref_id|citation_id|source_id)[\s.:#=_-]{0,3}\d")
#: Braces and parentheses within a bracket: "[${1}]", "[(1)]".
_WRAPPED = lazy(r"\s{0,4}(?:\$?\{([^{}]{1,60})\}|\(([^()]{1,60})\))\s{0,4}")
_PIECE = lazy(
    rf"{_BLANK}{{0,4}}+(?:{_WORD}[\s.:#=_-]{{0,3}})?(?P<caret>\^)?#?(?P<sign>[-−])?(?P<first>\d{{1,3}})"
    rf"(?:{_BLANK}?[-–—‑]{_BLANK}?\^?(?P<last>\d{{1,3}}))?(?:†[^†,;\r\n]{{0,60}}+)?{_BLANK}{{0,4}}",
    re.IGNORECASE,
)
_PAGE = lazy(r"\s{0,4}(?:pp?|pages?|seiten?|s)\.?\s?\d{1,5}(?:\s?[-–—]\s?\d{1,5})?\s{0,4}", re.IGNORECASE)
_SEPARATOR = lazy(r"[,;，；、](?:\s(?:and|und|et|y|&)\s)?|\s(?:and|und|et|y|&)\s")
_DIGITS = lazy(r"(?<!\d)\d{1,3}(?!\d)")
_FOOTNOTE = lazy(r"\^([^\s\^\[\]]{1,64})")
_SUPERSCRIPT = lazy(r"[⁰¹²³⁴-⁹]{1,3}(?:[⁻–,˒⸴ʼ]{1}[⁰¹²³⁴-⁹]{1,3}){0,8}")
#: Superscript digits of HTML, with or without brackets.
_RAISED = lazy(r"<sup>\s?\[?(?P<numbers>\d{1,3}(?:\s?[,;]\s?\d{1,3}){0,8})\]?\s?</sup>", re.IGNORECASE)
_NUMBER = lazy(r"\d+")
_SUPER_DIGITS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_SUPER_NUMBER = lazy(r"[⁰¹²³⁴-⁹]+")
_SENTENCE_MARKS = frozenset('.!?,;:。！？，；：…”»"')
_MIN_WORD = 4
_REACH, _BEFORE = 24, 5  # characters before a bracket that are read, and how many must be in a chunk too
_JOINING = frozenset(":=(,{+-*/<>_")  # a bracket after one of these is a value
_DAGGER = gated("【", r"【(?:(?P<message>\d{1,4}):)?(?P<number>\d{1,4})†[^【】\r\n]{0,200}+】", 0)
_PRIVATE = gated("\ue200", r"\ue200(?:file)?cite(?P<files>(?:\ue202[a-z0-9_.-]{1,60}){1,20}+)\ue201", 0)
_TURN = lazy(r"turn\d{1,4}[a-z]{1,20}(\d{1,4})")


@dataclass(frozen=True, slots=True)
class BracketNumber:
    """One number or range of a bracket, with its offsets in the bracket's text."""

    first: int
    last: int | None
    negative: bool
    label: str
    is_service: bool = False  # written by a service, which may count from 0


class IndexSyntax:
    """Citations by the number of a chunk, counted from the setting ``index_base``."""

    name = "index"
    priority = 40

    def find(self, context: SyntaxContext) -> Iterable[Marker]:
        """All markers of this syntax, in order."""
        found = [(bracket, bracket_numbers(bracket.body)) for bracket in brackets(context.masked)]
        resolver = NumberResolver(context, [pieces for _, pieces in found if pieces])
        for bracket, pieces in found:
            if pieces and is_content(bracket, [piece.first for piece in pieces], context):
                continue
            targets = resolver.targets(pieces) if pieces else _footnote(bracket, context)
            yield context.marker(bracket.start, bracket.end, self.name, targets)
        yield from self._superscripts(context)

    def _superscripts(self, context: SyntaxContext) -> Iterator[Marker]:
        """Superscript digits after a word or a sentence, if a chunk has that number: not ``x²``, ``m³``."""
        masked = context.masked
        found: list[tuple[int, int, list[int]]] = []
        if "<sup>" in masked or "<SUP>" in masked:
            for match in _RAISED.finditer(masked):
                found.append((*match.span(), [int(run[0]) for run in _NUMBER.finditer(match["numbers"])]))
        if not masked.isascii():
            for match in _SUPERSCRIPT.finditer(masked):
                runs = _SUPER_NUMBER.finditer(match[0])
                found.append((*match.span(), [int(run[0].translate(_SUPER_DIGITS)) for run in runs]))
        for start, end, numbers in found:
            targets = [Target(str(number), context.lookup.at(number)) for number in numbers]
            is_after_word = start >= _MIN_WORD and masked[start - _MIN_WORD : start].isalpha()
            is_after_sentence = start > 0 and masked[start - 1] in _SENTENCE_MARKS
            if (is_after_word or is_after_sentence) and all(target.chunk_ids for target in targets):
                yield context.marker(start, end, self.name, targets)


def bracket_numbers(body: str) -> list[BracketNumber]:
    """The numbers of a bracket; empty if it contains anything else."""
    if not any(char.isdecimal() for char in body):
        return []
    if (wrapped := _WRAPPED.fullmatch(body)) is not None:
        body = wrapped[1] or wrapped[2]
    is_service = _ZERO_WORDS.match(body) is not None
    found: list[BracketNumber] = []
    for part in _SEPARATOR.split(body):
        match = _PIECE.fullmatch(part)
        if match is None:
            if found and _PAGE.fullmatch(part):
                continue
            return []
        first = int(match["first"])
        last = int(match["last"]) if match["last"] else None
        label = f"^{first}" if match["caret"] else str(first)
        found.append(BracketNumber(first, last, match["sign"] is not None, label, is_service))
    # A list with a negative number is a vector or an interval.
    is_several = len(found) > 1 or any(piece.last is not None for piece in found)
    return [] if is_several and any(piece.negative for piece in found) else found


def is_content(bracket: Bracket, numbers: Sequence[int], context: SyntaxContext) -> bool:
    """Whether a bracket is content of a chunk: ``items[0]``, ``{"ids": [4, 5]}``, "the interval [3, 7]"."""
    written = "".join(context.answer[bracket.start : bracket.end].split())
    holding = [text for text in context.lookup.without_blanks if written in text]
    if not holding or not all(map(context.lookup.at, numbers)):
        return bool(holding)
    # Chunks of web pages contain "[1]" too: the text before it decides.
    before = "".join(context.answer[max(0, bracket.start - _REACH) : bracket.start].split())[-_BEFORE:]
    is_attached = before[-1:].isalnum() and context.answer[bracket.start - 1] != " "
    is_joined = is_attached or before[-1:] in _JOINING
    return is_joined and any(before + written in text for text in holding)


class NumberResolver:
    """Turns numbers into targets: by definition, by numeric id, or by position."""

    def __init__(self, context: SyntaxContext, brackets_: list[list[BracketNumber]]) -> None:
        self._context = context
        self._base = context.settings.index_base
        self._expanded = 0
        self._known: dict[str, Target] = {}
        lookup = context.lookup
        pieces = [piece for held in brackets_ for piece in held if piece.is_service]
        self._from_zero = any(piece.first == 0 for piece in pieces) and lookup.at(0) == ()
        # Where no bracket has a number, those of the whole answer tell: "(Source 101)".
        numbers = [str(piece.first) for held in brackets_ for piece in held]
        self._by_id = lookup.ids_are_numbers and any(
            map(lookup.by_id, numbers or _DIGITS.findall(context.masked))
        )

    def named(self, text: str) -> list[Target] | None:
        """The targets of an id, of numbers or of a document's name; None if the text is none of them."""
        lookup = self._context.lookup
        if found := lookup.by_id(text):
            return [Target(found[0], found)]
        if pieces := bracket_numbers(text):
            return self.targets(pieces)
        target = named_target(text, lookup.document_names)
        return None if target is None else [target]

    def targets(self, pieces: list[BracketNumber]) -> list[Target]:
        """One target for each number, each once; empty if the list is not a citation."""
        if not pieces:
            return []
        several = len(pieces) > 1 or pieces[0].last is not None
        # "[0, 1]" is an interval or a vector, unless chunks are numbered from 0.
        if (
            several
            and self._base > 0
            and not self._by_id
            and not self._from_zero
            and any(piece.first == 0 for piece in pieces)
        ):
            return []
        found: dict[str, Target] = {}
        for piece in pieces:
            for target in self._of(piece):
                found.setdefault(target.label, target)
        return list(found.values())

    def _of(self, piece: BracketNumber) -> list[Target]:
        if piece.negative:
            return [Target(f"-{piece.first}", problem="a source number cannot be negative")]
        if piece.last is None:
            return [self._single(piece)]
        label = f"{piece.first}-{piece.last}"
        if piece.last < piece.first:
            return [Target(label, problem=f"the range {label} runs backwards")]
        size = piece.last - piece.first + 1
        if size > MAX_RANGE or self._expanded + size > MAX_EXPANDED:
            return [Target(label, problem=f"the range {label} is too wide to be checked")]
        self._expanded += size
        shift = self._shift(piece)
        return [self._number(number, shift) for number in range(piece.first, piece.last + 1)]

    def _shift(self, piece: BracketNumber) -> int:
        return 1 if piece.is_service and self._from_zero else 0

    def _single(self, piece: BracketNumber) -> Target:
        definition = self._context.definitions.get(piece.label)
        if definition is None:
            return self._number(piece.first, self._shift(piece))
        key = f"[{piece.label}]"
        if key not in self._known:
            ids = self._context.lookup.by_definition(definition)
            number = self._number(piece.first)
            placed = _placed(definition, self._context)
            self._known[key] = placed or (number if ids is None else Target(number.label, ids))
        return self._known[key]

    def _number(self, number: int, shift: int = 0) -> Target:
        label = str(number)
        key = f"{label}+{shift}"
        if key not in self._known:
            lookup = self._context.lookup
            ids = lookup.by_id(label) if self._by_id else lookup.at(number + shift)
            self._known[key] = Target(label, ids)
        return self._known[key]


def _placed(definition: str, context: SyntaxContext) -> Target | None:
    """The target of a footnote that gives a section or a page, as within the text."""
    inner = replace(context, answer=definition, masked=definition, spans=(), definitions={})
    marker = next(iter(SectionSyntax().find(inner)), None)
    return marker.targets[0] if marker is not None else page_target(context, definition)


def _footnote(bracket: Bracket, context: SyntaxContext) -> list[Target]:
    """A footnote with a name counts when its definition names a source."""
    definition = context.definitions.get(bracket.body.casefold())
    if definition is None or _FOOTNOTE.fullmatch(bracket.body) is None:
        return []
    if (placed := _placed(definition, context)) is not None:
        return [placed]
    ids = context.lookup.by_definition(definition)
    return [Target(bracket.body, ids)] if ids is not None else []


class OpenAISyntax:
    """Marks whose number is a 0-based result; the provider's annotation takes precedence."""

    name = "openai"
    priority = 65

    def find(self, context: SyntaxContext) -> Iterable[Marker]:
        """All markers of this syntax, in order within each form."""
        text, lookup = context.masked, context.lookup
        for match in _DAGGER.finditer(text):
            number = int(match["number"])
            # "【7†source】" has no message before the colon: a plain number of a source.
            found = lookup.at_position(number) if match["message"] else lookup.at(number)
            label = f"{match['message']}:{number}" if match["message"] else str(number)
            yield context.marker(*match.span(), self.name, [Target(label, found)])
        for match in _PRIVATE.finditer(text):
            targets = []
            for name in match["files"].split("\ue202")[1:]:
                turn = _TURN.fullmatch(name)
                found = lookup.at_position(int(turn[1])) if turn is not None else lookup.by_id(name)
                targets.append(Target(name, found))
            yield context.marker(*match.span(), self.name, targets)

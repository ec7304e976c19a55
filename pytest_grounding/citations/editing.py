"""Edit markers of an answer: remove invalid ones, and nothing else; insert suggested ones."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding.citations import author
from pytest_grounding.citations.extract import builtin_syntaxes, find_markers, link_words, make_context, merge
from pytest_grounding.citations.syntax import PROVIDER, CitationSyntax
from pytest_grounding.lexicon.patterns import plain
from pytest_grounding.model.transcript import ProviderCitation, Transcript
from pytest_grounding.model.verdict import CitationVerdict
from pytest_grounding.reading import masks_of
from pytest_grounding.settings import Settings

_PIECE = plain("recorded", "numbers_of_list")
_ID_SEPARATOR = lazy(r"\s*[,;，；、]\s*")
_LAST_WORD = lazy(r".*[A-Za-z§.][ \t\u00a0\u202f]*", re.DOTALL)
_MOST_SINGLE = 24  # edits that are tried one by one if all of them together would form other markers
_BLANKS = r"[^\S\r\n\x0b\x0c\x1c-\x1e\x85\u2028\u2029]*+"  # white space within a line
_CUT = "\U000f0000"
_RUN = lazy(rf"{_CUT}(?:{_BLANKS}{_CUT})++")
_SHELL = lazy("|".join(rf"\{a}{_BLANKS}{_CUT}{_BLANKS}\{b}" for a, b in ("()", "（）", "[]", "``")))
#: A removal at the start of a line, or after a bracket, includes the blanks after it.
_OPENING = lazy(
    rf"(?:^|(?<=[\r\n\x0b\x0c\x1c-\x1e\x85\u2028\u2029]))(?P<indent>{_BLANKS}){_CUT}{_BLANKS}"
    rf"|(?<=[(\[{{（]){_CUT}{_BLANKS}"
)
#: One before white space, the end, or punctuation includes the blanks before it.
_CLOSING = lazy(rf"(?<!\s){_BLANKS}{_CUT}(?=\s|\Z|[.,;:!?)\]}}»”’…。、，；：！？）】」』〉》|*_~—–/\"'%-])")
_MOST_SHELLS = 8  # nested parentheses that a removal may empty
_STOPS = frozenset(".!?,;:…。！？、，；：।؟۔")  # punctuation that ends a statement and stays after a marker
#: Markup that may follow the last words of a statement: cells, emphasis, headings.
_FORM = "| \t\u00a0\r\n#*_~"
#: A word that includes its full stop: "a.m.", "U.S.", "etc.", "Inc.".
_ABBREVIATED = lazy(r"(?:\b\w\.\w|\b(?:etc|Inc|Ltd|Co|Corp|Jr|Sr|approx|vs|bzw|usw))$")
_CLOSED = frozenset({"fence", "definition", "comment"})  # no marker is read in these


@dataclass(frozen=True, slots=True, order=True)
class _Edit:
    """One change: ``answer[start:end]`` becomes ``text``; ``""`` removes a marker."""

    start: int
    end: int
    text: str


def clean_markers(
    transcript: Transcript,
    citations: Sequence[CitationVerdict],
    *,
    settings: Settings | None = None,
    syntaxes: Sequence[CitationSyntax] | None = None,
) -> str:
    """The answer without its invalid markers."""
    answer = transcript.answer
    edits = list(_edits(citations))
    if not edits:
        return answer
    in_force = settings or Settings()
    known = list(syntaxes) if syntaxes is not None else builtin_syntaxes()
    names = {syntax.name for syntax in known}
    marked = {(item.start, item.end) for item in citations if item.start >= 0 and item.syntax in names}
    if settings is None:
        # Other settings may have found other markers: only those found again can be missing.
        context = make_context(transcript, in_force)
        marked &= {(marker.start, marker.end) for _, marker in find_markers(context, known)}

    def fits(trial: Sequence[_Edit]) -> bool:
        """Whether exactly the kept markers remain: a removal may join others to a new one."""
        spans = marked - {(edit.start, edit.end) for edit in trial}
        wanted = Counter(answer[start:end] for start, end in spans)
        links = {edit for edit in trial if link_words(answer[edit.start : edit.end]) is not None}
        wanted.update(edit.text for edit in trial if edit.text and edit not in links)
        context = make_context(transcript.model_copy(update={"answer": _applied(answer, trial)}), in_force)
        found = merge(find_markers(context, known), len(context.answer))
        spans = {(marker.start, marker.end) for marker in found}
        return wanted == Counter(context.answer[start:end] for start, end in spans)

    if fits(edits):
        return _applied(answer, edits)
    done: list[_Edit] = []
    left = edits[:_MOST_SINGLE]
    while fitting := next((edit for edit in left if fits(sorted([*done, edit]))), None):
        done = sorted([*done, fitting])
        left.remove(fitting)
    return _applied(answer, done)


def _edits(citations: Sequence[CitationVerdict]) -> Iterator[_Edit]:
    groups: dict[tuple[int, int], list[CitationVerdict]] = {}
    for item in citations:
        if item.start >= 0 and item.end > item.start and item.syntax != PROVIDER:
            groups.setdefault((item.start, item.end), []).append(item)
    for (start, end), items in sorted(groups.items()):
        text = items[0].text
        words = link_words(text)
        kept = text[slice(*words)] if words is not None else ""
        if any(item.valid for item in items):
            kept = text if all(item.valid for item in items) else _with_valid_targets(items)
        if kept != text:
            yield _Edit(start, end, kept)


def _with_valid_targets(items: Sequence[CitationVerdict]) -> str:
    """The marker with its valid targets only; unchanged if its parts cannot be separated."""
    text = items[0].text
    valid = {item.target.casefold() for item in items if item.valid}
    parts: list[tuple[int, int, str]] = []
    if items[0].syntax in ("index", "section"):
        first = 0
        if items[0].syntax == "section":
            valid = {label.rpartition("sec ")[2] for label in valid}
            match = _LAST_WORD.match(text.partition(" and ")[0])
            first = match.end() if match is not None else 0
        parts = [(*match.span(), _kept_numbers(match, valid)) for match in _PIECE.finditer(text, first)]
    elif items[0].syntax == "id":
        parts = list(_cut_parts(text, 1, _ID_SEPARATOR, lambda part: _is_valid_label(part, valid)))
    elif items[0].syntax == "author":
        first = int(text.startswith("["))
        kept = {item.target for item in items if item.valid}
        parts = list(_cut_parts(text, first, author.SEPARATOR, lambda part: bool(author.labels(part) & kept)))
    if not parts or not any(part for _, _, part in parts):
        return text
    out = ""
    for number, (start, _, part) in enumerate(parts):
        if part:
            out += (text[parts[number - 1][1] : start] if out else "") + part
    return text[: parts[0][0]] + out + text[parts[-1][1] :]


def _kept_numbers(match: re.Match[str], valid: set[str]) -> str:
    first, last = match["first"], match["last"]
    if last is None:
        label = str(int(first)) if first.isdecimal() else first.casefold()
        return first if label in valid else ""
    if not first.isdecimal() or int(last) - int(first) > 1_000:
        return match[0]
    numbers = [number for number in range(int(first), int(last) + 1) if str(number) in valid]
    if len(numbers) == int(last) - int(first) + 1:
        return match[0]
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return ", ".join(str(low) if low == high else f"{low}{match['dash']}{high}" for low, high in runs)


def _cut_parts(
    text: str, edge: int, separator: re.Pattern[str], is_kept: Callable[[str], bool]
) -> Iterator[tuple[int, int, str]]:
    """The parts of a list of names between edges of this width, with what remains of each."""
    position, last = edge, len(text) - edge
    for match in [*separator.finditer(text, edge, last), None]:
        stop = match.start() if match is not None else last
        part = text[position:stop]
        yield position, stop, part if is_kept(part) else ""
        position = match.end() if match is not None else last


def _is_valid_label(part: str, valid: set[str]) -> bool:
    folded = part.strip().casefold()
    return any(folded == label or folded.endswith((f" {label}", f":{label}")) for label in valid)


def _applied(answer: str, edits: Sequence[_Edit]) -> str:
    """The answer with the edits; removals include their blanks and emptied parentheses."""
    pieces: list[str] = []
    position = 0
    for edit in edits:
        pieces += [answer[position : edit.start], edit.text or _CUT]
        position = edit.end
    text = "".join([*pieces, answer[position:]])
    for _ in range(_MOST_SHELLS):
        text, count = _SHELL.subn(_CUT, _RUN.sub(_CUT, text))
        if not count:
            break
    text = _OPENING.sub(lambda match: match["indent"] or "", text)
    return _CLOSING.sub("", text).replace(_CUT, "")


@dataclass(frozen=True, slots=True)
class Insertion:
    """A marker to be inserted."""

    place: int
    marker: str


def place_of(answer: str, start: int, end: int) -> int | None:
    """The position for a marker on a statement, before its full stop, or None if none is safe."""
    spans = masks_of(answer)
    if any(span.kind in _CLOSED and span.start < end and start < span.end for span in spans):
        return None
    said = answer[start:end].rstrip(_FORM)
    bare = said.rstrip("".join(_STOPS))
    is_abbreviated = said[len(bare) :] == "." and _ABBREVIATED.search(bare[-12:])
    place = start + len(said if is_abbreviated else bare)
    for span in spans:
        # After the link or code around it.
        if span.start < place < span.end or (span.start == place and span.kind == "link_target"):
            place = span.end
    return place if start < place <= end else None


def with_markers(
    answer: str, insertions: Iterable[Insertion]
) -> tuple[str, list[tuple[int, int]], dict[int, int]]:
    """The answer with markers, each after a blank; the position of each, and the shift of all offsets."""
    given = list(insertions)
    spans = [(0, 0)] * len(given)
    known: dict[Insertion, tuple[int, int]] = {}
    moves: dict[int, int] = {}
    text, position = "", 0
    for number in sorted(range(len(given)), key=lambda number: given[number].place):
        item = given[number]
        if item not in known:
            text += f"{answer[position : item.place]} "
            known[item] = (len(text), len(text) + len(item.marker))
            text += item.marker
            position = item.place
            moves[item.place] = moves.get(item.place, 0) + len(item.marker) + 1
        spans[number] = known[item]
    return text + answer[position:], spans, moves


def shifted(citations: Sequence[ProviderCitation], moves: Mapping[int, int]) -> tuple[ProviderCitation, ...]:
    """A provider's spans in the new answer."""

    def new(offset: int, *, is_end: bool) -> int:
        last = offset - 1 if is_end else offset
        return offset + sum(by for place, by in moves.items() if place <= last)

    found = []
    for item in citations:
        place = {"start": new(item.start, is_end=False), "end": new(item.end, is_end=True)}
        found.append(item.model_copy(update=place))
    return tuple(found)

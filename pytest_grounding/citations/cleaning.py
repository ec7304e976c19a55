"""Takes invalid citation markers out of an answer, and nothing else."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding.citations import author
from pytest_grounding.citations.extract import builtin_syntaxes, find_markers, link_words, make_context, merge
from pytest_grounding.citations.syntax import PROVIDER, CitationSyntax
from pytest_grounding.model.transcript import Transcript
from pytest_grounding.model.verdict import CitationVerdict
from pytest_grounding.settings import Settings

_PIECE = lazy(
    r"(?<![\d.])(?P<first>[-−]?\d{1,5}[A-Za-z]?(?:\.\d{1,5})*+)(?:(?P<dash>\s?[-–—‑]\s?\^?)(?P<last>\d{1,5}))?"
)
_ID_SEPARATOR = lazy(r"\s*[,;，；、]\s*")
_LAST_WORD = lazy(r".*[A-Za-z§.][ \t\u00a0\u202f]*", re.DOTALL)
_BREAKS = frozenset("\r\n\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029")
#: What follows a removed marker and wants no blank before it.
_CLOSING = frozenset(".,;:!?)]}»”’…。、，；：！？）】」』〉》|*_~—–-/\"'%")
_PAIRS = {"(": ")", "（": "）", "[": "]", "`": "`"}
#: How often markers that would join into new ones are put back, before the answer is left as it is.
_MAX_ROUNDS = 4


@dataclass(frozen=True, slots=True)
class _Edit:
    """One change: the characters from ``start`` to ``end`` become ``text``; ``""`` removes a marker."""

    start: int
    end: int
    text: str


def clean_answer(
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
        # Other settings may have found other markers: only those that are found again can be missed.
        context = make_context(transcript, in_force)
        marked &= {(marker.start, marker.end) for _, marker in find_markers(context, known)}
    for _ in range(_MAX_ROUNDS):
        applied = _with_blanks(answer, edits)
        cleaned = _applied(answer, applied)
        disturbed = _disturbed(transcript, cleaned, applied, marked, edits, in_force, known)
        if not disturbed:
            return cleaned
        edits = [edit for edit in edits if edit not in disturbed]
        if not edits:
            return answer
    return answer


# -- what is to be changed


def _edits(citations: Sequence[CitationVerdict]) -> Iterator[_Edit]:
    groups: dict[tuple[int, int], list[CitationVerdict]] = {}
    for item in citations:
        if item.start >= 0 and item.end > item.start and item.syntax != PROVIDER:
            groups.setdefault((item.start, item.end), []).append(item)
    for (start, end), items in sorted(groups.items()):
        invalid = sum(not item.valid for item in items)
        if not invalid:
            continue
        text = items[0].text
        if invalid < len(items):
            kept = _kept(items)
            if kept != text:
                yield _Edit(start, end, kept)
            continue
        words = link_words(text)
        yield _Edit(start, end, text[words[0] : words[1]] if words is not None else "")


def _kept(items: Sequence[CitationVerdict]) -> str:
    """The marker with its valid targets only; as it is where its parts cannot be told apart."""
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
        parts = list(_parts(text, 1, _ID_SEPARATOR, lambda part: _is_named(part, valid)))
    elif items[0].syntax == "author":
        first = int(text.startswith("["))
        kept = {item.target for item in items if item.valid}
        parts = list(_parts(text, first, author.SEPARATOR, lambda part: bool(author.labels(part) & kept)))
    if not parts or not any(part for _, _, part in parts):
        return text
    out = text[: parts[0][0]]
    is_first = True
    for number, (start, _, part) in enumerate(parts):
        if part:
            out += part if is_first else text[parts[number - 1][1] : start] + part
            is_first = False
    return out + text[parts[-1][1] :]


def _kept_numbers(match: re.Match[str], valid: set[str]) -> str:
    first, last = match["first"], match["last"]
    if last is None:
        return first if _label(first) in valid else ""
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


def _label(number: str) -> str:
    return str(int(number)) if number.isdecimal() else number.casefold()


def _parts(
    text: str, edge: int, separator: re.Pattern[str], is_kept: Callable[[str], bool]
) -> Iterator[tuple[int, int, str]]:
    """The parts of a list of names between edges of this width, with what stays of each."""
    position, last = edge, len(text) - edge
    for match in [*separator.finditer(text, edge, last), None]:
        stop = match.start() if match is not None else last
        part = text[position:stop]
        yield position, stop, part if is_kept(part) else ""
        position = match.end() if match is not None else last


def _is_named(part: str, valid: set[str]) -> bool:
    folded = part.strip().casefold()
    return any(folded == label or folded.endswith((f" {label}", f":{label}")) for label in valid)


# -- how the text around it changes


def _with_blanks(answer: str, edits: Sequence[_Edit]) -> list[_Edit]:
    """The edits, where removals take their blanks and emptied parentheses with them."""
    grown: list[_Edit] = []
    for edit in _without_shells(answer, edits):
        if edit.text or (grown and edit.start < grown[-1].end):
            if edit.text:
                grown.append(edit)
            continue
        start, end = edit.start, edit.end
        floor = grown[-1].end if grown else 0
        first = start
        while first > floor and _is_blank(answer[first - 1]):
            first -= 1
        was_removed = bool(grown) and first == floor and grown[-1].text == ""
        # A blank behind an opening bracket is no better than one at the start of a line.
        opens = (
            first == 0 or answer[first - 1] in _BREAKS or (first == start and answer[start - 1] in "([{（")
        )
        if opens or (was_removed and _starts_line(answer, grown[-1])):
            while end < len(answer) and _is_blank(answer[end]):
                end += 1
        elif end == len(answer) or answer[end].isspace() or answer[end] in _CLOSING:
            start = first
        grown.append(_Edit(start, end, ""))
    return grown


def _starts_line(answer: str, edit: _Edit) -> bool:
    first = edit.start
    while first > 0 and _is_blank(answer[first - 1]):
        first -= 1
    return first == 0 or answer[first - 1] in _BREAKS


def _without_shells(answer: str, edits: Sequence[_Edit]) -> list[_Edit]:
    """Touching removals as one, grown over the parentheses that they empty."""
    merged: list[_Edit] = []
    for edit in edits:
        current = edit
        if not current.text:
            while True:
                if merged and not merged[-1].text and merged[-1].end == current.start:
                    current = _Edit(merged.pop().start, current.end, "")
                    continue
                grown = _shell(answer, current, merged)
                if grown is None:
                    break
                while merged and merged[-1].start >= grown.start:
                    merged.pop()
                current = grown
        merged.append(current)
    return merged


def _shell(answer: str, edit: _Edit, before: Sequence[_Edit]) -> _Edit | None:
    """The parentheses around a removal, when nothing else than blanks and removals stands in them."""
    right = edit.end
    while right < len(answer) and _is_blank(answer[right]):
        right += 1
    if right == len(answer) or answer[right] not in _PAIRS.values():
        return None
    left = edit.start
    number = len(before) - 1
    while left > 0:
        if _is_blank(answer[left - 1]):
            left -= 1
        elif number >= 0 and before[number].end == left and not before[number].text:
            left = before[number].start
            number -= 1
        else:
            break
    if left == 0 or _PAIRS.get(answer[left - 1]) != answer[right]:
        return None
    return _Edit(left - 1, right + 1, "")


def _is_blank(char: str) -> bool:
    return char.isspace() and char not in _BREAKS


def _applied(answer: str, edits: Sequence[_Edit]) -> str:
    pieces: list[str] = []
    position = 0
    for edit in edits:
        pieces.append(answer[position : edit.start])
        pieces.append(edit.text)
        position = edit.end
    pieces.append(answer[position:])
    return "".join(pieces)


# -- whether that made or broke another marker


def _disturbed(
    transcript: Transcript,
    cleaned: str,
    applied: Sequence[_Edit],
    marked: set[tuple[int, int]],
    edits: Sequence[_Edit],
    settings: Settings,
    syntaxes: Sequence[CitationSyntax],
) -> set[_Edit]:
    """The edits next to which markers stand that were not there before, or no longer stand."""
    context = make_context(transcript.model_copy(update={"answer": cleaned}), settings)
    now = {(marker.start, marker.end) for marker in merge(find_markers(context, syntaxes), len(cleaned))}
    places: list[int] = []
    expected: set[tuple[int, int]] = set()
    shift = 0
    position = 0
    kept = sorted(marked - {(edit.start, edit.end) for edit in edits})
    for edit in applied:
        while position < len(kept) and kept[position][0] < edit.start:
            expected.add((kept[position][0] - shift, kept[position][1] - shift))
            position += 1
        places.append(edit.start - shift)
        if edit.text and not _is_words(transcript.answer, edit):
            expected.add((edit.start - shift, edit.start - shift + len(edit.text)))
        shift += edit.end - edit.start - len(edit.text)
    expected.update((start - shift, end - shift) for start, end in kept[position:])
    wrong = now ^ expected
    found: set[_Edit] = set()
    for start, end in wrong:
        number = bisect_left(places, start)
        # The edit at the marker's start, inside of it, or right behind it.
        touching = range(max(number - 1, 0), min(number + 3, len(applied)))
        near = [at for at in touching if start <= places[at] + len(applied[at].text) and places[at] <= end]
        for at in near or list(touching):
            grown = applied[at]
            found.update(edit for edit in edits if grown.start <= edit.start and edit.end <= grown.end)
    if wrong and not found:
        found.update(edits)
    return found


def _is_words(answer: str, edit: _Edit) -> bool:
    """Whether an edit left the words of a link rather than a smaller marker."""
    return link_words(answer[edit.start : edit.end]) is not None

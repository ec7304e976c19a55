"""The rule "content match": words that an answer puts in quotation marks stand in the cited source."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding.lexicon import words as listed
from pytest_grounding.reading import Reading, reading_of
from pytest_grounding.reading.normalize import fold

#: A quotation of fewer words is a name or a term, not a passage, and one word alone is no quotation.
MIN_WORDS = 4
MIN_TERM_WORDS = 2
_MIN_CHARACTERS = 8
#: Words of a quotation, and of the stretch of a source, that are compared for a near miss.
_MAX_WORDS = 150
_SHOWN = 160

_QUOTATION = lazy(
    r"(?<!\w)\"(?=\S)(?P<straight>[^\"\r\n]{1,2000}+)\"(?!\w)"
    r"|“(?P<curly>[^“”\r\n]{1,2000}+)”"
    r"|„(?P<low>[^„“”\r\n]{1,2000}+)[“”]"
    r"|«(?P<angle>[^«»\r\n]{1,2000}+)»"
    r"|»(?P<inverse>[^«»\r\n]{1,2000}+)«"
    r"|「(?P<corner>[^「」\r\n]{1,2000}+)」"
    r"|『(?P<white>[^『』\r\n]{1,2000}+)』"
    r"|‘(?P<single>(?:[^‘’\r\n]|(?<=\w)’(?=\w)){1,2000}+)’(?!\w)"
    r"|(?<![\w'])'(?=[^\s'])(?P<plain>(?:[^'\r\n]|(?<=\w)'(?=\w)){1,2000}+)'(?![\w'])"
    r"|(?<![\w*])\*(?=[^\s*])(?P<emphasis>[^*\r\n]{1,2000}+)\*(?![\w*])"
    r"|(?m:^(?P<block>[ ]{0,3}>[^\r\n]{0,2000}(?:\r?\n[ ]{0,3}>[^\r\n]{0,2000}){0,50}+))"
)
_BLOCK_MARK = lazy(r"(?m)^[ ]{0,3}(?:>[ ]?){1,9}")
#: Emphasis quotes behind a word that says so: "said that *…*", "it reads: *…*".
_SAYING = listed("citing", "quoting")
_BEFORE = lazy(r"(\w{1,30})[:,]?[ ]{0,3}(?:that[ ]{1,3})?\Z")
_REACH = 40
#: Marks between which a term is no quotation.
_PASSAGES = frozenset({"emphasis", "plain", "single", "block"})
_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
# A quotation is compared letter by letter: no stems, and each sign of Chinese is a word.
_WORD = lazy(rf"[{_CJK}]|\d{{1,40}}(?:[.,:/]\d{{1,40}}){{0,8}}|[^\W\d{_CJK}]{{1,200}}", re.UNICODE)
_GAP = lazy(r"\s{0,4}(?:\[[^\]]{0,60}\]|\(\.{3}\)|\.{3,6}|…)\s{0,4}")
_EDGES = " \t\r\n.,;:!?'\"*_`()[]"


@dataclass(frozen=True, slots=True)
class Quotation:
    """Words of the answer between quotation marks, with the marks' offsets."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class NearMiss:
    """What a quotation and its source do not share."""

    similarity: float  # share of equal characters, in [0, 1]
    difference: str  # the quotation with each change in brackets: ``within 30 [days → hours]``
    source: str  # the words of the source that come nearest


def quotations(answer: str, markers: Sequence[tuple[int, int]] = ()) -> list[Quotation]:
    """The quotations of an answer that are long enough to be a passage or a term, in order."""
    if not any(mark in answer for mark in "\"“„«»「『‘'*>"):
        return []
    found: list[Quotation] = []
    position = 0
    for match in _QUOTATION.finditer(answer):
        group = match.lastgroup or "straight"
        start, end = match.span(group)
        while position < len(markers) and markers[position][1] <= start:
            position += 1
        pieces, at, number = [], start, position
        while number < len(markers) and markers[number][0] < end:
            first, last = markers[number]
            if first >= at and last <= end:
                pieces.append(answer[at:first])
                at = last
            number += 1
        text = "".join([*pieces, answer[at:end]]).strip()
        if group == "block":
            text = " ".join(_BLOCK_MARK.sub("", text).split())
        if is_passage(text) if group in _PASSAGES else is_passage(text) or is_term(text):
            if group == "emphasis" and not _is_said(answer, match.start()):
                continue
            found.append(Quotation(match.start(), match.end(), text))
    return found


def _is_said(answer: str, start: int) -> bool:
    """Whether what stands at an offset is said to be somebody's words."""
    before = _BEFORE.search(answer, max(0, start - _REACH), start)
    return before is not None and before[1].lower() in _SAYING


def is_term(text: str) -> bool:
    """Whether words are a term: two or three of them, in a script with blanks."""
    words = _WORD.findall(text[:4_000])
    return MIN_TERM_WORDS <= len(words) < MIN_WORDS and sum(len(word) > 1 for word in words) > 1


def is_term_of(term: str, source: str) -> bool:
    """Whether a source holds a term, in singular or plural."""
    return is_quoted(term, source) or _singular(_word_line(term)) in _singular(_word_line(source))


def _singular(line: str) -> str:
    return line.replace("s ", " ")


def is_passage(text: str) -> bool:
    """Whether words are a passage rather than a name: four words, or eight characters without blanks."""
    words = _WORD.findall(text[:4_000])
    if len(words) < MIN_WORDS:
        return False
    return any(len(word) > 1 for word in words) or len(words) >= _MIN_CHARACTERS


def _folded(text: str) -> str:
    return reading_of(text).part(_folded_text)


def _folded_text(reading: Reading) -> str:
    return fold(reading.text).text


def _word_line(text: str) -> str:
    """The folded words of a text with a blank around each, for a search that ignores punctuation."""
    return reading_of(text).part(_folded_words)


def _folded_words(reading: Reading) -> str:
    return f" {' '.join(_WORD.findall(reading.part(_folded_text)))} "


def _words(text: str) -> tuple[tuple[str, str], ...]:
    """The words of a text as they stand, each with its folded form."""
    return reading_of(text).part(_words_with_folds)


def _words_with_folds(reading: Reading) -> tuple[tuple[str, str], ...]:
    text = reading.text
    folded = fold(text)
    found = []
    for match in _WORD.finditer(folded.text):
        start, end = folded.span(*match.span())
        found.append((text[start:end], match[0]))
    return tuple(found)


def is_quoted(quote: str, source: str) -> bool:
    """Whether a source holds a quotation, after folding; gaps (``...``, ``[…]``) may hold anything."""
    if quote in source:
        return True
    parts = [part for part in (_folded(part).strip(_EDGES) for part in _GAP.split(quote)) if part]
    if _in_order(parts, _folded(source)):
        return True
    lines = [line for line in map(_word_line, parts) if line.strip()]
    return bool(lines) and _in_order(lines, _word_line(source))


def _in_order(parts: Sequence[str], text: str) -> bool:
    position = 0
    for part in parts:
        found = text.find(part, position)
        if found < 0:
            return False
        # The blank behind a word may be the one before the next.
        position = found + len(part.rstrip(" "))
    return True


def nearest(quote: str, sources: Iterable[str]) -> NearMiss | None:
    """The stretch of the sources that comes nearest to a quotation; None when they share nothing."""
    best: NearMiss | None = None
    said = _words(quote)[:_MAX_WORDS]
    for source in sources:
        near = _near([word for word, _ in said], [folded for _, folded in said], _words(source))
        if near is not None and (best is None or near.similarity > best.similarity):
            best = near
    return best


def _near(words: list[str], folded: list[str], source: Sequence[tuple[str, str]]) -> NearMiss | None:
    # Deferred for cost: most answers hold no such quotation.
    from difflib import SequenceMatcher

    there, there_folded = [word for word, _ in source], [plain for _, plain in source]
    start = _seed(folded, there_folded)
    if start is None:
        return None
    margin = 4 + len(folded) // 4
    first = max(0, start - margin)
    window = there_folded[first : start + len(folded) + margin]
    matcher = SequenceMatcher(None, folded, window, autojunk=False)
    blocks = [block for block in matcher.get_matching_blocks() if block.size]
    if not blocks:
        return None
    # The window is wider than the quotation: what lies outside of the matched part is no difference.
    low = max(0, blocks[0].b - blocks[0].a)
    high = min(len(window), blocks[-1].b + blocks[-1].size + len(folded) - blocks[-1].a - blocks[-1].size)
    matcher = SequenceMatcher(None, folded, window[low:high], autojunk=False)
    original = there[first + low : first + high]
    pieces: list[str] = []
    equal = 0.0
    for tag, a1, a2, b1, b2 in matcher.get_opcodes():
        said, stands = " ".join(words[a1:a2]), " ".join(original[b1:b2])
        if tag == "equal":
            equal += sum(len(word) for word in folded[a1:a2])
            pieces.append(said)
        else:
            pieces.append(
                f"[{said} → {stands}]" if said and stands else f"[{said} →]" if said else f"[→ {stands}]"
            )
            if tag == "replace":
                ratio = SequenceMatcher(None, said[:200].casefold(), stands[:200].casefold()).ratio()
                equal += ratio * min(len(said), len(stands))
    total = sum(len(word) for word in folded) + sum(len(word) for word in window[low:high])
    similarity = 2 * equal / total if total else 0.0
    return NearMiss(round(similarity, 6), _shown(" ".join(pieces)), " ".join(original))


def _seed(wanted: list[str], there: list[str]) -> int | None:
    """Where in a source a quotation most likely begins: the diagonal with the most shared word pairs."""
    places: dict[tuple[str, str], list[int]] = {}
    for index in range(len(wanted) - 1):
        places.setdefault((wanted[index], wanted[index + 1]), []).append(index)
    single: dict[str, int] = {word: index for index, word in reversed(list(enumerate(wanted)))}
    votes: dict[int, int] = {}
    width = max(2, len(wanted) // 3)
    for position, word in enumerate(there):
        if word in single and len(word) > 2:
            bucket = (position - single[word]) // width
            votes[bucket] = votes.get(bucket, 0) + 1
        if position + 1 < len(there):
            for index in places.get((word, there[position + 1]), ())[:4]:
                bucket = (position - index) // width
                votes[bucket] = votes.get(bucket, 0) + 4
    if not votes:
        return None
    best = max(votes, key=lambda bucket: (votes[bucket] + votes.get(bucket + 1, 0), -bucket))
    return max(0, best * width)


def _shown(text: str) -> str:
    """A difference of a long quotation, cut to the changes with some words around them."""
    if len(text) <= 2 * _SHOWN:
        return text
    first = max(0, text.find("[") - _SHOWN // 2)
    cut = text[first : first + 2 * _SHOWN]
    return ("… " if first else "") + cut + (" …" if first + 2 * _SHOWN < len(text) else "")

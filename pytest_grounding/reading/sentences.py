"""Blocks and sentences of a text, and the values that hold them with their offsets."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, NamedTuple

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding.errors import MissingExtraError
from pytest_grounding.lexicon import lines
from pytest_grounding.lexicon.patterns import pattern, plain
from pytest_grounding.reading import base_language, masks_of, read_once
from pytest_grounding.reading.markdown import MaskSpan, naming_markers

#: Longest sentence, in characters; a longer one is cut at a blank. The longest in recorded answers has 334.
#: Code that reads one sentence may take quadratic time in it, and stays linear in the text.
LONGEST_SENTENCE = 1_000
_BLANK_WITHIN = 200  # characters before that limit in which a blank is searched
BlockKind = Literal["prose", "heading", "list_item", "table_row", "code", "quote", "definition"]
ClaimKind = Literal["fact", "opinion", "inference"]
_LINE = lazy(r"([^\r\n\u2028\u2029]*)(\r\n|[\r\n\u2028\u2029]|\Z)")
_HEADING = lazy(r"[ ]{0,3}#{1,6}(?:[ \t]|$)")
_BOLD_LINE = lazy(r"[ \t]*(\*\*|__)(?=\S)(?P<title>[^*_\r\n]{0,200}[^*_\r\n.!。！])\1[ \t]*(?::[ \t]*)?$")
_UNDERLINE = lazy(r"[ ]{0,3}(?:={2,}|-{2,})[ \t]*$")
_RULE = lazy(r"[ ]{0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$")
_ITEM = plain("text_form", "item")
_QUOTE = lazy(r"[ ]{0,3}>")
_TABLE_ROW = lazy(r"[ \t]*\|.*\|[ \t]*$")
_TABLE_RULE = lazy(r"[ \t]*(?:\|[ \t]*)?:?-{1,}:?[ \t]*(?:\|[ \t]*:?-{1,}:?[ \t]*)*(?:\|[ \t]*)?$")
_ENDS = lazy(r"[.!?…。！？।؟;:：；][\"'”’»)\]*_]*[ \t]*$")
_SHORT_LINE = 45  # a shorter line that does not end like a sentence was ended on purpose, not by wrapping
_SOLID: dict[str, BlockKind] = {"fence": "code", "definition": "definition", "comment": "prose"}
_WINDOW = 4_000  # sentencex takes quadratic time on some inputs (many unclosed quotes), so it reads windows
_QUOTE_SIGN = lazy(r"(?m)^([ ]{0,3})>")
_WIDE_BLANK = lazy("[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]")
_SURROGATE = lazy("[\ud800-\udfff]")
_CLOSERS = "\"'”’»)]}*_」』）】~"
# An undeclared marker right after a full stop: [1], [1, 2], [^a], 【4:0†source】, superscripts.
_MARKER = lazy(
    r"(?:\[\^?\d{1,3}(?:[ ]?[,;–-][ ]?\d{1,3}){0,20}\]|\[\^[\w-]{1,32}\]|【[^】\r\n]{1,80}】|[⁰¹²³⁴-⁹]{1,6})"
)
_TRAILING_MARKERS = lazy(
    r"[.!?…。！？।؟][\"'”’»)*_]{0,4}[ \t]?(?P<markers>(?:" + _MARKER.pattern + r"[ ]?){1,20})"
)
_ELLIPSIS = lazy(r"(?:…|\.\.\.)[\"'”’»)]?[ \t]+(?=[\"“‘'(]?[A-ZÀ-ÖØ-Þ][a-zß-öø-ÿ])")
_JAPANESE_QUOTATION = lazy(r"[ \t]*(?:と|って|という|とか|に|を|は|が|の)")
_ENUMERATOR = lazy(r"[\s(*_]*(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{1,4})[.)][*_]*\s*$")
_ABBREVIATION = plain("text_form", "abbreviation")
_BEFORE_LOWER = plain("text_form", "before_lower")
_CAPITALS = lazy(r"(?:^|[^\w.])[A-Z]{2,6}\.$")
_NUMBERED = plain("text_form", "before_number")
_DAY = lazy(r"(?:^|\s)\d{1,2}\.\s*$")
#: Those of Germany and Austria come first.
_GERMAN_MONTHS = "|".join(" ".join(lines("dates", "months_elsewhere")[:2]).title().split())
_GERMAN_MONTH = lazy(rf"(?:{_GERMAN_MONTHS})\b")
_GERMAN_ORDINAL = pattern("sentences", "german_ordinal")
_NO = lazy(r"\s*No\.\s+(?=[A-Z])")  # sentencex reads "No. I" as a number
# It reads a one-letter unit as an initial: "8 km/h. Boats", "5 g [1]. The".
_UNIT_AT_END = lazy(r"(?:[a-z]/|\d ?)[a-z] {0,8}\. {1,8}(?=[\"“(]?[A-Z][a-z'’]*[ ,])")
# It reads these words as abbreviations: "until 5 May. Rooms", "He asked me. Nobody".
_WORDS_AT_END = ("May", "me", "art", "OK", "ID")
_WORD_AT_END = lazy(rf"(?<=[ (])(?:{'|'.join(_WORDS_AT_END)}) {{0,8}}\. {{1,8}}(?=[\"“(]?[A-Z][a-z'’]*[ ,])")
_BRACKETED = lazy(r"(?:\A|(?<=[.!?]\s))\([^()]{3,300}[.!?]\)\s+(?=[A-ZÀ-ÖØ-Þ\"“(])")
_HTML_BREAK = lazy(r"</(?:li|p|h[1-6]|div|tr|td|blockquote)>", re.IGNORECASE)
_TAGS = lazy(r"(?:\s*<[^<>]{1,200}>)+\s*")
_INLINE_ENUMERATOR = lazy(r"[:;]\s+(?P<sign>\(?\d{1,2}[.)]\s*)$")


class Sentence(NamedTuple):
    """A sentence, with the markers right after its full stop."""

    start: int  # start offset, without leading white space
    end: int  # end offset, exclusive
    text: str  # the slice between them
    kind: BlockKind = "prose"  # the kind of its block
    block: int = 0  # 0-based index of its block


@dataclass(frozen=True, slots=True)
class Claim:
    """A verifiable statement of an answer, or a piece of it that is not checked (with the reason)."""

    index: int  # position in the answer's list of claims
    start: int  # start offset in the answer
    end: int  # end offset, exclusive
    text: str  # the slice between them
    bare: str  # the same without citation markers and markup, for scoring
    sentence: int  # index of its sentence, of which it may be a clause
    kind: ClaimKind = "fact"  # fact, opinion or inference
    kind_confidence: float = 1.0  # certainty of the kind, in [0, 1]
    checked: bool = True  # whether it is to be checked against the chunks
    #: Why not: question, greeting, refusal, heading, restated_question, opinion, code, filler, ...; "" if
    #: it is checked.
    skip_reason: str = ""
    context: str = ""  # the sentence before, if this one cannot be understood alone; else ""


def stripped(text: str, spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Spans without the white space at their ends; blank ones are left out."""
    found = []
    for start, end in spans:
        while start < end and text[start].isspace():
            start += 1
        while end > start and text[end - 1].isspace():
            end -= 1
        if start < end:
            found.append((start, end))
    return found


def cut_long(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """A stretch in pieces of at most `LONGEST_SENTENCE` characters, cut at blanks where there are any."""
    pieces = []
    while end - start > LONGEST_SENTENCE:
        limit = start + LONGEST_SENTENCE
        cut = next((at for at in range(limit, limit - _BLANK_WITHIN, -1) if text[at].isspace()), limit)
        pieces.append((start, cut))
        start = cut
    pieces.append((start, end))
    return pieces


class Block(NamedTuple):
    """A block: whole lines that sentences do not cross."""

    start: int  # offset of its first line
    end: int  # end of its last line, without the line break
    kind: BlockKind  # its kind


def split_blocks(text: str, spans: Sequence[MaskSpan], masked: str) -> list[Block]:
    """The blocks of a text in order, without blank lines."""
    solid = [span for span in spans if span.kind in ("fence", "definition") or _is_comment_block(text, span)]
    blocks: list[Block] = []
    position = 0
    for span in solid:
        _split_lines(text, masked, position, span.start, blocks)
        blocks.append(Block(span.start, span.end, _SOLID[span.kind]))
        position = span.end
    _split_lines(text, masked, position, len(text), blocks)
    return blocks


def _is_comment_block(text: str, span: MaskSpan) -> bool:
    """Whether it is a comment of several lines at the start of a line: its lines are not blocks."""
    if span.kind != "comment" or (span.start > 0 and text[span.start - 1] not in "\r\n"):
        return False
    return "\n" in text[span.start : span.end]


def _split_lines(text: str, masked: str, start: int, end: int, blocks: list[Block]) -> None:
    open_block: Block | None = None
    in_table = False
    lines = [match.span(1) for match in _LINE.finditer(text, start, end) if match.start() < end]
    for number, (first, last) in enumerate(lines):
        line = text[first:last]
        if not line.strip():
            if open_block is not None:
                blocks.append(open_block)
                open_block = None
            in_table = False
            continue
        if open_block is not None and not masked[first:last].strip():
            open_block = Block(open_block.start, last, open_block.kind)
            continue
        following = text[slice(*lines[number + 1])] if number + 1 < len(lines) else ""
        kind = _kind_of(line, following, in_table)
        in_table = kind == "table_row"
        if open_block is not None and _continues(text, open_block, line, kind):
            heading = open_block.kind == "prose" and _UNDERLINE.match(line) is not None
            open_block = Block(open_block.start, last, "heading" if heading else open_block.kind)
            continue
        if open_block is not None:
            blocks.append(open_block)
        open_block = Block(first, last, kind)
    if open_block is not None:
        blocks.append(open_block)


def _kind_of(line: str, following: str, in_table: bool) -> BlockKind:
    first = line.lstrip()[0]
    if first == "#" and _HEADING.match(line):
        return "heading"
    if first == ">" and _QUOTE.match(line):
        return "quote"
    if first == "|" and _TABLE_ROW.match(line):
        return "table_row"
    if "|" in line and (in_table or ("|" in following and "-" in following and _TABLE_RULE.match(following))):
        return "table_row"
    if first in "*_" and _BOLD_LINE.match(line):
        return "heading"
    if first in "*-_" and _RULE.match(line):
        return "heading"
    # A letter numbers an item only with a bracket: "a) the fee".
    is_item = (not first.isalpha() or ")" in line) and _ITEM.match(line)
    return "list_item" if is_item else "prose"


def _continues(text: str, block: Block, line: str, kind: BlockKind) -> bool:
    if block.kind == "quote":
        return kind in ("quote", "prose")
    if block.kind == "prose" and _UNDERLINE.match(line) is not None:
        # "---" below a title underlines it; below a paragraph, in practice, it is a rule.
        title = text[block.start : block.end]
        return len(title) <= 100 and _ENDS.search(title[-12:]) is None
    if kind != "prose" or block.kind not in ("prose", "list_item"):
        return False
    previous = text[max(block.start, text.rfind("\n", block.start, block.end) + 1) : block.end]
    if _ENDS.search(previous[-12:]) is not None:
        return False
    return len(previous) >= _SHORT_LINE or not _starts_anew(line)


def _starts_anew(line: str) -> bool:
    """Whether a line starts a new statement: not with a lower-case letter or punctuation."""
    opening = line.lstrip(" \t*_\"'“‘([")
    if opening.startswith(("http://", "https://")):
        return True
    first = opening[:1]
    return first.isdigit() or first.isupper() or (first.isalpha() and not first.islower())


try:
    import sentencex  # type: ignore[import-untyped]
except ImportError as error:
    # Other sentence boundaries would change verdicts, so there is no fallback.
    raise MissingExtraError(
        f"sentencex, which splits sentences, cannot be loaded ({error}); it has wheels for Linux with glibc, "
        "macOS and Windows on x86; on Alpine, ARM Windows and others build it: pip needs a Rust compiler"
    ) from error


def segment(
    text: str, *, language: str = "en", markers: Sequence[tuple[int, int]] = ()
) -> tuple[Sentence, ...]:
    """Split a text into sentences."""
    if not text or text.isspace():
        return ()
    spans = masks_of(text)
    masked = _mask(text, spans, naming_markers(text, spans, markers))
    code = base_language(language)
    code = code if code.isascii() and code.isalpha() else "en"
    # The bracket of a link that opens a sentence is a blanked marker, which sentencex leaves behind.
    opened = {span.start + 1: span.start for span in spans if span.kind == "link_text"}
    sentences: list[Sentence] = []
    for number, block in enumerate(split_blocks(text, spans, masked)):
        # A footnote is prose, unlike other definitions.
        is_note = block.kind == "definition" and text.startswith("[^", block.start)
        is_code = block.kind in ("code", "definition") and not is_note
        if is_code or block.kind in ("table_row", "heading"):
            cuts = [block.start, block.end]
        else:
            cuts = _cuts(masked, block, code)
            if opened:
                cuts = [opened.get(cut, cut) if cut > block.start + 1 else cut for cut in cuts]
        stretches: Iterable[tuple[int, int]] = pairwise(cuts)
        if block.end - block.start > LONGEST_SENTENCE and not is_code:
            stretches = [piece for stretch in stretches for piece in cut_long(masked, *stretch)]
        for start, end in stretches:
            piece = text[start:end]
            first = start + len(piece) - len(piece.lstrip())
            last = start + len(piece.rstrip())
            if first < last:
                sentences.append(Sentence(first, last, text[first:last], block.kind, number))
    return tuple(sentences)


@read_once
def sentences_of(text: str, language: str = "en") -> tuple[Sentence, ...]:
    """The sentences of a text without markers."""
    return segment(text, language=language)


def _mask(text: str, spans: Sequence[MaskSpan], markers: Sequence[tuple[int, int]]) -> str:
    """A text of equal length in which only prose can end a sentence."""
    hidden = ("inline_code", "link_target", "image", "autolink", "comment")
    code = [(span.start, span.end) for span in spans if span.kind in hidden]
    # Remaining code characters would look like an initial before the full stop: "x. Next".
    filled = {(span.inner_start, span.inner_end): (span.start, span.end) for span in spans}
    blank = [filled.get(span, span) for span in markers if 0 <= span[0] < span[1] <= len(text)]
    # Undeclared markers start with a bracket, or are raised digits.
    if "[" in text or not text.isascii():
        blank += [match.span("markers") for match in _TRAILING_MARKERS.finditer(text)]
    masked = text
    if code or blank:
        letters = list(text)
        # Markers take precedence over code: a code-line citation fills its inline code and is blanked.
        for fill, stretches in (("x", code), (" ", blank)):
            for place in (place for stretch in stretches for place in range(*stretch)):
                if letters[place] not in "\r\n":
                    letters[place] = fill
        masked = "".join(letters)
    return masked if masked.isascii() else _SURROGATE.sub("\ufffd", masked)


def _cuts(masked: str, block: Block, language: str) -> list[int]:
    prose = masked[block.start : block.end]
    if block.kind == "quote":
        prose = _QUOTE_SIGN.sub(r"\1 ", prose)
    cuts = [0]
    for boundary in _boundaries(prose, language):
        cut = _settle(prose, boundary)
        if not cuts[-1] < cut < len(prose):
            continue
        sign = _INLINE_ENUMERATOR.search(prose, max(cuts[-1], cut - 16), cut)
        if sign is not None:
            cut = sign.start("sign")
        elif _joins(prose, cuts[-1], cut, language):
            continue
        if cuts[-1] < cut:
            if len(cuts) > 1 and prose[cuts[-1]] == "<" and _TAGS.fullmatch(prose, cuts[-1], cut):
                cuts.pop()
            cuts.append(cut)
    if len(cuts) > 1 and prose[cuts[-1]] == "<" and _TAGS.fullmatch(prose, cuts[-1]):
        cuts.pop()
    return [block.start + cut for cut in cuts] + [block.end]


def _boundaries(prose: str, language: str) -> Iterator[int]:
    """Sentence ends in a text without blocks, by sentencex in windows, and after an ellipsis."""
    found: set[int] = set()
    position = 0
    while position < len(prose):
        window = prose[position : position + _WINDOW]
        ends = _ends(window, language)
        whole = position + len(window) >= len(prose)
        if not whole and len(ends) > 1:
            ends.pop()
        found.update(position + end for end in ends if whole or end < len(window))
        position += ends[-1] if ends and ends[-1] > 0 else len(window)
    negation = _NO.match(prose) if "No." in prose else None
    if negation is not None:
        found.add(negation.end())
    if ". " in prose:
        found.update(match.end() for match in _UNIT_AT_END.finditer(prose))
        if any(f" {word}." in prose or f" {word} " in prose for word in _WORDS_AT_END):
            found.update(match.end() for match in _WORD_AT_END.finditer(prose))
    if "…" in prose or "..." in prose:
        found.update(match.end() for match in _ELLIPSIS.finditer(prose))
    if "<" in prose:
        found.update(match.end() for match in _HTML_BREAK.finditer(prose))
    if ".)" in prose or "!)" in prose or "?)" in prose:
        found.update(match.end() for match in _BRACKETED.finditer(prose))
    yield from sorted(found)


def _ends(window: str, language: str) -> list[int]:
    # It panics on an initial after a multi-byte blank ("by\u00a0J. Smith").
    plain = window if window.isascii() else _WIDE_BLANK.sub(" ", window)
    try:
        return [piece["end_index"] for piece in sentencex.get_sentence_boundaries(language, plain)]
    except BaseException as error:
        # Checked by name, because sentencex does not export the exception.
        if type(error).__name__ == "PanicException":
            raise RuntimeError(f"sentencex panicked: {error}") from None
        raise


def _settle(prose: str, cut: int) -> int:
    """Move a boundary after closing quotes, emphasis and blanks of the sentence before it."""
    if cut == 0:
        return cut
    if prose[cut - 1].isspace():
        # sentencex ends a sentence within a long stretch of blanks, as a removed link leaves.
        while cut < len(prose) and prose[cut] == " ":
            cut += 1
        return cut
    while cut < len(prose) and prose[cut] in _CLOSERS:
        following = prose[cut + 1 : cut + 2]
        if following not in _CLOSERS and not following.isspace():
            break
        cut += 1
    return cut


def _joins(prose: str, start: int, cut: int, language: str) -> bool:
    """Whether the sentence before a boundary continues after it."""
    end = cut
    while end > start and prose[end - 1].isspace():
        end -= 1  # a blanked link may be longer than any window
    if end == start:
        return True
    stripped = prose[max(start, end - 24) : end]
    before = stripped if end == cut else stripped + " "
    after = prose[cut : cut + 12]
    if stripped[-1] in "」』":
        return _JAPANESE_QUOTATION.match(after) is not None
    if stripped[-1] not in ".)":
        return False
    # " .NET" or "ASP.NET"
    is_glued = stripped == before and after[:1].isalnum()
    if is_glued and (before[-2:-1].isspace() or (after[:2].isupper() and _CAPITALS.search(before))):
        return True
    if (cut - start < 16 and _ENUMERATOR.match(before)) or _ABBREVIATION.search(before) is not None:
        return True
    if after[:1].islower():
        return _BEFORE_LOWER.search(before) is not None
    if after[:1].isdigit():
        return _NUMBERED.search(before) is not None
    if not stripped[-2:-1].isdecimal():
        return False
    # German without a declared language is "und".
    if language in ("de", "und") and after[:1].isalpha() and _GERMAN_ORDINAL.search(before) is not None:
        return True
    return _DAY.search(before) is not None and _GERMAN_MONTH.match(after) is not None

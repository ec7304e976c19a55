"""Blocks of an answer: headings, list items, table rows, quotes, code, definitions, paragraphs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pytest_grounding._markdown import MaskSpan
from pytest_grounding._patterns import lazy
from pytest_grounding.text.spans import BlockKind

_LINE = lazy(r"([^\r\n\u2028\u2029]*)(\r\n|[\r\n\u2028\u2029]|\Z)")
_HEADING = lazy(r"[ ]{0,3}#{1,6}(?:[ \t]|$)")
_BOLD_LINE = lazy(r"[ \t]*(\*\*|__)(?=\S)(?P<title>[^*_\r\n]{0,200}[^*_\r\n.!。！])\1[ \t]*(?::[ \t]*)?$")
_UNDERLINE = lazy(r"[ ]{0,3}(?:={2,}|-{2,})[ \t]*$")
_RULE = lazy(r"[ ]{0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$")
_ITEM = lazy(
    r"[ \t]*(?:[-*+•‣◦▪●○–][ \t]+|\d{1,3}[.)][ \t]+|\(\d{1,3}\)[ \t]+|[a-zA-Z]\)[ \t]+"
    r"|(?:[-*+]|\d{1,3}[.)])$)"
)
_QUOTE = lazy(r"[ ]{0,3}>")
_TABLE_ROW = lazy(r"[ \t]*\|.*\|[ \t]*$")
_TABLE_RULE = lazy(r"[ \t]*(?:\|[ \t]*)?:?-{1,}:?[ \t]*(?:\|[ \t]*:?-{1,}:?[ \t]*)*(?:\|[ \t]*)?$")
_ENDS = lazy(r"[.!?…。！？।؟;:：；][\"'”’»)\]*_]*[ \t]*$")
# A line shorter than this that does not end like a sentence was ended on purpose, not by wrapping.
_SHORT_LINE = 45

_SOLID: dict[str, BlockKind] = {"fence": "code", "definition": "definition", "comment": "prose"}


@dataclass(frozen=True, slots=True)
class Block:
    """One block: a stretch of whole lines that sentences do not cross.

    Attributes:
        start: offset of its first line.
        end: one past the last character of its last line, without the line break.
        kind: what it is.
    """

    start: int
    end: int
    kind: BlockKind


def split_blocks(text: str, spans: Sequence[MaskSpan], masked: str) -> list[Block]:
    """The blocks of a text in order; lines of white space belong to none."""
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
    """Whether it is a comment of several lines that begins a line: its own lines are no blocks."""
    if span.kind != "comment" or (span.start > 0 and text[span.start - 1] not in "\r\n"):
        return False
    return "\n" in text[span.start : span.end]


def _split_lines(text: str, masked: str, start: int, end: int, blocks: list[Block]) -> None:
    """Append the blocks of a stretch that holds neither fences nor definitions."""
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
    # A letter is no sign of an item without a bracket: "a) the fee".
    is_item = (not first.isalpha() or ")" in line) and _ITEM.match(line)
    return "list_item" if is_item else "prose"


def _continues(text: str, block: Block, line: str, kind: BlockKind) -> bool:
    """Whether a line goes on with the open block."""
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
    """Whether a line begins like a statement of its own: not with a lower-case letter or punctuation."""
    opening = line.lstrip(" \t*_\"'“‘([")
    if opening.startswith(("http://", "https://")):
        return True
    first = opening[:1]
    return first.isdigit() or first.isupper() or (first.isalpha() and not first.islower())

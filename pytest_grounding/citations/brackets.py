"""Square brackets that can hold a citation, and the words before them that say they are code."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from pytest_grounding._patterns import gated, lazy

#: Longest text between brackets that is looked at, in characters.
MAX_BODY = 200
#: How far a word is followed back from a bracket, in characters.
_MAX_WORD = 64

_BRACKET = gated("[|【|［", rf"[\[【［]([^\[\]【】［］\r\n]{{1,{MAX_BODY}}}+)[\]】］]", 0)
_CODE_NAMES = lazy(
    r"arr|argv|args|array|buf|data|dict|enum|idx|kwargs|list|lst|matrix|ptr|row|struct|tuple|vec",
    re.IGNORECASE,
)
_PLAIN_NUMBER = lazy(r"[\d.]+")
_WORD_CHARS = frozenset("_.$")


@dataclass(frozen=True, slots=True)
class Bracket:
    r"""One bracket with its text.

    Attributes:
        start: offset of the marker: of the bracket, of the outer one in ``[[1]]``, of the backslash in
            ``\[1\]``.
        end: one past its last character.
        body_start: offset of the text between the brackets.
        body: that text.
    """

    start: int
    end: int
    body_start: int
    body: str


def brackets(masked: str) -> Iterator[Bracket]:
    """All innermost brackets of a masked answer that are not subscripts of code, in order."""
    length = len(masked)
    subscript_end = -1
    for match in _BRACKET.finditer(masked):
        start, end = match.span()
        body_start, body = match.start(1), match[1]
        if start and masked[start - 1] == "\\" and body.endswith("\\"):
            start -= 1
            body = body[:-1]
        elif start and end < length and masked[start - 1] == "[" and masked[end] == "]":
            start, end = start - 1, end + 1
        if subscript_end == start or is_subscript(masked, start):
            subscript_end = end
            continue
        yield Bracket(start, end, body_start, body)


def is_subscript(text: str, start: int) -> bool:
    """Whether the bracket at ``start`` is glued to something that looks like code (``array[1]``)."""
    if start == 0:
        return False
    before = text[start - 1]
    if before == ")":
        return text[max(start - 2, 0) : start] == "()"
    # Code is written in ASCII; "政策[1]" and "café[1]" are prose.
    if not before.isascii() or not (before.isalnum() or before == "_"):
        return False
    first = start - 1
    limit = max(start - _MAX_WORD, 0)
    while first > limit and (text[first - 1].isalnum() or text[first - 1] in _WORD_CHARS):
        first -= 1
    word = text[first:start]
    if not word.isascii():
        return "_" in word
    if _PLAIN_NUMBER.fullmatch(word):
        return False
    letters = word.strip(".")
    return (
        len(letters) == 1
        or _CODE_NAMES.fullmatch(letters) is not None
        or any(char in _WORD_CHARS or char.isdigit() for char in letters)
        or (letters[0].islower() and any(char.isupper() for char in letters))
    )

"""The values that the rooms of text hand to each other: sentences and claims with their offsets."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

#: Longest sentence, in characters; a longer one is cut at a blank. In recorded answers the longest has 334.
#: What reads one sentence may take quadratic time in it, and stays linear in the text.
LONGEST_SENTENCE = 1_000
#: How far before that a blank is looked for.
_BLANK_WITHIN = 200

BlockKind = Literal["prose", "heading", "list_item", "table_row", "code", "quote", "definition"]

ClaimKind = Literal["fact", "opinion", "inference"]


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence, with the markers that stand right after its full stop.

    Attributes:
        start: offset of its first character that is not white space.
        end: one past its last.
        text: the slice between them.
        kind: the kind of block that it stands in.
        block: 0-based number of that block.
    """

    start: int
    end: int
    text: str
    kind: BlockKind = "prose"
    block: int = 0


@dataclass(frozen=True, slots=True)
class Claim:
    """One verifiable statement of an answer, or a piece of it that is not checked (with the reason).

    Attributes:
        index: position in the answer's list of claims.
        start: offset in the answer.
        end: one past its last character.
        text: the slice between them.
        bare: the same without citation markers and markup, for scoring.
        sentence: number of the sentence that it is, or is a clause of.
        kind: fact, opinion or inference.
        kind_confidence: how sure the kind is, in [0, 1].
        checked: whether it is to be checked against the chunks.
        skip_reason: why not: question, greeting, refusal, heading, restated_question, opinion, code,
            filler, ...; "" when it is checked.
        context: the sentence before, where this one cannot be understood alone; else "".
    """

    index: int
    start: int
    end: int
    text: str
    bare: str
    sentence: int
    kind: ClaimKind = "fact"
    kind_confidence: float = 1.0
    checked: bool = True
    skip_reason: str = ""
    context: str = ""


def stripped(text: str, spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Stretches of a text without the white space at their ends; those of nothing else are left out."""
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

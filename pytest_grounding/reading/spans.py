"""Sentences and claims with their offsets."""

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
    """One sentence, with the markers that stand right after its full stop."""

    start: int  # offset of its first character that is not white space
    end: int  # one past its last
    text: str  # the slice between them
    kind: BlockKind = "prose"  # the kind of block that it stands in
    block: int = 0  # 0-based number of that block


@dataclass(frozen=True, slots=True)
class Claim:
    """One verifiable statement of an answer, or a piece of it that is not checked (with the reason)."""

    index: int  # position in the answer's list of claims
    start: int  # offset in the answer
    end: int  # one past its last character
    text: str  # the slice between them
    bare: str  # the same without citation markers and markup, for scoring
    sentence: int  # number of the sentence that it is, or is a clause of
    kind: ClaimKind = "fact"  # fact, opinion or inference
    kind_confidence: float = 1.0  # how sure the kind is, in [0, 1]
    checked: bool = True  # whether it is to be checked against the chunks
    #: Why not: question, greeting, refusal, heading, restated_question, opinion, code, filler, ...; "" when
    #: it is checked.
    skip_reason: str = ""
    context: str = ""  # the sentence before, where this one cannot be understood alone; else ""


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

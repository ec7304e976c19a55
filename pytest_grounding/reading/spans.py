"""Sentences and claims with their offsets."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, NamedTuple

#: Longest sentence, in characters; a longer one is cut at a blank. The longest in recorded answers has 334.
#: Code that reads one sentence may take quadratic time in it, and stays linear in the text.
LONGEST_SENTENCE = 1_000
#: Characters before that limit in which a blank is searched.
_BLANK_WITHIN = 200
BlockKind = Literal["prose", "heading", "list_item", "table_row", "code", "quote", "definition"]
ClaimKind = Literal["fact", "opinion", "inference"]


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

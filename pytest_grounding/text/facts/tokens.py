"""Cutting a text into words, numbers and signs, with offsets: what the fact readers walk over."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from typing import Generic, NamedTuple, TypeVar

from pytest_grounding._patterns import lazy
from pytest_grounding.text.facts.signs import MAY_HOLD, pieces_of
from pytest_grounding.text.facts.spelling import as_spelled, with_plain_dates

# Dotted letters first ("U.S.", "p.m."), then digits with their separators, words, fractions, signs.
_TOKEN = lazy(
    r"((?:[^\W\d_]\.){2,}|"
    # "1 , 056" is how treebanks write 1,056.
    r"\d{1,3}(?: , \d{3}(?!\d))+|"
    r"\d+(?:[.,٫٬]\d+|(?<=\d)[\u00a0\u202f]\d{3}(?!\d))*|"
    r"[^\W\d_]+(?:['’][^\W\d_]+)*|"
    r"[^\s\w]|\n)"
)
# The same for ASCII, twice as fast: what a text is mostly made of stands first.
_ASCII_TOKEN = lazy(
    r"([A-Za-z]{2,}+(?!')|"
    r"[^\s\w]|\n|"
    r"(?:[A-Za-z]\.){2,}|"
    r"[A-Za-z]+(?:'[A-Za-z]+)*|"
    r"\d{1,3}(?: , \d{3}(?!\d))+|"
    r"\d+(?:[.,]\d+)*)"
)


#: Decimal and thousands separators of Arabic script.
_SEPARATORS = {"٫": ".", "٬": ","}


What = TypeVar("What", covariant=True)


class Read(NamedTuple, Generic[What]):
    """What was read at a token, and the token behind it."""

    what: What
    after: int


def words(text: str) -> list[str]:
    """The words of a list that is written as one string, for tables that stay readable."""
    return text.split()


@dataclass(frozen=True, slots=True)
class Tokens:
    """A text cut into tokens.

    Attributes:
        source: the text.
        raw: the tokens, verbatim.
        low: the same in lower case, with typographic apostrophes made straight and the digits of all
            scripts made European.
        starts: offset of each token.
        ends: one past each token.
    """

    source: str
    raw: list[str]
    low: list[str]
    starts: list[int]
    ends: list[int]

    def __len__(self) -> int:
        return len(self.raw)

    def word(self, index: int) -> str:
        """The token in lower case, or "" outside the text."""
        return self.low[index] if 0 <= index < len(self.low) else ""

    def glued(self, index: int) -> bool:
        """Whether no blank stands between this token and the next."""
        return index + 1 < len(self.starts) and self.ends[index] == self.starts[index + 1]


def _with_ascii_digits(token: str) -> str:
    if token.isascii() or not token[0].isdecimal():
        return token
    return "".join(_SEPARATORS.get(char) or (str(int(char)) if char.isdecimal() else char) for char in token)


def _with_numerals_apart(pieces: list[str]) -> list[str]:
    """Cut "m²" and "½cup" in two: to a pattern, a numeral that is no decimal digit is a letter."""
    mixed = {
        at
        for at in range(1, len(pieces), 2)
        if pieces[at][0].isalnum() and not pieces[at][0].isdecimal() and not pieces[at].isalpha()
    }
    if not mixed:
        return pieces
    apart: list[str] = []
    for at, piece in enumerate(pieces):
        if at in mixed and len(parts := pieces_of(piece)) > 1:
            apart.extend(parts[0:1])
            for part in parts[1:]:
                apart.extend(("", part))
        else:
            apart.append(piece)
    return apart


def cut(text: str) -> Tokens:
    """Cut a text into tokens, in linear time."""
    own, text = text, with_plain_dates(as_spelled(text))
    is_ascii = text.isascii()
    # What stands between the tokens and the tokens in turn, so that their lengths add up to the offsets.
    pieces = (_ASCII_TOKEN if is_ascii else _TOKEN).split(text)
    if not is_ascii and MAY_HOLD.search(text) is not None:
        pieces = _with_numerals_apart(pieces)
    ends = list(accumulate(map(len, pieces)))
    raw = pieces[1::2]
    if is_ascii:
        # At once, which is faster: no token holds a "_".
        low = "_".join(raw).lower().split("_") if raw else []
    else:
        low = [_with_ascii_digits(token.lower().replace("’", "'")) for token in raw]
    return Tokens(own, raw, low, ends[:-1:2], ends[1::2])

"""Cutting a text into words, numbers and signs, with offsets: what the fact readers walk over."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from typing import Generic, NamedTuple, TypeVar

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding.lexicon import words as listed

#: Blocks in which Unicode has such numerals, and little else.
MAY_HOLD = lazy(
    "[\u00b2\u00b3\u00b9\u00bc-\u00be\u09f4-\u09f9\u0b72-\u0b77\u0bf0-\u0bf2\u0c78-\u0c7e\u0d58-\u0d5e"
    "\u0d70-\u0d78\u0f2a-\u0f33\u1369-\u137c\u16ee-\u16f0\u17f0-\u17f9\u19da\u2070-\u2089\u2150-\u2189"
    "\u2460-\u249b\u24ea-\u24ff\u2776-\u2793\u2cfd\u3007\u3021-\u3029\u3038-\u303a\u3192-\u3195"
    "\u3220-\u3229\u3248-\u324f\u3251-\u325f\u3280-\u3289\u32b1-\u32bf\ua6e6-\ua6ef\ua830-\ua835"
    "\U00010100-\U00012fff\U00016b00-\U00016fff\U0001c000-\U0001f1ff]"
)
_SUPER, _SUB = "<super>", "<sub>"
#: Stands among ideographs ("二〇二一年"), and is no word of its own there.
_IDEOGRAPHIC_ZERO = "〇"
_ROMAN = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}
_LONGEST = 12
_LONGEST_EXPONENT = 2


@lru_cache(maxsize=2048)
def is_numeral(character: str) -> bool:
    """Whether a character is a number and no decimal digit."""
    return unicodedata.category(character) in {"No", "Nl"}


def pieces_of(word: str) -> list[str]:
    """A run of letters and numerals cut where one changes into the other: "m²" is "m" and "²"."""
    pieces: list[str] = []
    before = None
    for character in word:
        own = is_numeral(character) and not _belongs_to_letters(character, word)
        if own is before:
            pieces[-1] += character
        else:
            pieces.append(character)
        before = own
    return pieces


def _belongs_to_letters(character: str, word: str) -> bool:
    if character == _IDEOGRAPHIC_ZERO:
        return len(word) > 1
    return unicodedata.decomposition(character).startswith(_SUB)


def exponent(token: str) -> int | None:
    """The number that a run of superscript digits writes, or None for anything else."""
    if len(token) > _LONGEST_EXPONENT or not all(_is_super(character) for character in token):
        return None
    return int("".join(str(unicodedata.digit(character)) for character in token))


def _is_super(character: str) -> bool:
    has_digit = unicodedata.digit(character, None) is not None
    return has_digit and unicodedata.decomposition(character).startswith(_SUPER)


def is_raised_or_lowered(token: str) -> bool:
    """Whether a token begins with a superscript or a subscript: an exponent, an index, the mark of a note."""
    return unicodedata.decomposition(token[0]).startswith((_SUPER, _SUB))


@lru_cache(maxsize=2048)
def value_of(token: str) -> float | None:
    """The value of a token that is made of numerals, or None where it has none by itself."""
    if len(token) > _LONGEST or not all(is_numeral(character) for character in token):
        return None
    if any(is_raised_or_lowered(character) for character in token):
        return None
    if len(token) == 1:
        return unicodedata.numeric(token, None)
    digits = [unicodedata.digit(character, None) for character in token]
    if None not in digits:
        return float("".join(map(str, digits)))
    return _roman(unicodedata.normalize("NFKC", token).upper())


def _roman(letters: str) -> float | None:
    if not set(letters) <= _ROMAN.keys():
        return None
    values = [_ROMAN[letter] for letter in letters]
    pairs = zip(values, [*values[1:], 0], strict=True)
    return float(sum(-value if value < following else value for value, following in pairs))


_MAY_HOLD = lazy(r"\d(?:['’ \u00a0\u2009\u202f]\d{3}|T\d)|\\frac|\d,\d|\$[^$\n]{1,80}[\\^]|\d/\d")
#: "1'250", and "23 417" with a blank that keeps the groups together.
_SURE_GROUPS = lazy(
    r"(?<![\w'’.,])\d{1,3}(?:(?:['’]\d{3}){1,6}|(?:[\u00a0\u2009\u202f]\d{3}){1,6})(?!['’]?\w)"
)
#: "12 000" with a plain blank: no row of numbers, and no "2 400 g tins".
_GROUPS = lazy(
    r"(?<![\w'’.,/+–-])(?<!\d )\d{1,3}(?: \d{3}){1,2}(?![\w/-]|[.,]\d| \d)(?! ?(?:g|ml|mg|mm|cm|grams?|x)\b)"
)
_GROUP_SEPARATORS = str.maketrans(dict.fromkeys("'’ \u00a0\u2009\u202f", ","))
_LIST = lazy(r"(?<![\w.,$€£])\d{1,5}(?:,\d{1,5}){1,60}(?![\w%°]|[.,]\d)")
_CLAUSE = lazy(r"[^.;!?\n\d]{0,40}\Z")
_WORD = lazy(r"[^\W\d_]+")
_LABELS = listed("numerals", "listed")
_NO_GROUP_BEFORE = listed("numerals", "before single numbers")
_BEFORE = 40
_STAMP = lazy(
    r"(?<=\d)T(?P<time>\d\d:\d\d)(?P<rest>(?::\d\d(?:\.\d{1,9})?)?)(?P<zone>Z|[+-]00:?00)?(?![\d:])"
)
_MATHS = lazy(r"\$([^$\n]{0,80}[\\^][^$\n]{0,80})\$")
_FRACTION = lazy(r"\\d?frac\{\s?(\d{1,6})\s?\}\{\s?(\d{1,6})\s?\}")
_SLASHED = lazy(r"(?<![\d/.])(?P<one>\d{1,2})/(?P<two>\d{1,2})/(?P<year>\d{4}|(?<=\d\d/\d\d/)\d\d)(?![\d/])")
#: English is written with the day first outside of these regions; without a region nobody knows.
_MONTH_FIRST = frozenset({"us", "ph", "ca"})
#: Months are twelve.
_MONTHS = 12


@lru_cache(maxsize=2048)
def as_spelled(text: str) -> str:
    """The text with its numbers as the readers know them, of the same length."""
    if _MAY_HOLD.search(text) is None:
        return text
    if "\\" in text or "^" in text:
        text = _MATHS.sub(r" \1 ", text)
        text = _FRACTION.sub(_divided, text)
    text = _STAMP.sub(_stamp, text)
    text = _SURE_GROUPS.sub(lambda found: found[0].translate(_GROUP_SEPARATORS), text)
    # Groups first: the numbers of a list must not become one again.
    return _LIST.sub(_listed, _GROUPS.sub(_grouped, text))


def _divided(found: re.Match[str]) -> str:
    before = " " * (found.start(1) - found.start())
    return f"{before}{found[1]}/{found[2]}".ljust(len(found[0]))


def _stamp(found: re.Match[str]) -> str:
    zone = " UTC" if found["zone"] else ""
    written = f" {found['time']}{zone}"
    return written.ljust(len(found[0])) if len(written) <= len(found[0]) else f" {found[0][1:]}"


def _words_before(found: re.Match[str]) -> list[str]:
    """The words of the clause before a number, in lower case."""
    clause = _CLAUSE.search(found.string, max(0, found.start() - _BEFORE), found.start())
    return [word.lower() for word in _WORD.findall(clause[0])] if clause is not None else []


def _grouped(found: re.Match[str]) -> str:
    before = _words_before(found)[-1:]
    # "Table 2 300 patients" has two numbers, and "the lines 12 145" have been a list.
    is_single = bool(before) and (before[0] in _NO_GROUP_BEFORE or before[0] in _LABELS)
    return found[0] if is_single else found[0].translate(_GROUP_SEPARATORS)


def _listed(found: re.Match[str]) -> str:
    """Numbers behind the word for things that bear numbers: "ports 80,443", "Open ports: 80,443"."""
    before = _words_before(found)
    is_list = bool(before) and (
        before[-1] in _LABELS
        or (found.string[: found.start()].rstrip().endswith((":", "=")) and not _LABELS.isdisjoint(before))
    )
    return found[0].replace(",", " ") if is_list else found[0]


def with_plain_dates(text: str, tag: str = "") -> str:
    """The text, equally long, with slashed dates as day.month.year where only one reading is left."""
    if "/" not in text:
        return text
    order = order_of_dates(text, tag)
    if not order:
        return text

    def rewritten(found: re.Match[str]) -> str:
        one, two = found["one"], found["two"]
        day, month = (one, two) if order == "day" else (two, one)
        return f"{day}.{month}.{found['year']}" if 0 < int(month) <= _MONTHS else found[0]

    return _SLASHED.sub(rewritten, text)


def order_of_dates(text: str, tag: str = "") -> str:
    """What stands first in slashed dates: "day", "month", or "" where both may."""
    language, _, region = tag.lower().replace("_", "-").partition("-")
    if language not in {"", "en", "und"}:
        return "day"
    if language == "en" and region:
        return "month" if region in _MONTH_FIRST else "day"
    pairs = [(int(found["one"]), int(found["two"])) for found in _SLASHED.finditer(text)]
    orders = {"day" if one > _MONTHS else "month" for one, two in pairs if max(one, two) > _MONTHS}
    return orders.pop() if len(orders) == 1 else ""


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
    """A text cut into tokens."""

    source: str  # the text
    raw: list[str]  # the tokens, verbatim
    #: The same in lower case, with typographic apostrophes made straight and the digits of all scripts made
    #: European.
    low: list[str]
    starts: list[int]  # offset of each token
    ends: list[int]  # one past each token

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

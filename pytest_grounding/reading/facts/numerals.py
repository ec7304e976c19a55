"""Tokens for numbers and signs, and the numbers that words spell."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Container
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from typing import Generic, NamedTuple, TypeVar

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding.lexicon import lines, numbers, ordered, whole_numbers
from pytest_grounding.lexicon import words as listed
from pytest_grounding.lexicon.patterns import plain

MAY_HOLD = plain("characters", "numerals")
_SUPER, _SUB = "<super>", "<sub>"
_LONGEST_EXPONENT = 2
_MAY_BE_SPELLED = lazy(r"\d(?:['’_ \u00a0\u2009\u202f]\d{3}|T\d)|\\frac|\d,\d|\$[^$\n]{1,80}[\\^]|\d/\d")
_SURE_GROUPS = plain("written_numbers", "sure_groups")
_GROUPS = plain("written_numbers", "groups")
_GROUP_SEPARATORS = str.maketrans(dict.fromkeys("'’_ \u00a0\u2009\u202f", ","))
_LIST = lazy(r"(?<![\w.,$€£])\d{1,5}(?:,\d{1,5}){1,60}(?![\w%°]|[.,]\d)")
_CLAUSE = lazy(r"[^.;!?\n\d]{0,40}\Z")
_WORD = lazy(r"[^\W\d_]+")
_LABELS = listed("numerals", "listed")
_NO_GROUP_BEFORE = listed("numerals", "before single numbers")
_BEFORE = 40
_STAMP = plain("written_numbers", "stamp")
_MATHS = lazy(r"\$([^$\n]{0,80}[\\^][^$\n]{0,80})\$")
_FRACTION = lazy(r"\\d?frac\{\s?(\d{1,6})\s?\}\{\s?(\d{1,6})\s?\}")
_SLASHED = lazy(r"(?<![\d/.])(?P<one>\d{1,2})/(?P<two>\d{1,2})/(?P<year>\d{4}|(?<=\d\d/\d\d/)\d\d)(?![\d/])")
#: English dates put the day first outside of these regions; without a region it is unknown.
_MONTH_FIRST = frozenset({"us", "ph", "ca"})
_MONTHS = 12
_TOKEN = plain("written_numbers", "token")
_ASCII_TOKEN = plain("written_numbers", "ascii_token")
_SEPARATORS = {"٫": ".", "٬": ","}  # decimal and thousands separators of Arabic script
What = TypeVar("What", covariant=True)
#: What `Tokens.low` holds behind the last token, and so before the first one: readers look a few words ahead
#: and back without asking where the text ends.
_SHORT = 600  # characters of a text whose tokens are kept
_OUTSIDE = [""] * 16
_UNITS = ordered("numerals", "units")
SMALL: dict[str, int] = {word: number for number, word in enumerate(_UNITS)}
for _first, *_row in map(str.split, lines("numerals", "abroad")):
    SMALL |= {word: number for number, word in enumerate(_row, start=int(_first))}
SMALL |= whole_numbers("numerals", "small")
TENS: dict[str, int] = {
    word: 10 * number for number, word in enumerate(ordered("numerals", "tens"), start=2)
} | {"fourty": 40}
MAGNITUDES: dict[str, float] = numbers("numerals", "magnitudes")
_SUFFIXES: dict[str, float] = numbers("numerals", "suffixes")
_SUFFIXES |= {"mm": 1e6, "MM": 1e6, "tn": 1e12, "T": 1e12}
DENOMINATORS: dict[str, int] = whole_numbers("numerals", "denominators")
_ORDINAL_UNITS = ordered("numerals", "ordinal_units")
ORDINALS: dict[str, int] = {word: number for number, word in enumerate(_ORDINAL_UNITS)} | {
    word: 10 * number for number, word in enumerate(ordered("numerals", "ordinals"), start=2)
}
ORDINALS |= {"hundredth": 100, "thousandth": 1000}
_PRONOUN_NEXT = listed("numerals", "pronoun_next")
_BEFORE_HALF = listed("numerals", "before_half")
_PARTS = {"a half": 0.5, "a quarter": 0.25, "a third": 1 / 3, "one third": 1 / 3, "three quarters": 0.75}
_PRONOUN_BEFORE = listed("numerals", "pronoun_before")
_PLAIN = lazy(r"\d+(?:\.\d+)?")
_COMMA_GROUPS = lazy(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d+)?")
_SPACE_GROUPS = lazy(r"\d{1,3}(?:[\u00a0\u202f]\d{3})+(?:[.,]\d+)?")
_DOT_GROUPS = lazy(r"\d{1,3}(?:\.\d{3}){2,}|\d{1,3}(?:\.\d{3})+,\d+")
_DECIMAL_COMMA = lazy(r"\d+,(?:\d{1,2}|\d{4,})")
_POWER = plain("written_numbers", "power")
_SCALING = frozenset("eE×x*·⋅\\")  # what that begins with, apart from blanks
_RAISED = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹−", "-0123456789-")
_SHORTENED = frozenset({"mio", "mrd", "mn", "mln", "bn"})  # may have a full stop: "12 Mio. Euro"
_MILLION_OF = listed("numerals", "million_of")
_LONG = 40
_LONGEST_BASE = 3  # digits of a number with an exponent; after a longer one a superscript is a footnote mark
_LARGEST_PART = 16  # two numbers with a slash are a fraction up to sixteenths


@lru_cache(maxsize=2048)
def is_numeral(character: str) -> bool:
    """Whether a character is a numeral but not a decimal digit."""
    return unicodedata.category(character) in {"No", "Nl"}


def pieces_of(word: str) -> list[str]:
    """A run of letters and numerals, split where one changes into the other: "m²" is "m" and "²"."""
    pieces: list[str] = []
    before = None
    for character in word:
        own = is_numeral(character) and not unicodedata.decomposition(character).startswith(_SUB)
        if own is before:
            pieces[-1] += character
        else:
            pieces.append(character)
        before = own
    return pieces


def exponent(token: str) -> int | None:
    """The number in a run of superscript digits, or None."""
    if len(token) > _LONGEST_EXPONENT or not all(map(_is_super, token)):
        return None
    return int("".join(str(unicodedata.digit(character)) for character in token))


def _is_super(character: str) -> bool:
    has_digit = unicodedata.digit(character, None) is not None
    return has_digit and unicodedata.decomposition(character).startswith(_SUPER)


def is_raised_or_lowered(token: str) -> bool:
    """Whether a token starts with a superscript or subscript: an exponent, an index, a footnote mark."""
    return unicodedata.decomposition(token[0]).startswith((_SUPER, _SUB))


@lru_cache(maxsize=2048)
def value_of(token: str) -> float | None:
    """The value of a token that is one numeral, or None."""
    if len(token) != 1 or not is_numeral(token) or is_raised_or_lowered(token):
        return None
    return unicodedata.numeric(token)


@lru_cache(maxsize=2048)
def as_spelled(text: str) -> str:
    """The text with numbers in plain form, at equal length."""
    if _MAY_BE_SPELLED.search(text) is None:
        return text
    if "\\" in text or "^" in text:
        text = _MATHS.sub(r" \1 ", text)
        text = _FRACTION.sub(_divided, text)
    text = _STAMP.sub(_stamp, text)
    text = _SURE_GROUPS.sub(lambda found: found[0].translate(_GROUP_SEPARATORS), text)
    # Groups first: the numbers of a list must not be joined again.
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
    # "Table 2 300 patients" has two numbers; "the lines 12 145" was a list.
    is_single = bool(before) and (before[0] in _NO_GROUP_BEFORE or before[0] in _LABELS)
    return found[0] if is_single else found[0].translate(_GROUP_SEPARATORS)


def _listed(found: re.Match[str]) -> str:
    """Numbers after a word for numbered things: "ports 80,443", "Open ports: 80,443"."""
    before = _words_before(found)
    is_list = bool(before) and (
        before[-1] in _LABELS
        or (found.string[: found.start()].rstrip().endswith((":", "=")) and not _LABELS.isdisjoint(before))
    )
    return found[0].replace(",", " ") if is_list else found[0]


def with_plain_dates(text: str, tag: str = "") -> str:
    """The text, at equal length, with slashed dates as day.month.year if only one reading is possible."""
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
    """The first part of slashed dates: "day", "month", or "" if unknown."""
    language, _, region = tag.lower().replace("_", "-").partition("-")
    if language not in {"", "en", "und"}:
        return "day"
    if language == "en" and region:
        return "month" if region in _MONTH_FIRST else "day"
    pairs = [(int(found["one"]), int(found["two"])) for found in _SLASHED.finditer(text)]
    orders = {"day" if one > _MONTHS else "month" for one, two in pairs if max(one, two) > _MONTHS}
    return orders.pop() if len(orders) == 1 else ""


class Read(NamedTuple, Generic[What]):
    """A value read at a token, and the token after it."""

    what: What
    after: int


def words(text: str) -> list[str]:
    """The words of a list written as one string, for readable tables."""
    return text.split()


@dataclass(frozen=True, slots=True)
class Tokens:
    """A text split into tokens."""

    source: str  # the text
    raw: list[str]  # the tokens, verbatim
    low: list[str]  # the same in lower case, with straight apostrophes and European digits, and `_OUTSIDE`
    starts: list[int]  # start offset of each token
    ends: list[int]  # end offset of each token

    def __len__(self) -> int:
        return len(self.raw)

    def glued(self, index: int) -> bool:
        """Whether no blank separates this token and the next."""
        return index + 1 < len(self.starts) and self.ends[index] == self.starts[index + 1]

    def past(self, index: int, words: Container[str]) -> int:
        """The next token if this one is among the words, else this one."""
        return index + 1 if self.low[index] in words else index


def _with_ascii_digits(token: str) -> str:
    if token.isascii() or not token[0].isdecimal():
        return token
    return "".join(_SEPARATORS.get(char) or (str(int(char)) if char.isdecimal() else char) for char in token)


def _with_numerals_apart(pieces: list[str]) -> list[str]:
    """Split "m²" and "½cup" in two: for a pattern, a numeral that is not a decimal digit is a letter."""
    words = (at for at in range(1, len(pieces), 2) if pieces[at][0].isalnum())
    mixed = {at for at in words if not pieces[at][0].isdecimal() and not pieces[at].isalpha()}
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
    """Split a text into tokens, in linear time."""
    return _kept_cut(text) if len(text) <= _SHORT else _cut_anew(text)


def _cut_anew(text: str) -> Tokens:
    own, text = text, with_plain_dates(as_spelled(text))
    is_ascii = text.isascii()
    # Separators and tokens in turn, so that their lengths add up to the offsets.
    pieces = (_ASCII_TOKEN if is_ascii else _TOKEN).split(text)
    if not is_ascii and MAY_HOLD.search(text) is not None:
        pieces = _with_numerals_apart(pieces)
    ends = list(accumulate(map(len, pieces)))
    raw = pieces[1::2]
    if is_ascii:
        # All at once, which is faster: no token contains a "_".
        low = "_".join(raw).lower().split("_") if raw else []
    else:
        low = [_with_ascii_digits(token.lower().replace("’", "'")) for token in raw]
    return Tokens(own, raw, low + _OUTSIDE, ends[:-1:2], ends[1::2])


# A claim is read for its facts, and then for how often something happens.
_kept_cut = lru_cache(maxsize=64)(_cut_anew)


class Numeral(NamedTuple):
    """A number as read."""

    value: float  # what it is
    after: int  # index of the token after it
    slack: float = 0.0  # half a unit of the last digit, where that shows rounding; else 0
    share: bool = False  # a bare fraction ("half", "two thirds"), which may mean a percentage
    words: bool = False  # written in words only
    comma: bool = False  # its comma may be a decimal one: only a unit can decide
    plain: bool = False  # four bare digits and no magnitude: may be a year


def _digits(token: str) -> tuple[float, int, bool] | None:
    """Value and number of decimals of a token of digits, and whether its comma may be a decimal one."""
    if len(token) > _LONG:
        return None
    bare, comma = token.replace(" ", ""), False
    if _PLAIN.fullmatch(bare):
        pass
    elif _COMMA_GROUPS.fullmatch(bare):
        bare = bare.replace(",", "")
    elif _SPACE_GROUPS.fullmatch(bare):
        bare = bare.replace("\u00a0", "").replace("\u202f", "").replace(",", ".")
    elif _DOT_GROUPS.fullmatch(bare):
        bare = bare.replace(".", "").replace(",", ".")
    elif _DECIMAL_COMMA.fullmatch(bare):
        bare, comma = bare.replace(",", "."), True
    else:
        return None
    return float(bare), len(bare.partition(".")[2]), comma


def read_number(tokens: Tokens, index: int) -> Numeral | None:
    """The number that starts at a token, or None."""
    raw = tokens.raw[index]
    if raw[0].isdecimal():
        return _read_digits(tokens, index)
    if not raw.isascii():
        value = value_of(raw)
        if value is not None:
            return Numeral(value, index + 1, share=0 < value < 1)
    return _read_words(tokens, index)


def _fraction_at(tokens: Tokens, index: int) -> float | None:
    if index >= len(tokens) or tokens.raw[index].isascii():
        return None
    value = value_of(tokens.raw[index])
    return value if value is not None and 0 < value < 1 else None


def _raised(tokens: Tokens, index: int, value: float) -> Read[float] | None:
    """A number with the superscript or subscript attached to it."""
    token, start = tokens.raw[index], index + 1
    is_negative = tokens.raw[start] == "⁻" and tokens.glued(start)
    at = start + 1 if is_negative else start
    power = exponent(tokens.raw[at])
    if power is None:
        return None if is_raised_or_lowered(tokens.raw[start]) else Read(value, start)
    if not token.isdecimal() or len(token) > _LONGEST_BASE or (is_negative and not value):
        return Read(value, at + 1)
    return Read(value ** (-power if is_negative else power), at + 1)


def _read_digits(tokens: Tokens, index: int) -> Numeral | None:
    raw = tokens.raw
    read = _digits(tokens.low[index])
    if read is None:
        return None
    value, decimals, comma = read
    after = index + 1
    at = tokens.ends[index]
    may_scale = not _SCALING.isdisjoint(tokens.source[at : at + 4].lstrip(" ")[:1])
    power = _POWER.match(tokens.source, at) if may_scale else None
    if power is not None:
        written = (power["e"] or power["power"] or power["raised"]).translate(_RAISED)
        scaled = float(f"{value * 10.0 ** int(written):.12g}")
        behind = bisect_left(tokens.starts, power.end())
        return Numeral(scaled, behind, slack=0.5 * 10.0 ** (int(written) - decimals) if decimals else 0.0)
    if tokens.glued(index) and not raw[after].isascii():
        raised = _raised(tokens, index, value)
        if raised is None:
            return None
        if raised.after > after:
            return _magnified(tokens, Numeral(raised.what, raised.after))
    if tokens.low[after] == "/" and tokens.glued(index) and tokens.glued(after):
        below = raw[after + 1]
        if below.isdecimal() and 0 < int(below[:6]) <= 100 and decimals == 0 and value < int(below[:6]):
            return Numeral(value / int(below[:6]), after + 2, share=True)
    fraction = _fraction_at(tokens, after) if decimals == 0 else None
    if fraction is not None:
        return Numeral(value + fraction, after + 1)
    mixed = _mixed(tokens, after) if decimals == 0 else None
    if mixed is not None:
        return Numeral(value + mixed.what, mixed.after)
    plain = decimals == 0 and len(raw[index]) == 4
    slack = 0.5 * 10.0**-decimals if decimals else 0.0
    if after < len(raw) and tokens.glued(index) and raw[after] in _SUFFIXES and tokens.low[after + 1] != "/":
        factor = _SUFFIXES[raw[after]]
        # "5m" and "5mm" are lengths far more often than millions: left to the unit reader.
        if raw[after] not in {"m", "mm", "b", "T"}:
            return Numeral(value * factor, after + 1, slack=rounded(value, slack, factor))
    return _magnified(tokens, Numeral(value, after, slack=slack, comma=comma, plain=plain))


def _mixed(tokens: Tokens, after: int) -> Read[float] | None:
    """The fraction of a mixed number: "1 1/2", "2 and a half"."""
    above, below = tokens.low[after], tokens.low[after + 2]
    is_written = tokens.low[after + 1] == "/" and tokens.glued(after) and tokens.glued(after + 1)
    if is_written and above.isdecimal() and below.isdecimal():
        is_proper, is_common = 0 < int(above[:4]) < int(below[:4]), int(below[:4]) <= _LARGEST_PART
        if is_proper and is_common:
            return Read(int(above) / int(below), after + 3)
    part = part_after(tokens, after)
    if part is not None:
        return part
    fraction = _fraction_at(tokens, after + 1) if tokens.low[after] == "and" else None
    return Read(fraction, after + 2) if fraction is not None else None


def part_after(tokens: Tokens, after: int) -> Read[float] | None:
    """The fraction of "and a half", "-and-a-quarter", "and three quarters"."""
    joint = tokens.past(after, ("-",))
    count = tokens.past(joint + 1, ("-",))
    last = tokens.past(count + 1, ("-",))
    if tokens.low[joint] != "and" or last >= len(tokens):
        return None
    part = _PARTS.get(f"{tokens.low[count]} {tokens.low[last]}")
    return Read(part, last + 1) if part is not None else None


def rounded(value: float, slack: float, factor: float) -> float:
    """Slack of a number with a magnitude: half of its last digit, at most 5 % of it."""
    return min((slack or 0.5) * factor, 0.05 * value * factor)


def _magnified(tokens: Tokens, number: Numeral) -> Numeral:
    """A number multiplied by a following "million" or similar, also after a hyphen."""
    value, after, slack = number.value, number.after, number.slack
    while True:
        step = 1 if tokens.low[after] == "-" and tokens.low[after + 1] in MAGNITUDES else 0
        factor = MAGNITUDES.get(tokens.low[after + step])
        if tokens.low[after] == "m" and tokens.low[after + 1] in _MILLION_OF:
            factor = 1e6
        if factor is None:
            is_same = after == number.after
            return number if is_same else number._replace(value=value, after=after, slack=slack, plain=False)
        is_rounded = factor >= 1e3 and not number.words
        slack = rounded(value, slack, factor) if is_rounded else slack * factor
        value *= factor
        after += step + 1
        if tokens.low[after - 1] in _SHORTENED and tokens.glued(after - 1):
            after = tokens.past(after, (".",))


def _read_words(tokens: Tokens, index: int) -> Numeral | None:
    word = tokens.low[index]
    if word in {"a", "an"}:
        following = tokens.low[index + 1]
        if following in {"hundred", "thousand"}:
            value, after = _cardinal(tokens, index + 1, 1.0)
            return _magnified(tokens, Numeral(value, after, words=True))
        if following in MAGNITUDES:
            return _magnified(tokens, Numeral(1.0, index + 1, words=True))
        # "A third of them", "by a third", "a third as loud"
        is_part = tokens.low[index + 2] in {"of", "as"} or tokens.low[index - 1] == "by"
        if following == "half" or (following in DENOMINATORS and is_part):
            return Numeral(1 / DENOMINATORS[following], index + 2, share=True, words=True)
        return None
    if word == "half":
        return _read_half(tokens, index)
    if word not in SMALL and word not in TENS:
        return None
    if word == "one" and not _is_counting_one(tokens, index):
        return None
    value, after = _cardinal(tokens, index)
    if tokens.low[after] == "(" and tokens.low[after + 1] == f"{value:g}" and tokens.low[after + 2] == ")":
        after += 3  # "Twenty-four (24) months"
    denominator_at = tokens.past(after, ("-",))
    denominator = DENOMINATORS.get(tokens.low[denominator_at])
    if (
        denominator is not None
        and 0 < value < denominator
        and not (value == 1 and tokens.low[denominator_at][-1] == "s")
    ):
        return Numeral(value / denominator, denominator_at + 1, share=True, words=True)
    mixed = _mixed(tokens, after)
    if mixed is not None:
        return _magnified(tokens, Numeral(value + mixed.what, mixed.after, words=True))
    return Numeral(value, after, words=True)


def _is_counting_one(tokens: Tokens, index: int) -> bool:
    following = tokens.low[index + 1]
    if following in MAGNITUDES or following in DENOMINATORS or following == "-":
        return True
    if part_after(tokens, index + 1) is not None:
        return True
    if tokens.low[index - 1] in _PRONOUN_BEFORE or following in _PRONOUN_NEXT:
        return False
    return following[:1].isalpha()


def _read_half(tokens: Tokens, index: int) -> Numeral | None:
    before, following = tokens.low[index - 1], tokens.low[index + 1]
    if before in ORDINALS or before in _BEFORE_HALF or "-" in {before, following}:
        return None
    if following in {"a", "an"} and tokens.low[index + 2] in MAGNITUDES:
        return _magnified(tokens, Numeral(0.5, index + 2, words=True))
    if following in {"a", "an"}:
        return Numeral(0.5, index + 2, words=True)
    return Numeral(0.5, index + 1, share=True, words=True)


def _cardinal(tokens: Tokens, index: int, current: float = 0.0) -> Read[float]:
    """A cardinal in words: "two hundred and fifty-three thousand"; ``current`` is the number before it."""
    total = 0.0
    at = index
    while at < len(tokens):
        word = tokens.low[at]
        if word in TENS and current % 100 == 0:
            current += TENS[word]
        elif word in SMALL and _may_follow(SMALL[word], current):
            if at > index and (SMALL[word] == 0 or tokens.low[at - 1] in SMALL):
                break
            current += SMALL[word]
        elif word == "hundred" and 0 < current < 100:
            current *= 100
        elif word in MAGNITUDES and word != "hundred" and current > 0:
            total += current * MAGNITUDES[word]
            current = 0.0
        elif word in {"-", "and"} and at > index and _continues(tokens, at, current):
            pass
        else:
            break
        at += 1
    return Read(total + current, at)


def _may_follow(small: int, current: float) -> bool:
    """Whether a small number continues another: "five" after "hundred" and after "twenty"."""
    tens = current % 100
    return tens == 0 or (tens >= 20 and tens % 10 == 0 and small < 10)


def _continues(tokens: Tokens, at: int, current: float) -> bool:
    """Whether "-" or "and" inside a cardinal continues it."""
    before, following = tokens.low[at - 1], tokens.low[at + 1]
    if tokens.low[at] == "and":
        return before in MAGNITUDES and before != "dozen" and (following in SMALL or following in TENS)
    if following in SMALL:
        return before in TENS and 0 < SMALL[following] < 10
    return following in MAGNITUDES and current > 0

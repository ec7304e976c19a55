"""Reading one number, in digits or in words: "1.2 million", "twelve", "two and a half", "a dozen"."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, replace

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding.lexicon import lines, numbers, ordered, whole_numbers
from pytest_grounding.lexicon import words as listed
from pytest_grounding.reading.facts.tokens import Read, Tokens, exponent, is_raised_or_lowered, value_of

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
_PRONOUN_BEFORE = listed("numerals", "pronoun_before")
_PLAIN = lazy(r"\d+(?:\.\d+)?")
_COMMA_GROUPS = lazy(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d+)?")
_SPACE_GROUPS = lazy(r"\d{1,3}(?:[\u00a0\u202f]\d{3})+(?:[.,]\d+)?")
_DOT_GROUPS = lazy(r"\d{1,3}(?:\.\d{3}){2,}|\d{1,3}(?:\.\d{3})+,\d+")
_DECIMAL_COMMA = lazy(r"\d+,(?:\d{1,2}|\d{4,})")
#: "1.5e3", "1.5 × 10^3", "2 \cdot 10^{-3}" behind the digits.
_POWER = lazy(
    r"(?:[eE](?P<e>[+-]?\d{1,2})(?!\w|\.\d)"
    r"|[ ]{0,3}(?:[×x*·⋅]|\\times|\\cdot)[ ]{0,3}10[ ]?(?:\^[ ]?\{?[ ]?(?P<power>[+−-]?\d{1,2})[ ]?\}?"
    r"|(?P<raised>⁻?[⁰¹²³⁴-⁹]{1,2})))"
)
_RAISED = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹−", "-0123456789-")
#: Magnitudes that may have a full stop: "12 Mio. Euro".
_SHORTENED = frozenset({"mio", "mrd", "mn", "mln", "bn"})
_MILLION_OF = listed("numerals", "million_of")
_LONG = 40
#: Digits of a number that has an exponent; behind a longer one a superscript is the mark of a note.
_LONGEST_BASE = 3
#: Two numbers with a stroke between them are a fraction up to sixteenths.
_LARGEST_PART = 16


@dataclass(frozen=True, slots=True)
class Numeral:
    """One number as it was read."""

    value: float  # what it is
    after: int  # index of the token after it
    slack: float = 0.0  # half a unit of the last place written, where that shows rounding; else 0
    share: bool = False  # a bare fraction ("half", "two thirds"), which may mean a percentage
    words: bool = False  # it was written in words only
    comma: bool = False  # its comma may be a decimal one: only a unit can tell
    plain: bool = False  # four bare digits and no magnitude: may be a year


@dataclass(frozen=True, slots=True)
class _Digits:
    """One token of digits: its value, its number of decimals, and whether its comma may be a decimal one."""

    value: float
    decimals: int
    comma: bool = False


def _digits(token: str) -> _Digits | None:
    """What one token of digits says; None for what is no number."""
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
    return _Digits(float(bare), len(bare.partition(".")[2]), comma)


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
    """The fraction that one sign writes at a token ("½"), or None."""
    if index >= len(tokens) or tokens.raw[index].isascii():
        return None
    value = value_of(tokens.raw[index])
    return value if value is not None and 0 < value < 1 else None


def _raised(tokens: Tokens, index: int, value: float) -> Read[float] | None:
    """A number with the superscript or subscript glued behind it."""
    token, at = tokens.raw[index], index + 1
    sign = -1 if tokens.raw[at] == "⁻" and tokens.glued(at) else 1
    power = exponent(tokens.raw[at + (sign < 0)])
    if power is None:
        return None if is_raised_or_lowered(tokens.raw[at]) else Read(value, at)
    at += 1 + (sign < 0)
    if not token.isdecimal() or len(token) > _LONGEST_BASE or not (value or sign > 0):
        return Read(value, at)
    return Read(value ** (sign * power), at)


def _read_digits(tokens: Tokens, index: int) -> Numeral | None:
    raw = tokens.raw
    read = _digits(tokens.low[index])
    if read is None:
        return None
    value, decimals = read.value, read.decimals
    after = index + 1
    power = _POWER.match(tokens.source, tokens.ends[index])
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
    if tokens.word(after) == "/" and tokens.glued(index) and tokens.glued(after):
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
    if after < len(raw) and tokens.glued(index) and raw[after] in _SUFFIXES and tokens.word(after + 1) != "/":
        factor = _SUFFIXES[raw[after]]
        # "5m" and "5mm" are lengths far more often than millions: left to the units.
        if raw[after] not in {"m", "mm", "b", "T"}:
            return Numeral(value * factor, after + 1, slack=rounded(value, slack, factor))
    return _magnified(tokens, Numeral(value, after, slack=slack, comma=read.comma, plain=plain))


def _mixed(tokens: Tokens, after: int) -> Read[float] | None:
    """The fraction of a mixed number: "1 1/2", "2 and a half"."""
    above, below = tokens.word(after), tokens.word(after + 2)
    is_written = tokens.word(after + 1) == "/" and tokens.glued(after) and tokens.glued(after + 1)
    if is_written and above.isdecimal() and below.isdecimal():
        is_proper, is_common = 0 < int(above[:4]) < int(below[:4]), int(below[:4]) <= _LARGEST_PART
        if is_proper and is_common:
            return Read(int(above) / int(below), after + 3)
    part = part_behind(tokens, after)
    if part is not None:
        return part
    fraction = _fraction_at(tokens, after + 1) if tokens.word(after) == "and" else None
    return Read(fraction, after + 2) if fraction is not None else None


def part_behind(tokens: Tokens, after: int) -> Read[float] | None:
    """The fraction of "and a half", "and a quarter"."""
    if tokens.word(after) != "and" or tokens.word(after + 1) not in {"a", "one"}:
        return None
    part = {"half": 0.5, "quarter": 0.25, "third": 1 / 3}.get(tokens.word(after + 2))
    return Read(part, after + 3) if part is not None else None


def rounded(value: float, slack: float, factor: float) -> float:
    """Slack of a number with a magnitude: half of its last place, at most 5 % of it."""
    return min((slack or 0.5) * factor, 0.05 * value * factor)


def _magnified(tokens: Tokens, number: Numeral) -> Numeral:
    """A number multiplied by "million" and its like behind it, also after a hyphen."""
    value, after, slack = number.value, number.after, number.slack
    while True:
        step = 1 if tokens.word(after) == "-" and tokens.word(after + 1) in MAGNITUDES else 0
        factor = MAGNITUDES.get(tokens.word(after + step))
        if tokens.word(after) == "m" and tokens.word(after + 1) in _MILLION_OF:
            factor = 1e6
        if factor is None:
            is_same = after == number.after
            return number if is_same else replace(number, value=value, after=after, slack=slack, plain=False)
        is_rounded = factor >= 1e3 and not number.words
        slack = rounded(value, slack, factor) if is_rounded else slack * factor
        value *= factor
        after += step + 1
        after += (
            tokens.word(after - 1) in _SHORTENED and tokens.word(after) == "." and tokens.glued(after - 1)
        )


def _read_words(tokens: Tokens, index: int) -> Numeral | None:
    word = tokens.low[index]
    if word in {"a", "an"}:
        following = tokens.word(index + 1)
        if following in {"hundred", "thousand"}:
            value, after = _cardinal(tokens, index + 1, 1.0)
            return _magnified(tokens, Numeral(value, after, words=True))
        if following in MAGNITUDES:
            return _magnified(tokens, Numeral(1.0, index + 1, words=True))
        is_part = tokens.word(index + 2) == "of" or tokens.word(index - 1) == "by"
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
    denominator_at = after + (tokens.word(after) == "-")
    denominator = DENOMINATORS.get(tokens.word(denominator_at))
    if (
        denominator is not None
        and 0 < value < denominator
        and not (value == 1 and tokens.word(denominator_at)[-1] == "s")
    ):
        return Numeral(value / denominator, denominator_at + 1, share=True, words=True)
    mixed = _mixed(tokens, after)
    if mixed is not None:
        return _magnified(tokens, Numeral(value + mixed.what, mixed.after, words=True))
    return Numeral(value, after, words=True)


def _is_counting_one(tokens: Tokens, index: int) -> bool:
    following = tokens.word(index + 1)
    if following in MAGNITUDES or following in DENOMINATORS or following == "-":
        return True
    if tokens.word(index - 1) in _PRONOUN_BEFORE or following in _PRONOUN_NEXT:
        return False
    return following[:1].isalpha()


def _read_half(tokens: Tokens, index: int) -> Numeral | None:
    before, following = tokens.word(index - 1), tokens.word(index + 1)
    if before in ORDINALS or before in _BEFORE_HALF or "-" in {before, following}:
        return None
    if following in {"a", "an"} and tokens.word(index + 2) in MAGNITUDES:
        return _magnified(tokens, Numeral(0.5, index + 2, words=True))
    if following in {"a", "an"}:
        return Numeral(0.5, index + 2, words=True)
    return Numeral(0.5, index + 1, share=True, words=True)


def _cardinal(tokens: Tokens, index: int, current: float = 0.0) -> Read[float]:
    """A cardinal in words: "two hundred and fifty-three thousand"; ``current`` is what stands before it."""
    total = 0.0
    at = index
    while at < len(tokens):
        word = tokens.low[at]
        if word in TENS and current % 100 == 0:
            current += TENS[word]
        elif word in SMALL and _goes_behind(SMALL[word], current):
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


def _goes_behind(small: int, current: float) -> bool:
    """Whether a small number goes on with another one: "five" behind "hundred" and behind "twenty"."""
    tens = current % 100
    return tens == 0 or (tens >= 20 and tens % 10 == 0 and small < 10)


def _continues(tokens: Tokens, at: int, current: float) -> bool:
    """Whether "-" or "and" inside a cardinal goes on with it."""
    before, following = tokens.low[at - 1], tokens.word(at + 1)
    if tokens.low[at] == "and":
        return before in MAGNITUDES and before != "dozen" and (following in SMALL or following in TENS)
    if following in SMALL:
        return before in TENS and 0 < SMALL[following] < 10
    return following in MAGNITUDES and current > 0

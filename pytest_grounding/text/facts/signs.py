"""Numerals that are no decimal digits: "⑫", "Ⅳ", "½", and the exponents and note marks behind a number."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from pytest_grounding._patterns import lazy

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

"""Number words of other languages than English, as digits of the same length."""

from __future__ import annotations

import re
from functools import lru_cache

from pytest_grounding.lexicon import sections, table, words

#: No word and no sign to any reader.
FILLING = "_"
_FILE = "numberwords"
#: Languages that write the words of a number apart.
_APART = frozenset({"fr", "es", "pt"})


@lru_cache(maxsize=16)
def _pattern(language: str) -> re.Pattern[str] | None:
    """Runs of number words of a language; None where it has no table."""
    if language not in sections(_FILE):
        return None
    known = sorted({*table(_FILE, language)}, key=lambda word: (-len(word), word))
    glue = sorted(words(_FILE, f"{language} glue"))
    word = "|".join(known)
    blank = "[ -]?" if language in _APART else ""
    between = "|".join([blank, *(f"{blank}{one}{blank}" for one in glue)])
    return re.compile(rf"(?i)(?<![\w'’.-])(?:{word})(?:(?:{between})(?:{word})){{0,8}}(?![\w'’])")


def with_digits(text: str, language: str) -> str:
    """The text with the number words of a language in digits, filled to the same length."""
    pattern = _pattern(language)
    if pattern is None:
        return text
    return pattern.sub(lambda found: _digits(found, language), text)


def _digits(found: re.Match[str], language: str) -> str:
    run = found[0].lower()
    value = value_of(run, language)
    digits = str(value)
    if value is None or len(digits) > len(run):
        return found[0]
    is_word_too = run in words(_FILE, f"{language} words too")
    if is_word_too and _next_word(found) not in words(_FILE, f"{language} counted"):
        return found[0]
    # No blanks: two of them make a number the counter of a list.
    return digits.rjust(len(run), FILLING)


def _next_word(found: re.Match[str]) -> str:
    behind = re.compile(r" ([^\W\d_]+)").match(found.string, found.end())
    return behind[1].lower() if behind is not None else ""


@lru_cache(maxsize=4096)
def value_of(run: str, language: str) -> int | None:
    """What a run of number words in lower case means; None where it is no number."""
    known, glue = table(_FILE, language), words(_FILE, f"{language} glue")
    parts = _parts(re.sub(r"[ -]+", " ", run), known, glue)
    if parts is None:
        return None
    total, current, last = 0, 0, 0
    for number in parts:
        if number == _THOUSAND:
            total, current, last = total + (current or 1) * number, 0, 0
        elif number == _HUNDRED or (number == _SCORE and last == _FOUR and language == "fr"):
            current = (current or 1) * number
            last = 0
        elif current and not _adds(
            number, current, last, is_turned=language in _UNITS_FIRST, french=language == "fr"
        ):
            return None
        else:
            current, last = current + number, number
    return total + current


_HUNDRED, _THOUSAND, _SCORE, _FOUR = 100, 1000, 20, 4
#: "Fünfundvierzig"
_UNITS_FIRST = frozenset({"de", "nl"})


def _adds(number: int, current: int, last: int, *, is_turned: bool, french: bool) -> bool:
    """Whether a number goes on behind another: "treinta y cinco", "soixante et onze", not "tre sei"."""
    rest = current % _HUNDRED
    if rest == 0:
        return number < _HUNDRED or (current >= _HUNDRED and number % _HUNDRED == 0)
    if is_turned and 0 < last < 10:
        return number % 10 == 0 and 20 <= number < _HUNDRED
    if number >= 10:
        return french and rest in {60, 80} and number < 20
    return rest % 10 == 0


def _parts(run: str, known: dict[str, str], glue: frozenset[str]) -> list[int] | None:
    """The numbers that a run is made of, the longest word first; None where letters are left over."""
    numbers: list[int] = []
    at = 0
    while at < len(run):
        if run[at] == " ":
            at += 1
            continue
        for length in range(min(14, len(run) - at), 0, -1):
            word = run[at : at + length]
            if word in known:
                numbers.append(int(known[word]))
            elif not (numbers and word in glue):
                continue
            at += length
            break
        else:
            return None
    return numbers

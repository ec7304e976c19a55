"""Format text, numbers, shares and lists for messages, without terminal control characters."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Sized

from pytest_grounding._io.lazy_patterns import lazy

# Controls except tab and line feed, line separators, and all that changes the direction of
# writing or is invisible: an answer must not hide or reorder words in a log.
_INVISIBLE = lazy(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f"
    r"\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e007f]"
    # Joiners are part of Persian and Hindi words, and of emoji; next to a Latin letter they only hide.
    r"|(?<![^\x00-\x7f])[\u200c\u200d]|[\u200c\u200d](?![^\x00-\x7f])"
)
_SURROGATE = lazy(r"[\ud800-\udfff]")
# GitHub interprets ``::name::`` at the start of a line (after blanks), and ``##[name]`` anywhere;
# Azure ``##vso[``, TeamCity ``##teamcity[``. A line may be wrapped later, at any blank.
_COMMAND = lazy(r"(?<!\S)::|##(?=\[|vso\[|teamcity\[)")
LISTED = 5  # names in a message before the number of further ones
Z_95 = 1.959963984540054  # two-sided 95 % quantile of the standard normal distribution


def visible(text: str) -> str:
    """The text with control, bidi and zero-width characters made visible; line feeds and tabs stay."""
    if text.isascii() and text.isprintable():
        return text
    return _INVISIBLE.sub(escaped, _SURROGATE.sub("\ufffd", text))


def escaped(match: re.Match[str]) -> str:
    """A character as Python's escape."""
    code = ord(match[0])
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def terminal(text: str) -> str:
    """For a terminal or build log: without escape sequences and build server commands."""
    shown = visible(text)
    return _COMMAND.sub(_disarmed, shown) if "::" in shown or "##" in shown else shown


def _disarmed(match: re.Match[str]) -> str:
    return "\\x3a:" if match[0] == "::" else "#\\x23"


def one_line(text: str, longest: int = 0) -> str:
    """The visible text on one line; a longer one is truncated with dots."""
    shown = " ".join(visible(text).split())
    return f"{shown[: longest - 3].rstrip()}..." if 0 < longest < len(shown) else shown


def measured(value: float | None) -> float | None:
    """The value, or None if it is not a number: foreign JSON may contain a NaN."""
    return value if value is not None and math.isfinite(value) else None


def decimals(value: float | None) -> str:
    """A share with two digits, or "none"."""
    known = measured(value)
    return "none" if known is None else f"{known:.2f}"


def share_or_none(count: float, total: float) -> float | None:
    """A share; None of nothing."""
    return count / total if total else None


def wilson(successes: int, trials: int) -> tuple[float, float] | None:
    """Wilson score interval of a share (Wilson 1927, JASA 22:209-212)."""
    if not 0 <= successes <= trials:
        raise ValueError(f"{successes} of {trials} is not a share")
    if trials == 0:
        return None
    share, z = successes / trials, Z_95
    spread = z * z / trials
    middle = (share + spread / 2) / (1 + spread)
    half = z / (1 + spread) * math.sqrt(share * (1 - share) / trials + spread / (4 * trials))
    low = 0.0 if successes == 0 else max(0.0, middle - half)
    high = 1.0 if successes == trials else min(1.0, middle + half)
    return low, high


def signed(value: float | None) -> str:
    """A difference with its sign and two digits, or "none"."""
    known = measured(value)
    return "none" if known is None else f"{known:+.2f}"


def a_kind(value: object) -> str:
    """The type of a value with its article: ``a str``, ``an int``."""
    name = type(value).__name__
    return f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}"


def counted(number: int, noun: str) -> str:
    """A number with its noun: ``1 claim``, ``2 claims``."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def with_verb(number: int, noun: str, one: str, several: str) -> str:
    """A number with its noun and the verb's form for it: ``1 claim is``, ``2 claims are``."""
    return f"{counted(number, noun)} {one if number == 1 else several}"


def if_known(form: str, value: object) -> str:
    """A part of a sentence with its value; "" without one, which is None or an empty text."""
    return "" if value is None or value == "" else form.format(value)


def beyond(items: Sized, most: int, noun: str = "") -> str:
    """How many items are not shown: ``... and 3 more claims``, or "" if all are."""
    rest = len(items) - most
    return f"... and {rest} more{if_known(' {}', noun)}" if rest > 0 else ""


def listed(names: Iterable[str], most: int = LISTED) -> str:
    """The first names, and the number of further ones: ``a, b and 3 more``."""
    names = list(names)
    rest = len(names) - most
    return ", ".join(names[:most]) + (f" and {rest} more" if rest > 0 else "")


def counted_list(noun: str, names: Collection[str], words: str = "", most: int = LISTED) -> str:
    """How many, and the first: ``2 transcripts vanished: a, b``; "" without any."""
    return f"{counted(len(names), noun)}{if_known(' {}', words)}: {listed(names, most)}" if names else ""

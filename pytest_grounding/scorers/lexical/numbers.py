"""Numbers of a claim that need no source of their own: labels, counts of what follows, converted units."""

from __future__ import annotations

from collections.abc import Sequence

from pytest_grounding._patterns import lazy
from pytest_grounding.scorers.lexical.tokens import Token
from pytest_grounding.text.facts import Fact

#: "step 4", "Option 1", "No. 2": it says which, not how many.
_LABELS = frozenset("step steps option options part parts tip tips note answer no number item point".split())
#: "two types", "three reasons": it counts what the answer tells anyway.
_COUNTED = frozenset(
    "types kinds sorts ways reasons individuals topics entities subjects pieces categories groups things "
    "options methods factors works people persons figures passages sources sections branches parts "
    "possibilities meanings definitions approaches aspects examples concepts terms forms".split()
)
_COUNTS = frozenset({"two", "three"})
_DETERMINERS = frozenset({"the", "these", "those"})
#: Words that stand behind "the two" where no noun does.
_NO_NOUN = frozenset("is are was were can may do have differ of in by as and or lies lie".split())
#: "a few thousand dollars": an order of magnitude.
_VAGUE = frozenset({"few", "several", "many", "some"})
_MAGNITUDES = frozenset("dozen hundred thousand million billion".split())
#: Words that state a value and are no numbers by themselves: "third" is "3rd", "half an hour" "30 minutes".
VALUE_WORDS = frozenset(
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth "
    "fifteenth sixteenth seventeenth eighteenth nineteenth twentieth half dozen noon midnight twenties "
    "thirties forties fifties sixties seventies eighties nineties".split()
)
_REACH = 3
_LONGEST_LIST = 12
#: Converted values are rounded: they may differ by this share, or by so many degrees.
_ROUNDED = 0.03
_DEGREES = 2.0
_UNIT = lazy(r"[^\W\d_]+")
_JOINS = frozenset({"", " ", ". ", " #", "#", ", ", " and ", ", and ", " or ", " & ", "-", "–"})


def is_bare_number(text: str, tokens: Sequence[Token], number: int) -> bool:
    """Whether a number says nothing that a source could hold: a label, a count of what the claim lists.

    Args:
        text: the claim.
        tokens: its words.
        number: which of them.
    """
    token = tokens[number]
    before = tokens[number - 1].norm if number else ""
    after = [other.norm for other in tokens[number + 1 : number + 1 + _REACH]]
    if token.text[0].isdigit():
        # "24/7" says "24 hours a day", and no source counts the days.
        around_the_clock = token.text == "7" and text[max(0, token.start - 3) : token.start] == "24/"
        return around_the_clock or _is_label(text, tokens, number)
    if token.norm in _MAGNITUDES or token.text.lower() in _MAGNITUDES:
        return before in _VAGUE
    if token.text.lower() not in _COUNTS:
        return False
    if before in _DETERMINERS and (not after or after[0] in _NO_NOUN):
        return True
    return not _COUNTED.isdisjoint(after)


def _is_label(text: str, tokens: Sequence[Token], number: int) -> bool:
    """Whether a label stands before a number, other numbers of a list between them."""
    for place in range(number, max(0, number - _LONGEST_LIST), -1):
        left, token = tokens[place - 1], tokens[place]
        if left.norm in _LABELS and text[left.end : token.start] in _JOINS:
            return len(tokens[number].text) <= 2
        if not (left.text[0].isdigit() or left.norm in ("and", "or")):
            return False
    return False


def is_conversion(fact: Fact, other: Fact) -> bool:
    """Whether two quantities are one, written in two units: "350 °F (175 °C)", "26 miles, 42 km"."""
    if fact.kind != "quantity" or other.kind != "quantity" or not fact.unit or fact.unit != other.unit:
        return False
    if fact.value is None or other.value is None or _unit_of(fact) == _unit_of(other):
        return False
    gap = abs(fact.value - other.value)
    if fact.unit == "degC":
        return gap <= _DEGREES
    return gap <= _ROUNDED * max(abs(fact.value), abs(other.value))


def _unit_of(fact: Fact) -> str:
    words = _UNIT.findall(fact.text.lower())
    return words[-1][:1] if words else ""

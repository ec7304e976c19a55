"""Values of a claim that follow from its own counts and a value of the sources: "six nights at 16 euros"."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, pairwise

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding.evidence.arithmetic import (
    DIFFERENCES,
    MOST_PARTS,
    Result,
    amounts_in,
    are_equal,
    in_unit_of,
    is_amount,
    is_nearest,
    nouns_behind,
    number_of,
    place_of_result,
)
from pytest_grounding.evidence.combined_results import combined_result
from pytest_grounding.evidence.list_arithmetic import place_in_lists
from pytest_grounding.evidence.named_differences import named_difference
from pytest_grounding.evidence.sentence_view import View, numbers_in
from pytest_grounding.evidence.told_results import told_result
from pytest_grounding.lexicon import words
from pytest_grounding.reading.facts import Fact
from pytest_grounding.reading.facts.measures import MONTH_SECONDS
from pytest_grounding.reading.facts.numerals import SMALL

_TAKEN_OFF, _ADDED = words("matching", "taken off"), words("matching", "added on")
_OF = "of"
_SUM = lazy(r"(?<![\d.,])((?:[\d.,]{1,15} ?[-+*/×x·÷−–] ?){1,9}[\d.,]{1,15}) ?(?:[^\W\d_]{1,20} ?)?= ?")
#: A sum in words, right before its result: "three times 19 euros is".
_SAID_SUM = lazy(
    r"([\d.,]{1,15}|\b[^\W\d_]{2,9})(?: [^\W\d_]{1,12})? (plus|minus|times) "
    r"[^\w\s]?([\d.,]{1,15})(?: [^\W\d_]{1,12})? (?:are|equals|gives|is|makes?) [^\w\s]?$"
)
_SIGNS, _SAID_WITHIN = {"plus": "+", "minus": "-", "times": "*"}, 80
_TERM = lazy(r" ?([-+−–]?) ?([\d.,]{1,15}(?: ?[*/×x·÷] ?[\d.,]{1,15}){0,9})")
_FACTOR = lazy(r"([*/×x·÷]?) ?([\d.,]{1,15})")
_NUMBER = lazy(r"[\d.,]{1,15}")
_MOST_SHARES = 20  # percentages of the sources that are tried
_MOST_SUMMANDS = 8  # values of a claim that are added to each other
#: Numbers up to this one may count what the claim or the question names.
_SMALL_COUNT = 12


def place_of_derived(fact: Fact, claim: View, sources: Sequence[View]) -> Result | None:
    """The values from which a value of the claim follows; None where it follows from none."""
    if _is_wrong_sum(fact, claim.text):
        return None
    named = named_difference(fact, claim, sources)
    if named is not None:
        return named.result if are_equal(named.amount, number_of(fact)) else None
    found = place_of_result(fact, claim, sources) or told_result(fact, claim, sources)
    if found is not None or not is_amount(fact) or fact.bound or len(claim.facts) > MOST_PARTS:
        return found
    return (
        _multiple(fact, claim, sources)
        or _rate(fact, claim, sources)
        or _left_over(fact, claim, sources)
        or _with_share(fact, sources)
        or _part_of(fact, claim, sources)
        or _share_of_whole(fact, sources)
        or _written_sum(fact, claim, sources)
        or place_in_lists(fact, claim, sources)
        or _sum_of_parts(fact, claim, sources)
        or combined_result(fact, claim, sources)
    )


def _count_of(fact: Fact) -> float:
    """The number of a value as it is written: 3 for "three months"; 0 without one."""
    number = numbers_in(fact.text)[0]
    if number.replace(".", "", 1).isdecimal():
        return float(number)
    return float(SMALL.get(number, 0))


def _multiple(fact: Fact, claim: View, sources: Sequence[View]) -> Result | None:
    """A count of the claim times the value that stands nearest to what is counted."""
    for counted, at in zip(claim.facts, claim.fact_at, strict=True):
        count = _count_of(counted)
        if counted is fact or count <= 1 or (counted.unit and counted.unit == fact.unit):
            continue
        nouns = nouns_behind(claim, at)
        for chunk, place, other in amounts_in(sources):
            view = sources[chunk]
            part = in_unit_of(fact, other) if fact.unit else number_of(other)
            if part is None or not are_equal(part * count, fact.value):
                continue
            if any(is_nearest(place, noun, view) for noun in nouns):
                return Result(chunk, place, (counted.text, other.text))
    return None


def _rate(fact: Fact, claim: View, sources: Sequence[View]) -> Result | None:
    """A whole of the sources by a time of theirs: 180 euros for 12 weeks are 15 euros a week."""
    base, _, time = fact.unit.rpartition("/")
    if time != "s" or not base:
        return None
    wholes = [other for other in _own_amounts(fact, claim) if other.unit == base]
    times = [other for other in _own_amounts(fact, claim) if other.unit in ("s", "mo")]
    for chunk, place, other in amounts_in(sources):
        for whole in wholes:
            for long in times:
                seconds = number_of(long) * (MONTH_SECONDS if long.unit == "mo" else 1.0)
                is_there = other.unit == whole.unit and are_equal(number_of(other), whole.value)
                if is_there and are_equal(number_of(whole) / seconds, fact.value):
                    return Result(chunk, place, (whole.text, long.text))
    return None


def _own_amounts(fact: Fact, claim: View) -> list[Fact]:
    return [other for other in claim.facts if other is not fact and is_amount(other)]


def _left_over(fact: Fact, claim: View, sources: Sequence[View]) -> Result | None:
    """What one saves or lacks: a value of the claim less one of the sources."""
    if DIFFERENCES.search(claim.text.lower()) is None:
        return None
    for mine in _own_amounts(fact, claim):
        for chunk, place, other in amounts_in(sources):
            is_of_unit = fact.unit == mine.unit == other.unit
            if is_of_unit and are_equal(abs(number_of(mine) - number_of(other)), fact.value):
                return Result(chunk, place, (mine.text, other.text))
    return None


def _with_share(fact: Fact, sources: Sequence[View]) -> Result | None:
    """A value with a percentage taken off or added, where the sources say so."""
    if not fact.unit or fact.unit == "%":
        return None
    factors = _signed_shares(sources)
    if not factors:
        return None
    for there, at, whole in amounts_in(sources):
        part = in_unit_of(fact, whole)
        for factor, written in factors.items():
            if part is not None and are_equal(part * factor, fact.value):
                return Result(there, at, (whole.text, written))
    return None


def _signed_shares(sources: Sequence[View]) -> dict[float, str]:
    """What the percentages of the sources that are taken off or added make of a whole, each as written."""
    found: dict[float, str] = {}
    for view in sources:
        signs: dict[int, set[float]] = {}
        for norm, sentence in zip(view.norms, view.sentence_of, strict=True):
            if norm in _TAKEN_OFF:
                signs.setdefault(sentence, set()).add(-1.0)
            elif norm in _ADDED:
                signs.setdefault(sentence, set()).add(1.0)
        for share, at in zip(view.facts, view.fact_at, strict=True):
            if share.unit == "%" and is_amount(share) and len(found) < _MOST_SHARES:
                for sign in sorted(signs.get(view.sentence_of[at], ())):
                    found.setdefault(1 + sign * number_of(share) / 100, share.text)
    return found


def _part_of(fact: Fact, claim: View, sources: Sequence[View]) -> Result | None:
    """A share of a whole of the claim, as a number beside that whole: half of 60 for 30 of 60."""
    if fact.unit != "%":
        return None
    amounts = list(amounts_in(sources))
    for whole in _own_amounts(fact, claim):
        if whole.start < fact.end or "of" not in claim.text[fact.end : whole.start].split():
            continue
        part = number_of(fact) / 100 * number_of(whole)
        beside = {
            (chunk, sources[chunk].sentence_of[at])
            for chunk, at, known in amounts
            if are_equal(number_of(known), number_of(whole))
        }
        for chunk, at, other in amounts:
            is_beside = (chunk, sources[chunk].sentence_of[at]) in beside
            if is_beside and other.unit != "%" and are_equal(number_of(other), part):
                return Result(chunk, at, (other.text, whole.text))
    return None


def _share_of_whole(fact: Fact, sources: Sequence[View]) -> Result | None:
    """What a share of a whole comes to, where a source states both: "a third of the 9,000 seats"."""
    if fact.unit == "%":
        return None
    for chunk, view in enumerate(sources):
        for (share, whole), at in zip(pairwise(view.facts), view.fact_at[1:], strict=True):
            is_share = share.unit == "%" and is_amount(share) and is_amount(whole) and whole.unit == fact.unit
            if not is_share or _OF not in view.text[share.end : whole.start].split()[:1]:
                continue
            if are_equal(number_of(share) / 100 * number_of(whole), fact.value):
                return Result(chunk, at, (share.text, whole.text))
    return None


def _sum_of_parts(fact: Fact, claim: View, sources: Sequence[View]) -> Result | None:
    """The sum of two values of the claim that both follow: "€6.40 for the time and €12 for the distance"."""
    own = [other for other in _own_amounts(fact, claim) if other.unit == fact.unit]
    for first, second in combinations(own[:_MOST_SUMMANDS], 2):
        if not fact.unit or not are_equal(number_of(first) + number_of(second), fact.value):
            continue
        places = [_place_of_part(part, claim, sources) for part in (first, second)]
        if places[0] is not None and places[1] is not None:
            return places[0]._replace(operands=(*places[0].operands, *places[1].operands))
    return None


def _place_of_part(part: Fact, claim: View, sources: Sequence[View]) -> Result | None:
    """Where a value is stated, or follows by one step."""
    stated = (
        Result(chunk, at, (part.text,))
        for chunk, at, other in amounts_in(sources)
        if other.unit == part.unit and are_equal(number_of(other), part.value)
    )
    return next(stated, None) or place_of_result(part, claim, sources) or _multiple(part, claim, sources)


def _written_sum(fact: Fact, claim: View, sources: Sequence[View]) -> Result | None:
    """A sum that the claim writes out before the value, of values that the sources have."""
    written = _sum_before(fact, claim.text)
    if not written:
        return None
    numbers = [_as_number(one) for one in _NUMBER.findall(written)]
    known = {_count_of(other) for _, _, other in amounts_in(sources)}
    others = [number for number in numbers if number not in known]
    if len(others) == len(numbers) or any(number > _SMALL_COUNT or number % 1 for number in others):
        return None
    if not are_equal(_reckoned(written), _count_of(fact)):
        return None
    chunk, place, _ = next(item for item in amounts_in(sources) if _count_of(item[2]) in numbers)
    return Result(chunk, place, (written,))


def _is_wrong_sum(fact: Fact, text: str) -> bool:
    """Whether a claim writes out another sum than the one whose result it gives."""
    written = _sum_before(fact, text)
    return bool(written) and not are_equal(_reckoned(written), _count_of(fact))


def _sum_before(fact: Fact, text: str) -> str:
    """The sum that stands before "=" and a value; "" without one."""
    if "=" in text[: fact.start]:
        return next((match[1] for match in _SUM.finditer(text) if match.end() == fact.start), "")
    said = _SAID_SUM.search(text[max(0, fact.start - _SAID_WITHIN) : fact.start])
    if said is None:
        return ""
    first, second = (str(SMALL.get(number.lower(), number)) for number in (said[1], said[3]))
    return f"{first}{_SIGNS[said[2]]}{second}"


def _as_number(text: str) -> float:
    plain = text.strip(".,").replace(",", "")
    return float(plain) if plain.replace(".", "", 1).isdecimal() else float("nan")


def _reckoned(text: str) -> float:
    """The result of a written sum: products before sums."""
    total = 0.0
    for sign, product in _TERM.findall(text):
        value = 1.0
        for operation, number in _FACTOR.findall(product):
            factor = _as_number(number)
            if operation in ("/", "÷") and not factor:
                return float("nan")
            value = value / factor if operation in ("/", "÷") else value * factor
        total += -value if sign in ("-", "−", "–") else value
    return total

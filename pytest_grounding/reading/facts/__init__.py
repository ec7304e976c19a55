"""Numbers, dates, times, units, names and negations of a text, normalised for comparison.

Mainly for English text; digits, currencies, ISO dates and abbreviated units are read in any language.
It takes one pass over the text, in linear time.
"""

from __future__ import annotations

from pytest_grounding.lexicon import ordered
from pytest_grounding.lexicon import words as listed
from pytest_grounding.reading import read_once
from pytest_grounding.reading.facts import dates
from pytest_grounding.reading.facts import measures as units
from pytest_grounding.reading.facts.fact import (
    ALWAYS,
    Fact,
    FactKind,
    bridge,
    comparable,
    compatible,
    meet_in_thousands,
    rounds,
    same,
)
from pytest_grounding.reading.facts.measures import Measure, around_the_clock, period_of_count, read_measure
from pytest_grounding.reading.facts.numerals import (
    DENOMINATORS,
    MAGNITUDES,
    ORDINALS,
    SMALL,
    TENS,
    Read,
    Tokens,
    cut,
    value_of,
)

_LINKS = listed("names", "links") | {"&"}
_SENTENCE_END = frozenset('.!?:;\n•*"“‘#|>')
NOT_NAMES = listed("names", "not_names")
_ROMAN_AFTER = listed("names", "roman_after")
_ROMAN = {numeral: number for number, numeral in enumerate(ordered("names", "roman"), start=1)}
NEGATIONS = listed("names", "negations")
_NOT_DENIED = listed("names", "not_denied")
_NONE_DENIED = listed("names", "none_denied")
_ANSWERED = frozenset(".:,;!?–—")  # signs after a "no" that is an answer, or short for "number"
_LONGEST_NAME = 12
__all__ = ["Fact", "FactKind", "bridge", "comparable", "compatible", "extract_facts"]
__all__ += ["meet_in_thousands", "rounds", "same"]
_SUFFIX = frozenset({"st", "nd", "rd", "th"})
_AFTER_ARTICLE = frozenset(MAGNITUDES) | frozenset(DENOMINATORS)
_AFTER_AS_SOON_AS = listed("matching", "behind as soon as")
_TIMES = {"once": 1.0, "twice": 2.0, "thrice": 3.0}
_LISTED = 40  # words before "first" that are searched, as in "first in the file, and second in the cache"
_PLACING = listed("facts", "placing")
_BEHIND_PLACES = listed("facts", "behind places")
_start_nothing: set[str] = set()  # words and signs that start no fact, collected as they are met
_MOST_MET = 65536
_DATE_WORDS = frozenset({"ad", "a.d.", "fy"} | {f"{day}s" for day in dates.WEEKDAYS} | set(dates.DECADES))
_ABOUT_WHEN = listed("facts", "about_when") | {"~"}
_ONLY_ALWAYS = frozenset({"around", "round", "all"})
_ALWAYS = _ONLY_ALWAYS | {"24", "twenty"}
_STARTS = _DATE_WORDS.union(_ALWAYS, SMALL, TENS, _TIMES, dates.MONTHS, dates.WEEKDAYS, ORDINALS, NEGATIONS)
_STARTS |= listed("facts", "starts")
#: Signs that start no fact.
_SIGNS = frozenset(".,;:!?()[]{}<>/\\|-–—_'\"“”‘’*&#@%+=~^`\n")


def roman(tokens: Tokens, index: int) -> int | None:
    """The value of a Roman numeral, if the word before it makes it certain ("World War II")."""
    raw = tokens.raw[index]
    number = _ROMAN.get(tokens.low[index])
    if number is None or not raw.isupper():
        return None
    if tokens.low[index - 1] in _ROMAN_AFTER:
        return number
    return number if len(raw) > 1 and index > 0 and tokens.raw[index - 1][0].isupper() else None


def is_initial(tokens: Tokens, index: int) -> bool:
    """Whether a token starts a sentence, a line or a quotation, where every word has a capital."""
    return index == 0 or tokens.raw[index - 1] in _SENTENCE_END


def _is_capitalised(tokens: Tokens, index: int) -> bool:
    raw = tokens.raw[index]
    return raw[0].isupper() and raw[0].isalpha()


def _is_acronym(tokens: Tokens, index: int) -> bool:
    """Whether a function word in capitals is an acronym ("WHO", "IT"), in a text that is not all capitals."""
    raw = tokens.raw[index]
    if len(raw) < 2 or not raw.isupper():
        return False
    around = tokens.raw[max(0, index - 2) : index] + tokens.raw[index + 1 : index + 3]
    return not any(word.isupper() and len(word) > 3 for word in around)


def read_name(tokens: Tokens, index: int) -> int | None:
    """The token after the name that starts at a token, or None."""
    if not _is_capitalised(tokens, index):
        return None
    low = tokens.low[index]
    if low in NOT_NAMES and not _is_acronym(tokens, index):
        return None
    if len(low) == 1 and tokens.low[index + 1] != ".":
        return None
    after = index + 1
    while after < len(tokens) and after - index < _LONGEST_NAME:
        at = after
        if tokens.raw[at] == "." and len(tokens.raw[at - 1]) == 1 and tokens.glued(at - 1):
            at += 1
        while at < len(tokens) and tokens.low[at] in _LINKS and at - after < 3:
            if tokens.low[at] == "the" and tokens.low[at - 1] != "of":
                break
            at += 1
        if at >= len(tokens) or not _is_capitalised(tokens, at) or tokens.low[at] in NOT_NAMES:
            break
        if tokens.source.count("\n", tokens.ends[after - 1], tokens.starts[at]):
            break
        after = at + 1
    if tokens.raw[index:after][-1] == "." and len(tokens.raw[after - 2]) > 1:
        after -= 1
    return after


def name_key(tokens: Tokens, index: int, after: int) -> str:
    """A name, folded: lower case, no dots, no "the", no possessive, Roman numerals as digits."""
    words = []
    for at in range(index, after):
        low = tokens.low[at]
        if low in _LINKS or not low[0].isalnum():
            continue
        number = roman(tokens, at) if at > index else None
        if number is None and at > index and low in SMALL:
            number = SMALL[low]
        if number is not None:
            words.append(str(number))
            continue
        low = low.replace(".", "")
        words.append(low.removesuffix("'s").removesuffix("'"))
    return " ".join(words)


def read_negation(tokens: Tokens, index: int) -> Read[str] | None:
    """The word that a negation stands for, or None."""
    word = tokens.low[index]
    if word.endswith("n't"):
        return Read("not", index + 1)
    if word not in NEGATIONS:
        return None
    following = tokens.low[index + 1]
    if word in {"not", "cannot"} and following in _NOT_DENIED:
        return None
    if word == "no" and (following in _NONE_DENIED or following in _ANSWERED):
        return None
    if word == "no" and following == "-" and not tokens.glued(index):
        return None
    if word == "no" and following == "longer":
        return Read("no longer", index + 2)
    if word.startswith("fail"):
        return Read("not", index + 2) if following == "to" else None
    return Read("no longer" if word == "not" and following == "anymore" else "not", index + 1)


@read_once
def extract_facts(text: str) -> tuple[Fact, ...]:
    """All facts of a text, in order of their start, without overlaps."""
    tokens = cut(text)
    facts: list[Fact] = []
    after = 0
    # Most words are in lower case and start no fact: skipped without a call, as are most signs.
    for index in [
        index for index, word in enumerate(tokens.raw) if word not in _start_nothing and _may_start(word)
    ]:
        if index < after:
            continue
        read = _read(tokens, index)
        if read is not None:
            facts.append(read.what)
            after = read.after
    turned = {start for fact in facts for start in fact.turned}
    if turned:
        # "Not below 5" is a limit, not a denial.
        facts = [fact for fact in facts if fact.kind != "negation" or fact.start not in turned]
    return tuple(facts)


def _may_start(word: str) -> bool:
    is_plain = (word.islower() and word.isalpha()) or word in _SIGNS
    if word in _STARTS or not is_plain:
        return True
    if len(_start_nothing) >= _MOST_MET:
        _start_nothing.clear()
    _start_nothing.add(word)
    return False


def _read(tokens: Tokens, index: int) -> Read[Fact] | None:
    raw, low = tokens.raw[index], tokens.low[index]
    if low not in _STARTS and raw[0].isupper() and raw[0].isalpha() and not low.endswith("n't"):
        return _capital(tokens, index)
    if low in {"a", "an"} and tokens.low[index + 1] not in _AFTER_ARTICLE:
        return _measure(tokens, index) if tokens.low[index + 2] == "and" else None  # "An hour and a quarter"
    if low in _ALWAYS:
        always = around_the_clock(tokens, index)
        if always is not None:
            return _read_up_to(tokens, index, always, "time", value=0.0, high=1440.0, key=ALWAYS)
        if raw in _ONLY_ALWAYS:
            return None
    if raw[0].isdecimal():
        return _read_digits(tokens, index)
    if raw in units.CURRENCY_SIGNS:
        return _measure(tokens, index)
    if not raw.isascii() and value_of(raw) is not None:
        return None if _is_marker(tokens, index) else _measure(tokens, index)
    if not raw[0].isalpha():
        return None
    if low in TENS and tokens.low[index + 1] == "-" and 0 < ORDINALS.get(tokens.low[index + 2], 0) < 10:
        return _ordinal(tokens, index, TENS[low] + ORDINALS[tokens.low[index + 2]], index + 3)
    if low in SMALL or low in TENS or low in {"half", "a", "an", "rs"}:
        found = _time(tokens, index) if low != "rs" else None
        return found or _measure(tokens, index) or _name(tokens, index)
    if low in _TIMES:
        return _counted_times(tokens, index)
    if low in dates.MONTHS or low in dates.WEEKDAYS or low in ORDINALS or low in _DATE_WORDS:
        date = dates.read_month_first(tokens, index) or dates.read_word_date(tokens, index)
        if date is not None:
            return _date(tokens, index, date)
        if low in ORDINALS and low != "second":
            return _ordinal(tokens, index, ORDINALS[low], index + 1)
        if low == "second" and (
            tokens.low[index - 1] in {"the", "a", "its", "his", "her", "their"} or _is_a_place(tokens, index)
        ):
            return _ordinal(tokens, index, 2, index + 1)
    if low in {"noon", "midday", "midnight", "quarter"}:
        return _time(tokens, index)
    negation = read_negation(tokens, index)
    if negation is not None:
        return _read_up_to(tokens, index, negation.after, "negation", key=negation.what)
    if raw[0].isupper():
        return _capital(tokens, index)
    return None


def _read_up_to(tokens: Tokens, index: int, after: int, kind: FactKind, **values: object) -> Read[Fact]:
    start, end = tokens.starts[index], tokens.ends[after - 1]
    values = {"lead": start, "tail": end, **values}
    return Read(Fact(kind, start, end, tokens.source[start:end], **values), after)  # type: ignore[arg-type]


def _read_digits(tokens: Tokens, index: int) -> Read[Fact] | None:
    if index and tokens.glued(index - 1) and _is_spaced_letter(tokens.raw[index - 1][-1]):
        return None  # "H5N1", "B12", "A4": part of a name
    clock = _time(tokens, index)
    if clock is not None:
        return clock
    date = dates.read_digits_first(tokens, index)
    if date is not None:
        measure = _measure(tokens, index) if date.after == index + 1 else None
        if measure is not None and measure.what.unit and not _ends_with_letter(measure.what.text):
            return measure
        return _date(tokens, index, date)
    if (
        index > 1
        and tokens.raw[index - 1] == "-"
        and tokens.glued(index - 1)
        and tokens.glued(index - 2)
        and tokens.raw[index - 2].isalpha()
    ):
        return None  # "COVID-19", "F-16": part of a name too
    raw = tokens.raw[index]
    if tokens.glued(index) and tokens.low[index + 1] in _SUFFIX and raw.isdecimal() and len(raw) < 7:
        return _ordinal(tokens, index, int(raw), index + 2)
    return _measure(tokens, index)


def _ends_with_letter(text: str) -> bool:
    """Whether a capital after a blank is not a unit, because a year precedes it: "in 1985 C was new"."""
    return text[-2:-1] == " " and text[-1].isupper()


def _is_marker(tokens: Tokens, index: int) -> bool:
    """Whether a circled digit or similar opens a line or a sentence: it numbers an item."""
    raw = tokens.raw[index]
    return is_initial(tokens, index) and raw.upper() == raw.lower() and (value_of(raw) or 0.0) >= 1


def _is_spaced_letter(char: str) -> bool:
    """A letter of a script with blanks between words; Chinese writes "运费为45元"."""
    return char.isalpha() and (char < "\u0e00" or "\u0eff" < char < "\u2e80")


def _measure(tokens: Tokens, index: int) -> Read[Fact] | None:
    measure = read_measure(tokens, index)
    if measure is None:
        return None
    limit = measure.limit
    first, after = min(index, measure.start), max(measure.after, measure.behind)
    return _read_up_to(
        tokens,
        first,
        measure.after,
        measure.kind,
        value=measure.value,
        high=measure.high,
        unit=measure.unit,
        key=_measure_key(measure),
        approximate=measure.approximate,
        bound=measure.bound,
        strict=measure.strict,
        slack=measure.slack,
        per=measure.per,
        lead=tokens.starts[min(limit.first, first) if limit is not None else first],
        tail=tokens.ends[max(limit.after if limit is not None else 0, after) - 1],
        turned=tuple(tokens.starts[at] for at in limit.denials) if limit is not None else (),
    )


def _measure_key(measure: Measure) -> str:
    value = f"{measure.value:.9g}"
    if measure.high != measure.value:
        value += f"..{measure.high:.9g}"
    hedge = ("~" if measure.approximate else "") + {"": "", "min": ">=", "max": "<="}[measure.bound]
    period = f" per {measure.per:.9g} s" if measure.per else ""
    return f"{hedge}{value} {measure.unit}".rstrip() + period


def _date(tokens: Tokens, index: int, date: dates.DateRead) -> Read[Fact]:
    before, earlier = tokens.low[index - 1], tokens.low[index - 2]
    approximate = before in _ABOUT_WHEN or (before == "-" and earlier == "mid")
    return _read_up_to(
        tokens,
        index,
        date.after,
        "date",
        value=date.low,
        high=date.high,
        key=("~" if approximate else "") + date.key,
        approximate=approximate,
        bound="min" if date.low is not None and before == "over" else "",
        date=date.parts,
        ambiguous=date.ambiguous,
    )


def _time(tokens: Tokens, index: int) -> Read[Fact] | None:
    read = dates.read_time(tokens, index)
    if read is None:
        return None
    said = {"value": read.low, "high": read.high, "key": read.key, "ambiguous": read.ambiguous}
    return _read_up_to(tokens, index, read.after, "time", **said)


def _ordinal(tokens: Tokens, index: int, value: int, after: int) -> Read[Fact]:
    number = float(value)
    return _read_up_to(tokens, index, after, "ordinal", value=number, high=number, key=f"#{value}")


def _is_a_place(tokens: Tokens, index: int) -> bool:
    """Whether an ordinal is a rank: "finished second", "in last place"."""
    before, following = tokens.low[index - 1], tokens.low[index + 1]
    if following == "place":
        return before in {"in", "the", "took", "takes"}
    if following.isalpha() and following not in _BEHIND_PLACES:
        return False
    # "First in the file, second in the cache"
    is_listed = not before.isalpha() or before == "and"
    return before in _PLACING or (is_listed and "first" in tokens.low[max(0, index - _LISTED) : index])


def _counted_times(tokens: Tokens, index: int) -> Read[Fact] | None:
    low = tokens.low[index]
    if low == "once" and not _counts_once(tokens, index):
        return None
    value = _TIMES[low]
    per, behind = period_of_count(tokens, index + 1) or (0.0, index + 1)
    return _read_up_to(
        tokens,
        index,
        index + 1,
        "quantity",
        value=value,
        high=value,
        unit="times",
        key=f"{value:.9g} times" + (f" per {per:.9g} s" if per else ""),
        per=per,
        tail=tokens.ends[behind - 1],
    )


def _counts_once(tokens: Tokens, index: int) -> bool:
    """Whether "once" means one time ("only once", "once a day", "renewed once."), and not "as soon as"."""
    before, following = tokens.low[index - 1], tokens.low[index + 1]
    if following in {"a", "an"}:
        # "Once a day", but "once a doctor has been asked".
        return period_of_count(tokens, index + 1) is not None
    if following in {"per", "every", "each", "daily", "weekly"}:
        return True
    if before in {"only", "just"}:
        return following not in _AFTER_AS_SOON_AS
    ends = following in {"", ".", ";", ",", "!", "?"}
    return ends and before.isalpha() and before not in {"at", "than", "all", "was", "were"}


def _name(tokens: Tokens, index: int) -> Read[Fact] | None:
    after = read_name(tokens, index)
    if after is None:
        return None
    key = name_key(tokens, index, after)
    if not key:
        return None
    initial = is_initial(tokens, index) and after == index + 1
    return _read_up_to(tokens, index, after, "name", key=key, initial=initial)


def _capital(tokens: Tokens, index: int) -> Read[Fact] | None:
    """A name, an amount that starts with a currency code ("USD 5"), or a Roman numeral ("Chapter IV")."""
    low = tokens.low[index]
    quarter = dates.read_quarter(tokens, index) if low == "q" else None
    if quarter is not None:
        return _date(tokens, index, quarter)
    if low in units.CURRENCY_CODES and tokens.low[index + 1][:1].isdecimal():
        return _measure(tokens, index)
    if low in units.DOLLAR_PREFIXES and tokens.low[index + 1] == "$" and tokens.glued(index):
        found = _measure(tokens, index + 1)
        if found is not None:
            fact, start = found.what, tokens.starts[index]
            text = tokens.source[start : fact.end]
            return Read(fact._replace(start=start, text=text, lead=min(start, fact.lead)), found.after)
    return _name(tokens, index)

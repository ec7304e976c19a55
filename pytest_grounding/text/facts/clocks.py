"""Reading times of day: 10:30, 5 p.m., noon, "half past one", "seven in the morning"."""

from __future__ import annotations

from dataclasses import replace

from pytest_grounding.lexicon import table
from pytest_grounding.lexicon import words as listed
from pytest_grounding.text.facts.dates import DateRead, read_int
from pytest_grounding.text.facts.numerals import SMALL, TENS
from pytest_grounding.text.facts.tokens import Read, Tokens

_CLOCK_MARKS = frozenset({"am", "pm", "a.m.", "p.m."})
_NOON, _DAY = 720, 1440
_NAMED = {"noon": _NOON, "midday": _NOON, "midnight": 0}
#: Words for a part of an hour, in minutes.
_PARTS = {"half": 30, "quarter": 15}
#: Parts of the day: "am" of which an hour is the earlier of two, "pm" the later, "night" either.
_OF_DAY = table("dates", "parts_of_day")
#: Before an hour without a mark: "take two in the morning" is no time.
_HOUR_BEFORE = listed("dates", "hour_before")
_DAWN = 6
_TWELVE = 12
_REACH = 8


def read_time(tokens: Tokens, index: int) -> DateRead | None:
    """The time of day that starts at a token. ``low`` is in minutes after midnight."""
    word = tokens.low[index]
    if word in _NAMED:
        return _clock(_NAMED[word] // 60, 0, index + 1, ambiguous=False)
    if not (word[0].isdecimal() or word in SMALL or word in TENS or word in _PARTS or word == "a"):
        return None
    return _past_the_hour(tokens, index) or _plain_time(tokens, index)


def _plain_time(tokens: Tokens, index: int) -> DateRead | None:
    """A time that starts with its hour: "10:30", "5 p.m.", "five o'clock", "at seven in the morning"."""
    word = tokens.low[index]
    hour = SMALL.get(word, read_int(word, 2))
    if hour is None:
        return None
    minute, after = 0, index + 1
    colon = tokens.word(after) == ":" and tokens.glued(index) and tokens.glued(after)
    if colon:
        minutes_read = read_int(tokens.word(after + 1), 2)
        if minutes_read is None or len(tokens.word(after + 1)) != 2 or minutes_read > 59:
            return None
        minute, after = minutes_read, after + 2
        if tokens.word(after) == ":" and tokens.glued(after - 1) and tokens.glued(after):
            return None
    mark = tokens.word(after)
    if mark in _CLOCK_MARKS and 1 <= hour <= 12 and word[0].isdecimal():
        hour = hour % 12 + (12 if mark[0] == "p" else 0)
        return _clock(hour, minute, after + 1, ambiguous=False)
    if mark == "o'clock" and 1 <= hour <= 12:
        return _of_day(tokens, _clock(hour, minute, after + 1, ambiguous=True))
    if colon and hour <= 24:
        is_ambiguous = 1 <= hour <= 12 and word[0] != "0"
        found = _of_day(tokens, _clock(hour, minute, after, ambiguous=is_ambiguous))
        # Whoever writes 12:00 and means midnight says so.
        return replace(found, ambiguous=found.ambiguous and hour != _TWELVE)
    if not 1 <= hour <= 12 or _part_of_day(tokens, after) is None or not _is_when(tokens, index):
        return None
    return _of_day(tokens, _clock(hour, 0, after, ambiguous=True))


def _past_the_hour(tokens: Tokens, index: int) -> DateRead | None:
    """A time told by the hour before or behind it: "half past one", "a quarter to nine"."""
    part = _minutes(tokens, index)
    if part is None:
        return None
    link, at = tokens.word(part.after), part.after + 1
    if link not in {"past", "to"} or (link == "to" and part.what == _PARTS["half"]):
        return None
    hour = SMALL.get(tokens.word(at), read_int(tokens.word(at), 2) or 0)
    named = _NAMED.get(tokens.word(at))
    if named is None and not 1 <= hour <= 12:
        return None
    whole = named if named is not None else 60 * hour
    after = at + 1 + (tokens.word(at + 1) == "o'clock")
    minutes = (whole + (part.what if link == "past" else -part.what)) % _DAY
    found = _clock(minutes // 60, minutes % 60, after, ambiguous=named is None)
    is_sure = tokens.word(part.after - 1) in {"minutes", "quarter"} or after > at + 1
    if link == "to" and not (is_sure or _part_of_day(tokens, after) is not None):
        # "Five to ten people"
        return None
    return _of_day(tokens, found)


def _minutes(tokens: Tokens, index: int) -> Read[int] | None:
    """The minutes before "past" or "to": "half", "a quarter", "ten", "twenty-five minutes"."""
    word, after = tokens.word(index), index + 1
    if word == "a":
        is_quarter = tokens.word(after) == "quarter"
        return Read(_PARTS["quarter"], after + 1) if is_quarter else None
    if word in _PARTS:
        return Read(_PARTS[word], after)
    minutes = SMALL.get(word, TENS.get(word, read_int(word, 2) or 0))
    if word in TENS and tokens.word(after) == "-" and 0 < SMALL.get(tokens.word(after + 1), 0) < 10:
        minutes, after = minutes + SMALL[tokens.word(after + 1)], after + 2
    after += tokens.word(after) in {"minute", "minutes"}
    return Read(minutes, after) if 0 < minutes < 60 else None


def _part_of_day(tokens: Tokens, at: int) -> Read[str] | None:
    """The part of the day of "in the evening" and "at night", and the token behind it."""
    if tokens.word(at) == "at" and tokens.word(at + 1) == "night":
        return Read("night", at + 2)
    part = (
        _OF_DAY.get(tokens.word(at + 2)) if tokens.word(at) == "in" and tokens.word(at + 1) == "the" else None
    )
    return Read(part, at + 3) if part is not None else None


def _of_day(tokens: Tokens, time: DateRead) -> DateRead:
    """A time with the part of the day behind it, which tells of two hours the one that is meant."""
    part = _part_of_day(tokens, time.after) if time.ambiguous else None
    if part is None:
        return time
    minutes = int(time.low or 0) % _NOON
    if part.what == "night" and minutes // 60 == _DAWN:
        # "Six at night" may be either.
        return time
    is_late = part.what == "pm" or (part.what == "night" and minutes > _DAWN * 60)
    minutes += _NOON * is_late
    return _clock(minutes // 60, minutes % 60, part.after, ambiguous=False)


def _is_when(tokens: Tokens, index: int) -> bool:
    """Whether the words before a number ask for a time: "at", "from", "between ten in the morning and"."""
    before = tokens.word(index - 1)
    if before == "and":
        return "between" in tokens.low[max(0, index - _REACH) : index]
    return before in _HOUR_BEFORE


def _clock(hour: int, minute: int, after: int, *, ambiguous: bool) -> DateRead:
    total = float(hour * 60 + minute)
    return DateRead(after, None, total, total, f"{hour:02d}:{minute:02d}", ambiguous)

"""Times, days and spans in words are read as the values that they are; what only looks so is not."""

from every import each

from pytest_grounding.reading.facts import extract_facts


def keys(text: str) -> list[str]:
    return [fact.key for fact in extract_facts(text) if fact.kind not in {"name", "negation"}]


@each(
    ("at half past three", ["03:30"]),
    ("at half past three in the afternoon", ["15:30"]),
    ("a quarter to noon", ["11:45"]),
    ("twenty-five past nine in the evening", ["21:25"]),
    ("ten minutes to eight", ["07:50"]),
    ("until eleven at night", ["23:00"]),
    ("at two at night", ["02:00"]),
    ("at 6:30 at night", ["06:30"]),
    ("at 8:15 in the evening", ["20:15"]),
    ("seven o'clock in the evening", ["19:00"]),
    ("between nine in the morning and four in the afternoon", ["09:00", "16:00"]),
    # Counts.
    ("Take two in the morning and one in the evening.", ["2", "1"]),
    ("five to ten guests", ["5..10"]),
    ("a dozen past members", ["12"]),
)
def test_times(text: str, expected: list[str]) -> None:
    assert keys(text) == expected


@each(
    ("It ends on 28/2.", ["????-02-28"]),
    ("It ends on 2/28.", ["????-02-28"]),
    ("It ends Monday, 28/2.", ["monday", "????-02-28"]),
    ("in the third month of the year", ["????-03-??"]),
    # Fractions, ratios and other months.
    ("It fell by 2/9.", ["0.222222222"]),
    ("It stands on 1/2 acre.", ["2023.42821 m2"]),
    ("a ratio of 21/9", ["21", "9"]),
    ("the third month of the contract", ["#3"]),
    ("open 24/7", ["around the clock"]),
)
def test_days(text: str, expected: list[str]) -> None:
    assert keys(text) == expected


@each(
    ("a year and five months", ["17 mo"]),
    ("2 hours 15 minutes", ["8100 s"]),
    ("one week and two days", ["777600 s"]),
    ("1 h 20 min", ["4800 s"]),
    # Of two values, each has something of its own.
    ("after seven hours 20 minutes of rest", ["25200 s", "1200 s"]),
    ("10 minutes after 4 hours and 20 minutes after 7 hours", ["600 s", "14400 s", "1200 s", "25200 s"]),
    # What is said per period is another value.
    ("for two weeks and 3 hours a day", ["1209600 s", "0.125 s/s"]),
    ("two hours and 90 minutes", ["7200 s", "5400 s"]),
)
def test_spans(text: str, expected: list[str]) -> None:
    assert keys(text) == expected


def test_data_rates_agree_however_they_are_written() -> None:
    assert keys("500 Mbps") == keys("500 Mbit/s") == keys("0.5 Gbit/s") == ["500000000 bit/s"]

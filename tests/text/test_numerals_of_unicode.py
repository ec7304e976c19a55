"""Digits of every script and style have one reading; limits, periods and signs of numbers have one too."""

import sys
import unicodedata

import pytest
from every import each

import pytest_grounding as pg
from pytest_grounding.reading.facts import Fact, compatible, extract_facts, same
from pytest_grounding.reading.facts.numerals import MAY_HOLD

NUMERALS = [
    character
    for character in map(chr, range(sys.maxunicode + 1))
    if unicodedata.category(character) in {"Nd", "No", "Nl"}
]
RAISED = [c for c in NUMERALS if unicodedata.decomposition(c).startswith(("<super>", "<sub>"))]


def values(text: str) -> list[Fact]:
    return [fact for fact in extract_facts(text) if fact.value is not None]


def one(text: str) -> Fact:
    (fact,) = values(text)
    return fact


def test_a_numeral_that_is_a_plain_value_reads_as_that_value() -> None:
    assert len(NUMERALS) > 1500
    for character in set(NUMERALS) - set(RAISED):
        value = unicodedata.numeric(character)
        found = [fact.value for fact in values(f"The fee is {character} euros.")]
        assert found == [pytest.approx(value)], (character, unicodedata.name(character, ""))


def test_a_raised_or_lowered_digit_is_never_a_plain_one() -> None:
    assert len(RAISED) > 15
    for character in RAISED:
        digit = unicodedata.digit(character, 0)
        assert not values(f"The fee is {character} euros."), character
        read = [fact.value for fact in values(f"The fee is 12{character} euros.")]
        assert 120 + digit not in read, character


def test_numerals_in_any_place_do_not_crash_and_slice_to_the_text() -> None:
    for character in NUMERALS:
        text = (
            f"{character}. x{character} {character}{character} 12{character} {character}/{character} "
            f"{character}:{character} ${character} -{character} {character}% {character}.{character} "
            f"3{character}. March {character} May {character}th"
        )
        for fact in extract_facts(text):
            assert text[fact.start : fact.end] == fact.text
            assert 0 <= fact.lead <= fact.start < fact.end <= fact.tail <= len(text)


def test_the_gate_before_cutting_numerals_apart_lets_all_of_them_in() -> None:
    closed = [c for c in NUMERALS if unicodedata.category(c) != "Nd" and not MAY_HOLD.match(c)]
    assert closed == []


@each("12", "１２", "١٢", "𝟏𝟐", "⑫", "Ⅻ", "१२")
def test_twelve_is_twelve_in_every_style(digits: str) -> None:
    assert one(f"The fee is {digits} euros.").key == "12 EUR"
    assert not pg.support(f"The fee is {digits} euros.", ["The fee is 12 euros."]).conflicts
    assert pg.support(f"The fee is {digits} euros.", ["The fee is 13 euros."]).conflicts


@each(
    ("12² euros", "144 EUR"),
    ("10³ euros", "1000 EUR"),
    ("10⁻³ g", "0.001 g"),
    ("12 m²", "12 m2"),
    ("5,490¹ euros", "5490 EUR"),
    ("½cup", one("0.5 cups").key),
    ("1½ hours", one("90 minutes").key),
)
def test_a_superscript_is_an_exponent_or_a_note(text: str, key: str) -> None:
    assert one(text).key == key


def test_formulas_and_markers_of_lists_are_no_values() -> None:
    assert values("CO₂ and H₂O mix.") == []
    assert values("The shape of 12₂ is known.") == []
    assert values("② Open the box.") == []
    assert [fact.key for fact in values("In 2019² it rained.")] == ["2019-??-??"]


@each(
    ("-12 °C", "−12 °C"),
    ("minus 12 euros", "−12 euros"),
    ("−€12", "€-12"),
    ("between -18 °C and -30 °C", "from -30 to -18 °C"),
    ("not below 5 kg", "at least 5 kg"),
    ("not fall below 5 kg", "5 kg or more"),
    ("cannot exceed 5 kg", "at most 5 kg"),
    ("greater than or equal to 5 kg", "a minimum of 5 kg"),
    ("parcels over 5 kg are rejected", "up to 5 kg"),
    ("does not accept parcels over 5 kg", "no more than 5 kg"),
    ("the maximum weight is 5 kg", "5 kg at most"),
    ("12 euros a day", "12 euros/day"),
    ("120 euros per year", "10 euros per month"),
    ("3 times a week", "three times weekly"),
    ("60 calls per minute", "60 calls a minute"),
    ("$50 per user per month", "$50/user/month"),
    ("5 business days", "five working days"),
    ("24/7", "24 hours a day, seven days a week"),
    ("24/7", "around the clock"),
)
def test_the_same_in_other_words(text: str, other: str) -> None:
    a, b = one(f"It is {text}."), one(f"It is {other}.")
    assert same(a, b)
    assert compatible(a, b)
    assert compatible(b, a)


@each(
    ("-12 °C", "12 °C"),
    ("over 12 euros", "12 euros"),
    ("less than 12 euros", "12 euros"),
    ("at least 12 euros", "at most 12 euros"),
    ("over 12 euros are rejected", "over 12 euros are accepted"),
    ("12 euros per day", "12 euros per week"),
    ("12 euros per day", "12 euros"),
    ("3 times a day", "3 times a week"),
    ("60 calls per minute", "60 calls per hour"),
    ("3 % a month", "3 % a year"),
    ("5 business days", "5 days"),
    ("12² euros", "12 euros"),
)
def test_the_same_digits_that_say_otherwise(text: str, other: str) -> None:
    a, b = one(f"It is {text}."), one(f"It is {other}.")
    assert not compatible(a, b)
    assert not compatible(b, a)


@each(
    ("COVID-19 in pages 10-20 and 5 - 3", ["10..20", "5", "3"]),
    ("\n-12 eggs", ["12"]),
    ("In F-16 jets", []),
    ("about 5 km, or so", ["~5000 m"]),
    ("She does not reply within 5 days", ["<=432000 s"]),
    ("Temperatures over 40 °C are not unusual", [">=40 degC"]),
    ("three men a week later", ["3"]),
    ("over two years", [">=24 mo"]),
)
def test_what_only_looks_like_a_sign_a_limit_or_a_period(text: str, keys: list[str]) -> None:
    assert [fact.key for fact in values(text)] == keys


def test_a_denial_that_makes_a_limit_denies_nothing_else() -> None:
    text = "It must not be below 5 °C and is not red."
    assert [fact.start for fact in extract_facts(text) if fact.kind == "negation"] == [text.rindex("not")]

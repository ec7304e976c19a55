"""Facts: numbers, dates and units in any spelling, and when two facts agree."""

import sys
import unicodedata

import pytest
from counted_calls import calls_of
from every import each, table
from hypothesis import given
from hypothesis import strategies as st

import pytest_grounding as pg
from pytest_grounding.evidence.number_matches import with_digits
from pytest_grounding.reading.facts import comparable, compatible, extract_facts, meet_in_thousands, same
from pytest_grounding.reading.facts.numerals import MAY_HOLD, as_spelled, order_of_dates, with_plain_dates


def one(text, kind=None):
    facts = [fact for fact in extract_facts(text) if kind is None or fact.kind == kind]
    assert len(facts) == 1, facts
    return facts[0]


@each(*table(__file__, "SAME"))
def test_two_ways_of_writing_are_the_same_fact(left, right):
    a, b = extract_facts(left), extract_facts(right)
    assert len(a) == len(b)
    assert all(same(x, y) and same(y, x) and compatible(x, y) for x, y in zip(a, b, strict=True)), (a, b)


@each(*table(__file__, "COMPATIBLE"))
def test_facts_that_can_both_be_true_are_compatible(left, right):
    a, b = one(left), one(right)
    assert not same(a, b)
    assert compatible(a, b)
    assert compatible(b, a)


@each(*table(__file__, "DIFFERENT"))
def test_facts_that_exclude_each_other_are_not_compatible(left, right, are_comparable):
    a, b = one(left), one(right)
    assert comparable(a, b) is comparable(b, a) is are_comparable
    assert not compatible(a, b)
    assert not compatible(b, a)


@each(*table(__file__, "test_kinds_that_are_read"))
def test_kinds_that_are_read(text, kinds):
    assert [fact.kind for fact in extract_facts(text)] == kinds


def test_names_are_folded():
    assert one("the U.S. President's", "name").key == "us president"
    assert one("Louis XIV", "name").key == "louis 14"
    assert compatible(one("in Washington"), one("in Washington County"))


def test_approximations_and_limits_are_kept():
    assert one("about 50 people").approximate
    assert one("at least 50 people").bound == "min"
    assert one("up to 50 people").bound == "max"
    assert one("no more than 50 people").bound == "max"
    assert one("no fewer than 50 people").bound == "min"


PIECES = (
    "1 2.5 1,000 twelve million half a an dozen of the Nov November 3rd 2021 - – / . , : $ € % km kg hours "
    "about between and to not no n't Berlin World War II 1990s BC ½ °F [3] \n first century per \u00a0 ٣ 名"
).split(" ")
TEXTS = st.lists(st.sampled_from(PIECES), max_size=14).map(" ".join)


@given(st.one_of(TEXTS, st.text(max_size=60), TEXTS.map(lambda text: text.replace(" ", ""))))
def test_offsets_slice_exactly_and_facts_do_not_overlap(text):
    facts = extract_facts(text)
    end = 0
    for fact in facts:
        assert fact.text == text[fact.start : fact.end]
        assert fact.text
        assert fact.start >= end
        end = fact.end
        assert same(fact, fact)
        assert compatible(fact, fact)


@given(TEXTS, TEXTS)
def test_same_and_compatible_are_symmetric(left, right):
    for a in extract_facts(left):
        for b in extract_facts(right):
            assert same(a, b) == same(b, a)
            assert comparable(a, b) == comparable(b, a)
            assert compatible(a, b) == compatible(b, a)


@each("1-", "1,", "A ", "one hundred and ", "Jan ", "A of ", "$", "twenty-", "1 1/", "half a ", "not ")
def test_hostile_texts_take_linear_work(piece):
    extract_facts(piece)
    short, long = (calls_of(lambda text=piece * count: extract_facts(text)) for count in (80, 800))
    # Quadratic work would be a hundred times as much.
    assert 0 < long <= 12 * short + 1_000


@each(*table(__file__, "keys"))
def test_values_dates_and_limits_are_read(text, keys):
    assert [fact.key for fact in extract_facts(text) if fact.kind not in {"name", "negation"}] == keys


def fact_of(text):
    return next(fact for fact in extract_facts(text) if fact.kind not in ("name", "negation"))


@each(*table(__file__, "test_a_whole_date"))
def test_a_whole_date(text, date):
    fact = fact_of(text)
    assert (fact.kind, fact.key, fact.text) == ("date", "2021-11-03", date)
    assert text[fact.start : fact.end] == date


@each(*table(__file__, "test_numbers_in_unusual_notation"))
def test_numbers_in_unusual_notation(text, values):
    assert [fact.value for fact in extract_facts(text) if fact.kind != "name"] == values


def test_a_dot_before_three_digits_may_separate_thousands():
    dotted, plain = fact_of("1.200 Mitarbeiter"), fact_of("1200 Mitarbeiter")
    assert meet_in_thousands(dotted, plain)
    assert meet_in_thousands(plain, dotted)
    assert compatible(dotted, plain)
    for other in ("1250 Mitarbeiter", "12 Mitarbeiter", "1200 kg"):
        assert not meet_in_thousands(dotted, fact_of(other))
    assert not compatible(fact_of("1.25 kg"), fact_of("1250 kg"))
    assert not compatible(fact_of("0.250 kg"), fact_of("250 kg"))


NUMERALS = [
    character
    for character in map(chr, range(sys.maxunicode + 1))
    if unicodedata.category(character) in {"Nd", "No", "Nl"}
]
RAISED = [c for c in NUMERALS if unicodedata.decomposition(c).startswith(("<super>", "<sub>"))]


def values(text):
    return [fact for fact in extract_facts(text) if fact.value is not None]


def one_value(text):
    (fact,) = values(text)
    return fact


def test_every_unicode_numeral_has_its_value():
    assert len(NUMERALS) > 1500
    for character in set(NUMERALS) - set(RAISED):
        value = unicodedata.numeric(character)
        found = [fact.value for fact in values(f"The fee is {character} euros.")]
        assert found == [pytest.approx(value)], (character, unicodedata.name(character, ""))


def test_superscripts_and_subscripts_are_not_plain_digits():
    assert len(RAISED) > 15
    for character in RAISED:
        digit = unicodedata.digit(character, 0)
        assert not values(f"The fee is {character} euros."), character
        read = [fact.value for fact in values(f"The fee is 12{character} euros.")]
        assert 120 + digit not in read, character


def test_numerals_anywhere_give_slices_of_the_text():
    for character in NUMERALS:
        text = (
            f"{character}. x{character} {character}{character} 12{character} {character}/{character} "
            f"{character}:{character} ${character} -{character} {character}% {character}.{character} "
            f"3{character}. March {character} May {character}th"
        )
        for fact in extract_facts(text):
            assert text[fact.start : fact.end] == fact.text
            assert 0 <= fact.lead <= fact.start < fact.end <= fact.tail <= len(text)


def test_the_gate_for_numerals_misses_none():
    closed = [c for c in NUMERALS if unicodedata.category(c) != "Nd" and not MAY_HOLD.match(c)]
    assert closed == []


@each("12", "１２", "١٢", "𝟏𝟐", "⑫", "Ⅻ", "१२")
def test_twelve_is_twelve_in_every_style(digits):
    assert one_value(f"The fee is {digits} euros.").key == "12 EUR"
    assert not pg.support(f"The fee is {digits} euros.", ["The fee is 12 euros."]).conflicts
    assert pg.support(f"The fee is {digits} euros.", ["The fee is 13 euros."]).conflicts


def test_a_negation_inside_a_limit_negates_nothing_else():
    text = "It must not be below 5 °C and is not red."
    assert [fact.start for fact in extract_facts(text) if fact.kind == "negation"] == [text.rindex("not")]


SIGNS = st.text(alphabet="0123456789 '’,./-TZ:\\{}^$\u00a0\u202fabefr", max_size=60)


@given(SIGNS)
def test_every_text_keeps_its_length(text):
    assert len(with_plain_dates(as_spelled(text), "en-GB")) == len(text)
    for language in ("de", "fr", "es", "it", "pt", "nl", "xx"):
        assert len(with_digits(text, language)) == len(text)


@each(("en-GB", "day"), ("en-US", "month"), ("fr", "day"), ("en", ""), ("", ""))
def test_the_language_gives_the_order_of_a_date(tag, order):
    assert order_of_dates("03/04/2025", tag) == order


def test_another_date_gives_the_order():
    assert with_plain_dates("02/03/2024 to 28/03/2024") == "02.03.2024 to 28.03.2024"
    assert with_plain_dates("04/25/2023 to 05/06/2023") == "25.04.2023 to 06.05.2023"


@each(*table(__file__, "test_number_words_become_digits"))
def test_number_words_become_digits(language, words, number):
    assert with_digits(words, language).strip("_") == number

"""Numbers in spellings of many hands, written as the readers know them."""

from every import each
from hypothesis import given
from hypothesis import strategies as st

from pytest_grounding.reading.facts import extract_facts
from pytest_grounding.reading.facts.numerals import as_spelled, order_of_dates, with_plain_dates
from pytest_grounding.scorers.builtin.number_matches import with_digits

SIGNS = st.text(alphabet="0123456789 '’,./-TZ:\\{}^$\u00a0\u202fabefr", max_size=60)


@given(SIGNS)
def test_every_text_keeps_its_length(text: str) -> None:
    assert len(with_plain_dates(as_spelled(text), "en-GB")) == len(text)
    for language in ("de", "fr", "es", "it", "pt", "nl", "xx"):
        assert len(with_digits(text, language)) == len(text)


@each(
    ("CHF 1'250", [1250.0]),
    ("23\u202f417 members", [23417.0]),
    ("12 000 copies", [12000.0]),
    ("Table 2 300 patients", [2.0, 300.0]),
    ("5 120 300 480", [5.0, 120.0, 300.0, 480.0]),
    ("2 400 g tins", [2.0, 400.0]),
    ("ports 80,443", [80.0, 443.0]),
    ("2,140 people", [2140.0]),
    ("1.5e3 volts", [1500.0]),
    (r"$1.5 \times 10^{3}$ times", [1500.0]),
    (r"$\frac{1}{2}$ of it", [50.0]),
    ("12 Mio. Euro", [12e6]),
    ("45p", [0.45]),
    ("1080p", [1080.0]),
    ("35 ‰", [3.5]),
    ("25 basis points", [0.25]),
)
def test_numbers_are_read_as_they_are_meant(text: str, values: list[float]) -> None:
    assert [fact.value for fact in extract_facts(text) if fact.kind != "name"] == values


@each(("en-GB", "day"), ("en-US", "month"), ("fr", "day"), ("en", ""), ("", ""))
def test_the_language_tells_the_order_of_a_date(tag: str, order: str) -> None:
    assert order_of_dates("03/04/2025", tag) == order


def test_another_date_tells_the_order_too() -> None:
    assert with_plain_dates("02/03/2024 to 28/03/2024") == "02.03.2024 to 28.03.2024"
    assert with_plain_dates("04/25/2023 to 05/06/2023") == "25.04.2023 to 06.05.2023"


@each(
    ("de", "fünfundvierzig", "45"),
    ("de", "zweihundert", "200"),
    ("fr", "quatre-vingt-dix-neuf", "99"),
    ("fr", "soixante et onze", "71"),
    ("fr", "mille deux cent trente-quatre", "1234"),
    ("es", "treinta y cinco", "35"),
    ("it", "ventotto", "28"),
    ("it", "duecentocinquanta", "250"),
    ("pt", "trinta e dois", "32"),
    ("nl", "tweeëntwintig", "22"),
)
def test_number_words_become_digits(language: str, words: str, number: str) -> None:
    assert with_digits(words, language).strip("_") == number


@each(("fr", "un chat neuf"), ("it", "tu sei qui"), ("en", "two"))
def test_words_that_are_no_numbers_stay(language: str, text: str) -> None:
    assert with_digits(text, language) == text

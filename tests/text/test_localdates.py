"""Dates and numbers as other languages and scripts write them."""

from every import each

from pytest_grounding.reading.facts import Fact, compatible, extract_facts, meet_in_thousands

WHOLE = "2021-11-03"


def fact_of(text: str) -> Fact:
    return next(fact for fact in extract_facts(text) if fact.kind not in ("name", "negation"))


@each(
    ("am 3. November 2021 eröffnet", "3. November 2021"),
    ("le 3 novembre 2021.", "3 novembre 2021"),
    ("el 3 de noviembre de 2021", "3 de noviembre de 2021"),
    ("il 3 novembre 2021", "3 novembre 2021"),
    ("em 3 de novembro de 2021", "3 de novembro de 2021"),
    ("op 3 november 2021", "3 november 2021"),
    ("открылся 3 ноября 2021 года", "3 ноября 2021"),
    ("3 listopada 2021", "3 listopada 2021"),
    ("3 Kasım 2021", "3 Kasım 2021"),
    ("في ٣ نوفمبر ٢٠٢١ افتتح", "٣ نوفمبر ٢٠٢١"),
    ("दुकान ३ नवंबर २०२१ को", "३ नवंबर २०२१"),
    ("于2021年11月3日开业", "2021年11月3"),
    ("2021年11月3日", "2021年11月3日"),
    ("2021년 11월 3일에", "2021년 11월 3"),
    ("03.11.2021", "03.11.2021"),
    ("2021/11/03", "2021/11/03"),
    ("3 November 2021", "3 November 2021"),
)
def test_a_whole_date(text: str, date: str) -> None:
    fact = fact_of(text)
    assert (fact.kind, fact.key, fact.text) == ("date", WHOLE, date)
    assert text[fact.start : fact.end] == date


@each("am 3. November", "le 3 novembre", "3 de noviembre", "3 ноября", "11月3日")
def test_a_day_without_its_year(text: str) -> None:
    assert fact_of(text).key == "????-11-03"


@each(
    ("3 Mars rovers", "3"),
    ("5 mayo jars", "5"),
    ("2. May be used", "2"),
    ("2 august bodies", "2"),
    ("13月3日", "13"),
    ("11月99日", "11"),
    ("32 novembre", "32"),
    ("3. Novembers", "3"),
    ("2021年", "2021-??-??"),
)
def test_what_is_no_such_date(text: str, key: str) -> None:
    assert fact_of(text).key == key


@each(
    ("١٢٠٠ موظف", 1200),
    ("٤٫٥", 4.5),
    ("١٬٢٠٠", 1200),
    ("१४ दिनों", 14),
    ("运费为45元", 45),
    ("定員は1,200人です", 1200),
    ("1\u00a0200 сотрудников", 1200),
    ("1.200.000 Euro", 1_200_000),
    ("4,50 €", 4.5),
    ("1.200,5 Euro", 1200.5),
    ("３日間", 3),
    ("zwölf Tage", 12),
    ("deux ans", 2),
    ("tres años", 3),
    ("dieci giorni", 10),
    ("двух недель", 2),
)
def test_numbers_in_other_scripts_and_ways(text: str, value: float) -> None:
    assert fact_of(text).value == value


@each("He will doze off at once", "Otto, Elf and dos", "un appareil neuf", "sei felice")
def test_words_that_are_numbers_elsewhere_are_none(text: str) -> None:
    assert "number" not in {fact.kind for fact in extract_facts(text)}


def test_letters_before_digits_are_part_of_a_name_where_words_have_blanks() -> None:
    assert "number" not in {fact.kind for fact in extract_facts("H5N1 und B12")}


def test_a_dot_before_three_digits_may_part_thousands() -> None:
    dotted, plain = fact_of("1.200 Mitarbeiter"), fact_of("1200 Mitarbeiter")
    assert meet_in_thousands(dotted, plain)
    assert meet_in_thousands(plain, dotted)
    assert compatible(dotted, plain)
    for other in ("1250 Mitarbeiter", "12 Mitarbeiter", "1200 kg"):
        assert not meet_in_thousands(dotted, fact_of(other))
    assert not compatible(fact_of("1.25 kg"), fact_of("1250 kg"))
    assert not compatible(fact_of("0.250 kg"), fact_of("250 kg"))

"""Facts: what is read, how it is normalised, and when two facts say the same."""

from counted_calls import calls_of
from every import each
from hypothesis import given
from hypothesis import strategies as st

from pytest_grounding.reading.facts import Fact, comparable, compatible, extract_facts, same


def one(text: str, kind: str | None = None) -> Fact:
    facts = [fact for fact in extract_facts(text) if kind is None or fact.kind == kind]
    assert len(facts) == 1, facts
    return facts[0]


SAME = [
    ("1.2 million", "1,200,000"),
    ("twelve", "12"),
    ("a dozen", "12"),
    ("two hundred and fifty-three", "253"),
    ("1 million", "1,000,000"),
    ("half a million", "500,000"),
    ("12,34,567", "1,234,567"),
    ("1.234.567", "1,234,567"),
    ("5K", "5,000"),
    ("1 , 056 women", "1,056 women"),
    ("Nov 3rd, 2021", "2021-11-03"),
    ("3 November 2021", "2021-11-03"),
    ("the 3rd of November 2021", "November 3, 2021"),
    ("13/11/2021", "2021-11-13"),
    ("03.11.2021", "3 November 2021"),
    ("November 2021", "Nov. 2021"),
    ("half of them", "50 %"),
    ("50 per cent", "50%"),
    ("two thirds of them", "two-thirds of it"),
    ("a quarter of them", "25 percent"),
    ("3 in 10 women", "30%"),
    ("$5", "5 dollars"),
    ("$5", "USD 5"),
    ("US$5", "$5"),
    ("50 cents", "$0.50"),
    ("€1.5 million", "1.5 million euros"),
    ("1.234,56 €", "€1,234.56"),
    ("5 km", "5 kilometres"),
    ("5 km", "5000 m"),
    ("3,5 kg", "3500 grams"),
    ("24 hours", "1 day"),
    ("two weeks", "14 days"),
    ("half an hour", "30 minutes"),
    ("2½ hours", "150 minutes"),
    ("1 1/2 hours", "90 minutes"),
    ("two and a half hours", "2.5 hours"),
    ("1 year", "12 months"),
    ("a decade", "a decade"),
    ("10–20", "10 to 20"),
    ("between 10 and 20 kg", "10-20 kg"),
    ("5-10 million", "5 million to 10 million"),
    ("first place", "1st place"),
    ("the twenty-first man", "the 21st man"),
    ("5:30 pm", "17:30"),
    ("noon", "12 pm"),
    ("300 BC", "300 B.C."),
    ("300 years BC", "300 BC"),
    ("the 19th century", "the nineteenth century"),
    ("the 1990s", "the '90s"),
    ("350°F", "350 degrees Fahrenheit"),
    ("100 km/h", "100 kilometers per hour"),
    ("World War II", "World War Two"),
    ("20+ years", "at least 20 years"),
    ("twice a day", "2 times a day"),
]


@each(*SAME)
def test_two_ways_of_writing_are_the_same_fact(left: str, right: str) -> None:
    a, b = extract_facts(left), extract_facts(right)
    assert len(a) == len(b)
    assert all(same(x, y) and same(y, x) and compatible(x, y) for x, y in zip(a, b, strict=True)), (a, b)


COMPATIBLE = [
    ("about 50 people", "48 people"),
    ("roughly 1,000 km", "980 km"),
    ("1.2 million", "1,234,567"),
    ("3.5 percent", "3.47 percent"),
    ("15 minutes", "10 to 20 minutes"),
    ("more than 100 men", "120 men"),
    ("at most 3 days", "2 days"),
    ("in 2021", "on Nov 3rd, 2021"),
    ("in the 1990s", "in 1994"),
    ("in the 20th century", "in 1994"),
    ("3/4/2021", "April 3, 2021"),
    ("10:30", "10:30 pm"),
    ("177 °C", "350 °F"),
    ("350 degrees", "350 degrees Fahrenheit"),
    ("180 days", "6 months"),
    ("November 3", "2021-11-03"),
    ("around 1850", "1852"),
]


@each(*COMPATIBLE)
def test_facts_that_can_both_be_true_are_compatible(left: str, right: str) -> None:
    a, b = one(left), one(right)
    assert not same(a, b)
    assert compatible(a, b)
    assert compatible(b, a)


DIFFERENT = [
    ("50 people", "48 people"),
    ("about 50 people", "80 people"),
    ("1.2 million", "1.9 million"),
    ("3 million", "3.4 million"),
    ("15 minutes", "20 to 30 minutes"),
    ("6-8 hours", "5-8 hours"),
    ("over 300 men", "over 30 men"),
    ("two or more", "two or less"),
    ("within 3 hours", "within 72 hours"),
    ("more than 100 men", "90 men"),
    ("Nov 3rd, 2021", "Nov 4th, 2021"),
    ("November 2021", "October 2021"),
    ("in 2021", "in 2020"),
    ("300 BC", "AD 300"),
    ("in the 1990s", "in 1984"),
    ("13/4/2021", "4/12/2021"),
    ("5 mg", "5 g"),
    ("$5", "$6"),
    ("5 am", "5 pm"),
    ("Monday", "Tuesday"),
    ("first", "third"),
    ("350 °F", "350 °C"),
    ("20%", "30%"),
    ("3 days", "3 weeks"),
]


@each(*DIFFERENT)
def test_facts_that_exclude_each_other_are_not_compatible(left: str, right: str) -> None:
    a, b = one(left), one(right)
    assert comparable(a, b)
    assert comparable(b, a)
    assert not compatible(a, b)
    assert not compatible(b, a)


@each(("5 kg", "5 km"), ("$5", "5%"), ("Monday", "2021"), ("5", "Paris"))
def test_facts_of_other_dimensions_cannot_be_compared(left: str, right: str) -> None:
    a, b = one(left), one(right)
    assert not comparable(a, b)
    assert not compatible(a, b)


@each(
    ("Barack Obama met Angela Merkel in Berlin.", ["name", "name", "name"]),
    ("The WHO says so.", ["name"]),
    ("The Bank of America is large.", ["name"]),
    ("It does not work.", ["negation"]),
    ("It isn't so.", ["negation"]),
    ("He is no longer there.", ["negation"]),
    ("Not only that, but more.", []),
    ("No doubt it is so.", []),
    ("One of the men can do it.", []),
    ("May be it is so.", []),
    ("They march in spring.", []),
    ("COVID-19 and H5N1", ["name"]),
    ("version 3.5.1", []),
    ("", []),
)
def test_kinds_that_are_read(text: str, kinds: list[str]) -> None:
    assert [fact.kind for fact in extract_facts(text)] == kinds


@each(
    ("It is 1250 km long.", "quantity"),
    ("It weighs 1950 kg.", "quantity"),
    ("It costs 1250 € at most.", "money"),
    ("Es kostet 1250 Euro.", "money"),
    ("In 1985 C was new.", "date"),
    ("It opened in 1984 in the north.", "date"),
    ("The 1066 battle", "date"),
)
def test_four_digits_before_a_unit_are_no_year(text: str, kind: str) -> None:
    assert [fact.kind for fact in extract_facts(text) if fact.kind != "name"] == [kind]


def test_names_are_folded() -> None:
    assert one("the U.S. President's", "name").key == "us president"
    assert one("Louis XIV", "name").key == "louis 14"
    assert compatible(one("in Washington"), one("in Washington County"))


def test_a_hedge_and_a_bound_are_kept() -> None:
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
def test_offsets_slice_exactly_and_facts_do_not_overlap(text: str) -> None:
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
def test_same_and_compatible_are_symmetric(left: str, right: str) -> None:
    for a in extract_facts(left):
        for b in extract_facts(right):
            assert same(a, b) == same(b, a)
            assert comparable(a, b) == comparable(b, a)
            assert compatible(a, b) == compatible(b, a)


@each("1-", "1,", "A ", "one hundred and ", "Jan ", "A of ", "$", "twenty-", "1 1/", "half a ", "not ")
def test_hostile_texts_take_linear_work(piece: str) -> None:
    extract_facts(piece)
    short, long = (calls_of(lambda text=piece * count: extract_facts(text)) for count in (200, 2000))
    # Quadratic work would be a hundred times as much.
    assert 0 < long <= 12 * short + 1_000

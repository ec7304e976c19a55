"""A value that the source writes in another way is said; another value, written so, is not."""

from __future__ import annotations

from every import examples, misses

import pytest_grounding as pg
from pytest_grounding.reading.identifiers import identifiers

#: Source, claim with the value written in another way, and the same claim with another value.
PAIRS = [
    ("The kiosk is shut from 12:00 to 14:30.", "The kiosk is shut until half past two.", "half past four"),
    ("The bus leaves at 21:20.", "The bus leaves at twenty past nine in the evening.", "twenty past eight"),
    ("The bakery opens at 6:00.", "The bakery opens at six in the morning.", "seven in the morning"),
    ("The gate closes at 17:45.", "The gate closes at a quarter to six.", "a quarter to eight"),
    ("The tower closes on 17 March.", "The tower closes on 17/3.", "18/3"),
    ("The tower closes on 3 May.", "The tower closes on 5/3.", "5/4"),
    ("The lock draws 8 µA.", "The lock draws 0.008 mA.", "0.08 mA"),
    ("The link carries 4 Gbit/s.", "The link carries 4,000 Mbit/s.", "400 Mbit/s"),
    (
        "The guarantee runs for 18 months.",
        "The guarantee runs for a year and six months.",
        "a year and four months",
    ),
    ("The hedge is cut once a week.", "The hedge is cut every seven days.", "every nine days"),
    ("The boiler is checked twice a year.", "The boiler is checked every six months.", "every eight months"),
    ("The meter reports every 20 seconds.", "The meter reports three times a minute.", "four times a minute"),
    (
        "The show opened on 4 June and closed on 18 June.",
        "It closed on 18 June, after two weeks.",
        "three weeks",
    ),
    (
        "The lift failed at 8:10. It ran again at 9:00.",
        "The lift failed at 8:10 for 50 minutes.",
        "40 minutes",
    ),
    (
        "The mill was sold in 1912 and burnt in 1916.",
        "It burnt four years after the sale of 1912.",
        "five years",
    ),
    ("The chapel dates from 1743.", "The chapel is of the 18th century.", "17th century"),
    ("Four boats and nine canoes are for hire.", "13 in all: four boats and nine canoes.", "15 in all"),
    ("The hall has 105 seats.", "The hall has a hundred and five seats.", "a hundred and six"),
]


def lacks_a_number(claim: str, source: str) -> bool:
    """Whether a value of a claim stands nowhere, or the claim is called contradicted."""
    score = pg.support(claim, [source, "Dogs are welcome."])
    values = set("half past quarter six seven two four three five nine eight hundred fourteen".split())
    lost = [word for word in score.missing if word[0].isdigit() or word.lower() in values]
    return bool(lost) or any(conflict.severity == "error" for conflict in score.conflicts)


def check_the_same_value_is_said(source: str, claim: str, other: str) -> None:
    assert not lacks_a_number(claim, source)


def test_the_same_value_is_said() -> None:
    assert misses(check_the_same_value_is_said, PAIRS) == []


def changed(claim: str, other: str) -> str:
    """The claim with another value: the words of it that the other one replaces are found by their number."""
    words, new = claim.split(), other.split()
    best = max(
        range(len(words) - len(new) + 1),
        key=lambda at: sum(a == b for a, b in zip(words[at:], new, strict=False)),
    )
    end = claim[-1] if claim.endswith(".") and best + len(new) == len(words) else ""
    return " ".join([*words[:best], *new, *words[best + len(new) :]]) + end


def check_another_value_is_not(source: str, claim: str, other: str) -> None:
    wrong = changed(claim, other)
    assert wrong != claim
    assert lacks_a_number(wrong, source), wrong


def test_another_value_is_not() -> None:
    assert misses(check_another_value_is_not, PAIRS) == []


def test_a_limit_that_is_denied_is_the_same_limit() -> None:
    score = pg.support("Nothing over 30 kg can be sent.", ["Parcels must not be heavier than 30 kg."])
    assert not [conflict for conflict in score.conflicts if conflict.severity == "error"]


@examples(
    ("claim", "source"),
    [
        # At least so often is not so often.
        ("The pond is cleaned every seven days.", "The pond is cleaned at least once a month."),
        # A later date is no older amount.
        ("They caught 300 more eels.", "They caught 900 eels. In the pond there are 600 carp."),
        # The span of two other dates.
        ("The fair lasts fourteen days.", "The fair opens on 4 June. The market closes on 18 June."),
    ],
)
def test_what_only_looks_alike_is_not_said(claim: str, source: str) -> None:
    assert lacks_a_number(claim, source)


#: Source, an answer that gives its value in another form, and an answer with another value.
ANSWERS = [
    ("A film that comes back late costs €2 per day.", "Two euros for each day.", "Three euros for each day."),
    ("The locker fee is £4.", "Four pounds.", "Five pounds."),
    ("The prize is €1m.", "The prize is one million euros.", "The prize is ten million euros."),
    ("The ride is CHF 3.20.", "The ride is 3.20 Swiss francs.", "The ride is 2.30 Swiss francs."),
    ("The ticket is 40 Swiss francs.", "The ticket is CHF 40.", "The ticket is CHF 14."),
    ("A bed is NOK 300 a night.", "It is 300 Norwegian kroner a night.", "It is 200 kroner a night."),
    ("The visa costs 30 US dollars.", "The visa costs $30.", "The visa costs €30."),
    ("It carries 45 cubic metres per second.", "It carries 45 m³/s.", "It carries 54 m³/s."),
    ("Notice is 90 days.", "Notice is about three months.", "Notice is about six months."),
    ("The note comes every two weeks.", "The note comes fortnightly.", "The note comes daily."),
    ("Rent rose by a quarter.", "Rent rose by 25 %.", "Rent rose by 15 %."),
    ("The office is on the third floor.", "The office is on floor 3.", "The office is on floor 4."),
    ("The exam is in week 10.", "The exam is in the tenth week.", "The exam is in the twelfth week."),
    ("The river is 2.3 km long.", "The river is 2.30 km long.", "The river is 2.4 km long."),
    ("Sales were 1.23 million.", "Sales were 1.2 million.", "Sales were 1.3 million."),
    ("The rate is 3.5 %.", "The rate is 3.5 percent.", "The rate is 3.6 %."),
    ("The fix came with version 2.3.", "The fix is in version 2.3.", "The fix is in version 2.4."),
    ("Sales were €3m in 2020. In 2021 €4m came in.", "In 2021, €4m came in.", "In 2021, €5m came in."),
    ("Lunch is served at 12:00.", "Lunch is served at noon.", "Lunch is served at midnight."),
]  # fmt: skip


def check_an_answer_passes_with_the_value_and_with_no_other(source: str, right: str, wrong: str) -> None:
    def status(answer: str) -> str:
        chunk = {"id": "c1", "text": source}
        row = {"id": "value", "question": "What does the note say?", "chunks": [chunk], "answer": answer}
        return pg.validate(row).status

    assert status(right) == "pass"
    assert status(wrong) != "pass"


def test_an_answer_passes_with_the_value_and_with_no_other() -> None:
    assert misses(check_an_answer_passes_with_the_value_and_with_no_other, ANSWERS) == []


def test_a_stroke_between_units_is_no_path() -> None:
    found = [one.text for one in identifiers("It moves 45 m³/s, and the log is /var/log/pump.log.")]
    assert found == ["/var/log/pump.log"]

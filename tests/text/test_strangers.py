"""Names that nobody mentioned, in a claim and as a finding of a validation."""

from collections.abc import Callable

from every import each
from growth import grows_at_most

import pytest_grounding as pg
from pytest_grounding.checks.hallucination import strange_names

SOURCE = "You can call the tax office in Bonn on any weekday to check on the status of your yearly return."


@each(
    ("You can call the QVX to check the status.", ["QVX"], ("QVX",)),
    ("The office is run by Anselm Quistara.", ["Anselm", "Quistara"], ("Anselm Quistara",)),
    ("QVX runs the office.", ["QVX"], ("QVX",)),
    # A capital at the start of a sentence, in a title, or of a word that names nobody.
    ("Taxes are due.", ["Taxes"], ()),
    ("Scope of Coverage", ["Scope", "Coverage"], ()),
    ("Bake it at 350 degrees Fahrenheit.", ["Fahrenheit"], ()),
    # Known in part.
    ("It is sold by Google Voice.", ["Voice"], ()),
    ("The office is in Bonn.", [], ()),
)
def test_names_without_a_known_word(claim: str, missing: list[str], names: tuple[str, ...]) -> None:
    assert strange_names(claim, missing) == names


def test_names_of_the_question_are_known() -> None:
    assert strange_names("You can call the QVX now.", ["QVX"], "What does the QVX do?") == ()


def test_many_names_cost_no_square() -> None:
    def work(count: int) -> Callable[[], object]:
        claim = "we met " + " and ".join(f"Ab{number}x" for number in range(count))
        missing = {f"Ab{number}x" for number in range(count)}
        return lambda: strange_names(claim, missing)

    assert grows_at_most(12, work(5_000), work(20_000))


def unknown(answer: str, source: str = SOURCE, **fields: object) -> list[tuple[str, object]]:
    row = {"id": "t", "question": "How is the status of a return checked?", "answer": answer, **fields}
    verdict = pg.validate({**row, "chunks": [{"id": "a", "text": source}]})
    return [(f.severity, f.details["names"]) for f in verdict.findings if f.rule == "unknown_entity"]


def test_a_name_that_no_source_mentions_is_a_note_on_a_claim_that_passes() -> None:
    source = "You can call the tax office on any weekday to check on the status of your yearly return."
    claim = source.replace("office", "office of Quistara")
    assert unknown(claim, source) == [("info", ["Quistara"])]
    assert unknown(claim, source.replace("office", "office of Quistara")) == []
    assert unknown(claim, source, history=[{"role": "user", "content": "Does Quistara run it?"}]) == []


def test_a_name_in_the_place_of_another_fails_and_gets_no_second_finding() -> None:
    source = "You can call the tax office in Bonn on any weekday to check the status of your yearly return."
    claim = source.replace("Bonn", "Quistara")
    assert pg.support(claim, [source]).probability < 0.7
    assert unknown(claim, source) == []


def test_a_claim_that_fails_gets_no_second_finding() -> None:
    assert unknown("The mayor Anselm Quistara lives on Mars with two cats.") == []


def test_a_language_with_other_capitals_is_left_alone() -> None:
    source = "Das Finanzamt prüft den Stand der Erklärung in vier Wochen."
    assert unknown("Das Finanzamt prüft den Stand der Erklärung in vier Wochen, sagt Quistara.", source) == []

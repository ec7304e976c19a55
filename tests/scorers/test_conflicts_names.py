"""Conflicts of names and roles, claims about the sources; and differences that are none."""

from __future__ import annotations

import pytest

from pytest_grounding.model.verdict import Conflict
from pytest_grounding.scorers.lexical.conflicts import conflicts_between, find_conflicts
from pytest_grounding.scorers.lexical.index import index_of
from pytest_grounding.scorers.lexical.tokens import tokenize


def against(claim: str, *chunks: str) -> tuple[Conflict, ...]:
    ids = [f"c{number}" for number in range(len(chunks))]
    return find_conflicts(claim, tokenize(claim), [index_of(chunk) for chunk in chunks], ids)


ENTITIES = [
    (
        "The company was founded by Henrik Larsen in a garage.",
        "The company was founded by Olga Petrova in a garage.",
    ),
    (
        "The festival takes place in Toronto every summer.",
        "The festival takes place in Montreal every summer.",
    ),
    ("The novel was written by Tolstoy in his youth.", "The novel was written by Pushkin in his youth."),
    ("The bridge crosses the Danube near the old mill.", "The bridge crosses the Rhine near the old mill."),
    ("The treaty was signed in Vienna by both kings.", "The treaty was signed in Paris by both kings."),
    ("The engine is made by Volvo for small trucks.", "The engine is made by Scania for small trucks."),
    ("The vaccine was tested in Brazil on volunteers.", "The vaccine was tested in Chile on volunteers."),
    ("The team is coached by Anna Berg this season.", "The team is coached by Maria Holm this season."),
    ("The album was recorded in Nashville over a week.", "The album was recorded in Memphis over a week."),
    (
        "The law was proposed by Senator Alvarez last week.",
        "The law was proposed by Senator Whitman last week.",
    ),
    ("The airline flies daily to Lisbon from here.", "The airline flies daily to Madrid from here."),
    ("The painting hangs in the Louvre beside a window.", "The painting hangs in the Prado beside a window."),
    ("The app was bought by Microsoft for its maps.", "The app was bought by Oracle for its maps."),
    ("The statue honours Napoleon and his soldiers.", "The statue honours Wellington and his soldiers."),
    ("The river rises in Bavaria and flows east.", "The river rises in Saxony and flows east."),
]
NO_ENTITIES = [
    ("The company was founded by Larsen.", "The company was founded by Henrik Larsen in a garage."),
    ("The WHO approved the vaccine.", "The World Health Organization (WHO) approved the vaccine."),
    ("The festival takes place in Toronto.", "Every summer the festival takes place in Toronto, Canada."),
    ("The novel was written by Leo Tolstoy.", "The novel was written by Tolstoy in his youth."),
    ("The bridge crosses the Rhine.", "The bridge crosses the Rhine and the Danube."),
    ("The engine is made by Volvo.", "Volvo makes the engine for small trucks."),
    ("The U.S. signed the treaty.", "The US signed the treaty."),
    ("The Italian team won.", "The team of Italy won."),
    ("World War II ended there.", "World War Two ended there."),
    ("Rinse the glass with Water.", "Rinse the glass with water."),
    ("Place the pan on the stove.", "Put the pan on the stove."),
    ("The law was proposed by Alvarez.", "Senator Alvarez proposed the law last week."),
    ("Microsoft bought the app.", "The app was bought by Microsoft for its maps."),
    ("Paris is the capital of France.", "The capital of France is Paris."),
    ("Napoleon's soldiers fought.", "The soldiers of Napoleon fought."),
]
ROLES = [
    ("Acme acquired Globex in 2019.", "Globex acquired Acme in 2019."),
    ("Alice is taller than Bob.", "Bob is taller than Alice."),
    ("Germany defeated Brazil in the final.", "Brazil defeated Germany in the final."),
    ("Anna sold the house to Martin.", "Martin sold the house to Anna."),
    ("Carthage attacked Rome by sea.", "Rome attacked Carthage by sea."),
    ("Kepler taught Galileo the method.", "Galileo taught Kepler the method."),
    ("The court sued the bank over the loan.", "The bank sued the court over the loan."),
    ("The lion hunts the zebra at night.", "The zebra hunts the lion at night."),
    ("Steel contains iron in most cases.", "Iron contains steel in most cases."),
    ("Heat causes pressure in the tank.", "Pressure causes heat in the tank."),
    ("Norway exports more fish than Iceland.", "Iceland exports more fish than Norway."),
    ("Oracle hired Smith from Intel.", "Smith hired Oracle from Intel."),
    ("The mother feeds the chick with worms.", "The chick feeds the mother with worms."),
    ("The moon attracts the ocean each day.", "The ocean attracts the moon each day."),
    ("Denmark invaded Sweden in winter.", "Sweden invaded Denmark in winter."),
]
NO_ROLES = [
    ("Acme acquired Globex in 2019.", "Globex was acquired by Acme in 2019."),
    ("Alice and Bob are tall.", "Bob and Alice are tall."),
    ("Germany defeated Brazil.", "Brazil was defeated by Germany in the final."),
    ("Amir Khan, a boxer from Bolton, won.", "Bolton boxer Amir Khan won."),
    ("The war between Rome and Carthage was long.", "The war between Carthage and Rome was long."),
    ("The lion hunts the zebra.", "At night the lion hunts the zebra."),
    ("Steel contains iron.", "Steel contains iron and carbon."),
    ("Anna met Martin in Oslo.", "In Oslo Anna met Martin."),
    ("The bank sued the court.", "The court was sued by the bank."),
    ("Smith works for Oracle.", "Smith works for Oracle and lives in Texas."),
    ("The moon attracts the ocean.", "Each day the moon attracts the ocean."),
    ("Gary Locke, the manager of Kilmarnock, signed.", "Kilmarnock manager Gary Locke signed."),
    ("Kepler wrote to Galileo.", "Kepler wrote to Galileo twice."),
    ("Iceland and Norway export fish.", "Norway and Iceland export fish."),
    ("Denmark invaded Sweden in winter.", "In winter Denmark invaded Sweden."),
]


@pytest.mark.parametrize(("claim", "evidence"), ENTITIES)
def test_another_name_in_the_same_place_is_a_conflict(claim: str, evidence: str) -> None:
    found = conflicts_between(claim, evidence)
    assert [conflict.kind for conflict in found] == ["entity"]
    assert found[0].claim_text[0].isupper()


@pytest.mark.parametrize(("claim", "evidence"), NO_ENTITIES + NO_ROLES)
def test_the_same_names_in_the_same_roles_are_no_conflict(claim: str, evidence: str) -> None:
    assert conflicts_between(claim, evidence) == ()


@pytest.mark.parametrize(("claim", "evidence"), ROLES)
def test_roles_that_changed_places_are_a_conflict(claim: str, evidence: str) -> None:
    assert [conflict.kind for conflict in conflicts_between(claim, evidence)] == ["role"]


def test_a_known_name_in_the_place_of_another_is_a_conflict() -> None:
    claim = "The company was founded by Henrik Larsen in a garage."
    (found,) = against(
        claim, "The company was founded by Olga Petrova in a garage.", "Today Henrik Larsen leads the board."
    )
    assert (found.kind, found.evidence.chunk_id, found.evidence_text) == ("entity", "c0", "Olga Petrova")


def test_a_name_that_no_source_knows_is_a_warning() -> None:
    (found,) = conflicts_between(
        "The oldest bakery of the town belongs to Quillfeather.",
        "The oldest bakery of the town belongs to Smith.",
    )
    assert (found.kind, found.severity, found.claim_text) == ("entity", "warning", "Quillfeather")


def test_a_claim_that_the_sources_are_silent_on_what_they_say_is_a_conflict() -> None:
    claim = "The Italian meaning of Teresa is not stated in the passages."
    (found,) = against(claim, "In Italian the meaning of Teresa is Harvester.")
    assert (found.kind, found.claim_text) == ("absence", "not stated")


def test_a_claim_that_the_sources_are_silent_on_something_else_is_no_conflict() -> None:
    assert (
        against("The price of tea is not mentioned in the passages.", "The name Teresa means harvester.")
        == ()
    )


def test_a_passage_that_does_not_exist_is_a_conflict() -> None:
    (found,) = against(
        "Dizziness is an early sign (passage 5).", "Mood swings are common.", "Dizziness is an early sign."
    )
    assert (found.kind, found.severity, found.claim_text) == ("source", "error", "passage 5")


def test_a_passage_that_says_so_is_no_conflict() -> None:
    assert (
        against("Dizziness is an early sign (passage 2).", "Moods change.", "Dizziness is an early sign.")
        == ()
    )

"""Conflicts of names; and differences that are none, the same names in another order among them."""

from __future__ import annotations

from collections.abc import Callable

from every import examples, misses
from growth import grows_at_most

from pytest_grounding.model.verdict import Conflict
from pytest_grounding.reading.words import tokenize
from pytest_grounding.scorers.builtin.conflicts import conflicts_between, find_conflicts
from pytest_grounding.scorers.builtin.token_index import index_of


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
    ("The law was proposed by Alvarez last week.", "The law was proposed by Whitman last week."),
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
    ("Northgate acquired Brightline.", "Brightline was acquired by Northgate in 2015."),
    ("Beaumont bought the restaurant from Kato.", "Kato sold the restaurant to Beaumont."),
    ("Amir met Viktor through Lena.", "Lena introduced Viktor to Amir at a conference in Lyon."),
    ("Lindqvist received a letter from Voss.", "Voss wrote the letter to Lindqvist in 1932."),
    ("Amir Khan, a boxer from Bolton, visited a park.", "The Bolton boxer Amir Khan visited a park."),
    ("Gary Locke, the manager of Kilmarnock, signed.", "Kilmarnock manager Gary Locke signed."),
    ("Kestrel and Morrow signed the contract.", "Morrow and Kestrel signed the contract."),
    ("Earth is larger than Mars.", "Mars is smaller than Earth."),
    ("Belle's father Maurice is played by Kline.", "Kline plays Maurice, the father of Belle."),
    ("The difference between Ulm and Bonn is small.", "The difference between Bonn and Ulm is small."),
    ("Paris is famously known for the Eiffel Tower.", "The Eiffel Tower is a famous landmark in Paris."),
    ("Labour spent 26p, and Plaid spent 79p.", "Plaid spent 79p, Labour 26p."),
    ("The kidneys filter the blood.", "The blood is filtered by the kidneys."),
    ("A vault stores the keys.", "The keys are stored in a vault."),
    ("The keys are stored in a vault.", "A vault stores the keys."),
    ("Craters are formed by impacts of meteorites.", "Craters are caused by impacts of meteorites."),
    ("Agents are required by law to know this.", "Agents required by law to know this may guide you."),
    ("The wheat loaf sells worse than the rye loaf.", "The rye loaf sells better than the wheat loaf."),
]


@examples(("claim", "evidence"), ENTITIES)
def test_another_name_in_the_same_place_is_a_conflict(claim: str, evidence: str) -> None:
    found = conflicts_between(claim, evidence)
    assert [conflict.kind for conflict in found] == ["entity"]
    assert found[0].claim_text[0].isupper()


def check_the_same_names_in_the_same_roles_are_no_conflict(claim: str, evidence: str) -> None:
    assert conflicts_between(claim, evidence) == ()


def test_the_same_names_in_the_same_roles_are_no_conflict() -> None:
    assert misses(check_the_same_names_in_the_same_roles_are_no_conflict, NO_ENTITIES + NO_ROLES) == []


def test_a_known_name_in_the_place_of_another_is_a_conflict() -> None:
    claim = "The company was founded by Henrik Larsen in a garage."
    (found,) = against(
        claim, "The company was founded by Olga Petrova in a garage.", "Today Henrik Larsen leads the board."
    )
    assert (found.kind, found.evidence.chunk_id, found.evidence_text) == ("entity", "c0", "Olga Petrova")


def test_a_name_that_no_source_knows_is_a_conflict_with_the_one_in_its_place() -> None:
    (found,) = conflicts_between(
        "The oldest bakery of the town belongs to Quillfeather.",
        "The oldest bakery of the town belongs to Smith.",
    )
    assert (found.kind, found.claim_text, found.evidence_text) == ("entity", "Quillfeather", "Smith")


def test_a_claim_that_the_sources_are_silent_on_something_else_is_no_conflict() -> None:
    assert (
        against("The price of tea is not mentioned in the passages.", "The name Teresa means harvester.")
        == ()
    )


def test_many_names_cost_no_square() -> None:
    def work(count: int) -> Callable[[], object]:
        names = [f"Person{chr(97 + number % 26)}{chr(97 + number // 26 % 26)}" for number in range(count)]
        claim = " met ".join(names)
        source = " met ".join(reversed(names)) + "."
        return lambda: conflicts_between(claim, source)

    # Four times as many names; the square would cost sixteen times as much.
    assert grows_at_most(9, work(100), work(400), floor=0.005)

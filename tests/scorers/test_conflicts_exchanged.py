"""Two names that have changed places, and statements that put the same names in another order."""

from __future__ import annotations

import time

import pytest

import pytest_grounding as pg
from pytest_grounding.model.verdict import Conflict
from pytest_grounding.scorers.lexical.conflicts import conflicts_between


def roles(claim: str, source: str) -> list[Conflict]:
    return [conflict for conflict in conflicts_between(claim, source) if conflict.kind == "role"]


EXCHANGED = [
    ("Meyer guided the students of Ito.", "Ito guided the students of Meyer until 2011."),
    ("The Ukrainian Cyber Troops are led by Dokukin.", "Dokukin is led by the Ukrainian Cyber Troops."),
    ("Potts was voiced by Dame Lansbury in 1991.", "Dame Lansbury was voiced by Potts in 1991."),
    ("In May Kestrel sued Morrow over the patents.", "In May Morrow sued Kestrel over the patents."),
    ("Kline plays Belle, the father of Maurice.", "Kline plays Maurice, the father of Belle."),
]
SAME = [
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
]


@pytest.mark.parametrize(("claim", "source"), EXCHANGED)
def test_names_that_fit_each_others_places_are_a_conflict_of_roles(claim: str, source: str) -> None:
    found = roles(claim, source)
    assert len(found) == 1
    assert claim[found[0].claim_start :].startswith(found[0].claim_text)
    assert not roles(source, source)


@pytest.mark.parametrize(("claim", "source"), SAME)
def test_the_same_names_in_another_order_are_none(claim: str, source: str) -> None:
    assert roles(claim, source) == []


def test_a_well_bound_exchange_is_an_error_and_contradicts() -> None:
    source = "In 2014 Professor Ito recommended Doctor Meyer for the prize of the academy."
    claim = "In 2014 Doctor Meyer recommended Professor Ito for the prize of the academy."
    assert [item.severity for item in roles(claim, source)] == ["error"]
    assert not pg.support("Doctor Meyer was recommended by Professor Ito.", [source]).conflicts


def test_a_sentence_that_says_it_as_the_claim_does_takes_the_conflict_away() -> None:
    chunks = ["Morrow sued Kestrel in May.", "In June Kestrel sued Morrow."]
    assert not [item for item in pg.support("Kestrel sued Morrow.", chunks).conflicts if item.kind == "role"]


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("The blood filters the kidneys.", "The blood is filtered by the kidneys."),
        ("Apple trees pollinate bees.", "Apple trees are pollinated by bees."),
        ("The kidneys are filtered by the blood.", "The kidneys filter the blood."),
        ("The impact of a meteorite is formed by a crater.", "Craters are caused by impacts of meteorites."),
    ],
)
def test_a_passive_with_the_same_words_on_the_same_sides_is_turned(claim: str, source: str) -> None:
    assert len(roles(claim, source)) == 1


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("The kidneys filter the blood.", "The blood is filtered by the kidneys."),
        ("A vault stores the keys.", "The keys are stored in a vault."),
        ("The keys are stored in a vault.", "A vault stores the keys."),
        ("Craters are formed by impacts of meteorites.", "Craters are caused by impacts of meteorites."),
        ("Agents are required by law to know this.", "Agents required by law to know this may guide you."),
        ("The wheat loaf sells worse than the rye loaf.", "The rye loaf sells better than the wheat loaf."),
    ],
)
def test_an_active_that_says_what_a_passive_says_is_none(claim: str, source: str) -> None:
    assert conflicts_between(claim, source) == ()


def test_many_names_cost_no_square() -> None:
    def seconds(count: int) -> float:
        names = [f"Person{chr(97 + number % 26)}{chr(97 + number // 26 % 26)}" for number in range(count)]
        claim = " met ".join(names)
        source = " met ".join(reversed(names)) + "."
        best = float("inf")
        for _ in range(3):
            start = time.process_time()
            conflicts_between(claim, source)
            best = min(best, time.process_time() - start)
        return best

    seconds(10)
    # Four times as many names; the square would cost sixteen times as much.
    assert seconds(400) < 9 * seconds(100) + 0.05

"""All faults, in the order in which they are reported. The only place that names them."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from pytest_grounding.mutation.additions import plant_fabricated_clause, plant_off_topic
from pytest_grounding.mutation.citing import (
    plant_altered_quote,
    plant_invented_citation,
    plant_repointed_citation,
)
from pytest_grounding.mutation.dates import plant_date
from pytest_grounding.mutation.entities import plant_new_entity, plant_swapped_entity
from pytest_grounding.mutation.numbers import plant_new_number, plant_swapped_number
from pytest_grounding.mutation.orders import plant_followed_order
from pytest_grounding.mutation.polarity import plant_antonym, plant_negation, plant_quantifier
from pytest_grounding.mutation.retrieving import plant_removed_chunk
from pytest_grounding.mutation.roles import plant_role_swap
from pytest_grounding.mutation.site import Mutant, Site
from pytest_grounding.mutation.units import plant_unit

Plant = Callable[[Site, random.Random], Mutant | None]


@dataclass(frozen=True, slots=True)
class Fault:
    """One kind of fault."""

    name: str
    plant: Plant
    about: str
    is_english: bool = True


FAULTS: tuple[Fault, ...] = (
    Fault("new_number", plant_new_number, "a number that no chunk holds", is_english=False),
    Fault("swapped_number", plant_swapped_number, "another number of the chunks", is_english=False),
    Fault("unit", plant_unit, "another unit beside the same number"),
    Fault("date", plant_date, "another year, month, day or time"),
    Fault("new_entity", plant_new_entity, "a name that nobody bears"),
    Fault("swapped_entity", plant_swapped_entity, "another name of the chunks"),
    Fault("negation", plant_negation, "the statement denied, or its denial dropped"),
    Fault("antonym", plant_antonym, "a word turned into its opposite"),
    Fault("quantifier", plant_quantifier, "another amount or frequency"),
    Fault("role_swap", plant_role_swap, "'A verb B' becomes 'B verb A'"),
    Fault("off_topic", plant_off_topic, "a sentence on another topic inserted"),
    Fault("fabricated_clause", plant_fabricated_clause, "a clause without a source appended"),
    Fault(
        "citation_repointed", plant_repointed_citation, "the citation names another chunk", is_english=False
    ),
    Fault("citation_invented", plant_invented_citation, "the citation names no chunk", is_english=False),
    Fault("quote_altered", plant_altered_quote, "a word of a quotation changed", is_english=False),
    Fault("chunk_removed", plant_removed_chunk, "the supporting chunk not retrieved", is_english=False),
    Fault("order_followed", plant_followed_order, "an order to the model in a chunk, followed"),
)


def fault_names() -> tuple[str, ...]:
    """The names of all faults, in the order of the report."""
    return tuple(fault.name for fault in FAULTS)

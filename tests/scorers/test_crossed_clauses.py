"""Claims that take the subject of one clause and what the clause beside it says."""

from __future__ import annotations

import pytest

from pytest_grounding.scorers.lexical.conflicts.clauses import Clause, cut_of
from pytest_grounding.scorers.lexical.conflicts.contest import Contest
from pytest_grounding.scorers.lexical.conflicts.frames import FEATURES, features_of
from pytest_grounding.scorers.lexical.conflicts.parallel_measures import MEASURES
from pytest_grounding.scorers.lexical.conflicts.parallels import may_cross, parallel_conflicts
from pytest_grounding.scorers.lexical.conflicts.sources import sources_of
from pytest_grounding.scorers.lexical.conflicts.view import View, view_of_claim
from pytest_grounding.scorers.lexical.tokens import tokenize


def view_of(text: str) -> View:
    """A text as the finders see it."""
    return view_of_claim(text, tokenize(text))


def found(claim: str, source: str) -> list[tuple[str, str]]:
    """What the finder proposes: words of the claim and of the source."""
    contest = Contest(view_of(claim), sources_of(source))
    return [
        (claim[one.start : one.end], source[one.rival_start : one.rival_end])
        for one in parallel_conflicts(contest)
    ]


def measured(claim: str, source: str) -> dict[str, float]:
    """What is measured of the candidate."""
    contest = Contest(view_of(claim), sources_of(source))
    (one,) = parallel_conflicts(contest)
    return dict(one.measures)


GARDEN = "The lower gate is locked; the upper gate is open."
BUS = "The morning bus came empty, and the noon bus was full."
CUPBOARD = "The shelves are oak, the door itself is plywood."
BATS = "Grey bats hunt at night and sleep in caves during the day."
RULES = "Divers must carry a whistle. A second lamp is optional."


@pytest.mark.parametrize(
    ("claim", "source", "words"),
    [
        ("The upper gate is locked.", GARDEN, ("locked", "open")),
        ("The lower gate is open.", GARDEN, ("open", "locked")),
        ("The noon bus was empty.", BUS, ("empty", "full")),
        ("The shelves are plywood.", CUPBOARD, ("plywood", "oak")),
        ("Grey bats hunt during the day.", BATS, ("day", "night")),
        ("A whistle is optional for divers.", RULES, ("optional", "must carry")),
        (
            "After the repair, noise rose.",
            "After the repair, noise fell and power use rose.",
            ("rose", "fell"),
        ),
        (
            "Plates are washed twice a week.",
            "Plates are washed daily, table cloths twice a week.",
            ("twice a week", "daily"),
        ),
        (
            "The north store is run by Team Linden.",
            "The north store is run by Team Alder, while the south store is run by Team Linden.",
            ("Linden", "Alder"),
        ),
    ],
)
def test_a_part_of_each_clause_is_proposed(claim: str, source: str, words: tuple[str, str]) -> None:
    assert found(claim, source) == [words]


def test_a_claim_with_all_words_of_both_is_read_clause_by_clause() -> None:
    claim = "Cold water is shut off and hot water is shut off too."
    source = "In the annex, cold water is shut off and hot water is running."
    assert found(claim, source) == [("shut", "running")]
    both = "The lower gate is open and the upper gate is locked."
    assert measured(both, GARDEN)["cross_told"] == 1.0


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("The upper gate is open.", GARDEN),
        ("The lower gate is locked.", GARDEN),
        ("The lower gate is locked and the upper gate is open.", GARDEN),
        ("The noon bus was full.", BUS),
        ("The door is plywood.", CUPBOARD),
        ("Divers must carry a whistle.", RULES),
        ("A second lamp is optional.", RULES),
        ("Grey bats sleep in caves during the day.", BATS),
        ("Kayaks need a permit on Sundays.", GARDEN),
        ("The upper gate is locked.", GARDEN + " At night the upper gate is locked."),
        ("Gates.", GARDEN),
        ("The upper gate is locked.", "| lower gate | locked |\n| upper gate | open |"),
        ("The upper gate is locked.", ""),
    ],
)
def test_what_a_clause_says_is_not(claim: str, source: str) -> None:
    assert found(claim, source) == []


def test_what_is_measured() -> None:
    seen = measured("The upper gate is locked.", GARDEN)
    assert seen["cross_half"] == seen["cross_opposed"] == seen["cross_clear"] == 1.0
    assert seen["cross_held"] == seen["cross_framed"] == 1.0
    assert "cross_strange" not in seen
    assert seen["cross_alone"] < 1.0
    far = measured("The rusty upper gate is locked.", GARDEN)
    assert far["cross_strange"] > 0.0
    assert "cross_clear" not in far
    assert measured("A whistle is optional for divers.", RULES)["cross_neighbours"] == 1.0


def test_every_measure_is_a_feature() -> None:
    assert list(MEASURES) == [name for name in FEATURES if name.startswith("cross_")]
    contest = Contest(view_of("The upper gate is locked."), sources_of(GARDEN))
    (one,) = parallel_conflicts(contest)
    assert {name for name, _ in one.measures} <= set(MEASURES)
    assert dict(zip(FEATURES, features_of(contest, one, 0), strict=True))["cross_clear"] == 1.0


def test_a_claim_of_one_word_is_not_looked_at() -> None:
    assert not may_cross(view_of("Locked."))
    assert may_cross(view_of("The gate is locked."))


def told(text: str, clauses: tuple[Clause, ...]) -> list[str]:
    """The texts of clauses."""
    tokens = view_of(text).tokens
    return [text[tokens[one.low].start : tokens[one.high - 1].end] for one in clauses]


def test_a_sentence_is_cut_into_halves_and_parts() -> None:
    text = "Tea is free, cake is not, but coffee is sold; soup is sold too"
    cut = cut_of(view_of(text), 0, len(view_of(text).tokens))
    assert cut is not None
    assert told(text, cut.halves) == ["Tea is free, cake is not, but", "coffee is sold", "soup is sold too"]
    assert [one.denies for one in cut.parts] == [False, True, False, False]
    assert cut_of(view_of("a | b"), 0, 2) is None
    assert cut_of(view_of(""), 0, 0) is None

"""How often, in which place, and how large a share: what is put otherwise, and what says the same."""

from __future__ import annotations

import pytest
from every import examples

from pytest_grounding.reading.facts.often import agree, often_in
from pytest_grounding.reading.words import tokenize
from pytest_grounding.scorers.builtin.conflicts.conflict_search import candidates_of
from pytest_grounding.scorers.builtin.conflicts.contest import Candidate, Contest
from pytest_grounding.scorers.builtin.conflicts.sentence_view import sources_of, view_of_claim

DAY = 86400.0


def proposed(claim: str, source: str) -> list[Candidate]:
    """What the finders propose against a claim."""
    contest = Contest(view_of_claim(claim, tokenize(claim)), sources_of(source))
    return candidates_of(contest)


def kinds(claim: str, source: str) -> set[str]:
    """The kinds that they propose, but for clauses that are laid side by side, which is another finder's."""
    return {found.kind for found in proposed(claim, source)} - {"parallel"}


@examples(
    ("text", "period"),
    [
        ("The filter is rinsed daily.", 1),
        ("The filter is rinsed every day.", 1),
        ("The filter is rinsed each morning.", 1),
        ("The filter is rinsed once a day.", 1),
        ("The filter is rinsed seven times a week.", 1),
        ("The filter is rinsed every 14 days.", 14),
        ("The filter is rinsed every two weeks.", 14),
        ("The filter is rinsed fortnightly.", 14),
        ("The filter is rinsed every other week.", 14),
        ("The filter is rinsed once every four years.", 1461),
        ("The filter is rinsed twice every six weeks.", 21),
        ("The filter is rinsed on Mondays.", 7),
        ("The filter is rinsed every Monday and Thursday.", 3.5),
        ("The filter is rinsed five days a week.", 1.4),
        ("The filter is rinsed on weekdays.", 1.4),
        ("The filter is rinsed hourly.", 1 / 24),
    ],
)
def test_how_often_is_read(text: str, period: float) -> None:
    found = often_in(text)
    assert len(found) == 1
    assert found[0].low == found[0].high == pytest.approx(1 / (period * DAY), rel=1e-3)


@examples(
    "text",
    [
        "It costs 5 euros monthly.",
        "It takes 100 requests per minute.",
        "They work 8 hours a day.",
        "Every time it rains, the cellar floods.",
        "Three men came a week later.",
        "The shop is shut on Monday.",
    ],
)
def test_values_and_dates_say_nothing_of_how_often(text: str) -> None:
    assert often_in(text) == ()


@examples(
    ("one", "other", "expected"),
    [
        ("at least once a week", "daily", True),
        ("at least once a week", "at least once a month", False),
        ("up to three times a day", "once a day", True),
        ("up to three times a day", "hourly", False),
        ("monthly", "every four weeks", True),
        ("quarterly", "four times a year", True),
        ("twice a year", "yearly", False),
    ],
)
def test_limits_and_calendars_agree(one: str, other: str, expected: bool) -> None:
    (first,), (second,) = often_in(f"It runs {one}."), often_in(f"It runs {other}.")
    assert agree(first, second) is agree(second, first) is expected


FLUIDS = "The gearbox oil is changed every year and the brake fluid every two years."


@examples(
    ("claim", "source"),
    [
        ("The nets are mended weekly.", "The nets are mended every day."),
        ("The nets are mended once a month.", "The nets are mended daily, the ropes once a month."),
        ("The gearbox oil is changed every month.", FLUIDS),
        ("The brake fluid is changed every year.", FLUIDS),
        ("The ferry runs every day.", "The ferry runs on weekdays."),
        ("The pills are taken daily.", "The pills are taken three times a day."),
    ],
)
def test_other_answers_to_how_often_are_proposed(claim: str, source: str) -> None:
    assert "number" in kinds(claim, source)


@examples(
    ("claim", "source"),
    [
        ("The nets are mended once a day.", "The nets are mended daily, the ropes once a month."),
        (
            "The bins are emptied every two weeks.",
            "The bins are emptied fortnightly; the yard every 3 weeks.",
        ),
        ("The brake fluid is changed every two years and the oil every year.", FLUIDS),
        ("The ferry runs on Mondays.", "The ferry runs daily."),
        ("The choir meets once a week.", "The choir meets every Wednesday."),
        ("The pills are taken every 8 hours.", "The pills are taken three times a day."),
        ("The pump takes 1 request per second.", "The pump takes 60 requests per minute."),
    ],
)
def test_the_same_in_another_way_is_not_proposed(claim: str, source: str) -> None:
    assert kinds(claim, source) == set()


@examples(
    ("claim", "source", "kind"),
    [
        ("The rowers of Hask finished second.", "The rowers of Hask came third.", "number"),
        ("Frost is due on Friday morning.", "Frost is due on Friday night.", "opposed"),
        ("Only half of the members agreed.", "All ten members agreed.", "quantifier"),
        (
            "The spring gives 45 litres of water per day.",
            "The spring gives 45 litres of water per second.",
            "unit",
        ),
    ],
)
def test_other_places_shares_and_rates_are_proposed(claim: str, source: str, kind: str) -> None:
    assert kind in kinds(claim, source)


@examples(
    ("claim", "source"),
    [
        ("The rowers of Hask finished second.", "The rowers of Hask came second."),
        ("The rowers of Hask came last.", "In the end the rowers of Hask came in last place."),
        ("The rowers of Hask came last of all.", "The rowers of Hask came third, behind Ull."),
        ("The rowers of Hask came last week.", "The rowers of Hask came third last week."),
        ("The chapel is the third oldest in Hask.", "The chapel is the third-oldest in Hask."),
        ("First stop, then call the office.", "First stop, second call the office."),
        ("Half the members agreed.", "Half of the members agreed."),
        ("The spring gives 60 litres of water per minute.", "The spring gives 1 litre of water per second."),
    ],
)
def test_the_same_places_shares_and_rates_are_not_proposed(claim: str, source: str) -> None:
    assert kinds(claim, source) == set()

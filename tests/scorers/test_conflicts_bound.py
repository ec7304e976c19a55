"""Values, names and words that no source has in their place; and neighbours that are no conflict."""

from __future__ import annotations

from every import examples

import pytest_grounding as pg
from pytest_grounding.model.verdict import Conflict
from pytest_grounding.reading.words import tokenize
from pytest_grounding.scorers.builtin.conflicts import conflicts_between, find_conflicts
from pytest_grounding.scorers.builtin.conflicts.conflict_search import candidates_of
from pytest_grounding.scorers.builtin.conflicts.contest import Candidate, Contest
from pytest_grounding.scorers.builtin.conflicts.sentence_view import sources_of, view_of_claim
from pytest_grounding.scorers.builtin.token_index import index_of


def kinds(claim: str, source: str) -> list[str]:
    return [conflict.kind for conflict in conflicts_between(claim, source)]


def candidates(claim: str, source: str) -> list[Candidate]:
    return candidates_of(Contest(view_of_claim(claim, tokenize(claim)), sources_of(source)))


def about(question: str, claim: str, *chunks: str) -> tuple[Conflict, ...]:
    given = frozenset(token.stem for token in tokenize(question) if not token.is_stop)
    ids = [str(number) for number in range(len(chunks))]
    return find_conflicts(claim, tokenize(claim), [index_of(chunk) for chunk in chunks], ids, given=given)


@examples(
    ("claim", "source"),
    [
        (
            "Cover the roast and let it rest for 30 hours.",
            "Cover the roast. It should rest 30 minutes in the pan.",
        ),
        ("The survey costs €500.", "You will pay $500 for the survey."),
        ("Dry the herbs at 40 °F.", "Herbs are dried in the oven at 40 °C or less."),
    ],
)
def test_the_same_number_with_another_unit_is_a_conflict_however_it_is_said(claim: str, source: str) -> None:
    assert kinds(claim, source) == ["unit"]


@examples(
    ("claim", "source"),
    [
        ("The largest daily dose is 1200 mg.", "Take no more than 1200 mg a day."),
        ("It lasts two weeks.", "It lasts 14 days, or two minutes in the microwave."),
        ("Bake at 350°F (175°C).", "Heat the oven to 350 F."),
        ("Money in a 401(k) is taxed later.", "Money in a 401k or an IRA is taxed later."),
    ],
)
def test_the_same_value_in_another_form_is_no_conflict(claim: str, source: str) -> None:
    assert kinds(claim, source) == []


def test_a_month_that_no_source_names_is_set_against_the_date_that_shares_its_day() -> None:
    claim, source = (
        "On February 23rd the high is 82 degrees.",
        "The forecast for Aug 23 is 82 degrees and sunny.",
    )
    (found,) = (one for one in candidates(claim, source) if one.kind == "date")
    assert claim[found.start : found.end] == "February 23rd"
    assert source[found.rival_start : found.rival_end] == "Aug 23"


def test_a_date_that_is_said_in_another_form_is_no_conflict() -> None:
    assert kinds("It opened on 3 May 2001.", "Opening day was 2001-05-03.") == []
    assert kinds("It opened in May.", "It opened on 3/5/2001 and closed in June.") == []


def test_a_name_of_the_sources_in_the_place_of_another_is_a_conflict() -> None:
    source = (
        "The first direct tax was imposed by Parliament in 1765. Franklin went to London. "
        "The colonists burned the paper."
    )
    found = about("Why were the colonists upset?", "The first direct tax was imposed by Franklin.", source)
    assert [(item.kind, item.evidence_text) for item in found] == [("entity", "Parliament")]


def test_the_name_that_the_question_is_about_may_be_left_out_by_the_sentence() -> None:
    source = "Bucharest lies in Romania. The average temperature in summer is around 23 degrees."
    claim = "The average summer temperature in Bucharest is around 23 degrees."
    assert about("How warm is Bucharest in summer?", claim, source) == ()


def test_the_opposite_of_a_word_of_the_source_is_a_conflict() -> None:
    claim, source = "The two twins have identical fathers.", "The twins have different fathers."
    assert [(item.claim_text, item.evidence_text) for item in conflicts_between(claim, source)] == [
        ("identical", "different")
    ]


@examples(
    ("claim", "source"),
    [
        ("The price excludes breakfast.", "Breakfast is not part of the price."),
        ("It becomes slower in the cold.", "It slows down in the cold."),
        ("There are several options for a refund.", "A refund is paid in several ways."),
        ("It is not useless to wear gloves.", "Wear gloves when you handle blood."),
    ],
)
def test_a_word_that_agrees_with_a_denial_is_no_conflict(claim: str, source: str) -> None:
    assert "antonym" not in kinds(claim, source)


@examples(
    ("claim", "source"),
    [
        ("Cheese is made from milk.", "Milk is used to make cheese."),
        ("Rocks are made of stones.", "Stones are made of rocks, and rocks are made of stones."),
        ("The Earth is larger than Mars.", "Mars is smaller than the Earth."),
        ("The treaty came before the peace.", "The peace came after the treaty."),
        ("Water damage is not covered.", "Damage caused by water is not covered."),
        ("Beaumont bought the shop from Kato.", "Kato sold the shop to Beaumont."),
    ],
)
def test_the_same_from_the_other_side_is_no_conflict(claim: str, source: str) -> None:
    assert kinds(claim, source) == []


def test_another_name_joined_to_the_same_verb_is_a_conflict() -> None:
    claim = "In spring the act was repealed by Congress."
    assert kinds(claim, "In spring the act was repealed by Parliament. Congress met in autumn.") == ["entity"]
    assert not [
        item
        for item in conflicts_between(claim, "In spring the act was repealed by Parliament and Congress.")
        if item.severity == "error"
    ]


@examples(
    ("claim", "source", "doubt"),
    [
        ("If this doesn't work, shut the door.", "Shut the door and lock it.", "unsure"),
        ("You may not be able to peel it off.", "You may be able to peel it off.", "unsure"),
        ("Use netting that doesn't entangle birds.", "Use netting that is safe for birds.", "unsaid"),
    ],
)
def test_a_denial_of_a_condition_or_of_what_may_be_is_doubted(claim: str, source: str, doubt: str) -> None:
    (found,) = (one for one in candidates(claim, source) if one.kind == "negation")
    assert doubt in found.doubts
    assert not candidates(source, source)


def test_a_denial_without_a_doubt_is_surer_than_the_same_of_what_may_be() -> None:
    (sure,) = conflicts_between("You are not able to peel it off.", "You are able to peel it off.")
    (doubted,) = conflicts_between("You may not be able to peel it off.", "You may be able to peel it off.")
    assert sure.severity == "error"
    assert (sure.log_odds or 0) > (doubted.log_odds or 0) + 0.5


def test_where_a_thing_stands_is_not_what_it_does() -> None:
    claim = "Paris is famously known for the Eiffel Tower."
    assert pg.support(claim, ["The Eiffel Tower is a famous landmark in Paris."]).conflicts == ()


@examples(
    ("claim", "source", "ours", "theirs"),
    [
        (
            "Customers pay the $6 monthly fee.",
            "Customers do not pay the $6 monthly fee.",
            "$6 monthly",
            "not pay the $6 monthly",
        ),
        (
            "You don't pay the $6 monthly fee.",
            "You pay the $6 monthly fee.",
            "don't pay the $6 monthly",
            "$6 monthly",
        ),
    ],
)
def test_where_a_denial_makes_the_difference_it_is_shown(
    claim: str, source: str, ours: str, theirs: str
) -> None:
    found = [item for item in conflicts_between(claim, source) if "$6" in item.claim_text]
    assert [(item.claim_text, item.evidence_text) for item in found] == [(ours, theirs)]
    assert claim[found[0].claim_start :].startswith(ours)
    assert found[0].message == f'negation: the claim says "{ours}", the source says "{theirs}"'

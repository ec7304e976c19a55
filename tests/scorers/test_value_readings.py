"""Values in other words are supported, and values that differ are candidates for a conflict."""

from every import each, table

import pytest_grounding as pg
from pytest_grounding.reading.words import tokenize
from pytest_grounding.scorers.builtin.conflicts import conflicts_between
from pytest_grounding.scorers.builtin.conflicts.conflict_search import candidates_of
from pytest_grounding.scorers.builtin.conflicts.contest import Contest
from pytest_grounding.scorers.builtin.conflicts.sentence_view import sources_of, view_of_claim

#: What the value finders propose, and what other finders see in the same words.
VALUES = {"number", "unit", "date", "modality"}
KINDS = VALUES | {"negation", "antonym", "opposed", "comparison"}


def candidates(claim, source):
    """Kind, words of the claim and words of the source of all that the finders propose."""
    contest = Contest(view_of_claim(claim, tokenize(claim)), sources_of(source))
    return [
        (found.kind, claim[found.start : found.end], source[found.rival_start : found.rival_end])
        for found in candidates_of(contest)
    ]


@each(*table(__file__, "HELD"))
def test_the_same_value_in_other_words_is_supported(claim, source):
    assert [found for found in candidates(claim, source) if found[0] in VALUES] == []
    score = pg.support(claim, [source])
    assert not any(word[0].isdigit() for word in score.missing)
    assert score.probability >= 0.7


@each(*table(__file__, "DIFFERENT"))
def test_a_value_that_differs_is_a_candidate(claim, source):
    assert KINDS & {found[0] for found in candidates(claim, source)}
    assert pg.support(claim, [source]).method != "exact_match"


@each(
    (
        "Files larger than 25 MB are accepted.",
        "Files larger than 25 MB are rejected.",
        ("larger than 25 MB", "larger than 25 MB are rejected"),
    ),
    ("The fee is −12 euros.", "The fee is 12 euros.", ("−12 euros", "12 euros")),
    ("The gym opens 3 times a week.", "The gym opens 3 times a day.", ("3 times a week", "3 times a day")),
)
def test_the_words_that_differ_are_shown(claim, source, shown):
    assert shown in [(item.claim_text, item.evidence_text) for item in conflicts_between(claim, source)]


@each(
    # A period that the source tells elsewhere, or that is plain from the matter, is not left out.
    ("The weekly fee is 40 euros.", "The fee is 40 euros per week."),
    ("The salary is 40,500 dollars.", "The salary is 40,500 dollars a year."),
    # Round numbers are given with and without "more than".
    ("The park has 400 trees.", "The park has more than 400 trees."),
    ("The park covers 300 acres.", "The park covers over 300 acres."),
    # A value that is ruled out is not a rival of the one that is not, nor a deadline of a limit.
    ("Accounts are closed after six months.", "Accounts are closed if nobody signs in within six months."),
)
def test_a_less_precise_value_is_not_a_conflict(claim, source):
    assert [found for found in candidates(claim, source) if found[0] in VALUES] == []


def test_small_counts_are_not_added_up_by_chance():
    source = "The shelter has 7 cats. It has 3 dogs."
    assert "10" in pg.support("The shelter has 10 volunteers in total.", [source]).missing
    assert "5,910" in pg.support("The roof costs 5,910 euros.", ["The roof costs 5,900 euros."]).missing


def test_parts_of_a_sum_are_close_together_or_named_with_it():
    far = "The desk costs 900 dollars. " + "It is made of oak. " * 5 + "The chair costs 350 dollars."
    claim = "The desk and the chair cost 1,250 dollars."
    assert "1,250" in pg.support(claim, [far]).missing
    said = "The desk costs 900 dollars and the chair 350 dollars, 1,250 dollars in total."
    assert "1,250" not in pg.support(said, [far]).missing
    assert "1,350" in pg.support(said.replace("1,250", "1,350"), [far]).missing

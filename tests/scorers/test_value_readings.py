"""Values in other words are supported, and values that differ are candidates for a conflict."""

from every import each, table

import pytest_grounding as pg
from pytest_grounding.evidence.sentence_view import sources_of, view_of_claim
from pytest_grounding.reading.words import tokenize
from pytest_grounding.scorers.builtin.conflicts import conflicts_between
from pytest_grounding.scorers.builtin.conflicts.conflict_search import candidates_of
from pytest_grounding.scorers.builtin.conflicts.contest import Contest

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

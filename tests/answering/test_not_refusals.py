"""Statements that look like refusals: they are checked, where a source speaks of what they say."""

import json
from pathlib import Path

from every import each

import pytest_grounding as pg
from pytest_grounding.claims.sentence_type import is_learned_refusal
from pytest_grounding.reading.grammar import words_of

ORDINARY = json.loads(Path(__file__).with_name("ordinary_statements.json").read_text(encoding="utf-8"))
ASKED = "How does the clinic keep what it knows about me?"


def judged(source, answer, question=ASKED):
    chunks = [{"id": "c1", "text": source}]
    return pg.validate({"id": "a", "question": question, "chunks": chunks, "answer": answer})


@each(
    ("Our nurses can open your documents at any time.", "Our nurses cannot open your documents."),
    ("The front desk can see your notes.", "The front desk cannot see your notes."),
    ("The text of a letter is read aloud to you.", "The text of a letter is not read aloud to you."),
    ("Everybody is told the results on the same day.", "Nobody is told the results on the same day."),
)
def test_a_false_denial_is_not_a_refusal(source, answer):
    verdict = judged(source, answer)
    assert [claim.status for claim in verdict.claims] == ["contradicted"]
    assert verdict.status == "reject"


@each(
    "Our nurses cannot open your documents.",
    "We never sell your records.",
    "Staff can read your file without your consent.",
)
def test_what_no_source_says_is_checked_all_the_same(answer):
    verdict = judged("The clinic opens at eight and has parking in the yard.", answer)
    assert [claim.checked for claim in verdict.claims] == [True]
    assert verdict.status == "reject"


@each(
    "The documents do not say how.",
    "My pages say nothing about how the clinic keeps it.",
    "I can't tell without more information.",
    "It isn't clear from the text how it is kept.",
    "There is no mention of it.",
)
def test_refusals_are_recognised(answer):
    source = "The clinic opens at eight. The documents of the yard say how much parking costs."
    verdict = judged(source, answer)
    assert [claim.skip_reason for claim in verdict.claims] == ["refusal"]
    assert verdict.status == "pass"


def test_having_information_is_not_a_refusal():
    for sentence in (
        "Your notes are not kept.",
        "Their reports are never copied.",
        "His pages cannot be read.",
    ):
        assert not is_learned_refusal(sentence, words_of(sentence), ASKED)


@each(
    ("The drill has a quiet mode.", "The drill is silent."),
    ("Hold the key to switch the bell on.", "The bell is mute."),
    ("The lift has a new motor.", "The lift runs in silence."),
)
def test_something_that_makes_no_noise_is_a_statement(source, answer):
    verdict = judged(source, answer, "What is it like?")
    assert [claim.checked for claim in verdict.claims] == [True]


@each(
    "The policy is silent on refunds.",
    "The documents are mute about the price.",
    "The manual is silent.",
)
def test_a_source_that_is_silent_is_a_refusal(answer):
    chunks = [{"id": "c", "text": "The house was built in 1901."}]
    verdict = pg.validate({"id": "t", "question": "What does it cost?", "answer": answer, "chunks": chunks})
    assert [claim.skip_reason for claim in verdict.claims] == ["refusal"]


@each(*ORDINARY)
def test_leaving_skipping_and_what_is_outside_are_told_of_other_things_too(row):
    verdict = judged(row["source"], row["statement"], row["question"])
    assert [claim.checked for claim in verdict.claims] == [True]


@each(*ORDINARY)
def test_a_source_that_leaves_something_out_is_a_refusal(row):
    verdict = judged(row["source"], row["refusal"], row["question"])
    assert [claim.skip_reason for claim in verdict.claims] == ["refusal"]

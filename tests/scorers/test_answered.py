"""A bare yes or no is checked as the statement that its question asks for."""

from every import each, table
from hypothesis import given
from hypothesis import strategies as st

import pytest_grounding as pg
from pytest_grounding.scorers.builtin.builtin_scorer import statement_of


@each(*table(__file__, "test_a_bare_answer_states_its_question"))
def test_a_bare_answer_states_its_question(question, answer, stated):
    assert statement_of(answer, question) == stated


@each(
    ("Are pets allowed?", "Pets are not allowed in the rooms.", "No.", "Yes."),
    ("Does the gym have a sauna?", "The gym has a sauna and a steam bath.", "Yes, it does.", "No."),
    ("Was the vote postponed?", "The vote was postponed until May.", "Yes.", "No."),
    ("Must visitors register?", "Visitors need not register.", "No.", "Yes."),
    ("Is there parking?", "There is parking behind the building.", "Yes, there is.", "No, there isn't."),
)
def test_the_right_yes_or_no_passes_and_the_wrong_one_fails(question, source, right, wrong):
    def verdict(answer):
        chunk = {"id": "c1", "text": source}
        return pg.validate({"id": "t", "question": question, "chunks": [chunk], "answer": answer})

    assert verdict(right).status == "pass"
    denied = verdict(wrong)
    assert denied.status != "pass"
    # What is quoted of the claim stands in the claim, and the question with it.
    [claim] = denied.claims
    assert claim.conflicts
    assert all(item.claim_text in claim.text and question in item.message for item in claim.conflicts)


def test_yes_or_no_without_a_source_is_unsupported():
    chunk = {"id": "c1", "text": "The museum has a café."}
    for answer in ("Yes.", "No."):
        row = {"id": "t", "question": "Are pets allowed?", "chunks": [chunk], "answer": answer}
        assert [claim.status for claim in pg.validate(row).claims] == ["unsupported"]


@given(st.text(max_size=45), st.text(max_size=60))
def test_any_text_gives_a_sentence_or_none(claim, question):
    stated = statement_of(claim, question)
    assert stated is None or stated.endswith(".")

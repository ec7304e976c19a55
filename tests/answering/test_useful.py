"""Where a source states what was asked for, an answer that gives something else, or half of it, is held."""

import pytest
from every import table

import pytest_grounding as pg

CHUNKS = table(__file__, "chunks")


def judged(chunk, question, answer, **settings):
    chunks = [{"id": "c1", "text": CHUNKS[chunk]}]
    return pg.validate({"id": "t", "question": question, "chunks": chunks, "answer": answer}, settings)


def severities(verdict):
    return {cause.rule: cause.severity for cause in verdict.causes}


@pytest.mark.row(27)
@pytest.mark.parametrize(("chunk", "question", "answer"), table(__file__, "another value"))
def test_an_answer_that_gives_something_else_is_not_useful(chunk, question, answer):
    verdict = judged(chunk, question, answer)
    assert verdict.status == "review"
    assert severities(verdict)["not_useful"] == "warning"
    assert "which the sources answer in chunk c1" in verdict.self_rag.usefulness.reason
    assert severities(judged(chunk, question, answer, notes="error"))["not_useful"] == "error"


@pytest.mark.parametrize(("chunk", "question", "answer"), table(__file__, "the value"))
def test_an_answer_that_gives_it_is_useful(chunk, question, answer):
    verdict = judged(chunk, question, answer)
    assert not {"not_useful", "incomplete"} & severities(verdict).keys()
    assert verdict.self_rag.usefulness.value == "useful"


@pytest.mark.row(69)
@pytest.mark.parametrize(("chunk", "question", "answer"), table(__file__, "half"))
def test_half_an_answer_is_incomplete(chunk, question, answer):
    verdict = judged(chunk, question, answer)
    assert verdict.status == "review"
    assert severities(verdict)["incomplete"] == "warning"


def test_what_no_source_states_is_a_note_at_most():
    verdict = pg.validate(
        {
            "id": "t",
            "question": "Who founded Acme?",
            "chunks": [{"id": "c1", "text": "Acme has 300 employees."}],
            "answer": "Acme has 300 employees.",
        }
    )
    assert severities(verdict).get("not_useful", "info") == "info"


@pytest.mark.parametrize(
    ("asked", "relevance"),
    # The answer has one of four words of the question, and one of five.
    [
        ("Which tower passes does the city sell?", "relevant"),
        ("Which tower passes and tickets does the city sell?", "irrelevant"),
    ],
)
def test_a_chunk_that_backs_an_answer_is_relevant_from_a_quarter_of_the_words_asked(asked, relevance):
    text = "The museum pass is kept at the north desk by the staff."
    row = {"id": "x", "question": asked, "chunks": [{"id": "a", "text": text}], "answer": text}
    assert pg.validate(row, {"relevance_threshold": 0.99}).self_rag.relevance.value == relevance

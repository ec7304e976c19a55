"""Citations that a pipeline lists beside its answer, in every form of them and through every importer."""

import pytest
from every import table
from hypothesis import given
from hypothesis import strategies as st

import pytest_grounding as pg
from pytest_grounding.engine.transcript_input import as_transcript
from pytest_grounding.model.listed import is_cited_list

QUESTION = "How many books may a reader borrow?"
ANSWER = "A reader may borrow eight books."
CHUNKS = [
    {
        "id": "loans-1",
        "text": "A reader may borrow eight books at a time.",
        "metadata": {"document": "rules/loans.md", "url": "https://library.example/loans"},
    },
    {"id": "films-1", "text": "Films are lent for seven days.", "metadata": {"title": "Films"}},
]
SOURCES = [{**chunk["metadata"], "id": chunk["id"], "content": chunk["text"]} for chunk in CHUNKS]
PAGES = [{"page_content": chunk["text"], "metadata": {"source": f"{chunk['id']}.md"}} for chunk in CHUNKS]


def invalid(value):
    return [item.target for item in pg.validate(as_transcript(value)).citations if not item.valid]


@pytest.mark.parametrize(("form", "listed", "right"), table(__file__, "forms"))
def test_a_form_is_resolved_or_refused(form, listed, right):
    row = {"question": QUESTION, "answer": ANSWER, "sources": SOURCES, "citations": listed}
    verdict = pg.validate(as_transcript(row))
    assert (verdict.status == "pass") == right, form


@pytest.mark.parametrize("name", table(__file__, "names"))
def test_every_name_of_the_family_is_read(name):
    assert invalid({"question": QUESTION, "answer": ANSWER, "sources": SOURCES, name: ["nowhere"]})


@pytest.mark.parametrize("name", table(__file__, "other_names"))
def test_another_name_is_no_list_of_citations(name):
    assert not is_cited_list(name)


WRAPPED = [
    {"question": QUESTION, "answer": ANSWER, "sources": SOURCES},
    {"input": QUESTION, "context": PAGES, "answer": {"answer": ANSWER}},
    {"messages": [{"type": "human", "content": QUESTION}, {"type": "ai", "content": ""}], "context": PAGES},
    {"question": QUESTION, "response": {"response": {"answer": ANSWER}, "source_nodes": []}},
    {"question": QUESTION, "response": {"answer": ANSWER, "confidence": 0.9}, "sources": SOURCES},
    {"input": QUESTION, "actual_output": ANSWER, "retrieval_context": [CHUNKS[0]["text"]]},
    {"user_input": QUESTION, "response": ANSWER, "retrieved_contexts": [CHUNKS[0]["text"]]},
]
PLACES = [(), ("answer",), (), ("response", "response"), ("response",), (), ()]


@pytest.mark.parametrize("number", range(len(WRAPPED)))
def test_an_unknown_source_is_an_invalid_citation_in_every_format(number):
    value = dict(WRAPPED[number])
    cited = {"citations": [{"source_id": "nowhere", "quote": "Books are free."}]}
    if number == 2:
        value["structured_response"] = {"answer": ANSWER, **cited}
    else:
        path = PLACES[number]
        inner = value
        for step in path:
            inner[step] = dict(inner[step])
            inner = inner[step]
        inner.update(cited)
    assert invalid(value) == ["nowhere"]


def test_a_native_list_of_names_is_read():
    row = {"id": "x", "question": QUESTION, "chunks": CHUNKS, "answer": ANSWER}
    assert not invalid({**row, "citations": ["loans-1"]})
    assert invalid({**row, "citations": ["loans-1", "loans-9"]}) == ["loans-9"]


def test_an_object_that_names_nothing_is_a_warning():
    row = {"id": "x", "question": QUESTION, "chunks": CHUNKS, "answer": ANSWER}
    transcript = as_transcript({**row, "citations": [{"colour": True}]})
    assert [(note.rule, note.severity) for note in transcript.notes] == [("import_loss", "warning")]


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(max_size=5), st.lists, max_leaves=6))
def test_no_shape_of_a_list_is_lost_without_a_word(held):
    row = {"question": QUESTION, "answer": ANSWER, "sources": SOURCES}
    as_transcript({**row, "references": held})

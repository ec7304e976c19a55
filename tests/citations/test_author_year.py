"""Citations by author and year, which resolve through the metadata of the chunks."""

from every import each, table
from hypothesis import given
from hypothesis import strategies as st

import pytest_grounding as pg
from pytest_grounding.citations import builtin_syntaxes, extract, make_context
from pytest_grounding.settings import Settings

SLEEP = "Adults who sleep seven hours remember more words the next day."
COFFEE = "Coffee after noon delays sleep by forty minutes."
NAPS = "Short naps of twenty minutes restore attention."


def chunk(name, text, **metadata):
    return {"id": name, "text": text, "metadata": metadata}


PAPERS = [
    chunk("sleep", SLEEP, author="Smith, Jane", year=2020),
    chunk("coffee", COFFEE, authors=["Ana García", "Wei Lee", "Tom O'Neil"], date="2019-05-02"),
    chunk("naps", NAPS, author="World Health Organization", published="March 2021"),
]


def found(answer, chunks=PAPERS, question="What helps memory?"):
    transcript = pg.Transcript.model_validate(
        {"id": "t", "question": question, "chunks": chunks, "answer": answer}
    )
    cited = extract(make_context(transcript, Settings()), builtin_syntaxes())
    assert all(answer[item.start : item.end] == item.text for item in cited)
    return [(item.text, item.target.chunk_ids) for item in cited if item.syntax == "author"]


@each(*table(__file__, "test_a_name_and_a_year_resolve", deep=True))
def test_a_name_and_a_year_resolve(answer, text, ids):
    assert found(answer) == [(text, ids)]


def test_several_in_one_pair_of_parentheses():
    text = "Smith, 2020; García et al., 2019"
    assert found(f"Sleep counts ({text}).") == [(text, ("sleep",)), (text, ("coffee",))]


def test_letters_tell_the_works_of_a_year_apart():
    works = [chunk(name, SLEEP, author="Lee", year=f"2020{name}") for name in "ab"]
    assert found("It helps (Lee, 2020b).", works) == [("Lee, 2020b", ("b",))]
    assert found("It helps (Lee, 2020).", works) == [("Lee, 2020", ("a", "b"))]


@each({}, {"author": "Smith"}, {"year": 2020}, {"title": "Sleep, 2020"})
def test_without_author_and_year_in_the_metadata_it_is_prose(metadata):
    answer = "Sleep helps memory (Smith, 2020), and Smith (2020) says so."
    verdict = pg.validate(
        {"id": "t", "question": "What helps?", "chunks": [chunk("c", SLEEP, **metadata)], "answer": answer}
    )
    assert verdict.citations == ()


NO_CITATIONS = (
    *("(January 2020)", "(in 2020)", "(Smith, 1200 words)", "(since Monday, 2020)", "f(Smith, 2020, x)"),
    *("(2020)", "(the report of 2020)", "(Miller 2018)", "(Version 3, 2020)", "`(Miller, 2018)`"),
)


@each(*NO_CITATIONS)
def test_what_is_no_citation(words):
    assert found(f"Sleep helps (Smith, 2020). It was shown {words}.") == [("Smith, 2020", ("sleep",))]


def test_a_work_that_was_not_retrieved_is_invalid_where_the_answer_cites_like_this():
    answer = "Adults who sleep seven hours remember more (Smith, 2020; Miller, 2018). So it is (Brown, 2017)."
    transcript = {"id": "t", "question": "What helps memory?", "chunks": PAPERS, "answer": answer}
    verdict = pg.validate(transcript)
    assert [(item.target, item.valid) for item in verdict.citations] == [
        ("Smith 2020", True),
        ("Miller 2018", False),
        ("Brown 2017", False),
    ]
    assert pg.clean_answer(transcript) == (
        "Adults who sleep seven hours remember more (Smith, 2020). So it is."
    )


def test_one_that_resolves_to_nothing_alone_is_prose():
    assert found("It was shown (Miller, 2018).") == []


def test_a_work_that_a_chunk_or_the_question_speaks_of_is_content():
    answer = "Sleep helps (Smith, 2020), as before (Miller, 2018)."
    told = [*PAPERS, chunk("more", "This was shown by Miller in 2018.")]
    assert [text for text, _ in found(answer, told)] == ["Smith, 2020"]
    asked = found(answer, question="Was Miller right in 2018?")
    assert [text for text, _ in asked] == ["Smith, 2020"]
    assert len(found(answer)) == 2


@each("According to Smith (2020), ", "Smith (2020) found that ", "")
def test_a_claim_is_read_without_the_names_that_it_cites(lead):
    cited = "" if lead else " (Smith, 2020)"
    answer = f"{lead}adults who sleep seven hours remember more words the next day{cited}."
    question = "What do adults who sleep seven hours remember?"
    verdict = pg.validate({"id": "t", "question": question, "chunks": PAPERS, "answer": answer})
    assert verdict.status == "pass"
    assert verdict.citations[0].claim == 0


@given(
    st.lists(
        st.sampled_from(
            ["(", ")", "[", "]", "Smith", ", ", "2020", "; ", " et al.", " & ", "García 2019", "é"]
        )
    )
)
def test_any_mix_is_extracted_with_true_offsets(pieces):
    found("".join(pieces))

"""promptfoo, Langfuse and LangSmith in the forms that their tools write, by their published schemas."""

import copy
import json

import pytest
from every import each
from hypothesis import given, settings
from hypothesis import strategies as st
from payloads import HOURS, LANGFUSE, LANGSMITH, MARKED, PAYLOADS, PRICE, PROMPTFOO, QUESTION

import pytest_grounding as pg
from pytest_grounding.engine.transcript_input import as_transcript, iter_transcripts
from pytest_grounding.importers.builtin import builtin_importers
from pytest_grounding.importers.native import Importers

NEW = ("promptfoo", "langfuse", "langsmith")


def lines(folder, rows):
    path = folder / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return pg.load_transcripts(path)


def texts(transcript):
    return [chunk.text for chunk in transcript.chunks]


@each(*NEW)
def test_question_answer_chunks_and_day_are_read(name):
    transcript = as_transcript(PAYLOADS[name])
    assert (transcript.question, transcript.answer) == (QUESTION, MARKED)
    assert texts(transcript) == [HOURS, PRICE]
    assert transcript.metadata["recorded_at"].startswith("2025-03-01")
    assert transcript.metadata["format"] == name
    assert pg.validate(transcript).citation_accuracy == 1.0


# -- one value a line, in any order


def test_runs_of_langsmith_one_a_line_are_gathered_by_trace(tmp_path):
    root = copy.deepcopy(LANGSMITH)
    children = root.pop("child_runs")
    other = {**root, "id": "r-9", "trace_id": "r-9", "inputs": {"question": "What is it?"}}
    retriever = {**children[0], "id": "r-8", "trace_id": "r-9", "parent_run_id": "r-9"}
    first, second = lines(tmp_path, [retriever, children[1], other, root, children[0]])
    assert (first.question, texts(first)) == ("What is it?", [HOURS, PRICE])
    assert (second.question, second.answer, texts(second)) == (QUESTION, MARKED, [HOURS, PRICE])


def test_observations_of_langfuse_one_a_line_or_in_pages(tmp_path):
    """Without their trace the generation alone tells question and answer."""
    expected = [HOURS, PRICE]
    (rows,) = lines(tmp_path, LANGFUSE["observations"])
    (page,) = lines(tmp_path, [{"data": LANGFUSE["observations"], "meta": {"page": 1}}])
    for transcript in (rows, page):
        assert (transcript.answer, texts(transcript)) == (MARKED, expected)
        assert QUESTION in transcript.question


def test_results_of_promptfoo_one_a_line(tmp_path):
    rows = [copy.deepcopy(PROMPTFOO["results"]["results"][0]) for _ in range(3)]
    rows[1]["vars"] = {"query": "What does it cost?"}
    rows[1]["response"]["metadata"] = {"context": PRICE}
    rows[2]["response"] = {"output": {"answer": MARKED, "documents": [{"page_content": HOURS}]}}
    first, second, third = lines(tmp_path, rows)
    assert texts(first) == [HOURS, PRICE]
    assert (second.question, texts(second)) == ("What does it cost?", [PRICE])
    assert (third.answer, texts(third)) == (MARKED, [HOURS])


# -- what is missing is said


def test_a_result_without_a_question_does_not_hide_the_others(tmp_path):
    value = copy.deepcopy(PROMPTFOO)
    value["results"]["results"].append({**value["results"]["results"][0], "vars": {"context": [HOURS]}})
    path = tmp_path / "results.json"
    path.write_text(json.dumps(value), encoding="utf-8")
    good, bad = iter_transcripts(path)
    assert good.transcript.question == QUESTION
    assert "does not contain the question" in str(bad.error)
    assert "name the variable question" in str(bad.error)


@each(("langfuse", "neither a retriever"), ("langsmith", "neither a"))
def test_a_run_without_question_and_answer_gets_one_sentence(name, words):
    value = copy.deepcopy(PAYLOADS[name])
    if name == "langfuse":
        value["observations"] = [{**value["observations"][0], "type": "EVENT", "name": "click"}]
    else:
        value["child_runs"] = []
    with pytest.raises(pg.InputError, match=words):
        as_transcript(value)


# -- no other format is taken for one of these, nor one of these for another


@pytest.mark.parametrize("name", NEW)
@given(data=st.data())
@settings(max_examples=60, deadline=None)
def test_a_partial_value_is_claimed_by_its_own_format_only(name, data):
    """Members may be missing, as older releases leave them out: nobody else takes the rest for its own."""
    value = PAYLOADS[name]
    kept = {key: value[key] for key in data.draw(st.sets(st.sampled_from(sorted(value))))}
    claimed = [importer.name for importer in builtin_importers()[:-1] if importer.recognises(kept)]
    assert set(claimed) <= {name}


@given(st.sampled_from(sorted(set(PAYLOADS) - set(NEW))), st.data())
@settings(max_examples=120, deadline=None)
def test_parts_of_other_formats_are_not_claimed(name, data):
    value = PAYLOADS[name]
    value = value[0] if isinstance(value, list) else value
    if isinstance(value, dict):
        value = {key: value[key] for key in data.draw(st.sets(st.sampled_from(sorted(value))))}
    found = Importers().of(value)
    assert found is None or found.name not in NEW

"""What an agent says it did and passes on, held against the calls that were recorded."""

import pytest
from every import each, table

import pytest_grounding as pg
from benchmarks.labelled import rows_of
from pytest_grounding.checks.tool_use import with_results

CANCEL = {"name": "cancel_order", "arguments": {"order_id": "4711"}, "id": "call_1"}


def recording(answer, calls, **more):
    question = "Please cancel my order 4711."
    return {"id": "t1", "question": question, "chunks": [], "answer": answer, "tool_calls": calls, **more}


def rules_of(verdict):
    return {part.rule for finding in verdict.findings for part in finding.parts if part.severity != "info"}


def test_wrong_rows_of_agents_are_stopped_and_right_ones_pass():
    stopped = held = wrong = right = 0
    for row in rows_of("agents"):
        told = {key: value for key, value in row.items() if key not in ("label", "kind", "group", "role")}
        passes = pg.validate(told).status == "pass"
        wrong += row["label"] == "wrong"
        right += row["label"] == "supported"
        stopped += row["label"] == "wrong" and not passes
        held += row["label"] == "supported" and not passes
    assert (wrong, right) == (60, 60)
    assert stopped >= 0.75 * wrong, stopped
    assert held <= 0.05 * right, held


@pytest.mark.row(74)
@each(*table(__file__, "test_a_claimed_action_needs_its_call"))
def test_a_claimed_action_needs_its_call(answer, calls, is_found):
    assert ("claims_action" in rules_of(pg.validate(recording(answer, calls)))) == is_found


@each(*table(__file__, "test_values_of_calls_must_come_from_the_conversation"))
def test_values_of_calls_must_come_from_the_conversation(arguments, question, is_found):
    calls = [{"name": "do_it", "arguments": arguments, "result": "Done."}]
    transcript = recording("Done.", calls) | {"question": question}
    assert ("unsaid_argument" in rules_of(pg.validate(transcript))) == is_found


def test_a_value_may_come_from_a_chunk_an_earlier_result_or_an_earlier_turn():
    call = {"name": "do_it", "arguments": {"id": "C-77"}, "result": "Done."}
    before = {"name": "find_customer", "arguments": {}, "result": {"id": "C-77"}}
    found = [
        rules_of(pg.validate(recording("Done.", [before, call]))),
        rules_of(pg.validate(recording("Done.", [call], chunks=[{"id": "c1", "text": "Customer C-77"}]))),
        rules_of(pg.validate(recording("Done.", [call], history=[{"role": "user", "content": "I am C-77"}]))),
        rules_of(pg.validate(recording("Done.", [call, before]))),
        rules_of(
            pg.validate(recording("Done.", [call], history=[{"role": "assistant", "content": "You: C-77"}]))
        ),
    ]
    assert ["unsaid_argument" in rules for rules in found] == [False, False, False, True, True]


def test_a_result_is_a_source_and_is_named_as_one():
    call = {**CANCEL, "name": "get_order", "result": {"order_id": "4711", "total": "€84.50"}}
    right = pg.validate(recording("Order 4711 has a total of €84.50.", [call]))
    wrong = pg.validate(recording("Order 4711 has a total of €48.50.", [call]))
    assert right.status == "pass"
    assert right.claims[0].evidence[0].chunk_id == "get_order (call_1)"
    assert wrong.status == "reject"
    assert any("contradicts get_order (call_1)" in finding.message for finding in wrong.findings)


def test_numbers_of_citations_still_count_the_retrieved_chunks():
    call = {**CANCEL, "name": "get_order", "result": "The order was placed on Monday."}
    transcript = recording("They are free [1].", [call], chunks=[{"id": "c1", "text": "Returns are free."}])
    verdict = pg.validate(transcript)
    assert [(item.chunk_id, item.valid) for item in verdict.citations] == [("c1", True)]


@each(
    "The café is open on Mondays from eight.",
    'The "Grüne Linie" runs on Mondays from eight.',
    'The "green line" runs on Mondays from eight.',
)
def test_a_passage_within_a_result_is_read_once(passage):
    call = {"name": "search", "id": "call_1", "result": {"score": 0.5, "text": passage}}
    transcript = pg.Transcript(**recording("Done.", [call], chunks=[{"id": "c1", "text": passage}]))
    assert with_results(transcript).chunks[-1].text == '{"score": 0.5, "text": ""}'


@each(("warn", "review"), ("error", "reject"), ("off", "pass"))
def test_the_policy_says_what_it_counts(policy, status):
    calls = [{"name": "do_it", "arguments": {"code": "X-1"}, "result": "Order 4711 is open."}]
    verdict = pg.validate(recording("Order 4711 is open.", calls), settings={"tool_use": policy})
    assert verdict.status == status


def test_only_calls_change_the_hash_of_a_transcript():
    plain = {"id": "t1", "question": "Why?", "chunks": [], "answer": "Because."}
    assert "tool_calls" not in pg.Transcript(**plain).model_dump(mode="json")
    assert pg.Transcript(**plain, tool_calls=[]).model_dump(mode="json")["tool_calls"] == []
    assert pg.validate(plain).transcript_hash != pg.validate({**plain, "tool_calls": []}).transcript_hash


def test_bad_calls_are_one_sentence_with_the_field():
    for calls, said in (
        ([{"arguments": {}}], "tool_calls[0].name"),
        ([{"name": "x", "arguments": 3}], "tool_calls[0].arguments"),
        ("none", "tool_calls"),
    ):
        with pytest.raises(pg.InputError) as caught:
            pg.validate(recording("Done.", calls))
        assert caught.value.field == said

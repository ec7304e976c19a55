"""Answers as models give them: with thinking, as JSON, in a fence; the offsets of spans are kept."""

from every import each

import pytest_grounding as pg
from pytest_grounding.model.answers import text_of_answer

WORDS = "A reader may borrow eight books [1]."
CHUNKS = [{"id": "b1", "text": "A reader may borrow eight books at a time."}]
ROW = {"id": "x", "question": "How many books may a reader borrow?", "chunks": CHUNKS}


@each(
    f"<think>Maybe nine [7]?</think>\n\n{WORDS}",
    f"<thinking>\nNine?\n</thinking>{WORDS}",
    f"Could be nine.</think>\n{WORDS}",
    f"<think>One ` alone.</think>{WORDS}",
    f"<reasoning>Nine?</reasoning><answer>{WORDS}</answer>",
    f"[THINK]Nine?[/THINK]{WORDS}",
    f"<|channel|>analysis<|message|>Nine?<|end|><|start|>assistant<|channel|>final<|message|>{WORDS}<|return|>",
    f'{{"answer": "{WORDS}", "confidence": 0.9}}',
    f'```json\n{{"answer": "{WORDS}", "citations": [1]}}\n```',
    f'<think>JSON.</think>{{"final_answer": "{WORDS}", "sources": ["b1"]}}',
)
def test_the_words_for_the_user_are_judged(answer):
    assert text_of_answer(answer).text.strip() == WORDS
    verdict = pg.validate({**ROW, "answer": answer})
    assert verdict.status == "pass", [finding.message for finding in verdict.findings]
    wrong = pg.validate({**ROW, "answer": answer.replace("eight", "twelve")})
    assert wrong.status != "pass"


@each(
    WORDS,
    "Use the tag `<think>` and close it with `</think>`.",
    '{"name": "Ada", "age": 36}',
    "The reasoning is simple: a < b.",
    '```json\n{"port": 80}\n```',
)
def test_another_answer_is_left_as_it_is(answer):
    assert text_of_answer(answer) is None


def test_an_answer_that_is_only_thought_is_empty():
    assert text_of_answer("<think>I wonder").text == ""
    assert pg.validate({**ROW, "answer": "<think>I wonder"}).status != "pass"


def test_spans_are_moved_with_the_words():
    thought = "<think>Nine?</think>\n"
    words = "A reader may borrow eight books"
    span = {"start": len(thought), "end": len(thought) + len(words), "text": words, "chunk_ids": ["b1"]}
    found = pg.Transcript.model_validate({**ROW, "answer": thought + words + ".", "citations": [span]})
    assert (found.answer, found.citations[0].start, found.citations[0].end) == (words + ".", 0, len(words))


def test_a_list_in_the_answers_object_is_checked():
    verdict = pg.validate(
        {**ROW, "answer": '{"answer": "A reader may borrow eight books.", "citations": [9]}'}
    )
    assert [item.valid for item in verdict.citations] == [False]
    parts = '{"statements": [{"text": "A reader may borrow eight books.", "citations": ["zz"]}]}'
    assert [item.valid for item in pg.validate({**ROW, "answer": parts}).citations] == [False]

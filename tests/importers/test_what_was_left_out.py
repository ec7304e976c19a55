"""Recordings that hold too little: what they say, and which file and field they name."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from every import each

import pytest_grounding as pg

ASKED = {"contents": [{"role": "user", "parts": [{"text": "How long do refunds take?"}]}]}


def message_of(file: Path) -> str:
    with pytest.raises(pg.InputError) as caught:
        pg.load_transcripts(file)
    return str(caught.value).removeprefix(str(file.parent) + "/")


def written(folder: Path, name: str, content: Any) -> Path:
    file = folder / name
    file.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return file


@each(
    ({"promptFeedback": {"blockReason": "SAFETY"}}, "SAFETY"),
    ({"candidates": None, "prompt_feedback": {"block_reason": "OTHER"}}, "OTHER"),
    ({"candidates": [{"finishReason": "RECITATION", "index": 0}], "usageMetadata": {}}, "RECITATION"),
    (
        {"candidates": [{"content": None, "finish_reason": "SAFETY", "safety_ratings": []}]},
        "SAFETY",
    ),
)
def test_gemini_says_why_it_gave_no_answer(response: Any, reason: str, tmp_path: Path) -> None:
    file = written(tmp_path, "blocked.json", {"request": ASKED, "response": response})
    (transcript,) = pg.load_transcripts(file)
    assert transcript.answer == ""
    messages = {finding.rule: finding.message for finding in pg.validate(transcript).causes}
    assert messages["import_loss"] == f"the service gave no answer: {reason}"
    assert "empty_answer" in messages


@pytest.mark.parametrize("beside", [{}, {"chunks": ["x"]}, {"question": "Who?", "chunks": ["x"]}])
def test_a_response_of_no_format_is_what_is_named(tmp_path: Path, beside: dict[str, Any]) -> None:
    response = {"object": "chat.completion", "choices": []}
    file = written(tmp_path, "odd.json", {"request": {}, "response": response, **beside})
    assert message_of(file) == (
        "odd.json:1: response: is of no format that is known (its fields: 'object', 'choices'); record one "
        "of the formats of docs/formats.md, whole, or write id, question, chunks, answer"
    )


def test_a_response_that_is_text_is_an_answer_under_another_name(tmp_path: Path) -> None:
    file = written(tmp_path, "text.json", {"id": "a", "question": "Who?", "chunks": [], "response": "Ada."})
    assert "response: is not a known field" in message_of(file)
    assert message_of(file).endswith("write it as 'answer'")


@each(
    (
        "a.csv",
        "question,answer,contexts\n",
        "contains no row under its columns' names; write one transcript",
    ),
    ("a.csv", "\n", "is empty; write the columns' names in the first line"),
    ("a.jsonl", "\n\n", "is empty; write one transcript a line, or remove the file"),
    ("a.json", "[]", "a transcript is an object, and this is an empty list"),
)
def test_a_file_that_holds_nothing_is_named(name: str, content: str, words: str, tmp_path: Path) -> None:
    message = message_of(written(tmp_path, name, content))
    assert message.startswith(name)
    assert words in message

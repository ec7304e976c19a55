"""Numbers as the citations of a plain transcript: they are what it cites, and no contract is claimed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from every import each
from hypothesis import given
from hypothesis import strategies as st

import pytest_grounding as pg
from pytest_grounding.engine.transcript_input import as_transcript

TEXT = "Refunds are paid within 14 days of the return."
PLAIN: dict[str, Any] = {
    "id": "a",
    "question": "How long do refunds take?",
    "chunks": [{"id": "c", "text": TEXT}],
    "answer": f"{TEXT[:-1]} [1].",
    "citations": [1],
}


def test_a_plain_transcript_is_judged_as_one(tmp_path: Path) -> None:
    with_more = {**PLAIN, "history": [{"role": "user", "content": "Hello."}], "language": "en"}
    (tmp_path / "a.jsonl").write_text(json.dumps(with_more), encoding="utf-8")
    [loaded] = pg.load_transcripts(tmp_path / "a.jsonl")
    for read in (loaded, as_transcript(with_more), pg.Transcript.model_validate(with_more)):
        assert (read.cited_indices, read.citations, read.language) == ((1,), (), "en")
        assert read.history[0].content == "Hello."
    verdict = pg.validate(PLAIN)
    assert (verdict.status, [item.rule for item in verdict.causes]) == ("pass", [])


def test_a_number_that_no_source_has_is_found() -> None:
    assert "source_exists" in {item.rule for item in pg.validate({**PLAIN, "citations": [1, 7]}).findings}


def test_a_transcript_without_its_id_claims_no_contract_either(tmp_path: Path) -> None:
    nameless = {key: value for key, value in PLAIN.items() if key != "id"}
    read = as_transcript(nameless)
    assert (read.cited_indices, read.confidence) == ((1,), None)
    assert pg.validate(read).status == "pass"
    answer = {"chunks": PLAIN["chunks"], "answer": PLAIN["answer"], "citations": [1]}
    [recorded] = pg.record(lambda _: answer, PLAIN["question"], to=tmp_path)
    assert recorded.cited_indices == (1,)
    assert pg.validate(recorded).status == "pass"


@each({"missing_information": ""}, {"response": {"answer": "x", "citations": [1]}})
def test_what_claims_the_contract_is_held_to_it(change: dict[str, Any]) -> None:
    found = as_transcript({**PLAIN, **change})
    assert "broken_contract" in {note.rule for note in found.notes}


@given(
    st.lists(st.one_of(st.integers(), st.text(max_size=2), st.booleans(), st.none()), min_size=1, max_size=4)
)
def test_anything_but_numbers_is_named(cited: list[Any]) -> None:
    if all(type(item) is int for item in cited):
        assert as_transcript({**PLAIN, "citations": cited}).cited_indices == tuple(cited)
        return
    with pytest.raises(pg.InputError, match=r'^citations\[\d\]: is not an object.*write \{"start": 0'):
        as_transcript({**PLAIN, "citations": cited})

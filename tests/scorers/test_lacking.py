"""That one numbered source lacks something is checked against that source alone."""

from __future__ import annotations

import pytest

from pytest_grounding import validate
from pytest_grounding.text.beside import lack_of

CHUNKS = [
    {"id": "hours", "text": "The garage opens at 9 am. It closes at 8 pm."},
    {"id": "fees", "text": "The fee is 3 euros. No deposit is asked for."},
    {"id": "museum", "text": "The museum beside the garage shows old cars."},
]
CLAIM = "The fee is 3 euros. "


def statuses(answer: str) -> list[str]:
    verdict = validate({"id": "x", "question": "What is the fee?", "chunks": CHUNKS, "answer": answer})
    return [claim.status for claim in verdict.claims]


@pytest.mark.parametrize(
    ("lack", "status"),
    [
        ("Passage 3 does not provide the fee.", "supported"),
        ("However, source 1 provides no information about the fee.", "supported"),
        ("Document #3 doesn't mention opening hours.", "supported"),
        ("Passage 2 does not mention a deposit.", "borderline"),
        ("Passage 1 does not say why.", "supported"),
        ("Passage 2 does not state the fee.", "contradicted"),
        ("Passage 3 does not mention the garage.", "contradicted"),
        ("Passage 3 does not discuss the museum or the garage.", "contradicted"),
        ("Passage 3 contains no information about old cars.", "contradicted"),
        ("Passage 7 does not state the fee.", "unsupported"),
    ],
)
def test_what_a_numbered_source_lacks_is_looked_up_there(lack: str, status: str) -> None:
    assert statuses(CLAIM + lack) == ["supported", status]


def test_what_the_other_sources_say_changes_nothing() -> None:
    answer = CLAIM + "Passage 3 does not provide the fee."
    chunks = [{"id": "a", "text": "Nothing."}, {"id": "b", "text": "The fee is 3 euros."}, CHUNKS[2]]
    verdict = validate({"id": "x", "question": "What is the fee?", "chunks": chunks, "answer": answer})
    assert [claim.status for claim in verdict.claims] == ["supported", "supported"]


def test_an_answer_that_only_declines_still_declines() -> None:
    verdict = validate(
        {
            "id": "x",
            "question": "What is the fee?",
            "chunks": CHUNKS[:1],
            "answer": "Passage 1 does not state the fee. I cannot answer the question.",
        }
    )
    assert verdict.declined
    assert verdict.not_checked == {"refusal": 1}


def test_a_refusal_that_names_a_source_is_checked_where_it_is_all_that_is_said() -> None:
    assert statuses("Passage 2 does not state the fee.") == ["contradicted"]
    assert statuses("Passage 3 does not state the fee.") == ["supported"]


@pytest.mark.parametrize(
    "sentence",
    [
        "The passages do not provide the fee.",
        "Article 3 does not provide for a fee.",
        "Plan 3 contains no fee.",
        "",
    ],
)
def test_only_a_numbered_source_is_looked_up(sentence: str) -> None:
    assert lack_of(sentence) is None

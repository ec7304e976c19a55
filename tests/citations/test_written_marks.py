"""Marks as people and products write them: each is read, and costs the claim before it nothing."""

import pytest
from every import table

import pytest_grounding as pg

CHUNKS = [
    {
        "id": "3f2a91bc-7d10-4e7f-9a55-0c1d2e3f4a5b",
        "text": "A reader may borrow eight books at a time.",
        "metadata": {
            "source": "rules/loans.pdf",
            "title": "Loan rules",
            "page": 3,
            "url": "https://library.example/rules/loans",
        },
    },
    {
        "id": "77c0d2ee-1111-4e7f-9a55-0c1d2e3f4a5b",
        "text": "Films are lent for seven days.",
        "metadata": {"source": "rules/films.pdf", "title": "Films", "page": 1},
    },
    {
        "id": "9d8c7b6a-2222-4e7f-9a55-0c1d2e3f4a5b",
        "text": "Cards are renewed every two years.",
        "metadata": {"source": "rules/loans.pdf", "title": "Loan rules", "page": 4},
    },
]
CLAIM = "A reader may borrow eight books at a time"


def verdict_on(answer, chunks=CHUNKS, **settings):
    row = {"id": "t", "question": "How many books may a reader borrow?", "chunks": chunks, "answer": answer}
    return pg.validate(row, settings or None)


@pytest.mark.parametrize("mark", table(__file__, "right"))
def test_a_right_mark_is_valid_and_the_answer_passes(mark):
    verdict = verdict_on(mark.replace("CLAIM", CLAIM))
    assert [item.valid for item in verdict.citations] and all(item.valid for item in verdict.citations)
    assert verdict.status == "pass", [finding.message for finding in verdict.findings]


@pytest.mark.parametrize("mark", table(__file__, "unknown"))
def test_a_mark_of_no_source_is_invalid(mark):
    verdict = verdict_on(mark.replace("CLAIM", CLAIM))
    assert not all(item.valid for item in verdict.citations)
    assert [claim.status for claim in verdict.claims if claim.checked] == ["supported"]


@pytest.mark.parametrize("mark", table(__file__, "swapped"))
def test_a_mark_of_another_source_is_stopped(mark):
    verdict = verdict_on(mark.replace("CLAIM", CLAIM))
    assert verdict.citations and verdict.status != "pass"


@pytest.mark.parametrize("text", table(__file__, "content"))
def test_what_a_source_says_itself_is_no_mark(text):
    chunk = {"id": "c1", "text": text}
    assert verdict_on(text, [chunk, {"id": "c2", "text": "Films are lent for seven days."}]).citations == ()


def test_a_file_means_all_of_its_chunks():
    chunks = [
        {"id": "a.md", "text": "The library opens at nine.", "metadata": {"source": "a.md"}},
        {"id": "a.md#2", "text": CHUNKS[0]["text"], "metadata": {"source": "a.md"}},
    ]
    verdict = verdict_on(f"{CLAIM} [a.md].", chunks)
    assert verdict.citations[0].chunk_ids == ("a.md", "a.md#2")
    assert verdict.status == "pass"


def test_numbers_in_the_metadata_count_documents():
    chunks = [
        {**chunk, "metadata": {**chunk["metadata"], "citation_number": number}}
        for chunk, number in zip(CHUNKS, (7, 8, 7), strict=True)
    ]
    verdict = verdict_on(f"{CLAIM} [7].", chunks)
    assert verdict.citations[0].chunk_ids == (CHUNKS[0]["id"], CHUNKS[2]["id"])
    assert not verdict_on(f"{CLAIM} [1].", chunks).citations[0].valid


def test_numbers_of_a_service_count_from_zero_where_a_zero_is():
    answer = f"{CLAIM} [ID:0]. Films are lent for seven days [ID:1]."
    assert [item.chunk_id for item in verdict_on(answer).citations] == [CHUNKS[0]["id"], CHUNKS[1]["id"]]
    assert verdict_on(f"{CLAIM} [ID:1].").citations[0].chunk_id == CHUNKS[0]["id"]

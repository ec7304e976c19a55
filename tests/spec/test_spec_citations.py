"""Sections 3 and 12 of the specification: syntaxes, rules, cleaning, links and the edges, row by row."""

import pytest
from answers import FEE, HOURS, SAID, TEXT, transcript, verdict
from counted_calls import calls_of
from every import each, table

import pytest_grounding as pg

SECTIONS = [
    {"id": "hr-1", "text": TEXT, "metadata": {"chapter_id": "3", "section_number": "2"}},
    {"id": "hr-2", "text": FEE, "metadata": {"chapter_id": "intro", "section_number": "4.1"}},
    {
        "id": "hr-3",
        "text": HOURS,
        "metadata": {
            "url": "https://Shop.example:443/hours/",
            "path": "src/a/b.py",
            "line_start": 40,
            "line_end": 130,
        },
    },
]


def cited(answer, **more):
    """Text, chunk and validity of each citation."""
    return [(item.text, item.chunk_id, item.valid) for item in verdict(answer, **more).citations]


@pytest.mark.parametrize(("marker", "chunks"), table(__file__, "test_finds_an_index_or_id_anywhere"))
@pytest.mark.parametrize("place", ["start", "middle", "end", "behind the stop"])
def test_finds_an_index_or_id_anywhere(marker, chunks, place):
    answer = {
        "start": f"{marker} {SAID}.",
        "middle": f"Customers can return any item {marker} within 30 days of the purchase.",
        "end": f"{SAID} {marker}.",
        "behind the stop": f"{SAID}. {marker}",
    }[place]
    found = verdict(answer)
    assert [item.chunk_id for item in found.citations] == chunks
    assert all(item.valid for item in found.citations)
    for item in found.citations:
        assert answer[item.start : item.end] == item.text
        assert item.claim == next(claim.index for claim in found.claims if claim.checked)


@pytest.mark.row(2)
@each(*table(__file__, "test_sections_lines_addresses_and_ids_resolve"))
def test_sections_lines_addresses_and_ids_resolve(reference, chunk):
    ((_, found, valid),) = cited(f"{SAID} ({reference}).", chunks=SECTIONS)
    assert (found, valid) == (chunk, True)


@each(*table(__file__, "test_text_that_is_not_a_citation"))
def test_text_that_is_not_a_citation(text):
    assert cited(f"{text}\n\n{SAID} (Chapter 3, Section 2).", chunks=SECTIONS) == [
        ("Chapter 3, Section 2", "hr-1", True)
    ]


@pytest.mark.row(5)
def test_checks_citations_with_few_calls():
    texts = [f"{SAID} number {number}. {FEE} {HOURS}" for number in range(10)]
    row = pg.Transcript.model_validate(transcript(f"{SAID} [1]. {FEE[:-1]} [2][11].", *texts))
    pg.clean_answer(row)
    # So many calls take less than 5 ms; benchmarks/citations.py measures the time.
    assert 0 < calls_of(lambda: pg.clean_answer(row)) < 10_000


@each(("https://b.example/y", "c2"), ("https://other.example/x", None), ("", "c1"))
def test_a_definition_gives_a_number_its_meaning(address, chunk):
    chunks = [
        {"id": "c1", "text": TEXT, "metadata": {"url": "https://a.example/x"}},
        {"id": "c2", "text": FEE, "metadata": {"url": "https://b.example/y"}},
    ]
    answer = f"{SAID} [1]." + (f"\n\n[1]: {address}" if address else "")
    assert cited(answer, chunks=chunks) == [("[1]", chunk, chunk is not None)]

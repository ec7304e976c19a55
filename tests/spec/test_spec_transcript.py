"""Section 2 of the specification: what a transcript is, row by row."""

import pytest
from answers import TEXT, transcript
from every import each

import pytest_grounding as pg


@each("id", "question", "chunks", "answer")
def test_four_fields_are_required(missing):
    row = transcript()
    del row[missing]
    with pytest.raises(pg.InputError, match=missing):
        pg.validate(row)


def test_keeps_a_score_exactly():
    read = pg.Transcript.model_validate(transcript(chunks=[{"id": "c1", "text": TEXT, "score": 0.123456789}]))
    assert read.chunks[0].score == 0.123456789
    assert (
        pg.Transcript.model_validate(transcript(chunks=[{"id": "c1", "text": TEXT}])).chunks[0].score is None
    )


@each(
    *("document", "title", "chapter_id", "section_number", "section_title", "page", "url", "slug"),
    *("payload_id", "path", "line_start", "line_end", "domain", "chunk_type"),
)
def test_reads_the_metadata_of_a_chunk(key):
    value = 3 if key.startswith("line") else "3"
    read = pg.Chunk.model_validate({"id": "c1", "text": TEXT, "metadata": {key: value, "own_key": 1}})
    assert str(getattr(read.metadata, key)) == "3"
    assert read.metadata.model_dump()["own_key"] == 1


def test_the_numbered_context_and_the_prompt_agree():
    context = pg.format_context([{"id": "c1", "text": TEXT, "metadata": {"title": "Handbook"}}])
    assert context == f"[1] {TEXT} (Source: Handbook)"
    assert context in pg.STRUCTURED_PROMPT.format(context=context, question="Why?")

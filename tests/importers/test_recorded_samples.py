"""Recordings of the real services and libraries. Skipped where they are not beside this checkout."""

import re
from pathlib import Path

import pytest
from every import each

import pytest_grounding as pg
from pytest_grounding.engine.transcript_input import iter_transcripts

SAMPLES = Path(__file__).resolve().parents[3] / "shared" / "samples"

pytestmark = pytest.mark.skipif(not SAMPLES.is_dir(), reason="the recordings are not beside this checkout")

#: Files with values that are no exchange: vectors, a fragment of a page, one sentence, a run listed twice.
NO_EXCHANGE = {
    "anthropic_search_result_location.json": "neither a transcript nor a recording",
    "cohere_v2_embed_openapi_example.json": r"response: is of no format that is known",
}
#: The vendor's own example, whose text is elided: its offsets lie outside, and a finding says so.
ELIDED = "openai_responses_file_search_docs.json"

#: Formats that are not read any more.
GONE = ("lettucedetect", "ragtruth", "trec")

FILES = sorted(file.name for file in SAMPLES.glob("*.json*") if not file.name.startswith(GONE))


def rows_of(name):
    return list(iter_transcripts(SAMPLES / name, {"question": "What is asked?"}))


@each(*(FILES or ["none"]))
def test_a_recording_is_converted_or_one_sentence_says_why_not(name):
    rows = rows_of(name)
    found = [row.transcript for row in rows if row.transcript is not None]
    for error in (row.error for row in rows if row.error is not None):
        assert re.search(NO_EXCHANGE[name], str(error))
    assert found or name in NO_EXCHANGE
    for transcript in found:
        ids = {chunk.id for chunk in transcript.chunks}
        for citation in transcript.citations:
            assert set(citation.chunk_ids) <= ids
            inside = 0 <= citation.start <= citation.end <= len(transcript.answer)
            assert inside or name == ELIDED
            if inside and citation.text is not None:
                assert transcript.answer[citation.start : citation.end] == citation.text
        verdict = pg.validate(transcript)
        rules = {finding.rule for finding in verdict.causes}
        assert ("offset_mismatch" in rules) == (name == ELIDED)
        assert "content_match" not in rules, "what a provider quotes stands in its source"
        assert {note.message for note in transcript.notes} <= {item.message for item in verdict.findings}


def test_all_formats_were_met_and_most_recordings_carry_spans():
    found = [row.transcript for name in FILES for row in rows_of(name) if row.transcript is not None]
    formats = (
        "anthropic cohere deepeval gemini haystack langchain llamaindex mlflow openai-responses "
        "openinference otel-genai ragas"
    )
    assert set(formats.split()) <= {transcript.metadata["format"] for transcript in found}
    assert sum(len(transcript.citations) for transcript in found) > 60

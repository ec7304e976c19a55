"""Section 2 of the specification: what a transcript is, row by row."""

import pytest
from answers import TEXT, rules, transcript, verdict
from every import each

import pytest_grounding as pg


@each("x", "Why? " * 400)
def test_reads_a_question_of_up_to_2000_characters(question):
    assert len(question) in (1, 2000)
    assert pg.Transcript.model_validate(transcript(question=question)).question == question


@each("", "x" * 2001, "   ", "\n\t")
def test_rejects_a_missing_or_too_long_question(question):
    with pytest.raises(pg.InputError, match="question"):
        pg.validate(transcript(question=question))


def test_a_setting_limits_the_question():
    row = transcript(question="How long do customers have? " + "x" * 2000)
    assert pg.validate(row, {"question_max_length": 3000}).id == "t1"


@each("id", "question", "chunks", "answer")
def test_four_fields_are_required(missing):
    row = transcript()
    del row[missing]
    with pytest.raises(pg.InputError, match=missing):
        pg.validate(row)


def test_chunks_may_be_empty_and_the_answer_too():
    assert verdict(chunks=[]).retrieval.rating == "poor"
    assert rules(verdict(""))["empty_answer"] == "error"


@each(-0.1, 1.1, float("nan"))
def test_rejects_a_score_outside_of_0_to_1(score):
    with pytest.raises(pg.InputError, match="score"):
        verdict(chunks=[{"id": "c1", "text": TEXT, "score": score}])


def test_keeps_a_score_exactly():
    read = pg.Transcript.model_validate(transcript(chunks=[{"id": "c1", "text": TEXT, "score": 0.123456789}]))
    assert read.chunks[0].score == 0.123456789
    assert (
        pg.Transcript.model_validate(transcript(chunks=[{"id": "c1", "text": TEXT}])).chunks[0].score is None
    )


def test_ids_of_chunks_are_unique():
    with pytest.raises(pg.InputError, match="c1"):
        verdict(chunks=[{"id": "c1", "text": "a"}, {"id": "c1", "text": "b"}])


@each(
    *("document", "title", "chapter_id", "section_number", "section_title", "page", "url", "slug"),
    *("payload_id", "path", "line_start", "line_end", "domain", "chunk_type"),
)
def test_reads_the_metadata_of_a_chunk(key):
    value = 3 if key.startswith("line") else "3"
    read = pg.Chunk.model_validate({"id": "c1", "text": TEXT, "metadata": {key: value, "own_key": 1}})
    assert str(getattr(read.metadata, key)) == "3"
    assert read.metadata.model_dump()["own_key"] == 1


def test_a_span_that_does_not_fit_is_a_finding():
    span = {"start": 900, "end": 907, "text": "30 days", "chunk_ids": ["c1"]}
    assert rules(verdict("Within 30 days.", citations=[span]))["offset_mismatch"] == "warning"


def test_replaces_lone_surrogates_with_a_note():
    read = pg.Transcript.model_validate(transcript("Within 30 days \ud83d."))
    assert "\ufffd" in read.answer
    assert rules(pg.validate(read))["lone_surrogate"] == "info"


def test_models_are_frozen_and_have_a_version():
    read = pg.Transcript.model_validate({**transcript(), "schema_version": 1})
    with pytest.raises((TypeError, ValueError, AttributeError)):
        read.answer = "x"
    with pytest.raises(pg.InputError, match="schema_version"):
        pg.validate({**transcript(), "schema_version": 2})


def test_reads_the_language_from_the_metadata():
    assert pg.Transcript.model_validate(transcript(metadata={"language": "de"})).effective_language == "de"
    read = pg.Transcript.model_validate(transcript(language="fr", metadata={"language": "de"}))
    assert read.effective_language == "fr"


def test_a_structured_response_becomes_a_transcript():
    response = pg.StructuredRAGResponse(
        answer="30 days [1].", citations=[1, 2], confidence=0.9, missing_information=""
    )
    read = response.to_transcript(
        "How long?", [{"id": "c1", "text": TEXT}, {"id": "c2", "text": "x"}], id="s1"
    )
    assert (read.id, tuple(read.cited_indices or ())) == ("s1", (1, 2))
    assert rules(pg.validate(read))["uncited_list_entry"] == "info"


def test_a_chat_response_without_a_confidence_is_a_finding():
    source = pg.Source(
        chapter_id="1", section_number="1", section_title="A", excerpt=TEXT, relevance_score=0.9
    )
    response = pg.ChatResponse(answer="30 days.", sources=[source], metadata={})
    read = response.to_transcript(pg.ChatRequest(question="How long?"), id="s1")
    assert rules(pg.validate(read))["broken_contract"] == "error"


@each({"index": 0, "claim_text": "x"}, {"index": -1, "claim_text": "x"})
def test_an_index_counts_from_1(values):
    with pytest.raises(ValueError, match="index"):
        pg.CitationReference.model_validate(values)


def test_the_numbered_context_and_the_prompt_agree():
    context = pg.format_context([{"id": "c1", "text": TEXT, "metadata": {"title": "Handbook"}}])
    assert context == f"[1] {TEXT} (Source: Handbook)"
    assert context in pg.STRUCTURED_PROMPT.format(context=context, question="Why?")

import json

import pytest
from every import each
from pydantic import ValidationError

import pytest_grounding as pg
from pytest_grounding.citations.naming import format_context
from pytest_grounding.model.contracts import (
    STRUCTURED_PROMPT,
    ChatRequest,
    ChatResponse,
    CitationReference,
    RAGMetadata,
    Source,
    StructuredRAGResponse,
)
from pytest_grounding.model.transcript import Chunk

REFUNDS = {"title": "Refunds", "chapter_id": "3", "section_number": 2}
CHUNKS = [
    {"id": "a", "text": " Refunds take 30 days. ", "metadata": REFUNDS},
    {"id": "b", "text": "Leave is 25 days.", "metadata": {"document": "hr.pdf"}},
    {"id": "c", "text": "The office opens at nine."},
]


def test_the_numbered_context_counts_as_validation_does():
    assert format_context(CHUNKS).split("\n\n") == [
        "[1] Refunds take 30 days. (Source: Refunds, chapter 3, section 2)",
        "[2] Leave is 25 days. (Source: hr.pdf)",
        "[3] The office opens at nine. (Source: c)",
    ]
    assert format_context([], index_base=0) == ""
    assert format_context([Chunk(id="z", text="t")], index_base=0) == "[0] t (Source: z)"
    answer = "Leave is 25 days [2]."
    verdict = pg.validate({"id": "t", "question": "How long?", "chunks": CHUNKS, "answer": answer})
    assert verdict.citations[0].chunk_id == "b"


def test_the_prompt_takes_context_and_question():
    prompt = STRUCTURED_PROMPT.format(context=format_context(CHUNKS), question="How long?")
    assert "[1] Refunds take 30 days." in prompt
    assert "Question: How long?" in prompt
    assert '{"answer"' in prompt


@pytest.mark.row(20)
def test_a_structured_response_becomes_a_transcript():
    response = StructuredRAGResponse(
        answer="Refunds take 30 days [1].", citations=(1, 2), confidence=0.9, missing_information="nothing"
    )
    transcript = response.to_transcript("How long?", CHUNKS, id="t1", metadata={"model_version": "m"})
    assert (transcript.cited_indices, transcript.confidence) == ((1, 2), 0.9)
    assert transcript.missing_information == "nothing"
    assert transcript.metadata == {"model_version": "m"}
    verdict = pg.validate(transcript)
    rules = [finding.rule for finding in verdict.causes]
    assert "uncited_list_entry" in rules
    assert verdict.citation_accuracy == 1.0


@pytest.mark.row(21)
def test_a_wrong_number_in_the_list_is_a_finding_and_no_crash():
    response = StructuredRAGResponse(answer="Refunds take 30 days [1].", citations=(1, 7, 0), confidence=1)
    verdict = pg.validate(response.to_transcript("How long?", CHUNKS, id="t"))
    assert [item.target for item in verdict.citations if not item.valid] == ["7", "0"]
    assert verdict.citation_accuracy == pytest.approx(1 / 3)
    assert verdict.status == "reject"


@each(-0.1, 1.1, float("nan"), None, "high")
def test_a_structured_response_needs_a_confidence_from_0_to_1(confidence):
    with pytest.raises(ValidationError, match="confidence"):
        StructuredRAGResponse.model_validate({"answer": "x", "confidence": confidence})


@pytest.mark.row(20)
def test_a_reference_counts_from_1():
    assert CitationReference(index=1, claim_text="x").index == 1
    with pytest.raises(ValidationError):
        CitationReference(index=0, claim_text="x")


def test_a_chat_response_becomes_a_transcript():
    response = ChatResponse(
        answer="Refunds take 30 days (Chapter 3, Section 2).",
        sources=(
            Source(chapter_id="03", section_number="2", excerpt="Refunds take 30 days.", relevance_score=0.8),
        ),
        metadata=RAGMetadata(confidence=0.8, session_id="s", latency=3),
    )
    request = ChatRequest(question="How long?", filters={"domain": "hr"})
    transcript = response.to_transcript(request, chunks=CHUNKS, id="t")
    assert (transcript.question, transcript.filters, transcript.confidence) == (
        "How long?",
        {"domain": "hr"},
        0.8,
    )
    assert transcript.metadata == {"session_id": "s", "latency": 3}
    assert transcript.notes == ()
    assert pg.validate(transcript).citations[0].chunk_id == "a"


def test_without_chunks_the_listed_sources_stand_in():
    response = ChatResponse(
        answer="Refunds take 30 days (Chapter 3, Section 2).",
        sources=(Source(chapter_id="3", section_number="2", section_title="T", excerpt="Thirty days."),),
        metadata=RAGMetadata(confidence=0.8),
    )
    [chunk] = response.to_transcript("How long?", id="t").chunks
    assert (chunk.id, chunk.text, chunk.metadata.section_title) == ("chunk-1", "Thirty days.", "T")


def test_a_response_without_a_confidence_is_a_finding():
    transcript = ChatResponse(answer="x").to_transcript("How long?", chunks=CHUNKS, id="t")
    verdict = pg.validate(transcript)
    [finding] = [item for item in verdict.causes if item.rule == "broken_contract"]
    assert finding.severity == "error"
    assert "confidence" in finding.message


def test_a_listed_source_that_was_not_retrieved_is_a_finding():
    response = ChatResponse(
        answer="x", sources=(Source(chapter_id="9", section_number="9"),), metadata=RAGMetadata(confidence=1)
    )
    [note] = response.to_transcript("How long?", chunks=CHUNKS, id="t").notes
    assert (note.rule, note.severity) == ("source_exists", "error")
    assert "chapter 9, section 9" in note.message


def test_an_unknown_key_is_an_error_but_metadata_may_hold_more():
    with pytest.raises(ValidationError):
        ChatResponse.model_validate({"answer": "x", "confidence": 1})
    assert RAGMetadata.model_validate({"anything": 1}).confidence is None
    with pytest.raises(ValidationError):
        Source(chapter_id="1", section_number="1", relevance_score=1.5)
    with pytest.raises(ValidationError):
        ChatRequest(question="")


@pytest.mark.row(1)
def test_the_contract_follows_the_specification():
    given = {
        "answer": "Thirty days.",
        "sources": [{"chapter_id": "1", "section_number": 2, "excerpt": "Thirty days."}],
        "metadata": {"confidence_score": 0.8},
    }
    response = ChatResponse.model_validate(given)
    assert response.model_dump(mode="json")["sources"][0]["section_number"] == 2
    transcript = response.to_transcript("How long?", id="a")
    assert (transcript.confidence, transcript.notes) == (0.8, ())
    assert transcript.chunks[0].metadata.section_number == "2"


@pytest.mark.row(1)
@pytest.mark.parametrize("name", ["confidence", "confidence_score"])
def test_a_confidence_is_written_under_the_name_that_it_came_by(name):
    metadata = RAGMetadata.model_validate({name: 0.8, "model_version": "m"})
    for value in (metadata, metadata.model_copy(update={"session_id": "s"})):
        assert value.confidence == 0.8
        plain = value.model_dump(exclude_none=True)
        assert {key for key in plain if key.startswith("confidence")} == {name}
        assert json.loads(value.model_dump_json())[name] == 0.8
    response = ChatResponse(answer="x", metadata={name: 0.8})
    assert response.model_dump()["metadata"][name] == 0.8
    assert ChatResponse.model_validate(response.model_dump()) == response
    assert response.to_transcript("How long?", id="a").confidence == 0.8


def test_a_structured_response_says_what_its_fields_are():
    schema = StructuredRAGResponse.model_json_schema()
    assert all(schema["properties"][name]["description"] for name in StructuredRAGResponse.model_fields)
    assert {"answer", "citations", "confidence"} <= set(schema["required"])
    with pytest.raises(ValidationError, match="citations"):
        StructuredRAGResponse.model_validate({"answer": "x", "confidence": 0.5})
    [example] = [
        part
        for part in STRUCTURED_PROMPT.format(context="", question="").split("\n{")
        if "days [1]" in part
        for part in STRUCTURED_PROMPT.format(context="", question="").split("\n{")
        if "30 days [1]" in part
    ]
    StructuredRAGResponse.model_validate_json("{" + example.partition("}")[0] + "}")

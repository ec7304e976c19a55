"""Chunks and questions in the shapes of others, read wherever a transcript or a list of chunks is taken."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from every import each
from pydantic import ValidationError

import pytest_grounding as pg
from pytest_grounding.importers.native import to_transcript

QUESTION = "How long do refunds take?"
TEXT = "Refunds take 14 days."
ANSWER = "Refunds take 14 days [1]."


class Document:
    """As LangChain's, which is not installed here and is imported nowhere."""

    def __init__(
        self, page_content: str, metadata: dict[str, Any] | None = None, id: str | None = None
    ) -> None:
        self.page_content = page_content
        self.metadata = metadata or {}
        self.id = id


class Row(NamedTuple):
    page_content: str
    metadata: dict[str, Any]


SOURCE = {"document": "docs/refunds.md", "chunkId": "r-1", "content": TEXT, "section": "2.1"}
DUMPED = {"id": None, "page_content": TEXT, "metadata": {"source": "docs/refunds.md"}, "type": "Document"}


@each(
    (SOURCE, "r-1", {"document": "docs/refunds.md", "section_number": "2.1"}),
    ({"content": TEXT, "section": "Refunds", "id": 7}, "7", {"section_title": "Refunds"}),
    (
        {"content": TEXT, "chunk_id": "x", "section": "§4.1", "page": 3},
        "x",
        {"section_number": "4.1", "page": "3"},
    ),
    (DUMPED, "docs/refunds.md", {"document": "docs/refunds.md"}),
    (
        Document(TEXT, {"source": "https://a.example/x", "page": 0, "page_label": "1"}),
        "https://a.example/x",
        {"url": "https://a.example/x", "page": "1"},
    ),
    (
        Document(TEXT, {"title": None, "path": ["no"], "k": {"a": 1}}, "d-9"),
        "d-9",
        {"k": {"a": 1}, "original": {"path": ["no"]}},
    ),
    (Row(TEXT, {"slug": "refunds"}), "chunk-1", {"slug": "refunds"}),
)
def test_a_known_shape_is_a_chunk(chunk: Any, name: str, metadata: dict[str, Any]) -> None:
    given = {"id": "a", "question": QUESTION, "chunks": [chunk], "answer": ANSWER}
    for read in (pg.Transcript.model_validate, to_transcript):
        [found] = read(given).chunks
        assert (found.id, found.text) == (name, TEXT)
        known = found.metadata.model_dump(exclude_none=True)
        assert {key: known.get(key) for key in metadata} == metadata
    assert pg.validate(given).status == "pass"
    assert pg.check_citations(ANSWER, [chunk])
    assert pg.format_context([chunk]).startswith(f"[1] {TEXT} (Source: ")
    assert pg.validate_retrieval(QUESTION, [chunk]).relevance[0].chunk_id == name
    assert (pg.support("Refunds take 14 days.", [chunk]).probability or 0) > 0.9


@each(
    {"query": QUESTION, "sources": [SOURCE], "answer": ANSWER},
    {"query": QUESTION, "sources": [SOURCE], "response": ANSWER},
    {"question": QUESTION, "documents": [SOURCE], "answer": ANSWER},
    {"query": QUESTION, "context": [DUMPED], "answer": ANSWER},
    {"query": QUESTION, "source_documents": [DUMPED], "result": ANSWER},
    {"query": QUESTION, "passages": [{"text": TEXT, "id": "p"}], "answer": ANSWER},
)
def test_a_recording_of_a_service_is_read(given: dict[str, Any], tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(json.dumps(given), encoding="utf-8")
    [loaded] = pg.load_transcripts(tmp_path / "a.json")
    assert (loaded.question, loaded.answer, loaded.chunks[0].text) == (QUESTION, ANSWER, TEXT)
    assert pg.validate(given).citation_accuracy == 1.0
    named = pg.load_transcripts(tmp_path / "a.json")[0].id
    assert named == loaded.id, "the made id is the same each time"


@each({"text": TEXT}, {"content": TEXT, "id": "r-1"}, {"page_content": TEXT})
def test_contexts_that_are_objects_are_the_sources_of_a_service(
    source: dict[str, Any], tmp_path: Path
) -> None:
    given = {"question": QUESTION, "answer": ANSWER, "contexts": [source]}
    path = tmp_path / "rows.jsonl"
    path.write_text(f"{json.dumps(given)}\n{json.dumps({**given, 'contexts': [TEXT]})}\n", encoding="utf-8")
    found, of_ragas = pg.load_transcripts(path)
    assert [(chunk.id, chunk.text) for chunk in found.chunks] == [(source.get("id", "chunk-1"), TEXT)]
    assert [chunk.text for chunk in of_ragas.chunks] == [TEXT]
    assert pg.validate(given).citation_accuracy == 1.0


def test_objects_are_read_where_a_recording_is_given() -> None:
    for key in ("context", "source_documents", "sources"):
        verdict = pg.validate({"query": QUESTION, key: [Document(TEXT)], "answer": ANSWER})
        assert verdict.citations[0].valid


def test_what_has_no_meaning_here_is_kept() -> None:
    given = {
        "id": "s",
        "query": QUESTION,
        "sources": [SOURCE],
        "answer": ANSWER,
        "latency": 3,
        "confidence": 0.9,
    }
    verdict_of = pg.validate(given)
    assert verdict_of.id == "s"
    from pytest_grounding.engine.transcript_input import as_transcript

    found = as_transcript(given)
    assert found.metadata["latency"] == 3
    assert found.confidence == 0.9


def test_a_transcript_takes_query_and_sources_in_place_of_its_own_names() -> None:
    given = {"id": "a", "query": QUESTION, "sources": [SOURCE, Document("x")], "answer": ANSWER}
    found = pg.Transcript.model_validate(given)
    assert [chunk.id for chunk in found.chunks] == ["r-1", "chunk-2"]
    assert found == pg.Transcript.model_validate(json.loads(found.model_dump_json()))
    assert pg.Transcript(**given) == found


@each(
    ({"qestion": "x"}, "did you mean 'question'"),
    ({"query": "x"}, "query: is not a known field; write it as 'question'"),
    ({"prompt": "x"}, "write it as 'question'"),
    ({"sources": []}, "sources: is not a known field"),
    ({"chunks": [{"id": "a", "txet": "x"}]}, "did you mean 'text'"),
    ({"chunks": [{"id": "a", "contents": "x"}]}, "contents"),
    ({"chunks": [{"content": "x", "chunkid": "a"}]}, "chunks[0].content: is not a known field"),
    ({"chunks": [{"content": 3}]}, "chunks[0].content"),
    ({"chunks": [{"page_content": "x", "metadata": "m"}]}, "chunks[0].page_content"),
    ({"chunks": [{"content": "x", "score": 7}]}, "chunks[0].score: is too large"),
    ({"chunks": [{"content": "x", "id": "a"}, {"text": "y", "id": "a"}]}, "share the id 'a'"),
    ({"chunks": [object()]}, "chunks[0]: is not an object"),
    ({"chunks": [Document]}, "chunks[0]"),
    ({"chunks": [Document(None)]}, "chunks[0]"),  # type: ignore[arg-type]
    ({"chunks": Document("x")}, "chunks"),
)
def test_a_slip_of_the_pen_is_still_named(changes: dict[str, Any], said: str) -> None:
    given = {"id": "a", "question": QUESTION, "chunks": [], "answer": "x", **changes}
    with pytest.raises(pg.InputError) as caught:
        to_transcript(given)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_list_that_is_half_known_is_not_taken() -> None:
    given = {"id": "a", "question": QUESTION, "sources": [SOURCE, {"wrods": "x"}], "answer": "x"}
    with pytest.raises(ValidationError, match="chunks"):
        pg.Transcript.model_validate(given)


def test_no_library_is_imported_for_it() -> None:
    assert not [name for name in sys.modules if name.startswith("langchain")]

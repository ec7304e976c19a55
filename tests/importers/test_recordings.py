"""Recordings in the shapes of tools, and chunks in the shapes of stores and libraries, read as they are."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import pytest

import pytest_grounding as pg
from pytest_grounding.cli import main

FOLDER = Path(__file__).parent / "recordings"
QUESTION = "How many books may a reader borrow?"
BOOKS = "A reader may borrow eight books at a time."
FILMS = "Films are lent for seven days."
ANSWER = "A reader may borrow eight books [1]."
FILE_ANSWER = "A reader may borrow eight books [doc1]."
RANDOM = "9b2f1c1e-3a52-4c55-9b1e-2f6f0a3c7d11"

#: File, and ids of its chunks.
READ: list[tuple[str, list[str]]] = [
    ("mlflow_documents.json", ["loans.md", "films.md"]),
    ("mlflow_results.json", ["loans-1", "films-1"]),
    ("azure_context.sse", ["loans.md#0", "films.md#0"]),
    ("perplexity.sse", ["chunk-1", "chunk-2"]),
    ("status_events.sse", ["loans-1", "films-1"]),
    ("qdrant_points.json", ["loans.md", "loans.md#2"]),
]


def test_each_recording_is_read_as_it_is() -> None:
    for name, ids in READ:
        [found] = pg.load_transcripts(FOLDER / name)
        verdict = pg.validate(found)
        assert (found.question, found.answer) in ((QUESTION, ANSWER), (QUESTION, FILE_ANSWER)), name
        assert [chunk.id for chunk in found.chunks] == ids, name
        assert [chunk.text.split("\n")[0] for chunk in found.chunks] == [BOOKS, FILMS], name
        assert [use.chunk_id for use in verdict.citations if use.start >= 0] == [ids[0]], name
        assert verdict.status == "pass", name


def test_columns_of_other_names_are_an_error_that_names_the_setting(
    capsys: pytest.CaptureFixture[str],
) -> None:
    file = FOLDER / "german_columns.jsonl"
    with pytest.raises(pg.InputError, match=r"german_columns\.jsonl:1: .*'Frage'.*the setting columns"):
        pg.load_transcripts(file)
    columns = "columns=question=Frage, answer=Antwort, chunks=Kontext"
    assert main(["check", str(file), "--set", columns]) == 0
    capsys.readouterr()


def test_the_command_gives_a_verdict_or_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    for file in sorted(FOLDER.iterdir()):
        status = main(["check", str(file)])
        told = capsys.readouterr()
        assert (status == 2) == ("transcripts: 1 (" not in told.out), file.name
        assert "Traceback" not in told.out + told.err, file.name
        if status == 2:
            assert told.err.count(file.name) == 1


class Loose:
    """An object of a library: its members, and nothing else."""

    def __init__(self, **members: Any) -> None:
        self.__dict__.update(members)


#: A chunk as people bring it, and the id that it gets.
CHUNKS: list[tuple[Any, str]] = [
    ({"document": "loans.md", "chunkId": "loans-1", "content": BOOKS, "section": "2.1"}, "loans-1"),
    ({"excerpt": BOOKS, "title": "Loans"}, "chunk-1"),
    ({"pageContent": BOOKS, "metadata": {"source": "loans.md"}}, "loans.md"),
    ({"page_content": BOOKS, "metadata": {"file_name": "loans.md"}}, "loans.md"),
    ({"content": BOOKS, "metadata": {"id": "loans-1", "source": "loans.md"}}, "loans-1"),
    (
        {"id": RANDOM, "version": 3, "score": 0.8, "payload": {"text": BOOKS, "source": "loans.md"}},
        "loans.md",
    ),
    ({"id": 7, "score": 0.8, "payload": {"page_content": BOOKS, "metadata": {"source": "loans.md"}}}, "7"),
    (Loose(id=RANDOM, score=0.8, payload={"content": BOOKS, "source": "loans.md"}), "loans.md"),
    (pg.Source(chapter_id="1", section_number=2, excerpt=BOOKS, relevance_score=0.9), "chunk-1"),
    (Loose(page_content=BOOKS, metadata={"source": "loans.md"}, id=None), "loans.md"),
    (Loose(page_content=BOOKS, metadata={"source": "loans.md"}, id=RANDOM), "loans.md"),
    (
        Loose(node=Loose(text=BOOKS, metadata={"file_name": "loans.md"}, node_id=RANDOM), score=0.8),
        "loans.md",
    ),
    (Loose(content=BOOKS, meta={"file_path": "loans.md"}, id="c0ffee", score=0.7), "c0ffee"),
]


def test_every_door_reads_a_chunk_in_the_same_way() -> None:
    row = {"id": "a", "question": QUESTION, "answer": ANSWER}
    for chunk, name in CHUNKS:
        for held in ("chunks", "sources", "contexts"):
            assert pg.validate({**row, held: [chunk]}).citations[0].chunk_id == name, (held, chunk)
        assert pg.assert_grounded({**row, "chunks": [chunk]}).status == "pass", chunk
        assert pg.check_citations(ANSWER, [chunk]).citations[0].chunk_id == name, chunk
        assert pg.format_context([chunk]).startswith(f"[1] {BOOKS} (Source: "), chunk
        assert pg.validate_retrieval(QUESTION, [chunk]).relevance[0].chunk_id == name, chunk
        assert (pg.support("A reader may borrow eight books.", [chunk]).probability or 0) > 0.9, chunk


def test_chunks_of_one_file_are_numbered_and_found_by_the_ids_of_their_store() -> None:
    points = [
        {"id": RANDOM, "payload": {"text": BOOKS, "source": "loans.md"}},
        {"id": RANDOM[:-1] + "2", "payload": {"text": FILMS, "source": "loans.md"}},
    ]
    found = pg.check_citations(f"A reader may borrow eight books [{RANDOM}].", points)
    assert found.citations[0].chunk_id == "loans.md"
    assert pg.check_citations(f"Films are lent for seven days [{RANDOM[:-1]}2].", points).citations[0].valid
    assert not pg.check_citations(f"A reader may borrow eight [{RANDOM[:-1]}9].", points).citations[0].valid
    given = {"id": "a", "question": QUESTION, "chunks": points, "answer": ANSWER}
    assert [item.chunk_id for item in pg.validate(given).retrieval.relevance] == ["loans.md", "loans.md#2"]


def test_a_score_in_the_metadata_is_read_and_one_beyond_1_is_kept_there() -> None:
    scores = [0.4, 38.2]
    chunks = [{"content": BOOKS, "metadata": {"relevance_score": score}} for score in scores]
    given = {"id": "a", "question": QUESTION, "chunks": chunks, "answer": ANSWER}
    found = pg.Transcript.model_validate(given).chunks
    assert [chunk.score for chunk in found] == [0.4, None]
    assert (found[1].metadata.model_extra or {})["retrieval_score"] == 38.2


def test_a_chunk_with_two_names_is_cited_by_either() -> None:
    chunk = {"id": 7, "chunkId": "loans-1", "content": BOOKS}
    for held, marker in product(("chunks", "sources"), ("[1]", "[loans-1]")):
        given = {"id": "a", "question": QUESTION, held: [chunk], "answer": ANSWER.replace("[1]", marker)}
        assert pg.validate(given).citations[0].chunk_id == "7", marker

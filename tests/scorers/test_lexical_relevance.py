from __future__ import annotations

from every import examples

from pytest_grounding.model.transcript import Chunk, ChunkMetadata
from pytest_grounding.scorers.builtin.builtin_scorer import LexicalScorer

WARRANTY = "The warranty lasts 24 months from the date of purchase. Batteries are covered for half a year."
LEAVE = "Employees may carry over up to five vacation days. A manager approves requests before December 15."


def relevance(question: str, *chunks: Chunk) -> list[float | None]:
    return [found.value for found in LexicalScorer().relevance(question, chunks)]


@examples(
    "question",
    ["How long does the warranty last?", "Are batteries covered by the warranty?", "What is the warranty?"],
)
def test_the_chunk_that_answers_is_relevant_and_the_other_is_not(question: str) -> None:
    good, bad = relevance(question, Chunk(id="a", text=WARRANTY), Chunk(id="b", text=LEAVE))
    assert good is not None
    assert bad is not None
    assert good >= 0.6
    assert bad < 0.3


def test_each_chunk_is_scored_alone() -> None:
    chunks = [Chunk(id="a", text=WARRANTY), Chunk(id="b", text=LEAVE)]
    question = "Who approves vacation requests?"
    assert relevance(question, *chunks) == [relevance(question, chunk)[0] for chunk in chunks]


def test_words_of_the_title_count() -> None:
    text = "It lasts 24 months."
    plain = relevance("How long does the Zenith warranty last?", Chunk(id="a", text=text))[0]
    titled = Chunk(id="a", text=text, metadata=ChunkMetadata(title="Zenith warranty"))
    better = relevance("How long does the Zenith warranty last?", titled)[0]
    assert plain is not None
    assert better is not None
    assert better > plain


def test_a_question_of_stop_words_gets_no_score() -> None:
    found = LexicalScorer().relevance("What is it?", [Chunk(id="a", text=WARRANTY)])[0]
    assert found.value is None
    assert "no content words" in found.reason


def test_no_chunks_no_scores() -> None:
    assert relevance("What is covered?") == []

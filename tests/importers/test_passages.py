"""Retrieved passages in every shape that people keep: read, or named with what to write; never lost."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from every import each
from hypothesis import given
from hypothesis import strategies as st

import pytest_grounding as pg
from pytest_grounding.engine.transcript_input import as_transcript
from pytest_grounding.importers.native import to_transcript
from pytest_grounding.importers.objects import plain
from pytest_grounding.model.chunks import read_chunk

QUESTION = "How long do refunds take?"
TEXT = "Refunds are paid within 14 days of the return."
ANSWER = f"{TEXT[:-1]} [1]."


class Array:
    """As an array library's: it is not a list, and gives one."""

    def __init__(self, *items: Any) -> None:
        self.items = items
        self.shape = (len(items),)

    def tolist(self) -> list[Any]:
        return list(self.items)

    def to_dict(self) -> dict[int, Any]:
        """As a column of a table of pandas has it."""
        return dict(enumerate(self.items))


class Number:
    """As a number of an array library."""

    shape = ()

    def item(self) -> float:
        return 0.5


@dataclass
class TextNode:
    """As LlamaIndex's, which is imported nowhere."""

    text: str
    node_id: str = "n1"
    metadata: dict[str, Any] = field(default_factory=lambda: {"file_name": "a.md"})

    def to_dict(self) -> dict[str, Any]:
        return {"id_": self.node_id, "text": self.text, "metadata": self.metadata, "class_name": "TextNode"}


@dataclass
class NodeWithScore:
    node: TextNode
    score: float | None = 0.8

    def to_dict(self) -> dict[str, Any]:
        return {"node": self.node.to_dict(), "score": self.score, "class_name": "NodeWithScore"}


@dataclass
class Document:
    """As LangChain's."""

    page_content: str
    metadata: dict[str, Any] = field(default_factory=dict)
    id: str | None = None


@dataclass
class Stored:
    """As Haystack's document."""

    content: str
    id: str = "s1"
    meta: dict[str, Any] = field(default_factory=dict)
    score: float | None = 0.5


NODE = {"node": {"id_": "n1", "text": TEXT, "metadata": {}}, "score": 0.8}
RESOURCE = {"node": {"id_": "n1", "text_resource": {"text": TEXT}, "metadata": {}}, "score": 0.8}
CONSTRUCTED = {"lc": 1, "type": "constructor", "id": ["Document"], "kwargs": {"page_content": TEXT}}

#: What counts as one passage, and the id and the score that it brings.
SHAPES: list[tuple[Any, str, float | None]] = [
    (TEXT, "chunk-1", None),
    (NodeWithScore(TextNode(TEXT)), "n1", 0.8),
    (NodeWithScore(TextNode(TEXT), 7.5), "n1", None),
    (TextNode(TEXT), "n1", None),
    (NODE, "n1", 0.8),
    (RESOURCE, "n1", 0.8),
    (TextNode(TEXT).to_dict(), "n1", None),
    (Stored(TEXT), "s1", 0.5),
    (CONSTRUCTED, "chunk-1", None),
    (Document(TEXT, id="d1"), "d1", None),
    ((Document(TEXT), 0.8), "chunk-1", 0.8),
    ((Document(TEXT), Number()), "chunk-1", 0.5),
    ([Document(TEXT, id="d1"), 38.2], "d1", None),
    (({"page_content": TEXT}, 0.8), "chunk-1", 0.8),
    ((TEXT, 0.8), "chunk-1", 0.8),
]


@each(*SHAPES)
def test_a_passage_of_a_library_is_a_chunk_wherever_one_is_taken(
    shape: Any, name: str, score: float | None
) -> None:
    whole = {"id": "a", "question": QUESTION, "chunks": [shape], "answer": ANSWER}
    for read in (as_transcript, to_transcript, pg.Transcript.model_validate):
        [chunk] = read(whole).chunks
        assert (chunk.id, chunk.text, chunk.score) == (name, TEXT, score)
    assert pg.validate(whole).status == "pass"
    assert [use.valid for use in pg.check_citations(ANSWER, [shape]).citations] == [True]
    assert pg.validate_retrieval(QUESTION, [shape]).relevance[0].chunk_id in (name, "1")


@each(
    {"user_input": QUESTION, "response": ANSWER, "retrieved_contexts": ...},
    {"question": QUESTION, "answer": ANSWER, "contexts": ...},
    {"input": QUESTION, "actual_output": ANSWER, "retrieval_context": ...},
)
def test_a_sample_holds_a_passage_in_any_shape(row: dict[str, Any]) -> None:
    for shape, name, score in SHAPES:
        for held in ([shape], (shape,), Array(shape), (item for item in [shape])):
            found = as_transcript({key: held if value is ... else value for key, value in row.items()})
            known = [(chunk.id, chunk.text, chunk.score) for chunk in found.chunks]
            assert known == [(name, TEXT, score)], (shape, held)


def test_a_score_beyond_1_that_a_library_gave_is_kept_beside() -> None:
    [chunk] = to_transcript(
        {"id": "a", "question": QUESTION, "chunks": [(Document(TEXT), 38.2)], "answer": ANSWER}
    ).chunks
    assert chunk.metadata.model_dump()["retrieval_score"] == 38.2


@pytest.mark.parametrize("member", ["text", "content", "page_content"])
@pytest.mark.parametrize("names", [("user_input", "response", "retrieved_contexts"), ("question", "answer")])
def test_objects_of_a_file_are_read(tmp_path: Path, member: str, names: tuple[str, ...]) -> None:
    question, answer, contexts = (*names, "contexts")[:3]
    row = {question: QUESTION, answer: ANSWER, contexts: [{member: TEXT, "score": 0.9}, None]}
    (tmp_path / "a.jsonl").write_text(json.dumps(row), encoding="utf-8")
    [found] = pg.load_transcripts(tmp_path / "a.jsonl")
    assert [(chunk.text, chunk.score) for chunk in found.chunks] == [(TEXT, 0.9), ("", None)]
    [gap] = [note for note in found.notes if "1 of 2 chunks has no text" in note.message]
    assert gap.severity == "warning", "the passage that is not there may have held the evidence"


@pytest.mark.parametrize(
    ("held", "said"),
    [
        ([TEXT, 3], "[1]: is a number (3), and a passage is needed; write the passage as a text, or as"),
        ([True], "[0]: is a switch"),
        ([{"words": "x"}], "[0]: is an object without a text (its fields: 'words')"),
        ([{}], "[0]: is an empty object"),
        ([[TEXT]], "[0]: is a list"),
        ({0: TEXT}, ": is an object without a text (its fields: '0'), and a list is needed; write a list of"),
        (7, ": is a number (7), and a list is needed"),
    ],
)
@pytest.mark.parametrize("name", ["retrieved_contexts", "retrieval_context", "chunks"])
def test_what_is_no_passage_is_named(held: Any, said: str, name: str) -> None:
    rows: dict[str, dict[str, Any]] = {
        "retrieved_contexts": {"user_input": QUESTION, "response": ANSWER},
        "retrieval_context": {"input": QUESTION, "actual_output": ANSWER},
        "chunks": {"question": QUESTION, "response": {"choices": [{"message": {"content": ANSWER}}]}},
    }
    if name == "chunks" and "'words'" in said:
        # What stands beside a response may be known by id alone: it keeps its place, and is noted.
        assert as_transcript({**rows[name], name: held}).chunks[0].text == ""
        return
    with pytest.raises(pg.InputError) as caught:
        as_transcript({**rows[name], name: held})
    assert f"{name}{said}" in str(caught.value)
    assert "\n" not in str(caught.value)


@each(None, float("nan"), [], Array())
def test_no_passages_are_a_gap(held: Any) -> None:
    found = as_transcript({"user_input": QUESTION, "response": ANSWER, "retrieved_contexts": held})
    assert found.chunks == ()
    assert [note for note in found.notes if note.rule == "recording_gap" and note.severity == "warning"]


def test_rows_and_columns_of_pandas_are_told_apart() -> None:
    pandas = pytest.importorskip("pandas")
    rows = [{"user_input": QUESTION, "response": ANSWER, "retrieved_contexts": [TEXT]}]
    table = pandas.DataFrame(rows)
    for row in (table.iloc[0], table.to_dict("records")[0], dict(table.iloc[0])):
        assert as_transcript(row).chunks[0].text == TEXT
    for column in (pandas.Series([TEXT]), pandas.Series([TEXT]).to_numpy(), pandas.array([TEXT])):
        assert as_transcript({**rows[0], "retrieved_contexts": column}).chunks[0].text == TEXT


def test_a_document_among_others_that_is_none_is_named() -> None:
    chain = {"input": QUESTION, "context": [Document(TEXT), TEXT, (Document(TEXT), 0.5)], "answer": ANSWER}
    assert [chunk.text for chunk in as_transcript(chain).chunks] == [TEXT] * 3
    with pytest.raises(pg.InputError, match=r"^context\[1\]: is a number \(3\)"):
        as_transcript({**chain, "context": [Document(TEXT), 3]})


def test_an_answer_beside_source_nodes_is_read() -> None:
    given = {
        "id": "a",
        "question": QUESTION,
        "answer": ANSWER,
        "source_nodes": [NodeWithScore(TextNode(TEXT))],
    }
    found = as_transcript(given)
    assert (found.id, found.answer, found.chunks[0].id) == ("a", ANSWER, "n1")


def test_names_of_files_are_no_passages() -> None:
    with pytest.raises(pg.InputError, match="sources: is not a known field"):
        to_transcript({"id": "a", "question": QUESTION, "sources": ["refunds.md"], "answer": ANSWER})


def test_a_stream_within_an_object_is_not_used_up() -> None:
    @dataclass
    class Streaming:
        tokens: Iterator[str]

    stream = Streaming(iter(["a", "b"]))
    assert plain(stream) == {"tokens": None}
    assert list(stream.tokens) == ["a", "b"]
    with Path(__file__).open(encoding="utf-8") as file:
        plain({"file": file})
        assert file.readline().startswith('"""')


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["node", "score", "lc", "kwargs", "text", "content", "id_", "metadata", "page_content"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(JSON)
def test_whatever_a_passage_is_it_is_read_or_named(value: Any) -> None:
    found = read_chunk(value)
    assert found is None or isinstance(found["text"], (str, type(None)))
    for row in (
        {"user_input": QUESTION, "response": ANSWER, "retrieved_contexts": [value]},
        {"id": "a", "question": QUESTION, "answer": ANSWER, "chunks": [value]},
    ):
        with contextlib.suppress(pg.InputError):
            [chunk] = as_transcript(row).chunks
            assert isinstance(chunk.text, str)

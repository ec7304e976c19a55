"""Passages and objects in the shapes of libraries, stores and services: read, or named with what to write."""

import contextlib
import datetime
import enum
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from every import each, table
from hypothesis import given
from hypothesis import strategies as st
from payloads import HOURS, MARKED
from pydantic import BaseModel

import pytest_grounding as pg
from pytest_grounding.engine.transcript_input import as_transcript
from pytest_grounding.importers.native import to_transcript
from pytest_grounding.importers.objects import is_foreign, plain_object
from pytest_grounding.model.chunks import read_chunk

QUESTION = "How long do refunds take?"
TEXT = "Refunds are paid within 14 days of the return."
ANSWER = f"{TEXT[:-1]} [1]."
#: An id that a store made up.
RANDOM = "9b2f1c1e-3a52-4c55-9b1e-2f6f0a3c7d11"
ROW = {"id": "a", "question": QUESTION, "answer": ANSWER}


class Array:
    """As an array library's: it is not a list, and gives one."""

    def __init__(self, *items):
        self.items = items
        self.shape = (len(items),)

    def tolist(self):
        return list(self.items)

    def to_dict(self):
        """As a column of a table of pandas has it."""
        return dict(enumerate(self.items))


class Number:
    """As a number of an array library."""

    shape = ()

    def item(self):
        return 0.5


@dataclass
class TextNode:
    """As LlamaIndex's, which is imported nowhere."""

    text: str
    node_id: str = "n1"
    metadata: dict[str, Any] = field(default_factory=lambda: {"file_name": "a.md"})

    def to_dict(self):
        return {"id_": self.node_id, "text": self.text, "metadata": self.metadata, "class_name": "TextNode"}


@dataclass
class NodeWithScore:
    node: TextNode
    score: float | None = 0.8

    def to_dict(self):
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


class Loose:
    """An object of a library: its members, and nothing else."""

    def __init__(self, **members):
        self.__dict__.update(members)


class Row(NamedTuple):
    page_content: str
    metadata: dict[str, Any]


NODE = {"node": {"id_": "n1", "text": TEXT, "metadata": {}}, "score": 0.8}
RESOURCE = {"node": {"id_": "n1", "text_resource": {"text": TEXT}, "metadata": {}}, "score": 0.8}
CONSTRUCTED = {"lc": 1, "type": "constructor", "id": ["Document"], "kwargs": {"page_content": TEXT}}
SOURCE = {"document": "docs/refunds.md", "chunkId": "r-1", "content": TEXT, "section": "2.1"}
DUMPED = {"id": None, "page_content": TEXT, "metadata": {"source": "docs/refunds.md"}, "type": "Document"}
IN_FILE = {"source": "refunds.md"}
#: A passage as people bring it, its id and score as a chunk, and metadata that must be kept.
SHAPES = [
    (TEXT, "chunk-1", None, {}),
    (NodeWithScore(TextNode(TEXT)), "n1", 0.8, {}),
    (NodeWithScore(TextNode(TEXT), 7.5), "n1", None, {"retrieval_score": 7.5}),
    (TextNode(TEXT), "n1", None, {}),
    (NODE, "n1", 0.8, {}),
    (RESOURCE, "n1", 0.8, {}),
    (TextNode(TEXT).to_dict(), "n1", None, {}),
    (Stored(TEXT), "s1", 0.5, {}),
    (CONSTRUCTED, "chunk-1", None, {}),
    (Document(TEXT, id="d1"), "d1", None, {}),
    ((Document(TEXT), 0.8), "chunk-1", 0.8, {}),
    ((Document(TEXT), Number()), "chunk-1", 0.5, {}),
    ([Document(TEXT, id="d1"), 38.2], "d1", None, {"retrieval_score": 38.2}),
    (({"page_content": TEXT}, 0.8), "chunk-1", 0.8, {}),
    ((TEXT, 0.8), "chunk-1", 0.8, {}),
    (SOURCE, "r-1", None, {"document": "docs/refunds.md", "section_number": "2.1"}),
    ({"content": TEXT, "section": "Refunds", "id": 7}, "7", None, {"section_title": "Refunds"}),
    (
        {"content": TEXT, "chunk_id": "x", "section": "§4.1", "page": 3},
        "x",
        None,
        {"section_number": "4.1", "page": "3"},
    ),
    (DUMPED, "docs/refunds.md", None, {"document": "docs/refunds.md"}),
    (
        Document(TEXT, {"source": "https://a.example/x", "page": 0, "page_label": "1"}),
        "https://a.example/x",
        None,
        {"url": "https://a.example/x", "page": "1"},
    ),
    (
        Document(TEXT, {"title": None, "path": ["no"], "k": {"a": 1}}, "d-9"),
        "d-9",
        None,
        {"k": {"a": 1}, "original": {"path": ["no"]}},
    ),
    ({"excerpt": TEXT, "title": "Refunds"}, "chunk-1", None, {}),
    ({"pageContent": TEXT, "metadata": IN_FILE}, "refunds.md", None, {}),
    ({"page_content": TEXT, "metadata": {"file_name": "refunds.md"}}, "refunds.md", None, {}),
    ({"content": TEXT, "metadata": {"id": "r-1", **IN_FILE}}, "r-1", None, {}),
    ({"content": TEXT, "metadata": {"relevance_score": 0.4}}, "chunk-1", 0.4, {}),
    ({"content": TEXT, "metadata": {"relevance_score": 38.2}}, "chunk-1", None, {"retrieval_score": 38.2}),
    ({"id": RANDOM, "version": 3, "score": 0.8, "payload": {"text": TEXT, **IN_FILE}}, "refunds.md", 0.8, {}),
    ({"id": 7, "score": 0.8, "payload": {"page_content": TEXT, "metadata": IN_FILE}}, "7", 0.8, {}),
    (Loose(id=RANDOM, score=0.8, payload={"content": TEXT, **IN_FILE}), "refunds.md", 0.8, {}),
    (pg.Source(chapter_id="1", section_number=2, excerpt=TEXT, relevance_score=0.9), "chunk-1", 0.9, {}),
    (Loose(page_content=TEXT, metadata=IN_FILE, id=None), "refunds.md", None, {}),
    (Loose(page_content=TEXT, metadata=IN_FILE, id=RANDOM), "refunds.md", None, {}),
    (
        Loose(node=Loose(text=TEXT, metadata={"file_name": "refunds.md"}, node_id=RANDOM), score=0.8),
        "refunds.md",
        0.8,
        {},
    ),
    (Loose(content=TEXT, meta={"file_path": "refunds.md"}, id="c0ffee", score=0.7), "c0ffee", 0.7, {}),
]


@each(*SHAPES, (Row(TEXT, {"slug": "refunds"}), "chunk-1", None, {"slug": "refunds"}))
def test_a_passage_of_a_library_is_a_chunk_wherever_one_is_taken(shape, name, score, metadata):
    for read in (as_transcript, to_transcript, pg.Transcript.model_validate):
        [chunk] = read({**ROW, "chunks": [shape]}).chunks
        assert (chunk.id, chunk.text, chunk.score) == (name, TEXT, score)
        known = chunk.metadata.model_dump(exclude_none=True)
        assert {key: known.get(key) for key in metadata} == metadata
    for key in ("chunks",) if isinstance(shape, (str, tuple, list)) else ("chunks", "sources", "contexts"):
        assert pg.validate({**ROW, key: [shape]}).citations[0].chunk_id == name, key
    assert pg.assert_grounded({**ROW, "chunks": [shape]}).status == "pass"
    assert [use.valid for use in pg.check_citations(ANSWER, [shape]).citations] == [True]
    assert pg.format_context([shape]).startswith(f"[1] {TEXT}")
    assert pg.validate_retrieval(QUESTION, [shape]).relevance[0].chunk_id in (name, "1")
    assert (pg.support("Refunds are paid within 14 days.", [shape]).probability or 0) > 0.9


@each(
    {"user_input": QUESTION, "response": ANSWER, "retrieved_contexts": ...},
    {"question": QUESTION, "answer": ANSWER, "contexts": ...},
    {"input": QUESTION, "actual_output": ANSWER, "retrieval_context": ...},
)
def test_a_sample_takes_a_passage_in_any_shape(row):
    for shape, name, score, _ in SHAPES:
        for held in ([shape], (shape,), Array(shape), (item for item in [shape])):
            found = as_transcript({key: held if value is ... else value for key, value in row.items()})
            known = [(chunk.id, chunk.text, chunk.score) for chunk in found.chunks]
            assert known == [(name, TEXT, score)], (shape, held)


@pytest.mark.parametrize("member", ["text", "content", "page_content"])
@pytest.mark.parametrize("names", [("user_input", "response", "retrieved_contexts"), ("question", "answer")])
def test_passages_of_a_file_may_be_objects(tmp_path, member, names):
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
def test_a_value_that_is_not_a_passage_is_named(held, said, name):
    rows = {
        "retrieved_contexts": {"user_input": QUESTION, "response": ANSWER},
        "retrieval_context": {"input": QUESTION, "actual_output": ANSWER},
        "chunks": {"question": QUESTION, "response": {"choices": [{"message": {"content": ANSWER}}]}},
    }
    if name == "chunks" and "'words'" in said:
        # A chunk beside a response may have an id alone: it keeps its place, with a note.
        assert as_transcript({**rows[name], name: held}).chunks[0].text == ""
        return
    with pytest.raises(pg.InputError) as caught:
        as_transcript({**rows[name], name: held})
    assert f"{name}{said}" in str(caught.value)
    assert "\n" not in str(caught.value)


@each(None, float("nan"), [], Array())
def test_a_recording_without_passages_has_a_gap(held):
    found = as_transcript({"user_input": QUESTION, "response": ANSWER, "retrieved_contexts": held})
    assert found.chunks == ()
    assert [note for note in found.notes if note.rule == "recording_gap" and note.severity == "warning"]


def test_rows_and_columns_of_pandas_are_read():
    pandas = pytest.importorskip("pandas")
    rows = [{"user_input": QUESTION, "response": ANSWER, "retrieved_contexts": [TEXT]}]
    table = pandas.DataFrame(rows)
    for row in (table.iloc[0], table.to_dict("records")[0], dict(table.iloc[0])):
        assert as_transcript(row).chunks[0].text == TEXT
    for column in (pandas.Series([TEXT]), pandas.Series([TEXT]).to_numpy(), pandas.array([TEXT])):
        assert as_transcript({**rows[0], "retrieved_contexts": column}).chunks[0].text == TEXT


def test_a_document_that_cannot_be_read_is_named():
    chain = {"input": QUESTION, "context": [Document(TEXT), TEXT, (Document(TEXT), 0.5)], "answer": ANSWER}
    assert [chunk.text for chunk in as_transcript(chain).chunks] == [TEXT] * 3
    with pytest.raises(pg.InputError, match=r"^context\[1\]: is a number \(3\)"):
        as_transcript({**chain, "context": [Document(TEXT), 3]})


def test_an_answer_beside_source_nodes_is_read():
    given = {
        "id": "a",
        "question": QUESTION,
        "answer": ANSWER,
        "source_nodes": [NodeWithScore(TextNode(TEXT))],
    }
    found = as_transcript(given)
    assert (found.id, found.answer, found.chunks[0].id) == ("a", ANSWER, "n1")


def test_file_names_are_not_passages():
    with pytest.raises(pg.InputError, match="sources: is not a known field"):
        to_transcript({"id": "a", "question": QUESTION, "sources": ["refunds.md"], "answer": ANSWER})


@each(
    {"query": QUESTION, "sources": [SOURCE], "answer": ANSWER},
    {"query": QUESTION, "sources": [SOURCE], "response": ANSWER},
    {"question": QUESTION, "documents": [SOURCE], "answer": ANSWER},
    {"query": QUESTION, "context": [DUMPED], "answer": ANSWER},
    {"query": QUESTION, "source_documents": [DUMPED], "result": ANSWER},
    {"query": QUESTION, "passages": [{"text": TEXT, "id": "p"}], "answer": ANSWER},
    {"question": QUESTION, "answer": ANSWER, "contexts": [{"text": TEXT}]},
    {"question": QUESTION, "answer": ANSWER, "contexts": [{"content": TEXT, "id": "r-1"}]},
    {"question": QUESTION, "answer": ANSWER, "contexts": [{"page_content": TEXT}]},
)
def test_a_recording_of_a_service_is_read(given, tmp_path):
    (tmp_path / "a.jsonl").write_text(f"{json.dumps(given)}\n", encoding="utf-8")
    [loaded] = pg.load_transcripts(tmp_path / "a.jsonl")
    assert (loaded.question, loaded.answer, loaded.chunks[0].text) == (QUESTION, ANSWER, TEXT)
    assert pg.validate(given).citation_accuracy == 1.0
    assert pg.load_transcripts(tmp_path / "a.jsonl")[0].id == loaded.id, "the made id is the same each time"


@each("context", "source_documents", "sources")
def test_objects_are_read_where_a_recording_is_given(key):
    assert pg.validate({"query": QUESTION, key: [Document(TEXT)], "answer": ANSWER}).citations[0].valid


def test_unknown_fields_of_a_recording_are_kept():
    given = {
        "id": "s",
        "query": QUESTION,
        "sources": [SOURCE],
        "answer": ANSWER,
        "latency": 3,
        "confidence": 0.9,
    }
    found = as_transcript(given)
    assert (found.id, found.metadata["latency"], found.confidence) == ("s", 3, 0.9)


def test_a_transcript_takes_query_and_sources_in_place_of_its_own_names():
    given = {"id": "a", "query": QUESTION, "sources": [SOURCE, Document("x")], "answer": ANSWER}
    found = pg.Transcript.model_validate(given)
    assert [chunk.id for chunk in found.chunks] == ["r-1", "chunk-2"]
    assert found == pg.Transcript.model_validate(json.loads(found.model_dump_json()))
    assert pg.Transcript(**given) == found


@each(
    *table(__file__, "misspelt"),
    ({"chunks": [object()]}, "chunks[0]: is not an object"),
    ({"chunks": [Document]}, "chunks[0]"),
    ({"chunks": [Document(None)]}, "chunks[0]"),
    ({"chunks": Document("x")}, "chunks"),
    ({"chunks": [{"id": "c", "text": "x", "score": float("nan")}]}, "score"),
)
def test_a_misspelt_field_is_named(changes, said):
    given = {"id": "a", "question": QUESTION, "chunks": [], "answer": "x", **changes}
    with pytest.raises(pg.InputError) as caught:
        to_transcript(given)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_chunks_of_one_file_are_numbered_and_found_by_the_ids_of_their_store():
    films = "Films are lent for seven days."
    points = [
        {"id": RANDOM, "payload": {"text": TEXT, **IN_FILE}},
        {"id": RANDOM[:-1] + "2", "payload": {"text": films, **IN_FILE}},
    ]
    found = pg.check_citations(f"{TEXT[:-1]} [{RANDOM}].", points)
    assert found.citations[0].chunk_id == "refunds.md"
    assert pg.check_citations(f"Films are lent for seven days [{RANDOM[:-1]}2].", points).citations[0].valid
    assert not pg.check_citations(f"{TEXT[:-1]} [{RANDOM[:-1]}9].", points).citations[0].valid
    found = pg.validate({**ROW, "chunks": points}).retrieval.relevance
    assert [item.chunk_id for item in found] == ["refunds.md", "refunds.md#2"]


def test_a_chunk_with_two_ids_can_be_cited_by_either():
    chunk = {"id": 7, "chunkId": "refunds-1", "content": TEXT}
    for key, marker in product(("chunks", "sources"), ("[1]", "[refunds-1]")):
        given = {**ROW, key: [chunk], "answer": ANSWER.replace("[1]", marker)}
        assert pg.validate(given).citations[0].chunk_id == "7", marker


@dataclass
class Response:
    response: str
    source_nodes: list[Any] = field(default_factory=list)


class Answer:
    def __init__(self):
        self.parts = {
            "data": MARKED,
            "query": QUESTION,
            "documents": [{"id": "a", "content": HOURS, "meta": {}}],
        }

    def to_dict(self):
        return self.parts


class Color(enum.Enum):
    RED = "red"


class Model(BaseModel):
    page_content: str
    metadata: dict[str, Any] = {}
    id: str | None = None


def test_pydantic_models_inside_a_mapping_are_read():
    chain = {"input": QUESTION, "context": [Model(page_content=HOURS)], "answer": f"{HOURS} [1]"}
    assert as_transcript(chain).chunks[0].text == HOURS
    pg.assert_citations_valid(chain)


def test_dataclasses_and_objects_with_to_dict_are_read():
    response = Response(MARKED, [{"node": {"text": HOURS, "id_": "n"}, "score": 0.5}])
    assert as_transcript(response, {"question": QUESTION}).chunks[0].score == 0.5
    assert as_transcript({"question": QUESTION, "response": response}).answer == MARKED
    pg.assert_citations_valid(Answer().to_dict() | {"data": f"{HOURS} [1]"})
    assert as_transcript(Answer()).question == QUESTION


def test_values_unknown_to_json_are_turned_into_plain_ones():
    value = {
        "when": datetime.date(2026, 1, 2),
        "color": Color.RED,
        "raw": b"ab",
        "set": {2, 1},
        "none": object(),
    }
    shown = {"when": "2026-01-02", "color": "red", "raw": "YWI=", "set": [1, 2], "none": None}
    assert plain_object(value) == shown


def test_an_object_that_contains_itself_is_an_error():
    loop = {}
    loop["again"] = loop
    with pytest.raises(pg.InputError, match="levels deep"):
        as_transcript(loop)


@each(1, 1.5, None, object(), Model, lambda: None)
def test_an_object_of_no_known_shape_is_refused(value):
    assert not is_foreign(value)
    with pytest.raises(TypeError, match="cannot be validated"):
        pg.assert_grounded(value)


def test_an_iterator_inside_an_object_is_not_consumed():
    @dataclass
    class Streaming:
        tokens: Iterator[str]

    stream = Streaming(iter(["a", "b"]))
    assert plain_object(stream) == {"tokens": None}
    assert list(stream.tokens) == ["a", "b"]
    with Path(__file__).open(encoding="utf-8") as file:
        plain_object({"file": file})
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
def test_any_value_is_read_as_a_passage_or_named(value):
    found = read_chunk(value)
    assert found is None or isinstance(found["text"], (str, type(None)))
    for row in (
        {"user_input": QUESTION, "response": ANSWER, "retrieved_contexts": [value]},
        {"id": "a", "question": QUESTION, "answer": ANSWER, "chunks": [value]},
    ):
        with contextlib.suppress(pg.InputError):
            [chunk] = as_transcript(row).chunks
            assert isinstance(chunk.text, str)


@each(
    (7, "7"),
    (1.5, "1.5"),
    (999_999_999_999_999, "999999999999999"),
    # A larger number may have lost digits on its way: it names nothing for sure.
    (1_000_000_000_000_000, "chunk-1"),
    (1e30, "chunk-1"),
)
def test_a_number_is_an_id_as_long_as_it_is_exact(number, read):
    row = {"question": QUESTION, "answer": ANSWER, "contexts": [{"id": number, "text": TEXT}]}
    assert [chunk.id for chunk in as_transcript(row).chunks] == [read]

"""Recording takes the objects of frameworks that assertions take, and knows the question that was asked."""

from dataclasses import dataclass, field
from typing import Any

import pytest
from every import each
from pydantic import BaseModel

import pytest_grounding as pg
from pytest_grounding.cli import main

QUESTION = "How long do refunds take?"
TEXT = "Refunds are paid within 14 days of the return."
ANSWER = f"{TEXT[:-1]} [1]."


class Document(BaseModel):
    """As LangChain's."""

    page_content: str
    metadata: dict[str, Any] = {}
    id: str | None = None
    type: str = "Document"


@dataclass
class Node:
    """As LlamaIndex's ``TextNode``."""

    text: str
    node_id: str = "n1"
    metadata: dict[str, Any] = field(default_factory=dict)

    def to_dict(self):
        return {"id_": self.node_id, "text": self.text, "metadata": self.metadata, "class_name": "TextNode"}


@dataclass
class NodeWithScore:
    node: Node
    score: float = 0.8

    def to_dict(self):
        return {"node": self.node.to_dict(), "score": self.score, "class_name": "NodeWithScore"}


@dataclass
class Response:
    """As LlamaIndex's: it does not contain the question."""

    response: str
    source_nodes: list[NodeWithScore]
    metadata: dict[str, Any] | None = None


class Message(BaseModel):
    role: str = "assistant"
    content: str = ANSWER


class Choice(BaseModel):
    index: int = 0
    finish_reason: str = "stop"
    message: Message = Message()


class ChatCompletion(BaseModel):
    """As OpenAI's."""

    id: str = "r"
    object: str = "chat.completion"
    model: str = "m"
    choices: list[Choice] = [Choice()]


class Own(BaseModel):
    chunks: list[Any]
    answer: str


DOCUMENT = Document(page_content=TEXT)
RESPONSE = Response(ANSWER, [NodeWithScore(Node(TEXT))])
RETURNED = {
    "a retrieval chain": lambda q: {"input": q, "context": [DOCUMENT], "answer": ANSWER},
    "an older chain": lambda q: {"query": q, "result": ANSWER, "source_documents": [DOCUMENT]},
    "a response beside its question": lambda q: {"question": q, "response": RESPONSE},
    "a bare response": lambda _: RESPONSE,
    "a completion": lambda q: {"question": q, "response": ChatCompletion(), "chunks": [TEXT]},
    "a completion with documents": lambda q: {
        "question": q,
        "response": ChatCompletion(),
        "chunks": [DOCUMENT],
    },
    "our own with texts": lambda _: {"chunks": [TEXT], "answer": ANSWER},
    "our own with documents": lambda _: {"chunks": [DOCUMENT], "answer": ANSWER},
    "our own with nodes": lambda _: {"chunks": [NodeWithScore(Node(TEXT))], "answer": ANSWER},
    "our own with pairs": lambda _: {"chunks": [(DOCUMENT, 38.2)], "answer": ANSWER},
    "a model of pydantic": lambda _: Own(chunks=[DOCUMENT], answer=ANSWER),
}


@each(*RETURNED)
def test_return_values_of_frameworks_are_recorded(name, tmp_path):
    [recorded] = pg.record(RETURNED[name], QUESTION, to=tmp_path, id="r")
    assert (recorded.id, recorded.question, recorded.answer) == ("r", QUESTION, ANSWER)
    assert [chunk.text for chunk in recorded.chunks] == [TEXT]
    assert recorded.metadata["recorded_at"]
    assert pg.load_transcripts(tmp_path) == [recorded]
    assert pg.validate(recorded).status == "pass"


def test_the_command_records_it_too(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "questions.jsonl").write_text(f'"{QUESTION}"\n', encoding="utf-8")
    place = f"{__name__}:chain"
    assert main(["record", place, "questions.jsonl", "-o", "out"]) == 0
    assert "1 recorded" in capsys.readouterr().out
    [recorded] = pg.load_transcripts(tmp_path / "out")
    assert (recorded.metadata["format"], recorded.chunks[0].text) == ("langchain", TEXT)


chain = RETURNED["a retrieval chain"]


@each(
    (object(), "the program returned object; return a Transcript"),
    ({"question": QUESTION, "answer": ANSWER, "contexts": [3]}, r"contexts\[0\]: is a number \(3\)"),
    ({"chunks": [], "answer": ANSWER, "metadata": "m"}, "metadata: is not an object"),
)
def test_an_unknown_return_value_is_one_sentence(returned, said, tmp_path):
    with pytest.raises(pg.InputError, match=said) as caught:
        pg.record(lambda _: returned, QUESTION, to=tmp_path)
    assert "\n" not in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_an_importer_of_an_extension_may_read_opaque_objects(tmp_path):
    class Sealed:
        __slots__ = ()

    class Extension:
        name = "sealed"

        @pg.hookimpl
        def pytest_grounding_importers(self):
            return [self]

        def recognises(self, value):
            return isinstance(value, Sealed)

        def convert(self, value):
            yield {"chunks": [TEXT], "answer": ANSWER}

    extension = Extension()
    pg.register(extension)
    try:
        [recorded] = pg.record(lambda _: Sealed(), QUESTION, to=tmp_path)
    finally:
        pg.unregister(extension)
    assert recorded.answer == ANSWER

"""Objects of the current releases of frameworks go into assertions as they are: ``make test-interop``."""

import pytest

import pytest_grounding as pg
from pytest_grounding.engine.transcript_input import as_transcript

pytestmark = pytest.mark.filterwarnings("default")  # what the frameworks warn of is theirs

QUESTION = "When is the museum open?"
HOURS = "The museum is open from Tuesday to Sunday."
PRICE = "A ticket costs 12 euros."
ANSWER = "The museum is open from Tuesday to Sunday [1]. A ticket costs 12 euros [2]."


def check(value):
    transcript = as_transcript(value)
    assert transcript.question == QUESTION
    assert [chunk.text.strip() for chunk in transcript.chunks] == [HOURS, PRICE]
    verdict = pg.validate(value if isinstance(value, dict) else transcript)
    assert [item.chunk_id for item in verdict.citations] == [chunk.id for chunk in transcript.chunks]
    pg.assert_citations_valid(value)
    pg.assert_grounded(value)
    wrong = transcript.model_copy(update={"answer": ANSWER.replace("[2]", "[9]")})
    with pytest.raises(AssertionError):
        pg.assert_citations_valid(wrong)


def test_langchain_documents_and_messages():
    documents = pytest.importorskip("langchain_core.documents")
    messages = pytest.importorskip("langchain_core.messages")
    runnables = pytest.importorskip("langchain_core.runnables")
    found = [
        documents.Document(
            page_content=HOURS, id="hours", metadata={"source": "a.md", "relevance_score": 0.9}
        ),
        documents.Document(page_content=PRICE, metadata={"source": "b.md"}),
    ]
    chain = runnables.RunnablePassthrough.assign(
        context=lambda _: found
    ) | runnables.RunnablePassthrough.assign(answer=lambda _: messages.AIMessage(ANSWER))
    result = chain.invoke({"input": QUESTION})
    check(result)
    check({**result, "answer": ANSWER})


def test_langchain_serialised():
    load = pytest.importorskip("langchain_core.load")
    documents = pytest.importorskip("langchain_core.documents")
    found = [documents.Document(page_content=text) for text in (HOURS, PRICE)]
    check(load.dumpd({"input": QUESTION, "context": found, "answer": ANSWER}))


def test_llamaindex_responses():
    core = pytest.importorskip("llama_index.core")
    schema = pytest.importorskip("llama_index.core.schema")
    llms = pytest.importorskip("llama_index.core.llms.mock")
    retrievers = pytest.importorskip("llama_index.core.base.base_retriever")
    engines = pytest.importorskip("llama_index.core.query_engine")

    class Fixed(llms.MockLLM):
        def complete(self, *_, **__):
            return pytest.importorskip("llama_index.core.llms").CompletionResponse(text=ANSWER)

    class Retriever(retrievers.BaseRetriever):
        def _retrieve(self, query_bundle):
            nodes = [
                schema.TextNode(text=text, metadata={"file_name": name})
                for text, name in ((HOURS, "a.md"), (PRICE, "b.md"))
            ]
            return [schema.NodeWithScore(node=node, score=0.9) for node in nodes]

    engine = engines.CitationQueryEngine.from_args(
        None,
        llm=Fixed(),
        retriever=Retriever(),
        response_synthesizer=core.get_response_synthesizer(llm=Fixed()),
    )
    response = engine.query(QUESTION)
    check({"question": QUESTION, "response": response})
    assert [chunk.id for chunk in as_transcript(response, {"question": QUESTION}).chunks] == ["a.md", "b.md"]
    plain = core.Response(response=ANSWER, source_nodes=Retriever().retrieve(QUESTION))
    check({"question": QUESTION, "response": plain})


def test_haystack_generated_answers():
    haystack = pytest.importorskip("haystack")
    builders = pytest.importorskip("haystack.components.builders")
    documents = [haystack.Document(content=text, score=0.9) for text in (HOURS, PRICE)]
    builder = builders.AnswerBuilder(reference_pattern=r"\[(\d+)\]")
    result = builder.run(query=QUESTION, replies=[ANSWER], documents=documents)
    (answer,) = result["answers"]
    check(answer)
    check(answer.to_dict())
    check({"answer_builder": result})


def test_all_frameworks_are_there():
    """In the environment of ``make test-interop`` nothing above may have been skipped."""
    import importlib.util
    import os

    if os.environ.get("GROUNDING_INTEROP") != "1":
        pytest.skip("the frameworks are installed by make test-interop")
    for name in ("langchain_core", "llama_index.core", "haystack"):
        assert importlib.util.find_spec(name) is not None, name

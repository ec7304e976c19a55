"""A program that answers with the real SDK, citations included, is recorded and replayed without it."""

import os

import pytest
from loopback import KEY

import pytest_grounding as pg

PASSAGES = {"refunds": "Refunds take 30 days.", "shipping": "Shipping is free."}


def answer(question):
    """Ranks its passages, answers from the best, and passes on the citations of the reply."""
    import cohere
    import httpx

    with httpx.Client() as http:
        client = cohere.ClientV2(
            api_key=os.environ["CO_API_KEY"], base_url=os.environ["CO_API_URL"], httpx_client=http
        )
        names = list(PASSAGES)
        ranked = client.rerank(model="rerank-v3.5", query=question, documents=list(PASSAGES.values()))
        order = [(names[item.index], item.relevance_score) for item in ranked.results]
        documents = [{"id": name, "data": {"text": PASSAGES[name]}} for name, _ in order]
        messages = [{"role": "user", "content": question}]
        reply = client.chat(model="command-a-03-2025", messages=messages, documents=documents)
    citations = [
        {
            "start": item.start,
            "end": item.end,
            "text": item.text,
            "chunk_ids": [source.id for source in item.sources],
        }
        for item in reply.message.citations
    ]
    return {
        "chunks": [{"id": name, "text": PASSAGES[name], "score": score} for name, score in order],
        "answer": reply.message.content[0].text,
        "citations": citations,
        "metadata": {"response_id": reply.id},
    }


def test_a_chat_with_citations_is_recorded_with_its_retrieval(server, tmp_path, monkeypatch):
    (recorded,) = pg.record(answer, "How long do refunds take?", to=tmp_path)
    assert server.paths() == ["/v2/rerank", "/v2/chat"]
    assert recorded.chunks[0].id == "refunds"
    verdict = pg.validate(recorded)
    assert verdict.status == "pass"
    assert [(item.chunk_id, item.valid) for item in verdict.citations] == [("refunds", True)]
    for name in ("CO_API_KEY", "CO_API_URL"):
        monkeypatch.delenv(name)
    (replayed,) = pg.record(answer, "How long do refunds take?", to=tmp_path, mode="none")
    assert pg.validate(replayed).to_json() == verdict.to_json()
    (file,) = tmp_path.iterdir()
    assert KEY not in file.read_text(encoding="utf-8")


def test_a_program_without_its_key_fails_and_nothing_is_kept(tmp_path):
    pytest.importorskip("cohere")
    with pytest.raises(pg.GroundingError, match="CO_API_KEY"):
        pg.record(answer, "How long do refunds take?", to=tmp_path)
    assert list(tmp_path.iterdir()) == []

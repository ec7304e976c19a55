"""Who serves when Cohere does not: the embeddings that are configured, then the built-in engine."""

import json
import sys

import pytest
from loopback import answers

import pytest_grounding as pg
from pytest_grounding.errors import SettingsError
from pytest_grounding.model.verdict import RetrievalVerdict, Verdict

TRANSCRIPT = {
    "id": "a",
    "question": "How long do refunds take?",
    "chunks": [
        {"id": "c1", "text": "Refunds are paid within 30 days of the return."},
        {"id": "c2", "text": "The shop sells garden tools and seeds."},
    ],
    "answer": "Refunds are paid in 30 days after the return [1].",
}
EMBED = """
import re

def embed(texts):
    vectors = []
    for text in texts:
        vector = [0.001] * 32
        for word in re.findall("[a-z0-9]+", text.lower()):
            vector[sum(map(ord, word)) % 32] += 1.0
        vectors.append(vector)
    return vectors

def broken(texts):
    raise OSError("no such model")
"""


@pytest.fixture
def vectors(tmp_path, monkeypatch):
    """A module with a callable that embeds, and one that fails."""
    (tmp_path / "own_vectors.py").write_text(EMBED)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield "own_vectors"
    sys.modules.pop("own_vectors", None)


def chosen(tmp_path, **more):
    given = {"scorer": "cohere", "record": "new", "cassette": str(tmp_path / "c.jsonl"), "remote_retries": 0}
    return {**given, **more}


def test_while_cohere_serves_nobody_loads_the_callable(server, tmp_path, vectors):
    verdict = pg.validate(TRANSCRIPT, chosen(tmp_path, embeddings=f"{vectors}:embed"))
    assert verdict.retrieval.scorer == "cohere"
    assert verdict.fallbacks == ()
    assert vectors not in sys.modules


@pytest.mark.parametrize("scorer", ["cohere", "cohere-embed", "cohere,cohere-embed"])
def test_embeddings_serve_where_cohere_does_not(server, tmp_path, vectors, scorer):
    server.fault = answers(500, {"message": "boom"})
    verdict = pg.validate(TRANSCRIPT, chosen(tmp_path, scorer=scorer, embeddings=f"{vectors}:embed"))
    assert verdict.retrieval.scorer == "embeddings"
    assert verdict.claims[0].method == "semantic_similarity"
    failed = [failure.scorer for failure in verdict.retrieval.scorer_failures]
    assert failed == scorer.split(",")
    assert verdict.fallbacks[0].error == "InternalServerError"


def test_the_built_in_engine_serves_where_the_callable_fails_too(server, tmp_path, vectors):
    server.fault = answers(500, {"message": "boom"})
    verdict = pg.validate(TRANSCRIPT, chosen(tmp_path, embeddings=f"{vectors}:broken"))
    assert verdict.retrieval.scorer == "builtin"
    told = [(failure.scorer, failure.error) for failure in verdict.retrieval.scorer_failures]
    assert told == [("cohere", "InternalServerError"), ("embeddings", "OSError")]
    missing = pg.validate(TRANSCRIPT, chosen(tmp_path, embeddings="no_such_module:embed"))
    assert missing.retrieval.scorer == "builtin"
    assert [failure.scorer for failure in missing.retrieval.scorer_failures] == ["cohere", "embeddings"]


def test_who_names_what_comes_after_cohere_has_said_so(server, tmp_path, vectors):
    server.fault = answers(500, {"message": "boom"})
    own = f"{vectors}:embed"
    verdict = pg.validate(TRANSCRIPT, chosen(tmp_path, scorer="cohere,builtin", embeddings=own))
    assert verdict.retrieval.scorer == "builtin"
    assert vectors not in sys.modules
    without = pg.validate(TRANSCRIPT, chosen(tmp_path))
    assert without.retrieval.scorer == "builtin"
    with pytest.raises(SettingsError, match="own_vectors"):
        pg.validate(TRANSCRIPT, chosen(tmp_path, embeddings="own_vectors"))


def test_a_failure_is_a_value_in_the_json_of_the_verdict(server, tmp_path):
    server.fault = answers(429, {"message": "too many"})
    verdict = pg.validate(TRANSCRIPT, chosen(tmp_path))
    plain = json.loads(verdict.to_json())
    (failure,) = plain["retrieval"]["scorer_failures"]
    assert (failure["scorer"], failure["error"]) == ("cohere", "TooManyRequestsError")
    assert "status 429" in failure["message"]
    details = [item["details"] for item in plain["findings"] if item["rule"] == "scorer_failed"]
    assert {"failure": failure} in details
    assert Verdict.model_validate(plain).to_json() == verdict.to_json()


def test_json_of_older_releases_is_read(server, tmp_path):
    server.fault = answers(500, {"message": "boom"})
    plain = pg.validate(TRANSCRIPT, chosen(tmp_path)).as_dict()
    plain["retrieval"]["scorer_failures"] = ["cohere: rerank: status 500", "no reason"]
    for finding in plain["findings"]:
        finding["details"] = {}
    verdict = Verdict.model_validate(plain)
    first, second = verdict.retrieval.scorer_failures
    assert (first.scorer, first.error, first.message) == ("cohere", "", "rerank: status 500")
    assert (second.scorer, second.message) == ("", "no reason")
    assert verdict.fallbacks[0].scorer == "cohere"
    assert RetrievalVerdict.model_validate(verdict.retrieval.model_dump()) == verdict.retrieval

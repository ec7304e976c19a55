"""The tools without a protocol: whatever a caller sends is answered or refused in one sentence."""

import json

import pytest
from every import each
from hypothesis import given, settings
from hypothesis import strategies as st

import pytest_grounding as pg
from pytest_grounding.cli.mcp_tools import CALLER_SETTINGS, TOOLS, Rules, Tools
from pytest_grounding.settings import FIELDS

TRANSCRIPT = {
    "question": "How long is parental leave?",
    "chunks": [{"id": "c1", "text": "Parental leave lasts 16 weeks."}],
    "answer": "Parental leave lasts 18 weeks [1].",
}
SERVER = Tools(most=20_000)

LEAVES = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=30)
NAMES = st.sampled_from(
    ["transcript", "settings", "claim", "question", "chunks", "answer", "id", "text", "citations", "metadata"]
) | st.text(max_size=8)
JSON = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=4),
    max_leaves=12,
)


def outcome(tool, arguments):
    """What a tool says to a call: JSON, or the sentence of its error."""
    try:
        return json.dumps(SERVER.call(tool, arguments), allow_nan=False)
    except pg.GroundingError as error:
        return str(error)


@settings(max_examples=150)
@given(
    tool=st.sampled_from([tool["name"] for tool in TOOLS]), arguments=st.dictionaries(NAMES, JSON, max_size=4)
)
def test_any_arguments_are_answered_or_refused(tool, arguments):
    assert outcome(tool, arguments)


@settings(max_examples=60)
@given(part=st.sampled_from(sorted(TRANSCRIPT)), value=JSON, claim=LEAVES)
def test_one_wrong_part_is_answered_or_refused(part, value, claim):
    assert outcome("explain_claim", {"transcript": {**TRANSCRIPT, part: value}, "claim": claim})


def test_calls_cannot_set_files_models_or_code():
    own = tuple("scorer judge embed rerank local cassette record remote source calibration".split())
    own += ("corpus", "columns", "audit", "suite", "baseline", "self_correction")
    assert set(CALLER_SETTINGS) < set(FIELDS)
    assert not [name for name in CALLER_SETTINGS if name.startswith(own)]


def test_server_settings_cannot_record_or_name_a_folder():
    rules = Rules(
        [("pytest.ini", {"record": "all", "source_root": "/", "audit": "log.jsonl", "index_base": 0})]
    )
    found = rules.of_call({"profile": "strict"})
    assert (found.record, found.source_root, found.audit) == ("none", "", "")
    assert (found.index_base, found.require_citations) == (0, "error")


@each(10, 100)
def test_a_list_of_a_million_numbers_is_too_large(size):
    tools = Tools(most=size)
    with pytest.raises(pg.InputError, match="arguments: has more than"):
        tools.call("validate_answer", {"transcript": {**TRANSCRIPT, "cited_indices": [1] * size * 2}})


def test_an_error_is_always_one_line():
    pytest.importorskip("mcp")
    from pytest_grounding.cli.mcp_tools import answer

    (block,) = answer(SERVER, "validate_answer", {"a\nb\x1b[2J": 1})["content"]
    assert block["text"].startswith("a b\\x1b[2J: is not an argument of validate_answer; ")


def test_an_internal_error_is_answered_and_logged(monkeypatch, caplog):
    pytest.importorskip("mcp")
    from pytest_grounding.cli import mcp_tools as server

    class Broken:
        def call(self, name, arguments):
            raise ZeroDivisionError("secret text of the answer")

    found = server.answer(Broken(), "validate_answer", {})
    assert found["isError"]
    (block,) = found["content"]
    assert block["text"].startswith("validate_answer failed: ZeroDivisionError; this is a fault of ")
    assert "secret" not in block["text"]
    assert "ZeroDivisionError" in caplog.text

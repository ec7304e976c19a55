"""The official client talks to the server as a real process over standard input and output."""

import asyncio
import json
import os
import queue
import re
import shutil
import sys
import threading
from pathlib import Path

import jsonschema
import pytest
import warm_starts
from every import table

import pytest_grounding as pg
from pytest_grounding._io.jsonio import canonical_json

mcp = pytest.importorskip("mcp")

TRANSCRIPT = {
    "id": "leave",
    "question": "How long is parental leave?",
    "chunks": [
        {"id": "c1", "text": "Parental leave lasts 16 weeks. It is paid in full."},
        {"id": "c2", "text": "Sick leave lasts 6 weeks."},
    ],
    "answer": "Parental leave lasts 18 weeks [1]. It is paid in full [1]. "
    "The cafeteria serves grilled octopus on Mondays [7].",
}
CODE = {
    "id": "code",
    "question": "What does the limit do?",
    "chunks": [{"id": "c1", "text": "The limit is 3."}],
    "answer": "The limit is 3 (limits.py:1). It is checked late (../secret.py:1).",
}
TOOLS = ("validate_answer", "validate_retrieval", "check_citations", "explain_claim")


MODULE = (warm_starts.python(), "-m", "pytest_grounding.mcp_server")
PAGE = Path(__file__).resolve().parents[2] / "docs" / "mcp.md"


def command_of_the_page():
    """The command that users paste into the configuration of their client."""
    if not PAGE.exists():
        return MODULE
    block = re.search(r"```json\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    (server,) = json.loads(block[1])["mcpServers"].values()
    # Windows looks for a command in the path of the client, not in that of its environment.
    found = shutil.which(server["command"], path=str(Path(sys.executable).parent))
    return (found or server["command"], *server["args"])


class Talk:
    """A session of the official client with a server in a folder, from a thread of its own."""

    def __init__(self, folder, *options, environment=None, command=MODULE):
        path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
        self._server = mcp.StdioServerParameters(
            command=command[0],
            args=[*command[1:], *options],
            cwd=folder,
            env={"PATH": path, **(environment or {})},
        )

    def __enter__(self):
        self._requests = queue.Queue()
        self._answers = queue.Queue()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._talk()))
        self._thread.start()
        self._take()
        return self

    def __exit__(self, *_):
        self._requests.put(None)
        self._thread.join()

    def call(self, tool, **arguments):
        return self._ask(lambda client: client.call_tool(tool, arguments))

    def tools(self):
        return self._ask(lambda client: client.list_tools()).tools

    def _ask(self, request):
        self._requests.put(request)
        return self._take()

    def _take(self):
        answer = self._answers.get(timeout=120)
        if isinstance(answer, BaseException):
            raise answer
        return answer

    async def _talk(self):
        try:
            with open(os.devnull, "w") as nowhere:
                async with (
                    mcp.stdio_client(self._server, errlog=nowhere) as (incoming, outgoing),
                    mcp.ClientSession(incoming, outgoing) as client,
                ):
                    self._answers.put(await client.initialize())
                    while (request := await asyncio.to_thread(self._requests.get)) is not None:
                        self._answers.put(await request(client))
        except BaseException as error:
            self._answers.put(error)


@pytest.fixture(scope="module")
def talk(tmp_path_factory):
    """A session with a server that has the defaults, started as the page says."""
    with Talk(tmp_path_factory.mktemp("defaults"), command=command_of_the_page()) as found:
        yield found


@pytest.fixture(scope="module")
def listed(talk):
    return {tool.name: tool for tool in talk.tools()}


def error_of(result):
    assert result.is_error
    assert result.structured_content is None
    (block,) = result.content
    return block.text


def test_the_tools_are_listed_with_schemas_and_hints(listed):
    assert tuple(listed) == TOOLS
    for tool in listed.values():
        assert len(tool.description) > 100
        assert tool.annotations.read_only_hint
        assert tool.annotations.idempotent_hint
        assert not tool.annotations.destructive_hint
        assert not tool.annotations.open_world_hint
        for schema in (tool.input_schema, tool.output_schema):
            jsonschema.Draft202012Validator.check_schema(schema)
            assert schema["type"] == "object"
            assert schema["additionalProperties"] is False
        assert "max_hallucination_rate" in tool.input_schema["properties"]["settings"]["properties"]


def test_input_schemas_accept_and_refuse_arguments(listed):
    schema = listed["validate_answer"].input_schema
    jsonschema.validate({"transcript": TRANSCRIPT, "settings": {"require_citations": "warn"}}, schema)
    jsonschema.validate({"transcript": {**TRANSCRIPT, "cited_indices": [1]}}, schema)
    for wrong in (
        {},
        {"transcript": {**TRANSCRIPT, "answr": ""}},
        {"transcript": TRANSCRIPT, "settings": {"source_root": "/"}},
        {"transcript": TRANSCRIPT, "settings": {"max_hallucination_rate": 2}},
    ):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(wrong, schema)
    chunks = ["Parental leave lasts 16 weeks.", {"id": "c", "text": "It is paid."}]
    jsonschema.validate(
        {"question": "How long?", "chunks": chunks}, listed["validate_retrieval"].input_schema
    )


def test_answers_equal_those_of_the_library(talk, listed):
    strict = {"require_citations": "error", "max_hallucination_rate": 0.1}
    texts = [chunk["text"] for chunk in TRANSCRIPT["chunks"]]
    question, wish = TRANSCRIPT["question"], {"relevance_threshold": 0.2}
    plain = talk.call("validate_answer", transcript=TRANSCRIPT)
    tight = talk.call("validate_answer", transcript=TRANSCRIPT, settings=strict)
    retrieval = talk.call("validate_retrieval", question=question, chunks=texts, settings=wish)
    found = pg.validate_retrieval(question, texts, wish)
    for result, expected, name in (
        (plain, pg.validate(TRANSCRIPT).as_dict(), "validate_answer"),
        (tight, pg.validate(TRANSCRIPT, strict).as_dict(), "validate_answer"),
        (retrieval, found.model_dump(mode="json"), "validate_retrieval"),
    ):
        assert not result.is_error
        assert result.content[0].text == canonical_json(expected) == canonical_json(result.structured_content)
        jsonschema.validate(result.structured_content, listed[name].output_schema)
    assert plain.content[0].text == pg.validate(TRANSCRIPT).to_json()
    assert plain.content[0].text != tight.content[0].text


@pytest.mark.row(36)
def test_citations_are_checked_and_the_answer_is_cleaned(talk, listed):
    bare = {**TRANSCRIPT, "answer": "Parental leave lasts 16 weeks."}
    good = {**TRANSCRIPT, "answer": "Parental leave lasts 16 weeks [1]."}
    results = [talk.call("check_citations", transcript=item) for item in (TRANSCRIPT, bare, good)]
    for result in results:
        jsonschema.validate(result.structured_content, listed["check_citations"].output_schema)
    wrong, missing, right = (result.structured_content for result in results)
    assert (wrong["status"], wrong["valid"], wrong["invalid"]) == ("invalid", 2, 1)
    assert wrong["clean_answer"] == pg.clean_answer(TRANSCRIPT) == TRANSCRIPT["answer"].replace(" [7]", "")
    assert {"source_exists", "semantic_alignment"} <= {item["rule"] for item in wrong["findings"]}
    assert (missing["status"], missing["citation_accuracy"]) == ("missing", None)
    assert missing["suggestions"] == [{"claim": 0, "text": bare["answer"], "chunk_ids": ["c1"]}]
    assert (right["status"], right["citation_precision"], right["findings"]) == ("valid", 1.0, [])


def test_a_claim_is_explained_with_what_differs(talk, listed):
    claims = (0, "It is paid in full", "2")
    results = [talk.call("explain_claim", transcript=TRANSCRIPT, claim=item) for item in claims]
    verdict = pg.validate(TRANSCRIPT)
    for index, result in enumerate(results):
        told = result.structured_content
        jsonschema.validate(told, listed["explain_claim"].output_schema)
        own = verdict.claims[index].model_dump(mode="json")
        assert {name: told[name] for name in own} == own
        for evidence in told["evidence"]:
            chunk = next(item for item in TRANSCRIPT["chunks"] if item["id"] == evidence["chunk_id"])
            assert chunk["text"][evidence["start"] : evidence["end"]] == evidence["text"]
    contradicted, supported, invented = (result.structured_content for result in results)
    assert contradicted["status"] == "contradicted"
    (conflict,) = contradicted["conflicts"]
    assert (conflict["claim_text"], conflict["evidence_text"]) == ("18 weeks", "16 weeks")
    assert "16 weeks" in contradicted["explanation"]
    assert supported["status"] == "supported"
    assert "It is paid in full." in supported["explanation"]
    assert "octopus" in invented["missing_words"]
    assert "source_exists" in {item["rule"] for item in invented["findings"]}


BAD_CALLS = [
    *table(__file__, "bad_calls"),
    (
        "check_citations",
        {},
        {"question": "x" * 2001},
        "transcript.question: has 2001 characters; write at most 2000, ",
    ),
    (
        "validate_answer",
        {},
        {"metadata": {"x" * 500_001: 1}},
        "arguments: has more than 500000 characters in all; send at most 500000, or ",
    ),
]


def test_malformed_calls_get_one_sentence_each(talk):
    for tool, arguments, changes, expected in BAD_CALLS:
        transcript = {} if changes is None else {"transcript": TRANSCRIPT | changes}
        told = error_of(talk.call(tool, **arguments, **transcript))
        assert told.startswith(expected)
        assert "\n" not in told
        assert len(told) <= 500
    assert not talk.call("validate_answer", transcript=TRANSCRIPT).is_error


@pytest.fixture(scope="module")
def bounded(tmp_path_factory):
    """A session with a server that has a source root and small limits, and the folder of the root."""
    folder = tmp_path_factory.mktemp("bounded")
    root = folder / "root"
    root.mkdir()
    (root / "limits.py").write_text("LIMIT = 3  # The limit is 3.\n")
    (folder / "secret.py").write_text("SECRET = 1  # It is checked late.\n")
    with Talk(folder, "--set", "source_root=root", "--max-total", "900") as found:
        yield found, root


def test_the_limit_is_an_option(bounded):
    talk, _ = bounded
    much = {**TRANSCRIPT, "history": [{"role": "user", "content": "x" * 800}]}
    assert not talk.call("validate_answer", transcript=TRANSCRIPT).is_error
    assert error_of(talk.call("validate_answer", transcript=much)).startswith(
        "arguments: has more than 900 characters in all; send at most 900, or start the server with a higher "
    )


def test_files_are_read_only_under_the_source_root(bounded, talk):
    rooted, root = bounded
    absolute = {**CODE, "answer": f"It is 3 ({root.parent}/secret.py:1)."}
    inside = rooted.call("validate_answer", transcript=CODE)
    verdict = inside.structured_content
    found = [(item["valid"], item["path"]) for item in verdict["citations"]]
    assert found == [(True, "limits.py"), (False, None)]
    assert "the path leads out of its folder" in verdict["citations"][1]["findings"][0]["message"]
    assert "SECRET" not in json.dumps(verdict)
    assert inside.content[0].text == pg.validate(CODE, {"source_root": str(root)}).to_json()
    report = rooted.call("check_citations", transcript=absolute).structured_content
    assert report["status"] == "invalid"
    assert "SECRET" not in json.dumps(report)
    without = talk.call("validate_answer", transcript=CODE).structured_content
    assert [item["valid"] for item in without["citations"]] == [False, False]


def test_settings_come_from_the_project_and_the_options(tmp_path):
    (tmp_path / "root").mkdir()
    (tmp_path / "root" / "limits.py").write_text("LIMIT = 3\n")
    (tmp_path / "pytest.ini").write_text(
        "[pytest]\ngrounding_require_citations = error\ngrounding_source_root = root\n"
        "grounding_record = all\ngrounding_profiles =\n  mine: accept_confidence=0.99\n"
    )
    bare = {**TRANSCRIPT, "answer": "Parental leave lasts 16 weeks."}
    wish = {"profile": "mine", "require_citations": "off"}
    options, environment = ("--set", "borderline_threshold=0.75"), {"HALLUCINATION_MAX_RATE": "0.2"}
    with Talk(tmp_path, *options, environment=environment) as talk:
        own = talk.call("validate_answer", transcript=bare)
        changed = talk.call("validate_answer", transcript=bare, settings=wish)
        code = talk.call("validate_answer", transcript=CODE)
    expected = {"require_citations": "error", "borderline_threshold": 0.75, "max_hallucination_rate": 0.2}
    assert own.content[0].text == pg.validate(bare, expected).to_json()
    expected |= {"require_citations": "off", "accept_confidence": 0.99}
    assert changed.content[0].text == pg.validate(bare, expected).to_json()
    # The folder of the configuration is not a folder that the server was given.
    assert not code.structured_content["citations"][0]["valid"]

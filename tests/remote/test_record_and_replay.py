"""Recording a service and replaying it without server, key or SDK, also in pytest."""

import json
import os
import subprocess
import sys

import pytest
from loopback import KEY, answers, rerank

import pytest_grounding as pg
from pytest_grounding.cli import main
from pytest_grounding.errors import UnreadableCassetteError
from pytest_grounding.scorers.remote import scorer_factory as remote

CHUNKS = [
    {"id": "c1", "text": "Refunds are paid within 30 days of the return. Shipping is free of charge."},
    {"id": "c2", "text": "The shop sells garden tools and seeds."},
    {"id": "c3", "text": ""},
]
TRANSCRIPT = {
    "id": "a",
    "question": "How long do refunds take?",
    "chunks": CHUNKS,
    "answer": "Refunds are paid in 30 days after the return [1]. Shipping is always free [1]. "
    "They sell tools [2].",
}
CHOICES = {
    "rerank": {"scorer": "cohere"},
    "embed": {"scorer": "cohere-embed"},
    "chat": {"judge": "cohere", "judge_scope": "all"},
    "all": {"scorer": "cohere,cohere-embed", "judge": "cohere", "judge_scope": "all"},
}

#: Validates in a process in which every socket and the SDK are out of reach.
REPLAY = """
import json, sys

def forbid(event, arguments):
    if event.startswith("socket."):
        raise RuntimeError(f"forbidden: {event}")

sys.addaudithook(forbid)
for name in ("cohere", "httpx"):
    sys.modules[name] = None
import pytest_grounding as pg

transcript, settings = json.loads(sys.argv[1])
sys.stdout.buffer.write(pg.validate(transcript, settings).to_json().encode())
"""


@pytest.mark.parametrize("choice", CHOICES.values(), ids=CHOICES)
def test_replays_the_same_bytes_without_network_and_sdk(server, tmp_path, choice):
    cassette = tmp_path / "c.jsonl"
    recorded = pg.validate(TRANSCRIPT, {**choice, "cassette": str(cassette), "record": "new"})
    asked = len(server.seen)
    assert asked
    remote.reset()
    written = cassette.read_bytes()
    lines = written.decode().splitlines()
    assert lines == sorted(lines)
    assert KEY not in written.decode()
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("CO_", "COHERE_"))}
    settings = {**choice, "cassette": str(cassette), "record": "none"}
    done = subprocess.run(
        [sys.executable, "-c", REPLAY, json.dumps([TRANSCRIPT, settings])],
        capture_output=True,
        env=environment,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    assert done.stdout.decode() == recorded.to_json()
    assert not recorded.retrieval.scorer_failures
    assert len(server.seen) == asked
    assert cassette.read_bytes() == written


@pytest.mark.row(7)
def test_ranks_all_chunks_in_one_call_per_text(server, tmp_path):
    settings = {"scorer": "cohere", "cassette": str(tmp_path / "c.jsonl"), "record": "new"}
    verdict = pg.validate(TRANSCRIPT, settings)
    queries = [body["query"] for _, body, _ in server.seen]
    assert queries.count(TRANSCRIPT["question"]) == 1
    assert len(queries) == len(set(queries)) <= 1 + len(verdict.claims)
    texts = [chunk["text"] for chunk in CHUNKS if chunk["text"]]
    assert all(body["documents"] == texts for _, body, _ in server.seen)
    assert all(body["model"] == "rerank-v3.5" for _, body, _ in server.seen)
    assert verdict.retrieval.scorer == "cohere"
    assert {claim.method for claim in verdict.claims} <= {"rerank", "exact_match"}
    assert any(claim.method == "rerank" for claim in verdict.claims)


def test_asks_only_about_a_changed_chunk(server, tmp_path):
    settings = {"scorer": "cohere", "cassette": str(tmp_path / "c.jsonl"), "record": "new"}
    pg.validate(TRANSCRIPT, settings)
    before = len(server.seen)
    changed = {**TRANSCRIPT, "chunks": [*CHUNKS[:1], {"id": "c2", "text": "The shop sells garden chairs."}]}
    pg.validate(changed, settings)
    new = [body["documents"] for _, body, _ in server.seen[before:]]
    assert new
    assert all(documents == ["The shop sells garden chairs."] for documents in new)


def test_a_missing_record_fails_the_check_and_says_how_to_record_it(server, tmp_path):
    settings = {"scorer": "cohere", "cassette": str(tmp_path / "c.jsonl"), "record": "new"}
    pg.validate(TRANSCRIPT, settings)
    other = {**TRANSCRIPT, "answer": "Every return costs the buyer five coins."}
    asked = len(server.seen)
    verdict = pg.validate(other, {**settings, "record": "none"})
    assert len(server.seen) == asked
    (claim,) = verdict.claims
    assert claim.status == "abstained"
    assert verdict.status == "reject"
    assert verdict.hallucination_rate is None
    (finding,) = [item for item in verdict.findings if item.severity == "error"]
    assert "Every return costs the buyer five coins" in finding.message
    assert "is not on the cassette" in finding.message
    assert "pytest --grounding-record=new" in finding.message


def test_a_missing_record_is_not_replaced_by_the_next_scorer(server, tmp_path):
    settings = {"scorer": "cohere", "cassette": str(tmp_path / "c.jsonl"), "record": "none"}
    whole = {**TRANSCRIPT, "answer": TRANSCRIPT["chunks"][0]["text"]}
    verdict = pg.validate(whole, settings)
    assert verdict.status == "reject"
    assert [item.rule for item in verdict.causes if item.severity == "error"] == ["not_recorded"]
    lenient = pg.validate(whole, {**settings, "abstained": "warn"})
    assert [item.severity for item in lenient.causes if item.rule == "not_recorded"] == ["warning"]


def test_record_all_asks_again_and_keeps_the_new_answer(server, tmp_path):
    settings = {"scorer": "cohere", "cassette": str(tmp_path / "c.jsonl")}
    pg.validate(TRANSCRIPT, {**settings, "record": "new"})
    first = len(server.seen)

    def quarter(handler):
        count = len(server.seen[-1][1]["documents"])
        handler.reply(200, {"results": [{"index": n, "relevance_score": 0.25} for n in range(count)]})

    server.fault = quarter
    again = pg.validate(TRANSCRIPT, {**settings, "record": "all"})
    assert len(server.seen) == 2 * first
    assert {item.score for item in again.retrieval.relevance if item.score is not None} == {0.25}
    replayed = pg.validate(TRANSCRIPT, {**settings, "record": "none"})
    assert replayed.to_json() == again.to_json()


def test_rejects_an_edited_record(server, tmp_path):
    cassette = tmp_path / "c.jsonl"
    settings = {"scorer": "cohere", "cassette": str(cassette)}
    pg.validate(TRANSCRIPT, {**settings, "record": "new"})
    remote.reset()
    text = cassette.read_text(encoding="utf-8")
    for damage in (
        text.replace('"score":', '"score":1'),
        text.replace('"document":"', '"document":"x'),
        text.replace('"score":0.', '"score":0.1'),
        text + "<<<<<<< ours\n",
    ):
        cassette.write_text(damage, encoding="utf-8")
        with pytest.raises(UnreadableCassetteError, match=r"c\.jsonl"):
            pg.validate(TRANSCRIPT, {**settings, "record": "none"})


def test_finds_contradictions_with_a_remote_scorer(server, tmp_path):
    wrong = {**TRANSCRIPT, "answer": "Refunds are paid within 45 days of the return [1]."}
    settings = {"scorer": "cohere", "cassette": str(tmp_path / "c.jsonl"), "record": "new"}
    verdict = pg.validate(wrong, settings)
    assert verdict.claims[0].status == "contradicted"
    assert verdict.claims[0].method == "rerank"


class _Secrets:
    @staticmethod
    @pg.hookimpl
    def pytest_grounding_redactors():
        return [lambda text: text.replace("hunter2", "[secret]")]


def test_redacts_secrets_before_sending_and_writing(server, tmp_path):
    cassette = tmp_path / "c.jsonl"
    secret = {
        **TRANSCRIPT,
        "chunks": [{"id": "c1", "text": "The password of the box is hunter2 today."}],
        "answer": "The box opens with the password hunter2 [1].",
    }
    settings = {"scorer": "cohere", "cassette": str(cassette), "record": "new"}
    extension = _Secrets()
    pg.register(extension)
    try:
        recorded = pg.validate(secret, settings)
        remote.reset()
        replayed = pg.validate(secret, {**settings, "record": "none"})
    finally:
        pg.unregister(extension)
    assert replayed.to_json() == recorded.to_json()
    assert "hunter2" not in cassette.read_text(encoding="utf-8")
    assert "[secret]" in cassette.read_text(encoding="utf-8")
    assert "hunter2" not in json.dumps([body for _, body, _ in server.seen])
    assert "hunter2" in recorded.claims[0].text


def test_the_judge_decides_borderline_claims_and_its_failure_rejects(server, tmp_path):
    # Every score is borderline, so that every claim needs the judge.
    settings = {
        "scorer": "cohere",
        "judge": "cohere",
        "record": "new",
        "supported_threshold": 1.0,
        "borderline_threshold": 0.0,
        "remote_retries": 0,
    }
    one = {**TRANSCRIPT, "answer": "Money comes back within 30 days after the return [1]."}
    agreed = pg.validate(one, {**settings, "cassette": str(tmp_path / "yes.jsonl")})
    assert [(claim.status, claim.method) for claim in agreed.claims] == [("supported", "llm_judge")]
    assert "the judge answers: full" in agreed.claims[0].reason

    def denies(handler):
        body = server.seen[-1][1]
        if "documents" in body:
            handler.reply(200, rerank(body))
        else:
            content = [{"type": "text", "text": '{"value": "none", "reason": "they do not say so"}'}]
            message = {"role": "assistant", "content": content}
            handler.reply(200, {"finish_reason": "COMPLETE", "message": message})

    server.fault = denies
    denied = pg.validate(one, {**settings, "cassette": str(tmp_path / "no.jsonl")})
    assert [(claim.status, claim.method) for claim in denied.claims] == [("unsupported", "llm_judge")]

    server.fault = None
    cassette = str(tmp_path / "half.jsonl")
    pg.validate(one, {**settings, "judge": "", "cassette": cassette})
    server.fault = answers(500, b"boom")
    failed = pg.validate(one, {**settings, "cassette": cassette})
    assert [claim.status for claim in failed.claims] == ["abstained"]
    assert failed.status == "reject"
    assert "status 500" in failed.claims[0].reason


def test_names_the_missing_extra_when_recording(tmp_path, monkeypatch):
    monkeypatch.setenv("CO_API_KEY", KEY)
    monkeypatch.setitem(sys.modules, "cohere", None)
    settings = {"scorer": "cohere", "cassette": str(tmp_path / "c.jsonl"), "record": "new"}
    with pytest.raises(pg.MissingExtraError, match=r"pytest-rag-grounding\[cohere\]"):
        pg.validate(TRANSCRIPT, settings)


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


def test_records_a_chat_with_citations_and_its_retrieval(server, tmp_path, monkeypatch):
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


def test_a_program_without_its_key_fails_and_writes_nothing(tmp_path):
    pytest.importorskip("cohere")
    with pytest.raises(pg.GroundingError, match="CO_API_KEY"):
        pg.record(answer, "How long do refunds take?", to=tmp_path)
    assert list(tmp_path.iterdir()) == []


FILE = "answers.transcripts.jsonl"


def transcript(number, answer=None):
    return {
        "id": f"t{number}",
        "question": f"How long does delivery number {number} take?",
        "chunks": [
            {"id": "c1", "text": f"Delivery number {number} takes {number + 2} days. It is insured."},
            {"id": "c2", "text": "Shared: the shop is open on weekdays."},
        ],
        "answer": answer or f"Delivery number {number} takes {number + 2} days on average [1].",
    }


def write(pytester, count):
    lines = [json.dumps(transcript(number)) + "\n" for number in range(count)]
    pytester.path.joinpath(FILE).write_text("".join(lines))


OPTIONS = ("-p", "no:cacheprovider", "-p", "no:anyio", "--grounding-scorer=cohere")


def run(pytester, *arguments):
    # Each run begins as a process of its own would.
    remote.reset()
    return pytester.runpytest(*OPTIONS, *arguments)


LENIENT = ("--grounding-set", "supported_threshold=0.5", "--grounding-set", "borderline_threshold=0.5")
LENIENT += ("--grounding-set", "alignment_threshold=0.5")


def lines_of(pytester, name="grounding.cassette.jsonl"):
    return pytester.path.joinpath(name).read_text(encoding="utf-8").splitlines()


def test_workers_record_into_one_cassette(pytester, server):
    pytest.importorskip("xdist")
    write(pytester, 12)
    result = pytester.runpytest_subprocess(
        *OPTIONS, "-n2", "--grounding-record=new", "--grounding-json=new.json", *LENIENT
    )
    result.assert_outcomes(passed=12)
    lines = lines_of(pytester)
    keys = [json.loads(line)["key"] for line in lines]
    assert keys == sorted(set(keys))
    asked = {(body["query"], text) for _, body, _ in server.seen for text in body["documents"]}
    recorded = {(value["texts"]["query"], value["texts"]["document"]) for value in map(json.loads, lines)}
    assert recorded == asked
    assert not list(pytester.path.glob("*.journal"))
    result.stdout.re_match_lines(
        [r"recorded judgements: cohere.rerank rerank-v3.5, .* \(the oldest is 0 days old\)"]
    )

    before = len(server.seen)
    again = run(pytester, "--grounding-json=none.json", *LENIENT)
    again.assert_outcomes(passed=12)
    assert len(server.seen) == before
    assert lines_of(pytester) == lines
    one, two = (json.loads(pytester.path.joinpath(f"{mode}.json").read_text()) for mode in ("new", "none"))
    assert one["transcripts"] == two["transcripts"]
    assert two["run"]["judgements"] == one["run"]["judgements"]


def test_does_not_record_by_default(pytester, server):
    write(pytester, 1)
    result = run(pytester)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*is not on the cassette*--grounding-record=new*"])
    assert server.seen == []
    assert not pytester.path.joinpath("grounding.cassette.jsonl").exists()


def test_records_in_ci_only_with_the_option(pytester, server, monkeypatch):
    write(pytester, 1)
    pytester.makeini("[pytest]\ngrounding_record = new\n")
    monkeypatch.setenv("CI", "true")
    run(pytester).assert_outcomes(failed=1)
    assert server.seen == []
    run(pytester, "--grounding-record=new", *LENIENT).assert_outcomes(passed=1)
    assert server.seen
    monkeypatch.setenv("CI", "false")
    pytester.path.joinpath("grounding.cassette.jsonl").unlink()
    run(pytester, *LENIENT).assert_outcomes(passed=1)


def test_uses_the_cassette_of_the_root_folder(pytester, server, monkeypatch):
    pytester.makeini("[pytest]\n")
    folder = pytester.mkdir("deep")
    (folder / FILE).write_text(json.dumps(transcript(0)))
    monkeypatch.chdir(folder)
    run(pytester, "--grounding-record=new", *LENIENT).assert_outcomes(passed=1)
    assert lines_of(pytester)
    assert not (folder / "grounding.cassette.jsonl").exists()


@pytest.mark.row(61)
def test_lists_and_prunes_unused_records(pytester, server, monkeypatch, capsys):
    write(pytester, 3)
    run(pytester, "--grounding-record=new", *LENIENT).assert_outcomes(passed=3)
    whole = len(lines_of(pytester))
    write(pytester, 2)
    run(pytester, "--grounding-used=used.json", *LENIENT).assert_outcomes(passed=2)
    run(pytester, "--grounding-used=part.json", "-k", "t0", *LENIENT).assert_outcomes(passed=1, deselected=1)
    remote.reset()
    capsys.readouterr()

    assert main(["show", "cassette", "stale", "--used", "used.json"]) == 1
    listed = capsys.readouterr().out
    assert "delivery number 2" in listed
    assert "delivery number 1" not in listed
    assert main(["show", "cassette", "stale", "--check", FILE, "--set", "scorer=cohere"]) == 1
    assert capsys.readouterr().out == listed
    assert main(["show", "cassette", "prune", "--used", "part.json"]) == 2
    assert "not a whole one (" in capsys.readouterr().err
    assert len(lines_of(pytester)) == whole

    assert main(["show", "cassette", "prune", "--used", "used.json", "--yes"]) == 0
    assert 0 < len(lines_of(pytester)) < whole
    asked = len(server.seen)
    run(pytester, *LENIENT).assert_outcomes(passed=2)
    assert len(server.seen) == asked
    assert main(["show", "cassette", "stale", "--used", "used.json"]) == 0
    assert main(["show", "cassette", "list"]) == 0
    assert f"{len(lines_of(pytester))} records" in capsys.readouterr().out


def test_refuses_to_prune_everything(pytester, server, capsys):
    write(pytester, 1)
    run(pytester, "--grounding-record=new", *LENIENT).assert_outcomes(passed=1)
    before = lines_of(pytester)
    remote.reset()
    assert main(["show", "cassette", "prune", "--check", FILE]) == 2
    assert "no record is used at all" in capsys.readouterr().err
    assert lines_of(pytester) == before


def test_reads_and_merges_the_journal_of_a_killed_run(pytester, server, capsys):
    write(pytester, 1)
    run(pytester, "--grounding-record=new", *LENIENT).assert_outcomes(passed=1)
    path = pytester.path.joinpath("grounding.cassette.jsonl")
    before = lines_of(pytester)
    path.rename(f"{path}.journal")
    run(pytester, *LENIENT).assert_outcomes(passed=1)
    assert main(["show", "cassette", "merge"]) == 0
    assert lines_of(pytester) == before
    assert main(["show", "cassette", "list", "--set", "cassette=other.jsonl"]) == 2
    assert "does not exist" in capsys.readouterr().err


def test_a_run_with_skipped_tests_does_not_show_what_is_unused(pytester, server, capsys):
    write(pytester, 1)
    run(pytester, "--grounding-record=new", *LENIENT).assert_outcomes(passed=1)
    pytester.makepyfile("import pytest\n\n\ndef test_it():\n    pytest.skip('not today')\n")
    run(pytester, "--grounding-used=used.json", *LENIENT).assert_outcomes(passed=1, skipped=1)
    capsys.readouterr()
    assert main(["show", "cassette", "stale", "--used", "used.json"]) == 2
    assert "1 tests failed or were skipped" in capsys.readouterr().err
    assert main(["show", "cassette", "stale", "--used", "used.json", "--anyway"]) == 0
    (pytester.path / "used.json").write_text("[]")
    assert main(["show", "cassette", "stale", "--used", "used.json"]) == 2
    assert "is not what a run used" in capsys.readouterr().err

"""A judge from the settings to the verdict, recorded and replayed."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from dialects import CHAT, KEYS, MESSAGES, form_of, refuses, says
from loopback import KEY, answers, chat
from test_failures_of_judges import table

import pytest_grounding as pg
from pytest_grounding.cli import main
from pytest_grounding.scorers.remote import scorer_factory as remote
from pytest_grounding.scorers.remote.cassette_file import Store

SDKS = ("openai", "anthropic", "cohere", "httpx", "httpx2", "httpcore", "httpcore2")
LINES = [
    {
        "id": f"t{number}",
        "question": f"How long do refunds of shop {number} take?",
        "chunks": [
            {"id": "c1", "text": f"Refunds of shop {number} take 30 days after the return."},
            {"id": "c2", "text": "Shipping is free above 50 euros."},
        ],
        "answer": answer,
    }
    for number, answer in enumerate(
        (
            "Refunds after the return take 30 days.",
            "Shipping above 50 euros is always free of charge. Refunds may take 30 days.",
            "Die Erstattung dauert 30 Tage. Free is shipping above 50 euros.",
        )
    )
]
#: Every claim is borderline, so that every claim needs the judge.
ASKED = {"supported_threshold": "1.0", "borderline_threshold": "0.0", "remote_retries": "0"}
CASSETTE = "grounding.cassette.jsonl"
JUDGES = ("openai:m", "anthropic:n", "cohere:c")

#: Validates without SDKs and sockets; prints the verdicts, then the imported SDKs.
PROBE = """
import json, socket, sys

SDKS = {sdks!r}


class Wall:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in SDKS:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)


def closed(*_):
    raise OSError("nobody may ask in a replay")


sys.meta_path.insert(0, Wall())
socket.socket.connect = closed
import pytest_grounding as pg

settings = json.loads(sys.argv[1])
for line in open(sys.argv[2], encoding="utf-8"):
    print(pg.validate(json.loads(line), settings).to_json())
print(json.dumps(sorted(set(SDKS) & set(sys.modules))), file=sys.stderr)
"""


def write(folder):
    path = folder / "a.transcripts.jsonl"
    path.write_text("\n".join(map(json.dumps, LINES)))
    return path


def flags(settings):
    return [part for name, value in settings.items() for part in ("--set", f"{name}={value}")]


def replayed(settings, transcripts):
    """The verdicts of a process without SDKs, keys and connections, and the SDKs that it imported."""
    clean = {
        name: value for name, value in os.environ.items() if "_API_" not in name and "BASE_URL" not in name
    }
    command = [sys.executable, "-c", PROBE.format(sdks=SDKS), json.dumps(settings), str(transcripts)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=clean)
    assert done.returncode == 0, done.stderr
    return done.stdout, json.loads(done.stderr.splitlines()[-1])


@pytest.fixture
def three(chats, monkeypatch):
    """All three services behind one server."""
    pytest.importorskip("cohere")
    monkeypatch.setenv("ANTHROPIC_BASE_URL", chats.url)
    monkeypatch.setenv("OPENAI_BASE_URL", f"{chats.url}/v1")
    monkeypatch.setenv("CO_API_URL", chats.url)
    monkeypatch.setenv("CO_API_KEY", KEY)
    return chats


@pytest.mark.row(42)
def test_replays_three_judges_exactly_without_their_sdks(three, tmp_path):
    transcripts = write(tmp_path)
    settings = {**ASKED, "cassette": str(tmp_path / "c.jsonl")}
    for judge in JUDGES:
        recording = {**settings, "judge": judge, "record": "new"}
        said = "".join(f"{pg.validate(line, recording).to_json()}\n" for line in LINES)
        asked = len(three.seen)
        remote.reset()
        found, imported = replayed({**settings, "judge": judge}, transcripts)
        assert found == said
        assert imported == []
        assert len(three.seen) == asked
        assert '"llm_judge"' in found
    assert {path for path, _, _ in three.seen} == {CHAT, MESSAGES, "/v2/chat"}
    scorers = {record.request.scorer for record in Store(tmp_path / "c.jsonl").records()}
    assert scorers == {"openai.chat", "anthropic.chat", "cohere.chat"}
    written = (tmp_path / "c.jsonl").read_text()
    assert not any(secret in written for secret in (KEY, *KEYS.values(), three.url))


@pytest.mark.parametrize("settings", [{}, {"judge": "openai"}, {"judge": "anthropic", "record": "new"}])
def test_imports_no_sdk_when_no_judge_is_needed(tmp_path, settings):
    transcripts = tmp_path / "a.jsonl"
    plain = {**LINES[0], "answer": LINES[0]["chunks"][0]["text"]}
    transcripts.write_text(json.dumps(plain))
    found, imported = replayed({**settings, "cassette": str(tmp_path / "c.jsonl")}, transcripts)
    assert '"status": "supported"' in found or '"status":"supported"' in found
    assert imported == []


@pytest.mark.parametrize("name", ["openai", "anthropic", "ollama", "cohere"])
def test_an_environment_variable_chooses_the_judge(three, tmp_path, monkeypatch, name, capsys):
    write(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("VALIDATION_LLM", name)
    monkeypatch.setenv("VALIDATION_MODEL", "some-model")
    more = {"judge_url": f"{three.url}/v1", "judge_key_env": "OPENAI_API_KEY"} if name == "ollama" else {}
    main(["check", ".", "--json", *flags({**ASKED, **more, "record": "new"})])
    lines = json.loads(capsys.readouterr().out)["transcripts"]
    assert {claim["method"] for line in lines for claim in line["claims"]} == {"llm_judge"}
    assert {body["model"] for _, body, _ in three.seen} == {"some-model"}
    asked = {(record.request.scorer, record.request.model) for record in Store(CASSETTE).records()}
    assert asked == {(f"{name}.chat", "some-model")}


@pytest.mark.parametrize("name", ["openai", "anthropic", "cohere"])
def test_settings_give_the_address_and_the_key_variable(three, tmp_path, monkeypatch, name):
    for variable in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "CO_API_KEY", "CO_API_URL"):
        monkeypatch.delenv(variable)
    for variable in ("OPENAI_BASE_URL", "ANTHROPIC_BASE_URL"):
        monkeypatch.setenv(variable, "http://127.0.0.1:9/wrong")
    mine = {"openai": KEYS[CHAT], "anthropic": KEYS[MESSAGES], "cohere": KEY}[name]
    monkeypatch.setenv("MY_KEY", mine)
    url = three.url if name == "cohere" else f"{three.url}/v1"
    settings = {"judge": name, "judge_model": "m", "judge_url": url, "judge_key_env": "MY_KEY"}
    settings |= {**ASKED, "record": "new", "cassette": str(tmp_path / "c.jsonl")}
    (claim,) = pg.validate(LINES[0], settings).claims
    assert claim.method == "llm_judge", claim.reason
    assert mine in str(three.seen[0][2])


def test_check_records_and_replays_the_judge(chats, tmp_path, monkeypatch, capsys):
    write(tmp_path)
    monkeypatch.chdir(tmp_path)
    judged = {**ASKED, "judge": "openai", "judge_url": f"{chats.url}/v1", "judge_model": "m"}
    chats.fault = refuses((lambda body: form_of(body) == "json_schema", "response_format: not here"))
    status = main(["check", ".", "--report", "json:new.json", *flags(judged), "--set", "record=new"])
    assert status == 1, capsys.readouterr().err
    # The first request was refused, and its form given up for all that followed.
    assert [form_of(body) for _, body, _ in chats.seen].count("json_schema") == 1
    asked = len(chats.seen)
    remote.reset()
    for name in KEYS:
        monkeypatch.delenv("OPENAI_API_KEY" if name == CHAT else "ANTHROPIC_API_KEY")
    assert main(["check", ".", "--report", "json:old.json", *flags(judged)]) == status
    assert len(chats.seen) == asked
    one, two = (json.loads(Path(name).read_text()) for name in ("new.json", "old.json"))
    assert one["transcripts"] == two["transcripts"]
    claims = [claim for line in one["transcripts"] for claim in line["claims"]]
    assert {claim["method"] for claim in claims} == {"llm_judge"}
    assert {claim["status"] for claim in claims} == {"supported", "unsupported"}
    assert "recorded judgements: openai.chat m" in capsys.readouterr().out
    assert main(["show", "cassette", "list"]) == 0
    assert "openai.chat m" in capsys.readouterr().out


def test_pytest_fails_when_the_judge_refuses_and_so_does_the_replay(chats, pytester):
    write(pytester.path)
    chats.fault = says("", stop_reason="refusal")
    judged = {**ASKED, "judge": "anthropic", "judge_url": chats.url, "judge_model": "m"}
    options = [f"--grounding-set={name}={value}" for name, value in judged.items()]
    result = pytester.runpytest_inprocess(*options, "--grounding-record=new")
    result.assert_outcomes(failed=3)
    result.stdout.fnmatch_lines(["*is a refusal (stop_reason refusal)*"])
    asked = len(chats.seen)
    remote.reset()
    result = pytester.runpytest_inprocess(*options)
    result.assert_outcomes(failed=3)
    result.stdout.fnmatch_lines(["*is a refusal (stop_reason refusal)*"])
    result.stdout.no_fnmatch_line("*not on the cassette*")
    assert len(chats.seen) == asked


@pytest.mark.parametrize("name", ["openai", "anthropic"])
def test_names_a_missing_extra_only_when_it_is_needed(chats, tmp_path, monkeypatch, capsys, name):
    write(tmp_path)
    monkeypatch.chdir(tmp_path)
    judged = {**ASKED, "judge": name, "judge_url": f"{chats.url}/v1", "judge_model": "m"}
    pg.validate(LINES[0], {**judged, "record": "new"})
    remote.reset()
    monkeypatch.setitem(sys.modules, name, None)
    assert pg.validate(LINES[0], judged).claims[0].method == "llm_judge"
    (command,) = table()["extra"]
    with pytest.raises(pg.MissingExtraError) as raised:
        pg.validate(LINES[1], {**judged, "record": "new"})
    assert command.replace("openai", name) in str(raised.value)
    assert main(["check", ".", *flags(judged), "--set", "record=new"]) == 2
    assert command.replace("openai", name) in capsys.readouterr().err


REDACTING = """
def pytest_grounding_redactors():
    return [lambda text: text.replace("hunter2", "[secret]")]
"""


def checked(folder, *more, path="a.transcripts.jsonl"):
    command = [sys.executable, "-m", "pytest_grounding", "check", path, "--quiet", *more]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder)


def test_check_uses_the_redactor_of_a_conftest(chats, tmp_path):
    line = {**LINES[0], "answer": "Refunds with hunter2 take 30 days after the return."}
    (tmp_path / "said/here").mkdir(parents=True)
    (tmp_path / "said/here/a.transcripts.jsonl").write_text(json.dumps(line))
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    (tmp_path / "said/here/conftest.py").write_text(REDACTING)
    settings = {**ASKED, "judge": "openai", "judge_url": f"{chats.url}/v1", "judge_model": "m"}
    recorded = checked(tmp_path, *flags({**settings, "record": "new"}), path="said")
    assert len(chats.seen) == 1, recorded.stderr
    assert "hunter2" not in json.dumps(chats.seen[0][1])
    assert "[secret]" in (tmp_path / CASSETTE).read_text()
    assert "hunter2" not in (tmp_path / CASSETTE).read_text()
    replayed = checked(tmp_path, *flags(settings), path="said")
    assert (replayed.returncode, replayed.stdout) == (recorded.returncode, recorded.stdout)
    assert len(chats.seen) == 1


@pytest.mark.parametrize(
    ("conftest", "more", "message"),
    [
        ("import nosuch_module\n" + REDACTING, (), "conftest.py: its redactor cannot be had"),
        (REDACTING, ("--jobs", "2"), "--jobs: a conftest.py takes secrets out of what is sent"),
    ],
)
def test_sends_nothing_that_the_redactor_has_not_seen(chats, tmp_path, conftest, more, message):
    (tmp_path / "a.transcripts.jsonl").write_text(json.dumps(LINES[0]))
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    (tmp_path / "conftest.py").write_text(conftest)
    settings = {**ASKED, "judge": "openai", "judge_url": f"{chats.url}/v1", "record": "new"}
    done = checked(tmp_path, *more, *flags(settings))
    assert done.returncode == 2
    assert message in done.stderr
    assert chats.seen == []


GIVEN = {
    "id": "refunds",
    "question": "How are refunds paid?",
    "chunks": [
        {"id": "c1", "text": "Payment goes to the original card. The warranty does not cover water damage."}
    ],
    "answer": "The money arrives on the same plastic that was charged. The warranty covers water damage. "
    "Payment goes to the original card.",
}


def validated(path, record, answer=GIVEN["answer"], scope="all"):
    """The verdict as JSON, without anything remembered from earlier."""
    remote.reset()
    settings = {"cassette": str(path), "record": record, "judge": "cohere", "judge_scope": scope}
    return pg.validate({**GIVEN, "answer": answer}, settings).to_json()


def statuses(verdict):
    return [claim["status"] for claim in json.loads(verdict)["claims"]]


def test_asks_once_per_answer_and_replays_the_same(server, tmp_path):
    path = tmp_path / "c.jsonl"
    recorded = validated(path, "new")
    kinds = [sorted(body["response_format"]["json_schema"]["properties"]) for _, body, _ in server.seen]
    assert kinds == [["rulings"]]
    assert statuses(recorded) == ["supported"] * 3
    assert json.loads(recorded)["status"] == "pass"
    assert validated(path, "none") == recorded
    assert len(server.seen) == 1


def test_replays_records_of_single_claims(server, tmp_path):
    path = tmp_path / "c.jsonl"
    for sentence in GIVEN["answer"].split(". "):
        validated(path, "new", answer=sentence.rstrip(".") + ".")
    remote.reset()
    assert {record.request.parameters["prompt"] for record in Store(path).records()} == {"support"}
    seen = len(server.seen)
    for record in ("none", "new"):
        assert statuses(validated(path, record)) == ["supported"] * 3
    assert len(server.seen) == seen


def test_asks_about_single_claims_after_a_malformed_reply(server, tmp_path):
    schema = {"properties": {"value": {"enum": ["relevant"]}}}
    reply = chat({"messages": [], "response_format": {"json_schema": schema}})
    server.faults = [answers(200, {**reply, "finish_reason": "MAX_TOKENS"})]
    recorded = validated(tmp_path / "c.jsonl", "new")
    assert len(server.seen) == 4
    assert "abstained" not in statuses(recorded)
    assert validated(tmp_path / "c.jsonl", "none") == recorded


@pytest.mark.parametrize("scope", ["doubtful", "all"])
def test_a_missing_record_of_the_judge_changes_nothing(tmp_path, scope):
    verdict = validated(tmp_path / "c.jsonl", "none", scope=scope)
    assert statuses(verdict) == ["unsupported", "contradicted", "supported"]
    assert pg.Verdict.model_validate_json(verdict).fallbacks

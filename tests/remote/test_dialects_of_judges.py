"""How judges are asked: forms and parameters that an endpoint refuses, addresses, keys, tokens."""

import json
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import pytest
from dialects import CHAT, KEYS, MESSAGES, chat, form_of, message, refuses, says
from every import each, table
from loopback import answers

import pytest_grounding as pg
from pytest_grounding.errors import RefusedError, ScorerError
from pytest_grounding.scorers.remote.judge.chat import SUPPORT, fenced
from pytest_grounding.scorers.remote.judge.judge_service import KNOWN, ChatService, ServicePlace, chosen
from pytest_grounding.settings import Settings

USER = f"{fenced('passage 1', 'Refunds take 30 days.')}\n{fenced('statement', 'Refunds take 30 days.')}"
RULED = {"value": "full", "reason": "1.00 of the words stand in a passage"}
ENVIRON = {"OPENAI_API_KEY": KEYS[CHAT], "ANTHROPIC_API_KEY": KEYS[MESSAGES]}


def service(server, name="openai", *, path="/v1", environ=ENVIRON, key_env="", **more):
    known = KNOWN[name]
    place = ServicePlace(server.url + path, key_env, known.sends_key)
    return ChatService(known.dialect, "m", place, environ=environ, retries=0, **more)


def asked(judge, user=USER, prompt=SUPPORT):
    return judge.complete(prompt.system, user, prompt.schema)


def headers(server, number=-1):
    return {name.lower(): value for name, value in server.seen[number][2].items()}


def forms(server):
    return [form_of(body) for _, body, _ in server.seen]


@pytest.mark.parametrize(("name", "path"), [("openai", CHAT), ("anthropic", MESSAGES)])
def test_sends_the_schema_of_a_ruling(chats, name, path):
    found = asked(service(chats, name))
    assert found == RULED
    ((where, body, _),) = chats.seen
    assert where == path
    assert body["temperature"] == 0
    assert body["model"] == "m"
    schema = (
        body["response_format"]["json_schema"]["schema"]
        if name == "openai"
        else body["output_config"]["format"]["schema"]
    )
    assert schema["additionalProperties"] is False
    assert schema["required"] == ["value", "reason"]
    assert SUPPORT.system in json.dumps(body, ensure_ascii=False)


@pytest.mark.parametrize(("status", "error"), table(__file__, "no schema"))
def test_remembers_to_use_the_next_form_when_one_is_refused(chats, status, error):
    def fault(handler):
        body = handler.server.seen[-1][1]
        if form_of(body) == "json_schema":
            handler.reply(status, error.encode() if isinstance(error, str) else error)
        else:
            handler.reply(200, chat(body))

    chats.fault = fault
    judge = service(chats)
    assert [asked(judge) for _ in range(3)] == [RULED] * 3
    assert forms(chats) == ["json_schema", "json_object", "json_object", "json_object"]


@pytest.mark.parametrize(
    ("name", "known"),
    [("openai", ["json_schema", "json_object", "text"]), ("anthropic", ["json_schema", "text"])],
)
def test_the_last_form_is_text_with_json_in_a_fence(chats, name, known):
    words = {"json_schema": "json_schema: no", "json_object": "json_object?"}
    tests = [(lambda body, form=form: form_of(body) == form, text) for form, text in words.items()]
    chats.fault = refuses(*tests)
    judge = service(chats, name)
    assert asked(judge) == RULED
    assert forms(chats) == known
    good = json.dumps(RULED)
    for text in (
        f"```json\n{good}\n```",
        f"\n```\n{good}\n```\n",
        f"<think>\nnone? {{}}\n</think>\n{good}",
        good,
    ):
        chats.fault = says(text)
        assert asked(judge) == RULED
    none = '{"value": "none", "reason": "x"}'
    for text in (
        f"Here it is:\n```json\n{good}\n```",
        f"```json\n{good}\n```\n```json\n{none}\n```",
        f"```json\n{good}\n```\nNo: none.",
        f"{good}\n{none}",
        f"<think>{good}",
    ):
        chats.fault = says(text)
        with pytest.raises(ScorerError, match="is not JSON"):
            asked(judge)
    assert set(forms(chats)[len(known) :]) == {"text"}


@pytest.mark.parametrize(("status", "error"), table(__file__, "other errors"))
def test_keeps_the_form_after_other_errors(chats, status, error):
    chats.fault = answers(status, error)
    with pytest.raises(ScorerError, match=f"status {status} after 1 attempt"):
        asked(service(chats))
    assert forms(chats) == ["json_schema"]


def test_gives_up_when_every_form_is_refused(chats):
    chats.fault = answers(400, {"error": {"message": "response_format, seed, temperature: no, no and no"}})
    with pytest.raises(RefusedError, match=r"status 400 after \d attempts: response_format"):
        asked(service(chats))
    assert len(chats.seen) < 8
    assert forms(chats)[-1] == "text"


def test_leaves_out_refused_parameters(chats):
    chats.fault = refuses(
        (lambda body: "temperature" in body, "'temperature' does not support 0 with this model"),
        (lambda body: "max_tokens" in body, "Use 'max_completion_tokens' instead of 'max_tokens'"),
        (lambda body: "seed" in body, "seed: Extra inputs are not permitted"),
        (lambda body: body["messages"][0]["role"] == "system", "System role not supported"),
    )
    judge = service(chats)
    assert asked(judge) == RULED
    assert len(chats.seen) == 5
    assert asked(judge) == RULED
    body = chats.seen[-1][1]
    assert len(chats.seen) == 6
    assert sorted(body) == ["max_completion_tokens", "messages", "model", "response_format"]
    assert [item["role"] for item in body["messages"]] == ["user"]
    assert SUPPORT.system in body["messages"][0]["content"]


def test_anthropic_without_temperature_and_without_a_schema(chats):
    chats.fault = refuses(
        (lambda body: "temperature" in body, "`temperature` is deprecated for this model."),
        (lambda body: "output_config" in body, "output_config: Extra inputs are not permitted"),
    )
    judge = service(chats, "anthropic")
    assert [asked(judge), asked(judge)] == [RULED, RULED]
    assert len(chats.seen) == 4
    assert not {"temperature", "output_config"} & chats.seen[-1][1].keys()
    chats.fault = lambda handler: handler.reply(200, message(chats.seen[-1][1], "I would say full."))
    with pytest.raises(ScorerError, match="is not JSON"):
        asked(judge)


def test_threads_share_what_an_endpoint_refuses(chats):
    chats.fault = refuses(
        (lambda body: "seed" in body, "seed: no"),
        (lambda body: form_of(body) != "text", "response_format: no"),
        (lambda body: "temperature" in body, "temperature: no"),
    )
    judge = service(chats)
    with ThreadPoolExecutor(6) as pool:
        found = list(pool.map(lambda _: asked(judge), range(12)))
    assert found == [RULED] * 12
    assert judge.way.form == "text"
    assert judge.way.dropped == {"seed", "temperature"}


def test_azure_takes_a_version_in_the_address_and_its_own_key_header(chats):
    chats.fault = lambda handler: handler.reply(200, chat(handler.server.seen[-1][1]))
    path = "/openai/deployments/judge?api-version=2024-10-21"
    environ = {"AZURE_KEY": "az-0123456789", "OPENAI_API_KEY": "sk-other-55555"}
    assert asked(service(chats, path=path, environ=environ, key_env="AZURE_KEY")) == RULED
    assert chats.seen[0][0] == "/openai/deployments/judge/chat/completions?api-version=2024-10-21"
    assert headers(chats)["api-key"] == "az-0123456789"
    assert "authorization" not in headers(chats)
    assert "sk-other" not in str(chats.seen)


def endpoints():
    """The rows of the docs: who, address, variable of the key."""
    page = Path(__file__).resolve().parents[2] / "docs" / "judges.md"
    table = page.read_text(encoding="utf-8").partition("| endpoint |")[2].partition("\n\n")[0]
    rows = re.findall(r"^\| ([^|]+) \| (?:`([^`]*)`)?[^|]*\| (?:`([^`]*)` )?\|$", table, re.MULTILINE)
    assert len(rows) == 9
    return rows


@pytest.mark.row(66)
@pytest.mark.parametrize(("who", "address", "variable"), endpoints(), ids=[row[0] for row in endpoints()])
def test_asks_each_documented_endpoint_at_its_address(chats, who, address, variable):
    chats.fault = lambda handler: handler.reply(200, chat(handler.server.seen[-1][1]))
    given = {"judge": "openai", "judge_model": "m"}
    given |= {"judge_url": address} if address else {}
    given |= {"judge_key_env": variable} if variable else {}
    place = chosen(Settings.of(given)).place
    parts = urlsplit(place.address)
    path = urlunsplit(("", "", parts.path, parts.query, "")) or "/v1"
    environ = {variable or "OPENAI_API_KEY": "key-of-this-place"}
    judge = service(chats, path=path, environ=environ, key_env=place.key_env)
    assert asked(judge) == RULED, who
    asked_at, _, query = chats.seen[0][0].partition("?")
    assert asked_at == f"{parts.path or '/v1'}/chat/completions"
    assert query == parts.query
    sent = headers(chats)
    name = "api-key" if "api-version" in query else "authorization"
    assert sent[name].removeprefix("Bearer ") == "key-of-this-place"


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("openai", "/v1/"),
        ("openai", "/v1/chat/completions"),
        ("anthropic", ""),
        ("anthropic", "/v1/"),
        ("anthropic", "/v1/messages"),
    ],
)
def test_accepts_addresses_with_and_without_the_path(chats, name, path):
    assert asked(service(chats, name, path=path)) == RULED


@pytest.mark.parametrize("name", ["openai", "anthropic", "ollama"])
def test_sends_no_other_key_of_the_environment(chats, monkeypatch, name):
    answer = {"openai": chat, "anthropic": message, "ollama": chat}[name]
    chats.fault = lambda handler: handler.reply(200, answer(handler.server.seen[-1][1]))
    monkeypatch.setenv("OPENAI_ADMIN_KEY", "sk-admin-123456")
    monkeypatch.setenv("OPENAI_ORG_ID", "org-of-mine")
    monkeypatch.setenv("ANTHROPIC_AUTH_TOKEN", "token-123456789")
    # Ollama is not a place for a key of OpenAI.
    environ = ENVIRON if name == "ollama" else {}
    assert asked(service(chats, name, environ=environ)) == RULED
    sent = headers(chats)
    assert not {"authorization", "x-api-key", "api-key", "openai-organization"} & set(sent)
    assert not any(word in str(sent) for word in ("sk-", "token-", "org-of"))


@pytest.mark.parametrize("name", ["openai", "anthropic"])
def test_custom_headers_cannot_replace_the_key(chats, monkeypatch, name):
    for header in ("Authorization: Bearer", "X-Api-Key:", "Api-Key:"):
        lines = f"X-Gateway: mine\n{header} other-key-12345"
        monkeypatch.setenv(f"{name.upper()}_CUSTOM_HEADERS", lines)
        assert asked(service(chats, name)) == RULED
        sent = headers(chats)
        assert sent.get("x-gateway", "mine") == "mine"  # older SDKs know no such variable
        assert "other-key" not in str(sent)


def test_names_the_variable_of_a_missing_key(chats):
    with pytest.raises(RefusedError, match=r"status 401 .*; no key was sent: MY_KEY is not set"):
        asked(service(chats, environ=ENVIRON, key_env="MY_KEY"))
    with pytest.raises(RefusedError, match=r"no key was sent: judge_key_env names no variable"):
        asked(service(chats, "ollama"))
    found = asked(service(chats, "ollama", environ={"MY_KEY": KEYS[CHAT]}, key_env="MY_KEY"))
    assert found == RULED


def test_uses_the_address_variables_of_the_sdks(chats):
    for name, variable in (("openai", "OPENAI_BASE_URL"), ("anthropic", "ANTHROPIC_BASE_URL")):
        environ = {**ENVIRON, variable: f"{chats.url}/v1"}
        judge = ChatService(KNOWN[name].dialect, "m", ServicePlace(), environ=environ)
        assert asked(judge) == RULED
        judge = ChatService(
            KNOWN[name].dialect, "m", ServicePlace(), environ={variable: "http://u:p@host/v1"}
        )
        with pytest.raises(ScorerError, match=f"{variable} contains a user or password") as raised:
            asked(judge)
        assert "u:p" not in str(raised.value)


def test_parses_names_and_models_of_judges():
    def of(**settings):
        found = chosen(Settings(**settings))
        return found.name, found.model, found.place.address

    local = "http://localhost:11434/v1"
    assert of(judge="ollama") == ("ollama", "llama3.1:8b", local)
    assert of(judge="ollama:qwen3:4b") == ("ollama", "qwen3:4b", local)
    assert of(judge="ollama", judge_url="http://box:1/v1") == ("ollama", "llama3.1:8b", "http://box:1/v1")
    assert of(judge="openai")[1] == KNOWN["openai"].model
    assert of(judge="anthropic", judge_model="claude-x") == ("anthropic", "claude-x", "")
    assert of(judge="cohere:command-r") == ("cohere", "command-r", "")
    assert of(judge="openai", judge_url="http://a:1/v1", judge_model="m")[1:] == ("m", "http://a:1/v1")
    azure = "https://r.openai.azure.com/openai/deployments/d?api-version=2024-10-21"
    for url in (azure, " http://[::1]:80/v1 "):
        assert of(judge="openai", judge_url=url, judge_model="m")[2] == url.strip()
    with pytest.raises(pg.SettingsError, match="judge_url needs judge_model"):
        of(judge="openai", judge_url="http://a:1/v1")
    with pytest.raises(
        pg.SettingsError, match="names no model behind its colon; write openai:MODEL or openai"
    ):
        of(judge="openai:")


@each("gpt-4o", "OpenAI", "azure", "claude", "openai,cohere")
def test_rejects_an_unknown_judge(name):
    transcript = {"id": "a", "question": "Why?", "chunks": [], "answer": "So."}
    with pytest.raises(pg.SettingsError) as raised:
        pg.validate(transcript, {"judge": name})
    assert str(raised.value) == (
        f"judge = {name!r} is not known; write one of: anthropic, cohere, ollama, openai (a model goes into "
        "judge_model; any other service that speaks OpenAI's dialect is openai with its address in judge_url)"
    )


@each(*table(__file__, "test_rejects_wrong_settings_without_repeating_secrets"))
def test_rejects_wrong_settings_without_repeating_secrets(setting, value, words, secret):
    with pytest.raises(pg.SettingsError, match=words) as raised:
        Settings.of({setting: value})
    assert str(raised.value).startswith(setting)
    assert not secret or secret not in str(raised.value)

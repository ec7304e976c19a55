"""A record tells what its reply took; one of old loads and keeps its bytes and its key."""

from __future__ import annotations

import json

import pytest

from pytest_grounding.errors import SettingsError, UnreadableCassetteError
from pytest_grounding.scorers.cassette import Answered, Prices, Request, Store, Tape, Tokens, prices_of

ASKED = Request("openai.chat", "small", {"prompt": "support"}, {"system": "s", "user": "u"})
OLD = (
    f'{{"key":"{ASKED.key}","model":"small","parameters":{{"prompt":"support"}},"recorded":"2026-01-02",'
    '"reply":{"reason":"r","value":"full"},"scorer":"openai.chat","texts":{"system":"s","user":"u"}}\n'
)


def recorded(path, tokens, prices=None):
    tape = Tape(path, "new", prices=prices)
    reply = {"value": "full", "reason": "r"}
    assert tape.ask([ASKED], lambda _: [Answered(reply, tokens)]) == [reply]
    tape.compact()
    return json.loads(path.read_text())


def test_a_record_of_old_keeps_its_bytes_and_is_replayed(tmp_path):
    path = tmp_path / "c.jsonl"
    path.write_text(OLD)
    assert Tape(path).ask([ASKED], lambda _: pytest.fail("asked")) == [{"reason": "r", "value": "full"}]
    (record,) = Store(path).records()
    assert record.tokens is None
    assert record.line() == OLD


def test_tokens_and_price_stand_beside_the_reply_and_not_in_the_key(tmp_path):
    prices = prices_of("small = 2, 8; unit = EUR")
    value = recorded(tmp_path / "c.jsonl", Tokens(1500, 20), prices)
    assert value["usage"] == {"input_tokens": 1500, "output_tokens": 20, "price": 0.00316, "unit": "EUR"}
    assert value["key"] == ASKED.key
    assert Store(tmp_path / "c.jsonl").get(ASKED.key).tokens == Tokens(1500, 20, 0.00316, "EUR")


@pytest.mark.parametrize("tokens", [Tokens(7, None), Tokens(7, 3)])
def test_without_a_price_or_a_count_there_is_no_price(tmp_path, tokens):
    value = recorded(tmp_path / "c.jsonl", tokens, prices_of("another = 1, 1"))
    assert "price" not in value["usage"]
    assert value["usage"]["input_tokens"] == 7


@pytest.mark.parametrize(
    "usage",
    [
        '{"output_tokens":1.5}',
        "[]",
        '"many"',
        '{"input_tokens":-1}',
        '{"input_tokens":true}',
        '{"price":"x"}',
        '{"cost":1}',
    ],
)
def test_a_usage_that_is_none_is_named_by_file_and_line(tmp_path, usage):
    path = tmp_path / "c.jsonl"
    path.write_text(OLD.replace("}}\n", f'}},"usage":{usage}}}\n'))
    with pytest.raises(UnreadableCassetteError, match=r"c\.jsonl:1: .*usage holds no numbers of tokens"):
        Tape(path).ask([ASKED], lambda _: [])


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ('unit = "USD"\n[models]\n"gpt-4o-mini" = [0.15, 0.6]\n', "p.toml"),
        ('unit = "USD"\n"gpt-4o-mini" = {input = 0.15, output = 0.6}\n', "p.toml"),
        ('{"unit": "USD", "models": {"gpt-4o-mini": {"input": 0.15, "output": 0.6}}}', "p.json"),
        ("gpt-4o-mini = 0.15, 0.6\nunit = USD", None),
        ("unit = USD; gpt-4o-mini=[0.15,0.6]", None),
    ],
)
def test_a_table_is_a_file_or_the_setting_itself(tmp_path, text, name):
    given = text
    if name:
        (tmp_path / name).write_text(text)
        given = str(tmp_path / name)
    found = prices_of(given)
    assert found.unit == "USD"
    assert found.rate("gpt-4o-mini").price(1_000_000, 1_000_000) == 0.75
    assert found.rate("another") is None
    assert prices_of("") == Prices()
    assert prices_of("llama3.1:8b = 0, 0; * = 1, 2").rate("whatever").output == 2


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("nowhere.toml", "nowhere.toml: cannot be read"),
        ("gpt = 1", "gpt: '1' is not two prices"),
        ("gpt = 1, -2", "is not two prices"),
        ("gpt = 1, nan", "is not two prices"),
        ("gpt = a, b", "is not two prices"),
        ("gpt = 1, 2; gpt = 1, 3", "gpt has two prices"),
        ("= 1, 2", "a price has no model"),
        ("gpt\nb = 1, 2", "'gpt' has no price"),
    ],
)
def test_a_wrong_table_is_one_sentence_that_says_what_to_write(text, said):
    with pytest.raises(SettingsError) as caught:
        prices_of(text)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_what_was_answered_is_kept_when_another_request_of_the_call_fails(tmp_path):
    from pytest_grounding.errors import ScorerError

    other = Request("openai.chat", "small", {"prompt": "support"}, {"system": "s", "user": "other"})
    tape = Tape(tmp_path / "c.jsonl", "new")
    with pytest.raises(ScorerError, match="down"):
        tape.ask([ASKED, other], lambda _: [{"value": "full"}, ScorerError("down")])
    assert [record.key for record in Store(tmp_path / "c.jsonl").records()] == [ASKED.key]

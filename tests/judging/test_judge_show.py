"""`judge show` prints what is sent to the last character, and its key is the one that is recorded."""

import json

from test_judges_in_a_run import check, folder, server  # noqa: F401

from pytest_grounding.cli import main

SHOW = tuple("show judge a.transcripts.jsonl --id t1 --set judge=cohere --set judge_scope=all".split())


def shown(capsys, *more):
    assert main([*SHOW, "--json", *more]) == 0
    return json.loads(capsys.readouterr().out)


def test_the_shown_request_is_sent_and_recorded(folder, server, capsys):  # noqa: F811
    (item,) = shown(capsys)
    assert item["recorded"] is False
    assert server.seen == []
    check(capsys, "record=new")
    sent = [body["messages"] for _, body, _ in server.seen]
    assert [{"role": "system", "content": item["system"]}, {"role": "user", "content": item["user"]}] in sent
    rows = [json.loads(line) for line in (folder / "grounding.cassette.jsonl").read_text().splitlines()]
    (row,) = [row for row in rows if row["key"] == item["key"]]
    assert row["texts"] == {"system": item["system"], "user": item["user"]}
    assert shown(capsys)[0]["recorded"] is True


def test_one_claim_is_shown_alone(folder, capsys):  # noqa: F811
    (item,) = shown(capsys, "--claim", "2")
    assert item["parameters"] == {"prompt": "support"}
    assert "Items of order 1" in item["user"].rpartition("<<<statement>>>")[2]
    assert main([*SHOW, "--claim", "7"]) == 2
    assert "7 is not a claim of 't1'; write a number from 1 to 2" in capsys.readouterr().err


def test_wrong_use_is_one_sentence(folder, capsys):  # noqa: F811
    for argv, said in (
        (("show", "judge", "a.transcripts.jsonl"), "judge: no judge is set"),
        (("show", "judge", "a.transcripts.jsonl", "--set", "judge=cohere"), "8 transcripts are meant"),
        (("show", "judge", "none.jsonl", "--set", "judge=cohere"), "none.jsonl"),
    ):
        assert main([*argv]) == 2
        err = capsys.readouterr().err
        assert said in err
        assert len(err.splitlines()) == 1

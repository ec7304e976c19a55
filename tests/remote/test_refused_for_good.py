"""What a service refuses for good is remembered, in the run and on the cassette; what may pass is not."""

import json
from pathlib import Path

import pytest
import warm_starts
from loopback import KEY, answers, hangs

import pytest_grounding as pg
from pytest_grounding.scorers.remote import scorer_factory as remote
from pytest_grounding.scorers.remote.cassette_file import Store
from pytest_grounding.testing import Example


def transcript(number: int, chunk: str = "Refunds take 30 days.") -> dict[str, object]:
    chunks = [chunk, f"Shipping number {number} is free."]
    asked = Example(f"How long do refunds number {number} take?", chunks, id=f"t{number}")
    return asked.answered(f"Refund number {number} takes 30 days.")


def settings(folder: Path, record: str = "new", **more: object) -> dict[str, object]:
    return {
        "scorer": "cohere",
        "record": record,
        "cassette": str(folder / "c.jsonl"),
        "remote_retries": 0,
        **more,
    }


def failures(verdict: pg.Verdict) -> set[str]:
    return {item.message.split("; the next")[0] for item in verdict.causes if item.rule == "scorer_failed"}


def refuses(word: str, status: int = 422):
    """Refuses whatever holds a word, and answers all else."""

    def fault(handler):
        _, body, _ = handler.server.seen[-1]
        if word in json.dumps(body):
            handler.reply(status, {"message": f"{word} is not allowed"})
            return
        from loopback import ANSWERS

        handler.reply(200, ANSWERS["/v2/rerank"](body))

    return fault


@pytest.mark.parametrize("status", [401, 403, 404])
def test_a_model_that_is_closed_is_asked_once_a_run_and_replayed(server, tmp_path, status):
    server.fault = answers(status, {"message": "model 'rerank-x' is not for you"})
    first = [pg.validate(transcript(n), settings(tmp_path)) for n in range(5)]
    assert len(server.seen) == 1
    told = failures(first[0])
    assert len(told) == 1
    assert f"status {status}" in next(iter(told))
    assert all(failures(verdict) == told for verdict in first)
    remote.reset()
    server.fault = answers(500, {"message": "nobody may ask in a replay"})
    again = [pg.validate(transcript(n), settings(tmp_path, "none")) for n in range(5)]
    assert len(server.seen) == 1
    assert [failures(verdict) for verdict in again] == [told] * 5
    assert "not on the cassette" not in again[0].to_json()
    assert KEY not in (tmp_path / "c.jsonl").read_text()


@pytest.mark.parametrize("status", [400, 413, 422])
def test_a_text_that_is_refused_is_kept_and_the_others_are_scored(server, tmp_path, status):
    server.fault = refuses("forbidden", status)
    asked = transcript(1, "This forbidden text says that refunds take 30 days.")
    first = pg.validate(asked, settings(tmp_path))
    assert f"status {status}" in next(iter(failures(first)))
    calls = len(server.seen)
    assert failures(pg.validate(asked, settings(tmp_path))) == failures(first)
    assert len(server.seen) == calls  # it is not asked again
    fine = pg.validate(transcript(2), settings(tmp_path))
    assert not failures(fine)
    records = list(Store(tmp_path / "c.jsonl").records())
    refused = {tuple(record.request.texts.values()) for record in records if record.refusal}
    assert refused
    assert all(any("forbidden" in text for text in texts) for texts in refused)
    remote.reset()
    assert failures(pg.validate(asked, settings(tmp_path, "none"))) == failures(first)
    remote.reset()
    # A new run that records keeps what the text got; only a run that records all asks again.
    before = len(server.seen)
    pg.validate(asked, settings(tmp_path))
    assert len(server.seen) == before
    remote.reset()
    server.fault = None
    assert not failures(pg.validate(asked, settings(tmp_path, "all")))
    remote.reset()
    assert not failures(pg.validate(asked, settings(tmp_path, "none")))


@pytest.mark.parametrize(
    "fault", [answers(429, {"message": "slow down"}), answers(503, b"away"), answers(500, b"boom"), hangs]
)
def test_what_may_pass_is_asked_again_and_never_kept(server, tmp_path, fault):
    server.fault = fault
    limits = {"remote_deadline": 0.5} if fault is hangs else {}
    for number in range(2):
        assert failures(pg.validate(transcript(number), settings(tmp_path, **limits)))
    assert len(server.seen) >= 2
    assert not (tmp_path / "c.jsonl").exists()
    server.fault = None
    remote.reset()  # a run gives up on a service that failed three times in a row
    assert not failures(pg.validate(transcript(0), settings(tmp_path)))


def test_many_refused_texts_do_not_close_the_service_for_others(server, tmp_path):
    server.fault = refuses("forbidden")
    for number in range(5):
        assert failures(
            pg.validate(transcript(number, f"Forbidden no. {number}: forbidden."), settings(tmp_path))
        )
    assert not failures(pg.validate(transcript(9), settings(tmp_path)))


def test_a_key_that_was_mended_is_tried_in_the_next_run(server, tmp_path, monkeypatch):
    monkeypatch.setenv("CO_API_KEY", "co-wrong")
    assert "status 401" in next(iter(failures(pg.validate(transcript(1), settings(tmp_path)))))
    remote.reset()
    monkeypatch.setenv("CO_API_KEY", KEY)
    assert not failures(pg.validate(transcript(1), settings(tmp_path)))
    remote.reset()
    assert not failures(pg.validate(transcript(1), settings(tmp_path, "none")))
    assert not any(record.refusal for record in Store(tmp_path / "c.jsonl").records())


def test_recording_all_with_a_wrong_key_loses_no_answer(server, tmp_path, monkeypatch):
    pg.validate(transcript(1), settings(tmp_path))
    remote.reset()
    before = (tmp_path / "c.jsonl").read_text()
    monkeypatch.setenv("CO_API_KEY", "co-wrong")
    asked = len(server.seen)
    for _ in range(3):
        assert "status 401" in next(iter(failures(pg.validate(transcript(1), settings(tmp_path, "all")))))
    assert len(server.seen) == asked + 1
    remote.reset()
    assert (tmp_path / "c.jsonl").read_text() == before


def test_a_judge_that_is_closed_is_asked_once(server, tmp_path):
    server.fault = answers(403, {"message": "chat is not in your plan"})
    judged = {"judge": "cohere", "judge_scope": "all", "scorer": "builtin"}
    first = [pg.validate(transcript(n), {**settings(tmp_path), **judged}) for n in range(3)]
    assert len(server.seen) == 1
    remote.reset()
    again = [pg.validate(transcript(n), {**settings(tmp_path, "none"), **judged}) for n in range(3)]
    told = [[cause.message for cause in item.causes if cause.rule == "abstained"] for item in again]
    assert all("status 403" in message for messages in told for message in messages)
    assert all(told)
    assert [item.to_json() for item in again] == [item.to_json() for item in first]


def test_a_run_of_pytest_asks_once_and_its_replay_says_the_same(server, pytester):
    server.fault = answers(401, {"message": "invalid token"})
    lines = "\n".join(json.dumps(transcript(n)) for n in range(4))
    (pytester.path / "a.transcripts.jsonl").write_text(lines)
    run = ("--grounding-scorer=cohere", "--grounding-set=remote_retries=0")
    result = pytester.runpytest_inprocess(*run, "--grounding-record=new")
    assert result.ret == 1
    assert len(server.seen) == 1
    assert (pytester.path / "grounding.cassette.jsonl").exists()
    remote.reset()
    result = pytester.runpytest_inprocess(*run)
    assert result.ret == 1
    assert len(server.seen) == 1
    result.stdout.fnmatch_lines(["*not judged by all that was asked for*status 401*invalid token*"])
    result.stdout.no_fnmatch_line("*not on the cassette*")
    listed = pytester.run(warm_starts.python(), "-m", "pytest_grounding", "show", "cassette", "list")
    listed.stdout.fnmatch_lines(["*cohere.rerank rerank-v3.5  refused, status 401: *"])

"""A run stops before its budget is passed, and how many ask at once changes nothing but the time."""

from __future__ import annotations

import json
import multiprocessing
from functools import partial

import pytest

from pytest_grounding.errors import ScorerError, SettingsError
from pytest_grounding.model.transcript import Chunk
from pytest_grounding.scorers.base import ClaimText
from pytest_grounding.scorers.cassette import Request, Store, Tape, Tokens, prices_of
from pytest_grounding.scorers.judge import ChatJudge
from pytest_grounding.scorers.judge.asking import Limits, Pace, spread, workers
from pytest_grounding.scorers.judge.budget import Ledger, forget, limit_of, most_tokens, spent_file

CHUNKS = [Chunk(id="c1", text="Refunds are paid within 14 days of the return.")]
CLAIMS = [ClaimText(f"Refund number {number} takes 14 days.") for number in range(12)]
NONE = prices_of("")


def limits(budget="", prices=""):
    limit = limit_of(budget, prices_of(prices))
    return Limits(Ledger(limit) if limit else None, Pace(0))


def asked_all(service, tmp_path, name, bounds, threads=1):
    """Every claim by a request of its own, spread over the threads; what became of each, and the file."""
    tape = Tape(tmp_path / name, "new")
    complete = bounds.bound(service.complete, "small")
    requests = [
        Request("own.chat", "small", {"prompt": "support"}, {"system": "s", "user": claim.text})
        for claim in CLAIMS
    ]

    def one(item):
        return dict(complete("s", item.texts["user"], {}).reply)

    try:
        tape.ask(requests, lambda missing: spread([partial(one, item) for item in missing], threads))
        problem = ""
    except ScorerError as error:
        problem = str(error)
    tape.compact()
    return problem, (tmp_path / name).read_bytes() if (tmp_path / name).exists() else b""


def test_threads_change_neither_what_is_recorded_nor_its_bytes(service, tmp_path):
    one = asked_all(service, tmp_path, "one.jsonl", limits())
    assert service.most_under_way == 1
    many = asked_all(service, tmp_path, "many.jsonl", limits(), 6)
    assert service.most_under_way > 1
    assert one == many
    assert service.done[12:] != [claim.text for claim in CLAIMS], "they were answered in another order"


@pytest.mark.parametrize("threads", [1, 3, 8])
def test_a_budget_lets_the_same_requests_through_for_any_number_of_threads(service, tmp_path, threads):
    # A request is weighed with 4,400 tokens or so, and takes 110.
    problem, data = asked_all(service, tmp_path, "b.jsonl", limits("5000 tokens"), threads)
    records = [json.loads(line) for line in data.splitlines()]
    asked = sorted(record["texts"]["user"] for record in records)
    assert asked == sorted(claim.text for claim in CLAIMS[: len(asked)])
    assert len(asked) == 6
    assert sorted(service.seen) == asked
    assert "not asked: the budget of the run is 5000 tokens (judge_budget), 660 tokens are spent" in problem


def test_what_is_spent_never_passes_the_budget(service, tmp_path):
    service.taken = 4000
    bounds = limits("0.02 EUR", "small = 1, 1; unit = EUR")
    asked_all(service, tmp_path, "m.jsonl", bounds, 4)
    assert 0 < len(service.seen) * 4010 / 1e6 <= 0.02
    assert bounds.ledger.refused == 12 - len(service.seen)


def test_a_failure_counts_with_all_that_was_set_aside_for_it(service):
    service.fails = "number 1 "
    bounds = limits("8800 tokens")
    complete = bounds.bound(service.complete, "small")
    with pytest.raises(ScorerError, match="500"):
        complete("s", CLAIMS[1].text, {})
    complete("s", CLAIMS[2].text, {})
    with pytest.raises(ScorerError, match="not asked"):
        complete("s", CLAIMS[3].text, {})
    assert len(service.seen) == 2


def test_a_model_without_a_price_is_not_asked_within_a_budget_of_money(service):
    complete = limits("1", "another = 1, 2").bound(service.complete, "small")
    with pytest.raises(ScorerError, match="judge_prices has no price of small"):
        complete("s", "u", {})
    assert service.seen == []


@pytest.mark.parametrize(
    ("budget", "prices", "said"),
    [
        ("much", "", "'much' is no amount"),
        ("-1", "", "is no amount"),
        ("nan", "", "is no amount"),
        ("5", "", "needs the table judge_prices"),
        ("5 USD", "small = 1, 2; unit = EUR", "the unit of judge_prices is 'EUR'"),
        ("5 USD", "small = 1, 2", "judge_prices has no unit"),
    ],
)
def test_a_wrong_budget_is_one_sentence(budget, prices, said):
    with pytest.raises(SettingsError) as caught:
        limit_of(budget, prices_of(prices))
    assert said in str(caught.value)
    assert "200000 tokens" in str(caught.value)


@pytest.mark.parametrize("text", ["plain words here", "Ünïcödé – 日本語 🙂", "a" * 5000, "}{][\\\n" * 50])
def test_an_estimate_is_at_least_a_token_a_byte(text):
    assert most_tokens("", text, {}) >= len(text.encode())


def _spend(file, run, budget, begin, results):
    ledger = Ledger(limit_of(budget, NONE), file, run)
    begin.wait()
    count = 0
    for _ in range(40):
        try:
            amount = ledger.reserve("small", 90, 10)
        except ScorerError:
            continue
        ledger.settle(amount, "small", Tokens(90, 10))
        count += 1
    results.put(count)


def test_processes_of_one_run_share_a_budget_and_the_next_run_has_its_own(tmp_path):
    file = spent_file(tmp_path / "c.jsonl")
    context = multiprocessing.get_context("spawn")
    begin, results = context.Event(), context.Queue()
    many = [
        context.Process(target=_spend, args=(file, "run-1", "3000 tokens", begin, results)) for _ in range(3)
    ]
    for process in many:
        process.start()
    begin.set()
    assert sum(results.get(timeout=60) for _ in many) == 30
    for process in many:
        process.join()
    with file.open("ab") as handle:
        handle.write(b'["run-2","2026')  # a process that was killed while it wrote
    again = Ledger(limit_of("3000 tokens", NONE), file, "run-1")
    with pytest.raises(ScorerError, match="3000 tokens are spent"):
        again.reserve("small", 90, 10)
    other = Ledger(limit_of("3000 tokens", NONE), file, "run-2")
    other.reserve("small", 90, 10)
    forget(tmp_path / "c.jsonl", "run-1")
    assert file.exists(), "another run of today still counts there"
    forget(tmp_path / "c.jsonl", "run-2")
    assert not file.exists() or b"run-1" in file.read_bytes()


def test_so_many_a_minute_and_workers_take_equal_parts():
    now, waited = [0.0], []

    def sleep(seconds):
        waited.append(round(seconds, 6))
        now[0] += seconds

    pace = Pace(3, clock=lambda: now[0], sleep=sleep)
    for _ in range(7):
        pace.wait()
        now[0] += 1.0
    assert waited == [57.0, 57.0]
    now[0], waited = 0.0, []
    slow = Pace(3, workers=6, clock=lambda: now[0], sleep=lambda seconds: sleep(seconds))
    slow.wait()
    slow.wait()
    assert now[0] == pytest.approx(120.0)
    assert workers({"PYTEST_XDIST_WORKER_COUNT": "4"}) == 4
    assert workers({}) == 1


def test_what_fails_in_one_thread_stands_in_its_place():
    def call(number):
        if number % 2:
            raise ScorerError(f"not {number}")
        return number

    found = spread([partial(call, number) for number in range(5)], 3)
    assert [str(item) for item in found] == ["0", "not 1", "2", "not 3", "4"]


def test_a_prompt_has_what_is_constant_first_and_the_claim_last(tmp_path):
    """So a provider's cache of prompts serves all claims of an answer."""
    seen = []
    judge = ChatJudge(
        lambda system, user, schema: seen.append((system, user)) or {"value": "full", "reason": "r"},
        Tape(tmp_path / "c.jsonl", "new"),
        name="own",
        model="m",
    )
    chunks = [Chunk(id=str(n), text=f"Passage {n} says a word or two.") for n in range(4)]
    for claim in CLAIMS[:3]:
        judge.support(claim, chunks, question="How long?")
    assert len({system for system, _ in seen}) == 1
    for (_, user), claim in zip(seen, CLAIMS, strict=False):
        places = [
            user.index("How long?"),
            *(user.index(chunk.text) for chunk in chunks),
            user.index(claim.text),
        ]
        assert places == sorted(places)
    shared = seen[0][1].partition("<<<statement")[0]
    assert all(user.startswith(shared) for _, user in seen)
    assert len(Store(tmp_path / "c.jsonl")) == 3

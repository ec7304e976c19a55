"""Self-correction: what the generator is told, how often it is asked, what is kept."""

import asyncio
import inspect
import threading
from typing import Any

import pytest
from every import each

import pytest_grounding as pg
from pytest_grounding._io import observers as _observers
from pytest_grounding.engine.answer_tools import correction_prompt, self_correct

# These transcripts are told wrong things on purpose: they are no figures of this project.
pytestmark = pytest.mark.grounding(suite="off")

TRANSCRIPT = {
    "id": "t",
    "question": "Within how many days can customers return an item?",
    "chunks": [
        {"id": "refunds", "text": "Customers can return any item within 30 days of delivery.", "score": 0.9},
        {"id": "other", "text": "Customers return items at any shop.", "score": 0.8},
    ],
    "answer": "Customers can return any item within 30 days of delivery [9].",
}
GOOD = "Customers can return any item within 30 days of delivery [1]."
BAD = "Platinum members enjoy complimentary airport lounges [1]."


class Generator:
    """Returns given answers one after the other, and remembers its prompts."""

    def __init__(self, *answers: object) -> None:
        self.answers = list(answers)
        self.prompts: list[str] = []

    def __call__(self, prompt: str):
        self.prompts.append(prompt)
        return self.answers.pop(0)


def test_an_accepted_answer_is_not_regenerated():
    generator = Generator()
    verdict = self_correct({**TRANSCRIPT, "answer": GOOD}, generator)
    assert verdict.status == "pass"
    assert generator.prompts == []
    assert [attempt.number for attempt in verdict.attempts] == [0]
    assert verdict.confidence_gain == 0.0


def test_the_prompt_holds_question_sources_answer_and_findings():
    generator = Generator(GOOD)
    verdict = self_correct(TRANSCRIPT, generator)
    assert verdict.status == "pass"
    prompt = generator.prompts[0]
    assert TRANSCRIPT["question"] in prompt
    assert "[1] Customers can return any item within 30 days of delivery." in prompt
    assert TRANSCRIPT["answer"] in prompt
    assert "[9]" in prompt.split("What to fix:")[1]
    assert [attempt.status for attempt in verdict.attempts] == ["reject", "pass"]
    assert "source_exists" in verdict.attempts[0].rules


def test_each_finding_is_told_with_its_evidence():
    verdict = pg.validate({**TRANSCRIPT, "answer": BAD})
    prompt = correction_prompt(pg.Transcript.model_validate({**TRANSCRIPT, "answer": BAD}), verdict)
    assert "In your answer: Platinum members" in prompt


def test_the_spans_and_list_of_the_first_answer_say_nothing_of_the_second():
    span = {"start": 0, "end": 9, "text": "Customers", "chunk_ids": ["other"]}
    first = {**TRANSCRIPT, "citations": [span], "cited_indices": [1, 2]}
    verdict = self_correct(first, Generator(GOOD))
    assert verdict.status == "pass"
    assert [(item.syntax, item.chunk_id) for item in verdict.citations] == [("index", "refunds")]


def test_after_the_last_retry_it_is_rejected_and_every_attempt_is_kept():
    generator = Generator(BAD, BAD, GOOD)
    verdict = self_correct(TRANSCRIPT, generator)
    assert len(generator.prompts) == 2
    assert verdict.status == "reject"
    assert verdict.reason.startswith("not accepted after 2 retries")
    assert [attempt.answer for attempt in verdict.attempts] == [TRANSCRIPT["answer"], BAD, BAD]
    assert self_correct(TRANSCRIPT, Generator(BAD, BAD, GOOD), max_retries=3).status == "pass"


def test_the_gain_is_the_last_confidence_less_the_first():
    verdict = self_correct({**TRANSCRIPT, "answer": BAD}, Generator(GOOD))
    first, last = verdict.attempts[0].confidence, verdict.attempts[-1].confidence
    assert verdict.confidence_gain == pytest.approx(last - first)
    assert verdict.confidence_gain > 0.5


def test_switched_off_it_gives_the_verdict_and_asks_nobody():
    generate = Generator()
    verdict = self_correct(TRANSCRIPT, generate, {"self_correction": False})
    assert verdict.to_json() == pg.validate(TRANSCRIPT, {"self_correction": False}).to_json()
    assert generate.prompts == []


def test_held_wrong():
    with pytest.raises(pg.InputError, match="generate returned None, not text"):
        self_correct(TRANSCRIPT, Generator(None))
    with pytest.raises(pg.SettingsError, match="self_correction_max_retries"):
        self_correct(TRANSCRIPT, Generator(), max_retries=99)


def test_no_retries_allowed():
    verdict = self_correct(TRANSCRIPT, Generator(), max_retries=0)
    assert verdict.status == "reject"
    assert len(verdict.attempts) == 1


def test_the_assertion_passes_with_the_history_and_fails_with_every_attempt():
    verdict = pg.assert_self_corrects(TRANSCRIPT, Generator(GOOD))
    assert [attempt.status for attempt in verdict.attempts] == ["reject", "pass"]
    with pytest.raises(AssertionError) as caught:
        pg.assert_self_corrects(TRANSCRIPT, Generator(BAD, BAD), max_retries=1)
    message = str(caught.value)
    assert "not corrected after 1 retry" in message
    assert "recorded answer: reject" in message
    assert "retry 1: reject" in message
    assert BAD in message


def test_the_assertion_needs_a_transcript_and_the_switch():
    with pytest.raises(TypeError, match="pass the transcript"):
        pg.assert_self_corrects(pg.validate(TRANSCRIPT), Generator())
    with pytest.raises(pytest.skip.Exception, match="self-correction is switched off"):
        pg.assert_self_corrects(TRANSCRIPT, Generator(), settings={"self_correction": False})


class _Listener:
    """Stands for the run of pytest: keeps the transcript that each verdict is recorded with."""

    def __init__(self) -> None:
        self.recorded: list[tuple[pg.Verdict, pg.Transcript]] = []

    def layers(self):
        return []

    def profiles(self):
        return {}

    def waivers(self):
        return ()

    def expectations(self):
        return {}

    def record(self, verdict, *, failed, transcript=None, elapsed_ms=None):
        self.recorded.append((verdict, transcript))


@each([], [GOOD], [BAD, GOOD])
def test_the_run_is_told_the_answer_that_the_verdict_is_on(answers):
    span = {"start": 0, "end": 9, "text": "Customers", "chunk_ids": ["refunds"]}
    first = {**TRANSCRIPT, "citations": [span]} if answers else {**TRANSCRIPT, "answer": GOOD}
    before = _observers.observe(listener := _Listener())
    try:
        pg.assert_self_corrects(first, Generator(*answers))
    finally:
        _observers.observe(before)
    ((verdict, transcript),) = listener.recorded
    assert transcript.answer == GOOD
    assert transcript.citations == ()
    assert verdict.transcript_hash == pg.validate(transcript).transcript_hash


def test_one_fault_is_told_once_with_all_its_causes():
    wrong = {**TRANSCRIPT, "answer": "Customers can return any item within 45 days of delivery [2][9]."}
    verdict = pg.validate(wrong)
    prompt = correction_prompt(pg.Transcript.model_validate(wrong), verdict)
    told = prompt.partition("What to fix:")[2]
    assert told.count("In your answer:") == 1
    assert (
        "   Also: [9]: there is no source 9: 2 chunks were retrieved Do: write a number from 1 to 2" in told
    )
    assert "   Also: [2]: chunk other does not support the claim that cites it" in told
    assert told.count("Source refunds says:") == 1
    assert "   Do: use the source's value: '30 days'" in told


@each(self_correct, pg.assert_self_corrects)
def test_a_coroutine_function_may_generate_also_where_a_loop_runs(asked):
    loops, prompts = set(), []

    async def generate(prompt: str) -> str:
        prompts.append(prompt)
        await asyncio.sleep(0)
        loops.add(id(asyncio.get_running_loop()))
        return GOOD if len(prompts) % 2 == 0 else BAD

    assert asked(TRANSCRIPT, generate).status == "pass"
    assert len(prompts) == 2
    # A client belongs to the loop that it was made in.
    assert len(loops) == 1

    async def service() -> Any:
        return asked(TRANSCRIPT, generate)

    assert asyncio.run(service()).status == "pass"
    assert not [thread for thread in threading.enumerate() if thread.name == "grounding-recording"]


def test_what_a_coroutine_raises_is_raised():
    async def generate(prompt: str) -> str:
        raise LookupError("no quota")

    with pytest.raises(LookupError, match="no quota"):
        self_correct(TRANSCRIPT, generate)


def test_a_generator_that_gives_nothing_is_told_in_one_sentence(pytester):
    pytester.makepyfile(
        f"import pytest_grounding as pg\nT = {TRANSCRIPT!r}\n"
        "def test_it(): pg.assert_self_corrects(T, lambda prompt: None)\n"
    )
    text = pytester.runpytest_inprocess("--grounding-suite=off").stdout.str()
    assert "InputError: generate returned None, not text; return the new answer as a string" in text
    assert "correction.py" not in text


@each(pg.validate, pg.assert_grounded, pg.assert_citations_valid)
def test_a_coroutine_in_the_place_of_a_transcript_says_await_and_is_closed(call):
    async def recorded() -> Any:
        return TRANSCRIPT

    made = recorded()
    with pytest.raises((pg.InputError, TypeError)) as caught:
        call(made)
    said = "a coroutine cannot be validated; write await before the call that returns it"
    assert str(caught.value) == said
    assert inspect.getcoroutinestate(made) == inspect.CORO_CLOSED

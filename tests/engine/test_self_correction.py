"""Self-correction: prompts, retries and the history of attempts."""

import asyncio
import inspect
import threading

import pytest
from every import each

import pytest_grounding as pg
from pytest_grounding._io import listeners
from pytest_grounding.engine.answer_tools import correction_prompt, self_correct

# These transcripts are wrong on purpose and do not count for this project.
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

    def __init__(self, *answers):
        self.answers = list(answers)
        self.prompts = []

    def __call__(self, prompt):
        self.prompts.append(prompt)
        return self.answers.pop(0)


@pytest.mark.row(33)
def test_an_accepted_answer_is_not_regenerated():
    generator = Generator()
    verdict = self_correct({**TRANSCRIPT, "answer": GOOD}, generator)
    assert verdict.status == "pass"
    assert generator.prompts == []
    assert [attempt.number for attempt in verdict.attempts] == [0]
    assert verdict.confidence_gain == 0.0


def test_the_prompt_contains_question_sources_answer_and_findings():
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


def test_citations_of_the_first_answer_do_not_apply_to_the_second():
    span = {"start": 0, "end": 9, "text": "Customers", "chunk_ids": ["other"]}
    first = {**TRANSCRIPT, "citations": [span], "cited_indices": [1, 2]}
    verdict = self_correct(first, Generator(GOOD))
    assert verdict.status == "pass"
    assert [(item.syntax, item.chunk_id) for item in verdict.citations] == [("index", "refunds")]


def test_rejects_after_the_last_retry_and_keeps_every_attempt():
    generator = Generator(BAD, BAD, GOOD)
    verdict = self_correct(TRANSCRIPT, generator)
    assert len(generator.prompts) == 2
    assert verdict.status == "reject"
    assert verdict.reason.startswith("not accepted after 2 retries")
    assert [attempt.answer for attempt in verdict.attempts] == [TRANSCRIPT["answer"], BAD, BAD]
    assert self_correct(TRANSCRIPT, Generator(BAD, BAD, GOOD), max_retries=3).status == "pass"
    verdict = self_correct(TRANSCRIPT, Generator(), max_retries=0)
    assert (verdict.status, len(verdict.attempts)) == ("reject", 1)


def test_the_gain_is_the_difference_of_last_and_first_confidence():
    verdict = self_correct({**TRANSCRIPT, "answer": BAD}, Generator(GOOD))
    first, last = verdict.attempts[0].confidence, verdict.attempts[-1].confidence
    assert verdict.confidence_gain == pytest.approx(last - first)
    assert verdict.confidence_gain > 0.5


def test_does_not_ask_when_switched_off():
    generate = Generator()
    verdict = self_correct(TRANSCRIPT, generate, {"self_correction": False})
    assert verdict.to_json() == pg.validate(TRANSCRIPT, {"self_correction": False}).to_json()
    assert generate.prompts == []


def test_rejects_wrong_arguments():
    with pytest.raises(pg.InputError, match="generate returned None, not text"):
        self_correct(TRANSCRIPT, Generator(None))
    with pytest.raises(pg.SettingsError, match="self_correction_max_retries"):
        self_correct(TRANSCRIPT, Generator(), max_retries=99)


def test_the_assertion_shows_every_attempt():
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
    """Keeps the transcript that each verdict is recorded with, as a run of pytest does."""

    def __init__(self):
        self.recorded = []

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
def test_records_the_corrected_answer(answers):
    span = {"start": 0, "end": 9, "text": "Customers", "chunk_ids": ["refunds"]}
    first = {**TRANSCRIPT, "citations": [span]} if answers else {**TRANSCRIPT, "answer": GOOD}
    before = listeners.observe(listener := _Listener())
    try:
        pg.assert_self_corrects(first, Generator(*answers))
    finally:
        listeners.observe(before)
    ((verdict, transcript),) = listener.recorded
    assert transcript.answer == GOOD
    assert transcript.citations == ()
    assert verdict.transcript_hash == pg.validate(transcript).transcript_hash


def test_the_prompt_names_each_fault_once():
    wrong = {**TRANSCRIPT, "answer": "Customers can return any item within 45 days of delivery [2][9]."}
    verdict = pg.validate(wrong)
    prompt = correction_prompt(pg.Transcript.model_validate(wrong), verdict)
    advice = prompt.partition("What to fix:")[2]
    assert advice.count("In your answer:") == 1
    assert (
        "   Also: [9]: there is no source 9: 2 chunks were retrieved Do: write a number from 1 to 2" in advice
    )
    assert "   Also: [2]: chunk other does not support the claim that cites it" in advice
    assert advice.count("Source refunds says:") == 1
    assert "   Do: use the source's value: '30 days'" in advice


@each(self_correct, pg.assert_self_corrects)
def test_accepts_a_coroutine_function(asked):
    loops, prompts = set(), []

    async def generate(prompt):
        prompts.append(prompt)
        await asyncio.sleep(0)
        loops.add(id(asyncio.get_running_loop()))
        return GOOD if len(prompts) % 2 == 0 else BAD

    assert asked(TRANSCRIPT, generate).status == "pass"
    assert len(prompts) == 2
    # A client belongs to the loop that it was made in.
    assert len(loops) == 1

    async def service():
        return asked(TRANSCRIPT, generate)

    assert asyncio.run(service()).status == "pass"
    assert not [thread for thread in threading.enumerate() if thread.name == "grounding-recording"]


def test_raises_what_a_coroutine_raises():
    async def generate(prompt):
        raise LookupError("no quota")

    with pytest.raises(LookupError, match="no quota"):
        self_correct(TRANSCRIPT, generate)


def test_a_generator_without_an_answer_fails_without_our_frames(pytester):
    pytester.makepyfile(
        f"import pytest_grounding as pg\nT = {TRANSCRIPT!r}\n"
        "def test_it(): pg.assert_self_corrects(T, lambda prompt: None)\n"
    )
    text = pytester.runpytest_inprocess("--grounding-suite=off").stdout.str()
    assert "InputError: generate returned None, not text; return the new answer as a string" in text
    assert "correction.py" not in text


@each(pg.validate, pg.assert_grounded, pg.assert_citations_valid)
def test_rejects_a_coroutine_as_transcript(call):
    async def recorded():
        return TRANSCRIPT

    made = recorded()
    with pytest.raises((pg.InputError, TypeError)) as caught:
        call(made)
    said = "a coroutine cannot be validated; write await before the call that returns it"
    assert str(caught.value) == said
    assert inspect.getcoroutinestate(made) == inspect.CORO_CLOSED

import json
import math
import traceback
import warnings

import pytest
from every import each, table
from made_verdicts import claim, conflict, evidence, verdict

import pytest_grounding as pg
from pytest_grounding.plugin.assertions import GroundingWarning
from pytest_grounding.testing import Example

pytestmark = pytest.mark.grounding(suite="off")

QUESTION = "How many vacation days do employees receive per year?"
CHUNKS = [
    {"id": "hr-1", "text": "Employees receive 25 vacation days per year.", "score": 0.9},
    {"id": "hr-2", "text": "All employees receive 25 days of paid vacation each year.", "score": 0.8},
]


transcript = Example(QUESTION, CHUNKS, id="t").answered


GOOD = transcript("Employees receive 25 vacation days per year [1].")
BAD = transcript(
    "Employees receive 25 vacation days per year [1].\nThe cafeteria serves grilled octopus on Mondays."
)


def failure(call, *arguments, **more):
    with pytest.raises(AssertionError) as caught:
        call(*arguments, **more)
    return str(caught.value)


@pytest.mark.row(37)
def test_a_grounded_answer_passes_and_gives_its_verdict():
    found = pg.assert_grounded(GOOD)
    assert found.hallucination_rate == 0.0
    assert found.id == "t"


def test_the_message_says_what_is_wrong_claim_evidence_and_what_to_do():
    text = failure(pg.assert_grounded, BAD)
    lines = text.splitlines()
    assert lines[0].startswith("not in any source: ")
    assert lines[1] == (
        'transcript "t": not grounded: 1 of 2 checked claims hallucinated (rate 0.50, allowed 0.00)'
    )
    assert lines[2] == '  claim:  "The cafeteria serves grilled octopus on Mondays."'
    assert lines[3].startswith("  source: ")
    assert lines[4].startswith("  do:     ")
    assert len(lines) == 5


def test_the_advice_is_about_the_claim_and_not_about_its_citation():
    text = failure(pg.assert_grounded, transcript("The cafeteria serves grilled octopus on Mondays [7]."))
    advice = next(line for line in text.splitlines() if line.startswith("  do:"))
    assert "remove the claim" in advice


def test_a_rate_may_be_tolerated():
    assert pg.assert_grounded(BAD, 0.5).hallucination_rate == 0.5
    assert "allowed 0.49" in failure(pg.assert_grounded, BAD, max_hallucination_rate=0.49)


def test_a_conflict_is_shown_with_both_quotes_and_its_chunk():
    wrong = claim(
        "contradicted", text="Employees get 30 days.", conflicts=(conflict(),), evidence=(evidence(),)
    )
    text = failure(pg.assert_grounded, verdict(claims=[claim(), wrong.model_copy(update={"index": 1})]))
    assert text.splitlines()[0] == "30 days ≠ 25 days, hr-1"
    assert '  source: "Employees get 25 days." [hr-1]' in text


def test_contradictions_come_first():
    claims = [
        claim("unsupported", text="First."),
        claim("contradicted", index=1, text="Second.", conflicts=(conflict(),)),
    ]
    text = failure(pg.assert_grounded, verdict(claims=claims))
    assert text.index('"Second."') < text.index('"First."')


@each(math.nan, -0.1, 1.1, math.inf, "0", None, True)
def test_a_rate_that_is_none_is_refused(rate):
    with pytest.raises(ValueError, match=r"max_hallucination_rate = .* is not a number from 0 to 1"):
        pg.assert_grounded(GOOD, max_hallucination_rate=rate)


def test_a_rate_that_is_not_a_number_never_passes():
    assert "not grounded" in failure(pg.assert_grounded, verdict(hallucination_rate=math.nan), 1.0)


def test_an_empty_answer_is_not_grounded():
    assert "the answer is empty" in failure(pg.assert_grounded, transcript(""))


def test_nothing_checked_follows_its_policy():
    hello = transcript("Hello!")
    with pytest.warns(GroundingWarning, match="nothing was checked") as caught:
        pg.assert_grounded(hello)
    assert caught[0].filename == __file__
    assert "nothing was checked" in failure(pg.assert_grounded, hello, settings={"nothing_checked": "fail"})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        pg.assert_grounded(hello, settings={"nothing_checked": "pass"})


def test_an_answer_that_declines_is_no_hallucination():
    found = pg.assert_grounded(transcript("I don't have that information.", chunks=[]))
    assert found.declined


def test_a_claim_that_was_not_scored_follows_its_policy():
    unscored = verdict(claims=[claim(), claim("abstained", index=1, reason="the scorer was down")])
    text = failure(pg.assert_grounded, unscored)
    assert "could not be scored" in text
    assert "the scorer was down" in text
    recorded = verdict(claims=[claim("abstained")])
    assert "could not be scored" in failure(pg.assert_grounded, recorded)


@pytest.mark.grounding(abstained="warn", nothing_checked="pass")
def test_a_claim_that_was_not_scored_may_be_a_warning():
    with pytest.warns(GroundingWarning, match="could not be scored"):
        pg.assert_grounded(verdict(claims=[claim("abstained")]))


def test_a_path_a_mapping_a_transcript_and_a_verdict_are_alike(tmp_path):
    path = tmp_path / "a.json"
    path.write_text(json.dumps(GOOD))
    verdicts = [
        pg.assert_grounded(given)
        for given in (
            GOOD,
            path,
            str(path),
            pg.Transcript.model_validate(GOOD),
            pg.validate(GOOD, {"suite": "off"}),
        )
    ]
    assert len({item.to_json() for item in verdicts}) == 1


def test_a_file_with_several_transcripts_is_one_clear_sentence(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps(GOOD) + "\n" + json.dumps({**GOOD, "id": "u"}) + "\n")
    with pytest.raises(pg.InputError) as caught:
        pg.assert_grounded(path)
    assert str(caught.value) == (
        f"{path}: holds 2 transcripts, and this takes exactly one; "
        "use @pytest.mark.transcripts, or pass one of load_transcripts(path)"
    )


def test_anything_else_is_refused():
    with pytest.raises(TypeError, match=r"^int cannot be validated"):
        pg.assert_grounded(7)
    with pytest.raises(ValueError, match="settings do not change a Verdict"):
        pg.assert_grounded(verdict(), settings={"abstained": "warn"})
    with pytest.raises(pg.SettingsError, match="abstaind"):
        pg.assert_grounded(GOOD, settings={"abstaind": "warn"})


def test_frames_of_ours_are_hidden(pytester):
    pytester.makepyfile(f"import pytest_grounding as pg\ndef test_it(): pg.assert_grounded({BAD!r})\n")
    result = pytester.runpytest_inprocess()
    text = result.stdout.str()
    assert "not grounded" in text
    assert "assertions/" not in text
    assert "__tracebackhide__" not in text


@each(*table(__file__, "test_a_wrong_call_is_shown_at_the_call"))
def test_a_wrong_call_is_shown_at_the_call(call, said, pytester):
    pytester.makepyfile(f"import pytest_grounding as pg\nT = {BAD!r}\ndef test_it():\n    pg.{call}\n")
    result = pytester.runpytest_inprocess("-p", "no:cacheprovider")
    text = result.stdout.str()
    assert said in text
    assert f">       pg.{call}" in text or f">   pg.{call}" in text
    assert "pytest_grounding/" not in text


@pytest.mark.grounding(suite="off")
def test_it_works_outside_of_pytest():
    try:
        pg.assert_grounded(BAD)
    except AssertionError as error:
        names = [frame.name for frame in traceback.extract_tb(error.__traceback__)]
        assert "assert_grounded" in names


def test_a_switched_off_check_is_skipped_and_never_passed(pytester, monkeypatch):
    monkeypatch.setenv("HALLUCINATION_DETECTION_ENABLED", "false")
    pytester.makepyfile(f"import pytest_grounding as pg\ndef test_it(): pg.assert_grounded({BAD!r})\n")
    result = pytester.runpytest_inprocess("-rs")
    result.assert_outcomes(skipped=1)
    result.stdout.fnmatch_lines(["*hallucination detection is switched off, so nothing was asserted*"])


def test_control_characters_cannot_reach_the_terminal():
    text = failure(pg.assert_grounded, transcript("The cafeteria \x1b[2J serves grilled octopus."))
    assert "\x1b" not in text
    assert "\\x1b[2J" in text


def test_gaps_of_the_recording_are_reported_first():
    message = {"role": "assistant", "content": "Employees receive 25 vacation days per year [1]."}
    choice = {"index": 0, "finish_reason": "stop", "message": message}
    response = {"id": "x", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}
    said = 'recording: a chat completion contains no retrieved chunks; write what you retrieved as "chunks"'
    for assertion in (pg.assert_grounded, pg.assert_citations_valid, pg.assert_confidence_at_least):
        lines = failure(assertion, {"question": QUESTION, "response": response}).splitlines()
        assert next(line for line in lines if not line.startswith("transcript ")).startswith(said)
        # Notes are no cause: here that the recording has no id.
        assert sum(line.startswith("recording: ") for line in lines) == 1


CHUNKS = ["Refunds take 14 days.", "The shop opens at nine."]
ASKED = "How long do refunds take?"


@each(CHUNKS, [{"text": text} for text in CHUNKS], [{"pageContent": text} for text in CHUNKS], iter(CHUNKS))
def test_an_answer_is_checked_with_its_chunks_and_question(chunks):
    verdict = pg.assert_grounded("Refunds take 14 days [1].", chunks, question=ASKED)
    assert (verdict.status, verdict.citation_accuracy) == ("pass", 1.0)
    assert verdict.id == pg.assert_grounded("Refunds take 14 days.", CHUNKS, question=ASKED).id
    with pytest.raises(AssertionError, match="1 of 1 checked claims hallucinated"):
        pg.assert_grounded("Refunds take 45 days.", CHUNKS, question=ASKED)
    pg.assert_grounded("Refunds take 45 days.", CHUNKS, question=ASKED, max_hallucination_rate=1)


@each(
    (
        ("Refunds take 14 days.",),
        "this text is not the path of a file, and chunks and question are missing: write",
    ),
    (("Fourteen",), "this text is not the path of a file"),
    (("Refunds take\n14 days",), "this text is not the path of a file"),
    (("x" * 5000,), "this text is not the path of a file"),
    (("Refunds take 14 days.", CHUNKS), "^question is missing: write assert_grounded"),
    (({"id": "a"}, CHUNKS), "^the answer and question are missing: write assert_grounded"),
)
def test_what_is_missing_is_said_in_one_sentence(arguments, said):
    with pytest.raises(TypeError, match=said) as caught:
        pg.assert_grounded(*arguments)
    assert "\n" not in str(caught.value)


def test_a_path_is_read_as_a_path(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    row = {"id": "a", "question": ASKED, "chunks": [{"id": "c", "text": CHUNKS[0]}], "answer": CHUNKS[0]}
    for name in ("my runs.json", "my runs"):
        (tmp_path / name).write_text(json.dumps(row), encoding="utf-8")
        pg.assert_grounded(name)
    with pytest.raises(pg.InputError, match=r"no such run\.json: does not exist"):
        pg.assert_grounded("no such run.json")


def test_the_first_line_says_what_the_sources_have_instead():
    chunk = {"id": "desk", "text": "A tram to the stadium leaves every ten minutes."}
    asked = {"id": "bus", "question": "What goes to the stadium?", "chunks": [chunk]}
    with pytest.raises(AssertionError) as failed:
        pg.assert_grounded({**asked, "answer": "A bus to the stadium leaves every ten minutes."})
    assert str(failed.value).splitlines()[0] == "bus: the sources say tram, desk"

"""The explanation of a verdict as a value, as text and as a command."""

import json

import pytest
from every import each, table

import pytest_grounding as pg
from pytest_grounding.cli import main
from pytest_grounding.model.finding import Finding
from pytest_grounding.rules import RULES
from pytest_grounding.testing import Example

CHUNK = {
    "id": "h-12",
    "text": "Refunds are paid within 14 days of the return. Ask at the desk.",
    "score": 0.9,
}
GOOD = "Refunds are paid within 14 days of the return [1]."
WRONG = "Refunds are paid within 45 days of the return [1]."


def transcript(answer, identifier="a"):
    return Example("How long do refunds take?", [CHUNK], id=identifier).answered(answer)


@pytest.mark.row(72)
@each(
    (GOOD, "pass", [], []),
    (
        WRONG,
        "reject",
        ["contradicted"],
        ["no error", "a hallucination rate", "every checked", "a confidence"],
    ),
    (f"{GOOD} See [9].", "reject", ["source_exists"], ["no error", "a confidence"]),
    (
        f"{GOOD} Pandas live in China.",
        "reject",
        ["unsupported_claim"],
        ["no warning", "a hallucination rate", "every checked", "a confidence"],
    ),
    ("", "reject", ["empty_answer"], ["no error", "a confidence"]),
    ("Hello!", "review", ["nothing_checked"], ["no warning", "a confidence"]),
    ("I don't have that information.", "reject", ["over_refusal"], ["no warning", "a confidence"]),
)
def test_an_explanation_names_what_decided_and_what_would_pass(answer, status, rules, needed):
    verdict = pg.validate(transcript(answer))
    found = pg.explain(verdict)
    assert (found.id, found.status, found.why) == ("a", status, verdict.reason)
    assert [item.rule for item in found.deciding] == rules
    assert len(found.to_pass) == len(needed)
    assert all(text.startswith(start) for text, start in zip(found.to_pass, needed, strict=True))
    assert bool(found.next_step) is (status != "pass")
    for item in found.deciding:
        assert item.title == RULES[item.rule].title
        assert item.do


def test_evidence_is_verbatim():
    [item] = pg.explain(pg.validate(transcript(WRONG))).deciding
    assert item.words == WRONG
    assert item.evidence
    for piece in item.evidence:
        assert CHUNK["text"][piece.start : piece.end] == piece.text
    assert "45" in item.problem
    assert item.page.startswith("docs/")


def test_an_answer_passes_after_all_that_is_asked_for():
    found = pg.explain(pg.validate(transcript(f"{WRONG} See [9].")))
    assert "no error: it has 2 (contradicted, source_exists)" in found.to_pass
    mended = pg.clean_answer(transcript(f"{WRONG} See [9].")).replace("45", "14")
    assert pg.explain(pg.validate(transcript(mended))).to_pass == ()


def test_the_limits_are_those_of_the_settings():
    answer = f"{GOOD} Pandas live in China."
    lenient = {"max_hallucination_rate": 0.6, "accept_confidence": 0.5, "confidence_model": "self_rag"}
    found = pg.explain(pg.validate(transcript(answer), lenient), lenient)
    assert not any("hallucination rate" in text or "confidence" in text for text in found.to_pass)


def test_one_claim_can_be_explained_alone():
    verdict = pg.validate(transcript(f"{GOOD} Pandas live in China [9]."))
    assert pg.explain(verdict, claim=0).deciding == ()
    found = pg.explain(verdict, claim=1)
    assert [item.claim for item in found.deciding] == [1]
    assert found.notes[0].startswith("claim 1: unsupported")


@each((1, "1 note that decides nothing: r0"), (2, "2 notes that decide nothing: r0, r1"))
def test_the_line_of_notes_counts_one_and_two(number, line):
    notes = [Finding(rule=f"r{index}", severity="info", message="m") for index in range(number)]
    verdict = pg.validate(transcript(GOOD)).model_copy(update={"findings": notes})
    assert line in pg.explain(verdict).notes


def test_a_verdict_may_be_given_as_plain_data():
    verdict = pg.validate(transcript(WRONG))
    assert pg.explain(verdict.as_dict()) == pg.explain(verdict)
    assert json.loads(json.dumps(pg.explain(verdict).as_dict()))["status"] == "reject"


def test_control_characters_of_an_answer_are_neutralised():
    hostile = "\x1b[31mRefunds are paid within 45 days\u202e of the return [1].\n::error::x"
    text = str(pg.explain(pg.validate(transcript(hostile, "a\x1b[2J"))))
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert not any(line.lstrip().startswith("::") for line in text.splitlines())


@each(("enabled", "validation"), ("hallucination_detection", "hallucination detection"))
def test_a_disabled_check_is_reported(switch, name):
    found = pg.explain(pg.validate(transcript(WRONG), {switch: False}), {switch: False})
    assert found.to_pass == (f"{name} switched on: without it nothing is decided",)


@each(
    (transcript(GOOD), {}, "write explain(validate(transcript))"),
    (None, {}, "this is a NoneType"),
    ("a.transcript.json", {}, "this is a str"),
    ([], {}, "this is a list"),
    (3, {}, "this is an int"),
    ({"status": "pass"}, {}, "is not a verdict"),
    (GOOD, {"claim": 7}, "explain takes a verdict"),
)
def test_a_value_that_is_not_a_verdict_is_refused(given, more, said):
    with pytest.raises(pg.InputError) as caught:
        pg.explain(given, **more)
    assert said in str(caught.value)


@each(1, -1, "0", 1.0, True)
def test_an_unknown_claim_is_refused(claim):
    with pytest.raises(pg.InputError, match="write 0"):
        pg.explain(pg.validate(transcript(GOOD)), claim=claim)


@pytest.fixture
def suite(tmp_path):
    file = tmp_path / "suite.transcripts.jsonl"
    rows = [transcript(f"{WRONG} Pandas live in China."), transcript(GOOD, "b"), transcript("", "c")]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return str(file)


@each(*sorted(RULES))
def test_the_command_explains_each_rule(name, capsys):
    assert main(["explain", name]) == 0
    out = capsys.readouterr().out
    assert out.startswith(f"{name}: {RULES[name].title}")
    assert RULES[name].advice in out


def test_without_an_argument_the_rules_are_listed(capsys):
    assert main(["explain"]) == 0
    out = capsys.readouterr().out
    assert all(f"  {name} " in out for name in RULES)


@each(*table(__file__, "test_wrong_use_of_the_command_gets_one_sentence"))
def test_wrong_use_of_the_command_gets_one_sentence(arguments, said, suite, capsys):
    given = [suite if word == "SUITE" else word for word in arguments]
    assert main(["explain", *given]) == 2
    captured = capsys.readouterr()
    assert said in captured.err
    assert captured.err.count("\n") == 1


DOUBTFUL = {
    "id": "box",
    "question": "What colour is the box?",
    "chunks": [{"id": "kb-3", "text": "The box comes in many colours for shops."}],
    "answer": "The box may be green as a rule in shops [1].",
}


def test_an_answer_that_its_confidence_alone_holds_names_the_sentence_and_what_helps(tmp_path, capsys):
    verdict = pg.validate(DOUBTFUL)
    assert verdict.status == "review"
    assert verdict.reason.startswith("confidence ")
    assert 'next: "The box may be green' in str(pg.explain(verdict))
    path = tmp_path / "box.jsonl"
    path.write_text(json.dumps(DOUBTFUL), encoding="utf-8")
    assert main(["check", str(path)]) == 1
    shown = capsys.readouterr().out
    assert '  claim:  "The box may be green as a rule in shops [1]."' in shown
    assert '  source: "The box comes in many colours for shops." [kb-3]' in shown
    assert "  do:     say this in the words of the source" in shown
    # What it says helps.
    assert (
        pg.validate({**DOUBTFUL, "answer": "The box comes in many colours for shops [1]."}).status == "pass"
    )

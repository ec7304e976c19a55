"""A judge whose answers are not recorded: what passes, one short reason a claim, the command once a run."""

import json
from pathlib import Path

import pytest
from worded import NUMBER, OTHER_WORDS, VERBATIM, transcript

import pytest_grounding as pg
from pytest_grounding.cli import main

#: In the words of the source, as `VERBATIM`; the question asks for both.
DAYS = "Refunds are paid within 14 days of the return."
#: In words of its own, and clearly supported.
NEAR = "Refunds are paid within 14 days of a return."
#: The block of variables in the specification.
VARIABLES = {"VALIDATION_LLM": "anthropic", "VALIDATION_MODEL": "claude-sonnet-4-5"}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CI", "1")
    return tmp_path


def write(*answers):
    rows = [{**transcript(*claims), "id": f"t{number}"} for number, claims in enumerate(answers)]
    Path("a.transcripts.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))


@pytest.mark.usefixtures("folder")
def test_the_gate_names_the_command_once(capsys):
    write(*[(OTHER_WORDS, NUMBER)] * 3)
    assert main(["check", "a.transcripts.jsonl", "--set", "judge=openai"]) == 1
    said = capsys.readouterr().out
    gate = said[said.index("gate: FAIL") :]
    assert gate.count("pytest --grounding-record=new") == 1
    assert "<<<question>>>" not in said
    assert "the judge could not decide: its answer is not recorded" in said
    assert not Path("grounding.cassette.jsonl").exists()


@pytest.mark.row(28)
def test_the_judge_of_the_variables_decides_the_borderline_zone():
    settings = pg.Settings.from_environment(VARIABLES)
    assert (settings.judge, settings.judge_model, settings.judge_scope) == (
        "anthropic",
        "claude-sonnet-4-5",
        "borderline",
    )
    chosen = pg.Settings.from_environment(VARIABLES, values={"judge_scope": "all"})
    assert chosen.judge_scope == "all"
    # A judge that is named otherwise keeps the usual scope.
    assert pg.Settings.of({"judge": "anthropic"}).judge_scope == "all"
    both = pg.Settings.from_environment(VARIABLES, values={"judge": "openai"})
    assert both.judge_scope == "all"


@pytest.mark.row(18)
def test_verbatim_answers_pass_with_the_variables_and_nothing_recorded(folder, monkeypatch, capsys):
    for name, value in VARIABLES.items():
        monkeypatch.setenv(name, value)
    write(*[(DAYS, VERBATIM)] * 3)
    assert main(["check", "a.transcripts.jsonl"]) == 0
    said = capsys.readouterr().out
    assert "not recorded" not in said
    assert "is recorded on" not in said


@pytest.mark.usefixtures("folder")
def test_supported_claims_stay_supported_with_one_note_for_the_run(capsys):
    write((NEAR, VERBATIM), (NEAR, VERBATIM), (DAYS, VERBATIM))
    assert main(["check", "a.transcripts.jsonl", "--set", "judge=anthropic"]) == 0
    said = capsys.readouterr().out
    (note,) = [line for line in said.splitlines() if "is recorded on" in line]
    assert "6 supported claims in 3 transcripts" in note
    assert "check --set record=new" in note


def test_a_borderline_claim_without_a_ruling_abstains_and_says_how_to_record_it(folder):
    settings = {"judge": "anthropic", "judge_scope": "borderline", "supported_threshold": 0.99}
    given = transcript("The shop pays refunds back to the customer within 14 days of the return.")
    verdict = pg.validate(given, settings)
    assert [claim.status for claim in verdict.claims] == ["abstained"]
    (cause,) = [cause for cause in verdict.causes if cause.rule == "abstained"]
    assert "check --set record=new" in cause.suggestion

"""The example of a rule is an answer on which that rule finds something, and is told as it is."""

import json
from pathlib import Path

from every import each

import pytest_grounding as pg
from pytest_grounding import rules
from pytest_grounding.gate.waivers import overrulable
from pytest_grounding.rules import RuleExample

ROOT = Path(__file__).resolve().parents[2]
SHOWN = [rule for rule in rules.RULES.values() if isinstance(rule.example, RuleExample)]
#: What no recorded answer alone can show: it takes a scorer, a service, an extension, a file or a format.
TOLD = {
    *("abstained", "alignment_not_scored", "judge_failed", "not_recorded", "scorer_failed"),
    *(
        "judge_overruled",
        "judge_unrecorded",
        "judge_warns",
        "answer_cut_off",
        "broken_contract",
        "import_loss",
        "recording_gap",
        "incomplete_recording",
    ),
    *("check_crashed", "gate", "internal_error", "too_large", "unreadable"),
}


def test_every_rule_that_an_answer_can_break_has_one_as_its_example():
    assert {rule.name for rule in rules.RULES.values()} - {rule.name for rule in SHOWN} == TOLD


@each(*SHOWN)
def test_the_rule_finds_something_in_its_example(rule):
    assert isinstance(rule.example, RuleExample)
    settings = pg.Settings.of(rule.example.settings)
    verdict = pg.validate(rule.example.transcript, settings)
    found = [item for item in (*verdict.causes, *overrulable(verdict)) if item.rule == rule.name]
    assert found, [item.rule for item in verdict.causes]
    assert found[0].severity == rules.graded(rule.name, settings)


def _waiver(rule):
    """What the page says of a waiver; the command is the same for most rules, and stands there once."""
    return "" if rule.waiver.startswith("pytest-grounding") else rule.waiver


@each(*rules.RULES.values())
def test_the_page_tells_the_rule(rule):
    page = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
    _, _, part = page.partition(f"### {rule.name}\n")
    part = part.partition("\n##")[0]
    for text in (rule.title[1:], rule.advice, _waiver(rule), rule.page, *rule.example_lines):
        assert text in part
    if rule.policy:
        assert f"as the setting [`{rule.policy}`]" in part


def test_an_example_is_told_in_lines_that_any_file_can_hold():
    strange = RuleExample(
        "Why?", "One.\nTwo \\ud83d.", ("a\nb",), {"enabled": False}, {"path": "a.py"}, {"language": "de"}
    )
    assert strange.lines == (
        "settings: enabled = false",
        "question: Why?",
        r"chunk c1 (path a.py): a\nb",
        r"answer: One.\nTwo \ud83d.",
        'language: "de"',
    )
    assert json.dumps(strange.lines)

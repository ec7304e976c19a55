"""Waivers with a mistake that would waive nothing are refused with what to write."""

import json

import pytest
from every import each, table

import pytest_grounding as pg
from pytest_grounding.__main__ import main
from pytest_grounding.gate.waivers import read
from pytest_grounding.testing import Example

SOURCE = "Refunds are paid within 14 days of the return."
WRONG = "Refunds are paid within 45 days of the return [1]."
CLAIM = "Refunds are paid within 45 days of the return."
WAIVER = {"rule": "contradicted", "claim": CLAIM, "reason": "45 since May"}


def recorded(name="a", answer=WRONG):
    return Example("How long do refunds take?", [SOURCE], id=name, score=0.9).answered(answer)


class Shouting:
    name = "shouting"

    def run(self, context):
        return []


class Shouts:
    @pg.hookimpl
    def pytest_grounding_checks(self, settings):
        return [Shouting()]


@each({}, {"transcript": "a"}, {"evidence": SOURCE}, {"by": "Ada", "expires": "9999-12-31"})
def test_a_mapping_with_rule_claim_and_reason_waives(more):
    assert pg.validate(recorded()).status == "reject"
    verdict = pg.validate(recorded(), waivers=[{**WAIVER, **more}])
    assert verdict.status == "pass"
    [waived] = [item.waived for item in verdict.causes if item.rule == "contradicted"]
    assert waived.reason == "45 since May"


@each({"transcript": "b"}, {"evidence": "Else."}, {"expires": "2020-01-01"})
def test_a_mapping_about_something_else_waives_nothing(more):
    assert pg.validate(recorded(), waivers=[{**WAIVER, **more}]).status == "reject"


def test_a_line_of_the_file_is_such_a_mapping(tmp_path):
    file = tmp_path / "a.transcript.json"
    file.write_text(json.dumps(recorded()), "utf-8")
    out = tmp_path / "w.jsonl"
    told = ["--id=a", "--number=1", "--reason=so", "--by=Ada", f"--set=waivers_file={out}"]
    assert main(["waive", str(file), *told]) == 0
    [line] = map(json.loads, out.read_text("utf-8").splitlines())
    assert pg.validate(recorded(), waivers=[line]).status == "pass"
    assert pg.validate(recorded(), waivers=read(out)).status == "pass"


@each(*table(__file__, "test_a_malformed_waiver_is_refused"))
def test_a_malformed_waiver_is_refused(given, said):
    with pytest.raises(pg.InputError, match=said):
        pg.validate(recorded(), waivers=given)


def test_rules_of_extensions_are_known_and_a_misspelling_is_refused():
    given = [{**WAIVER, "rule": "shouting"}]
    with pytest.raises(pg.InputError, match="there is no rule 'shouting'"):
        pg.validate(recorded(), waivers=given)
    extension = Shouts()
    pg.register(extension)
    try:
        assert pg.validate(recorded(), waivers=given).status == "reject"
        # A check may give findings of several names.
        assert pg.validate(recorded(), waivers=[{**WAIVER, "rule": "shouting_twice"}]).status == "reject"
        with pytest.raises(pg.InputError, match="did you mean 'contradicted'"):
            pg.validate(recorded(), waivers=[{**WAIVER, "rule": "contradictd"}])
    finally:
        pg.unregister(extension)


@pytest.fixture
def suite(pytester, monkeypatch):
    monkeypatch.delenv("CI", raising=False)
    pytester.makeini("[pytest]\n")
    (pytester.path / "a.transcript.json").write_text(json.dumps(recorded(answer=CLAIM.replace("45", "14"))))
    return pytester


MARKED = """
import pytest

@pytest.mark.grounding_waive("shouting", claim="Refunds take 45 days.", reason="y")
@pytest.mark.transcripts("a.transcript.json")
def test_it(transcript): pass
"""


def test_a_mark_may_name_a_rule_of_a_conftest(suite):
    suite.makepyfile(MARKED)
    assert suite.runpytest().ret == pytest.ExitCode.USAGE_ERROR
    suite.makeconftest(
        "class Shouting:\n    name = 'shouting'\n    def run(self, context): return []\n"
        "def pytest_grounding_checks(settings): return [Shouting()]\n"
    )
    assert suite.runpytest().ret == 0


def test_a_named_file_that_does_not_exist_is_an_error():
    with pytest.raises(pg.SettingsError, match=r"waivers_file = 'gone\.jsonl' cannot be read"):
        pg.validate(recorded(), {"waivers_file": "gone.jsonl"})

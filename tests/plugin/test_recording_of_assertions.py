"""Which verdicts count for the figures of the suite."""

import json

import pytest
from recorded import bad, good, section, write

HEAD = """
import json, pathlib, pytest, pytest_grounding as pg

def load(path): return json.loads(pathlib.Path(path).read_text())
"""


def run(pytester, code, *arguments):
    write(pytester.path, "good.json", good())
    write(pytester.path, "bad.json", bad())
    pytester.makepyfile(HEAD + code)
    result = pytester.runpytest_inprocess("--grounding-json=out.json", *arguments)
    return result, json.loads((pytester.path / "out.json").read_text())


GOOD = "def test_good(): pg.assert_grounded('good.json')\n"
MISSING = """
@pytest.mark.transcripts("good.json")
def test_it(transcript): assert transcript.answer
"""
#: What is tested -> test code, exit status, recorded ids, and what the report says about the run.
CASES = {
    "an assertion": (GOOD, 0, ["good"], {}),
    "several assertions on one transcript": (
        f"""
{GOOD}
def test_it():
    pg.assert_grounded('good.json')
    pg.assert_citations_valid('good.json')
""",
        *(0, ["good"], {}),
    ),
    "a failing assertion": ("def test_it(): pg.assert_grounded('bad.json')", 1, ["bad"], {}),
    "a failure that the test expects": (
        f"""
{GOOD}
def test_it():
    pg.assert_confidence_at_least('bad.json', 0.0)
    with pytest.raises(AssertionError, match="not grounded"):
        pg.assert_grounded('bad.json')
""",
        *(0, ["good"], {"expected": ["bad"]}),
    ),
    "xfail": (
        "@pytest.mark.xfail\ndef test_it(): pg.assert_grounded('bad.json')",
        *(0, [], {"expected": ["bad"]}),
    ),
    "xfail without running": (
        """
@pytest.mark.xfail(run=False)
@pytest.mark.transcripts("bad.json")
def test_it(transcript): pass
""",
        *(0, [], {"expected": ["bad"]}),
    ),
    "verdicts that the test does not record": (
        f"""
@pytest.mark.grounding(suite="off")
def test_it(grounding): assert grounding.validate(load("bad.json")).status == "reject"

def test_other(grounding): assert grounding.validate("bad.json", record=False).status == "reject"

{GOOD}""",
        *(0, ["good"], {}),
    ),
    "the fixture": (
        """
def test_it(grounding):
    v = grounding.validate(load("bad.json"))
    assert grounding.verdicts == [v]
    assert v.status == "reject"
""",
        *(1, ["bad"], {}),
    ),
    "a fixture that validates during setup": (
        """
@pytest.fixture
def checked(): return pg.assert_grounded("good.json")

def test_it(checked): assert checked.status == "pass"
""",
        *(0, ["good"], {}),
    ),
    "a transcript that no test validates": (MISSING, 1, [], {"missing": {"good": "no test validated it"}}),
    "a skipped transcript": (
        "@pytest.mark.skip(reason='later')" + MISSING,
        *(1, [], {"missing": {"good": "skipped: later"}}),
    ),
    "an assertion outside of a test": ("pg.assert_grounded('good.json')\ndef test_it(): pass", 0, [], {}),
}


@pytest.mark.parametrize(("code", "status", "recorded", "facts"), CASES.values(), ids=CASES)
def test_records_the_verdicts_of(pytester, code, status, recorded, facts):
    result, report = run(pytester, code)
    assert result.ret == status
    assert [item["id"] for item in report["transcripts"]] == recorded
    assert {name: report["run"][name] for name in facts} == facts
    if recorded:
        assert report["gate"]["status"] == ("fail" if status else "pass")
        assert any(line.startswith(f"gate: {'FAIL' if status else 'PASS'}") for line in section(result))


def test_a_setting_allows_missing_transcripts(pytester):
    assert run(pytester, MISSING, "--grounding-set=missing=warn")[0].ret == 0


def test_notes_different_transcripts_with_one_id(pytester):
    code = """
def test_one(): pg.assert_grounded("good.json")
def test_two(): pg.assert_grounded({**load("good.json"), "chunks": load("good.json")["chunks"][:1]})
"""
    result, report = run(pytester, code)
    result.assert_outcomes(passed=2)
    assert result.ret == 0
    assert [item["id"] for item in report["transcripts"]] == ["good", "good"]
    assert any("note: 2 different transcripts share the id 'good'" in line for line in section(result))


def test_a_run_that_records_nothing_prints_no_gate(pytester):
    write(pytester.path, "bad.json", bad())
    code = "@pytest.mark.grounding(suite='off')\ndef test_it(): pg.assert_grounded('bad.json')\n"
    pytester.makepyfile(HEAD + code)
    result = pytester.runpytest_inprocess()
    result.assert_outcomes(failed=1)
    result.stdout.no_fnmatch_line("gate: *")


@pytest.mark.skipif(pytest.version_tuple < (9, 0), reason="subtests are a part of pytest since 9.0")
def test_records_assertions_in_subtests(pytester):
    code = """
def test_it(subtests):
    for name in ("good", "bad"):
        with subtests.test(name):
            pg.assert_grounded(f"{name}.json")
"""
    result, report = run(pytester, code)
    assert result.ret == 1
    assert [item["id"] for item in report["transcripts"]] == ["bad", "good"]
    assert report["gate"]["failed"] == ["bad"]

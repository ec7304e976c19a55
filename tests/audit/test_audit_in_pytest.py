"""``--grounding-audit``: every validation of a run is logged once, and nothing else changes."""

import json
from collections import Counter

import pytest

import pytest_grounding as pg
from pytest_grounding.settings import ENVIRONMENT
from pytest_grounding.testing import Example

CHUNK = {"id": "hr-1", "text": "Employees receive 25 vacation days per year.", "score": 0.9}
QUESTION = "How many vacation days do employees receive per year?"

TESTS = """
    import pytest
    import pytest_grounding as pg

    T = %s
    MADE = pg.validate({**T, "id": "made-once"})

    def test_several_assertions_are_one_validation():
        pg.assert_grounded(T)
        pg.assert_citations_valid(T)

    def test_another_test_validates_anew():
        pg.assert_grounded(T)

    @pytest.mark.grounding(suite="off")
    def test_what_counts_for_no_figure_is_logged_too():
        pg.assert_grounded({**T, "id": "off"})

    @pytest.mark.parametrize("n", [1, 2])
    def test_a_verdict_that_was_made_once(n):
        pg.assert_grounded(MADE)

    def test_the_fixture(grounding):
        grounding.validate({**T, "id": "fixture"})
        grounding.validate({**T, "id": "unrecorded"}, record=False)

    def test_other_settings_are_another_validation():
        pg.assert_grounded(T)
        pg.assert_grounded(T, settings={"accept_confidence": 0.6})
"""


@pytest.fixture(autouse=True)
def _no_settings_from_outside(monkeypatch):
    for name in (*ENVIRONMENT, "PYTEST_ADDOPTS"):
        monkeypatch.delenv(name, raising=False)


def transcript(identifier, answer="Employees receive 25 vacation days per year [1]."):
    return Example(QUESTION, [CHUNK], id=identifier).answered(answer)


@pytest.fixture
def suite(pytester):
    """A project with tests and a file of transcripts."""
    pytester.makepyfile(test_it=TESTS % json.dumps(transcript("asserted")))
    rows = [transcript("good"), transcript("bad", "The cafeteria serves grilled octopus on Mondays [7].")]
    path = pytester.path / "some.transcripts.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return pytester


LOGGED = {"asserted": 4, "off": 1, "made-once": 1, "fixture": 1, "unrecorded": 1, "good": 1, "bad": 1}


def counted(path):
    return Counter(record.transcript_id for record in pg.AuditLog(path).records())


def test_every_validation_is_logged_once(suite):
    result = suite.runpytest("--grounding-audit=logs/audit.jsonl")
    result.assert_outcomes(passed=8, failed=1)
    path = suite.path / "logs" / "audit.jsonl"
    assert counted(path) == LOGGED
    result.stdout.fnmatch_lines(["audit log: 10 validations written to logs/audit.jsonl"])
    records = list(pg.AuditLog(path).records())
    assert len({record.session_id for record in records}) == 1
    assert all(record.session_id for record in records)
    # Only the verdict that the test had made by itself came without a time and a question.
    assert {record.transcript_id for record in records if record.processing_time_ms is None} == {"made-once"}
    assert {record.query for record in records if record.transcript_id != "made-once"} == {QUESTION}
    assert pg.AuditLog(path).verify().is_intact


def test_workers_append_to_one_log(suite):
    pytest.importorskip("xdist")
    result = suite.runpytest("-n2", "--grounding-audit=audit.jsonl")
    result.assert_outcomes(passed=8, failed=1)
    path = suite.path / "audit.jsonl"
    # Each worker made the verdict of the module for itself.
    found = counted(path)
    assert found.pop("made-once") in (1, 2)
    assert found == {name: number for name, number in LOGGED.items() if name != "made-once"}
    records = list(pg.AuditLog(path).records())
    assert len({record.session_id for record in records}) == 1
    result.stdout.fnmatch_lines([f"audit log: {len(records)} validations written to audit.jsonl"])


def test_the_path_in_the_ini_file_is_relative_to_the_root(suite, monkeypatch):
    suite.makeini("[pytest]\ngrounding_audit = logs/audit.jsonl\n")
    below = suite.path / "below"
    below.mkdir()
    (suite.path / "some.transcripts.jsonl").rename(below / "some.transcripts.jsonl")
    monkeypatch.chdir(below)
    suite.runpytest(".")
    assert counted(suite.path / "logs" / "audit.jsonl") == {"good": 1, "bad": 1}


MARKED = """
    import pytest
    import pytest_grounding as pg

    T = %s

    @pytest.mark.grounding(audit="")
    def test_not_logged():
        pg.assert_grounded(T)

    @pytest.mark.grounding(audit="other.jsonl")
    def test_logged_elsewhere():
        pg.assert_grounded(T)
"""


def test_a_mark_may_name_another_log_or_none(pytester):
    pytester.makepyfile(MARKED % json.dumps(transcript("a")))
    result = pytester.runpytest("--grounding-audit=audit.jsonl")
    result.assert_outcomes(passed=2)
    assert not (pytester.path / "audit.jsonl").exists()
    assert counted(pytester.path / "other.jsonl") == {"a": 1}


def test_the_run_goes_on_without_a_writable_log(suite):
    (suite.path / "file").write_text("", encoding="utf-8")
    without = suite.runpytest()
    result = suite.runpytest("--grounding-audit=file/audit.jsonl")
    assert result.ret == without.ret == 1
    result.assert_outcomes(passed=8, failed=1)
    said = [line for line in result.stdout.lines if "cannot be written" in line]
    assert said == [
        "file/audit.jsonl: the audit log cannot be written (Not a directory): "
        "10 validations are missing in it"
    ]
    assert "warning" not in result.stdout.lines[-1]


CLOSES = """
    import os
    import pytest_grounding as pg

    T = %s

    def test_first():
        pg.assert_grounded({**T, "id": "first"})

    def test_second():
        os.remove("audit.jsonl")
        os.mkdir("audit.jsonl")
        pg.assert_grounded({**T, "id": "second"})
"""


@pytest.mark.parametrize("workers", [(), ("-n1",)], ids=["alone", "xdist"])
@pytest.mark.parametrize("required", [False, True])
def test_a_log_that_becomes_unwritable(pytester, workers, required):
    if workers:
        pytest.importorskip("xdist")
    pytester.makepyfile(CLOSES % json.dumps(transcript("a")))
    result = pytester.runpytest(
        "--grounding-audit=audit.jsonl", f"--grounding-set=audit_required={required}", *workers
    )
    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines(
        [
            "audit log: 1 validation written to audit.jsonl",
            "audit.jsonl: the audit log cannot be written (is a folder; name a file): "
            "1 validation is missing in it"
            + ("; audit_required is set, so the run fails" if required else ""),
        ]
    )
    assert result.ret == (1 if required else 0)

"""Wrong environment variables and settings stop only what uses them."""

import pytest
from recorded import good, write

PLAIN = "def test_plain():\n    assert 1 + 1 == 2\n"
WRONG = [
    ("VALIDATION_ENABLED", "prod"),
    ("VALIDATION_PROFILE", "staging"),
    ("HALLUCINATION_MAX_RATE", "30%"),
    ("VALIDATION_LLM", "gpt-4o"),
    ("AUDIT_RETENTION_DAYS", "forever"),
]


@pytest.mark.parametrize(("name", "value"), WRONG)
def test_a_wrong_variable_stops_only_runs_with_transcripts(pytester, monkeypatch, name, value):
    monkeypatch.setenv(name, value)
    pytester.makepyfile(test_plain=PLAIN)
    result = pytester.runpytest_inprocess()
    result.assert_outcomes(passed=1)
    assert result.ret == 0
    if name != "VALIDATION_LLM":  # a judge is looked up only when it is needed
        assert "grounding:" not in result.stdout.str()
    write(pytester.path, "a.transcript.json", good("refunds"))
    result = pytester.runpytest_inprocess("-k", "plain")
    result.assert_outcomes(passed=1, deselected=1)
    assert result.ret == 0
    result = pytester.runpytest_inprocess()
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert value in result.stderr.str()
    assert "passed" not in result.stdout.str()


@pytest.mark.parametrize("arguments", [["--version"], ["--help"], ["--markers"], ["--collect-only", "-q"]])
def test_options_that_run_no_test_ignore_a_wrong_variable(pytester, monkeypatch, arguments):
    monkeypatch.setenv("HALLUCINATION_MAX_RATE", "30%")
    write(pytester.path, "a.transcript.json", good())
    result = pytester.runpytest_inprocess(*arguments)
    assert result.ret == 0
    assert "HALLUCINATION_MAX_RATE = " not in result.stdout.str() + result.stderr.str()


def test_an_assertion_fails_only_its_own_test(pytester, monkeypatch):
    monkeypatch.setenv("VALIDATION_CONFIDENCE_THRESHOLD", "seventy")
    write(pytester.path, "kept/a.json", good())
    pytester.makepyfile(
        test_plain=PLAIN,
        test_answer="import pytest_grounding as pg\n\n"
        "def test_answer():\n    pg.assert_grounded('kept/a.json')\n",
    )
    result = pytester.runpytest_inprocess()
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*variable VALIDATION_CONFIDENCE_THRESHOLD*"])


def test_a_worker_fails_the_test_with_the_same_message(pytester, monkeypatch):
    pytest.importorskip("xdist")
    monkeypatch.setenv("HALLUCINATION_MAX_RATE", "30%")
    write(pytester.path, "a.transcript.json", good())
    pytester.makepyfile(test_plain=PLAIN)
    result = pytester.runpytest_subprocess("-n1")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*variable HALLUCINATION_MAX_RATE*"])


def test_checks_a_mark_despite_a_wrong_variable(pytester, monkeypatch):
    monkeypatch.setenv("HALLUCINATION_MAX_RATE", "30%")
    pytester.makepyfile(
        "import pytest\n\n@pytest.mark.grounding(suite='off')\ndef test_plain():\n    pass\n"
        "\n@pytest.mark.grounding(suite='maybe')\ndef test_other():\n    pass\n"
    )
    result = pytester.runpytest_inprocess("-k", "plain")
    result.assert_outcomes(passed=1, deselected=1)
    result = pytester.runpytest_inprocess()
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert "suite = 'maybe'" in result.stderr.str()


def test_a_wrong_ini_key_is_always_an_error(pytester, monkeypatch):
    monkeypatch.setenv("HALLUCINATION_MAX_RATE", "30%")
    pytester.makeini("[pytest]\ngrounding_max_hallucination_rate = 7\n")
    pytester.makepyfile(test_plain=PLAIN)
    result = pytester.runpytest_inprocess()
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert "(from ini)" in result.stderr.str()


@pytest.mark.parametrize(
    ("name", "value", "header"),
    [
        ("HALLUCINATION_SIMILARITY_THRESHOLD", "0.85", "supported_threshold=0.85, borderline_threshold=0.75"),
        ("VALIDATION_PROFILE", "desk", "profile=desk, accept_confidence=0.85*"),
    ],
)
def test_one_variable_sets_related_settings(pytester, monkeypatch, name, value, header):
    monkeypatch.setenv(name, value)
    pytester.makeini("[pytest]\ngrounding_profiles =\n    desk: accept_confidence=0.85\n")
    write(pytester.path, "a.transcript.json", good())
    result = pytester.runpytest_inprocess()
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines([f"grounding: {header}"])


TEST = """
import pytest_grounding as pg

TRANSCRIPT = {"id": "a", "question": "Who?", "chunks": [], "answer": "I don't have that information."}


def test_it(grounding):
    pg.assert_grounded(TRANSCRIPT, settings={settings})


def test_fixture(grounding):
    grounding.validate(TRANSCRIPT, {settings})
"""


@pytest.mark.parametrize("settings", ["{'judge': 'gpt'}", "{'accept_confidence': 2}"])
def test_a_wrong_call_fails_at_the_call_without_our_frames(pytester, settings):
    pytester.makepyfile(TEST.replace("{settings}", settings))
    result = pytester.runpytest_inprocess()
    result.assert_outcomes(failed=2)
    shown = [line for line in result.outlines if line.startswith("test_") or ".py:" in line]
    assert shown
    assert all("test_a_wrong_call" in line for line in shown), shown
    assert sum(line.startswith("E   ") for line in result.outlines) == 2


def test_a_wrong_setting_of_a_folder_fails_its_transcripts(pytester):
    folder = pytester.mkdir("rec")
    write(folder, "a.transcript.json", good())
    pytester.makeini("[pytest]\ngrounding_directories = rec: judge=gpt")
    result = pytester.runpytest_inprocess()
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["judge = 'gpt' is not known; *"])
    result.stdout.no_fnmatch_line("*registry.py*")

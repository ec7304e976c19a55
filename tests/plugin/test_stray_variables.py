"""Wrong variables and settings stop what uses them, with one sentence."""

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
def test_a_run_without_transcripts_goes_on(pytester, monkeypatch, name, value):
    monkeypatch.setenv(name, value)
    pytester.makepyfile(test_plain=PLAIN)
    result = pytester.runpytest_inprocess()
    result.assert_outcomes(passed=1)
    assert result.ret == 0
    if name != "VALIDATION_LLM":  # the name of a judge is looked up when one is asked
        assert "grounding:" not in result.stdout.str()


@pytest.mark.parametrize("arguments", [["--version"], ["--help"], ["--markers"], ["--collect-only", "-q"]])
def test_what_runs_nothing_goes_on(pytester, monkeypatch, arguments):
    monkeypatch.setenv("HALLUCINATION_MAX_RATE", "30%")
    write(pytester.path, "a.transcript.json", good())
    result = pytester.runpytest_inprocess(*arguments)
    assert result.ret == 0
    assert "HALLUCINATION_MAX_RATE = " not in result.stdout.str() + result.stderr.str()


@pytest.mark.parametrize(("name", "value"), WRONG)
def test_a_selection_that_leaves_no_transcript_goes_on(pytester, monkeypatch, name, value):
    monkeypatch.setenv(name, value)
    write(pytester.path, "a.transcript.json", good("refunds"))
    pytester.makepyfile(test_plain=PLAIN)
    result = pytester.runpytest_inprocess("-k", "plain")
    result.assert_outcomes(passed=1, deselected=1)
    assert result.ret == 0


@pytest.mark.parametrize(("name", "value"), WRONG)
def test_a_run_with_a_transcript_ends_before_its_first_test(pytester, monkeypatch, name, value):
    monkeypatch.setenv(name, value)
    write(pytester.path, "a.transcript.json", good())
    pytester.makepyfile(test_plain=PLAIN)
    result = pytester.runpytest_inprocess()
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert value in result.stderr.str()
    assert "passed" not in result.stdout.str()


def test_an_assertion_fails_its_own_test_and_no_other(pytester, monkeypatch):
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


def test_a_worker_fails_the_test_with_the_same_sentence(pytester, monkeypatch):
    pytest.importorskip("xdist")
    monkeypatch.setenv("HALLUCINATION_MAX_RATE", "30%")
    write(pytester.path, "a.transcript.json", good())
    pytester.makepyfile(test_plain=PLAIN)
    result = pytester.runpytest_subprocess("-n1")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*variable HALLUCINATION_MAX_RATE*"])


def test_a_mark_is_checked_without_the_variable(pytester, monkeypatch):
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


def test_a_wrong_ini_key_is_an_error_whatever_runs(pytester, monkeypatch):
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
def test_one_variable_is_enough(pytester, monkeypatch, name, value, header):
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


@pytest.mark.parametrize(
    ("assignment", "words"),
    [
        ("judge=gpt", "judge = 'gpt' is not known; write one of: anthropic, cohere, ollama, openai"),
        ("judge_url=localhost:11434", "judge_url = 'localhost:11434' is not an address; write one like http"),
        ("judge_key_env=sk-123", "judge_key_env is not a name of a variable; write one like OPENAI_API_KEY"),
        ("scorer=builtin,magic", "scorer = 'magic' is not known; write one of: builtin, cohere"),
        ("calibration=no.json", "calibration = 'no.json' is not a calibration map"),
        ("confidence_model=calibrated", "needs the setting calibration"),
        ("source_root=nowhere", "source_root = 'nowhere' is not a folder; name one"),
    ],
)
def test_they_are_a_usage_error_of_one_sentence(pytester, assignment, words):
    write(pytester.path, "a.transcript.json", good())
    result = pytester.runpytest_inprocess(f"--grounding-set={assignment}")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    said = [line for line in [*result.outlines, *result.errlines] if words in line]
    assert len(said) == 1
    assert said[0].startswith("ERROR: grounding: ")


def test_a_judge_of_a_conftest_is_known_by_then(pytester):
    write(pytester.path, "a.transcript.json", good())
    pytester.makeconftest(
        """
        import pytest_grounding as pg

        class Nobody:
            name = "mine"

        class Extension:
            @pg.hookimpl
            def pytest_grounding_judges(self, settings):
                return [Nobody()]

        extension = Extension()
        pg.register(extension)

        def pytest_unconfigure():
            pg.unregister(extension)
        """
    )
    pytester.runpytest_subprocess(
        "--grounding-judge=mine", "--grounding-set=judge_scope=borderline"
    ).assert_outcomes(passed=1)


def test_a_run_without_transcripts_does_not_ask(pytester):
    pytester.makepyfile("def test_it(): pass")
    result = pytester.runpytest_inprocess("--grounding-judge=gpt")
    result.assert_outcomes(passed=1)


@pytest.mark.parametrize("settings", ["{'judge': 'gpt'}", "{'accept_confidence': 2}"])
def test_what_is_wrong_in_a_call_is_shown_at_the_call_and_nowhere_else(pytester, settings):
    pytester.makepyfile(TEST.replace("{settings}", settings))
    result = pytester.runpytest_inprocess()
    result.assert_outcomes(failed=2)
    shown = [line for line in result.outlines if line.startswith("test_") or ".py:" in line]
    assert shown
    assert all("test_what_is_wrong" in line for line in shown), shown
    assert sum(line.startswith("E   ") for line in result.outlines) == 2


def test_a_setting_of_a_folder_fails_its_transcripts_with_one_sentence(pytester):
    folder = pytester.mkdir("rec")
    write(folder, "a.transcript.json", good())
    pytester.makeini("[pytest]\ngrounding_directories = rec: judge=gpt")
    result = pytester.runpytest_inprocess()
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["judge = 'gpt' is not known; *"])
    result.stdout.no_fnmatch_line("*registry.py*")

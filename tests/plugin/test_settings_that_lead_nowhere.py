"""Settings whose value names something that is not there are told once, before any test runs."""

import pytest
from recorded import good, write

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

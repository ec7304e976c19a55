import pytest
from recorded import bad, good, section, write

TEST = """
import pytest
import pytest_grounding as pg

@pytest.mark.transcripts({arguments})
def test_it(transcript):
    pg.assert_grounded(transcript)
"""


def test_runs_once_per_transcript(pytester):
    pytester.makepyfile(TEST.format(arguments="'data/*.json', 'more.jsonl'"))
    write(pytester.path, "data/b.json", good("second"))
    write(pytester.path, "data/a.json", good("first"))
    write(pytester.path, "more.jsonl", good("third"), bad("fourth"))
    result = pytester.runpytest_inprocess("-v", "--strict-markers")
    result.assert_outcomes(passed=3, failed=1)
    result.stdout.fnmatch_lines(
        ["*[[]first] PASSED*", "*[[]second] PASSED*", "*[[]third] PASSED*", "*[[]fourth] FAILED*"]
    )


def test_a_folder_means_its_transcripts(pytester):
    pytester.makepyfile(TEST.format(arguments="'data'"))
    write(pytester.path, "data/deep/a.transcript.json", good("deep"))
    result = pytester.runpytest_inprocess("-k", "test_it", "-v")
    result.stdout.fnmatch_lines(["*test_it[[]deep] PASSED*"])


def test_a_pattern_without_a_match_fails(pytester):
    pytester.makepyfile(TEST.format(arguments="'data/*.json'"))
    result = pytester.runpytest_inprocess()
    result.assert_outcomes(errors=1)
    assert result.ret == 1
    result.stdout.fnmatch_lines(["transcripts('data/[*].json') matches no file*check the pattern"])


def test_one_of_two_patterns_without_a_match_fails_too(pytester):
    pytester.makepyfile(TEST.format(arguments="'data/*.json', 'gone/*.json'"))
    write(pytester.path, "data/a.json", good())
    result = pytester.runpytest_inprocess()
    result.assert_outcomes(passed=1, errors=1)


def test_a_setting_skips_a_pattern_without_a_match(pytester):
    pytester.makepyfile(TEST.format(arguments="'data/*.json'"))
    result = pytester.runpytest_inprocess("--grounding-set=missing=warn", "-rs")
    result.assert_outcomes(skipped=1)
    assert result.ret == 0
    assert any("note: no transcript was found" in line for line in section(result))


def test_a_malformed_row_fails_alone(pytester):
    pytester.makepyfile(TEST.format(arguments="'x.jsonl'"))
    write(pytester.path, "x.jsonl", good("a"), "{", good("b"))
    result = pytester.runpytest_inprocess()
    result.assert_outcomes(passed=2, errors=1)
    result.stdout.fnmatch_lines(["x.jsonl:2: is not JSON*"])


def test_keyword_arguments_are_settings_of_the_test(pytester):
    pytester.makepyfile(
        """
        import pytest

        @pytest.mark.transcripts("x.json", accept_confidence=0.91, fail_on="reject")
        def test_it(transcript, grounding):
            assert grounding.settings.accept_confidence == 0.91
            assert grounding.settings.fail_on == "reject"
        """
    )
    write(pytester.path, "x.json", good())
    pytester.runpytest_inprocess("--grounding-suite=off").assert_outcomes(passed=1)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            "'x.json', acept_confidence=0.9",
            "*test_it*: setting 'acept_confidence' (from marker) is unknown; did*",
        ),
        ("'x.json', accept_confidence=7", "*test_it*: accept_confidence = 7 is out of range*"),
        ("", "*transcripts(): name at least one pattern*"),
        ("7", "*transcripts(7): name at least one pattern*"),
    ],
)
def test_a_wrong_mark_is_a_usage_error_before_any_test_runs(pytester, arguments, said):
    pytester.makepyfile(TEST.format(arguments=arguments), test_other="def test_other(): open('ran', 'w')")
    write(pytester.path, "x.json", good())
    result = pytester.runpytest_inprocess()
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"ERROR: grounding: {said}"])
    assert not (pytester.path / "ran").exists()


def test_a_mark_without_the_argument_is_a_usage_error(pytester):
    pytester.makepyfile("import pytest\n@pytest.mark.transcripts('x.json')\ndef test_it(): pass\n")
    result = pytester.runpytest_inprocess()
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*takes no argument named transcript; add it"])


def test_the_argument_without_a_mark_names_the_mark(pytester):
    pytester.makepyfile("def test_it(transcript): pass")
    result = pytester.runpytest_inprocess()
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*comes from a mark: @pytest.mark.transcripts(*"])


def test_a_fixture_may_build_on_the_transcript(pytester):
    pytester.makepyfile(
        """
        import pytest

        @pytest.fixture
        def answer(transcript):
            return transcript.answer

        @pytest.mark.transcripts("x.json")
        class TestIt:
            def test_it(self, answer):
                assert "25" in answer
        """
    )
    write(pytester.path, "x.json", good())
    pytester.runpytest_inprocess("--grounding-suite=off").assert_outcomes(passed=1)

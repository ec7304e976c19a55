"""Tests that are marked with transcripts, and a file that is none."""

from recorded import good, write


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


def test_a_file_that_is_not_utf_8_fails_alone(pytester):
    (pytester.path / "a.transcript.json").write_bytes(b'{"id": "\xff"}')
    write(pytester.path, "b.transcript.json", good())
    result = pytester.runpytest_inprocess()
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["a.transcript.json*: is not UTF-8*"])

"""Wrong environment variables and settings stop only what uses them."""

import pytest
from recorded import good, write

PLAIN = "def test_plain():\n    assert 1 + 1 == 2\n"


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

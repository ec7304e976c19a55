"""Options with an empty value, and what tracebacks and the help show."""

import json

from recorded import good

_ON = "--continue-on-collection-errors"


def test_no_traceback_shows_the_environment(pytester, monkeypatch):
    monkeypatch.setenv("SERVICE_TOKEN", "hunter2")
    # This late, a wrong setting is found only when the first transcript is read.
    pytester.makeconftest(
        "import pytest\n"
        "@pytest.hookimpl(trylast=True)\n"
        "def pytest_configure(config): config.option.grounding_profile = 'nobody'\n"
    )
    (pytester.path / "a.transcript.json").write_text(json.dumps(good()), "utf-8")
    pytester.makepyfile(
        "import pytest_grounding as pg\n"
        "def test_settings(): pg.Settings.from_environment(values={'profile': 'nobody'})\n"
    )
    text = pytester.runpytest_inprocess("-vv", "-l", "--full-trace", _ON).stdout.str()
    assert "profile 'nobody' (from command line) is unknown" in text
    assert "profile 'nobody' (from argument) is unknown" in text
    assert "environment variables>" in text  # the frames were shown, with what they hold
    assert "hunter2" not in text
    assert "environment variables>" not in pytester.runpytest_inprocess("-vv", "-l", _ON).stdout.str()


def test_adds_few_lines_to_the_help(pytester):
    def lines(*options):
        return pytester.runpytest_subprocess("--help", *options).stdout.lines

    ours, theirs = lines(), lines("-p", "no:pytest_grounding")
    assert len(theirs) < len(ours) <= len(theirs) + 40
    assert "pytest-grounding show settings" in " ".join(" ".join(ours).split())
    pytester.makeini("[pytest]\ngrounding_profile = lenient\n")
    header = pytester.runpytest_inprocess("--grounding-accept-confidence=0.5").stdout
    header.fnmatch_lines(["grounding: profile=lenient, *accept_confidence=0.5*"])

"""Options with an empty value, and what tracebacks and the help show."""

import json

import pytest
from recorded import good

from pytest_grounding.__main__ import main

WRITES = ("--grounding-json", "--grounding-audit", "--grounding-used", "--grounding-shard-report")
_ON = "--continue-on-collection-errors"


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ("--grounding-profile=", "profile '' (from command line) is unknown; write one of: default, lenient"),
        ("--grounding-expect=", "expect = '' is not a whole number; write a whole number from 0"),
        ("--grounding-fail-on=", "fail_on = '' is not known; write one of: review, reject"),
        ("--grounding-baseline=", "--grounding-baseline= names no file; name one, or leave the option out"),
        *((f"{name}=", f"{name}= names no file; name one, or leave the option out") for name in WRITES),
    ],
)
def test_an_empty_value_is_a_usage_error(pytester, option, message):
    (pytester.path / "a.transcript.json").write_text(json.dumps(good()), "utf-8")
    pytester.makepyfile("def test_it(): open('ran', 'w')")
    result = pytester.runpytest_inprocess(option)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    [line] = [line for line in result.stderr.lines if line]
    assert line.startswith(f"ERROR: grounding: {message}")
    assert not (pytester.path / "ran").exists()


@pytest.mark.parametrize("option", ["--baseline", "--work"])
def test_an_empty_value_is_a_usage_error_of_the_command(tmp_path, capsys, option):
    file = tmp_path / "a.transcript.json"
    file.write_text(json.dumps(good()), "utf-8")
    with pytest.raises(SystemExit) as left:
        main(["check", str(file), option, ""])
    assert left.value.code == 2
    printed = capsys.readouterr()
    assert f"argument {option}: names nothing; write a file or folder, or leave the option out" in printed.err
    assert not printed.out


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

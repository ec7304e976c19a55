"""A run whose validations take too long fails, where a limit is set; without one no report holds a time."""

import json
from itertools import product

import pytest

from pytest_grounding.cli import main
from pytest_grounding.testing import Example

CHUNK = "Refunds are paid within 14 days of the return."
GOOD = Example("How long do refunds take?", [CHUNK]).answered(f"{CHUNK[:-1]} [1].", id="good")


@pytest.fixture
def folder(pytester, monkeypatch):
    monkeypatch.delenv("GROUNDING_JOBS", raising=False)
    lines = [json.dumps({**GOOD, "id": f"good-{number}"}) for number in range(6)]
    (pytester.path / "a.transcripts.jsonl").write_text("\n".join(lines))
    return pytester


def test_check_fails_above_the_limit_and_says_what_it_measured(folder, capsys):
    limits = (("0.0001", 1), ("60000", 0), ("0", 0))
    for words, (limit, status) in product(((), ("--jobs", "1")), limits):
        assert main(["check", ".", "--set", f"suite_max_milliseconds={limit}", "--json", *words]) == status
        report = json.loads(capsys.readouterr().out)
        slow = [reason for reason in report["gate"]["reasons"] if "ms a validation (6 validations)" in reason]
        assert bool(slow) is bool(status)
        assert report["run"]["slow"] == slow


@pytest.mark.parametrize("workers", [(), ("-n", "2")])
def test_pytest_fails_above_the_limit(folder, workers):
    for limit, status in (("0.0001", 1), ("60000", 0)):
        result = folder.runpytest(f"--grounding-set=suite_max_milliseconds={limit}", *workers)
        assert result.ret == status
        said = "must be <= 0.0001 (suite_max_milliseconds)" in result.stdout.str()
        assert said is bool(status)

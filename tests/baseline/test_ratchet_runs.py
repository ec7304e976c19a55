"""``baseline_gate = new`` in runs of pytest, with workers and shards, cut short, and on the command line."""

import json
import subprocess

import pytest
import warm_starts
from recorded_suites import GOOD, transcript, write

from pytest_grounding.cli import main
from pytest_grounding.settings import ENVIRONMENT

SUITE = "suite.transcripts.jsonl"
PLANTED = "Employees receive 30 vacation days per year."
KNOWN = 13


@pytest.fixture(autouse=True)
def _no_settings_from_outside(monkeypatch):
    for name in (*ENVIRONMENT, "PYTEST_ADDOPTS", "PYTEST_XDIST_WORKER", "CI", "GITHUB_STEP_SUMMARY"):
        monkeypatch.delenv(name, raising=False)


def known(number):
    return transcript(f"known-{number:02}", f"The cafeteria serves grilled octopus in room {number + 40}.")


def rows(*, repaired=(), planted="", good=10):
    """Good answers, thirteen false alarms, some of them repaired, and perhaps one planted fault."""
    alarms = [
        transcript(f"known-{number:02}") if number in repaired else known(number) for number in range(KNOWN)
    ]
    right = [
        transcript(f"good-{number}", planted if planted and not number else GOOD) for number in range(good)
    ]
    return [*alarms, *right]


@pytest.fixture
def suite(pytester):
    """A suite with thirteen false alarms and their baseline."""
    write(pytester.path, *rows())
    pytester.makeini("[pytest]\ngrounding_baseline = b.json\ngrounding_baseline_gate = new\n")
    assert main(["baseline", "b.json", SUITE]) == 0
    return pytester


def run(pytester, *arguments):
    return pytester.runpytest_inprocess("-p", "no:cacheprovider", *arguments)


def test_known_findings_pass_and_a_planted_fault_fails(suite):
    green = run(suite, "--grounding-json=out.json")
    green.assert_outcomes(passed=KNOWN + 10)
    assert green.ret == 0
    green.stdout.fnmatch_lines(["*ok (13 known left out)", "  13 known, 0 new, 0 gone", "gate: PASS"])
    assert json.loads((suite.path / "out.json").read_text())["gate"]["baseline"]["ratchet"] == {
        "gone": [],
        "known": 13,
        "line": "13 known, 0 new, 0 gone",
        "new": [],
    }
    write(suite.path, *rows(repaired=(0, 1), planted=PLANTED))
    red = run(suite)
    red.assert_outcomes(passed=KNOWN + 9, failed=1)
    assert red.ret == 1
    red.stdout.fnmatch_lines(
        [
            "  11 known, 1 new, 2 gone",
            "  not in the baseline: good-0: error contradicted*",
            "gate: FAIL",
            "  1 transcript failed: good-0",
        ]
    )
    text = red.stdout.str()
    gone = ("gone", "note:", "other content")
    assert not any("known-" in line for line in text.splitlines() if not line.strip().startswith(gone))


def test_known_findings_fail_by_default(suite):
    result = run(suite, "--grounding-baseline-gate=all")
    result.assert_outcomes(passed=10, failed=KNOWN)
    assert result.ret == 1
    assert "new findings" not in result.stdout.str()


def test_a_pruned_finding_that_returns_is_new(suite, capsys):
    write(suite.path, *rows(repaired=(3,)))
    before = (suite.path / "b.json").read_text()
    capsys.readouterr()
    assert main(["baseline", "b.json", SUITE, "--prune"]) == 0
    assert 'would remove known-03: warning unsupported_claim "The cafeteria' in capsys.readouterr().out
    assert (suite.path / "b.json").read_text() == before, "without --yes nothing is changed"
    assert main(["baseline", "b.json", SUITE, "--prune", "--yes"]) == 0
    assert "b.json: 12 known findings left" in capsys.readouterr().out
    after = (suite.path / "b.json").read_text().splitlines()
    assert len(after) == len(before.splitlines()) - 1
    assert run(suite).ret == 0
    write(suite.path, *rows())
    back = run(suite)
    back.assert_outcomes(passed=KNOWN + 9, failed=1)
    back.stdout.fnmatch_lines(["  12 known, 1 new, 0 gone", "  not in the baseline: known-03: *"])


def test_pruning_a_part_keeps_the_rest(suite, capsys):
    write(suite.path, transcript("known-00"), name="part.transcripts.jsonl")
    assert main(["baseline", "b.json", "part.transcripts.jsonl", "--prune", "--yes"]) == 0
    assert "12 known findings left" in capsys.readouterr().out
    assert main(["baseline", "b.json", "--prune"]) == 2
    assert "--prune names no transcripts" in capsys.readouterr().err
    assert main(["baseline", "b.json", SUITE, "--yes"]) == 2
    (suite.path / "part.transcripts.jsonl").write_text("{", encoding="utf-8")
    assert main(["baseline", "b.json", "part.transcripts.jsonl", "--prune", "--yes"]) == 2
    assert "nothing was pruned: part.transcripts.jsonl" in capsys.readouterr().err


def test_a_refresh_only_shrinks_the_baseline(suite):
    write(suite.path, *rows(repaired=(0,), planted=PLANTED))
    refresh = ("--grounding-baseline=b.json", "--grounding-baseline-update")
    shrunk = run(suite, *refresh)
    assert shrunk.ret == 1
    shrunk.stdout.fnmatch_lines(
        ["baseline written: b.json, *", "1 new finding was not taken into the baseline*"]
    )
    again = run(suite)
    assert again.ret == 1
    again.stdout.fnmatch_lines(["  12 known, 1 new, 0 gone"])
    grown = run(suite, *refresh, "--grounding-baseline-allow-new")
    assert "not taken" not in grown.stdout.str()
    last = run(suite)
    assert last.ret == 0
    last.stdout.fnmatch_lines(["  13 known, 0 new, 0 gone"])


def test_the_command_only_shrinks_the_baseline(suite, capsys):
    write(suite.path, *rows(repaired=(0,), planted=PLANTED))
    capsys.readouterr()
    assert main(["baseline", "b.json", SUITE]) == 1
    printed = capsys.readouterr()
    assert 'gone known-00: warning unsupported_claim "The cafeteria' in printed.out
    assert "1 new finding was not taken into the baseline" in printed.err
    assert "--allow-new takes what is new" in printed.err
    assert main(["baseline", "b.json", SUITE, "--allow-new"]) == 0
    assert main(["baseline", "b.json"]) == 0
    shown = capsys.readouterr().out
    assert shown.count("  known: ") == 13
    write(suite.path, *rows(repaired=(0,), planted=PLANTED)[:-1])
    assert main(["baseline", "b.json", SUITE]) == 0
    assert "vanished good-9\n" in capsys.readouterr().out
    assert "  known: error contradicted" in shown


def check(folder, *arguments, path=SUITE):
    return subprocess.run(
        [warm_starts.python(), "-m", "pytest_grounding", "check", path, *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )


def test_check_with_a_baseline(suite):
    (suite.path / "tox.ini").unlink()
    ratchet = ("--baseline", "b.json", "--set", "baseline_gate=new")
    green = check(suite.path, *ratchet, "--report", "github-summary:summary.md")
    assert green.returncode == 0, green.stdout
    assert "reject (known): known-00 (confidence 0." in green.stdout
    assert "\n  13 known, 0 new, 0 gone\n" in green.stdout
    assert "13 known, 0 new, 0 gone" in (suite.path / "summary.md").read_text()
    assert check(suite.path, "--baseline", "b.json").returncode == 1
    write(suite.path, *rows(planted=PLANTED))
    red = check(suite.path, *ratchet, "--report", "github-summary:summary.md", "--report", "html:r.html")
    assert red.returncode == 1
    assert "1 transcript failed: good-0" in red.stdout
    assert "known-" not in red.stdout.partition("transcripts: ")[2]
    summary = (suite.path / "summary.md").read_text()
    assert "13 known, 1 new, 0 gone" in summary
    assert "known-" not in summary
    assert "13 known, 1 new, 0 gone" in (suite.path / "r.html").read_text()
    alone = check(suite.path, "--set", "baseline_gate=new")
    assert alone.returncode == 2
    assert "baseline_gate = new needs a baseline" in alone.stderr


def test_check_uses_the_configured_baseline(suite):
    green = check(suite.path)
    assert green.returncode == 0, green.stderr
    assert "\n  13 known, 0 new, 0 gone\n" in green.stdout
    assert "gate: PASS" in green.stdout
    # The command line overrides it.
    assert "there is no such baseline" in check(suite.path, "--baseline", "other.json").stderr
    # A part of the suite decides nothing about the others.
    few = suite.path / SUITE
    lines = few.read_text().splitlines(keepends=True)
    few.write_text("".join(lines[:4]))
    part = check(suite.path)
    assert (part.returncode, "gate: UNDECIDED" in part.stdout) == (0, True), part.stdout
    assert f"a partial run ({KNOWN + 10 - 4} transcripts of b.json not in these paths)" in part.stdout
    assert "vanished" not in part.stdout
    assert check(suite.path, "--baseline", "b.json").returncode == 1, "what is missing vanished"
    # Missing transcripts are named; in a check of the whole project they have vanished.
    few.write_text("".join(lines[:-1]))
    assert "of b.json not in these paths: good-9)" in check(suite.path).stdout
    whole = check(suite.path, path=".")
    assert whole.returncode == 1, whole.stdout
    assert "  baseline: 1 transcript of the baseline vanished: good-9 (not in this run)\n" in whole.stdout
    # A recording that was not read has not vanished.
    (suite.path / "rest.jsonl").write_text(lines[-1])
    unread = check(suite.path, path=".")
    assert "not read: rest.jsonl" in unread.stderr
    assert (unread.returncode, "gate: UNDECIDED" in unread.stdout) == (0, True), unread.stdout
    (suite.path / "rest.jsonl").unlink()
    # A new finding fails in a part too.
    write(suite.path, *rows(planted=PLANTED)[-10:])
    red = check(suite.path)
    assert red.returncode == 1
    assert "1 transcript failed: good-0" in red.stdout
    # A subfolder uses the same file.
    below = suite.path / "below"
    below.mkdir()
    (below / SUITE).write_text("".join(lines))
    assert check(below).returncode == 0


def test_no_baseline_is_a_usage_error(pytester):
    write(pytester.path, transcript("a"))
    result = run(pytester, "--grounding-baseline-gate=new")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert "baseline_gate = new needs a baseline" in result.stderr.str()
    missing = run(pytester, "--grounding-baseline-gate=new", "--grounding-baseline=b.json")
    assert "there is no baseline b.json" in missing.stderr.str()
    advice = "write it with: pytest --grounding-baseline=none.json --grounding-baseline-update"
    assert advice in run(pytester, "--grounding-baseline=none.json").stderr.str()


def test_a_narrowed_run_reports_gone_findings_only_of_its_transcripts(suite):
    write(suite.path, *rows(repaired=(0, 5)))
    part = run(suite, "-k", "known-00 or known-01")
    part.assert_outcomes(passed=2, deselected=KNOWN + 8)
    assert part.ret == 0
    part.stdout.fnmatch_lines(["  1 known, 0 new, 1 gone", "gate: UNDECIDED"])


def test_workers_know_the_baseline(suite):
    pytest.importorskip("xdist")
    write(suite.path, *rows(planted=PLANTED, repaired=(2,)))
    alone = run(suite, "--grounding-json=alone.json")
    shared = run(suite, "--grounding-json=shared.json", "-n2")
    for result in (alone, shared):
        result.assert_outcomes(passed=KNOWN + 9, failed=1)
        result.stdout.fnmatch_lines(["  12 known, 1 new, 1 gone"])
    assert (suite.path / "alone.json").read_bytes() == (suite.path / "shared.json").read_bytes()


def test_shards_know_the_baseline_and_the_merge_decides(suite, capsys):
    write(suite.path, *rows(repaired=(4,)))
    for name, words in (("1", "known"), ("2", "good")):
        assert run(suite, "-k", words, f"--grounding-shard-report=s/{name}.json").ret == 0
    shards = ["s/1.json", "s/2.json"]
    capsys.readouterr()
    assert main(["merge", *shards, "--expect", "2", "--baseline", "b.json"]) == 0
    assert "  12 known, 0 new, 1 gone\n" in capsys.readouterr().out
    assert main(["merge", *shards]) == 2
    assert "name their baseline with --baseline FILE" in capsys.readouterr().err
    write(suite.path, *rows(planted=PLANTED))
    assert run(suite, "-k", "good", "--grounding-shard-report=s/2.json").ret == 1
    assert main(["merge", *shards, "--baseline", "b.json", "--baseline-update"]) == 1
    printed = capsys.readouterr()
    assert "1 new finding was not taken into the baseline" in printed.err
    assert main(["merge", *shards, "--baseline", "b.json"]) == 1
    assert "  12 known, 1 new, 0 gone\n" in capsys.readouterr().out
    main(["merge", *shards, "--baseline", "b.json", "--baseline-update", "--allow-new"])
    assert "not taken" not in capsys.readouterr().err
    assert run(suite, "-k", "good", "--grounding-shard-report=s/2.json").ret == 0
    assert main(["merge", *shards, "--baseline", "b.json"]) == 0


LEAVING = """
import pytest

def pytest_runtest_teardown(item):
    if item.name == "known-05":
        pytest.exit("enough", returncode=0)
"""


def test_a_run_cut_short_writes_no_baseline(suite):
    suite.makeconftest(LEAVING)
    before = (suite.path / "b.json").read_bytes()
    result = suite.runpytest_subprocess("-p", "no:cacheprovider")
    assert result.ret == 1
    result.stdout.fnmatch_lines(["  6 known, 0 new, 0 gone", "gate: UNDECIDED"])
    result = suite.runpytest_subprocess("--grounding-baseline=b.json", "--grounding-baseline-update")
    assert result.ret == 1
    assert (suite.path / "b.json").read_bytes() == before


def test_an_unreadable_row_fails_with_any_baseline(suite):
    with (suite.path / SUITE).open("a") as file:
        file.write("{\n")
    result = run(suite)
    result.assert_outcomes(passed=KNOWN + 10, failed=1)
    assert result.ret == 1


def test_an_expected_status_with_a_baseline(suite):
    wanted = [
        {**transcript("wanted", "Cats can fly to the moon."), "metadata": {"expected_status": status}}
        for status in ("pass", "review")
    ]
    write(suite.path, *rows(), wanted[0])
    assert main(["baseline", "b.json", SUITE, "--allow-new"]) == 0
    assert run(suite).ret == 0
    assert main(["check", SUITE, "--baseline", "b.json", "-q"]) == 0
    write(suite.path, *rows(), {**wanted[1], "answer": GOOD})
    repaired = run(suite)
    repaired.stdout.fnmatch_lines(["its metadata says expected_status = review, but it is pass:"])
    assert repaired.ret == 1

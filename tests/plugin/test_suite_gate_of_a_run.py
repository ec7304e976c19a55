"""The gate over a whole run: exit statuses, promises, partial runs and self-correction."""

import json

import pytest
from recorded import bad, good, low, section, write

LENIENT = ("--grounding-set=max_hallucination_rate=1", "--grounding-set=confidence_model=self_rag")
PASSING = "def test_plain(): pass\n"


@pytest.fixture
def project(pytester):
    """A suite whose figures fail, of which a part passes."""
    pytester.makeini(
        "[pytest]\ntestpaths = suite\ngrounding_fail_on = reject\ngrounding_max_hallucination_rate = 1\n"
        "grounding_confidence_model = self_rag\n"
    )
    write(pytester.path, "suite/a.transcripts.jsonl", good("x"), good("y"), low("low"))
    write(pytester.path, "suite/test_plain.py", PASSING)
    return pytester


def test_deselection_by_another_plugin_narrows_the_run(pytester):
    pytester.makeconftest(
        "def pytest_collection_modifyitems(config, items):\n"
        "    gone = [item for item in items if item.name == 'y']\n"
        "    items[:] = [item for item in items if item.name != 'y']\n"
        "    config.hook.pytest_deselected(items=gone)\n"
    )
    write(pytester.path, "a.transcripts.jsonl", good("x"), good("y"))
    result = pytester.runpytest_inprocess()
    assert result.ret == 0
    assert any("1 deselected" in line for line in section(result))


def test_a_run_started_in_a_subfolder_is_partial(project, monkeypatch):
    monkeypatch.chdir(project.mkdir("suite/below"))
    write(project.path, "suite/below/b.transcript.json", good("z"))
    result = project.runpytest_subprocess()
    assert "gate: UNDECIDED" in section(result)


def test_ctrl_c_leaves_the_suite_undecided(pytester):
    write(pytester.path, "a.transcripts.jsonl", good("x"), bad("y"))
    pytester.makepyfile(test_z="def test_z(): raise KeyboardInterrupt\n")
    result = pytester.runpytest_subprocess("--grounding-json=out.json")
    assert result.ret == pytest.ExitCode.INTERRUPTED
    assert "gate: FAIL (suite: undecided)" in section(result)
    assert json.loads((pytester.path / "out.json").read_text())["run"]["interrupted"] == ["interrupted"]


@pytest.mark.parametrize(
    ("conftest", "test", "options", "status", "gate"),
    [
        ("", "def test_it(): assert 0", (), pytest.ExitCode.TESTS_FAILED, "PASS"),
        ("", "def test_it(): raise KeyboardInterrupt", (), pytest.ExitCode.INTERRUPTED, "UNDECIDED"),
        ("", "import nothing_of_this_name", (), pytest.ExitCode.INTERRUPTED, None),
        (
            "def pytest_runtest_logreport(report): raise RuntimeError('planted')",
            *(PASSING, (), pytest.ExitCode.INTERNAL_ERROR, None),
        ),
        ("", PASSING, ("gone.py",), pytest.ExitCode.USAGE_ERROR, None),
    ],
)
def test_keeps_the_exit_status_of_pytest(pytester, conftest, test, options, status, gate):
    write(pytester.path, "a.transcript.json", good("x"))
    pytester.makeconftest(conftest)
    pytester.makepyfile(test_z=test)
    result = pytester.runpytest_subprocess("--grounding", *options)
    assert result.ret == status
    assert gate is None or f"gate: {gate}" in section(result)


@pytest.mark.parametrize("absent", ["terminal", "cacheprovider", "xdist", "skipping", "warnings", "logging"])
def test_the_gate_works_without_other_plugins(pytester, absent):
    write(pytester.path, "a.transcripts.jsonl", good(), low("low"))
    result = pytester.runpytest_subprocess(
        "-p", f"no:{absent}", "--grounding-fail-on=reject", *LENIENT, "--grounding-json=out.json"
    )
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert json.loads((pytester.path / "out.json").read_text())["gate"]["status"] == "fail"


SOURCE = "Refunds are paid within 14 days of the return."
QUESTION = "How long do refunds take?"
TEST = f"""
import json
import pytest_grounding as pg

def corrected(identifier, first, *answers):
    answers = list(answers)
    recorded = {{"id": identifier, "question": {QUESTION!r}, "answer": first,
                "chunks": [{{"id": "c", "text": {SOURCE!r}, "score": 0.9}}]}}
    return pg.assert_self_corrects(recorded, lambda prompt: answers.pop(0))

RIGHT = "Refunds are paid within 14 days of the return [1]."
WRONG = "Penguins read newspapers in Peru [1]."

def test_one():
    corrected("one", WRONG, RIGHT)

def test_two():
    corrected("two", WRONG, WRONG, RIGHT)
"""


def run(pytester, *arguments):
    result = pytester.runpytest_inprocess("--grounding-json=run.json", *arguments)
    return result, json.loads((pytester.path / "run.json").read_text())


def test_shows_the_mean_gain_of_self_correction(pytester):
    pytester.makepyfile(TEST)
    result, report = run(pytester)
    result.assert_outcomes(passed=2)
    assert result.ret == 0
    summary = report["summary"]
    gains = [item["confidence_gain"] for item in report["transcripts"]]
    assert summary["corrected"] == summary["corrected_gained"] == 2
    assert summary["correction_gain"] == pytest.approx(sum(gains) / 2)
    assert summary["correction_gain"] > 0.2
    result.stdout.fnmatch_lines(["self-corrected answers: 2, mean gain of confidence +0.*"])


def test_counts_answers_that_were_not_corrected(pytester):
    wrong = "def test_three(): corrected('three', WRONG, WRONG, WRONG)\n"
    pytester.makepyfile(f"{TEST}\n{wrong}def test_at_once(): corrected('at-once', RIGHT)\n")
    result, report = run(pytester)
    result.assert_outcomes(passed=3, failed=1)
    assert (report["summary"]["corrected"], report["summary"]["corrected_gained"]) == (3, 2)
    assert run(pytester, "-k", "at_once")[1]["summary"]["correction_gain"] is None


def test_reports_show_self_correction(pytester):
    pytester.makepyfile(TEST)
    kinds = {"html": "r.html", "github-summary": "r.md", "prometheus": "r.prom"}
    asked = [f"--grounding-report={kind}:{name}" for kind, name in kinds.items()]
    result, _ = run(pytester, *asked)
    assert result.ret == 0
    assert "self-corrected answers" in (pytester.path / "r.md").read_text()

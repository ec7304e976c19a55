"""The gate over a whole run: exit statuses, promises, partial runs and self-correction."""

import json

import pytest
from recorded import bad, good, section, write

LENIENT = ("--grounding-set=max_hallucination_rate=1", "--grounding-set=confidence_model=self_rag")
PASSING = "def test_plain(): pass\n"


def low(identifier):
    """Passes its own test where fail_on is reject, and is not confident."""
    return good(
        identifier, answer="Employees receive 25 vacation days per year. The office is painted purple."
    )


def test_a_suite_threshold_fails_a_run_in_which_every_test_passed(pytester):
    write(pytester.path, "a.transcripts.jsonl", good(), low("low"))
    result = pytester.runpytest_inprocess("--grounding-fail-on=reject", *LENIENT)
    result.assert_outcomes(passed=2)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    lines = section(result)
    assert "gate: FAIL" in lines
    assert any("hallucination rate of the claims" in line and line.endswith("FAIL") for line in lines)
    assert any("The office is painted purple" in line for line in lines)


def test_the_gate_can_be_switched_off(pytester):
    write(pytester.path, "a.transcripts.jsonl", good(), low("low"))
    result = pytester.runpytest_inprocess("--grounding-fail-on=reject", *LENIENT, "--grounding-suite=off")
    assert result.ret == 0
    assert "  the suite's gate is switched off (suite = off)" in section(result)


def test_a_good_run_passes_and_shows_its_figures(pytester):
    write(pytester.path, "a.transcripts.jsonl", good("x"), good("y"))
    result = pytester.runpytest_inprocess()
    assert result.ret == 0
    lines = section(result)
    assert "transcripts: 2 (2 passed, 0 to review, 0 rejected)" in lines
    assert "gate: PASS" in lines
    assert any(line.startswith("citation accuracy") and "0.342 to 1.000" in line for line in lines)


def test_a_promise_without_a_transcript_fails_unless_a_setting_allows_it(pytester):
    pytester.makepyfile(PASSING)
    for option in ("--grounding", "--grounding-expect=1"):
        result = pytester.runpytest_inprocess(option)
        result.assert_outcomes(passed=1)
        assert result.ret == pytest.ExitCode.TESTS_FAILED
        assert "gate: FAIL" in section(result)
    result = pytester.runpytest_inprocess("--grounding", "--grounding-set=missing=warn")
    assert result.ret == 0
    assert "  note: no transcript was found where --grounding promised some" in section(result)


def test_a_promise_covers_a_part_of_the_suite(pytester):
    """`pytest --grounding PATH` fails where PATH has tests and no transcript; it passed as undecided."""
    write(pytester.path, "rec/a.transcript.json", good("x"))
    pytester.mkdir("unit").joinpath("test_unit.py").write_text(PASSING)
    for arguments in (["unit"], ["-k", "test_plain"], ["unit/test_unit.py::test_plain"]):
        result = pytester.runpytest_inprocess("--grounding", *arguments)
        result.assert_outcomes(passed=1, deselected=1 if "-k" in arguments else 0)
        assert result.ret == pytest.ExitCode.TESTS_FAILED
        lines = section(result)
        assert "gate: FAIL" in lines
        assert "  no transcript was found where --grounding promised some" in lines
    assert pytester.runpytest_inprocess("--grounding", "rec").ret == 0
    assert pytester.runpytest_inprocess("--grounding", "unit", "--grounding-set=missing=warn").ret == 0


def test_a_promise_of_addopts_is_for_the_whole_suite(pytester):
    pytester.makeini("[pytest]\naddopts = --grounding\n")
    pytester.mkdir("unit").joinpath("test_unit.py").write_text(PASSING)
    assert pytester.runpytest_inprocess("unit").ret == 0
    assert pytester.runpytest_inprocess().ret == pytest.ExitCode.TESTS_FAILED


def test_a_run_stopped_by_a_failure_breaks_no_promise(pytester):
    pytester.makepyfile("def test_it(): assert 0")
    write(pytester.path, "z.transcript.json", good("x"))
    result = pytester.runpytest_inprocess("--grounding", "-x")
    assert not any("promised" in line for line in section(result))


def test_fewer_than_expected_fail_and_enough_pass(pytester):
    write(pytester.path, "a.transcripts.jsonl", good("x"), good("y"))
    assert pytester.runpytest_inprocess("--grounding-expect=2").ret == 0
    result = pytester.runpytest_inprocess("--grounding-expect=3")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert "  2 transcripts validated, at least 3 expected" in section(result)


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


NARROWED = [
    (["-k", "x or y or low"], "-k x or y or low"),
    (["-m", "not slow"], "-m not slow"),
    (["--deselect", "suite/test_plain.py::test_plain"], "--deselect"),
    (["suite/a.transcripts.jsonl"], "only suite/a.transcripts.jsonl"),
    (["suite/a.transcripts.jsonl::low"], "only suite/a.transcripts.jsonl::low"),
    (["--lf"], "--lf"),
    (["--ignore=elsewhere"], "--ignore"),
    (["--stepwise"], "--stepwise"),
]


def test_a_narrowed_run_is_undecided(project):
    for arguments, reason in NARROWED:
        result = project.runpytest_inprocess(*arguments)
        assert result.ret == 0, result.stdout.str()
        lines = section(result)
        assert "gate: UNDECIDED" in lines, arguments
        assert any(line.startswith("  a partial run (") and reason in line for line in lines), arguments


@pytest.mark.parametrize(
    "arguments", [[], ["suite"], ["."], ["suite", "--ff"], ["-v"], ["-p", "no:cacheprovider"], ["-x"]]
)
def test_a_whole_run_is_decided(project, arguments):
    result = project.runpytest_inprocess(*arguments)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert "gate: FAIL" in section(result)


def test_a_setting_requires_a_whole_run(project):
    result = project.runpytest_inprocess("-k", "x", "--grounding-partial-runs=fail")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert any("a whole run is required" in line for line in section(result))


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


def test_a_run_stopped_by_x_reports_nothing_missing(pytester):
    write(pytester.path, "a.transcripts.jsonl", bad("x"), good("y"))
    result = pytester.runpytest_inprocess("-x", "--grounding-json=run.json")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert "gate: FAIL: 1 transcript failed: x" in section(result)
    run = json.loads((pytester.path / "run.json").read_text(encoding="utf-8"))["run"]
    assert run["narrowed"]
    assert run["missing"] == {}


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


def test_a_run_without_tests_keeps_exit_status_5(pytester):
    assert pytester.runpytest_inprocess("--grounding").ret == pytest.ExitCode.NO_TESTS_COLLECTED


def test_a_report_that_cannot_be_written_fails_the_run(pytester):
    write(pytester.path, "a.transcript.json", good("x"))
    (pytester.path / "file").write_text("")
    result = pytester.runpytest_inprocess("--grounding-json=file/out.json")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert any("cannot be written" in line for line in section(result))


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

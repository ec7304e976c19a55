"""The policies in a run of pytest, and goldens that no test uses."""

import json
import shutil

import pytest
from golden_recordings import ANSWER, INVENTED, REWORDED, WRONG_NUMBER, edited, recording, write

from pytest_grounding.cli import main
from pytest_grounding.golden.golden_store import Store

TEST = """
import json, pathlib
from pytest_grounding import assert_matches_golden

def test_vacation():
    assert_matches_golden(json.loads(pathlib.Path("now.json").read_text()))
"""


class Program:
    """A program under test: what it answers now, and its tests."""

    def __init__(self, pytester):
        self.pytester = pytester
        self.store = Store.beside(pytester.path)
        pytester.makepyfile(test_it=TEST)

    def answers(self, answer=ANSWER, **more):
        (self.pytester.path / "now.json").write_text(json.dumps(recording(answer, **more)))
        return self

    def run(self, *arguments):
        return self.pytester.runpytest("-p", "no:cacheprovider", *arguments)

    def accepted(self):
        found = self.store.golden("vacation")
        return found and found.transcript.answer


@pytest.fixture
def program(pytester):
    return Program(pytester)


@pytest.fixture
def with_golden(program):
    program.answers().run("--grounding-golden=new")
    assert program.accepted() == ANSWER
    return program


def test_a_missing_golden_waits_for_a_review(program):
    result = program.answers().run()
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["goldens: 1 checked", "  1 new, waiting for a review: vacation"])
    assert program.accepted() is None
    assert program.store.pending("vacation").grade == "new"


@pytest.mark.parametrize("value", ["1", "true", "GitHub"])
def test_a_missing_golden_fails_in_ci(program, monkeypatch, value):
    monkeypatch.setenv("CI", value)
    result = program.answers().run()
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*__golden__/vacation.golden.json is missing*", "  1 missing: vacation"])
    assert program.store.pending("vacation") is not None


@pytest.mark.parametrize(
    ("answer", "policy", "line", "accepted"),
    [
        (ANSWER, "check", "unchanged", ANSWER),
        (REWORDED, "check", "changed without a regression: vacation", ANSWER),
        (WRONG_NUMBER, "check", "with a regression: vacation", ANSWER),
        (WRONG_NUMBER, "new", "with a regression: vacation", ANSWER),
        (WRONG_NUMBER, "improvements", "with a regression: vacation", ANSWER),
        (REWORDED, "improvements", "changed without a regression: vacation", ANSWER),
        (WRONG_NUMBER, "update", "accepted: vacation", WRONG_NUMBER),
    ],
)
def test_the_policy_decides_what_becomes_the_golden(with_golden, answer, policy, line, accepted):
    before = with_golden.store.golden_path("vacation").read_bytes()
    result = with_golden.answers(answer).run(f"--grounding-golden={policy}")
    fails = line.startswith("with a regression")
    result.assert_outcomes(passed=not fails, failed=fails)
    result.stdout.fnmatch_lines([f"  1 {line}"])
    waits = answer != accepted
    assert ("review with: " in result.stdout.str()) is waits
    assert bool(with_golden.store.candidates()) is waits
    assert (with_golden.store.golden_path("vacation").read_bytes() == before) is (accepted == ANSWER)
    assert with_golden.accepted() == accepted


@pytest.mark.parametrize(("policy", "creates"), [("new", True), ("update", True), ("improvements", False)])
def test_the_policy_decides_whether_a_golden_is_created(with_golden, policy, creates):
    with_golden.answers(identifier="other").run(f"--grounding-golden={policy}").assert_outcomes(passed=1)
    assert (with_golden.store.golden("other") is not None) is creates


def test_accepts_an_improvement(with_golden):
    with_golden.answers(INVENTED).run("--grounding-golden=update")
    with_golden.answers(ANSWER).run("--grounding-golden=improvements").assert_outcomes(passed=1)
    assert with_golden.accepted() == ANSWER


def test_check_fails_a_regression_and_shows_its_evidence(with_golden):
    result = with_golden.answers(WRONG_NUMBER).run()
    result.stdout.fnmatch_lines(
        [
            "*1 regression against the golden*vacation.golden.json",
            "*old: *25 vacation days*",
            "*new: *30 vacation days*",
            "*Employees receive 25 vacation days per year.*chunk hr-1*",
        ]
    )
    assert "case.fail(" not in result.stdout.str()  # the helper's frames are hidden


def test_drops_a_candidate_when_the_program_is_as_before(with_golden):
    with_golden.answers(WRONG_NUMBER).run()
    assert with_golden.store.candidates()
    with_golden.answers().run().assert_outcomes(passed=1)
    assert with_golden.store.candidates() == []


@pytest.mark.parametrize("arguments", [["--grounding-golden=newest"], ["-o", "grounding_golden=newest"]])
def test_an_unknown_policy_is_a_usage_error(program, arguments):
    result = program.answers().run(*arguments)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert "newest" in result.stderr.str()


def test_update_repairs_a_damaged_golden(with_golden):
    path = with_golden.store.golden_path("vacation")
    path.write_text(path.read_text().replace("25 vacation", "26 vacation"))
    result = with_golden.run()
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*its golden cannot be used: *was changed by hand*restore it*"])
    # The failure alone, without the error that led to it and its frames.
    assert "InputError" not in result.stdout.str()
    assert "During handling" not in result.stdout.str()
    path.write_text(path.read_text().replace("{", '{"id": "a",', 1))
    result = with_golden.run()
    result.stdout.fnmatch_lines(
        ["*vacation.golden.json:*: is damaged: id occurs twice in one object*restore*"]
    )
    with_golden.run("--grounding-golden=update").assert_outcomes(passed=1)
    assert with_golden.accepted() == ANSWER


def test_a_run_without_goldens_does_not_mention_them(pytester):
    pytester.makepyfile(test_it="def test_it(): pass")
    result = pytester.runpytest("-p", "no:cacheprovider")
    result.assert_outcomes(passed=1)
    assert "golden" not in result.stdout.str().replace(pytester.path.name, "")
    assert not (pytester.path / "__golden__").exists()


def test_one_test_may_check_several_recordings_by_name(pytester):
    pytester.makepyfile(
        f"""
        from pytest_grounding import assert_matches_golden

        def test_both():
            row = {recording()!r}
            assert_matches_golden(row, name="first")
            assert_matches_golden({{**row, "answer": {REWORDED!r}}}, name="second")
        """
    )
    pytester.runpytest("-p", "no:cacheprovider", "--grounding-golden=new").assert_outcomes(passed=1)
    store = Store.beside(pytester.path)
    assert store.golden("first").transcript.answer == ANSWER
    assert store.golden("second").transcript.answer == REWORDED
    pytester.runpytest("-p", "no:cacheprovider").assert_outcomes(passed=1)


def test_transcript_files_use_the_same_policies(pytester, monkeypatch):
    store = Store.beside(pytester.path)
    run = pytester.runpytest
    write(pytester.path, recording(), recording(identifier="Second"))
    run("-p", "no:cacheprovider").assert_outcomes(passed=2)
    assert not store.folder.exists()
    run("-p", "no:cacheprovider", "--grounding-golden").assert_outcomes(passed=2)
    assert len(store.candidates()) == 2
    run("-p", "no:cacheprovider", "--grounding-golden=new").assert_outcomes(passed=2)
    assert len(store.goldens()) == 2
    assert store.candidates() == []
    monkeypatch.setenv("CI", "1")
    write(
        pytester.path,
        recording(REWORDED),
        recording(identifier="Second", chunks=edited("one week", "two days")),
    )
    result = run("-p", "no:cacheprovider", "--grounding-golden=check")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*regression* against the golden*second-*"])
    monkeypatch.delenv("CI")
    run("-p", "no:cacheprovider", "--grounding-golden=update")
    assert store.golden("vacation").transcript.answer == REWORDED


def test_a_damaged_golden_of_a_transcript_file(pytester):
    write(pytester.path, recording())
    pytester.runpytest("-p", "no:cacheprovider", "--grounding-golden=new")
    Store.beside(pytester.path).golden_path("vacation").write_text("{")
    result = pytester.runpytest("-p", "no:cacheprovider", "--grounding-golden")
    result.assert_outcomes(failed=1)
    assert "Traceback" not in result.stdout.str()
    result.stdout.fnmatch_lines(["*vacation.golden.json*is damaged*restore it from version control*"])


def test_does_not_collect_goldens(pytester):
    write(pytester.path, recording(identifier="a.transcript"))
    pytester.makeini("[pytest]\ngrounding_files = *.json *.jsonl")
    pytester.runpytest("-p", "no:cacheprovider", "--grounding-golden=new").assert_outcomes(passed=1)
    pytester.runpytest("-p", "no:cacheprovider", "--grounding-golden").assert_outcomes(passed=1)


def of_another_engine(judged):
    """The golden as an engine with another opinion would have left it."""
    golden = judged(recording())
    claims = [
        claim.model_copy(update={"status": "unsupported", "support": 0.1}) if claim.index == 1 else claim
        for claim in golden.verdict.claims
    ]
    verdict = golden.verdict.model_copy(
        update={"engine_version": "0", "status": "review", "confidence": 0.6, "claims": tuple(claims)}
    )
    return type(golden).of(golden.transcript, verdict)


def test_one_command_accepts_an_engine_upgrade(program, judged, monkeypatch, capsys):
    program.store.accept(of_another_engine(judged))
    result = program.answers().run()
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(
        [
            "  1 changed without a regression: vacation",
            "  1 of them only because the engine*review upgrade --yes",
        ]
    )
    pending = program.store.pending("vacation")
    assert [item.rule for item in pending.changes] == ["engine_changed"]
    assert any("unsupported" in text for text in pending.changes[0].details)
    monkeypatch.chdir(program.pytester.path)
    capsys.readouterr()
    assert main(["review", "upgrade", "--yes"]) == 0
    assert "accepted __golden__/vacation.golden.json: engine 0 -> " in capsys.readouterr().out
    assert program.store.golden("vacation").engine_version == judged(recording()).engine_version
    result = program.run()
    result.stdout.fnmatch_lines(["  1 unchanged"])


def test_an_engine_upgrade_does_not_hide_a_regression(program, judged, monkeypatch, capsys):
    program.store.accept(of_another_engine(judged))
    program.answers(WRONG_NUMBER).run().assert_outcomes(failed=1)
    changes = program.store.pending("vacation").changes
    assert [item.about for item in changes if item.grade == "regression"] == ["claim"]
    assert "engine_changed" in [item.rule for item in changes]
    monkeypatch.chdir(program.pytester.path)
    assert main(["review", "upgrade", "--yes"]) == 0
    assert "nothing to accept" in capsys.readouterr().out


def test_other_settings_are_no_regression(with_golden):
    result = with_golden.run("--grounding-set=supported_threshold=1.0", "--grounding-set=fail_on=reject")
    result.assert_outcomes(passed=1)
    pending = with_golden.store.pending("vacation")
    assert {item.rule for item in pending.changes} <= {"settings_changed"}


MANY = f"""
import pytest
from pytest_grounding import assert_matches_golden

@pytest.mark.parametrize("number", range(6))
def test_many(number):
    assert_matches_golden({{**{recording()!r}, "id": f"n{{number}}"}})
"""


def test_workers_write_the_same_bytes(pytester, monkeypatch):
    pytest.importorskip("xdist")
    pytester.makepyfile(test_many=MANY)
    arguments = ("-p", "no:cacheprovider", "--grounding-golden=update")
    pytester.runpytest(*arguments).assert_outcomes(passed=6)
    alone = {path.name: path.read_bytes() for path in Store.beside(pytester.path).goldens()}
    assert len(alone) == 6
    shutil.rmtree(pytester.path / "__golden__")
    monkeypatch.setenv("PYTHONHASHSEED", "1")
    result = pytester.runpytest_subprocess(*arguments, "-n2")
    result.assert_outcomes(passed=6)
    result.stdout.fnmatch_lines(["goldens: 6 checked", "  6 created: n0, n1, n2, n3, n4, n5"])
    assert {path.name: path.read_bytes() for path in Store.beside(pytester.path).goldens()} == alone


def test_the_last_of_several_runs_of_a_test_counts(pytester, judged):
    pytester.makeconftest(
        """
        from _pytest.runner import runtestprotocol

        def pytest_runtest_protocol(item, nextitem):
            for _ in range(2):
                for report in runtestprotocol(item, nextitem=nextitem, log=False):
                    item.ihook.pytest_runtest_logreport(report=report)
            return True
        """
    )
    pytester.makepyfile(
        f"""
        from pytest_grounding import assert_matches_golden
        answers = [{WRONG_NUMBER!r}, {ANSWER!r}]

        def test_it():
            assert_matches_golden({{**{recording()!r}, "answer": answers.pop(0)}})
        """
    )
    Store.beside(pytester.path).accept(judged(recording()))
    result = pytester.runpytest("-p", "no:cacheprovider")
    result.stdout.fnmatch_lines(["goldens: 1 checked", "  1 unchanged"])


def test_the_assertion_works_outside_of_a_test(tmp_path):
    from pytest_grounding import assert_matches_golden
    from pytest_grounding._io import listeners

    before = listeners.observe(None)
    try:
        with pytest.raises(ValueError, match="name the folder"):
            assert_matches_golden(recording())
        verdict = assert_matches_golden(recording(), folder=tmp_path)
        assert verdict.id == "vacation"
        Store.beside(tmp_path).accept(Store.beside(tmp_path).pending("vacation").candidate)
        with pytest.raises(AssertionError, match="1 regression against the golden"):
            assert_matches_golden(recording(WRONG_NUMBER), folder=tmp_path)
        with pytest.raises(TypeError, match="pass the transcript"):
            assert_matches_golden(verdict, folder=tmp_path)
    finally:
        listeners.observe(before)


TESTS = f"""
import pytest
from pytest_grounding import assert_matches_golden

ROW = {recording()!r}

@pytest.mark.parametrize("name", ["a", "b", "c"])
def test_it(name):
    assert_matches_golden(ROW, name=name)
"""


@pytest.fixture
def suite(pytester, monkeypatch):
    pytester.makepyfile(test_it=TESTS)
    run(pytester, "--grounding-golden=new").assert_outcomes(passed=3)
    pytester.makepyfile(test_it=TESTS.replace(', "c"', ""))
    monkeypatch.chdir(pytester.path)
    return pytester


def run(pytester, *arguments):
    return pytester.runpytest("-p", "no:cacheprovider", *arguments)


def left(pytester):
    return [path.name for path in Store.beside(pytester.path).goldens()]


def test_prune_removes_unused_goldens(suite, capsys):
    result = run(suite)
    result.stdout.fnmatch_lines(["unused goldens: __golden__/c.golden.json", "*review prune --yes"])
    assert len(left(suite)) == 3
    capsys.readouterr()
    assert main(["review", "prune"]) == 0
    assert capsys.readouterr().out == (
        "would remove __golden__/c.golden.json\nnothing was changed; pass --yes to remove it\n"
    )
    assert main(["review", "prune", "--yes"]) == 0
    assert capsys.readouterr().out == "removed __golden__/c.golden.json\n"
    assert left(suite) == ["a.golden.json", "b.golden.json"]
    assert main(["review", "prune", "--yes"]) == 0
    assert "nothing to remove" in capsys.readouterr().out
    assert "unused goldens" not in run(suite).stdout.str()


@pytest.mark.slow
def test_workers_report_unused_goldens(suite):
    pytest.importorskip("xdist")
    result = suite.runpytest_subprocess("-p", "no:cacheprovider", "-n2")
    result.stdout.fnmatch_lines(["goldens: 2 checked", "unused goldens: __golden__/c.golden.json"])


ADDOPTS = "[pytest]\naddopts = -m 'not slow'\nmarkers = slow"


@pytest.mark.parametrize(
    ("arguments", "files"),
    [
        (["-k", "a"], {}),
        (["--deselect", "test_it.py::test_it[a]"], {}),
        (["test_it.py::test_it[a]", "test_it.py::test_it[b]"], {}),
        (["-m", "not slow"], {}),
        ([], {"tox.ini": ADDOPTS}),
        ([], {"test_other.py": "def test_other(): assert False, 'before its golden'"}),
        ([], {"test_other.py": "import pytest\ndef test_other(): pytest.skip('not here')"}),
        ([], {"test_other.py": "import pytest\n@pytest.mark.xfail\ndef test_other(): assert False"}),
        (["--continue-on-collection-errors"], {"test_broken.py": "import nothing_of_that_name"}),
    ],
)
def test_an_incomplete_run_reports_no_unused_goldens(suite, arguments, files, capsys):
    for name, text in files.items():
        (suite.path / name).write_text(text)
    assert "unused goldens" not in run(suite, *arguments).stdout.str()
    main(["review", "prune", "--yes"])
    assert len(left(suite)) == 3


def test_prune_keeps_what_is_used_again(suite, capsys):
    run(suite)
    suite.makepyfile(test_it=TESTS)
    run(suite, "-k", "c").assert_outcomes(passed=1, deselected=2)
    capsys.readouterr()
    main(["review", "prune", "--yes"])
    assert "nothing to remove" in capsys.readouterr().out
    assert len(left(suite)) == 3


def test_reports_goldens_without_tests(suite):
    folder = suite.path / "old"
    folder.mkdir()
    (suite.path / "__golden__").rename(folder / "__golden__")
    result = run(suite, "--grounding-golden=new")
    result.stdout.fnmatch_lines(["unused goldens: old/__golden__/a*old/__golden__/c.golden.json"])


def test_a_failing_transcript_has_used_its_golden(pytester):
    write(pytester.path, recording(), recording(identifier="gone"))
    run(pytester, "--grounding-golden=new")
    write(pytester.path, recording("The office in Lisbon was painted purple by Italian artists."))
    result = run(pytester, "--grounding-golden")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["unused goldens: __golden__/gone.golden.json"])


def test_prune_stays_in_its_folder(suite, capsys):
    run(suite)
    (suite.path / "x.golden.json").touch()
    (suite.path / "__golden__/.pending/unused.json").write_text(
        '["../x.golden.json", "/etc/passwd", 3, "a.py"]'
    )
    main(["review", "prune", "--yes"])
    assert (suite.path / "x.golden.json").exists()
    assert len(left(suite)) == 3

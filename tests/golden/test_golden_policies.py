"""The policies in a run of pytest, and goldens that no test uses."""

import json
import shutil

import pytest
from golden_recordings import ANSWER, WRONG_NUMBER, recording

from pytest_grounding.cli import main
from pytest_grounding.golden.golden_store import GoldenStore

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
        self.store = GoldenStore.beside(pytester.path)
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


def test_a_regression_that_passes_the_gate_is_not_told_that_nothing_failed(with_golden):
    lost = ANSWER.split(" [1]")[0] + "."
    shown = with_golden.answers(lost).run().stdout.str()
    assert "regressions against the golden" in shown
    assert "Nothing failed" not in shown
    wrong = with_golden.answers(WRONG_NUMBER).run().stdout.str()
    assert "diagnosis: " in wrong


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


MANY = f"""
import pytest
from pytest_grounding import assert_matches_golden

@pytest.mark.parametrize("number", range(6))
def test_many(number):
    assert_matches_golden({{**{recording()!r}, "id": f"n{{number}}"}})
"""


@pytest.mark.row(53)
def test_workers_write_the_same_bytes(pytester, monkeypatch):
    pytest.importorskip("xdist")
    pytester.makepyfile(test_many=MANY)
    arguments = ("-p", "no:cacheprovider", "--grounding-golden=update")
    pytester.runpytest(*arguments).assert_outcomes(passed=6)
    alone = {path.name: path.read_bytes() for path in GoldenStore.beside(pytester.path).goldens()}
    assert len(alone) == 6
    shutil.rmtree(pytester.path / "__golden__")
    monkeypatch.setenv("PYTHONHASHSEED", "1")
    result = pytester.runpytest_subprocess(*arguments, "-n2")
    result.assert_outcomes(passed=6)
    result.stdout.fnmatch_lines(["goldens: 6 checked", "  6 created: n0, n1, n2, n3, n4, n5"])
    assert {path.name: path.read_bytes() for path in GoldenStore.beside(pytester.path).goldens()} == alone


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
    GoldenStore.beside(pytester.path).accept(judged(recording()))
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
        GoldenStore.beside(tmp_path).accept(GoldenStore.beside(tmp_path).pending("vacation").candidate)
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
    return [path.name for path in GoldenStore.beside(pytester.path).goldens()]


@pytest.mark.slow
def test_workers_report_unused_goldens(suite):
    pytest.importorskip("xdist")
    result = suite.runpytest_subprocess("-p", "no:cacheprovider", "-n2")
    result.stdout.fnmatch_lines(["goldens: 2 checked", "unused goldens: __golden__/c.golden.json"])


def test_reports_goldens_without_tests(suite):
    folder = suite.path / "old"
    folder.mkdir()
    (suite.path / "__golden__").rename(folder / "__golden__")
    result = run(suite, "--grounding-golden=new")
    result.stdout.fnmatch_lines(["unused goldens: old/__golden__/a*old/__golden__/c.golden.json"])


def test_prune_stays_in_its_folder(suite, capsys):
    run(suite)
    (suite.path / "x.golden.json").touch()
    (suite.path / "__golden__/.pending/unused.json").write_text(
        '["../x.golden.json", "/etc/passwd", 3, "a.py"]'
    )
    main(["review", "prune", "--yes"])
    assert (suite.path / "x.golden.json").exists()
    assert len(left(suite)) == 3

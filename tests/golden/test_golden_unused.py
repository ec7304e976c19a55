"""Goldens that no test uses: reported after a whole run alone, and removed by a command."""

import pytest
from golden_recordings import recording, write

from pytest_grounding.cli import main
from pytest_grounding.golden.golden_store import Store

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


def test_a_whole_run_reports_them_and_prune_removes_them(suite, capsys):
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
    assert "unused" not in run(suite).stdout.str()


@pytest.mark.slow
def test_workers_report_the_same(suite):
    pytest.importorskip("xdist")
    result = suite.runpytest_subprocess("-p", "no:cacheprovider", "-n2")
    result.stdout.fnmatch_lines(["goldens: 2 checked", "unused goldens: __golden__/c.golden.json"])


@pytest.mark.parametrize(
    "arguments",
    [
        ["-k", "a"],
        ["--deselect", "test_it.py::test_it[a]"],
        ["test_it.py::test_it[a]", "test_it.py::test_it[b]"],
        ["-m", "not slow"],
    ],
)
def test_a_part_of_the_suite_reports_none(suite, arguments, capsys):
    assert "unused" not in run(suite, *arguments).stdout.str()
    main(["review", "prune", "--yes"])
    assert len(left(suite)) == 3


def test_a_selection_in_addopts_leaves_tests_out_as_well(suite):
    suite.makeini("[pytest]\naddopts = -m 'not slow'\nmarkers = slow")
    assert "unused" not in run(suite).stdout.str()


@pytest.mark.parametrize(
    "more",
    [
        "def test_other(): assert False, 'before its golden'",
        "def test_other(): pytest.skip('not here')",
        "@pytest.mark.xfail\ndef test_other(): assert False",
    ],
)
def test_a_test_that_did_not_come_to_its_golden_may_use_any(suite, more):
    suite.makepyfile(test_it=TESTS.replace(', "c"', "") + f"\n{more}\n")
    assert "unused" not in run(suite).stdout.str()


def test_a_file_that_could_not_be_collected_may_use_any(suite):
    suite.makepyfile(test_broken="import nothing_of_that_name")
    result = run(suite, "--continue-on-collection-errors")
    result.assert_outcomes(passed=2, errors=1)
    assert "unused" not in result.stdout.str()


def test_what_is_used_again_is_not_removed(suite, capsys):
    run(suite)
    suite.makepyfile(test_it=TESTS)
    run(suite, "-k", "c").assert_outcomes(passed=1, deselected=2)
    capsys.readouterr()
    main(["review", "prune", "--yes"])
    assert "nothing to remove" in capsys.readouterr().out
    assert len(left(suite)) == 3


def test_a_folder_whose_tests_are_gone_is_reported(suite):
    folder = suite.path / "old"
    folder.mkdir()
    (suite.path / "__golden__").rename(folder / "__golden__")
    result = run(suite, "--grounding-golden=new")
    result.stdout.fnmatch_lines(["unused goldens: old/__golden__/a*old/__golden__/c.golden.json"])


def test_a_transcript_file_that_fails_has_used_its_golden(pytester):
    write(pytester.path, recording(), recording(identifier="gone"))
    run(pytester, "--grounding-golden=new")
    write(pytester.path, recording("The office in Lisbon was painted purple by Italian artists."))
    result = run(pytester, "--grounding-golden")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["unused goldens: __golden__/gone.golden.json"])


def test_the_list_cannot_reach_outside_of_its_folder(suite, capsys):
    run(suite)
    (suite.path / "x.golden.json").touch()
    (suite.path / "__golden__/.pending/unused.json").write_text(
        '["../x.golden.json", "/etc/passwd", 3, "a.py"]'
    )
    main(["review", "prune", "--yes"])
    assert (suite.path / "x.golden.json").exists()
    assert len(left(suite)) == 3

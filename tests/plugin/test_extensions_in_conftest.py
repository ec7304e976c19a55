"""Hooks of this package in a `conftest.py`."""

import pytest
from recorded import good, write

CHECK = """
import pytest_grounding as pg
from pytest_grounding.model.finding import Finding

class Check:
    name = "{name}"

    def run(self, context):
        return [Finding(rule="{name}", severity="info", message="{name} was asked")]

{mark}
def pytest_grounding_checks(settings):
    return [Check()]
"""
RULES = """
def test_{name}(grounding):
    rules = {{item.rule for item in grounding.validate({transcript!r}).findings}}
    assert rules & {{"outer", "inner"}} == {expected}
"""
FORMAT = """
class Mine:
    name = "mine"

    def recognises(self, value):
        return isinstance(value, dict) and "says" in value

    def convert(self, value):
        yield {"id": value["says"], "question": "Q?", "chunks": [], "answer": "I cannot say."}

def pytest_grounding_importers():
    return [Mine()]
"""


def test_a_conftest_extends_only_its_folder(pytester):
    (pytester.path / "conftest.py").write_text(CHECK.format(name="outer", mark=""))
    for folder, expected in (("a", {"outer"}), ("b", {"outer", "inner"}), ("b/d", {"outer", "inner"})):
        (pytester.path / folder).mkdir()
        name = folder.replace("/", "_")
        test = RULES.format(name=name, transcript=good(name), expected=expected)
        (pytester.path / folder / f"test_{name}.py").write_text(test)
    (pytester.path / "c").mkdir()
    (pytester.path / "c/test_c.py").write_text(
        RULES.format(name="c", transcript=good("c"), expected={"outer"})
    )
    (pytester.path / "b/conftest.py").write_text(CHECK.format(name="inner", mark="@pg.hookimpl"))
    pytester.runpytest_subprocess().assert_outcomes(passed=4)
    pytester.runpytest_subprocess("c", "b/d").assert_outcomes(passed=2)


def test_workers_use_the_extensions_of_a_conftest(pytester):
    pytest.importorskip("xdist")
    (pytester.path / "conftest.py").write_text(CHECK.format(name="outer", mark=""))
    pytester.makepyfile(RULES.format(name="it", transcript=good(), expected={"outer"}))
    pytester.runpytest_subprocess("-n1").assert_outcomes(passed=1)


def test_an_importer_reads_only_files_of_its_folder(pytester):
    (pytester.mkdir("rec") / "conftest.py").write_text(FORMAT)
    write(pytester.path, "rec/a.transcript.json", {"says": "read"})
    write(pytester.path, "other/a.transcript.json", {"says": "not read"})
    result = pytester.runpytest_subprocess("-v", "--grounding-set=nothing_checked=pass")
    result.stdout.fnmatch_lines(["other/a.transcript.json::line 1 FAILED*", "rec/a.transcript.json::read *"])


def test_knows_the_judge_of_a_nested_conftest(pytester):
    judge = """
class Nobody:
    name = "mine"

def pytest_grounding_judges(settings):
    return [Nobody()]
"""
    (pytester.mkdir("rec") / "conftest.py").write_text(judge)
    write(pytester.path, "rec/a.transcript.json", good())
    pytester.runpytest_subprocess(
        "--grounding-judge=mine", "--grounding-set=judge_scope=borderline"
    ).assert_outcomes(passed=1)


def test_a_run_inside_a_run_has_its_own_extensions(pytester):
    inner = RULES.format(name="inner", transcript=good(), expected={"inner"})
    (pytester.path / "conftest.py").write_text(
        "pytest_plugins = ['pytester']\n" + CHECK.format(name="outer", mark="")
    )
    pytester.makepyfile(
        test_outer=f"""
INNER = {CHECK.format(name="inner", mark="")!r}
TEST = {inner!r}

def test_it(pytester, grounding):
    pytester.makeconftest(INNER)
    pytester.makepyfile(TEST)
    pytester.runpytest_inprocess().assert_outcomes(passed=1)
    rules = {{item.rule for item in grounding.validate({good("x")!r}).findings}}
    assert rules & {{"outer", "inner"}} == {{"outer"}}
"""
    )
    pytester.runpytest_subprocess("-p", "no:cacheprovider").assert_outcomes(passed=1)

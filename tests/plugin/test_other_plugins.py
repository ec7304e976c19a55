"""Plugins that run a test again, or a part of the tests: nothing is lost, and a part is no whole.

The plugins are not installed here: each is a small plugin whose hooks do what those of the real one do
(rerunfailures 16.7, pytest-retry 1.7.0, pytest-split 0.11.0, pytest-shard 0.1.2, pytest-picked 0.5.1,
pytest-testmon 2.2.0, allure-pytest 2.16.2). All were first seen with the real ones.
"""

import json

import pytest
from recorded import bad, good, section, write

from pytest_grounding.cli import main

PLAIN = "def test_one(): pass\ndef test_two(): pass\n"

#: rerunfailures: the reports of an attempt are logged after it; subtests log their own during it.
RERUNS = """
import pytest
from _pytest.runner import runtestprotocol
from _pytest.subtests import failed_subtests_key


def pytest_runtest_protocol(item, nextitem):
    for attempt in range(2):
        failed_before = item.session.testsfailed
        reports = runtestprotocol(item, nextitem=nextitem, log=False)
        of_subtests = item.config.stash[failed_subtests_key]
        again = (any(report.failed for report in reports) or bool(of_subtests)) and not attempt
        for report in reports:
            if again and (report.failed or (report.when == "call" and of_subtests)):
                report.outcome = "rerun"
            item.ihook.pytest_runtest_logreport(report=report)
        if not again:
            break
        of_subtests.clear()
        item.session.testsfailed = failed_before
    return True


def pytest_report_teststatus(report):
    if report.outcome == "rerun":
        return "rerun", "R", "RERUN"
"""

SUBTESTS = """
import pytest_grounding as pg

ANSWERS = {answers!r}


def test_it(subtests):
    for answer in ANSWERS.pop(0):
        with subtests.test(answer["id"]):
            pg.assert_grounded(answer)
"""

needs_subtests = pytest.mark.skipif(pytest.version_tuple < (9, 0), reason="pytest has subtests since 9.0")


def gate(pytester, *arguments):
    """The report of a run."""
    result = pytester.runpytest_inprocess("--grounding-json=run.json", "-p", "no:cacheprovider", *arguments)
    return result, json.loads((pytester.path / "run.json").read_text())


@needs_subtests
@pytest.mark.parametrize("rejected", [0, 1], ids=["one is rejected", "none is rejected"])
def test_the_setup_report_of_a_rerun_clears_no_subtest(pytester, rejected):
    pytester.makeconftest(RERUNS)
    answers = [[good("x"), good("y")]] if rejected else [[good("x"), bad("y")]] * 2
    pytester.makepyfile(SUBTESTS.format(answers=answers))
    result, run = gate(pytester)
    assert run["summary"]["transcripts"] == 2
    assert run["gate"]["status"] == ("pass" if rejected else "fail")
    assert (result.ret == 0) is bool(rejected)


@needs_subtests
def test_of_rerun_subtests_the_last_attempt_counts(pytester):
    pytester.makeconftest(RERUNS)
    pytester.makepyfile(SUBTESTS.format(answers=[[bad("x"), good("y")], [good("x"), good("y")]]))
    _, run = gate(pytester)
    assert (run["summary"]["transcripts"], run["summary"]["passed"]) == (2, 2)
    assert run["gate"]["status"] == "pass"
    assert "1 test ran more than once; the last attempt counts" in run["gate"]["notes"]


#: pytest-retry: the attempts run within the report of the first, and make no report of their own.
RETRY = """
import pytest


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_runtest_makereport(item, call):
    outcome = yield
    report = outcome.get_result()
    if call.excinfo is None or call.when != "call":
        return
    hook = item.ihook
    nextitem = pytest.Class.from_parent(item.session, name="Fakeboi")
    pytest.CallInfo.from_call(lambda: hook.pytest_runtest_teardown(item=item, nextitem=nextitem), "teardown")
    report.outcome = "retried"
    hook.pytest_runtest_logreport(report=report)
    report.outcome = "failed"
    item._initrequest()
    pytest.CallInfo.from_call(lambda: hook.pytest_runtest_setup(item=item), when="setup")
    call = pytest.CallInfo.from_call(lambda: hook.pytest_runtest_call(item=item), when="call")
    again = pytest.TestReport.from_item_and_call(item, call)
    report.outcome, report.longrepr = again.outcome, again.longrepr


def pytest_report_teststatus(report):
    if report.outcome == "retried":
        return "retried", "R", ("RETRY", {"yellow": True})
"""

RETRIED = """
import pytest_grounding as pg

ANSWERS = {answers!r}


def test_it():
    pg.assert_grounded(ANSWERS.pop(0))
"""


@pytest.fixture(params=["first", "last"])
def retrying(request, pytester):
    """The arguments with which pytest-retry is loaded before the plugin, and after it."""
    if request.param == "last":
        pytester.makeconftest(RETRY)
        return ()
    pytester.makepyfile(retry_plugin=RETRY)
    pytester.syspathinsert()
    return ("-p", "retry_plugin")


def test_a_retried_test_counts_with_its_last_attempt(pytester, retrying):
    pytester.makepyfile(RETRIED.format(answers=[bad("x"), good("x")]))
    result, run = gate(pytester, *retrying)
    assert (run["summary"]["transcripts"], run["summary"]["passed"]) == (1, 1)
    assert (run["gate"]["status"], result.ret) == ("pass", 0)
    assert "1 test ran more than once; the last attempt counts" in run["gate"]["notes"]


def test_a_test_that_fails_when_retried_fails_once(pytester, retrying):
    pytester.makepyfile(RETRIED.format(answers=[bad("x"), bad("x")]))
    result, run = gate(pytester, *retrying)
    assert (run["summary"]["transcripts"], run["run"]["failed"]) == (1, ["x"])
    assert (run["gate"]["status"], result.ret) == ("fail", 1)


def test_a_rejected_transcript_file_is_retried(pytester, retrying):
    write(pytester.path, "x.transcript.json", bad("x"))
    result, run = gate(pytester, *retrying)
    result.assert_outcomes(failed=1)
    assert (run["summary"]["transcripts"], run["run"]["failed"]) == (1, ["x"])


#: Plugins that take tests away, and the part of the reason that is shown.
PARTS = {
    "pytest-split, which deselects": (
        "import pytest\n"
        "@pytest.hookimpl(trylast=True)\n"
        "def pytest_collection_modifyitems(config, items):\n"
        "    gone = items[-1:]\n"
        "    items[:] = items[:-1]\n"
        "    config.hook.pytest_deselected(items=gone)\n",
        "1 deselected",
    ),
    "pytest-shard, which says nothing": (
        "def pytest_collection_modifyitems(items):\n    items[:] = items[:-1]\n",
        "1 deselected",
    ),
    "testmon, whose items have no name": (
        "import pytest\n"
        "class FakeItemFromTestmon:\n"
        "    def __init__(self, config): self.config = config\n"
        "@pytest.hookimpl(trylast=True)\n"
        "def pytest_collection_modifyitems(session, config, items):\n"
        "    items[:] = items[:-1]\n"
        "    session.config.hook.pytest_deselected(items=[FakeItemFromTestmon(session.config)])\n",
        "deselected",
    ),
    "testmon, which ignores a file": (
        "def pytest_addoption(parser): parser.addoption('--testmon', action='store_true', dest='testmon')\n"
        "def pytest_configure(config): config.option.testmon = True\n"
        "def pytest_ignore_collect(collection_path): return collection_path.suffix == '.py' or None\n",
        "--testmon",
    ),
    "pytest-picked, which changes the arguments": (
        "def pytest_configure(config): config.args = ['suite/a.transcript.json']\n",
        "only suite/a.transcript.json",
    ),
}


@pytest.mark.parametrize("testpaths", ["suite", ".", "s*", ""])
@pytest.mark.parametrize("name", PARTS)
def test_a_part_of_the_suite_is_undecided_and_writes_no_baseline(pytester, name, testpaths):
    source, reason = PARTS[name]
    pytester.makeini(f"[pytest]\ntestpaths = {testpaths}\n" if testpaths else "[pytest]\n")
    write(pytester.path, "suite/a.transcript.json", good("x"))
    write(pytester.path, "suite/test_plain.py", PLAIN)
    result = pytester.runpytest_inprocess("--grounding-baseline=base.json", "--grounding-baseline-update")
    assert "gate: PASS" in section(result)
    whole = (pytester.path / "base.json").read_bytes()

    pytester.makeconftest(source)
    result, run = gate(pytester)
    assert (result.ret, run["gate"]["status"], run["run"]["whole"]) == (0, "undecided", False)
    assert reason in run["run"]["narrowed"][0]

    write(pytester.path, "suite/a.transcript.json", good("another"))
    result = pytester.runpytest_inprocess("--grounding-baseline=base.json", "--grounding-baseline-update")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert (pytester.path / "base.json").read_bytes() == whole


def test_an_order_or_a_renewed_item_is_no_part(pytester):
    pytester.makeconftest("def pytest_collection_modifyitems(items): items.reverse()\n")
    write(pytester.path, "a.transcript.json", good("x"))
    pytester.makepyfile(PLAIN)
    _, run = gate(pytester)
    assert run["gate"]["status"] == "pass"


def test_arguments_that_cover_the_suite_are_no_part(pytester):
    pytester.makeini("[pytest]\ntestpaths = suite/*\n")
    write(pytester.path, "suite/one/a.transcript.json", good("x"))
    write(pytester.path, "suite/two/test_plain.py", PLAIN)
    pytester.makeconftest("def pytest_configure(config): config.args = ['suite']\n")
    _, run = gate(pytester)
    assert run["gate"]["status"] == "pass"


SHARD = """
import os


def pytest_collection_modifyitems(items):
    items[:] = [item for number, item in enumerate(items) if number % 2 == int(os.environ["SHARD"])]
"""


def test_parts_taken_without_a_word_merge_to_a_whole(pytester, monkeypatch, capsys):
    pytester.makeconftest(SHARD)
    write(pytester.path, "a.transcripts.jsonl", good("x"), good("y"))
    for number in "01":
        monkeypatch.setenv("SHARD", number)
        pytester.runpytest_inprocess(f"--grounding-shard-report={number}.json", "-p", "no:cacheprovider")
    capsys.readouterr()
    assert main(["merge", "0.json", "1.json"]) == 0
    assert "gate: PASS" in capsys.readouterr().out
    main(["merge", "0.json"])
    assert "gate: UNDECIDED" in capsys.readouterr().out


def test_a_shard_of_nameless_tests_is_undecided(pytester, capsys):
    pytester.makeconftest(PARTS["testmon, whose items have no name"][0].replace("items[:-1]", "items"))
    write(pytester.path, "a.transcript.json", good("x"))
    pytester.runpytest_inprocess("--grounding-shard-report=0.json", "-p", "no:cacheprovider")
    capsys.readouterr()
    main(["merge", "0.json"])
    assert "gate: UNDECIDED" in capsys.readouterr().out


#: Allure: any exception but AssertionError, pytest.fail and pytest.skip is *broken*.
ALLURE = """
import pytest


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    yield
    if call.when == "call" and call.excinfo:
        wrong = isinstance(call.excinfo.value, (AssertionError, pytest.fail.Exception))
        print("allure:", "failed" if wrong else "broken")
"""


def test_a_rejected_transcript_has_failed_and_is_not_broken(pytester):
    pytester.makeconftest(ALLURE)
    write(pytester.path, "x.transcript.json", bad("x"))
    result = pytester.runpytest_inprocess("-s")
    assert "allure: failed" in result.stdout.str()
    assert "TranscriptFailure" not in result.stdout.str()
    assert "Traceback" not in result.stdout.str()

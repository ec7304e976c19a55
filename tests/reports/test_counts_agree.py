"""Every output shows the same numbers of passed, reviewed, rejected and failed transcripts."""

import json
import re
from xml.etree import ElementTree as ET

from every import each
from made_verdicts import verdict

from pytest_grounding.model.finding import Finding
from pytest_grounding.model.run_report import RunFacts, RunReport
from pytest_grounding.reports.report_links import LinkContext
from pytest_grounding.reports.write import render_report
from pytest_grounding.settings import Settings
from pytest_grounding.suite.suite_figures import decide_suite

WRONG = Finding(rule="contradicted", severity="error", message="contradicts a")
DOUBTFUL = Finding(rule="semantic_alignment", severity="warning", message="chunk b says it too")

#: Verdicts of the statuses pass, review and reject, and how many of each failed on their own.
CASES = [
    ((30, 6, 15), (0, 1, 15)),  # a golden or an assertion failed one that is to review
    ((30, 6, 15), (1, 6, 13)),  # fail_on = review, two rejections that were expected, one test that failed
    ((3, 2, 4), (0, 0, 4)),
    ((2, 1, 3), (0, 0, 0)),  # every rejection was expected
    ((4, 0, 0), (0, 0, 0)),
]


def report_of(counts, failed):
    made, blamed = [], []
    found = {"pass": (), "review": (DOUBTFUL,), "reject": (WRONG, DOUBTFUL)}
    for status, number, bad in zip(found, counts, failed, strict=True):
        names = [f"{status}-{index:02d}" for index in range(number)]
        made += [verdict(name, status=status, findings=found[status]) for name in names]
        blamed += names[:bad]
    facts = RunFacts(whole=True, failed=tuple(blamed))
    return decide_suite(RunReport.of(made, facts), Settings())


def numbers(pattern, text):
    match = re.search(pattern, text)
    assert match is not None, text
    return tuple(int(group or 0) for group in match.groups())


def failing(counts, text):
    """How many failed, as a tally says it; where it says nothing all rejected ones did, and no other."""
    match = re.search(r"rejected\)?; (?:(\d+)|none) failed", text)
    return counts[2] if match is None else int(match[1] or 0)


@each(*map(tuple, CASES))
def test_every_output_counts_the_same(counts, failed):
    report = report_of(counts, failed)
    total, bad = sum(counts), sum(failed)
    tally = r"(\d+) passed, (\d+) to review, (\d+) rejected"
    for kind in ("terminal", "github-summary", "pr-comment", "html"):
        text = render_report(report, kind, LinkContext())
        assert numbers(tally, text) == counts
        assert failing(counts, text) == bad
        assert re.search(rf"(?:transcripts: {total}\b|\b{total} transcripts: )", text)
    cases = ET.fromstring(render_report(report, "junit", LinkContext())).find("testsuite")
    given = {item.get("name"): item.get("value") for item in cases.iterfind("./properties/property")}
    shown = [
        int(given[f"grounding.{name}"] or "") for name in ("transcripts", "passed", "review", "rejected")
    ]
    assert (*shown, int(given["grounding.failed"] or "")) == (total, *counts, bad)
    transcripts = [case for case in cases.iterfind("testcase") if case.get("classname") != "suite"]
    assert len(transcripts) == total
    assert sum(case.find("failure") is not None for case in transcripts) == bad
    whole = json.loads(render_report(report, "json", LinkContext()))
    assert [whole["summary"][name] for name in ("transcripts", "passed", "review", "rejected")] == shown
    assert len(whole["gate"]["failed"]) == bad


@each(*map(tuple, CASES))
def test_the_reason_of_the_gate_counts_the_failures_by_status(counts, failed):
    gate = report_of(counts, failed).gate
    told = [reason for reason in gate.reasons if " failed" in reason]
    if not any(failed):
        assert not told
        return
    (reason,) = told
    assert numbers(r"(\d+) transcripts? failed", reason) == (sum(failed),)
    if failed[0] or failed[1]:
        words = r"\((?:(\d+) rejected)?(?:, )?(?:(\d+) to review)?(?:, )?(?:(\d+) passed by the gate)?\)"
        assert numbers(words, reason) == (failed[2], failed[1], failed[0])


def test_a_failure_without_a_verdict_is_counted_separately():
    facts = RunFacts(whole=True, failed=("gone", "reject-00"))
    report = decide_suite(
        RunReport.of([verdict("reject-00", status="reject", findings=(WRONG,))], facts), Settings()
    )
    assert report.failed_statuses == {"": 1, "reject": 1}
    assert "2 failed (1 rejected, 1 without a verdict)" in render_report(report, "terminal", LinkContext())

"""What becomes of a transcript is decided in one place, for the collector, `check` and runs in parts."""

import json
import sys
from itertools import product

import pytest
from every import each

import pytest_grounding as pg
from pytest_grounding.gate import fails, outcome_of
from pytest_grounding.settings import Settings

CHUNKS = [{"id": "c1", "text": "Refunds are paid within 30 days of the purchase."}]
ANSWERS = {
    "pass": "Refunds are paid within 30 days of the purchase [1].",
    "review": "Refunds are paid within 30 days of the purchase. Our shops also mend bicycles on Sundays.",
    "reject": "Refunds are paid within 14 days of the purchase [1].",
}


class Excusing:
    """A baseline that holds all that is found."""

    def excuses(self, verdict):
        return True


def transcript(status, wanted):
    metadata = {"expected_status": wanted} if wanted else {}
    return {
        "id": f"{status}-{wanted}",
        "question": "How long do refunds take?",
        "chunks": CHUNKS,
        "answer": ANSWERS[status],
        "metadata": metadata,
    }


@pytest.fixture(scope="module")
def verdicts():
    settings = {"max_hallucination_rate": 0.6, "confidence_model": "self_rag"}
    found = {status: pg.validate(transcript(status, None), settings) for status in ANSWERS}
    assert {status: verdict.status for status, verdict in found.items()} == {name: name for name in ANSWERS}
    return found


@each(*map(tuple, list(product(ANSWERS, ("review", "reject")))))
def test_without_an_expected_status_fail_on_decides(status, fail_on, verdicts):
    settings = Settings.of({"fail_on": fail_on})
    outcome = outcome_of(verdicts[status], settings)
    is_bad = status == "reject" or (status == "review" and fail_on == "review")
    assert (outcome.is_failed, outcome.is_expected) == (is_bad, False)
    assert fails(verdicts[status], settings) == is_bad
    known = outcome_of(verdicts[status], settings, known=Excusing())
    assert known.failure == ("known" if is_bad else "")


@each(*map(tuple, list(product(ANSWERS, ANSWERS))))
def test_with_an_expected_status_only_that_status_passes(status, wanted, verdicts):
    outcome = outcome_of(verdicts[status], Settings(), wanted=wanted)
    assert outcome.is_failed == (status != wanted)
    assert outcome.is_expected == (status == wanted != "pass")
    known = outcome_of(verdicts[status], Settings(), wanted=wanted, known=Excusing())
    # A baseline excuses what should pass, and not that a bad answer is bad in another way.
    assert known.failure == ("" if status == wanted else "known" if wanted == "pass" else "failed")


def test_pytest_and_the_command_line_agree_on_each(pytester):
    wishes = (None, *ANSWERS)
    rows = [transcript(status, wanted) for status, wanted in product(ANSWERS, wishes)]
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    (pytester.path / "a.transcripts.jsonl").write_text(lines, encoding="utf-8")
    lenient = ("max_hallucination_rate=0.6", "confidence_model=self_rag")
    pytester.runpytest_subprocess(
        "-q", *(f"--grounding-set={setting}" for setting in lenient), "--grounding-json=one.json"
    )
    pytester.run(
        sys.executable,
        "-m",
        "pytest_grounding",
        "check",
        ".",
        *(f"--set={setting}" for setting in lenient),
        "--report",
        "json:two.json",
    )
    one, two = (json.loads((pytester.path / name).read_text()) for name in ("one.json", "two.json"))
    assert one["run"]["failed"] == two["run"]["failed"] != []
    assert one["run"]["expected"] == two["run"]["expected"] == ["reject-reject", "review-review"]
    assert [item["id"] for item in one["transcripts"]] == [item["id"] for item in two["transcripts"]]
    assert one["summary"] == two["summary"]

"""The hand-written cases come out as they are expected to, or are misses that are known.

What was asked for (`of_issue`) and comes out wrong is named here with its reason; nothing else of it may. Of
the siblings and the short predicates it is counted how many come out right: the figures of the day this was
measured, less a small margin, for the weights are trained anew from time to time.
"""

from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from pytest_grounding.settings import Settings

if TYPE_CHECKING:
    from benchmarks.verdicts import outcomes
else:
    outcomes = pytest.importorskip(
        "benchmarks.verdicts.outcomes", reason="benchmarks stand beside the sources alone"
    )

#: Examples that were asked for and do not come out right, each with what is missing.
MISSES = {
    "passage_mention-02": "what a numbered source lacks is not looked up in that source",
    "another_event-03": "a value of another event in the same sentence",
    "not_below-02": "the other edge of a limit is near the line of its kind: possible alone",
    "must_may-03": 'nobody knows that "may choose whether" denies "must"',
    "twenty_four_seven-02": 'nobody knows that "on weekdays only" is less than 24/7',
    "passive-02": "nobody knows that what was demolished was not opened, all else in one sentence",
    "passages_do_not-02": "a lack that all passages are said to have is not looked up",
    "example_illustrates-03": "one noun in the place of another, all else in one sentence",
    "adjunct_instead-01": "two words at the end of a longer claim that stand nowhere: as often a paraphrase",
    "question_noun-01": "the question's words are two thirds of the claim: too many to be excused",
    "no_only-02": "one noun in the place of another, all else in one sentence",
}
#: Of the others: file, part, what is expected -> how many came out so, of how many.
COUNTS = {
    ("examples.jsonl", "held", "pass"): (105, 111),
    ("examples.jsonl", "held", "stop"): (77, 115),
    ("examples.jsonl", "held", "not_contradicted"): (3, 3),
    ("examples.jsonl", "held", "unchecked"): (3, 5),
    ("short_predicates.jsonl", "seen", "pass"): (19, 30),
    ("short_predicates.jsonl", "seen", "stop"): (27, 29),
    ("short_predicates.jsonl", "held", "pass"): (19, 30),
    ("short_predicates.jsonl", "held", "stop"): (29, 30),
}
MARGIN = 3
FILES = ("examples.jsonl", "short_predicates.jsonl")


def is_as_expected(expect, verdict):
    """Whether the claims have such statuses; that the answer is to be reviewed does not count."""
    statuses = {claim.status for claim in verdict.claims if claim.checked}
    refused = statuses & {"contradicted", "unsupported"}
    return {
        "pass": not refused,
        "stop": bool(refused),
        "not_contradicted": "contradicted" not in statuses,
        "unchecked": not statuses,
    }[expect]


class Ran(NamedTuple):
    """A case and what came of it: as it should, and whether a claim of it at least bears a conflict."""

    file: str
    case: dict[str, Any]
    holds: bool
    doubted: bool


@pytest.fixture(scope="module")
def ran():
    return [
        Ran(
            name,
            case,
            is_as_expected(case["expect"], verdict),
            any(claim.conflicts for claim in verdict.claims),
        )
        for name in FILES
        for case, verdict in outcomes.cases(outcomes.CASES / name, Settings())
    ]


def test_required_verdicts_hold_or_are_known_misses(ran):
    asked = {item.case["id"]: item for item in ran if item.case["of_issue"]}
    assert len(asked) == 93
    assert set(asked) >= set(MISSES)
    missed = {name: item for name, item in asked.items() if not item.holds and name not in MISSES}
    # A conflict beside the line of its kind falls on either side of it when the weights are trained anew.
    unseen = [name for name, item in missed.items() if item.case["expect"] != "stop" or not item.doubted]
    assert unseen == []
    assert len(missed) <= 2, sorted(missed)


def test_a_known_miss_that_holds_must_leave_the_list(ran):
    """A few may come and go with the weights; a list that tells of many that are none is out of date."""
    held = [item.case["id"] for item in ran if item.holds and item.case["id"] in MISSES]
    assert len(held) <= MARGIN, held


@pytest.mark.parametrize(("name", "part", "expect"), COUNTS)
def test_as_many_of_the_others_hold_as_were_measured(ran, name, part, expect):
    least, of = COUNTS[name, part, expect]
    own = {
        item.case["id"]: item.holds
        for item in ran
        if (item.file, item.case["part"], item.case["expect"]) == (name, part, expect)
        and not item.case["of_issue"]
    }
    assert len(own) == of
    lost = [case for case, holds in own.items() if not holds]
    # Of a handful each one counts.
    assert sum(own.values()) >= least - (MARGIN if of > 10 else 0), lost


def test_every_case_is_counted(ran):
    counts = Counter(
        (item.file, item.case["part"], item.case["expect"]) for item in ran if not item.case["of_issue"]
    )
    assert counts == {key: of for key, (_, of) in COUNTS.items()}

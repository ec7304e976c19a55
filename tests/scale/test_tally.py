"""Sums of integers: no order and no grouping of the verdicts changes a byte of what they add up to."""

from __future__ import annotations

import random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from made_verdicts import citation, claim, verdict

from pytest_grounding import Settings
from pytest_grounding.baseline.suite import decide, summarise
from pytest_grounding.baseline.tally import Tally
from pytest_grounding.model.finding import Finding, Waived
from pytest_grounding.model.run import RunFacts, RunReport
from pytest_grounding.model.verdict import Verdict

_STATUSES = ("supported", "borderline", "unsupported", "contradicted", "abstained", "unchecked")
_WAIVED = Waived(reason="seen", severity="error")


@st.composite
def verdicts(draw: st.DrawFn) -> list[Verdict]:
    """Some verdicts with all that the suite counts, each under its own id."""
    found = []
    for number in range(draw(st.integers(0, 12))):
        claims = [
            claim(draw(st.sampled_from(_STATUSES)), index=index) for index in range(draw(st.integers(0, 3)))
        ]
        waived = draw(st.sampled_from([None, _WAIVED]))
        more: dict[str, Any] = {
            "status": draw(st.sampled_from(["pass", "review", "reject"])),
            "confidence": draw(st.sampled_from([None, 0.0, 0.1, 0.333333, 0.7, 0.95, 1 / 3, float("nan")])),
            "claims": claims,
            "citations": [citation(draw(st.booleans()))] * draw(st.integers(0, 2)),
            "declined": draw(st.booleans()),
            "findings": (Finding(rule="number", severity="error", message="m", waived=waived),),
            "recorded_on": draw(st.sampled_from([None, "2026-01-02", "2026-03-04"])),
            "reported_confidence": draw(st.sampled_from([None, 0.1, 0.9, 1 / 7])),
            "not_checked": draw(st.sampled_from([{}, {"opinion": 2}])),
            "switched_off": draw(st.sampled_from([(), ("hallucination detection",)])),
            "confidences": {},
        }
        found.append(verdict(f"id-{number}", **more))
    return found


@settings(max_examples=40, deadline=None)
@given(verdicts(), st.integers(0, 2**32), st.integers(1, 5))
def test_no_order_and_no_grouping_changes_a_byte(found: list[Verdict], seed: int, parts: int) -> None:
    limits, facts = Settings(), RunFacts(failed=tuple(item.id for item in found if item.status == "reject"))
    whole = Tally.of(found, limits)
    report = decide(RunReport.of(found, facts), limits)

    chance = random.Random(seed)
    mixed = list(found)
    chance.shuffle(mixed)
    groups: list[list[Verdict]] = [[] for _ in range(parts)]
    for item in mixed:
        chance.choice(groups).append(item)
    tallies = [Tally.of(group, limits) for group in groups]
    while len(tallies) > 1:
        left, right = (tallies.pop(chance.randrange(len(tallies))) for _ in range(2))
        left.merge(right)
        tallies.append(left)

    assert tallies[0].as_dict() == whole.as_dict()
    again = decide(RunReport.of(mixed, facts), limits, tally=tallies[0])
    assert again.to_json() == report.to_json()


def test_all_that_is_counted_is_an_integer() -> None:
    found = [verdict("a", confidence=1 / 3, reported_confidence=0.1), verdict("b", status="reject")]
    tally = Tally.of(found, Settings())
    assert all(type(number) is int for number in tally.counts.values())
    assert tally.counts["confidence_sum"] == 333_333 + 950_000
    assert tally.counts["confidence_squares"] == 333_333**2 + 950_000**2


def test_a_mean_is_what_the_floats_would_give() -> None:
    """Many tenths, which no float holds: their sum is off when floats are added in any order."""
    found = [verdict(f"v{number}", confidence=0.1, reported_confidence=0.3) for number in range(1000)]
    summary = summarise(RunReport.of(found), Settings())
    assert summary.confidence_difference == 0.2
    assert summary.answers_compared == 1000


def test_messages_name_the_first_by_id_whatever_came_first() -> None:
    waived = Finding(rule="number", severity="info", message="m", waived=_WAIVED)
    found = [verdict(f"v{number}", findings=(waived,)) for number in (7, 3, 9, 1, 5, 2, 8)]
    settings = Settings()
    halves = [Tally.of(found[:4], settings), Tally.of(found[4:], settings)]
    halves[1].merge(halves[0])
    report = decide(RunReport.of(found), settings, tally=halves[1])
    assert report.gate is not None
    assert report.gate.notes == (
        "7 findings waived: v1 number (seen), v2 number (seen), v3 number (seen) and 4 more",
    )

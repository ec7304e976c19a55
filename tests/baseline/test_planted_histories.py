"""Simulated suites with known effects: alarms stay as rare as stated, and drops are found."""

import pytest

from pytest_grounding._io.wording import wilson

statistics = pytest.importorskip(
    "benchmarks.suite_statistics", reason="benchmarks stand beside the sources alone"
)


@pytest.mark.slow
@pytest.mark.parametrize("repeats", [1, 3])
def test_planted_histories_without_a_change_raise_no_more_alarms_than_stated(repeats):
    found = statistics.measure(statistics.Plan("unchanged", 40, repeats=repeats), 120)
    low, _ = wilson(found.alarms, found.histories)
    assert low <= 0.05
    # The interval holds the truth about as often as it says.
    assert found.covered / found.measured >= 0.88


@pytest.mark.slow
def test_planted_drops_are_found():
    found = statistics.measure(statistics.Plan("drop", 150, drop=0.25), 60)
    assert found.pass_share_worse / found.histories >= 0.9
    still = statistics.measure(statistics.Plan("drop, nothing else varies", 100, noise=0.0, drop=0.15), 40)
    assert still.pass_share_worse / still.histories >= 0.9

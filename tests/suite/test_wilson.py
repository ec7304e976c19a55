import pytest
from every import each
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from pytest_grounding._io.wording import wilson


@pytest.mark.row(43)
@given(st.integers(1, 5000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_agrees_with_scipy(counts):
    successes, trials = counts
    expected = binomtest(successes, trials).proportion_ci(0.95, method="wilson")
    low, high = wilson(successes, trials)
    assert low == pytest.approx(expected.low, abs=1e-9)
    assert high == pytest.approx(expected.high, abs=1e-9)
    assert 0.0 <= low <= successes / trials <= high <= 1.0


def test_nothing_tried_has_no_interval():
    assert wilson(0, 0) is None


@each((-1, 3), (4, 3), (1, 0))
def test_counts_that_are_not_a_share_are_refused(successes, trials):
    with pytest.raises(ValueError, match="is not a share"):
        wilson(successes, trials)

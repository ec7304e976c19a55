"""The statistics of a comparison against scipy, known cases and planted histories."""

import math

import numpy as np
import pytest
from every import each
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from pytest_grounding.suite.compare import PairedQuestion, holm, ratio_change


def by_coin(worse, better):
    """McNemar's exact test: as many heads of a fair coin, at least."""
    return binomtest(worse, worse + better, 0.5, alternative="greater").pvalue


def test_holm():
    assert holm([0.01, 0.04, 0.03, 0.005], 0.05) == [True, False, False, True]
    assert holm([], 0.05) == []
    assert holm([math.nan, 0.001], 0.05) == [False, True]


def single(before, after):
    return [
        PairedQuestion(((float(old), 1.0),), ((float(new), 1.0),))
        for old, new in zip(before, after, strict=True)
    ]


def test_nothing_changed_is_no_difference():
    found = ratio_change(single([1, 0, 1], [1, 0, 1]))
    assert (found.rise, found.low, found.high, found.p_higher, found.p_lower) == (0.0, 0.0, 0.0, 1.0, 1.0)


@pytest.mark.row(54)
@each((1, 0), (3, 0), (5, 1), (9, 2), (6, 6))
def test_a_few_changed_answers_are_tested_exactly(worse, better):
    before = [1] * worse + [0] * better + [1] * 30
    after = [0] * worse + [1] * better + [1] * 30
    assert ratio_change(single(before, after)).p_lower == pytest.approx(by_coin(worse, better))


def test_many_swaps_approximate_the_exact_test():
    before = [1] * 14 + [0] * 6 + [1] * 60
    after = [0] * 14 + [1] * 6 + [1] * 60
    assert ratio_change(single(before, after)).p_lower == pytest.approx(by_coin(14, 6), abs=0.02)


def test_the_interval_of_a_large_suite_is_normal():
    generator = np.random.Generator(np.random.PCG64(3))
    before = (generator.random(2000) < 0.8).astype(float)
    after = (generator.random(2000) < 0.75).astype(float)
    found = ratio_change(single(before, after))
    error = float(np.std(after - before) / math.sqrt(2000))
    middle = float(np.mean(after - before))
    assert found.rise == pytest.approx(middle)
    assert found.low == pytest.approx(middle - 1.96 * error, abs=0.003)
    assert found.high == pytest.approx(middle + 1.96 * error, abs=0.003)


def test_a_rate_is_a_ratio_of_sums():
    questions = [PairedQuestion(((1.0, 1.0),), ((1.0, 1.0),)), PairedQuestion(((0.0, 9.0),), ((4.0, 9.0),))]
    found = ratio_change(questions)
    assert (found.before, found.after) == (0.1, 0.5)


def test_repeats_count_once_per_question():
    many = PairedQuestion(((1.0, 1.0),) * 9, ((1.0, 1.0),) * 3)
    found = ratio_change([many, PairedQuestion(((0.0, 1.0),), ((1.0, 1.0),))])
    assert (found.before, found.after) == (0.5, 1.0)


def test_repeats_of_a_question_are_not_independent():
    apart = single([1] * 8 + [1] * 8, [0] * 8 + [1] * 8)
    together = [
        PairedQuestion(((1.0, 1.0),) * 8, ((0.0, 1.0),) * 8),
        PairedQuestion(((1.0, 1.0),) * 8, ((1.0, 1.0),) * 8),
    ]
    assert ratio_change(apart).p_lower < 0.01
    assert ratio_change(together).p_lower > 0.2


def test_nothing_counted_has_no_difference():
    found = ratio_change([PairedQuestion(((0.0, 4.0),), ((0.0, 0.0),))])
    assert (found.before, found.after, found.rise, found.p_higher) == (0.0, None, None, None)
    assert ratio_change([]).before is None


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=30), st.integers(0, 3))
def test_a_seed_gives_equal_results(pairs, seed):
    questions = single(*zip(*pairs, strict=True))
    first = ratio_change(questions, seed=seed, resamples=50)
    assert repr(ratio_change(questions, seed=seed, resamples=50)) == repr(first)
    assert first.low <= first.high
    assert 0 < first.p_higher <= 1
    assert 0 < first.p_lower <= 1


def test_swapping_the_sides_mirrors_the_p_values():
    pairs = single([1, 1, 1, 1, 0], [0, 0, 0, 1, 1])
    back = [PairedQuestion(item.after, item.before) for item in pairs]
    assert ratio_change(pairs).p_lower == pytest.approx(ratio_change(back).p_higher)

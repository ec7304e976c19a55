"""Patterns that are compiled at their first use."""

import re
from concurrent.futures import ThreadPoolExecutor

import pytest

from pytest_grounding._io.lazy_patterns import lazy


def test_it_answers_like_a_compiled_pattern():
    text = "One fish, two FISH."
    pattern, plain = lazy(r"(?P<word>fish)", re.IGNORECASE), re.compile(r"(?P<word>fish)", re.IGNORECASE)
    assert [match.span("word") for match in pattern.finditer(text)] == [(4, 8), (14, 18)]
    assert pattern.findall(text) == plain.findall(text)
    assert pattern.sub("cat", text) == plain.sub("cat", text)
    assert pattern.split(text) == plain.split(text)
    assert (pattern.pattern, pattern.flags) == (plain.pattern, plain.flags)
    assert pattern.match("fishes") is not None
    assert pattern.fullmatch("fishes") is None
    assert pattern.search("no") is None


def test_it_is_compiled_at_the_first_use_and_not_before():
    broken = lazy("(")
    with pytest.raises(re.error, match="missing"):
        broken.search("a")


def test_it_has_no_other_attributes():
    with pytest.raises(AttributeError):
        getattr(lazy("a"), "nothing")  # noqa: B009  # a plain look-up has no effect to a linter


def test_threads_may_use_it_first_at_the_same_time():
    pattern = lazy(r"\d+")
    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(lambda _: pattern.findall("1 22 333") == ["1", "22", "333"], range(64))) == {True}

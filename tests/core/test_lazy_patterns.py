"""Patterns that are compiled at their first use."""

import re

import pytest

from pytest_grounding._io.lazy_patterns import lazy


def test_behaves_like_a_compiled_pattern():
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


def test_compiles_at_the_first_use():
    broken = lazy("(")
    with pytest.raises(re.error, match="missing"):
        broken.search("a")


def test_has_no_other_attributes():
    with pytest.raises(AttributeError):
        getattr(lazy("a"), "nothing")  # noqa: B009  # a plain look-up has no effect to a linter

"""The look at the shapes of a text finds all that the pattern of identifiers does."""

from __future__ import annotations

import string

from every import misses
from hypothesis import given
from hypothesis import strategies as st

from pytest_grounding.reading.identifiers import _HINT, may_hold

#: Signs that the pattern tells apart, and some that mean nothing to it.
SIGNS = "aZ0_/\\@-+.() ,\u00e9"


@given(st.text(alphabet=SIGNS, max_size=12))
def test_the_gate_lets_through_what_the_pattern_finds(text: str) -> None:
    assert may_hold(text) == (_HINT.search(text) is not None)


def check_every_pair_of_signs_is_told_alike(first: str) -> None:
    for second in string.printable:
        text = f"a {first}{second} b"
        assert may_hold(text) == (_HINT.search(text) is not None), text


def test_every_pair_of_signs_is_told_alike() -> None:
    assert misses(check_every_pair_of_signs_is_told_alike, string.printable) == []

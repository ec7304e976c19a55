"""What the marks of a test expect of its answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from pytest_grounding.plugin.option_table import MARK_NAME_EXPECTS

_TAKES = 'grounding_expects("14 days", ["by post", "by mail"], forbidden=["30 days"], sources=["refunds.md"])'
_FIELDS = {"forbidden": "forbidden", "sources": "expected_sources"}


def of_marks(item: pytest.Item) -> Mapping[str, tuple[Any, ...]]:
    """Fields of a transcript with what the marks of a test, its class and its module add to them."""
    found: dict[str, tuple[Any, ...]] = {}
    for mark in item.iter_markers(MARK_NAME_EXPECTS):
        given = {"expected": mark.args, **{_FIELDS[name]: mark.kwargs[name] for name in mark.kwargs}}
        for name, values in given.items():
            plain = tuple(tuple(value) if isinstance(value, list) else value for value in values)
            found[name] = (*found.get(name, ()), *plain)
    return {name: values for name, values in found.items() if values}


def problem_of(mark: pytest.Mark) -> str:
    """What is wrong with a mark, in one sentence, or ""."""
    if unknown := [name for name in mark.kwargs if name not in _FIELDS]:
        return f"grounding_expects: {unknown[0]} is not known; known are {', '.join(_FIELDS)}"
    facts = [form for fact in mark.args for form in (fact if isinstance(fact, (list, tuple)) else [fact])]
    for name, values in (("facts", facts), *mark.kwargs.items()):
        is_listed = isinstance(values, (list, tuple))
        if not is_listed or not all(isinstance(value, str) and value.strip() for value in values):
            return f"grounding_expects: {name} are not texts; write {_TAKES}"
    if not facts and not any(mark.kwargs.values()):
        return f"grounding_expects(): nothing is expected; write {_TAKES}"
    return ""

"""Typed conflicts: evidence that contradicts a claim about the same thing.

`find_conflicts` sets a claim against the chunks, `conflicts_between` one sentence against another.
"""

from __future__ import annotations

from pytest_grounding.scorers.builtin.conflicts.conflict_search import conflicts_between, find_conflicts

__all__ = ["conflicts_between", "find_conflicts"]

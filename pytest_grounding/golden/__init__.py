"""Goldens: accepted recordings that a new one is reviewed against, by claim and citation.

`store` keeps them, `diff` says what changed in meaning, `settle` decides by policy, `review` accepts and
rejects. Nothing here knows a terminal or pytest.
"""

from __future__ import annotations

from pytest_grounding.golden.diff import compare
from pytest_grounding.golden.golden_file import (
    GRADES,
    RULES,
    TOOL_RULES,
    Change,
    Golden,
    Grade,
    Pending,
    grade_of,
)
from pytest_grounding.golden.golden_store import FOLDER, Store, file_name, find_stores

__all__ = [
    "FOLDER",
    "GRADES",
    "RULES",
    "TOOL_RULES",
    "Change",
    "Golden",
    "Grade",
    "Pending",
    "Store",
    "compare",
    "file_name",
    "find_stores",
    "grade_of",
]

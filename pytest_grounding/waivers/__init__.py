"""Waivers: what a person says of a finding, so that it decides nothing until what it is about changes.

`store` keeps them in one file beside the tests, `match` says which finding one is about. Nothing here knows
a terminal or pytest.
"""

from __future__ import annotations

from pytest_grounding.waivers.match import Waivers, from_given, held_by, is_about, overrulable, waiver_for
from pytest_grounding.waivers.model import BY_NAME, FILE, NEVER_WAIVED, Waiver, add, read, remove

__all__ = [
    "BY_NAME",
    "FILE",
    "NEVER_WAIVED",
    "Waiver",
    "Waivers",
    "add",
    "from_given",
    "held_by",
    "is_about",
    "overrulable",
    "read",
    "remove",
    "waiver_for",
]

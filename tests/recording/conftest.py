"""Runs of pytest inside the tests; what they load stays loaded, so that each is quick."""

from __future__ import annotations

import pytest_grounding.assertions
import pytest_grounding.engine
import pytest_grounding.recording  # noqa: F401

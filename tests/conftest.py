"""What all tests share."""

from __future__ import annotations

from hypothesis import settings

# The same examples on every run and machine, and no verdict that hangs on how fast the machine is.
settings.register_profile("house", derandomize=True, deadline=None, database=None)
settings.load_profile("house")

pytest_plugins = ["pytester"]

"""What all tests share."""

from __future__ import annotations

import os
import signal

from hypothesis import settings

# The same examples on every run and machine, and no verdict that hangs on how fast the machine is.
settings.register_profile("house", derandomize=True, deadline=None, database=None)
settings.load_profile("house")

# A defect of the package ends a test with its traceback; users get an error finding. Processes inherit it.
os.environ["GROUNDING_INTERNAL_ERRORS"] = "raise"

pytest_plugins = ["pytester"]

# A build that a script started in the background ignores Ctrl-C, and so would all that the tests start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

"""What all tests share."""

from __future__ import annotations

import signal

from hypothesis import settings

# The same examples on every run and machine, and no verdict that hangs on how fast the machine is.
settings.register_profile("house", derandomize=True, deadline=None, database=None)
settings.load_profile("house")

pytest_plugins = ["pytester"]

# A build that a script started in the background ignores Ctrl-C, and so would all that the tests start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

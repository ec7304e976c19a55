"""Our commands on a pseudo terminal, as somebody at a keyboard runs them."""

import os
from contextlib import contextmanager

import pytest
import warm_starts

pexpect = pytest.importorskip("pexpect", reason="drives a terminal")
LINES = 50
DECIDING = ("NO_COLOR", "COLUMNS", "LINES")  # variables that would decide instead of the terminal


@contextmanager
def commands_in(folder):
    """A way to start commands in a folder; what still runs at the end is closed."""
    started = []

    def start(*words, columns=200, **environment):
        kept = {name: value for name, value in os.environ.items() if name not in DECIDING}
        child = pexpect.spawn(
            warm_starts.python(),
            ["-m", "pytest_grounding", *words],
            cwd=str(folder),
            env={**kept, **environment},
            encoding="utf-8",
            dimensions=(LINES, columns),
            timeout=60,
        )
        started.append(child)
        return child

    try:
        yield start
    finally:
        for child in started:
            child.close(force=True)

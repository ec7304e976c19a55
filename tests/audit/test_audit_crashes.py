"""A writer may die at any call of the system that it makes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
def test_a_writer_that_dies_at_any_point_loses_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    # In a process of its own: a process with threads, as a worker of xdist is, should not fork.
    done = subprocess.run(
        [sys.executable, str(HERE / "audit_crashes.py"), str(tmp_path)],
        env={**os.environ, "PYTHONPATH": str(HERE.parent)},
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    assert found["wrong"] == []
    # Each scene was died in at many points, or this shows nothing.
    assert set(found["tried"]) == {"first", "next", "synced", "rotated", "torn", "pruned"}
    assert min(found["tried"].values()) >= 10

"""The build's own script: a run that fails keeps its log, one that passes leaves nothing."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

RUN = Path(__file__).resolve().parents[2] / ".ci" / "run"
SHELL = shutil.which("bash")

pytestmark = pytest.mark.skipif(SHELL is None or sys.platform == "win32", reason="there is no bash")


def build(folder, recipe):
    (folder / ".ci").mkdir(exist_ok=True)
    shutil.copy(RUN, folder / ".ci" / "run")
    (folder / "Makefile").write_text(f"test:\n\t@{recipe}\n", encoding="utf-8")
    tools = folder / "tools"
    tools.mkdir(exist_ok=True)
    # Nothing is installed for this test: the browser is said to be there.
    (tools / "chromium").write_text("#!/bin/sh\n", encoding="utf-8")
    (tools / "chromium").chmod(0o755)
    path = f"{tools}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        [str(SHELL), ".ci/run"], cwd=folder, env={**os.environ, "PATH": path}, capture_output=True, text=True
    )
    return done, sorted((folder / ".ci-logs").iterdir())


def test_a_failed_run_keeps_its_log(tmp_path):
    done, logs = build(tmp_path, "echo FAILED tests/x.py::test_y; echo cause >&2; exit 3")
    assert done.returncode != 0
    (log,) = logs
    said = log.read_text(encoding="utf-8")
    for text in ("FAILED tests/x.py::test_y", "cause", "machine: "):
        assert text in said
    assert f"the log is kept: .ci-logs/{log.name}" in done.stdout
    assert "FAILED tests/x.py::test_y" in done.stdout
    _, both = build(tmp_path, "exit 1")
    assert len(both) == 2


def test_a_run_that_passes_leaves_no_log(tmp_path):
    done, logs = build(tmp_path, "echo 5 passed")
    assert (done.returncode, logs) == (0, [])
    assert "5 passed" in done.stdout

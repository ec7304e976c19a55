"""The script that tries the wheel on every Python at hand."""

import importlib.util
import os
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / ".ci" / "wheel.py"


@pytest.mark.skipif(os.name == "nt", reason="the stand-ins are shell scripts")
def test_a_broken_interpreter_counts_as_absent(tmp_path, monkeypatch):
    if not SCRIPT.exists():
        pytest.skip("stands beside the sources alone")
    spec = importlib.util.spec_from_file_location("wheel_script", SCRIPT)
    assert spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    for name, body in (("python3.12", "exit 127"), ("python3.13", f'exec "{sys.executable}" "$@"')):
        (tmp_path / name).write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert script.at_hand() == [str(tmp_path / "python3.13")]

"""A command that is stopped halfway leaves no half of a file behind."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

#: Says that the file is open, and waits for ever in the middle of writing it.
HALFWAY = """
import sys, threading
from pytest_grounding._io import jsonio
from pytest_grounding.cli import main, schema

def run(args):
    with jsonio.atomic_writer("out.json") as file:
        file.write("half")
        print("halfway", flush=True)
        threading.Event().wait(60)

schema.run = run
sys.exit(main(["show", "schema"]))
"""


@pytest.mark.skipif(os.name == "nt", reason="Windows ends a process without a word to it")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_command_that_is_stopped_removes_what_is_half_written(
    tmp_path: Path, number: signal.Signals
) -> None:
    (tmp_path / "out.json").write_text("as it was")
    with subprocess.Popen(
        [sys.executable, "-c", HALFWAY],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        # A shell starts what runs in the background with SIGINT ignored.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"halfway\n"
        process.send_signal(number)
        said = process.communicate(timeout=60)[1]
    assert (process.returncode, said) == (128 + number, b"")
    assert [path.name for path in tmp_path.iterdir()] == ["out.json"]
    assert (tmp_path / "out.json").read_text() == "as it was"

"""What writes files is killed, runs out of disk, and finds its folder closed: what was finished is there."""

import ast
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
import warm_starts
from kill_writers import WRITERS

import pytest_grounding

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no fork, and no SIGKILL")

HERE = Path(__file__).resolve().parent
PACKAGE = Path(pytest_grounding.__file__).resolve().parent
#: Functions that write a file.
WRITING = set("write_atomic atomic_writer write_json write_json_lines write_run mkstemp write_all".split())
WRITING_OS = {"write"}
#: What the writers are built from.
TOOLS = {
    "_io/locks.py",
    # A copy of standard input that the process itself removes; nobody reads it after a kill.
    "cli/standard_streams.py",
    # tests/adopt/test_newcomer_runs.py kills it before each of its files.
    "cli/init.py",
    # A cache, built again where it is not there; tests/retrieval/test_root_cause.py kills its building.
    "importers/documents.py",
}

EVERY = pytest.mark.parametrize("name", WRITERS)


def loop(action, name, folder, *more):
    # The loop kills and limits what it forks by itself, so it may be a warm one.
    command = [warm_starts.python(), str(HERE / "kill_loop.py"), action, name, str(folder), *more]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(HERE), str(HERE.parent)])}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


@EVERY
def test_a_few_killed_writers_keep_finished_work(tmp_path, name):
    found = loop("kill", name, tmp_path, "8")
    assert found["wrong"] == []
    assert found["finished"] >= 4


@pytest.mark.slow
@EVERY
def test_a_hundred_killed_writers_keep_finished_work(tmp_path, name):
    found = loop("kill", name, tmp_path, "100")
    assert found["wrong"] == []
    assert found["finished"] >= 50


@EVERY
def test_a_full_disk_keeps_finished_work(tmp_path, name):
    found = loop("full", name, tmp_path)
    if found is None:
        pytest.skip("no file system can be mounted here")
    assert found["wrong"] == []
    assert found["finished"] >= 2
    assert len(found["said"]) == 3
    assert all("No space left on device" in text for text in found["said"]), found["said"]


@pytest.fixture
def open_folder():
    """A folder that another user can enter; that of pytest belongs to its user alone."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        (folder / "files").mkdir()
        yield folder / "files"
        (folder / "files").chmod(0o755)
        for path in (folder / "files").rglob("*"):
            path.chmod(0o755 if path.is_dir() else 0o644)


@EVERY
def test_a_closed_folder_is_a_plain_error_and_unchanged(open_folder, name):
    found = loop("closed", name, open_folder)
    assert found["wrong"] == []
    assert len(found["said"]) == 2
    assert all("Permission denied" in text for text in found["said"]), found["said"]


def test_every_writer_is_registered():
    """A module that writes files is driven by the loop."""
    driven = {module for writer in WRITERS.values() for module in writer.modules}
    writing = {
        path.relative_to(PACKAGE).as_posix()
        for path in PACKAGE.rglob("*.py")
        if _writes(path.read_text("utf-8"))
    }
    assert writing - driven - TOOLS == set()
    assert driven - writing == set(), "no longer written by"


def _writes(source):
    for node in ast.walk(ast.parse(source)) if re.search("write|mkstemp", source) else ():
        if isinstance(node, ast.Call):
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            owner = getattr(getattr(node.func, "value", None), "id", "")
            if (
                name in WRITING
                or (owner == "os" and name in WRITING_OS)
                or name in ("write_text", "write_bytes")
            ):
                return True
    return False

"""Commands that are killed before any of their file operations lose nothing, and can be run again."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no fork, and no SIGKILL")

HERE = Path(__file__).resolve().parent
NAMES = "init accept reject record check check-in-parts merge baseline calibrate cassette waive".split()


def attack(name, folder, every):
    command = [sys.executable, str(HERE / "kill_commands.py"), name, str(folder), str(every)]
    environment = {key: value for key, value in os.environ.items() if key not in ("CI", "GITHUB_ACTIONS")}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.parametrize("name", NAMES)
def test_a_command_killed_before_some_operations_can_be_run_again(tmp_path, name):
    found = attack(name, tmp_path, 5)
    assert found["wrong"] == []
    assert found["kills"] >= 1


@pytest.mark.parametrize("name", NAMES)
def test_a_file_without_room_is_named_and_nothing_is_left_over(tmp_path, name):
    found = attack(name, tmp_path, "narrow")
    assert found["status"] == (1 if name == "record" else 2), found
    assert re.search(r"[\w/]+\.(json|jsonl|ini)\W.*File too large|File too large.*\.json", found["said"]), (
        found
    )
    assert found["left"] == []


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_command_killed_before_each_operation_can_be_run_again(tmp_path, name):
    assert attack(name, tmp_path, 1)["wrong"] == []

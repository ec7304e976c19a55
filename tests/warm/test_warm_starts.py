"""A program that starts warm is a process like any other: what it is given, says, leaves, and how it ends."""

import json
import os
import re
import signal
import subprocess
import sys

import pytest
import warm_starts
from every import table

from pytest_grounding.testing import Example, write_transcripts

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="programs start warm on Linux alone")

SHOWN = """\
import json, os, sys
print(json.dumps({
    "argv": sys.argv, "path": sys.path[0], "folder": os.getcwd(), "given": os.environ.get("GIVEN"),
    "name": __name__, "bytes": sys.dont_write_bytecode, "encoding": sys.stdout.encoding,
    "umask": os.umask(0), "warnings": sys.warnoptions,
}))
"""
REFUNDS = Example("How long do refunds take?", ["Refunds are paid within 14 days of the return."])


def start(python, *words, **more):
    return subprocess.run([python, *words], capture_output=True, text=True, check=False, timeout=120, **more)


def both(*words, **more):
    """Status, output and errors of a program: as it starts warm, and as the real Python starts it."""
    found = [start(python, *words, **more) for python in (warm_starts.python(), sys.executable)]
    return [(one.returncode, one.stdout, one.stderr) for one in found]


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "shown.py").write_text(SHOWN)
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    answers = ["Refunds are paid within 14 days [1].", "Refunds are paid within 45 days [1]."]
    rows = [REFUNDS.answered(answer, id=f"t{number}") for number, answer in enumerate(answers)]
    write_transcripts(tmp_path / "a.transcripts.jsonl", rows)
    return tmp_path


@pytest.mark.parametrize(
    "words",
    [
        ("shown.py", "a", "-b"),
        ("-m", "shown", "a"),
        ("-c", SHOWN, "a", "b c"),
        ("-P", "-W", "error", "-c", SHOWN),
    ],
    ids=["file", "module", "text", "options"],
)
def test_a_program_starts_with_the_same_state(folder, words):
    environment = {
        "PATH": os.environ["PATH"],
        "GIVEN": "ü",
        "PYTHONDONTWRITEBYTECODE": "1",
        "LC_ALL": "C.UTF-8",
    }
    warm, real = both(*words, cwd=folder, env=environment)
    if "-P" in words:
        # The head of what is left of the path is that of the library in both.
        assert json.loads(warm[1])["path"] != ""
    assert warm == real
    assert json.loads(warm[1])["given"] == "ü"


@pytest.mark.parametrize(
    "code",
    table(__file__, "test_a_program_ends_the_same_way"),
)
def test_a_program_ends_the_same_way(tmp_path, code):
    (tmp_path / "it.py").write_text(code)
    warm, real = both("it.py", cwd=tmp_path, input="given\n")
    assert warm == real


def test_a_check_and_a_run_of_pytest_say_and_write_the_same(folder):
    for words in (
        ("-m", "pytest_grounding", "check", ".", "--json"),
        ("-m", "pytest", "-p", "no:cacheprovider", "-p", "no:randomly"),
    ):
        warm, real = both(*words, cwd=folder)
        assert warm[0] == real[0] == 1
        assert plain(warm[1]) == plain(real[1])
        assert "t1" in warm[1]


def plain(text):
    return re.sub(r"=+|\d+\.\d+s", "", text)


@pytest.mark.parametrize("variables", [{"PYTHONHASHSEED": "7"}, {"PYTHONUTF8": "1"}])
def test_options_of_the_interpreter_start_a_real_one(variables):
    code = "import sys; print(sys.executable, hash('a') if sys.flags.hash_randomization == 0 else '')"
    found = start(
        warm_starts.python(), "-c", "import sys; print(sys.executable)", env={**os.environ, **variables}
    )
    assert found.stdout.strip() == sys.executable
    assert start(warm_starts.python(), "-X", "utf8", "-c", code).stdout.startswith(sys.executable)


def test_the_seed_of_hashes_is_the_one_that_is_asked_for():
    code = "import sys; print(hash('a'), sys.executable)"
    told = {**os.environ, "PYTHONHASHSEED": warm_starts.HASH_SEED}
    warm, again, real = (
        start(python, "-c", code, env=env).stdout.split()
        for python, env in (
            (warm_starts.python(), told),
            (warm_starts.python(), None),
            (sys.executable, told),
        )
    )
    assert warm == again
    assert warm[0] == real[0]
    assert (warm[1], real[1]) == (warm_starts.python(), sys.executable)


def test_a_program_leaves_nothing_for_the_next():
    change = "import os, sys, json; os.environ['LEFT'] = '1'; json.left = 1; sys.path.append('left')"
    assert start(warm_starts.python(), "-c", change).returncode == 0
    look = "import os, sys, json; print('LEFT' in os.environ, hasattr(json, 'left'), 'left' in sys.path)"
    assert start(warm_starts.python(), "-c", look).stdout == "False False False\n"


def test_a_program_whose_start_is_killed_ends_too(tmp_path):
    told, tell = os.pipe()
    code = "import os, sys, time; os.write(1, b'!'); time.sleep(600)"
    running = subprocess.Popen([warm_starts.python(), "-c", code], stdout=tell)
    os.close(tell)
    assert os.read(told, 1) == b"!"
    running.send_signal(signal.SIGKILL)
    running.wait(timeout=60)
    # The program held the pipe: its end is that of the program.
    assert os.read(told, 1) == b""
    os.close(told)


def test_a_signal_reaches_the_program():
    code = (
        "import os, signal, time\n"
        "signal.signal(signal.SIGTERM, lambda *_: os._exit(42))\n"
        "os.write(1, b'!')\ntime.sleep(600)\n"
    )
    running = subprocess.Popen([warm_starts.python(), "-c", code], stdout=subprocess.PIPE)
    assert running.stdout.read(1) == b"!"
    running.terminate()
    assert running.wait(timeout=60) == 42
    running.stdout.close()


def test_the_stand_ins_are_found_by_name_in_a_shell(folder):
    environment = {**os.environ, "PATH": f"{warm_starts.folder()}{os.pathsep}{os.environ['PATH']}"}
    script = "pytest-grounding check . --json | python shown.py | wc -l; pytest --version; echo $?"
    found = subprocess.run(
        ["bash", "-c", script], cwd=folder, env=environment, capture_output=True, text=True, check=True
    )
    assert found.stdout.split() == ["1", "pytest", pytest.__version__, "0"]

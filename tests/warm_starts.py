"""Start ``python``, ``pytest`` and ``pytest-grounding`` as processes that need not import anything.

Use `python` in place of `sys.executable` where a test is about what a program does. A test about signals of a
terminal, killed processes, what is imported, the encoding of a terminal or limits of the system
starts the real one.
"""

import atexit
import os
import shutil
import socket
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

_HERE = Path(__file__).parent / "warm"
#: The seed of hashes in a warm process; another one in the environment makes a start cold.
HASH_SEED = "1"
# Forks of a process that holds half a library are safe on Linux alone, and so are these sockets.
_IS_POSSIBLE = sys.platform == "linux"

_STAND_IN = """\
#!{real} -IS
import sys
sys.dont_write_bytecode = False
sys.path.append({here!r})
import warm_client
warm_client.run({address!r}, {real!r}, {python!r}, [{first}*sys.argv[1:]])
"""


def python() -> str:
    """Path of a ``python`` whose programs start at once; that of the real one where there is none."""
    return str(Path(folder()) / "python") if _IS_POSSIBLE else sys.executable


@cache
def folder() -> str:
    """A folder for the head of PATH, with stand-ins for ``python``, ``pytest`` and ``pytest-grounding``."""
    scripts = Path(sys.executable).parent
    if not _IS_POSSIBLE:
        return str(scripts)
    made = Path(tempfile.mkdtemp(prefix="warm-"))
    address = str(made / "socket")
    for name, first in {
        "python": "",
        "python3": "",
        "pytest": f"{str(scripts / 'pytest')!r}, ",
        "pytest-grounding": f"{str(scripts / 'pytest-grounding')!r}, ",
    }.items():
        if first and not (scripts / name).is_file():
            continue
        program = made / name
        program.write_text(
            _STAND_IN.format(
                real=sys.executable,
                here=str(_HERE),
                address=address,
                python=str(made / "python"),
                first=first,
            ),
            encoding="utf-8",
        )
        program.chmod(0o700)
    _serve(address, made)
    return str(made)


def _serve(address: str, made: Path) -> None:
    """Start the warm process, which ends when its standard input does."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listening:
        listening.bind(address)
        # Who connects before it is warm waits in line.
        listening.listen(64)
        plain = {
            name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "PYTHON"))
        }
        server = subprocess.Popen(
            [sys.executable, str(_HERE / "warm_server.py"), str(listening.fileno())],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            pass_fds=[listening.fileno()],
            # One thread: OpenBLAS would start more, which a fork would not have.
            env={**plain, "OPENBLAS_NUM_THREADS": "1", "PYTHONHASHSEED": HASH_SEED},
            cwd=made,
            start_new_session=True,
        )
    # Whoever forks this process, as some tests do, is not the one to clean up.
    owner = os.getpid()

    def end() -> None:
        if os.getpid() == owner:
            server.stdin.close()
            server.wait(timeout=30)
            shutil.rmtree(made, ignore_errors=True)

    atexit.register(end)

"""A worker process: parts come in on standard input, results go out on what was standard output.

It ends at once when its driver does, however that ends, and it leaves Ctrl-C to the driver.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import sys
import threading
from typing import Any, TextIO

from pytest_grounding.errors import GroundingError, InputError

#: What a worker is started with: the module search path of its driver comes as the first line, so that both
#: run the same code wherever it lies.
BOOTSTRAP = (
    "import json, sys; sys.path[:] = json.loads(sys.stdin.readline()); "
    "from pytest_grounding.scale.worker import main; main()"
)


def main() -> None:
    """Do parts until standard input ends."""
    # A terminal sends Ctrl-C to all processes of a run; the driver decides what becomes of the workers.
    with contextlib.suppress(ValueError):
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    # What an extension prints must not stand between the answers.
    out = os.fdopen(os.dup(1), "w", encoding="utf-8", newline="\n")
    os.dup2(2, 1)
    inbox: queue.Queue[str] = queue.Queue()
    threading.Thread(target=_listen, args=(inbox,), daemon=True).start()

    from pytest_grounding.scale.plan import Part, Plan

    plan = Plan.model_validate_json(inbox.get())
    _say(out, {"ready": os.getpid()})
    while True:
        part = Part.model_validate_json(inbox.get())
        _say(out, _answer(part, plan, out))


def _listen(inbox: queue.Queue[str]) -> None:
    # Lines are bounded by memory alone; the driver waits for nobody while it writes them.
    for line in sys.stdin:
        inbox.put(line)
    # The driver has gone or wants no more: a part that is half done is of use to nobody.
    os._exit(0)


def _say(out: TextIO, message: dict[str, Any]) -> None:
    try:
        out.write(json.dumps(message) + "\n")
        out.flush()
    except OSError:
        os._exit(0)


def _answer(part: Any, plan: Any, out: TextIO) -> dict[str, Any]:
    from pytest_grounding.scale.partition import check_partition

    def tell(rows: int, failed: int) -> None:
        _say(out, {"rows": rows, "failed": failed})

    try:
        return {"done": check_partition(part, plan, tell=tell).to_json()}
    except Exception as error:
        return refusal(error)


def refusal(error: Exception) -> dict[str, str]:
    """What kind of failure an exception is, and its sentence; the kinds are those of `drive.Failed`."""
    from pytest_grounding.importers.loading import GatheredError
    from pytest_grounding.scale.partfile import DifferentResultError

    if isinstance(error, GatheredError):
        return {"kind": "gathered", "message": str(error)}
    if isinstance(error, DifferentResultError):
        return {"kind": "fatal", "message": str(error)}
    if isinstance(error, InputError):
        return {"kind": "input", "message": str(error)}
    if isinstance(error, GroundingError):
        return {"kind": "fatal", "message": str(error)}
    if isinstance(error, MemoryError):
        return {"kind": "died", "message": "a worker ran out of memory"}
    if isinstance(error, OSError):
        name = error.filename2 or error.filename
        place = f"{os.fsdecode(name)}: " if isinstance(name, (str, bytes)) else ""
        return {"kind": "disk", "message": f"{place}{error.strerror or error}"}
    return {"kind": "died", "message": f"{type(error).__name__}: {str(error)[:300]}"}

"""Worker processes under supervision: one that dies is replaced, and its part is done again."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import subprocess
import sys
import threading
import uuid
from collections.abc import Callable, Generator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from pytest_grounding.errors import GroundingError
from pytest_grounding.scale.ledger import AGAIN, Ledger
from pytest_grounding.scale.plan import Part, Plan
from pytest_grounding.scale.result import PartResult
from pytest_grounding.scale.worker import BOOTSTRAP

#: Seconds between two looks at what nobody reports: Ctrl-C, and the clock of the progress.
_TICK_S = 0.2
_ENDING_S = 5.0

#: Variables of the processes of one run, which share the limit on judges: its name, and how many they are.
RUN, PROCESSES = "GROUNDING_RUN", "GROUNDING_RUN_PROCESSES"

_Events = queue.Queue[tuple["Worker", "dict[str, Any] | None"]]


def execute(ledger: Ledger, jobs: int) -> Generator[None, None, None]:
    """Do the parts of a ledger in worker processes; yields now and then, after each event at the latest.

    Args:
        ledger: takes the results.
        jobs: worker processes, at least 1.

    Raises:
        GroundingError: a worker cannot start, or nothing can be done with the settings of the plan.
        InputError: the work folder cannot be written to.
        WholeNeededError: the plan must be made anew.
    """
    events: _Events = queue.Queue()
    workers: list[Worker] = []
    shared = {RUN: uuid.uuid4().hex, PROCESSES: str(jobs)}
    with contextlib.ExitStack() as last:
        # Whatever ends the run, an interrupt too: what is half done is of use to nobody.
        last.callback(lambda: [worker.end() for worker in workers])
        while not ledger.is_settled:
            _assign(ledger, workers, jobs, partial(Worker, ledger.plan, events, shared))
            try:
                worker, message = events.get(timeout=_TICK_S)
            except queue.Empty:
                yield
                continue
            _take(worker, message, ledger, workers)
            yield


def _assign(ledger: Ledger, workers: list[Worker], jobs: int, new: Callable[[], Worker]) -> None:
    idle = [worker for worker in workers if worker.part is None]
    while (idle or len(workers) < jobs) and (part := ledger.take()) is not None:
        if not idle:
            idle.append(new())
            workers.append(idle[-1])
        idle.pop().give(part)


def _take(worker: Worker, message: dict[str, Any] | None, ledger: Ledger, workers: list[Worker]) -> None:
    """Act on what a worker says; None: it has died."""
    if worker not in workers:
        # It was ended, and its last words come late.
        return
    part = worker.part
    if message is None:
        workers.remove(worker)
        status = worker.end()
        if part is not None:
            # One that is killed while it starts is a loss as any other; one that gives up will do so again.
            ledger.starts_lost += not worker.is_ready and status >= 0
            if ledger.starts_lost > AGAIN and not ledger.has_started:
                raise GroundingError(f"no worker process can start: the last one {_told(status)}")
            ledger.refused(part, "died", f"its worker {_told(status)}")
    elif "ready" in message:
        worker.is_ready = ledger.has_started = True
    elif part is None:
        return
    elif "rows" in message:
        ledger.tell(part, message["rows"], message["failed"])
    else:
        worker.part = None
        if "done" in message:
            ledger.done(part, PartResult.of_json(message["done"]))
            return
        if message["kind"] == "died":
            # After a failure of its own a process may be short of memory, or worse: the next is a new one.
            workers.remove(worker)
            worker.end()
        ledger.refused(part, message["kind"], message["message"])


class Worker:
    """One process.

    Args:
        plan: the plan of its parts.
        events: takes what it says, and None at its end.
        shared: variables by which the processes of a run know each other.

    Attributes:
        part: what it is at, or None.
        is_ready: it has started.
    """

    def __init__(self, plan: Plan, events: _Events, shared: Mapping[str, str]) -> None:
        self.part: Part | None = None
        self.is_ready = False
        # -P: the current folder is the user's, and its files are no modules of ours.
        self._process = subprocess.Popen(  # noqa: S603 -- this very interpreter, and a fixed program
            [sys.executable, "-P", "-c", BOOTSTRAP],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            errors="surrogatepass",
            bufsize=1,
            env={**os.environ, **shared},
        )
        threading.Thread(target=self._listen, args=(events,), daemon=True).start()
        self._say(json.dumps([item or str(Path.cwd()) for item in sys.path]))
        self._say(plan.without_parts().model_dump_json())

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._process.pid

    def give(self, part: Part) -> None:
        """Let it do a part."""
        self.part = part
        self._say(part.model_dump_json())

    def end(self) -> int:
        """End it, if that is still to be done; the exit status, or less a signal."""
        if self._process.poll() is None and self._process.stdout is not None:
            # Where it has closed its output it is ending by itself, and its status says why.
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(0 if self.part is None else 0.05)
        if self._process.poll() is None:
            self._process.kill()
        status = self._process.wait(_ENDING_S)
        with contextlib.suppress(OSError):
            if self._process.stdin is not None:
                self._process.stdin.close()
        return status

    def _say(self, line: str) -> None:
        assert self._process.stdin is not None
        # One that has died says so itself, by the end of its output.
        with contextlib.suppress(OSError):
            self._process.stdin.write(line + "\n")
            self._process.stdin.flush()

    def _listen(self, events: _Events) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as stream:
            for line in stream:
                try:
                    events.put((self, json.loads(line)))
                except ValueError:
                    # Half a line: it died while it wrote.
                    break
        events.put((self, None))


def _told(status: int) -> str:
    """How a process ended."""
    if status < 0:
        with contextlib.suppress(ValueError):
            name = signal.Signals(-status).name
            is_memory = name == "SIGKILL"
            return f"was ended by {name}" + (" (perhaps it ran out of memory)" if is_memory else "")
    return f"ended with status {status}"

"""Runs in parts for tests: made rows, a reference, and something that kills workers while they work."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress

import psutil
import warm_starts

DAYS = "Refunds of kind {kind} are paid within {days} days of the return. The shop is open on Monday."
ANSWER = "Refunds of kind {kind} are paid within {days} days of the return [1]."


def row(number, *, is_right=True):
    """One short transcript; a wrong one contradicts its source."""
    kind, days = number % 7, 5 + number % 50
    return {
        "id": f"r{number}",
        "question": f"How long do refunds of kind {kind} take?",
        "chunks": [{"id": "h1", "text": DAYS.format(kind=kind, days=days), "score": 0.9}],
        "answer": ANSWER.format(kind=kind, days=days if is_right else days + 1),
    }


def write_rows(path, number, *, first=0, size=0):
    """JSON Lines of made transcripts, of which every sixth is wrong; ``size``: characters that fill a row.

    A part is at least 64 kB, so that rows that are filled up make more parts.
    """
    rows = [row(index, is_right=index % 6 != 5) for index in range(first, first + number)]
    for item in rows if size else ():
        item["metadata"] = {"note": "x" * size}
    path.write_text("".join(json.dumps(item) + "\n" for item in rows), encoding="utf-8")
    return path


def command(*arguments):
    """``check`` in a fresh Python: it is killed, interrupted with its workers, and bounded by the system."""
    return [sys.executable, "-m", "pytest_grounding", "check", *map(str, arguments)]


def python(words):
    """A warm Python, where it starts no worker: those need a process of their own."""
    return sys.executable if {"--jobs", "--engine"} & set(words) else warm_starts.python()


def check(folder, *arguments, **more):
    """Run ``check`` in a folder."""
    environment = {name: value for name, value in os.environ.items() if name not in {"GROUNDING_JOBS", "CI"}}
    _, *words = command(*arguments)
    return subprocess.run(
        [python(words), *words],
        cwd=folder,
        capture_output=True,
        check=False,
        env=environment,
        timeout=300,
        **more,
    )


def children(process):
    """The processes below one, without trackers of resources and the one that forks for other tests."""
    found = []
    with suppress(psutil.Error):
        for child in process.children(recursive=True):
            with suppress(psutil.Error):
                words = " ".join(child.cmdline())
                if "resource_tracker" not in words and "warm_server" not in words:
                    found.append(child)
    return found


def later(is_so, act):
    """Do something as soon as something is so."""

    def wait():
        deadline = time.monotonic() + 60
        while not is_so() and time.monotonic() < deadline:
            time.sleep(0.002)
        act()

    thread = threading.Thread(target=wait, daemon=True)
    thread.start()
    return thread


class Killer(threading.Thread):
    """Kills workers of a process at random moments.

    Args:
        process: the driver.
        chance: seeded.
        most: kills in all.
        longest: seconds between two kills.
        is_worker: tells whether a child may be killed.
    """

    def __init__(self, process, chance, *, most, longest, is_worker=None):
        super().__init__(daemon=True)
        self._process, self._chance, self._most, self._longest = process, chance, most, longest
        self._is_worker = is_worker or (lambda child: True)
        self._ended = threading.Event()
        self.kills = 0

    def run(self):
        while self.kills < self._most and not self._ended.wait(self._chance.uniform(0.0, self._longest)):
            living = [child for child in children(self._process) if self._is_worker(child)]
            if living:
                with suppress(psutil.Error):
                    self._chance.choice(living).send_signal(signal.SIGKILL)
                    self.kills += 1

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self._ended.set()
        self.join()

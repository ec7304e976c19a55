"""Many processes append to one log, and some of them are killed on the way."""

import os
import signal
import subprocess
import sys
import threading
from collections import Counter
from pathlib import Path

import pytest
from made_verdicts import verdict

from pytest_grounding.audit import AuditLog, AuditNote
from pytest_grounding.audit.verifying import verify

HERE = Path(__file__).resolve().parent
PATIENCE_S = 240


class Writers:
    """Some processes that append to one log; one that is killed is started again."""

    def __init__(self, folder, *, number, count, kills):
        self.folder, self.count = folder, count
        self.log = folder / "audit.jsonl"
        self.names = [f"w{index}" for index in range(number)]
        #: When each is killed, in records that it has acknowledged.
        self.ends = {
            name: [
                count * (turn + 1) // (-(-kills // number) + 2)
                for turn in range(len(range(index, kills, number)))
            ]
            for index, name in enumerate(self.names)
        }
        self.processes = {name: self._start(name) for name in self.names}
        self.killed = 0

    def _start(self, name):
        tell = self.ends[name].pop(0) if self.ends[name] else 0
        words = [self.log, self.acknowledged_file(name), name, self.count, tell]
        return subprocess.Popen(
            [sys.executable, str(HERE / "audit_writer.py"), *map(str, words)],
            env={**os.environ, "PYTHONPATH": str(HERE.parent)},
            stdout=subprocess.PIPE,
        )

    def acknowledged_file(self, name):
        return self.folder / f"{name}.acknowledged"

    def run(self, kills):
        """Kill one writer after the other, each in the middle of its work, then let all end."""
        for turn in range(kills):
            name = self.names[turn % len(self.names)]
            process = self.processes[name]
            assert process.stdout.read(1) == b"!", f"{name} ended by itself"
            process.send_signal(signal.SIGKILL)
            self.killed += process.wait() == -signal.SIGKILL
            process.stdout.close()
            self.processes[name] = self._start(name)
        for process in self.processes.values():
            assert process.wait(PATIENCE_S) == 0

    def acknowledged(self):
        lines = [
            line
            for name in self.names
            for line in self.acknowledged_file(name).read_text(encoding="utf-8").splitlines()
        ]
        return [(int(sequence), digest, ident) for sequence, digest, ident in map(str.split, lines)]


class Reader(threading.Thread):
    """Reads the log again and again while it is written: it must always be a beginning of it."""

    def __init__(self, path):
        super().__init__()
        self.path, self.rounds, self.problems = path, 0, list[str]()
        self.stopped = threading.Event()

    def run(self):
        before = 0
        is_last = False
        while not is_last:
            # Once more when all is written, so that there is a round however late this thread comes to run.
            is_last = self.stopped.wait(0.5)
            if not self.path.exists():
                continue
            try:
                numbers = [entry.sequence for entry in AuditLog(self.path).entries()]
            except Exception as error:
                self.problems.append(repr(error))
                return
            if numbers != list(range(1, len(numbers) + 1)) or len(numbers) < before:
                self.problems.append(f"{before} lines, then {numbers[:3]}...{numbers[-3:]}")
            before = len(numbers)
            self.rounds += 1


def run_and_check(folder, *, number, count, kills):
    writers = Writers(folder, number=number, count=count, kills=kills)
    reader = Reader(writers.log)
    reader.start()
    try:
        writers.run(kills)
    finally:
        reader.stopped.set()
        reader.join()
        for process in writers.processes.values():
            if process.poll() is None:
                process.kill()
            process.wait()
            if process.stdout is not None:
                process.stdout.close()
    assert writers.killed == kills
    assert reader.problems == []
    assert reader.rounds > 0
    acknowledged = writers.acknowledged()
    assert len(acknowledged) == number * count
    entries = list(AuditLog(writers.log).entries())
    in_log = {
        (entry.sequence, entry.hash, entry.transcript_id) for entry in entries if entry.kind == "validation"
    }
    assert in_log.issuperset(acknowledged)
    # What a killed writer had written and not yet told is there too, at most once for each kill.
    twice = Counter(ident for _, _, ident in in_log)
    assert set(twice) == {ident for _, _, ident in acknowledged}
    assert len(in_log) - len(acknowledged) <= kills
    assert {entry.kind for entry in entries if isinstance(entry, AuditNote)} <= {"repaired"}
    found = verify(writers.log)
    assert found.damage == []
    assert found.records == len(in_log)
    assert writers.log.read_bytes().endswith(b"\n")


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL on Windows")
def test_killed_writers_leave_an_intact_log(tmp_path):
    run_and_check(tmp_path, number=4, count=120, kills=5)


def test_threads_share_a_log(tmp_path):
    log = AuditLog(tmp_path / "audit.jsonl", required=True)
    found = []

    def append(name):
        for number in range(40):
            record = log.append(verdict(f"t{name}-{number}"))
            found.append(record.sequence)

    threads = [threading.Thread(target=append, args=[name]) for name in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(found) == list(range(1, 241))
    assert [record.sequence for record in log.records()] == list(range(1, 241))
    assert verify(log.path).is_intact

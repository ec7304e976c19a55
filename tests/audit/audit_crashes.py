"""Lets a writer die at every call of the system that it makes, and looks at what is left.

Run as: audit_crashes.py FOLDER. Prints for each scene how many deaths were tried, and what was wrong.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from made_verdicts import verdict

from pytest_grounding.audit import AuditLog
from pytest_grounding.audit import writing as writing_module

CALLS = ("open", "write", "lseek", "ftruncate", "fsync", "close", "replace", "unlink", "rename")
#: Die before a call, or in the middle of one that writes, when half of the bytes are in the file. To die
#: after a call is to die before the next one.
MOMENTS = ("before", "half")
DEAD = 77


def log_in(folder: Path, **more: Any) -> AuditLog:
    return AuditLog(folder / "audit.jsonl", required=True, **more)


def old(folder: Path, number: int, **more: Any) -> None:
    then = datetime.now(UTC) - timedelta(days=100)
    original = writing_module.now
    writing_module.now = lambda: then.isoformat().replace("+00:00", "Z")
    for index in range(number):
        log_in(folder, **more).append(verdict(f"old{index}"))
    writing_module.now = original


def some(folder: Path) -> None:
    for name in ("a", "b"):
        log_in(folder).append(verdict(name))


def torn(folder: Path) -> None:
    some(folder)
    with (folder / "audit.jsonl").open("ab") as stream:
        stream.write(b'{"audit_id":"1234"' * 40)


def aged(folder: Path) -> None:
    old(folder, 7, max_bytes=2_500)
    some(folder)


def append(folder: Path, **more: Any) -> None:
    log_in(folder, **more).append(verdict("new"))


#: Name -> what is there before, and what the writer does that dies.
SCENES: dict[str, tuple[Callable[[Path], None], Callable[[Path], None]]] = {
    "first": (lambda folder: None, append),
    "next": (some, append),
    "synced": (some, lambda folder: append(folder, sync=True)),
    "rotated": (some, lambda folder: append(folder, max_bytes=10)),
    "torn": (torn, append),
    "pruned": (aged, lambda folder: log_in(folder).prune()),
}


def dying(folder: Path, act: Callable[[Path], None], number: int, moment: str) -> bool:
    """Let a child do it and die at its call of this number; whether it came so far."""
    child = os.fork()
    if child == 0:
        die_at(number, moment)
        act(folder)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    code = os.waitstatus_to_exitcode(status)
    if code not in (0, DEAD):
        raise SystemExit(f"the child ended with {code}")
    return code == DEAD


def die_at(number: int, moment: str) -> None:
    left = [number]

    def wrapped(original: Callable[..., Any], name: str) -> Callable[..., Any]:
        def call(*args: Any, **more: Any) -> Any:
            left[0] -= moment == "before" or name == "write"
            if left[0] >= 0:
                return original(*args, **more)
            if moment == "half":
                original(args[0], bytes(args[1])[: len(args[1]) // 2])
            os._exit(DEAD)

        return call

    for name in CALLS:
        setattr(os, name, wrapped(getattr(os, name), name))


def problems_in(folder: Path, scene: str, before: list[str]) -> list[str]:
    """What is wrong with the log after a death, and after the next writer."""
    found = []
    log = log_in(folder)
    if log.path.exists() or scene != "first":
        damage = [item.message for item in log.verify().damage]
        if any("is torn" not in message for message in damage):
            found.append(f"right after: {damage}")
    if scene == "pruned":
        log.prune()
        before = [name for name in before if not name.startswith("old")]
    log.append(verdict("next"))
    names = [record.transcript_id for record in log.records()]
    if names not in ([*before, "next"], [*before, "new", "next"]):
        found.append(f"records: {names}")
    checked = log.verify()
    if checked.damage:
        found.append(f"damage: {[item.message for item in checked.damage]}")
    kinds = {entry.kind for entry in log.entries()} - {"validation", "repaired", "pruned"}
    if kinds:
        found.append(f"notes: {kinds}")
    return found


def main() -> None:
    base = Path(sys.argv[1])
    tried: dict[str, int] = {}
    wrong: list[str] = []
    for scene, (prepare, act) in SCENES.items():
        start = base / scene
        start.mkdir()
        prepare(start)
        before = [record.transcript_id for record in log_in(start).records()] if any(start.iterdir()) else []
        tried[scene] = 0
        for moment in MOMENTS:
            number = 0
            while True:
                folder = base / f"{scene}-{moment}-{number}"
                shutil.copytree(start, folder)
                if not dying(folder, act, number, moment):
                    break
                tried[scene] += 1
                wrong += [f"{folder.name}: {text}" for text in problems_in(folder, scene, before)]
                number += 1
                shutil.rmtree(folder)
    print(json.dumps({"tried": tried, "wrong": wrong}))


if __name__ == "__main__":
    main()

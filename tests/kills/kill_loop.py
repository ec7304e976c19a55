"""Kills writers in the middle, fills their disk, closes their folder, and looks at what is left.

Run as: kill_loop.py ACTION WRITER FOLDER [KILLS]. Prints what was found as JSON. It is a program of its own,
so that a fork copies one thread.
"""

import ctypes
import json
import os
import signal
import struct
import sys
from contextlib import suppress
from pathlib import Path

from kill_writers import WRITERS

from pytest_grounding.errors import GroundingError

#: Two runs write at once. The numbers of their pieces never meet.
AT_ONCE = 2
STEP = 1_000_000
#: What Linux calls CLONE_NEWNS and CLONE_NEWUSER.
_NEW_MOUNTS, _NEW_USERS = 0x00020000, 0x10000000
_NUMBER = struct.Struct("<q")


def child(writer, folder, first, pipe):
    """Write pieces until somebody kills this process; say each number once its piece is finished."""
    number = first
    try:
        while True:
            writer.write(folder, number)
            os.write(pipe, _NUMBER.pack(number))
            number += 1
    finally:
        os._exit(70)


def kill_some(writer, folder, turn):
    """Start two writers, kill them in the middle, and return what each had finished."""
    running = []
    for index in range(AT_ONCE):
        reader, pipe = os.pipe()
        process = os.fork()
        if process == 0:
            os.close(reader)
            child(writer, folder, (turn * AT_ONCE + index) * STEP, pipe)
        os.close(pipe)
        running.append((process, reader))
    data = [b"" for _ in running]
    # The moment follows from what has been finished, and then from a little work: no clock is asked.
    with suppress(BlockingIOError):
        data[0] = os.read(running[0][1], _NUMBER.size * (1 + turn % 4))
    for _ in range(turn * 37 % 50 * 500):
        pass
    for process, _ in running:
        os.kill(process, signal.SIGKILL)
    for index, (process, reader) in enumerate(running):
        _, status = os.waitpid(process, 0)
        if os.waitstatus_to_exitcode(status) != -signal.SIGKILL:
            raise SystemExit(f"a writer ended by itself: {status}")
        while part := os.read(reader, 1 << 16):
            data[index] += part
        os.close(reader)
    return [[number for (number,) in _NUMBER.iter_unpack(part[: len(part) // 8 * 8])] for part in data]


def killed(writer, folder, kills):
    """Kill so many writers, and look after each two of them."""
    wrong = []
    finished = set()
    last = set()
    for turn in range((kills + 1) // AT_ONCE):
        parts = kill_some(writer, folder, turn)
        finished.update(number for part in parts for number in part)
        # Where each piece takes the place of the one before, what lies there is the last that one of the two
        # finished, or the one that it was killed in after it had put it there.
        now = {(turn * AT_ONCE + index) * STEP + len(part) for index, part in enumerate(parts)}
        now |= {part[-1] for part in parts if part}
        last = now if any(parts) else last | now
        try:
            held = writer.held(folder)
        except Exception as error:
            wrong.append(f"turn {turn}: {type(error).__name__}: {error}")
            continue
        if writer.keeps_all and finished - held:
            wrong.append(f"turn {turn}: lost {sorted(finished - held)[:5]}")
        if not writer.keeps_all and (len(held) != 1 or not held <= last):
            wrong.append(f"turn {turn}: {sorted(held)}, not of {sorted(last)}")
    return {"finished": len(finished), "wrong": wrong}


def refused(writer, folder):
    """Write until the system refuses; what was finished before is there, and the refusal is a plain error."""
    finished = set()
    said = []
    for number in range(2000):
        if number == 2 and not writer.keeps_all:
            # What takes the place of the piece before never fills a disk by itself.
            _fill(folder)
        try:
            writer.write(folder, number)
        except (OSError, GroundingError) as error:
            said.append(f"{type(error).__name__}: {error}")
            if len(said) == 3:
                break
        else:
            finished.add(number)
    try:
        held = writer.held(folder) if finished else set()
    except Exception as error:
        return {"finished": len(finished), "said": said, "wrong": [f"{type(error).__name__}: {error}"]}
    lost = (finished if writer.keeps_all else {max(finished, default=0)}) - held
    too_much = held - finished
    wrong = [f"lost {sorted(lost)[:5]}"] * bool(lost) + [f"half done {sorted(too_much)[:5]}"] * bool(too_much)
    return {"finished": len(finished), "said": said, "wrong": wrong}


def _fill(folder):
    """Leave no room on the disk of a folder."""
    with open(folder / "ballast", "wb", buffering=0) as stream, suppress(OSError):
        while True:
            stream.write(b"x" * 512)


def full(writer, folder):
    """`refused` on a small file system of its own; None where none can be mounted."""
    if not _mounts_alone() or os.system(f"mount -t tmpfs -o size=400k none '{folder}' 2>/dev/null"):
        return None
    return refused(writer, folder)


def _mounts_alone():
    """Give this process mounts of its own, as ``unshare --user --mount`` does, where it may."""
    user, group = os.getuid(), os.getgid()
    unshare = getattr(ctypes.CDLL(None), "unshare", None)
    if unshare is None or unshare(_NEW_MOUNTS | _NEW_USERS):
        return False
    Path("/proc/self/setgroups").write_text("deny")
    Path("/proc/self/uid_map").write_text(f"0 {user} 1")
    Path("/proc/self/gid_map").write_text(f"0 {group} 1")
    return True


def closed(writer, folder):
    """`refused` in a folder that may only be read, after two pieces were finished."""
    folder.chmod(0o755)
    for number in (0, 1):
        writer.write(folder, number)
    before = writer.held(folder)
    places = [folder, *(path for path in folder.rglob("*") if path.is_dir())]
    for path in folder.rglob("*"):
        path.chmod(0o555 if path.is_dir() else 0o444)
    folder.chmod(0o555)
    if os.getuid() == 0:
        os.setgroups([])
        os.setgid(65534)
        os.setuid(65534)
    said = []
    for number in (2, 3):
        try:
            writer.write(folder, number)
            said.append("")
        except (OSError, GroundingError) as error:
            said.append(str(error))
    after = writer.held(folder)
    wrong = [] if after == before else [f"{sorted(before)} became {sorted(after)}"]
    wrong += [f"left behind: {path}" for place in places for path in place.glob("*.tmp")]
    return {"finished": len(before), "said": said, "wrong": wrong}


def main():
    action, name, place, *kills = sys.argv[1:]
    writer, folder = WRITERS[name], Path(place)
    if action == "kill":
        found = killed(writer, folder, int(kills[0]))
    else:
        found = {"full": full, "closed": closed}[action](writer, folder)
    print(json.dumps(found))


if __name__ == "__main__":
    main()

"""A process that appends to an audit log, and tells in a file of its own what was acknowledged.

Run as: audit_writer.py LOG ACKNOWLEDGED NAME COUNT TELL
It goes on where an earlier process of its name was stopped. With TELL it says so once that many records are
acknowledged, goes on for a little, and then waits to be killed: it must not end before it is.
"""

import os
import signal
import sys
from pathlib import Path

from made_verdicts import citation, claim, verdict

from pytest_grounding.audit import AuditLog

#: Records between the word that it can be killed and the wait for that: the kill comes in the middle of one.
MORE = 10


def main():
    path, acknowledged, name, count, tell = sys.argv[1:]
    own = Path(acknowledged)
    done = own.read_bytes().count(b"\n") if own.exists() else 0
    handle = os.open(own, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    log = AuditLog(path, required=True, session_id=name)
    # Records of different lengths, the longest of some 20 kB, so that many do not fit into one page.
    texts = ["A claim.", "A longer claim of the answer. " * 20, "An endless claim. " * 1100]
    for number in range(done, int(count)):
        if int(tell) and number == int(tell):
            os.write(1, b"!")
        if int(tell) and number == int(tell) + MORE:
            signal.pause()
        text = texts[2 if number % 50 == 7 else number % 2]
        made = verdict(f"{name}-{number}", claims=[claim(text=text)], citations=[citation(claim=0)])
        record = log.append(made, processing_time_ms=1.0)
        os.write(handle, f"{record.sequence} {record.hash} {record.transcript_id}\n".encode())


if __name__ == "__main__":
    main()

"""Many threads append to one log."""

import threading

from made_verdicts import verdict

from pytest_grounding.audit import AuditLog
from pytest_grounding.audit.verifying import verify


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

"""A full disk and a closed folder, as the system itself reports them."""

import json
import os
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path

import pytest
from every import each
from made_verdicts import verdict

from pytest_grounding.audit import AuditLog, AuditNote
from pytest_grounding.audit.verifying import verify
from pytest_grounding.cli import program

audit = partial(program, "audit", "pytest_grounding.audit")

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the limits of this test are those of POSIX")

TESTS = Path(__file__).resolve().parents[1]

#: The start of every program below: it loads all that it needs before it is restricted.
BEGIN = """
import json, os, resource, sys, warnings
from made_verdicts import verdict
from pytest_grounding.audit import AuditLog, AuditWarning
from pytest_grounding.errors import AuditError

path, required = sys.argv[1], sys.argv[2] == "required"
log = AuditLog(path, required=required)


def attempt(name):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            record = log.append(verdict(name))
        except AuditError as error:
            return ["error", str(error)]
    said = [str(warning.message) for warning in caught if warning.category is AuditWarning]
    return ["written" if record else "passed", *said]
"""


def outcomes(program, path, policy):
    command = [sys.executable, "-c", BEGIN + program, str(path), policy]
    environment = {**os.environ, "PYTHONPATH": str(TESTS)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


FULL = """
first = attempt("before")
size = os.path.getsize(path)
soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
found = {"before": first, "full": []}
for room in (0, 1, 100, 500):
    # The system writes a part of the line, then nothing.
    resource.setrlimit(resource.RLIMIT_FSIZE, (size + room, hard))
    found["full"].append(attempt(f"full-{room}"))
found["size"] = [size, os.path.getsize(path)]
resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
found["after"] = attempt("after")
print(json.dumps(found))
"""


@each("optional", "required")
def test_a_full_disk(policy, tmp_path):
    path = tmp_path / "audit.jsonl"
    found = outcomes(FULL, path, policy)
    assert found["before"] == found["after"] == ["written"]
    assert found["size"][0] == found["size"][1]
    if policy == "required":
        assert [outcome[0] for outcome in found["full"]] == ["error"] * 4
        assert "File too large" in found["full"][0][1]
        assert "audit_required is set" in found["full"][0][1]
    else:
        first, *rest = found["full"]
        assert first[0] == "passed"
        assert "File too large" in first[1]
        assert "validation goes on without a record" in first[1]
        assert rest == [["passed"]] * 3
    entries = list(AuditLog(path).entries())
    assert [entry.kind for entry in entries] == ["validation", "missed", "validation"]
    note = entries[1]
    assert isinstance(note, AuditNote)
    assert note.details["validations"] == 4
    found = verify(path)
    assert found.is_intact
    assert [remark.rpartition(": ")[2] for remark in found.remarks] == [note.message]


CLOSED = """
if os.getuid() == 0:
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
found = {"problem": log.problem(), "outcomes": [attempt("a"), attempt("b")]}
print(json.dumps(found))
"""


@pytest.fixture
def open_folder():
    """A folder that another user can enter; that of pytest belongs to its user alone."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder


@pytest.mark.parametrize("policy", ["optional", "required"])
@pytest.mark.parametrize("exists", [False, True])
def test_a_closed_folder(open_folder, policy, exists):
    logs = open_folder / "logs"
    logs.mkdir()
    path = logs / "audit.jsonl"
    if exists:
        path.write_text("", encoding="utf-8")
        path.chmod(0o444)
    logs.chmod(0o555)
    try:
        found = outcomes(CLOSED, path, policy)
    finally:
        logs.chmod(0o755)
    assert "Permission denied" in found["problem"]
    first, second = found["outcomes"]
    if policy == "required":
        assert first[0] == second[0] == "error"
        assert "Permission denied" in first[1]
    else:
        assert first[0] == "passed"
        assert "Permission denied" in first[1]
        assert second == ["passed"]
    assert [item.name for item in logs.iterdir()] == (["audit.jsonl"] if exists else [])


def test_appends_to_a_writable_file_in_a_closed_folder(open_folder):
    logs = open_folder / "logs"
    logs.mkdir()
    (logs / "audit.jsonl").write_text("", encoding="utf-8")
    (logs / "audit.jsonl").chmod(0o666)
    logs.chmod(0o555)
    try:
        found = outcomes(CLOSED, logs / "audit.jsonl", "required")
    finally:
        logs.chmod(0o755)
    assert found == {"problem": "", "outcomes": [["written"], ["written"]]}
    assert verify(logs / "audit.jsonl").is_intact


def test_only_its_owner_can_read_a_new_log(tmp_path):
    before = os.umask(0o022)
    try:
        log = AuditLog(tmp_path / "audit.jsonl")
        log.append(verdict("a"))
        log.append(verdict("b"))
    finally:
        os.umask(before)
    assert {file.stat().st_mode & 0o777 for file in tmp_path.iterdir()} == {0o600}

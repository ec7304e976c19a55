"""A full disk and a closed folder, as the system itself reports them."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from every import each
from made_verdicts import verdict

from pytest_grounding.audit import AuditLog, AuditNote
from pytest_grounding.audit.verifying import verify
from pytest_grounding.cli import program

audit = partial(program, "audit", "pytest_grounding.audit")

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the limits of this test are those of POSIX")

TESTS = Path(__file__).resolve().parents[1]

#: What every program below begins with: all that it needs is loaded before it is restricted.
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


def outcomes(program: str, path: Path, policy: str, *prefix: str) -> dict[str, Any]:
    command = [*prefix, sys.executable, "-c", BEGIN + program, str(path), policy]
    environment = {**os.environ, "PYTHONPATH": str(TESTS)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


FULL = """
first = attempt("before")
size = os.path.getsize(path)
soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
found = {"before": first, "full": []}
for room in (0, 1, 100, 500):
    # Not one byte more than this fits: the system takes a part of the line, then none.
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


ON_A_DEVICE = """
os.makedirs(path)
if os.system(f"mount -t tmpfs -o size=64k none {path}"):
    print(json.dumps(None))
    raise SystemExit
log = AuditLog(os.path.join(path, "audit.jsonl"), required=required)
found = [attempt(str(number)) for number in range(120)]
kept = [record.transcript_id for record in log.records()]
examined = log.verify()
found = {"outcomes": found, "kept": kept, "damage": [str(item) for item in examined.damage]}
found["remarks"] = examined.remarks
print(json.dumps(found))
"""


@each("optional", "required")
def test_a_full_device(policy, tmp_path):
    unshare = shutil.which("unshare")
    if unshare is None:
        pytest.skip("there is no unshare")
    prefix = [unshare, "--user", "--map-root-user", "--mount"]
    if subprocess.run([*prefix, "true"], capture_output=True).returncode:
        pytest.skip("no file system can be mounted here")
    found = outcomes(ON_A_DEVICE, tmp_path / "device", policy, *prefix)
    if found is None:
        pytest.skip("no file system can be mounted here")
    words = [outcome[0] for outcome in found["outcomes"]]
    refused = "error" if policy == "required" else "passed"
    number = words.index(refused)
    assert number > 10
    assert words == ["written"] * number + [refused] * (120 - number)
    assert "No space left on device" in found["outcomes"][number][1]
    assert found["kept"] == [str(index) for index in range(number)]
    assert found["damage"] == []


CLOSED = """
if os.getuid() == 0:
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
found = {"problem": log.problem(), "outcomes": [attempt("a"), attempt("b")]}
print(json.dumps(found))
"""


@pytest.fixture
def open_folder() -> Iterator[Path]:
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


def test_a_log_in_a_closed_folder_is_appended_to_where_its_files_are_open(open_folder):
    logs = open_folder / "logs"
    logs.mkdir()
    for name in ("audit.jsonl",):
        (logs / name).write_text("", encoding="utf-8")
        (logs / name).chmod(0o666)
    logs.chmod(0o555)
    try:
        found = outcomes(CLOSED, logs / "audit.jsonl", "required")
    finally:
        logs.chmod(0o755)
    assert found == {"problem": "", "outcomes": [["written"], ["written"]]}
    assert verify(logs / "audit.jsonl").is_intact


@pytest.fixture
def _open_umask() -> Iterator[None]:
    before = os.umask(0o022)
    yield
    os.umask(before)


def _rights(folder: Path) -> dict[str, int]:
    return {file.name: file.stat().st_mode & 0o777 for file in folder.iterdir()}


@pytest.mark.usefixtures("_open_umask")
def test_a_new_log_is_its_owners_alone(tmp_path):
    log = AuditLog(tmp_path / "audit.jsonl")
    log.append(verdict("a"))
    log.append(verdict("b"))
    rights = _rights(tmp_path)
    assert set(rights.values()) == {0o600}

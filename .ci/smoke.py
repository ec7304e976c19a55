"""The installed package from outside, with its own dependencies alone: python .ci/smoke.py

Runs on every system, in an environment without any tool of the tests. What differs between systems is met
for real: locks that several processes want, names of files with blanks and letters beyond ASCII, line ends.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path

WRITERS, EACH = 4, 5
TEST = """
import pytest_grounding as pg


def test_by_fixture(grounding):
    verdict = grounding.validate("größe und maß.transcript.json")
    assert verdict.status == "pass"


def test_by_assertion():
    pg.assert_grounded("größe und maß.transcript.json")
"""
LOGGING = """
import sys
import pytest_grounding as pg
from pytest_grounding.testing import Example

log = pg.AuditLog("audit.jsonl")
example = Example("How long do refunds take?", ["Refunds take 14 days."])
for number in range(int(sys.argv[2])):
    given = example.answered("Refunds take 14 days [1].", id=f"{sys.argv[1]}-{number}")
    log.append(pg.validate(given), given)
"""


def run(*words: str, status: int = 0) -> str:
    """What a command prints, after its exit status was held against what is wanted."""
    done = subprocess.run(
        [sys.executable, *words], capture_output=True, encoding="utf-8", env={**os.environ, "PYTHONUTF8": "1"}
    )
    assert done.returncode == status, f"{words}: {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def command(*words: str, status: int = 0) -> str:
    """The same of the command line."""
    return run("-m", "pytest_grounding", *words, status=status)


def names() -> None:
    """Every public name resolves, or says which extra brings it."""
    import pytest_grounding as pg

    assert pg.__version__ == version("pytest-rag-grounding")
    for name in pg.__all__:
        try:
            getattr(pg, name)
        except pg.MissingExtraError as error:
            assert "pytest-rag-grounding[" in str(error), error


def files() -> None:
    """Recordings that pass and fail, by the command line and by pytest."""
    from pytest_grounding.testing import Example, write_transcripts

    refunds = Example("How long do refunds take?", ["Refunds are paid within 14 days of the return."])
    good = refunds.answered("Refunds are paid within 14 days of the return [1].", id="good")
    write_transcripts("größe und maß.transcript.json", [good])
    bad = refunds.answered("Refunds are paid within 45 days of the return [1].", id="bad")
    write_transcripts("below/bad.transcripts.jsonl", [bad])
    reports = [f"--report={kind}:out/{kind}.txt" for kind in ("html", "junit", "sarif", "pr-comment", "json")]
    command("check", "größe und maß.transcript.json", *reports)
    assert all(Path(report.partition(":")[2]).stat().st_size > 100 for report in reports)
    found = json.loads(command("check", "--json", "below", status=1))
    assert found["run"]["failed"] == ["bad"]
    Path("test_smoke.py").write_text(TEST, encoding="utf-8")
    said = run("-m", "pytest", "-q", "-p", "no:cacheprovider", "--grounding", ".", status=1)
    assert "1 failed, 3 passed" in said, said


def locks() -> None:
    """Several processes write one log, and no line is lost."""
    Path("logging_smoke.py").write_text(LOGGING, encoding="utf-8")
    started = [
        subprocess.Popen([sys.executable, "logging_smoke.py", f"w{number}", str(EACH)])
        for number in range(WRITERS)
    ]
    assert [process.wait(120) for process in started] == [0] * WRITERS
    assert len(Path("audit.jsonl").read_text(encoding="utf-8").splitlines()) == WRITERS * EACH
    command("audit", "verify", "audit.jsonl")


def main() -> int:
    """Run all parts in an empty folder."""
    with tempfile.TemporaryDirectory(prefix="grounding smoke ") as folder:
        before = Path.cwd()
        os.chdir(folder)
        try:
            for part in (names, files, locks):
                part()
                print(f"{part.__name__}: {(part.__doc__ or '').strip()}")
        finally:
            os.chdir(before)
    print(f"pytest-rag-grounding {version('pytest-rag-grounding')} on Python {sys.version.split()[0]}: ok")
    return 0


if __name__ == "__main__":
    sys.exit(main())

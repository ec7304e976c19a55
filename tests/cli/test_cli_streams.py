"""Standard streams of any encoding, and closed ones: JSON stays JSON, and nobody sees a traceback."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from pytest_grounding.testing import Example

FACT = "Rückgaben werden binnen 14 Tagen bezahlt – 日本語 \U0001f600."
SEEN = "日本"


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    tmp_path = tmp_path_factory.mktemp("suite")
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    example = Example(f"Wie lange – {SEEN}?", [FACT], id=f"ü{SEEN}\U0001f600", score=0.9)
    value = example.answered(
        f"Rückgaben werden binnen 14 Tagen bezahlt [1]. Straßen – {SEEN} \U0001f600 sind blau."
    )
    (tmp_path / "a.transcripts.jsonl").write_text(json.dumps(value) + "\n")
    (tmp_path / "run.json").write_bytes(shell(tmp_path, "check . --json").stdout)
    return tmp_path


def shell(folder: Path, words: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    # A start of its own: a warm one has its streams from the process that it forks from.
    return subprocess.run(
        ["bash", "-c", f'set -o pipefail; "$0" -m pytest_grounding {words}', sys.executable],
        cwd=folder,
        env={**os.environ, **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        timeout=60,
    )


@pytest.mark.parametrize(
    "words",
    [
        "check . --json",
        "mutate . --json",
        "explain . --json",
        "show clean .",
        "show transcripts a.transcripts.jsonl -o -",
        "merge run.json --report sarif:-",
        "show schema",
    ],
)
def test_what_programs_read_is_utf8_in_every_locale(suite: Path, words: str) -> None:
    told = shell(suite, words, PYTHONIOENCODING="cp1252")
    assert told.stdout == shell(suite, words, PYTHONIOENCODING="utf-8").stdout
    text = json.dumps(json.loads(told.stdout), ensure_ascii=False)
    assert words == "show schema" or SEEN in text
    assert told.returncode in (0, 1)


def test_a_text_stays_readable_where_the_locale_lacks_a_letter(suite: Path) -> None:
    told = shell(suite, "show clean . --text", PYTHONIOENCODING="cp1252").stdout.decode("cp1252")
    assert told.startswith("Rückgaben werden binnen 14 Tagen bezahlt [1]. Straßen – \\u65e5\\u672c")


@pytest.mark.parametrize(
    ("words", "closed"),
    [
        ("check .", ">&-"),
        ("check .", "| true"),
        ("check . --json", ">&- 2>&-"),
        ("check . --json", "| head -c1"),
        ("show clean .", "<&- >&- 2>&-"),
        ("check missing", "2>&-"),
        ("show transcripts - -o -", "<&-"),
        ("show schema", ">&-"),
        ("--help", ">&-"),
    ],
)
def test_a_closed_stream_ends_without_a_traceback(suite: Path, words: str, closed: str) -> None:
    told = shell(suite, f"{words} {closed}")
    assert b"Traceback" not in told.stderr
    assert b"Exception ignored" not in told.stderr
    assert told.returncode in (0, 1, 2, 141)


def test_the_verdict_is_the_same_where_nobody_listens(suite: Path) -> None:
    open_, closed = (
        shell(suite, f"check . --report json:{name}.json {sign}")
        for name, sign in [("a", ""), ("b", ">&- 2>&-")]
    )
    assert open_.returncode == closed.returncode == 1
    assert (suite / "b.json").read_bytes() == (suite / "a.json").read_bytes()

"""``check answer.md --source docs/``: an answer in a text file, held against documents."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ANSWER = """# Refunds

Refunds are paid within 14 days [1].
Gift cards can be refunded.

- The shop repairs bicycles.
- Shipping is free above 50 euros.
"""
DOCUMENT = """# Refunds

Refunds are paid within 14 days.

Gift cards cannot be refunded.

# Shipping

Shipping is free above 50 euros.
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "help.md").write_text(DOCUMENT, encoding="utf-8")
    (tmp_path / "answer.md").write_text(ANSWER, encoding="utf-8")
    return tmp_path


def check(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "pytest_grounding", "check", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "XDG_CACHE_HOME": str(folder / "cache"), "LOCALAPPDATA": str(folder / "cache")},
    )


def test_each_sentence_is_shown_with_its_line_and_that_of_the_document(folder: Path) -> None:
    done = check(folder, "answer.md", "--source", "docs")
    assert done.returncode == 1
    lines = done.stdout.splitlines()
    said = {
        line.partition(": ")[0]: line.partition(": ")[2] for line in lines if line.startswith("answer.md:")
    }
    assert said["answer.md:3"].startswith("supported: ")
    assert said["answer.md:4"].startswith("supported, but a document may contradict it: ")
    assert said["answer.md:6"].startswith("unsupported: ")
    assert said["answer.md:7"].startswith("supported: ")
    assert '    docs/help.md:5: "Gift cards cannot be refunded."' in lines
    assert '    docs/help.md:9: "Shipping is free above 50 euros."' in lines


def test_an_answer_that_the_documents_back_passes_from_a_single_document_too(folder: Path) -> None:
    (folder / "right.txt").write_text("Refunds are paid within 14 days.", encoding="utf-8")
    done = check(folder, "right.txt", "--source", "docs/help.md", "--json")
    (verdict,) = json.loads(done.stdout)["transcripts"]
    assert (done.returncode, verdict["status"]) == (0, "pass")
    assert verdict["claims"][0]["evidence"][0]["chunk_id"] == "docs/help.md:1"


def test_the_documents_may_be_those_of_the_setting_corpus(folder: Path) -> None:
    (folder / "right.md").write_text("Refunds are paid within 14 days.", encoding="utf-8")
    assert check(folder, "right.md", "--corpus", "docs").returncode == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("answer.md",), "--source: no documents to compare the answer with; name the files or folders"),
        (("answer.md", "--source", "nowhere"), "nowhere: corpus: is not there"),
        (("answer.md", "t.json", "--source", "docs"), "t.json: cannot be checked together with answers"),
        (("latin.md", "--source", "docs"), "latin.md: cannot be read as text"),
    ],
)
def test_what_is_held_wrong_is_one_sentence(folder: Path, arguments: tuple[str, ...], said: str) -> None:
    (folder / "latin.md").write_bytes("Größe".encode("latin-1"))
    (folder / "t.json").write_text("{}", encoding="utf-8")
    done = check(folder, *arguments)
    assert done.returncode == 2
    assert said in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1

"""Checking an answer in a text file, or the transcripts of one source."""

import json
import os
import subprocess

import pytest
import warm_starts
from every import table

from pytest_grounding.citations.origins import comes_from, is_named
from pytest_grounding.cli import main
from pytest_grounding.model.transcript import Transcript
from pytest_grounding.settings import Settings

TEXT = "Refunds are paid within 14 days of the return."


def transcript(identifier, days=14, **metadata):
    return {
        "id": identifier,
        "question": "How long do refunds take?",
        "chunks": [{"id": f"c-{identifier}", "text": TEXT, "score": 0.9, "metadata": metadata}],
        "answer": f"Refunds are paid within {days} days of the return [1].",
    }


@pytest.fixture
def suite(tmp_path, monkeypatch):
    rows = [
        transcript("hand", document="docs/Handbook.pdf", title="Customer handbook"),
        transcript("old", 45, document="old.pdf"),
        transcript("web", url="https://Docs.example.com/refunds/"),
        transcript("code", path="src/delegation/engine.py", line_start=1, line_end=9),
        transcript("slug", slug="refunds-2024"),
    ]
    file = tmp_path / "suite.transcripts.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return file


def run(capsys, *arguments):
    status = main(["check", "suite.transcripts.jsonl", "--json", *arguments])
    return status, json.loads(capsys.readouterr().out)


@pytest.mark.parametrize(
    ("name", "ids"),
    table(__file__, "test_chooses_transcripts_by_name_or_pattern"),
)
def test_chooses_transcripts_by_name_or_pattern(name, ids, suite, capsys):
    status, report = run(capsys, "--source", name)
    assert [item["id"] for item in report["transcripts"]] == ids
    assert report["run"]["narrowed"] == [f"--source {name}"]
    assert report["gate"]["suite"] == "undecided"
    assert status == (1 if "old" in ids else 0)


def test_matches_a_cited_file():
    given = {"id": "t", "question": "Where?", "chunks": [], "answer": "See src/a.py:3-9."}
    found = Transcript.model_validate(given)
    assert comes_from(found, ["src/a.py"], Settings())
    assert not comes_from(found, ["src/b.py"], Settings())


def test_shortens_a_long_source_in_its_message(suite, capsys):
    assert main(["check", suite.name, "--source", "x" * 100_000]) == 2
    captured = capsys.readouterr()
    assert "no transcript retrieved or cites" in captured.err
    assert len(captured.err) < 1000


def test_matches_hostile_patterns_quickly():
    assert not is_named(["a" * 2_000], ["*a" * 30 + "b"])


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
def folder(tmp_path):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "help.md").write_text(DOCUMENT, encoding="utf-8")
    (tmp_path / "answer.md").write_text(ANSWER, encoding="utf-8")
    return tmp_path


def check(folder, *arguments):
    return subprocess.run(
        [warm_starts.python(), "-m", "pytest_grounding", "check", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "XDG_CACHE_HOME": str(folder / "cache"), "LOCALAPPDATA": str(folder / "cache")},
    )


def test_shows_the_lines_of_answer_and_document(folder):
    done = check(folder, "answer.md", "--source", "docs")
    assert done.returncode == 1
    lines = done.stdout.splitlines()
    said = dict(line.split(": ", 1) for line in lines if line.startswith("answer.md:"))
    assert said["answer.md:3"].startswith("supported: ")
    assert said["answer.md:4"].startswith("unsupported, but a document may contradict it: ")
    assert said["answer.md:6"].startswith("unsupported: ")
    assert said["answer.md:7"].startswith("supported: ")
    assert '    docs/help.md:5: "Gift cards cannot be refunded."' in lines
    assert '    docs/help.md:9: "Shipping is free above 50 euros."' in lines


def test_a_supported_answer_passes(folder):
    (folder / "right.txt").write_text("Refunds are paid within 14 days.", encoding="utf-8")
    done = check(folder, "right.txt", "--source", "docs/help.md", "--json")
    (verdict,) = json.loads(done.stdout)["transcripts"]
    assert (done.returncode, verdict["status"]) == (0, "pass")
    assert verdict["claims"][0]["evidence"][0]["chunk_id"] == "docs/help.md:1"


def test_documents_may_come_from_the_corpus_setting(folder):
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
def test_rejects_wrong_arguments(folder, arguments, said):
    (folder / "latin.md").write_bytes("Größe".encode("latin-1"))
    (folder / "t.json").write_text("{}", encoding="utf-8")
    done = check(folder, *arguments)
    assert done.returncode == 2
    assert said in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_a_text_file_with_json_is_a_recording_unless_sources_are_named(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    spans = "\n".join(json.dumps(transcript(name), indent=4) for name in ("one", "two"))
    (tmp_path / "spans.txt").write_text(spans, encoding="utf-8")
    assert main(["check", "spans.txt"]) == 0
    assert "transcripts: 2 (2 passed" in capsys.readouterr().out
    (tmp_path / "marked.txt").write_text(spans, encoding="utf-8-sig")
    assert main(["check", "marked.txt"]) == 0
    assert "transcripts: 2 (2 passed" in capsys.readouterr().out
    (tmp_path / "handbook.md").write_text(TEXT, encoding="utf-8")
    (tmp_path / "answer.txt").write_text(f'{{"answer": "{TEXT}"}}', encoding="utf-8")
    assert main(["check", "answer.txt", "--source", "handbook.md"]) == 0
    (tmp_path / "empty.md").write_text("", encoding="utf-8")
    assert main(["check", "empty.md"]) == 2
    assert "name the files or folders: --source docs/" in capsys.readouterr().err

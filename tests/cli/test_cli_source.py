"""`--source`: what comes from one document, path or address, as a partial run."""

import json
from pathlib import Path
from typing import Any

import pytest

from pytest_grounding.citations.origins import comes_from, is_named
from pytest_grounding.cli import main
from pytest_grounding.model.transcript import Transcript
from pytest_grounding.settings import Settings

TEXT = "Refunds are paid within 14 days of the return."


def transcript(identifier: str, days: int = 14, **metadata: Any) -> dict[str, Any]:
    return {
        "id": identifier,
        "question": "How long do refunds take?",
        "chunks": [{"id": f"c-{identifier}", "text": TEXT, "score": 0.9, "metadata": metadata}],
        "answer": f"Refunds are paid within {days} days of the return [1].",
    }


@pytest.fixture
def suite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
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


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, dict[str, Any]]:
    status = main(["check", "suite.transcripts.jsonl", "--json", *arguments])
    return status, json.loads(capsys.readouterr().out)


@pytest.mark.parametrize(
    ("name", "ids"),
    [
        ("docs/Handbook.pdf", ["hand"]),
        ("handbook.pdf", ["hand"]),
        ("docs", ["hand"]),
        ("docs/", ["hand"]),
        ("Customer handbook", ["hand"]),
        ("*.PDF", ["hand", "old"]),
        ("docs/*", ["hand"]),
        ("https://docs.example.com/refunds", ["web"]),
        ("https://docs.example.com/*", ["web"]),
        ("src/delegation", ["code"]),
        ("engine.py", ["code"]),
        ("delegation/engine.py", ["code"]),
        ("src\\delegation\\engine.py", ["code"]),
        ("refunds-2024", ["slug"]),
        ("c-old", ["old"]),
        ("*", ["code", "hand", "old", "slug", "web"]),
    ],
)
def test_a_name_or_pattern_chooses(
    name: str, ids: list[str], suite: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, report = run(capsys, "--source", name)
    assert [item["id"] for item in report["transcripts"]] == ids
    assert report["run"]["narrowed"] == [f"--source {name}"]
    assert report["gate"]["suite"] == "undecided"
    assert status == (1 if "old" in ids else 0)


@pytest.mark.parametrize("name", ["book.pdf", "handbook", "src/dele", "example.com/refunds"])
def test_a_part_of_a_name_is_not_the_name(name: str, suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "suite.transcripts.jsonl", "--source", name]) == 2
    assert f"no transcript retrieved or cites {name}" in capsys.readouterr().err


def test_several_names_add_up(suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, report = run(capsys, "--source", "old.pdf", "--source", "engine.py")
    assert [item["id"] for item in report["transcripts"]] == ["code", "old"]


def test_a_base_makes_addresses_that_can_be_named(suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    base = ("--set", "link_base=https://kb.example")
    _, report = run(capsys, *base, "--source", "https://kb.example/refunds-2024")
    assert [item["id"] for item in report["transcripts"]] == ["slug"]


def test_a_file_that_is_cited_and_no_chunk_counts() -> None:
    given = {"id": "t", "question": "Where?", "chunks": [], "answer": "See src/a.py:3-9."}
    found = Transcript.model_validate(given)
    assert comes_from(found, ["src/a.py"], Settings())
    assert not comes_from(found, ["src/b.py"], Settings())


def test_the_suite_is_undecided_and_waits_for_a_whole_run(
    suite: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", str(suite), "--source", "engine.py"]) == 0
    out = capsys.readouterr().out
    assert "gate: UNDECIDED" in out
    assert "--source engine.py" in out
    assert main(["check", str(suite), "--source", "engine.py", "--set", "partial_runs=fail"]) == 1
    capsys.readouterr()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--source", ""], "write a document, path, address or pattern"),
        (["--source", "  "], "names no source"),
        (["--source", "docs/Hanbook.pdf"], "did you mean 'docs/Handbook.pdf'?"),
        (["--source", "zzz"], "sources are: "),
        (["--source", "[z-a]"], "no transcript retrieved or cites"),
        (["--source", "返金"], "no transcript retrieved or cites 返金"),
        (["--source", "x" * 100_000], "no transcript retrieved or cites"),
    ],
)
def test_wrong_use_is_one_sentence(
    arguments: list[str], said: str, suite: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", suite.name, *arguments]) == 2
    captured = capsys.readouterr()
    assert said in captured.err
    assert len(captured.err) < 1000


def test_what_cannot_be_read_is_still_said(suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with suite.open("a", encoding="utf-8") as file:
        file.write("{}\n")
    assert main(["check", suite.name, "--source", "engine.py"]) == 2
    assert "suite.transcripts.jsonl:6" in capsys.readouterr().err


def test_names_match_in_time_linear_in_their_length() -> None:
    assert not is_named(["a" * 2_000], ["*a" * 30 + "b"])

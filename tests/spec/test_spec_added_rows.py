"""The specification on waivers."""

import json

from answers import transcript

from pytest_grounding.cli import main


def check(folder, *words, transcripts):
    """Exit status of ``check`` on transcripts in a folder."""
    path = folder / "suite.transcripts.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in transcripts), encoding="utf-8")
    return int(main(["check", str(path), *words]) or 0)


def test_no_waiver_excuses_a_malformed_row(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    broken = {**transcript(), "chunks": "none"}
    assert check(tmp_path, transcripts=[broken]) == 2
    main(["waive", "suite.transcripts.jsonl", "--reason", "known", "--by", "Kim"])
    assert check(tmp_path, transcripts=[broken]) == 2

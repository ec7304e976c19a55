"""Inputs of runs in parts that cannot be read."""

import json

from scale_runs import write_rows

from pytest_grounding.cli import main


def test_an_unreadable_input_is_one_sentence(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GROUNDING_JOBS", "1")
    write_rows(tmp_path / "good.jsonl", 2)
    (tmp_path / "none.jsonl").write_text("\n \n")
    (tmp_path / "bad.jsonl").write_bytes(b"\x1f\x8b not packed\n")
    wrong = {
        "none.jsonl": "none.jsonl: is empty; write one transcript",
        "bad.jsonl": "bad.jsonl:1: is not UTF-8 text",
        "-": "-: cannot be read in parts; write it into a file, or leave out --jobs and GROUNDING_JOBS",
        "gone.jsonl": "gone.jsonl: does not exist",
    }
    for names in (["none.jsonl", "bad.jsonl", "gone.jsonl"], ["-"]):
        assert main(["check", "good.jsonl", *names, "--json"]) == 2
        told = capsys.readouterr()
        assert len(json.loads(told.out)["transcripts"]) == 2
        assert all(wrong[name] in told.err for name in names)
        assert len(told.err.splitlines()) == len(names), told.err

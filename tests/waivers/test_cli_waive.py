"""``pytest-grounding waive``: list, waive, take back."""

import json
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from every import each

from pytest_grounding.cli import main
from pytest_grounding.gate.waivers import read

FILE = "grounding.waivers.jsonl"
CHUNKS = [{"id": "c1", "text": "Refunds are paid within 14 days of the return.", "score": 0.9}]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    answers = {
        "a": "Refunds are paid within 45 days of the return [1].",
        "b": "Refunds are paid within 45 days of the return [9].",
        "c": "Refunds are paid within 14 days of the return [1].",
    }
    for name, answer in answers.items():
        given = {"id": name, "question": "How long do refunds take?", "chunks": CHUNKS}
        (tmp_path / f"{name}.transcript.json").write_text(json.dumps({**given, "answer": answer}), "utf-8")
    return tmp_path


def said(capsys, *words):
    status = main(["waive", *words])
    out = capsys.readouterr()
    return status, out.out, out.err


def test_findings_are_listed_and_waived(folder, capsys):
    status, out, _ = said(capsys)
    assert status == 0
    assert "  1. [error] contradicted, claim 1: " in out
    assert 'waive one with: pytest-grounding waive . --id=a --number=1 --reason "..."' in out
    status, out, _ = said(capsys, "--id", "a", "--number", "1", "--reason", "the law", "--by", "Ada")
    assert (status, "a: pass: " in out) == (0, True)
    (held,) = read(FILE)
    assert (held.transcript, held.rule, held.reason, held.by) == ("a", "contradicted", "the law", "Ada")
    assert "nothing to remove" in said(capsys, "--prune")[1]
    assert read(FILE) == (held,)


@pytest.mark.parametrize("name", ["-a", "it's $(touch x); rm b", "refunds/EU & UK"])
def test_the_command_that_is_shown_waives_that_finding(folder, capsys, name):
    place = folder / "a b.transcript.json"
    place.write_text(json.dumps({**json.loads((folder / "a.transcript.json").read_text()), "id": name}))
    _, out, _ = said(capsys, place.name)
    shown = next(line for line in out.splitlines() if line.startswith("waive one with: "))
    program, *words = shlex.split(shown.removeprefix("waive one with: "))
    assert (program, words[0]) == ("pytest-grounding", "waive")
    assert main([*words[:-1], "the law"]) == 0
    assert [item.transcript for item in read(FILE)] == [name]


def test_a_claim_is_waived_without_its_broken_citation(folder, capsys):
    _, out, _ = said(capsys, "--id", "b", "--claim", "1", "--reason", "the law")
    assert "b: reject: " in out
    assert "source_exists" not in {item.rule for item in read(FILE)}
    _, out, _ = said(capsys, "--id", "b", "--rule", "source_exists", "--reason", "they know")
    assert "b: pass: " in out


def test_a_waiver_for_all_transcripts_is_pruned_when_unused(folder, capsys):
    words = ("--rule", "contradicted", "--reason", "the law", "--anywhere", "--expires", "9999-12-31")
    assert said(capsys, *words)[0] == 0
    (held,) = read(FILE)
    assert (held.transcript, held.expires) == ("", "9999-12-31")
    for name in ("a", "b"):
        (folder / f"{name}.transcript.json").unlink()
    _, out, _ = said(capsys, "--prune", "--yes")
    assert out.startswith('removed anywhere contradicted "Refunds are paid within 45 days of the return."')
    assert read(FILE) == ()


@each(
    (("--reason", "x"), "no finding is selected; add --id"),
    (("--reason", "x", "--id", "a"), "--id alone waives nothing; add --number"),
    (("--reason", "x", "--id", "c", "--claim", "1"), "no finding matches; list them"),
    (("--id", "a", "--number", "1", "--by", "Ada"), "a waiver needs a reason; give the reason why"),
    (("--rule", "contradicted", "--reason", "x", "--expires", "soon"), "'soon' is not a date; write"),
)
def test_a_wrong_selection_is_refused_in_one_sentence(words, message, folder, capsys):
    status, _, err = said(capsys, *words)
    assert status == 2
    assert message in err
    assert not Path(FILE).exists()


def test_a_blank_reason_waives_nothing_and_is_said(folder, capsys):
    status, out, err = said(capsys, "--id", "a", "--number", "1", "--reason", " ")
    assert (status, out) == (2, "")
    assert "--reason: is blank, so nothing is waived; write why" in err
    assert not Path(FILE).exists()


def test_a_finding_on_the_whole_answer_is_named_without_words(folder, capsys):
    empty = {**json.loads((folder / "a.transcript.json").read_text()), "id": "e", "answer": ""}
    (folder / "e.transcript.json").write_text(json.dumps(empty))
    out = said(capsys, "--rule", "empty_answer", "--reason", "a known gap")[1]
    assert out.splitlines()[0] == "waived: e empty_answer (a known gap)"


def test_a_recording_that_is_not_read_keeps_its_waivers(folder, capsys):
    # pytest reads it, where grounding_files names it.
    (folder / "b.transcript.json").rename("more.jsonl")
    assert said(capsys, "more.jsonl", "--id", "b", "--rule", "source_exists", "--reason", "moved")[0] == 0
    status, out, err = said(capsys, "--prune", "--yes")
    assert (status, "nothing to remove" in out) == (0, True)
    assert "not read: more.jsonl (name it to read it)" in err
    main(["check", "."])
    assert "unused waiver" not in capsys.readouterr().out
    assert [item.transcript for item in read(FILE)] == ["b"]
    assert main(["baseline", "baseline.json", "."]) == 0
    assert "not read: more.jsonl" in capsys.readouterr().err
    # Where nothing else is of our names it is read, and what it does not need goes.
    for name in "ac":
        (folder / f"{name}.transcript.json").unlink()
    assert "nothing to remove" in said(capsys, "--prune", "--yes")[1]
    (folder / "more.jsonl").write_text((folder / "more.jsonl").read_text().replace("[9]", "[1]"))
    assert "removed b source_exists" in said(capsys, "--prune", "--yes")[1]


@pytest.mark.skipif(sys.platform == "win32", reason="the limit is one of POSIX")
def test_a_file_that_cannot_be_written_is_named(folder):
    words = [sys.executable, "-m", "pytest_grounding", "waive", "--id=a", "--number=1", "--reason=the law"]
    command = f"ulimit -f 0; exec {shlex.join(words)}"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False)
    assert done.returncode == 2, done.stdout
    assert f"error: {FILE}: cannot be written (File too large); the file is unchanged" in done.stderr
    assert not Path(FILE).exists()

"""The command line as a whole, and the published schema."""

import json
import re
import subprocess
import sys
from functools import partial
from pathlib import Path

import jsonschema
import pytest
from every import each, table

import pytest_grounding as pg
from pytest_grounding.cli import COMMANDS, FIRST, main, program
from pytest_grounding.cli.schema import KINDS, schema
from pytest_grounding.engine.transcript_input import as_transcript
from pytest_grounding.errors import InputError

audit = partial(program, "audit", "pytest_grounding.audit")


def test_help_names_every_command(capsys):
    with pytest.raises(SystemExit) as stopped:
        main(["--help"])
    assert stopped.value.code == 0
    text = " ".join(capsys.readouterr().out.split())
    places = [text.index(f" {name} ") for name in ("init", "check", "explain", "review", "waive", "record")]
    assert places == sorted(places)
    assert all(re.search(rf" {name}\b", text) for name in COMMANDS)
    assert len(text) < 850


def test_each_command_has_its_own_help(capsys):
    for command in COMMANDS:
        with pytest.raises(SystemExit) as stopped:
            main([command, "--help"])
        assert stopped.value.code == 0
        assert f"usage: pytest-grounding {command}" in capsys.readouterr().out


def test_calibrate_names_a_file_that_cannot_be_written(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    labels = [f'{{"confidence": {n / 60}, "correct": {str(n % 2 > 0).lower()}}}\n' for n in range(60)]
    Path("l.jsonl").write_text("".join(labels), encoding="utf-8")
    Path("file").write_text("", encoding="utf-8")
    assert main(["calibrate", "l.jsonl", "-o", "file/x.json"]) == 2
    assert re.match("pytest-grounding: error: file.*cannot be used", capsys.readouterr().err)
    assert Path("file").read_text(encoding="utf-8") == ""


def test_lists_commands_once_and_in_order():
    first, others = COMMANDS[: len(FIRST)], COMMANDS[len(FIRST) :]
    assert first == FIRST
    assert sorted(set(others) - set(first)) == list(others)


def test_each_command_is_documented():
    page = (Path(__file__).resolve().parents[2] / "docs" / "cli.md").read_text(encoding="utf-8")
    table = page[: page.index("\n## ")]
    assert all(f"| `{name}" in table for name in COMMANDS)


def test_the_parser_loads_nothing_heavy():
    code = (
        "import sys; from pytest_grounding.cli import build_parser; build_parser()\n"
        "heavy = {'pydantic', 'numpy', 'deepdiff', 'jinja2', 'cohere', 'sentencex', 'pytest'}\n"
        "heavy &= set(sys.modules)\n"
        "sys.exit(', '.join(sorted(heavy)) or 0)"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (result.returncode, result.stderr) == (0, "")


def test_writes_reports_after_the_reader_has_gone(tmp_path):
    rows = [
        {
            "id": f"t{n}",
            "question": "What is x?",
            "chunks": [{"id": "c1", "text": "It is x."}],
            "answer": "It is y [2].",
        }
        for n in range(400)
    ]
    (tmp_path / "t.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    program = f"{sys.executable} -m pytest_grounding check t.jsonl"
    shell = f"{program} --report json:r.json --set audit=a.jsonl | head -n 1; echo ${{PIPESTATUS[0]}}"
    result = subprocess.run(["bash", "-c", shell], capture_output=True, text=True, cwd=tmp_path)
    assert (result.stdout.splitlines()[-1], result.stderr) == ("1", "")
    assert len(json.loads((tmp_path / "r.json").read_text("utf-8"))["transcripts"]) == 400
    assert len((tmp_path / "a.jsonl").read_text("utf-8").splitlines()) == 400
    # Without anything to finish it ends at once, as programs in a pipe do.
    shell = f"{program} | head -n 1; echo ${{PIPESTATUS[0]}}"
    result = subprocess.run(["bash", "-c", shell], capture_output=True, text=True, cwd=tmp_path)
    assert (result.stdout.splitlines()[-1], result.stderr) == ("141", "")


def test_escapes_control_characters_in_messages(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert audit(["verify", "a\x1b[2Jb"]) == 2
    Path("log.jsonl").write_text('{"kind": "\x1b[2J"}\n')
    assert audit(["show", "log.jsonl"]) == 2
    Path("rude.py").write_text("def answer(question):\n    raise RuntimeError('away \\x1b[2J')\n")
    Path("q.jsonl").write_text('"When?"\n')
    monkeypatch.syspath_prepend(str(tmp_path))
    assert main(["record", "rude:answer", "q.jsonl", "-o", "kept"]) == 1
    shown = capsys.readouterr()
    assert "\x1b" not in shown.out + shown.err
    assert "a\\x1b[2Jb: there is no such audit log" in shown.err
    assert "RuntimeError: away \\x1b[2J" in shown.err


EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
GOOD = {"id": "a", "question": "Who?", "chunks": [{"id": "c", "text": "x"}], "answer": ""}


BAD = table(__file__, "bad")


@each(*KINDS)
def test_the_schema_is_a_schema(kind, capsys):
    assert main(["show", "schema", kind]) == 0
    printed = json.loads(capsys.readouterr().out)
    jsonschema.Draft202012Validator.check_schema(printed)
    assert printed == schema(kind)
    titles = {
        "transcript": "Transcript",
        "verdict": "Verdict",
        "report": "RunReport",
        "audit-record": "AuditRecord",
    }
    assert printed["title"] == titles[kind]


@pytest.mark.parametrize("value", BAD, ids=range(len(BAD)))
def test_schema_and_reader_reject_the_same(value):
    assert not jsonschema.Draft202012Validator(schema("transcript")).is_valid(value)
    with pytest.raises(InputError):
        as_transcript(value)


@each(GOOD, GOOD | {"question": "x" * 2000}, GOOD | {"metadata": {"a": 1}})
def test_schema_and_reader_accept_the_same(value):
    jsonschema.validate(value, schema("transcript"))
    as_transcript(value)


def test_every_example_fits_the_schema():
    validator = jsonschema.Draft202012Validator(schema("transcript"))
    files = sorted(EXAMPLES.rglob("*.transcript.json"))
    # The questions and the log of the service example are not transcripts.
    tables = [file for file in sorted(EXAMPLES.rglob("*.jsonl")) if "chat_service" not in file.parts]
    lines = [line for file in tables for line in file.read_text("utf-8").splitlines()]
    values = [json.loads(file.read_text("utf-8")) for file in files] + [json.loads(line) for line in lines]
    assert len(values) > 15
    for value in values:
        validator.validate(value)


def test_a_verdict_fits_its_schema():
    verdict = pg.validate(GOOD | {"answer": "It is x [1]. It is y [2]."})
    jsonschema.validate(verdict.as_dict(), schema("verdict"))

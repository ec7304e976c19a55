"""What holds for every command: streams, JSON, colours, misspelt names, interruption."""

import io
import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import warm_starts
from every import each

import pytest_grounding as pg
from pytest_grounding import __version__
from pytest_grounding.cli import main
from pytest_grounding.engine.pipeline import ENGINE_VERSION
from pytest_grounding.settings._layers import gone
from pytest_grounding.testing import Example

REFUNDS = Example("How long do refunds take?", ["Refunds are paid within 14 days of the return."])
GOOD = REFUNDS.answered("Refunds are paid within 14 days of the return [1].", id="good")
BAD = REFUNDS.answered("Refunds are paid within 45 days of the return [1].", id="bad")
KURZ = Example("Wann öffnet das Museum?", ["Das Museum öffnet um 9 Uhr."], id="kürzer").answered(
    "Das Museum öffnet um 9 Uhr [1]."
)


def command(*words, given="", cwd=None):
    return subprocess.run(
        [warm_starts.python(), "-m", "pytest_grounding", *words],
        input=given,
        cwd=cwd,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


@pytest.fixture
def stdin(monkeypatch):
    """Lets the process at hand read a text from standard input."""

    def give(text):
        stream = io.TextIOWrapper(io.BytesIO(text.encode("utf-8")), encoding="ascii")
        monkeypatch.setattr(sys, "stdin", stream)

    return give


def lines(*values):
    return "".join(json.dumps(value, ensure_ascii=False) + "\n" for value in values)


@pytest.mark.parametrize(
    ("given", "status", "ids"),
    [
        (lines(GOOD), 0, ["good"]),
        (lines(GOOD, BAD, KURZ), 1, ["bad", "good", "kürzer"]),
        (json.dumps([GOOD, KURZ]), 0, ["good", "kürzer"]),
    ],
)
def test_check_reads_standard_input(given, status, ids, stdin, capsys):
    stdin(given)
    assert main(["check", "--json", "-"]) == status
    report = json.loads(capsys.readouterr().out)
    assert [item["id"] for item in report["transcripts"]] == ids
    assert {item["source"] for item in report["transcripts"]} == {"-"}


@pytest.mark.parametrize(("given", "said"), [("", "-: is empty"), ("{", "-:1"), (lines(GOOD, GOOD), "good")])
def test_reports_malformed_standard_input(given, said, stdin, capsys):
    stdin(given)
    assert main(["check", "-"]) == 2
    assert said in capsys.readouterr().err


def test_commands_work_in_a_pipe(tmp_path):
    converted = command("show", "transcripts", "-o", "-", "-", given=lines(GOOD, BAD), cwd=tmp_path)
    assert (converted.returncode, converted.stderr) == (0, "2 transcripts were written to -, with 0 notes\n")
    checked = command("check", "--json", "-", given=converted.stdout, cwd=tmp_path)
    assert checked.returncode == 1
    why = command("explain", "--id", "bad", "-", given=converted.stdout, cwd=tmp_path)
    assert "45 days" in why.stdout
    assert list(tmp_path.iterdir()) == []


@each(["baseline", "-"], ["check", "a", "--baseline", "-"])
def test_a_dash_cannot_name_a_baseline(words, capsys):
    with pytest.raises(SystemExit) as caught:
        main(words)
    assert caught.value.code == 2
    assert "names no file; write /dev/stdin or /dev/stdout" in capsys.readouterr().err


@each(
    (["audit", "show", "x"], "pytest-grounding audit is gone: write python -m pytest_grounding.audit"),
    (["settings"], "pytest-grounding settings is gone: write pytest-grounding show settings"),
    (["check", "--audit", "x", "y"], "check --audit is gone: write --set audit=PATH"),
    (["check", "--color=never", "x"], "--color is gone: set NO_COLOR or FORCE_COLOR in the environment"),
)
def test_a_removed_command_names_its_replacement(words, said, capsys):
    with pytest.raises(SystemExit) as caught:
        main(words)
    assert caught.value.code == 2
    assert capsys.readouterr().err.endswith(f"error: {said}\n")


def test_a_removed_setting_names_its_replacement(monkeypatch, capsys):
    monkeypatch.setitem(gone(), "old_name", "set new_name")
    assert main(["show", "settings", "--set", "old_name=1"]) == 2
    assert (
        "setting 'old_name' (from command line) is unknown; it is gone: set new_name"
        in capsys.readouterr().err
    )
    with pytest.raises(TypeError, match="it is gone: set new_name"):
        pg.Settings(old_name=1)
    with pytest.raises(pg.SettingsError, match="it is gone: set new_name"):
        pg.Settings.of({"old_name": 1})


@pytest.mark.parametrize(
    ("words", "environment", "coloured"),
    [
        ([], {}, False),
        ([], {"FORCE_COLOR": "1"}, True),
        ([], {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
        (["--json"], {"FORCE_COLOR": "1"}, False),
    ],
)
def test_colours_follow_the_environment(words, environment, coloured, monkeypatch, stdin, capsys):
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    stdin(lines(GOOD, BAD))
    assert main(["check", "-v", *words, "-"]) == 1
    out = capsys.readouterr().out
    assert ("\x1b[" in out) == coloured
    if coloured:
        assert "\x1b[31mREJECT\x1b[0m" in out
        assert "\x1b[32mpass\x1b[0m: good" in out
        assert re.search("\x1b\\[31mgate: FAIL[^\x1b]*\x1b\\[0m", out)


def test_prints_only_the_problem_when_nothing_was_read(tmp_path, capsys):
    (tmp_path / "bad.json").write_text("{", encoding="utf-8")
    for path in ("no-such-file.json", str(tmp_path / "bad.json")):
        assert main(["check", path]) == 2
        said = capsys.readouterr()
        assert said.out == ""
        assert Path(path).name in said.err


def test_the_version_names_the_engine(capsys):
    with pytest.raises(SystemExit) as caught:
        main(["--version"])
    assert caught.value.code == 0
    assert capsys.readouterr().out == f"pytest-grounding {__version__} (engine {ENGINE_VERSION})\n"


@each("check", "show clean", "mutate")
def test_a_command_needs_a_path(command, capsys):
    with pytest.raises(SystemExit) as ended:
        main(command.split())
    assert ended.value.code == 2
    last = capsys.readouterr().err.splitlines()[-1]
    assert last.endswith("required: PATH")


def test_names_the_variable_of_a_wrong_number_of_jobs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GROUNDING_JOBS", "many")
    assert main(["check", "."]) == 2
    assert capsys.readouterr().err.endswith(
        "write a number from 1, or auto (from the variable GROUNDING_JOBS)\n"
    )


FACT = "Rückgaben werden binnen 14 Tagen bezahlt – 日本語 \U0001f600."
SEEN = "日本"


@pytest.fixture(scope="module")
def suite(tmp_path_factory):
    tmp_path = tmp_path_factory.mktemp("suite")
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    example = Example(f"Wie lange – {SEEN}?", [FACT], id=f"ü{SEEN}\U0001f600", score=0.9)
    value = example.answered(
        f"Rückgaben werden binnen 14 Tagen bezahlt [1]. Straßen – {SEEN} \U0001f600 sind blau."
    )
    (tmp_path / "a.transcripts.jsonl").write_text(json.dumps(value) + "\n")
    (tmp_path / "run.json").write_bytes(shell(tmp_path, "check . --json").stdout)
    return tmp_path


def shell(folder, words, **environment):
    # A warm start would inherit the streams of its parent.
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
        "show transcripts a.transcripts.jsonl -o -",
        "merge run.json --report sarif:-",
    ],
)
def test_output_for_programs_is_utf8_in_every_locale(suite, words):
    told = shell(suite, words, PYTHONIOENCODING="cp1252")
    text = json.dumps(json.loads(told.stdout), ensure_ascii=False)
    assert SEEN in text
    assert told.returncode in (0, 1)


def test_escapes_letters_that_the_locale_lacks(suite):
    told = shell(suite, "show clean . --text", PYTHONIOENCODING="cp1252").stdout.decode("cp1252")
    assert told.startswith("Rückgaben werden binnen 14 Tagen bezahlt [1]. Straßen – \\u65e5\\u672c")


@pytest.mark.parametrize(
    ("words", "closed"),
    [
        ("check .", ">&-"),
        ("check . --json", "| head -c1"),
        ("show clean .", "<&- >&- 2>&-"),
        ("show transcripts - -o -", "<&-"),
        ("--help", ">&-"),
    ],
)
def test_a_closed_stream_ends_without_a_traceback(suite, words, closed):
    told = shell(suite, f"{words} {closed}")
    assert b"Traceback" not in told.stderr
    assert b"Exception ignored" not in told.stderr
    assert told.returncode in (0, 1, 2, 141)


def test_closed_streams_do_not_change_the_verdict(suite):
    open_, closed = (
        shell(suite, f"check . --report json:{name}.json {sign}")
        for name, sign in [("a", ""), ("b", ">&- 2>&-")]
    )
    assert open_.returncode == closed.returncode == 1
    assert (suite / "b.json").read_bytes() == (suite / "a.json").read_bytes()


#: Stops halfway through writing a file and waits.
HALFWAY = """
import sys, threading
from pytest_grounding._io import jsonio
from pytest_grounding.cli import main, schema

def run(args):
    with jsonio.atomic_writer("out.json") as file:
        file.write("half")
        print("halfway", flush=True)
        threading.Event().wait(60)

schema.run = run
sys.exit(main(["show", "schema"]))
"""


@pytest.mark.skipif(os.name == "nt", reason="Windows ends a process without a word to it")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_stopped_command_leaves_no_half_written_file(tmp_path, number):
    (tmp_path / "out.json").write_text("as it was")
    with subprocess.Popen(
        [sys.executable, "-c", HALFWAY],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        # A shell starts background processes with SIGINT ignored.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    ) as process:
        assert process.stdout.readline() == b"halfway\n"
        process.send_signal(number)
        errors = process.communicate(timeout=60)[1]
    assert (process.returncode, errors) == (128 + number, b"")
    assert [path.name for path in tmp_path.iterdir()] == ["out.json"]
    assert (tmp_path / "out.json").read_text() == "as it was"


@pytest.fixture
def file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = [
        {
            "id": name,
            "question": "How long do refunds take?",
            "chunks": [{"id": "c1", "text": "Refunds take 14 days."}],
            "answer": answer,
        }
        for name, answer in (("a", "Refunds take 14 days [1][9]."), ("b", "Refunds take 14 days [1]."))
    ]
    path = tmp_path / "a.transcripts.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_clean_removes_invalid_markers_and_keeps_the_file(file, capsys):
    before = file.read_bytes()
    assert main(["show", "clean", file.name]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert rows == [
        {"id": "a", "answer": "Refunds take 14 days [1].", "changed": True},
        {"id": "b", "answer": "Refunds take 14 days [1].", "changed": False},
    ]
    assert file.read_bytes() == before
    assert sorted(path.name for path in file.parent.iterdir()) == [file.name]


def test_clean_prints_text(file, capsys):
    assert main(["show", "clean", "--text", file.name]) == 0
    assert capsys.readouterr().out == "Refunds take 14 days [1].\n\nRefunds take 14 days [1].\n"


def test_clean_reports_a_malformed_row(file, capsys):
    file.write_text("{}\n" + file.read_text())
    assert main(["show", "clean", file.name]) == 2
    captured = capsys.readouterr()
    assert captured.err.startswith(f"{file.name}:1: ")
    assert len(captured.out.splitlines()) == 2

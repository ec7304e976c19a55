"""What holds for every command: standard streams, JSON, colours, slips of the pen, completion, versions."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import warm_starts

from pytest_grounding import __version__
from pytest_grounding.cli import COMMANDS, build_parser, main
from pytest_grounding.engine.road import ENGINE_VERSION
from pytest_grounding.testing import Example, write_transcripts

REFUNDS = Example("How long do refunds take?", ["Refunds are paid within 14 days of the return."])
GOOD = REFUNDS.answered("Refunds are paid within 14 days of the return [1].", id="good")
BAD = REFUNDS.answered("Refunds are paid within 45 days of the return [1].", id="bad")
KURZ = Example("Wann öffnet das Museum?", ["Das Museum öffnet um 9 Uhr."], id="kürzer").answered(
    "Das Museum öffnet um 9 Uhr [1]."
)

#: Programs talk with it by standard streams, or it prints a file.
NO_OUTPUT_OPTIONS = {"completion", "mcp", "schema"}


def command(*words: str, given: str = "", cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [warm_starts.python(), "-m", "pytest_grounding", *words],
        input=given,
        cwd=cwd,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


@pytest.fixture
def stdin(monkeypatch: pytest.MonkeyPatch):
    """Lets the process at hand read a text from standard input."""

    def give(text: str) -> None:
        stream = io.TextIOWrapper(io.BytesIO(text.encode("utf-8")), encoding="ascii")
        monkeypatch.setattr(sys, "stdin", stream)

    return give


def lines(*values: object) -> str:
    return "".join(json.dumps(value, ensure_ascii=False) + "\n" for value in values)


@pytest.mark.parametrize(
    ("given", "status", "ids"),
    [
        (lines(GOOD), 0, ["good"]),
        (lines(GOOD, BAD, KURZ), 1, ["bad", "good", "kürzer"]),
        (json.dumps([GOOD, KURZ]), 0, ["good", "kürzer"]),
    ],
)
def test_check_reads_standard_input(given: str, status: int, ids: list[str], stdin, capsys) -> None:
    stdin(given)
    assert main(["check", "--json", "-"]) == status
    report = json.loads(capsys.readouterr().out)
    assert [item["id"] for item in report["transcripts"]] == ids
    assert {item["source"] for item in report["transcripts"]} == {"-"}


@pytest.mark.parametrize(("given", "said"), [("", "-: is empty"), ("{", "-:1"), (lines(GOOD, GOOD), "good")])
def test_standard_input_that_cannot_be_read_is_named_so(given: str, said: str, stdin, capsys) -> None:
    stdin(given)
    assert main(["check", "-"]) == 2
    assert said in capsys.readouterr().err


def test_commands_work_in_a_pipe(tmp_path: Path) -> None:
    converted = command("convert", "-o", "-", "-", given=lines(GOOD, BAD), cwd=tmp_path)
    assert (converted.returncode, converted.stderr) == (0, "2 transcripts were written to -, with 0 notes\n")
    checked = command("check", "--json", "-", given=converted.stdout, cwd=tmp_path)
    assert checked.returncode == 1
    page = command("report", "-", "junit:-", given=checked.stdout, cwd=tmp_path)
    assert page.returncode == 0, page.stderr
    assert page.stdout.startswith("<?xml")
    why = command("explain", "--id", "bad", "-", given=converted.stdout, cwd=tmp_path)
    assert "45 days" in why.stdout
    assert list(tmp_path.iterdir()) == []


def test_a_baseline_is_written_to_and_read_from_a_stream(tmp_path: Path, stdin, capsys) -> None:
    path = write_transcripts(tmp_path / "a.transcripts.jsonl", [GOOD])
    assert main(["baseline", "-", str(path)]) == 0
    said = capsys.readouterr()
    assert json.loads(said.out)["transcripts"][0]["id"] == "good"
    assert said.err.startswith("baseline written: -")
    stdin(said.out)
    assert main(["baseline", "-"]) == 0
    assert "pass: good" in capsys.readouterr().out
    stdin(said.out)
    assert main(["check", str(path), "--baseline", "-"]) == 0


def test_what_is_wrong_with_a_stream_is_said_without_a_path_of_ours(stdin, capsys) -> None:
    stdin("no json")
    assert main(["report", "-", "html:-"]) == 2
    assert capsys.readouterr().err.startswith("pytest-grounding: error: -: is no report of a run")


@pytest.mark.parametrize(
    "words", [["check", "-", "-"], ["check", "-", "--baseline", "-"], ["baseline", "-", "-", "--prune"]]
)
def test_one_stream_is_one_file(words: list[str], stdin, capsys) -> None:
    stdin(lines(GOOD))
    assert main(words) == 2
    assert "standard " in capsys.readouterr().err


def children():
    """Every command that does something, with its parser."""
    (top,) = (action for action in build_parser()._actions if action.dest == "command" or action.choices)
    for name, parser in top.choices.items():
        below = [action for action in parser._actions if type(action).__name__ == "_SubParsersAction"]
        for action in below:
            yield from ((f"{name} {word}", child) for word, child in action.choices.items())
        if not below:
            yield name, parser


@pytest.mark.parametrize(("name", "parser"), list(children()))
def test_every_command_has_json_and_colours(name: str, parser) -> None:
    options = parser._option_string_actions
    assert ({"--json", "--color"} <= options.keys()) == (name not in NO_OUTPUT_OPTIONS)
    assert not {"--out", "--output"} & options.keys() or "-o" in options


@pytest.mark.parametrize(("words", "status"), [(["baseline", "none.json"], 2), (["golden", "list"], 0)])
def test_a_command_without_json_of_its_own_tells_its_lines(
    words: list[str], status: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main([*words, "--json"]) == status
    if status == 0:
        told = {"command": "golden", "exit_status": 0, "lines": ["0 goldens"]}
        assert json.loads(capsys.readouterr().out) == told
    else:
        assert capsys.readouterr().err.startswith("pytest-grounding: error: none.json")


@pytest.mark.parametrize(
    ("words", "environment", "coloured"),
    [
        ([], {}, False),
        (["--color", "always"], {}, True),
        (["--color", "always"], {"NO_COLOR": "1"}, True),
        (["--color", "never"], {"FORCE_COLOR": "1"}, False),
        ([], {"FORCE_COLOR": "1"}, True),
        ([], {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
        (["--json", "--color", "always"], {}, False),
    ],
)
def test_colours_come_where_they_are_wanted(
    words: list[str],
    environment: dict[str, str],
    coloured: bool,
    monkeypatch: pytest.MonkeyPatch,
    stdin,
    capsys,
) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    stdin(lines(GOOD, BAD))
    assert main(["check", *words, "-"]) == 1
    out = capsys.readouterr().out
    assert ("\x1b[" in out) == coloured
    if coloured:
        assert "\x1b[32mpass\x1b[0m: good" in out
        assert "\x1b[31mREJECT\x1b[0m" in out
        assert re.search("\x1b\\[31mgate: FAIL[^\x1b]*\x1b\\[0m", out)


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (["chek", "x"], "check"),
        (["basline", "x"], "baseline"),
        (["check", "--jsn", "x"], "--json"),
        (["check", "--sourc-root=x", "x"], "--source-root"),
        (["audit", "shw", "x"], "show"),
        (["audit", "show", "x", "--detials"], "--details"),
        (["check", "--color", "alway", "x"], "always"),
    ],
)
def test_a_slip_of_the_pen_is_answered_with_what_was_meant(words: list[str], meant: str, capsys) -> None:
    with pytest.raises(SystemExit) as caught:
        main(words)
    assert caught.value.code == 2
    assert f"did you mean {meant}?" in capsys.readouterr().err


def test_what_is_like_nothing_is_no_guess(capsys) -> None:
    with pytest.raises(SystemExit):
        main(["check", "--qqqqqqqq", "x"])
    assert "did you mean" not in capsys.readouterr().err


def test_nothing_is_said_about_no_transcripts_where_nothing_was_read(tmp_path: Path, capsys) -> None:
    (tmp_path / "bad.json").write_text("{", encoding="utf-8")
    for path in ("no-such-file.json", str(tmp_path / "bad.json")):
        assert main(["check", path]) == 2
        said = capsys.readouterr()
        assert said.out == ""
        assert Path(path).name in said.err


def test_the_version_names_the_engine(capsys) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["--version"])
    assert caught.value.code == 0
    assert capsys.readouterr().out == f"pytest-grounding {__version__} (engine {ENGINE_VERSION})\n"


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("pytest-grounding che", {"check"}),
        ("pytest-grounding check --basel", {"--baseline", "--baseline-gate"}),
        ("pytest-grounding audit --de", {"--details"}),
    ],
)
def test_bash_completes_commands_and_options(typed: str, offered: set[str], tmp_path: Path, capsys) -> None:
    bash = shutil.which("bash")
    if bash is None or os.name == "nt":
        pytest.skip("there is no bash")
    assert main(["completion", "bash"]) == 0
    script = tmp_path / "completion.bash"
    script.write_text(capsys.readouterr().out, encoding="utf-8")
    words = typed.split()
    call = (
        f"source {script}; COMP_WORDS=({typed}); COMP_CWORD={len(words) - 1}; _pytest_grounding; "
        'printf "%s\\n" "${COMPREPLY[@]}"'
    )
    done = subprocess.run([bash, "-c", call], capture_output=True, text=True, check=True)
    assert set(done.stdout.split()) == offered


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_completion_knows_every_command(shell: str, capsys) -> None:
    assert main(["completion", shell]) == 0
    script = capsys.readouterr().out
    assert all(re.search(rf"\b{name}\b", script) for name in COMMANDS)
    assert "source-root" in script


@pytest.mark.parametrize("command", ["check", "clean", "mutate"])
def test_a_command_without_its_path_says_what_to_give(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main([command])
    assert ended.value.code == 2
    last = capsys.readouterr().err.splitlines()[-1]
    assert last.endswith("required: PATH; PATH: a transcript file, a folder or a pattern")


def test_a_number_of_jobs_that_is_none_names_the_variable_it_stands_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GROUNDING_JOBS", "many")
    assert main(["check", "."]) == 2
    assert capsys.readouterr().err.endswith(
        "write a number from 1, or auto (from the variable GROUNDING_JOBS)\n"
    )

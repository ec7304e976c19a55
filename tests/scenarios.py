"""Scenarios in TOML files: files of a folder, commands run in it, and what these show and leave.

A scenario has ``files``: name -> text, or rows; a row is text, a table, or the name of a maker with its
arguments, which may give several. Its ``runs`` are lists of commands with what is the same for each of them:

* ``do``: commands as a shell takes them, ``pytest``, ``pytest-grounding`` or ``python -m MODULE``, with
  variables before them; ``files`` are written before them, and removed where they are false;
* ``ends``: the exit status, 0 where it is not said; ``counts``: the outcomes of the tests;
* ``shows``: patterns of lines in their order; ``has``: lines, or patterns, in any order; ``lacks``: patterns;
* ``errors``: patterns of all lines on standard error; ``silent``: nothing on standard output;
* ``json``: what the JSON on standard output shows; ``prints``: all of it, as text; ``given``: standard input;
* ``keeps``: files that stay as they were; ``holds``: the names of all that is in the folder;
* ``leaves``: file -> false where there is none, patterns of lines, what its text ``contains`` or ``lacks``,
  or what its JSON shows (see `shown`).
"""

import fnmatch
import io
import json
import shlex
import sys
import tomllib
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from shown import assert_shows

from pytest_grounding.cli import main
from pytest_grounding.cli import program as program_of


def scenarios(file: str, name: str = "") -> list[Any]:
    """The scenarios in the TOML file beside a test, each with its title as id."""
    path = Path(file).with_name(f"{name}.toml") if name else Path(file).with_suffix(".toml")
    found = tomllib.loads(path.read_text(encoding="utf-8"))
    slow = pytest.mark.slow
    return [
        pytest.param(case, id=title, marks=slow if case.pop("slow", False) else ())
        for title, case in found.items()
    ]


#: What a run may say: a misspelt word would check nothing.
_WORDS = frozenset(
    "do files ends counts shows has lacks errors silent json prints given keeps holds leaves".split()
)


class Stage:
    """Plays scenarios in the folder of a pytester; makers make rows."""

    def __init__(self, pytester: pytest.Pytester, patch: pytest.MonkeyPatch, capsys: Any, **makers: Any):
        self._pytester, self._patch, self._capsys, self._makers = pytester, patch, capsys, makers

    def play(self, scenario: dict[str, Any]) -> None:
        """Write the files, run the commands, and compare."""
        assert scenario.keys() <= {"files", "runs"}, scenario.keys()
        self._write(scenario.get("files", {}))
        for step in scenario["runs"]:
            assert step.keys() <= _WORDS, step.keys() - _WORDS
            self._write(step.get("files", {}))
            for command in step["do"] if isinstance(step["do"], list) else [step["do"]]:
                self._step(command, step)

    def _write(self, files: dict[str, Any]) -> None:
        for name, content in files.items():
            path = self._pytester.path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(self._content(content), "utf-8") if content is not False else path.unlink()

    def _content(self, content: Any) -> str:
        if isinstance(content, list):
            return "".join(f"{self._text(row)}\n" for row in content)
        return self._text(content)

    def _text(self, row: Any) -> str:
        if isinstance(row, list):
            maker, *given = row
            more = given.pop() if given and isinstance(given[-1], dict) else {}
            row = self._makers[maker](*given, **more)
        if isinstance(row, list):
            return "\n".join(map(self._text, row))
        return row if isinstance(row, str) else json.dumps(row, ensure_ascii=False)

    def _step(self, command: str, step: dict[str, Any]) -> None:
        files = {name: (self._pytester.path / name).read_bytes() for name in step.get("keeps", ())}
        with self._patch.context() as patch:
            words = shlex.split(command)
            while "=" in words[0]:
                variable, _, value = words.pop(0).partition("=")
                patch.setenv(variable, value)
            if "given" in step:
                given = io.BytesIO(self._content(step["given"]).encode("utf-8"))
                patch.setattr(sys, "stdin", io.TextIOWrapper(given, encoding="ascii"))
            status, out, err, counts = self._run(*words)
        lines = [*out, *err]
        said = "\n".join([command, *lines])
        assert status == step.get("ends", 0), said
        if "counts" in step:
            found = {name: number for name, number in counts().items() if not name.startswith("warning")}
            assert found == step["counts"], said
        if "errors" in step:
            told = [line for line in err if line]
            assert len(told) == len(step["errors"]), said
            pytest.LineMatcher(told).fnmatch_lines(step["errors"])
        assert not (step.get("silent") and out), said
        if "json" in step:
            assert_shows(json.loads("\n".join(out)), step["json"], command)
        assert out == step["prints"].splitlines() if "prints" in step else True, said
        matcher = pytest.LineMatcher(lines)
        matcher.fnmatch_lines(step.get("shows", ()))
        for pattern in step.get("has", ()):
            assert pattern in lines or fnmatch.filter(lines, pattern), f"{pattern!r} is not in {said}"
        for pattern in step.get("lacks", ()):
            matcher.no_fnmatch_line(pattern)
        for name, wanted in step.get("leaves", {}).items():
            path = self._pytester.path / name
            assert path.exists() == (wanted is not False), f"{command}: {name}"
            if isinstance(wanted, list):
                pytest.LineMatcher(path.read_text("utf-8").splitlines()).fnmatch_lines(wanted)
            elif wanted and wanted.keys() <= {"lacks", "contains"}:
                assert_shows({"text": path.read_text("utf-8")}, {"text": wanted}, command)
            elif wanted:
                assert_shows(json.loads(path.read_text("utf-8")), wanted, command)
        if "holds" in step:
            assert sorted(path.name for path in self._pytester.path.iterdir()) == step["holds"], command
        assert {name: (self._pytester.path / name).read_bytes() for name in files} == files, command

    def _run(self, program: str, *words: str) -> tuple[int, list[str], list[str], Callable[..., Any]]:
        if program == "pytest":
            run = self._pytester.runpytest_inprocess(*words)
            return int(run.ret), run.outlines, run.errlines, run.parseoutcomes
        run = main
        if program == "python":
            run, words = partial(program_of, words[1].rpartition(".")[2], words[1]), words[2:]
        self._capsys.readouterr()
        try:
            status = run(list(words))
        except SystemExit as left:
            status = int(left.code or 0)
        printed = self._capsys.readouterr()
        return status, printed.out.splitlines(), printed.err.splitlines(), dict

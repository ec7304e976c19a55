"""Find the fenced blocks of a Markdown page, and run or parse each as its language asks."""

import configparser
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path

import warm_starts
import yaml

ROOT = Path(__file__).resolve().parents[2]
FENCE = re.compile(r"^(?P<indent> *)(?P<ticks>`{3,})(?P<language>[\w+-]*)[^`]*$")
DIRECTIVE = re.compile(r"^ *<!-- (?P<kind>file|not run): (?P<value>.+?) -->$")
LANGUAGES = {"python", "console", "json", "jsonl", "toml", "ini", "text", "yaml"}
# Ends what hangs; a busy machine takes minutes for a block of many commands.
TIMEOUT_S = 600


@dataclass(frozen=True)
class Block:
    """One fenced block.

    Attributes:
        page: file that it stands in.
        line: 1-based line of its opening fence.
        language: the fence's first word.
        text: what stands between the fences.
        file: name that the block is written under for later blocks, or "".
        not_run: why it is not run, or "".
    """

    page: Path
    line: int
    language: str
    text: str
    file: str = ""
    not_run: str = ""

    @property
    def place(self):
        return f"{self.page.relative_to(ROOT).as_posix()}:{self.line}"


def pages():
    """README and every page of docs."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def blocks_of(page, text=None):
    """The fenced blocks of a page, in order."""
    lines = (page.read_text(encoding="utf-8") if text is None else text).split("\n")
    found = []
    number = 0
    while number < len(lines):
        opening = FENCE.match(lines[number])
        if not opening:
            number += 1
            continue
        directives = {}
        above = number - 1
        while above >= 0 and (directive := DIRECTIVE.match(lines[above])):
            directives[directive["kind"]] = directive["value"]
            above -= 1
        closing = number + 1
        while closing < len(lines) and lines[closing].strip() != opening["ticks"]:
            closing += 1
        if closing == len(lines):
            raise ValueError(f"{page}:{number + 1}: the block is never closed")
        indent = len(opening["indent"])
        body = "".join(line[indent:] + "\n" for line in lines[number + 1 : closing])
        found.append(
            Block(
                page,
                number + 1,
                opening["language"],
                body,
                directives.get("file", ""),
                directives.get("not run", ""),
            )
        )
        number = closing + 1
    return found


def run_block(block, earlier, folder):
    """Run or parse one block in an empty folder that holds the page's earlier files.

    Raises:
        AssertionError: the block does not do what the page shows.
    """
    assert block.language in LANGUAGES, (
        f"{block.place}: a block of {block.language or 'no language'!r} cannot be checked; "
        f"use one of {', '.join(sorted(LANGUAGES))}"
    )
    for other in earlier:
        if other.file:
            target = folder / other.file
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(other.text, encoding="utf-8")
    if block.language == "python":
        _run_python(block, folder)
    elif block.language == "console":
        _run_console(block, folder)
    elif block.language != "text":
        _parse(block)


def _environment(text=""):
    """The caller's environment without what would change a run, and with this Python's scripts first."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PYTEST_", "VALIDATION_", "HALLUCINATION_", "SELF_CORRECTION_", "COV_"))
        # In a build pytest cuts no line of its summary; the pages show what a person sees.
        and name not in ("CI", "BUILD_NUMBER")
    }
    # Workers need processes of their own, which a warm Python does not start.
    warm = [] if "--jobs" in text else [warm_starts.folder()]
    folders = [*warm, str(Path(sys.executable).parent), kept.get("PATH", "")]
    kept["PATH"] = os.pathsep.join(folders)
    # Unbuffered: what is printed and what is an error come in the order that a terminal shows.
    return kept | {
        "COLUMNS": "100",
        "NO_COLOR": "1",
        "PYTHONIOENCODING": "utf-8",
        "LC_ALL": "C.UTF-8",
        "PYTHONUNBUFFERED": "1",
    }


def _run_python(block, folder):
    is_test = bool(re.search(r"(?m)^ *def test_", block.text))
    if block.file:
        compile(block.text, block.place, "exec")
        return
    target = folder / ("test_block.py" if is_test else "block.py")
    target.write_text(block.text, encoding="utf-8")
    # -W error: a page must not show what is deprecated.
    command = [warm_starts.python(), "-W", "error", str(target)]
    if is_test:
        command = [warm_starts.python(), "-m", "pytest", "-q", "-p", "no:cacheprovider", target.name]
    result = subprocess.run(
        command, cwd=folder, env=_environment(), capture_output=True, text=True, timeout=TIMEOUT_S
    )
    assert result.returncode == 0, f"{block.place}:\n{result.stdout}\n{result.stderr}"


def _run_console(block, folder):
    steps = console_steps(block.text)
    assert steps, f"{block.place}: a console block without a line that starts with '$ '"
    if "examples/" in block.text:
        shutil.copytree(ROOT / "examples", folder / "examples", ignore=shutil.ignore_patterns("__pycache__"))
    if "docs/" in block.text or "examples/docs_assistant" in block.text:
        shutil.copytree(ROOT / "docs", folder / "docs", ignore=shutil.ignore_patterns("__pycache__"))
    # One shell for the block, so that `$?`, variables and folders carry over from line to line.
    script = "".join(
        f"{command}\nstatus=$?; printf '\\n@@ {index} %s\\n' $status; (exit $status)\n"
        for index, (command, _) in enumerate(steps)
    )
    result = subprocess.run(
        ["bash", "-c", f"exec 2>&1\n{script}"],
        cwd=folder,
        env=_environment(script),
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=TIMEOUT_S,
    )
    rest = result.stdout
    for index, (command, shown) in enumerate(steps):
        output, marker, rest = rest.partition(f"\n@@ {index} ")
        assert marker, f"{block.place}: the shell stopped at: {command}\n{output}"
        status, _, rest = rest.partition("\n")
        if any(shown):
            problem = difference(shown, output)
            assert not problem, f"{block.place}: $ {command}\n{problem}\n--- the output was:\n{output}"
        else:
            assert status == "0", f"{block.place}: $ {command}\nexit status {status}\n{output}"


def console_steps(text):
    """The commands of a console block, each with the lines that are shown below it."""
    steps = []
    for line in text.split("\n"):
        if line.startswith("$ "):
            steps.append((line[2:], []))
        elif line.startswith("> ") and steps and not steps[-1][1]:
            command, shown = steps[-1]
            steps[-1] = (f"{command}\n{line[2:]}", shown)
        elif steps:
            steps[-1][1].append(line.rstrip())
    return [(command, [line for line in shown if line.strip()]) for command, shown in steps]


def difference(shown, output):
    """What is wrong with the shown lines, or "".

    The shown lines must stand in the output in their order and next to one another, blank lines apart.
    A line ``...`` stands for any lines; ``...`` within a line for any text; durations count as equal.
    """
    real = [_plain(line) for line in output.split("\n") if line.strip()]
    groups = [[]]
    for line in shown:
        if line.strip() == "...":
            groups.append([])
        else:
            groups[-1].append(_plain(line))
    position = 0
    for group in filter(None, groups):
        patterns = [re.compile(".*".join(re.escape(part) for part in line.split("..."))) for line in group]
        starts = range(position, len(real) - len(group) + 1)
        fits = (
            start
            for start in starts
            if all(pattern.fullmatch(real[start + index]) for index, pattern in enumerate(patterns))
        )
        start = next(fits, None)
        if start is None:
            first = next(
                (i for i, pattern in enumerate(patterns) if not any(map(pattern.fullmatch, real))), 0
            )
            return f"not in the output (or not in this place): {group[first]}"
        position = start + len(group)
    return ""


def _plain(line):
    """The line without what no two runs share: durations and the ruler's length around pytest's titles."""
    line = re.sub(r"\b\d+(\.\d+)? ?(s|ms|seconds)\b", "0.00s", line.rstrip())
    return re.sub(r"(={3,}|-{3,}|_{3,})", lambda match: match[0][0] * 3, line)


def _parse(block):
    try:
        if block.language == "json":
            _check_json(json.loads(block.text))
        elif block.language == "jsonl":
            for line in filter(str.strip, block.text.split("\n")):
                _check_json(json.loads(line))
        elif block.language == "toml":
            _check_configuration(tomllib.loads(block.text))
        elif block.language == "yaml":
            assert isinstance(yaml.safe_load(block.text), (dict, list))
        else:
            parser = configparser.ConfigParser(interpolation=None)
            parser.read_string(block.text)
            assert parser.sections()
            _check_configuration({name: dict(parser.items(name)) for name in parser.sections()})
    except (ValueError, configparser.Error, yaml.YAMLError) as error:
        raise AssertionError(f"{block.place}: {error}") from error


#: Keys of the plugin that are no settings of a validation.
_PLUGIN_KEYS = {"grounding_files", "grounding_profiles", "grounding_directories", "grounding_baseline"}


def _check_configuration(document):
    """A configuration holds something, and each of its ``grounding_`` keys is one that is read."""
    from pytest_grounding.settings import Settings

    assert document
    for key, value in document.items():
        if isinstance(value, dict):
            _check_configuration(value)
        elif key.startswith("grounding_") and key not in _PLUGIN_KEYS:
            Settings.of({key.removeprefix("grounding_"): value})


def _check_json(value):
    if isinstance(value, dict) and {"question", "chunks", "answer"} <= set(value):
        from pytest_grounding.model.transcript import Transcript

        Transcript.model_validate(value)

"""The size of the project in numbers that may only shrink; `budget.toml` has the limits.

python -m benchmarks.budget           print what is over the budget
python -m benchmarks.budget --write   write today's numbers into budget.toml
"""

from __future__ import annotations

import argparse
import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "pytest_grounding"
FILE = ROOT / "budget.toml"
_HEAD = """\
# What the project may be at most. tests/packaging/test_budget.py fails where it is more.
# Who raises a number does it in the same commit, and says in its message what was given up for it.
# After shrinking: python -m benchmarks.budget --write
"""

Budget = dict[str, dict[str, int]]


def measured() -> Budget:
    """The measured numbers, by room, and ``whole`` for the project."""
    return {"whole": _whole(), **_rooms()}


def over(found: Mapping[str, Mapping[str, int]], allowed: Mapping[str, Mapping[str, int]]) -> list[str]:
    """One sentence for each number above its limit, or without one."""
    told = []
    for room, numbers in found.items():
        for name, number in numbers.items():
            most = allowed.get(room, {}).get(name, 0)
            if number > most:
                words = name.replace("_", " ")
                told.append(f"{room}: {number} {words}, {most} allowed; take some away, or raise the budget")
    return told


def read() -> Budget:
    """The budget."""
    return tomllib.loads(FILE.read_text(encoding="utf-8"))


def _rooms() -> Budget:
    found: Budget = {"top": {"lines": 0, "files": 0}}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE).parts
        name = "/".join(parts[: 2 if parts[0] == "scorers" else 1][: len(parts) - 1]) or "top"
        room = found.setdefault(name, {"lines": 0, "files": 0})
        room["lines"] += path.read_text(encoding="utf-8").count("\n")
        room["files"] += 1
    data = (path for path in (PACKAGE / "lexicon").rglob("*") if path.suffix in (".txt", ".json", ".jsonl"))
    found["lexicon"]["data_lines"] = sum(path.read_text(encoding="utf-8").count("\n") for path in data)
    return found


def _whole() -> dict[str, int]:
    from pytest_grounding.cli import COMMANDS, build_parser
    from pytest_grounding.engine import registry
    from pytest_grounding.rules import RULES
    from pytest_grounding.settings import FIELDS, Settings

    texts = [path.read_text(encoding="utf-8") for path in sorted(PACKAGE.rglob("*.py"))]
    pages = sorted((ROOT / "docs").rglob("*.md"))
    return {
        "lines": sum(text.count("\n") for text in texts),
        "files": len(texts),
        "longest_file": max(text.count("\n") for text in texts),
        "longest_function": max(length for text in texts for length in _lengths(text)),
        "settings": len(FIELDS),
        "commands": len(COMMANDS),
        "options": _options(build_parser(is_whole=True)),
        "rules": len(RULES),
        "importers": len(registry.importers(Settings()).all),
        "test_items": _test_items(),
        "words_of_docs": sum(len(page.read_text(encoding="utf-8").split()) for page in pages),
    }


def _lengths(text: str) -> Iterator[int]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield (node.end_lineno or 0) - node.lineno + 1


def _options(parser: argparse.ArgumentParser) -> int:
    """The options of a parser and of its commands, except help."""
    number = 0
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            number += sum(map(_options, action.choices.values()))
        elif action.option_strings and not isinstance(action, argparse._HelpAction):
            number += 1
    return number


def _test_items() -> int:
    command = [sys.executable, "-m", "pytest", "--collect-only", "-qq", "-p", "no:cacheprovider", "tests"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"the tests cannot be collected: {done.stdout[-2000:]}{done.stderr[-2000:]}")
    # One line per file: its path and its number of tests.
    return sum(int(found) for found in re.findall(r"(?m)^tests\S*\.py: (\d+)$", done.stdout))


def main() -> int:
    """Write the budget, or print what is over it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--write", action="store_true", help="write the numbers of today")
    found = measured()
    if parser.parse_args().write:
        rooms = (
            (f'["{room}"]\n' if "/" in room else f"[{room}]\n")
            + "".join(f"{name} = {number}\n" for name, number in numbers.items())
            for room, numbers in found.items()
        )
        FILE.write_text("\n".join([_HEAD, *rooms]), encoding="utf-8")
        return 0
    told = over(found, read())
    print("\n".join(told) or "within the budget")
    return 1 if told else 0


if __name__ == "__main__":
    sys.exit(main())

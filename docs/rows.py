"""The rows of the specification: each with where it is built, the tests that show it, and what it lacks.

    python docs/rows.py          run the tests of all rows, and print each row with a mark or what it lacks

`tests/spec/rows.toml` has the rows, and the tests bear the marker `row` with the numbers of the rows that
they show. `docs/generate.py` makes a page of both.
"""

from __future__ import annotations

import ast
import sys
import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TABLE = ROOT / "tests" / "spec" / "rows.toml"
MARK = "row"


@dataclass(frozen=True)
class Row:
    """One row.

    Args:
        number: its number in the specification.
        what: what is asked for.
        where: files and folders that build it.
        figure: what was measured.
        lacks: what is missing, or "".
        decided: how it deviates on purpose, or "".
    """

    number: int
    what: str
    where: tuple[str, ...]
    figure: str = ""
    lacks: str = ""
    decided: str = ""


def rows() -> list[Row]:
    """All rows, in order."""
    found = tomllib.loads(TABLE.read_text(encoding="utf-8"))["row"]
    return [Row(**{**row, "where": tuple(row["where"])}) for row in found]


@lru_cache(maxsize=1)
def tests_by_row() -> Mapping[int, tuple[str, ...]]:
    """Row -> the tests that show it, as ``file::name`` from the folder of the tests."""
    found: defaultdict[int, list[str]] = defaultdict(list)
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        text = path.read_text(encoding="utf-8")
        if f"mark.{MARK}(" in text:
            for name, number in _marked(ast.parse(text)):
                found[number].append(f"{path.relative_to(ROOT / 'tests').as_posix()}::{name}")
    return {number: tuple(names) for number, names in found.items()}


def _marked(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """Each test with the numbers of its marker."""
    for node in tree.body:
        for mark in node.decorator_list if isinstance(node, ast.FunctionDef) else ():
            if isinstance(mark, ast.Call) and ast.unparse(mark.func) == f"pytest.mark.{MARK}":
                yield from ((node.name, ast.literal_eval(number)) for number in mark.args)


def page() -> str:
    """The table of all rows."""
    tests = tests_by_row()
    lines = ["| row | what is asked for | built in | shown by | state |", "|---|---|---|---|---|"]
    for row in rows():
        built = ", ".join(f"`{place}`" for place in row.where)
        shown = ", ".join(f"`{name}`" for name in tests.get(row.number, ()))
        lines.append(f"| {row.number} | {row.what} | {built} | {shown} | {state_of(row)} |")
    return "\n".join(lines)


def state_of(row: Row) -> str:
    """A mark, or what lacks; with the figure measured and the deviation decided."""
    notes = [row.lacks and f"lacks: {row.lacks}", row.decided and f"decided: {row.decided}", row.figure]
    return "; ".join(filter(None, ["" if row.lacks else "✔", *notes]))


class Outcomes:
    """Collects, as a plugin of pytest, which rows have a test that failed and which were shown."""

    def __init__(self) -> None:
        self.failed: set[int] = set()
        self.shown: set[int] = set()
        self._rows: dict[str, tuple[int, ...]] = {}

    def pytest_collection_modifyitems(self, items) -> None:
        """Remember the rows that each test shows."""
        for item in items:
            mark = item.get_closest_marker(MARK)
            if mark is not None:
                self._rows[item.nodeid] = mark.args

    def pytest_runtest_logreport(self, report) -> None:
        """Note the rows of a test that failed."""
        numbers = self._rows.get(report.nodeid, ())
        if report.failed:
            self.failed.update(numbers)
        elif report.when == "call" and report.passed:
            self.shown.update(numbers)


def lines_of(outcomes: Outcomes) -> Iterator[str]:
    """Each row with its mark, or with what it lacks."""
    for row in rows():
        if row.number in outcomes.failed:
            state = "✗ a test of it fails"
        elif row.number not in outcomes.shown and not row.lacks:
            state = "✗ no test of it ran"
        else:
            state = state_of(row)
        yield f"{row.number:3}  {row.what}: {state}"


def main() -> int:
    """Run the tests of the rows, and print the rows."""
    import pytest

    outcomes = Outcomes()
    shown = sorted({name for names in tests_by_row().values() for name in names})
    ids = [str(ROOT / "tests" / name) for name in shown]
    status = pytest.main(["-q", "-p", "no:cacheprovider", "--rootdir", str(ROOT), *ids], [outcomes])
    print("\n".join(lines_of(outcomes)))
    return int(status)


if __name__ == "__main__":
    sys.exit(main())

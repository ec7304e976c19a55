"""Every row of the specification is built somewhere and shown by a test, or says what it lacks."""

import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
if not (ROOT / "docs" / "rows.py").exists():
    pytest.skip("only the package is here", allow_module_level=True)
TABLE = runpy.run_path(str(ROOT / "docs" / "rows.py"))
ROWS, SHOWN = TABLE["rows"](), TABLE["tests_by_row"]()


def test_there_are_eighty_rows_in_order():
    assert [row.number for row in ROWS] == list(range(1, 81))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: str(row.number))
def test_a_row_is_built_and_shown_or_says_what_it_lacks(row):
    for place in row.where:
        assert (ROOT / place).exists() or (ROOT / "pytest_grounding" / place).exists(), place
    assert SHOWN.get(row.number) or row.lacks
    assert row.where or row.lacks


def test_every_marker_names_a_row():
    assert set(SHOWN) <= {row.number for row in ROWS}


def test_a_row_without_a_passing_test_is_marked():
    outcomes = TABLE["Outcomes"]()
    outcomes.shown.update(range(1, 81))
    outcomes.shown.discard(2)
    outcomes.failed.add(3)
    lines = list(TABLE["lines_of"](outcomes))
    assert lines[0].endswith("✔")
    assert lines[1].endswith("✗ no test of it ran")
    assert lines[2].endswith("✗ a test of it fails")
    assert "lacks: no reader is shipped" in lines[79]

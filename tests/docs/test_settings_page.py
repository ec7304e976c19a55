"""docs/settings.md says what settings.py says."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from pytest_grounding.cli.settings import markdown_table
from pytest_grounding.settings import ENVIRONMENT, FIELDS, PROFILES

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "settings.md"


def test_the_table_is_current() -> None:
    command = [sys.executable, str(ROOT / "docs" / "generate.py"), "--check"]
    result = subprocess.run(command, capture_output=True, text=True)
    assert (result.returncode, result.stdout) == (0, ""), "run: make docs"


def test_the_check_sees_a_page_that_is_not_current(tmp_path: Path) -> None:
    copy = tmp_path / "generate.py"
    copy.write_text((ROOT / "docs" / "generate.py").read_text(encoding="utf-8"), encoding="utf-8")
    text = PAGE.read_text(encoding="utf-8")
    (tmp_path / "settings.md").write_text(text.replace("| `index_base` | `1` |", "| `index_base` | `2` |"))
    assert (tmp_path / "settings.md").read_text(encoding="utf-8") != text
    result = subprocess.run([sys.executable, str(copy), "--check"], capture_output=True, text=True)
    assert result.returncode == 1
    subprocess.run([sys.executable, str(copy)], check=True)
    assert (tmp_path / "settings.md").read_text(encoding="utf-8") == text


def test_the_table_names_every_setting_variable_and_choice() -> None:
    table = markdown_table()
    for name, field in FIELDS.items():
        (row,) = (line for line in table.splitlines() if line.startswith(f"| `{name}` |"))
        for choice in field.metadata["choices"] or ():
            assert f"`{choice}`" in row
    assert all(f"(`{variable}`)" in table for variable in ENVIRONMENT)


def test_the_page_names_every_profile() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert all(f"`{name}`" in text for name in PROFILES)

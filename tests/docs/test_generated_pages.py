"""The generated parts of the pages are current, and say what the package says."""

import runpy
import shutil
import subprocess
from pathlib import Path

import pytest
import warm_starts

from pytest_grounding.settings import ENVIRONMENT, FIELDS, PROFILES

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "settings.md"


GENERATE = ROOT / "docs" / "generate.py"


def generate(script, *words):
    return subprocess.run([warm_starts.python(), str(script), *words], capture_output=True, text=True)


def test_the_generated_parts_are_current():
    result = generate(GENERATE, "--check")
    assert (result.returncode, result.stdout) == (0, ""), "run: make docs"


@pytest.mark.parametrize(
    ("page", "before", "after"),
    [
        ("settings.md", "| `index_base` | `1` |", "| `index_base` | `2` |"),
        ("settings.md", "| `accept_confidence` | `0.7` | `0.8` |", "| `accept_confidence` | `0.7` | `0.9` |"),
        ("index.md", "(cli.md)", "(clo.md)"),
    ],
)
def test_the_check_sees_a_page_that_is_not_current(page, before, after, tmp_path):
    docs = shutil.copytree(ROOT / "docs", tmp_path / "docs")
    for name in ("README.md", "mkdocs.yml"):
        shutil.copy(ROOT / name, tmp_path)
    text = (docs / page).read_text(encoding="utf-8")
    (docs / page).write_text(text.replace(before, after), encoding="utf-8")
    assert (docs / page).read_text(encoding="utf-8") != text
    result = generate(docs / "generate.py", "--check")
    assert result.returncode == 1
    assert page in result.stdout
    assert generate(docs / "generate.py").returncode == 0
    assert (docs / page).read_text(encoding="utf-8") == text


def test_the_table_names_every_setting_variable_and_choice():
    table = runpy.run_path(str(GENERATE))["markdown_table"]()
    for name, field in FIELDS.items():
        (row,) = (line for line in table.splitlines() if line.startswith(f"| `{name}` |"))
        for choice in field.metadata["choices"] or ():
            assert f"`{choice}`" in row
    assert all(f"(`{variable}`)" in table for variable in ENVIRONMENT)


def test_the_page_names_every_profile():
    text = PAGE.read_text(encoding="utf-8")
    assert all(f"`{name}`" in text for name in PROFILES)

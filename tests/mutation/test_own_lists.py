"""Planting knows nothing of detecting: a fault chosen with the detector's words would prove nothing."""

import ast
from pathlib import Path

import pytest

import pytest_grounding.mutation

PACKAGE = Path(pytest_grounding.mutation.__file__).parent
FORBIDDEN = (
    "pytest_grounding.scorers",
    "pytest_grounding.claims",
    "pytest_grounding.checks",
    "pytest_grounding.engine.registry",
)


def imported(file):
    found = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


@pytest.mark.parametrize("file", sorted(PACKAGE.glob("*.py")), ids=lambda file: file.name)
def test_no_module_of_planting_imports_what_detects(file):
    assert not {name for name in imported(file) if name.startswith(FORBIDDEN)}

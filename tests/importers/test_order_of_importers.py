"""All importers are in the list of those that are asked."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest_grounding.importers as room
from pytest_grounding.importers.builtin import BEFORE, FORMATS


def test_no_importer_of_the_room_is_left_out() -> None:
    found = set()
    for file in Path(room.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                names = {
                    target.id
                    for item in node.body
                    if isinstance(item, ast.Assign)
                    for target in item.targets
                    if isinstance(target, ast.Name)
                }
                if "name" in names:
                    found.add(node.name)
    assert found - {importer.__name__ for importer in (*BEFORE, *FORMATS)} == {"Streams"}

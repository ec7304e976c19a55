"""The order in which importers are asked is a table: each row a number and a reason."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest_grounding.importers as room
from pytest_grounding.importers.builtin import ORDER, builtin_importers


def test_they_are_asked_by_their_priority() -> None:
    priorities = [row.priority for row in ORDER]
    assert priorities == sorted(set(priorities), reverse=True), "each has its own, the highest first"
    assert all(len(row.reason.split()) > 2 for row in ORDER)
    names = [importer.name for importer in builtin_importers()]
    assert [name for name in names if name != "stream"] == [row.importer(None).name for row in ORDER]
    # A stream is put together before a single response is looked for, and after the rows of a file.
    assert names.index("traces") < names.index("stream") < names.index("cohere")


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
    assert found - {row.importer.__name__ for row in ORDER} == {"Streams"}

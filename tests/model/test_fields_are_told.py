"""Docstrings of public models describe no field that is not there, and type checkers see each constructor."""

import ast
import inspect
import re
from typing import get_args

from every import each
from pydantic import BaseModel

import pytest_grounding as pg


def models_of(kind, found):
    """Collect a model, and all models that its fields hold."""
    if isinstance(kind, type) and issubclass(kind, BaseModel) and kind.__name__ not in found:
        found[kind.__name__] = kind
        for field in kind.model_fields.values():
            models_of(field.annotation, found)
    for part in get_args(kind):
        models_of(part, found)


def public_models():
    found = {}
    for name in pg.__all__:
        models_of(getattr(pg, name), found)
    assert len(found) > 30
    return found


def told(model):
    """The names in the part ``Attributes:`` of the docstrings of a model and of its bases."""
    names = set()
    for kind in model.__mro__:
        if kind.__module__.startswith("pytest_grounding"):
            part = (kind.__doc__ or "").partition("    Attributes:\n")[2]
            names.update(re.findall(r"(?m)^ {8}(\w+): \S", part))
    return names


@each(*public_models().values())
def test_only_fields_are_described(model):
    assert told(model) <= set(model.model_fields)


def typed_constructors():
    """Class -> the arguments of the constructor that is written for type checkers alone."""
    tree = ast.parse(inspect.getsource(inspect.getmodule(pg.Transcript)))
    kinds = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    written = [(kind.name, node) for kind in kinds for node in ast.walk(kind)]
    return {
        name: [argument.arg for argument in node.args.kwonlyargs]
        for name, node in written
        if isinstance(node, ast.FunctionDef) and node.name == "__init__"
    }


def test_a_constructor_for_type_checkers_takes_each_field():
    found = typed_constructors()
    assert set(found) == {"Transcript", "Chunk"}
    for name, arguments in found.items():
        assert set(arguments) == set(getattr(pg, name).model_fields)

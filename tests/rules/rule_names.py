"""The names of the rules that the code gives, read from its syntax tree."""

import ast
import gc
from functools import cache
from pathlib import Path

#: What grades the changes between two recordings has a table of its own, and these ask for names of others.
_OTHERS = frozenset({"Change", "HeldFinding", "KnownFinding", "Waiver", "change"})

#: Rooms that give no findings; their rules and faults are other things of the same name.
_OTHER_ROOMS = frozenset({"golden", "mutation", "rules"})


@cache
def names_in(folder):
    """Rule -> the first place, as file:line, that gives it.

    A name is given where a call fills a parameter or field called ``rule``, or where a dict holds a key
    "rule" beside a "severity". Constants are followed to the module that holds them.
    """
    # Millions of nodes and no circle: looking for rubbish among them would take as long as making them.
    gc.disable()
    try:
        return _names_of(
            folder,
            {path: ast.parse(path.read_text(encoding="utf-8")) for path in sorted(folder.rglob("*.py"))},
        )
    finally:
        gc.enable()


def _names_of(folder, trees):
    constants = _constants(trees)
    places = _places_of_rule(trees)
    found = {}
    for path, tree in trees.items():
        if path.parent.name in _OTHER_ROOMS:
            continue
        for node in ast.walk(tree):
            for value in _given(node, path, places):
                for name in _names(value, path, constants):
                    found.setdefault(name, f"{path.relative_to(folder).as_posix()}:{node.lineno}")
    return found


def _constants(trees):
    """Constants of text: of a module, and of any module under the name alone."""
    found = {}
    for path, tree in trees.items():
        for node in tree.body:
            if isinstance(node, (ast.Assign, ast.AnnAssign)) and isinstance(node.value, ast.Constant):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                for target in targets:
                    if isinstance(target, ast.Name) and isinstance(node.value.value, str):
                        for key in ((path, target.id), (None, target.id)):
                            found.setdefault(key, set()).add(node.value.value)
    return found


def _places_of_rule(trees):
    """Name of a function or class -> for each file that has one the position of its parameter ``rule``.

    The position is None where the parameter is given by name alone.
    """
    found = {"Finding": {Path(): None}}
    for path, tree in trees.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef):
                names = [item.arg for item in node.args.args if item.arg not in ("self", "cls")]
                by_name = [item.arg for item in node.args.kwonlyargs]
            elif isinstance(node, ast.ClassDef):
                names, by_name = _fields(node), []
            else:
                continue
            if "rule" in names + by_name and node.name not in _OTHERS:
                at = names.index("rule") if "rule" in names else None
                found.setdefault(node.name, {})[path] = at
    return found


def _fields(node):
    targets = [item.target for item in node.body if isinstance(item, ast.AnnAssign)]
    return [target.id for target in targets if isinstance(target, ast.Name)]


def _given(node, path, places):
    if isinstance(node, ast.Call):
        callee = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        known = places.get(callee)
        if known is not None:
            # One of the same file hides those of others.
            for at in {known[path]} if path in known else set(known.values()):
                if at is not None and at < len(node.args):
                    yield node.args[at]
            yield from (item.value for item in node.keywords if item.arg == "rule")
    elif isinstance(node, ast.Dict):
        keys = [key.value if isinstance(key, ast.Constant) else None for key in node.keys]
        if "rule" in keys and "severity" in keys:
            yield node.values[keys.index("rule")]


def _names(value, path, constants):
    if isinstance(value, ast.Constant) and isinstance(value.value, str):
        yield value.value
    elif isinstance(value, ast.IfExp):
        yield from _names(value.body, path, constants)
        yield from _names(value.orelse, path, constants)
    elif isinstance(value, ast.Name) and value.id.isupper():
        yield from constants.get((path, value.id)) or constants.get((None, value.id)) or {f"?{value.id}"}

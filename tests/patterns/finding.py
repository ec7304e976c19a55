"""Every pattern of the package, and how its users ask it."""

import ast
import gc
import importlib
import pkgutil
import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import pytest_grounding
from pytest_grounding._io.lazy_patterns import Parts, _Gated, _Lazy
from pytest_grounding.lexicon.patterns import PatternFile

FOLDER = Path(pytest_grounding.__file__).parent
_SEARCHES = frozenset({"search", "finditer", "findall", "sub", "subn", "split", "likely"})
_MATCHES = frozenset({"match", "fullmatch"})
_FUNCTIONS = frozenset({*_SEARCHES, *_MATCHES, "compile"}) - {"likely"}


@dataclass(frozen=True)
class Found:
    """One pattern.

    Attributes:
        where: module and name, or module and line where it has none.
        source: the regular expression.
        flags: its flags.
        searched: whether it is looked for anywhere in a text, not only at one place.
    """

    where: str
    source: str
    flags: int
    searched: bool


@lru_cache(maxsize=1)
def patterns():
    """All patterns, those of equal source and flags in one module once."""
    modules = sorted(
        module.name
        for module in pkgutil.walk_packages([str(FOLDER)], f"{pytest_grounding.__name__}.")
        if not module.name.endswith("__main__")
    )
    # Two million nodes and no circle: looking for rubbish among them would take as long as making them.
    gc.disable()
    try:
        return _found({name: _tree(name) for name in modules})
    finally:
        gc.enable()


def _found(trees):
    asked = {name: _asked(tree) for name, tree in trees.items()}
    everywhere = _only_matched(asked.values())
    found = {}
    for name in trees:
        module = importlib.import_module(name)
        own = _only_matched([asked[name]])
        defined = _defined(trees[name])
        for variable, value in sorted(vars(module).items()):
            for number, pattern in enumerate(_within(value)):
                where = f"{_short(name)}.{variable}" + (f"[{number}]" if isinstance(value, Parts) else "")
                if variable in defined:
                    # A private name is asked in its own module alone.
                    matched = own if variable.startswith("_") else everywhere
                    one = Found(where, *_written(pattern), variable not in matched)
                    found.setdefault((name, one.source, one.flags), one)
        for where, pattern, methods in _of_files(trees[name], module):
            one = Found(f"{_short(name)}.{where}", *_written(pattern), not methods <= _MATCHES)
            found.setdefault((name, one.source, one.flags), one)
        for line, method, source, flags in _inline(trees[name], module):
            one = Found(f"{_short(name)}:{line}", source, flags, method not in _MATCHES)
            found.setdefault((name, one.source, one.flags), one)
    return tuple(found.values())


def _of_files(tree, module):
    """The patterns that a module reads as attributes of a file of them, each with the methods it calls."""
    methods = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Attribute):
            methods[id(node.value)] = node.attr
    asked = {}
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)):
            continue
        if isinstance(getattr(module, node.value.id, None), PatternFile):
            key = node.value.id, node.attr
            asked.setdefault(key, set()).add(methods.get(id(node), "?"))
    for (variable, name), called in sorted(asked.items()):
        yield f"{variable}.{name}", getattr(getattr(module, variable), name), called


def _short(module):
    return module.partition(".")[2]


def _tree(name):
    path = FOLDER.joinpath(*name.split(".")[1:])
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    return ast.parse(file.read_text(encoding="utf-8"))


def _defined(tree):
    """The names to which a module itself gives a value, and those of its classes."""
    found = set()
    for node in tree.body:
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        found |= {target.id for target in targets if isinstance(target, ast.Name)}
        if isinstance(node, ast.ClassDef):
            found.add(node.name)
    return found


def _within(value, depth=0):
    """The patterns that a value is or holds."""
    if isinstance(value, (re.Pattern, _Lazy, _Gated)):
        yield value
    elif isinstance(value, Parts):
        yield from value.patterns
    elif depth < 4 and isinstance(value, dict):
        for item in [*value.keys(), *value.values()]:
            yield from _within(item, depth + 1)
    elif depth < 4 and isinstance(value, (tuple, list, set, frozenset)):
        for item in value:
            yield from _within(item, depth + 1)
    elif depth < 2 and isinstance(value, type) and value.__module__.startswith("pytest_grounding"):
        for item in vars(value).values():
            yield from _within(item, depth + 1)


def _written(pattern):
    """The source and the flags of a pattern; one of bytes as that of the same characters."""
    if isinstance(pattern.pattern, bytes):
        return pattern.pattern.decode("latin-1"), pattern.flags | re.ASCII
    return pattern.pattern, pattern.flags


def _asked(tree):
    """Names of variables that a module reads, each with the methods that it calls of it."""
    asked = {}
    methods = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            methods[id(node.value)] = node.attr
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            # Handed on in whatever way: nobody can tell how it is asked then.
            asked.setdefault(node.id, set()).add(methods.get(id(node), "?"))
    return asked


def _only_matched(modules):
    """Names of variables that some modules ask with `match` and `fullmatch` alone."""
    together = {}
    for asked in modules:
        for name, methods in asked.items():
            together.setdefault(name, set()).update(methods)
    return frozenset(name for name, methods in together.items() if methods <= {*_MATCHES, "pattern"})


def _inline(tree, module):
    """Patterns that are written where they are used: ``re.sub("…", …)``."""
    for node in (inner for function in _functions(tree) for inner in ast.walk(function)):
        if isinstance(node, ast.Call) and node.args and (method := _method(node.func)):
            source = _value(node.args[0], module)
            if isinstance(source, str):
                yield node.lineno, method, source, _flags(node, module)


def _functions(node):
    """The functions and methods that stand in no other function."""
    for inner in ast.iter_child_nodes(node):
        if isinstance(inner, ast.FunctionDef):
            yield inner
        elif isinstance(inner, ast.stmt):
            yield from _functions(inner)


def _method(called):
    """Which function of `re` is called, or ""; `lazy` compiles too."""
    if isinstance(called, ast.Name):
        return "compile" if called.id == "lazy" else ""
    is_of_re = isinstance(called, ast.Attribute) and ast.unparse(called.value) == "re"
    return called.attr if is_of_re and called.attr in _FUNCTIONS else ""


def _value(node, module):
    try:
        return eval(compile(ast.Expression(node), "", "eval"), dict(vars(module)))
    except Exception:  # it hangs on what a function was given
        return None


def _flags(node, module):
    given = [_value(part, module) for part in (*node.args[1:], *(word.value for word in node.keywords))]
    return sum({int(flag) for flag in given if isinstance(flag, re.RegexFlag)})

"""Keys of ours in pytest's configuration file: inserted as text, so that all other bytes stay."""

from __future__ import annotations

import configparser
import json
import re
import shlex
import tomllib
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from pytest_grounding.errors import InputError

_INI_OPTIONS = "tool.pytest.ini_options"
_Sections = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Table:
    """Pytest's table in a configuration file."""

    path: Path
    kind: Literal["toml", "ini"]
    name: str
    text: str = ""
    values: Mapping[str, Any] = field(default_factory=dict)
    is_new: bool = False

    def list_of(self, key: str) -> list[str]:
        """A list of words that a key holds: testpaths, norecursedirs."""
        value = self.values.get(key, [])
        return shlex.split(value) if isinstance(value, str) else [str(item) for item in value]

    @property
    def own_keys(self) -> list[str]:
        """The keys of ours that stand there already."""
        return [key for key in self.values if key.startswith("grounding_")]


def table_in(file: Path | None, root: Path) -> Table:
    """The table to write to: that of pytest's file, else a new one."""
    path = file or root / "pyproject.toml"
    if file is None and not path.is_file():
        return Table(root / "pytest.ini", "ini", "pytest", is_new=True)
    text = _read(path)
    if path.suffix == ".toml":
        document = _parsed(text, "toml", path)
        name = _toml_name(path, document)
        values = _inside(document, name)
        return Table(path, "toml", name, text, values or {}, is_new=values is None)
    name = "tool:pytest" if path.name == "setup.cfg" else "pytest"
    sections = _parsed(text, "ini", path)
    return Table(path, "ini", name, text, sections.get(name, {}), is_new=name not in sections)


def with_keys(table: Table, keys: Mapping[str, Any], more_testpaths: Sequence[str] = ()) -> str:
    """The file's text with keys set and folders added to ``testpaths``; nothing else is touched."""
    text = table.text
    end = "\r\n" if "\r\n" in text else "\n"
    for key in keys:
        if key in table.values:
            text = _replaced(text, key, f"{key} = {_rendered(keys[key], table.kind)}")
    if more_testpaths:
        text = _with_testpaths(text, more_testpaths, table.kind)
    lines = [
        f"{key} = {_rendered(value, table.kind)}" for key, value in keys.items() if key not in table.values
    ]
    text = _with_lines(text, lines, table, end)
    _verify(table, text, keys, more_testpaths)
    return text


def _with_lines(text: str, lines: Sequence[str], table: Table, end: str) -> str:
    """The lines behind the header of the table, or behind all, with a header of their own."""
    block = "".join(f"{line}{end}" for line in lines)
    if not block:
        return text
    if table.is_new:
        gap = "" if not text else end if text.endswith(("\n", "\r")) else end * 2
        return f"{text}{gap}[{table.name}]{end}{block}"
    position = 0
    for line in text.splitlines(keepends=True):
        position += len(line)
        if _is_header(line, table):
            broken = "" if line.endswith(("\n", "\r")) else end
            return f"{text[:position]}{broken}{block}{text[position:]}"
    return text


def _is_header(line: str, table: Table) -> bool:
    bare = line.lstrip("\ufeff").strip()
    if not bare.startswith("["):
        return False
    if table.kind == "ini":
        return re.match(r"\[([^\]]*)\]", bare) is not None and bare[1 : bare.index("]")] == table.name
    try:
        return _inside(tomllib.loads(bare), table.name) == {} and not bare.startswith("[[")
    except tomllib.TOMLDecodeError:
        return False


def _replaced(text: str, key: str, line: str) -> str:
    """The text with the one line that sets a key replaced; as it is where there is not just one."""
    found = list(re.finditer(rf"(?m)^(?=[ \t]*{re.escape(key)}[ \t]*[=:])[^\r\n]*", text))
    return text if len(found) != 1 else f"{text[: found[0].start()]}{line}{text[found[0].end() :]}"


def _with_testpaths(text: str, more: Sequence[str], kind: str) -> str:
    """The text with folders added to ``testpaths``, where it stands on one line."""
    found = list(re.finditer(r"(?m)^([ \t]*testpaths[ \t]*[=:])([^\r\n]*)", text))
    if len(found) != 1:
        return text
    old = found[0][2]
    if kind == "ini":
        new = f"{old.rstrip()} {shlex.join(more)}"
    elif old.rstrip().endswith("]"):
        listed = ", ".join(json.dumps(item, ensure_ascii=False) for item in more)
        body = old.rstrip()[:-1].rstrip().rstrip(",")
        new = f"{body}{'' if body.endswith('[') else ', '}{listed}]"
    elif old.strip().startswith('"') and old.rstrip().endswith('"'):
        new = f'{old.rstrip()[:-1]} {" ".join(more)}"'
    else:
        return text
    return f"{text[: found[0].start(2)]}{new}{text[found[0].end(2) :]}"


def _verify(table: Table, text: str, keys: Mapping[str, Any], more: Sequence[str]) -> None:
    """Refuse a text that does not say what was meant, and nothing besides."""
    by_hand = "; ".join(f"{key} = {_rendered(value, table.kind)}" for key, value in keys.items())
    if more:
        by_hand += f"; testpaths with {' and '.join(more)}"
    refused = InputError(
        f"is written in a way that leaves a doubt where the keys of [{table.name}] belong",
        path=str(table.path),
        hint=f"write them by hand: {by_hand}",
    )
    try:
        before = _parsed(table.text, table.kind, table.path)
        after = _parsed(text, table.kind, table.path)
    except InputError:
        raise refused from None
    wanted = {key: value if table.kind == "toml" else _rendered(value, "ini") for key, value in keys.items()}
    found = _inside(after, table.name) if table.kind == "toml" else after.get(table.name)
    if found is None:
        raise refused
    paths = Table(table.path, table.kind, table.name, values=found).list_of("testpaths")
    changed = {*keys, *(["testpaths"] if more else [])}
    is_set = all(key in found and found[key] == value for key, value in wanted.items())
    is_kept = _others(found, changed) == _others(table.values, changed)
    has_paths = not more or sorted(paths) == sorted([*table.list_of("testpaths"), *more])
    if not (is_set and is_kept and has_paths and _without(before, table) == _without(after, table)):
        raise refused


def _others(values: Mapping[str, Any], names: Set[str]) -> dict[str, Any]:
    return {key: value for key, value in values.items() if key not in names}


def _without(document: _Sections, table: Table) -> _Sections:
    """What else the file holds."""
    steps = table.name.split(".") if table.kind == "toml" else [table.name]
    copy: _Sections = json.loads(json.dumps(document, default=str))
    inner = copy
    for step in steps[:-1]:
        inner = inner.setdefault(step, {})
    inner.pop(steps[-1], None)
    return copy


def _read(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8")
    except OSError as error:
        raise InputError(f"cannot be read ({error.strerror or error})", path=str(path)) from None
    except UnicodeDecodeError as error:
        raise InputError(
            f"is not UTF-8 text (byte {error.start})", path=str(path), hint="save the file as UTF-8"
        ) from None


def _parsed(text: str, kind: str, path: Path) -> _Sections:
    try:
        if kind == "toml":
            return tomllib.loads(text)
        parser = configparser.ConfigParser(interpolation=None)
        parser.optionxform = str  # type: ignore[method-assign,assignment]
        parser.read_string(text.removeprefix("\ufeff"))
    except (ValueError, configparser.Error) as error:
        problem = str(error).splitlines()[0]
        raise InputError(f"cannot be read as a configuration file ({problem})", path=str(path)) from None
    return {name: dict(parser.items(name)) for name in parser.sections()}


def _toml_name(path: Path, document: _Sections) -> str:
    if path.name != "pyproject.toml":
        return "pytest"
    native = _inside(document, "tool.pytest")
    return "tool.pytest" if native and "ini_options" not in native else _INI_OPTIONS


def _inside(document: Mapping[str, Any], name: str) -> dict[str, Any] | None:
    value: Any = document
    for step in name.split("."):
        value = value.get(step) if isinstance(value, Mapping) else None
    return dict(value) if isinstance(value, Mapping) else None


def _rendered(value: Any, kind: str) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        words = [str(item) for item in value]
        if kind == "ini":
            return shlex.join(words)
        return f"[{', '.join(json.dumps(word, ensure_ascii=False) for word in words)}]"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False) if kind == "toml" else value
    return repr(value)

"""The setting ``by``: thresholds and policies for a type of question, or for a domain of the sources.

It is kept as lines, ``query_type factual: accept_confidence=0.8`` or ``domain medical: ...``, whatever it was
written as: such lines, a file of them, a TOML file, or a mapping.
"""

from __future__ import annotations

import difflib
import os
import re
import shlex
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from pytest_grounding.errors import SettingsError
from pytest_grounding.settings import BUILD_SETTINGS, FIELDS, OUTCOMES, POLICIES
from pytest_grounding.settings._declare import checked

QUERY_TYPES = ("factual", "conversational", "default")
KINDS = ("query_type", "domain")
#: Where the tables may stand in a TOML file that others write in too, such as pyproject.toml.
_TOML_HOME = ("tool", "pytest-grounding", "by")
_FORM = "write query_type NAME: SETTING=VALUE ..., or domain NAME: SETTING=VALUE ..."
#: What decides a verdict besides shares and policies.
_FURTHER = frozenset({"confidence_model", "good_min_relevant"})


@dataclass(frozen=True, slots=True)
class By:
    """What holds for one type of question, or for one domain.

    Attributes:
        kind: query_type or domain.
        name: which one; a domain is compared without regard to case.
        values: setting -> value, in the order of the names.
    """

    kind: str
    name: str
    values: tuple[tuple[str, Any], ...]

    @property
    def label(self) -> str:
        """Kind and name: ``query_type factual``."""
        return f"{self.kind} {self.name}"

    @property
    def line(self) -> str:
        """The line in its one form."""
        return f"{self.label}: {' '.join(f'{name}={value}' for name, value in self.values)}"


def by_text(value: Any) -> str:
    """The table as the settings keep it: its lines in their one form and given order.

    Args:
        value: lines as a text or a list, the path of a file, or a mapping of kind to name to settings.

    Raises:
        SettingsError: it is none of these, or a line is wrong; names file and line where there are any.
    """
    return "\n".join(item.line for item in _entries(value))


def by_from(value: Any, folder: Path, file: Path | None = None) -> str:
    """The table of a configuration file.

    Args:
        value: what the file holds under the key.
        folder: the folder of the file, from which a relative path leads.
        file: the file, for messages.

    Raises:
        SettingsError: see `by_text`.
    """
    text = _only_line(value)
    if text is not None and _is_path(text):
        return by_text(str(folder / text))
    lines = value.splitlines() if isinstance(value, str) else value
    if file is None or not isinstance(lines, list):
        return by_text(value)
    content = file.read_text(encoding="utf-8-sig").splitlines() if file.is_file() else []
    named = []
    for line in lines:
        found = next((number for number, text in enumerate(content, 1) if str(line).strip() in text), None)
        named.append((f"{file.name}:{found}" if found else file.name, line))
    return "\n".join(item.line for item in _unique(_parsed(line, place) for place, line in named if line))


@lru_cache(maxsize=16)
def by_lines(text: str) -> tuple[By, ...]:
    """The lines of the setting, taken apart."""
    return tuple(_unique(_parsed(line, "by") for line in text.splitlines()))


def without(text: str, names: Iterable[str]) -> str:
    """The table without some settings, because a stronger source says what they are for all."""
    left_out = frozenset(names)
    kept = [
        By(item.kind, item.name, tuple(p for p in item.values if p[0] not in left_out))
        for item in by_lines(text)
    ]
    return "\n".join(item.line for item in kept if item.values)


def may_vary(name: str) -> bool:
    """Whether a setting may differ between transcripts of one run: a threshold, or a policy of a check."""
    if name in BUILD_SETTINGS:
        return False
    field = FIELDS[name]
    is_share = isinstance(field.default, float) and field.metadata["high"] == 1.0
    return is_share or field.metadata["choices"] in (POLICIES, OUTCOMES) or name in _FURTHER


def _entries(value: Any) -> list[By]:
    if isinstance(value, Mapping):
        return list(_unique(_from_mapping(value, "by")))
    text = _only_line(value)
    if text is not None and _is_path(text):
        return list(_unique(_from_file(Path(text))))
    if isinstance(value, str):
        lines: list[Any] = value.splitlines()
    elif isinstance(value, Iterable) and not isinstance(value, (bytes, os.PathLike)):
        lines = list(value)
    else:
        raise SettingsError(f"by = {value!r} is no table; {_FORM}")
    stripped = [line.strip() if isinstance(line, str) else line for line in lines]
    numbered = [(number, line) for number, line in enumerate(stripped, 1) if line != ""]
    return list(_unique(_parsed(line, f"by, line {number}") for number, line in numbered))


def _only_line(value: Any) -> str | None:
    """The text where it is one line, also as the only one of a list."""
    if isinstance(value, os.PathLike):
        return str(os.fspath(value))
    if isinstance(value, list) and len(value) == 1 and isinstance(value[0], str):
        value = value[0]
    if not isinstance(value, str):
        return None
    lines = [line.strip() for line in value.splitlines() if line.strip()]
    return lines[0] if len(lines) == 1 else None


def _is_path(text: str) -> bool:
    return "=" not in text and not text.lower().startswith(tuple(f"{kind} " for kind in KINDS))


def _from_file(path: Path) -> Iterator[By]:
    try:
        text = path.read_text(encoding="utf-8-sig")
        document = tomllib.loads(text) if path.suffix == ".toml" else None
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"by: {path}: is not TOML ({error})") from None
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or "it is no text in UTF-8"
        raise SettingsError(f"by = {str(path)!r} cannot be read ({why}); name a file, or {_FORM}") from None
    if document is None:
        for number, line in enumerate(text.splitlines(), start=1):
            if line.strip() and not line.lstrip().startswith("#"):
                yield _parsed(line.strip(), f"{path}:{number}")
        return
    table: Any = document
    for step in _TOML_HOME:
        table = table.get(step) if isinstance(table, Mapping) else None
    found = table if isinstance(table, Mapping) else document if path.name != "pyproject.toml" else {}
    if not found:
        raise SettingsError(
            f"by: {path}: holds no table; write [tool.pytest-grounding.by.query_type.factual]"
        )
    yield from _from_mapping(found, str(path), text)


def _from_mapping(tables: Mapping[str, Any], place: str, text: str = "") -> Iterator[By]:
    """The lines of nested tables; ``text`` is the file that they stand in, to find the line of a mistake."""
    for kind, names in tables.items():
        if not isinstance(names, Mapping) or not all(isinstance(item, Mapping) for item in names.values()):
            raise SettingsError(f"{_at(place, text, kind)}: {kind!r} is no table of tables; {_FORM}")
        for name, values in names.items():
            yield _made(str(kind), str(name), values, lambda key, name=name: _at(place, text, str(name), key))


def _at(place: str, text: str, name: str, key: str = "") -> str:
    """The place with the number of the line in which a table, or a key of it, begins."""
    if not text:
        return place
    lines = text.splitlines()
    header = re.compile(rf"\s*\[.*\b{re.escape(name)}\b")
    start = next((number for number, line in enumerate(lines) if header.match(line)), None)
    if start is None:
        return place
    named = re.compile(rf"\s*[\"']?{re.escape(key)}[\"']?\s*=") if key else header
    line = next((number for number in range(start, len(lines)) if named.match(lines[number])), start)
    return f"{place}:{line + 1}"


def _parsed(line: Any, place: str) -> By:
    head, colon, rest = line.partition(":") if isinstance(line, str) else ("", "", "")
    kind, _, name = head.strip().partition(" ")
    try:
        pairs = [pair.partition("=") for pair in shlex.split(rest)]
    except ValueError as error:
        raise SettingsError(f"{place}: {line!r}: {error}") from None
    if not colon or not name.strip() or not pairs or not all(equals for _, equals, _ in pairs):
        raise SettingsError(f"{place}: {line!r} is not of the form; {_FORM}")
    values = {key: value for key, _, value in pairs}
    if len(values) < len(pairs):
        raise SettingsError(f"{place}: {line!r} names a setting twice; keep one of the two")
    return _made(kind, name.strip(), values, lambda key: place)


def _made(kind: str, name: str, values: Mapping[str, Any], place_of: Any) -> By:
    """A line, checked: each of its settings is one that may differ between transcripts, and in its range."""
    if kind not in KINDS:
        raise SettingsError(f"{place_of('')}: {kind!r} is not known{_near(kind, KINDS)}; {_FORM}")
    if kind == "query_type" and name not in QUERY_TYPES:
        known = ", ".join(QUERY_TYPES)
        raise SettingsError(f"{place_of('')}: query_type {name!r} is not known; write one of: {known}")
    found = {}
    for key, value in values.items():
        place = f"{place_of(key)}: {kind} {name}"
        if key not in FIELDS:
            raise SettingsError(f"{place}: setting {key!r} is unknown{_near(key, FIELDS)}")
        if not may_vary(key):
            raise SettingsError(
                f"{place}: setting {key!r} holds for a whole run; write one that decides a single verdict, "
                "such as accept_confidence"
            )
        try:
            found[key] = checked(FIELDS[key], value)
        except SettingsError as error:
            raise SettingsError(f"{place}: {error}") from None
    return By(kind, name, tuple(sorted(found.items())))


def _near(word: str, known: Iterable[str]) -> str:
    near = difflib.get_close_matches(word, list(known), n=1)
    return f"; did you mean {near[0]!r}?" if near else ""


def _unique(items: Iterable[By]) -> Iterator[By]:
    seen = set()
    for item in items:
        key = (item.kind, item.name.casefold())
        if key in seen:
            raise SettingsError(f"by: {item.label!r} stands there twice; write one")
        seen.add(key)
        yield item

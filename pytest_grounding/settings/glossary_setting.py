"""The setting ``glossary``: the lines of a file, or the lines themselves."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding.errors import SettingsError

# A comment starts at a "#" at the start or after a blank, outside quotes: "C#" is a term.
_BEFORE_COMMENT = lazy(r'(?:"[^"]*"|(?<=\S)#|[^"#]|")*')
_SIGN = lazy(r"=|->")

#: A line of a glossary with its number, from 1: without comment, blanks collapsed.
Line = tuple[int, str]


def glossary_text(value: Any) -> str:
    """A glossary in stored form: a path, or its stripped lines."""
    if isinstance(value, str) or hasattr(value, "__fspath__"):
        lines: Iterable[Any] = str(value).splitlines()
    elif isinstance(value, Iterable) and not isinstance(value, (bytes, Mapping)):
        lines = list(value)
    else:
        lines = [value]
    if any(not isinstance(line, str) for line in lines):
        advice = 'write the path of a file, or a list of lines such as "charge = fee"'
        raise SettingsError(f"glossary = {value!r} is not text; {advice}")
    # Some readers of configuration files drop blank lines.
    return "\n".join(line.strip() for line in lines if line.strip())


def is_glossary_path(text: str) -> bool:
    """Whether the setting names a file: one line that is not a comment, without any sign of a rule."""
    return bool(text) and text[0] != "#" and "\n" not in text and not _SIGN.search(text)


def glossary_from(value: Any, folder: Path, start: Path | None = None) -> str:
    """The setting from a configuration file: a relative path starts at the file's folder."""
    text = glossary_text(value)
    if not is_glossary_path(text) or Path(text).is_absolute() or folder == (start or Path.cwd()):
        return text
    return os.path.relpath(folder / text, start or Path.cwd())


def glossary_lines(text: str) -> tuple[Line, ...]:
    """The non-empty lines of a glossary."""
    content = _read(text) if is_glossary_path(text) else text
    bare = (" ".join(_BEFORE_COMMENT.match(line)[0].split()) for line in content.splitlines())  # type: ignore[index]
    return tuple((number, line) for number, line in enumerate(bare, start=1) if line)


def _read(path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        problem = "is not UTF-8 text"
    except OSError as error:
        problem = f"cannot be read ({error.strerror or error})"
    advice = 'name a file of rules, or write the rules in its place, such as "charge = fee"'
    raise SettingsError(f"glossary = {path!r} {problem}; {advice}")

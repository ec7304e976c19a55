"""The files that init writes: the configuration, the workflow of CI, and how they are written."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shlex
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from pytest_grounding._io.jsonio import write_atomic
from pytest_grounding.cli.configuration import inside, parsed, read_text
from pytest_grounding.errors import InputError

_INI_OPTIONS = "tool.pytest.ini_options"


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
    text = read_text(path)
    if path.suffix == ".toml":
        document = parsed(text, path)
        name = _toml_name(path, document)
        values = inside(document, name)
        return Table(path, "toml", name, text, values or {}, is_new=values is None)
    name = "tool:pytest" if path.name == "setup.cfg" else "pytest"
    sections = parsed(text, path)
    return Table(path, "ini", name, text, sections.get(name, {}), is_new=name not in sections)


def with_keys(table: Table, keys: Mapping[str, Any]) -> str:
    """The file's text with keys set; nothing else is touched."""
    text = table.text
    end = "\r\n" if "\r\n" in text else "\n"
    lines = []
    for key, value in keys.items():
        line = f"{key} = {_rendered(value, table.kind)}"
        if key in table.values:
            text = _replaced(text, key, line)
        else:
            lines.append(line)
    text = _with_lines(text, lines, table, end)
    _verify(table, text, keys)
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
        return inside(tomllib.loads(bare), table.name) == {} and not bare.startswith("[[")
    except tomllib.TOMLDecodeError:
        return False


def _replaced(text: str, key: str, line: str) -> str:
    """The text with the one line that sets a key replaced; as it is where there is not just one."""
    found = list(re.finditer(rf"(?m)^(?=[ \t]*{re.escape(key)}[ \t]*[=:])[^\r\n]*", text))
    return text if len(found) != 1 else f"{text[: found[0].start()]}{line}{text[found[0].end() :]}"


def _verify(table: Table, text: str, keys: Mapping[str, Any]) -> None:
    """Refuse a text that does not say what was meant, and nothing besides."""
    try:
        before = parsed(table.text, table.path)
        after = parsed(text, table.path)
    except InputError:
        before, after = {}, None
    wanted = {key: value if table.kind == "toml" else _rendered(value, "ini") for key, value in keys.items()}
    inner = before
    for step in table.name.split("."):
        inner = inner.setdefault(step, {})
    inner.update(wanted)
    if after != before:
        by_hand = "; ".join(f"{key} = {_rendered(value, table.kind)}" for key, value in keys.items())
        raise InputError(
            f"is written in a way that leaves a doubt where the keys of [{table.name}] belong",
            path=str(table.path),
            hint=f"write them by hand: {by_hand}",
        )


def _toml_name(path: Path, document: Mapping[str, Any]) -> str:
    if path.name != "pyproject.toml":
        return "pytest"
    native = inside(document, "tool.pytest")
    return "tool.pytest" if native and "ini_options" not in native else _INI_OPTIONS


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


KINDS = ("github", "gitlab", "plain", "none")
_INSTALL = "python -m pip install pytest-rag-grounding"
_REPORT = "grounding/report.html"


def kind_for(root: Path) -> str:
    """The kind of build that a project has already, or none."""
    if (root / ".github").is_dir():
        return "github"
    return "gitlab" if (root / ".gitlab-ci.yml").is_file() else "none"


def file_of(kind: str, root: Path) -> Path:
    """Where the file of a kind belongs; a pipeline of GitLab that is there already is left as it is."""
    if kind == "github":
        return root / ".github" / "workflows" / "grounding.yml"
    if kind == "gitlab":
        taken = (root / ".gitlab-ci.yml").exists()
        return root / ("grounding.gitlab-ci.yml" if taken else ".gitlab-ci.yml")
    return root / "grounding-ci.sh"


def text_of(kind: str, paths: Sequence[str], baseline: str) -> str:
    """The file's content."""
    check = f"pytest-grounding check {shlex.join(paths)} --baseline {shlex.quote(baseline)} --quiet"
    text = Path(__file__).with_name("builds").joinpath(f"{kind}.txt").read_text(encoding="utf-8")
    return text.format(install=_INSTALL, check=check, report=_REPORT)


def hint_for(kind: str, file: Path) -> str:
    """What is left to do for a file of a kind, or ""."""
    if file.name == "grounding.gitlab-ci.yml":
        return "add to .gitlab-ci.yml: include: {local: grounding.gitlab-ci.yml}"
    return f"let your build run: sh {file.name}" if kind == "plain" else ""


def refuse_taken(files: Sequence[Path], root: Path) -> None:
    """Refuse to write over files that are there."""
    for file in files:
        if os.path.lexists(file):
            raise InputError(
                "is there already",
                path=shown(file, root),
                hint="write it anew with --force, or remove it first",
            )


def refuse_closed(files: Sequence[Path], root: Path) -> None:
    """Refuse places that cannot be written, before anything is."""
    for file in files:
        folder = next(place for place in (file.parent, *file.parents) if place.exists())
        if file.is_dir():
            raise InputError(
                "is a folder where a file belongs", path=shown(file, root), hint="rename the folder"
            )
        if not folder.is_dir() or not os.access(folder, os.W_OK):
            raise InputError("cannot be written here", path=shown(file, root), hint=f"look at {folder}")


@contextlib.contextmanager
def together(files: Sequence[Path]) -> Iterator[Callable[[Path, str], None]]:
    """Write files one after the other; where one fails, all are as they were before."""
    before = {file: file.read_bytes() if file.is_file() else None for file in files}
    try:
        yield write_atomic
    except BaseException:
        for file, content in before.items():
            _restore(file, content)
        raise


def _restore(file: Path, content: bytes | None) -> None:
    # What cannot be put back stays whole as it was written: each file is replaced at once.
    with contextlib.suppress(OSError, UnicodeDecodeError):
        if content is None:
            file.unlink(missing_ok=True)
        elif file.read_bytes() != content:
            write_atomic(file, content.decode("utf-8"))


def shown(file: Path, root: Path) -> str:
    """A file's path from the root of the project."""
    try:
        return file.relative_to(root).as_posix()
    except ValueError:
        return str(file)

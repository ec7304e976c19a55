"""The settings of a command: pytest's configuration file, environment variables, options."""

from __future__ import annotations

import argparse
import configparser
import json
import os
import re
import runpy
import shlex
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pytest_grounding._io import listeners
from pytest_grounding.errors import InputError, SettingsError
from pytest_grounding.settings import (
    Settings,
    directory_layers,
    from_environment,
    in_ci,
    parse_profiles,
    resolve,
)
from pytest_grounding.settings._declare import TEXTS, text_from
from pytest_grounding.settings._layers import WAIVERS, unquoted

PREFIX = "grounding_"
#: The hook with which a project redacts secrets from what is sent.
REDACTORS = "pytest_grounding_redactors"
Layers = Sequence[tuple[str, Mapping[str, Any]]]

#: Settings that name a file or folder.
_PATHS = (
    *("source_root", "calibration", "cassette", "local_model"),
    *("corpus", "audit", "waivers_file", "judge_measured"),
)

#: Keys of the plugin that are not settings.
_OTHER_KEYS = frozenset({"files", "baseline", "golden", "profiles", "directories"})

#: Where pytest looks, in its order; the first file with the table of pytest is used.
_FILES = (
    *((name, ("pytest",)) for name in ("pytest.toml", ".pytest.toml", "pytest.ini", ".pytest.ini")),
    ("pyproject.toml", ("tool.pytest", "tool.pytest.ini_options")),
    ("tox.ini", ("pytest",)),
    ("setup.cfg", ("tool:pytest",)),
)


@dataclass(frozen=True, slots=True)
class Effective:
    """The settings in use and the origin of each."""

    settings: Settings
    origin: Mapping[str, str]
    file: Path | None
    layers: Layers = ()
    profiles: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    directories: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    baseline: str = ""

    @property
    def waivers_path(self) -> Path:
        """The path of the waivers file; it need not exist."""
        if self.settings.waivers_file:
            return Path(self.settings.waivers_file)
        return Path(os.path.relpath((self.file.parent if self.file else Path.cwd()) / WAIVERS))

    @property
    def unknown_folders(self) -> list[str]:
        """The folders of ``grounding_directories`` that do not exist: their settings hold for nothing."""
        root = self.file.parent if self.file is not None else Path.cwd()
        return [folder for folder in self.directories if not (root / folder).exists()]

    def for_path(self, path: str) -> Settings:
        """The settings for a transcript's file: those of its folders override the configuration file."""
        if not self.directories or self.file is None:
            return self.settings
        place = os.path.relpath(path, self.file.parent).replace(os.sep, "/")
        layers = [self.layers[0], *directory_layers(self.directories, place), *self.layers[1:]]
        return resolve(layers, profiles=self.profiles)[0]


def effective(
    args: argparse.Namespace, *, environ: Mapping[str, str] | None = None, folder: Path | None = None
) -> Effective:
    """Combine the settings: configuration file, then environment, then options."""
    here = folder or Path.cwd()
    starts = [folder] if folder is not None else starting_folders(getattr(args, "paths", ()))
    file, from_file, profiles, directories, baseline = configuration_file(starts, here)
    environment = from_environment(os.environ if environ is None else environ)
    options = _from_options(args)
    if in_ci(os.environ if environ is None else environ) and "record" not in options:
        # A build that records would judge anew each time, and pay for it.
        environment["record"] = "none"
    waivers = (file.parent if file else here) / WAIVERS
    if waivers.is_file():
        from_file = {"waivers_file": os.path.relpath(waivers), **from_file}
    layers = [
        (file.name if file else "configuration file", from_file),
        ("environment", environment),
        ("command line", options),
    ]
    settings, origin = resolve(layers, profiles=profiles)
    for name in profiles:
        # Errors in unused profiles are reported now, as pytest does.
        resolve([("grounding_profiles", {"profile": name})], profiles=profiles)
    every = [settings]
    for name, values in directories.items():
        every.append(resolve([layers[0], (f"grounding_directories {name}", values)], profiles=profiles)[0])
    if any(one.judge or one.embeddings or one.scorer != "builtin" for one in every):
        _obey_redactors(file.parent if file else here, getattr(args, "paths", ()))
    return Effective(settings, origin, file, layers, profiles, directories, baseline)


def starting_folders(paths: Sequence[str]) -> list[Path]:
    """Where pytest looks for its file, upward: the folder that holds all paths, then that of each."""
    places = []
    for path in paths:
        place = Path(os.path.normpath(Path(path).absolute()))
        place = next(folder for folder in (place, *place.parents) if os.path.lexists(folder))
        places.append(place if place.is_dir() else place.parent)
    common = Path(os.path.commonpath(places)) if places else Path.cwd()
    is_of_one = any((folder / "setup.py").is_file() for folder in (common, *common.parents))
    return [common] if is_of_one else [common, *places]


def _obey_redactors(root: Path, paths: Sequence[str]) -> None:
    folders = {root.resolve(): None}
    for path in [Path(path).resolve() for path in paths]:
        folders |= dict.fromkeys(folder for folder in path.parents if root.resolve() in folder.parents)
        for place, names, _ in os.walk(path):
            names[:] = sorted(name for name in names if not name.startswith(".") and name != "node_modules")
            folders[Path(place)] = None
    found: list[Any] = []
    for file in (folder / "conftest.py" for folder in folders):
        if file.is_file() and REDACTORS in file.read_text(encoding="utf-8", errors="replace"):
            try:
                found.append(runpy.run_path(os.fspath(file)).get(REDACTORS))
            except Exception as error:
                problem = f"its redactor cannot be had ({type(error).__name__}: {error})"
                hint = "fix the file: nothing is sent without its redactor"
                raise InputError(problem, path=os.path.relpath(file), hint=hint) from error
    if calls := [call for call in found if callable(call)]:
        listeners.answer_with(lambda hook, _: [call() for call in calls] if hook == REDACTORS else [])


def _from_options(args: argparse.Namespace) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for assignment in args.assignments:
        name, sign, value = assignment.partition("=")
        if not sign:
            raise SettingsError(f"--set {assignment!r} has no '='; write --set NAME=VALUE")
        values[name.strip().replace("-", "_").removeprefix(PREFIX)] = value.strip()
    for name in ("profile", "corpus"):
        if (value := getattr(args, name, None)) is not None:
            values[name] = value
    return values


def configuration_file(
    starts: Sequence[Path], here: Path
) -> tuple[Path | None, dict[str, Any], dict[str, dict[str, str]], dict[str, dict[str, str]], str]:
    """Pytest's file in a folder or above it, and our keys in it, with paths from the current folder."""
    for directory in dict.fromkeys(place for start in starts for place in (start, *start.parents)):
        for name, tables in _FILES:
            file = directory / name
            if not file.is_file():
                continue
            values = _table_of_pytest(file, tables)
            if values is not None:
                own = _settings_of(values, directory, here)
                named = str(values.get(f"{PREFIX}baseline", "")).strip()
                baseline = os.path.relpath(directory / named, here) if named else ""
                return file, own, _sets(values, "profiles"), _sets(values, "directories"), baseline
    return None, {}, {}, {}, ""


def _sets(values: Mapping[str, Any], name: str) -> dict[str, dict[str, str]]:
    given = values.get(PREFIX + name, [])
    lines = given.splitlines() if isinstance(given, str) else given
    return parse_profiles([line.strip() for line in lines if line.strip()], key=PREFIX + name)


def _table_of_pytest(file: Path, tables: tuple[str, ...]) -> dict[str, Any] | None:
    document = parsed(read_text(file), file)
    found = [values for name in tables if (values := inside(document, name)) is not None]
    if not found:
        # An empty pytest.ini or pytest.toml also ends the search, as in pytest.
        return {} if file.stem in ("pytest", ".pytest") else None
    every = {key: value for values in found for key, value in values.items()}
    return every if file.suffix == ".toml" else {key: unquoted(value) for key, value in every.items()}


def read_text(file: Path) -> str:
    """The text of a file, with its line ends unchanged."""
    try:
        return file.read_bytes().decode("utf-8")
    except OSError as error:
        raise InputError(f"cannot be read ({error.strerror or error})", path=str(file)) from None
    except UnicodeDecodeError as error:
        problem = f"is not UTF-8 text (byte {error.start})"
        raise InputError(problem, path=str(file), hint="save the file as UTF-8") from None


def parsed(text: str, file: Path) -> dict[str, Any]:
    """The tables or sections of a configuration file."""
    try:
        if file.suffix == ".toml":
            return tomllib.loads(text)
        parser = configparser.ConfigParser(interpolation=None)
        # Keys are case-sensitive, as in pytest.
        parser.optionxform = str  # type: ignore[method-assign,assignment]
        # Editors on Windows may write a byte order mark first; pytest skips it too.
        parser.read_string(text.removeprefix("\ufeff"))
    except configparser.DuplicateOptionError as error:
        problem, hint = "occurs twice in its section", "keep one of the two"
        raise InputError(problem, path=str(file), line=error.lineno, field=error.option, hint=hint) from error
    except (ValueError, configparser.Error) as error:
        problem = str(error).splitlines()[0]
        raise InputError(f"cannot be read as a configuration file ({problem})", path=str(file)) from error
    return {name: dict(parser.items(name)) for name in parser.sections()}


def inside(document: Mapping[str, Any], name: str) -> dict[str, Any] | None:
    """The table of a dotted name, or None."""
    value: Any = document
    for step in name.split("."):
        value = value.get(step) if isinstance(value, Mapping) else None
    return dict(value) if isinstance(value, Mapping) else None


def _settings_of(values: Mapping[str, Any], directory: Path, folder: Path) -> dict[str, Any]:
    own = {key.removeprefix(PREFIX): value for key, value in values.items() if key.startswith(PREFIX)}
    found = {key: value for key, value in own.items() if key not in _OTHER_KEYS}
    for name in _PATHS:
        # The setting may contain a table of prices itself.
        if found.get(name):
            # Paths in a configuration file are relative to that file. They stay relative, so
            # that the fingerprint of the settings does not depend on the location of a clone.
            found[name] = os.path.relpath(directory / str(found[name]), folder)
    for name in TEXTS:
        if found.get(name):
            found[name] = text_from(name, found[name], directory, folder)
    return found


@dataclass(frozen=True, slots=True)
class ConfigTable:
    """Pytest's table in a configuration file."""

    path: Path
    name: str
    text: str = ""
    values: Mapping[str, Any] = field(default_factory=dict)
    is_new: bool = False

    def list_of(self, key: str) -> list[str]:
        """The list of words under a key: testpaths, norecursedirs."""
        value = self.values.get(key, [])
        return shlex.split(value) if isinstance(value, str) else list(map(str, value))


def table_in(file: Path | None, root: Path) -> ConfigTable:
    """The table to write to: the one in pytest's file, or a new one."""
    path = file or root / "pyproject.toml"
    if file is None and not path.is_file():
        return ConfigTable(root / "pytest.ini", "pytest", is_new=True)
    text = read_text(path)
    document = parsed(text, path)
    name = "tool:pytest" if path.name == "setup.cfg" else "pytest"
    if path.name == "pyproject.toml":
        native = inside(document, "tool.pytest")
        name = "tool.pytest" if native and "ini_options" not in native else "tool.pytest.ini_options"
    values = inside(document, name) if path.suffix == ".toml" else document.get(name)
    return ConfigTable(path, name, text, values or {}, is_new=values is None)


def with_keys(table: ConfigTable, keys: Mapping[str, Any]) -> str:
    """The file's text with only these keys changed, or an error if that is not certain."""
    is_toml = table.path.suffix == ".toml"
    text, new = table.text, ""
    end = "\r\n" if "\r\n" in text else "\n"
    for key, value in keys.items():
        line = f"{key} = {_rendered(value, is_toml)}"
        found = re.findall(rf"(?m)^[ \t]*{re.escape(key)}[ \t]*[=:][^\r\n]*", text)
        if key in table.values and len(found) == 1:
            text = text.replace(found[0], line)
        else:
            new += f"{line}{end}"
    if table.is_new:
        gap = end if text.endswith("\n") or not text else end * 2
        text = f"{text}{gap if text else ''}[{table.name}]{end}{new}"
    elif new:
        header = rf"(?m)^(\ufeff?\[{re.escape(table.name)}\][^\r\n]*)(\r?\n|\Z)"
        text = re.sub(header, lambda match: f"{match[1]}{end}{new}", text, count=1)
    _verify_change(table, text, keys)
    return text


def _verify_change(table: ConfigTable, text: str, keys: Mapping[str, Any]) -> None:
    is_toml = table.path.suffix == ".toml"
    wanted = {key: value if is_toml else _rendered(value, is_toml) for key, value in keys.items()}
    try:
        before = parsed(table.text, table.path)
        after = parsed(text, table.path)
    except InputError:
        before, after = {}, None
    inner = before
    for step in table.name.split(".") if is_toml else [table.name]:
        inner = inner.setdefault(step, {})
    inner.update(wanted)
    if after != before:
        by_hand = "; ".join(f"{key} = {_rendered(value, is_toml)}" for key, value in keys.items())
        problem = f"it is not clear where the keys of [{table.name}] belong"
        raise InputError(problem, path=str(table.path), hint=f"write them by hand: {by_hand}")


def _rendered(value: Any, is_toml: bool) -> str:
    if isinstance(value, (list, tuple)) and not is_toml:
        return shlex.join(map(str, value))
    return str(value) if isinstance(value, str) and not is_toml else json.dumps(value, ensure_ascii=False)

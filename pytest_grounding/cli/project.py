"""The project that ``init`` works on: its root, its configuration file, its recorded answers."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pytest_grounding.adoption.cifile import kind_for
from pytest_grounding.adoption.configfile import Table, table_in
from pytest_grounding.adoption.finding import (
    HOW_TO_RECORD,
    PATTERNS,
    covering,
    further_names,
    inside,
    recorded_files,
)
from pytest_grounding.cli.configuration import Effective
from pytest_grounding.errors import InputError
from pytest_grounding.importers.searching import find_files
from pytest_grounding.settings import Settings, resolve

BASELINE = "grounding.baseline.json"
DISTRIBUTION = "pytest-rag-grounding"


@dataclass(frozen=True, slots=True)
class Project:
    """Where ``init`` works and what it will write."""

    root: Path
    effective: Effective
    table: Table
    files: tuple[str, ...]
    paths: tuple[str, ...]
    keys: Mapping[str, Any]
    testpaths: tuple[str, ...]
    ci: str

    def effective_with(self, values: Mapping[str, Any]) -> Effective:
        """The settings in force, were these values written to the configuration file."""
        (name, given), *others = self.effective.layers
        layers = [(name, {**given, **values}), *others]
        settings, origin = resolve(layers, profiles=self.effective.profiles)
        return replace(self.effective, layers=layers, settings=settings, origin=origin)

    def settings_for(self, values: Mapping[str, Any], path: str) -> Settings:
        """The settings of a file, were these values written to the configuration file."""
        return self.effective_with(values).for_path(path)


def project_of(effective: Effective, paths: Sequence[str], *, ci: str, force: bool) -> Project:
    """Look at the project in the current folder."""
    root = Path.cwd()
    if effective.file is not None and effective.file.parent != root:
        raise InputError(
            f"init belongs into the root of the project, where {effective.file.name} stands",
            hint=f"run it there: cd {shlex.quote(str(effective.file.parent))}; pytest reads that file for "
            "this folder too, unless the folder gets a pytest.ini of its own",
        )
    table = table_in(effective.file, root)
    if table.own_keys and not force:
        raise InputError(
            f"holds settings of pytest-grounding already ({', '.join(table.own_keys[:3])})",
            path=table.path.name,
            hint="add --force to set up anew; the other keys stay",
        )
    patterns = tuple(table.list_of("grounding_files")) or PATTERNS
    if paths:
        files = sorted({inside(root, file) for path in paths for file in find_files(path)})
        named = sorted({inside(root, path) for path in paths} if all(map(_is_there, paths)) else files)
    else:
        files = recorded_files(root, patterns, table.list_of("norecursedirs"))
        named = covering(files)
    if not files:
        raise InputError(
            f"no recorded answers were found here ({', '.join(patterns)}); record some:\n  "
            + "\n  ".join(HOW_TO_RECORD)
        )
    keys: dict[str, Any] = {"grounding_baseline": BASELINE, "grounding_baseline_gate": "new"}
    required = table.list_of("required_plugins")
    if not any(item.startswith(DISTRIBUTION) for item in required):
        # Without the plugin these files would be no tests, and the build green.
        keys["required_plugins"] = [*required, DISTRIBUTION]
    further = further_names(root, files, patterns)
    if further:
        keys["grounding_files"] = [*patterns, *further]
    return Project(
        root=root,
        effective=effective,
        table=table,
        files=tuple(files),
        paths=tuple(named),
        keys=keys,
        testpaths=tuple(covering(_beyond(root, files, table.list_of("testpaths")))),
        ci=kind_for(root) if ci == "auto" else ci,
    )


def _is_there(path: str) -> bool:
    return Path(path).exists()


def _beyond(root: Path, files: Sequence[str], testpaths: Sequence[str]) -> list[str]:
    """The files that a run without arguments would not find, because ``testpaths`` names other folders."""
    if not testpaths:
        return []
    places = [place.relative_to(root) for pattern in testpaths for place in root.glob(pattern)]
    return [file for file in files if not any(Path(file).is_relative_to(place) for place in places)]

"""Settings from ini file, environment and command line."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pytest_grounding._io.listeners import Layers
from pytest_grounding.errors import InputError, SettingsError
from pytest_grounding.plugin import files
from pytest_grounding.plugin.option_table import GOLDEN_POLICIES, OWN_OPTION, PATHS, PREFIX, PROMISE, root_of
from pytest_grounding.settings import (
    FIELDS,
    FROM_ENVIRONMENT,
    Settings,
    directory_layers,
    from_environment,
    in_ci,
    parse_profiles,
    refuse_missing_folder,
    resolve,
)
from pytest_grounding.settings._declare import TEXTS, text_from, vetted
from pytest_grounding.settings._layers import shown_value, unquoted, with_waivers

if TYPE_CHECKING:
    from pytest_grounding.model.baseline_values import Baseline
    from pytest_grounding.reports.write import ReportTarget
    from pytest_grounding.suite.known_findings import KnownFindings

#: Settings that only the registry, or a file, can confirm.
_NAMED = ("scorer", "judge", "confidence_model", "calibration", "glossary", "waivers_file")


class Configured:
    """The user's configuration of the run."""

    def __init__(self, config: pytest.Config, environ: Mapping[str, str], folder: Path) -> None:
        self.profiles: Mapping[str, Mapping[str, Any]] = parse_profiles(config.getini("grounding_profiles"))
        self.layers: Layers = [
            ("ini", _from_ini(config, folder)),
            (FROM_ENVIRONMENT, from_environment(environ)),
            ("command line", _from_command_line(config)),
        ]
        given = [source for source, values in self.layers if values]
        _fill_in(self.layers, config, environ, folder)
        self.settings: Settings
        self.stray: str
        self.settings, self.stray = _resolved(self.layers, self.profiles)
        self._given = given != [FROM_ENVIRONMENT] if self.stray else bool(given)
        refuse_missing_folder(self.settings)
        # Unused profiles are checked too, so that mistakes are found now.
        for name in self.profiles:
            resolve([("grounding_profiles", {"profile": name})], profiles=self.profiles)
        key = "grounding_directories"
        self.rootpath: Path = root_of(config)
        self.directories: Mapping[str, Mapping[str, Any]] = parse_profiles(config.getini(key), key=key)
        for name, values in self.directories.items():
            resolve([self.layers[0], (f"{key} {name}", values)], profiles=self.profiles)
        if self.directories:
            self.directories = files.of_folders(self.directories, self.rootpath)
        self.files: tuple[str, ...] = tuple(config.getini("grounding_files"))
        golden: str = config.getoption("grounding_golden") or unquoted(config.getini("grounding_golden"))
        if golden and golden not in GOLDEN_POLICIES:
            known = ", ".join(GOLDEN_POLICIES)
            raise SettingsError(f"grounding_golden = {golden!r}; write one of: {known}")
        self.golden = golden
        self.json_path: Path | None = files.path_given(config, "--grounding-json")
        self.reports: list[ReportTarget] = files.targets(config)
        self.shard_path: Path | None = files.path_given(config, "--grounding-shard-report")
        ini = unquoted(config.getini("grounding_baseline"))
        usual = root_of(config) / ini if ini else None
        self.baseline_path: Path | None = files.path_given(config, "--grounding-baseline") or usual
        self.baseline_update: bool = bool(config.getoption("grounding_baseline_update"))
        self.baseline: Baseline | None = _baseline(config, self)
        self.known: KnownFindings | None = None
        if self.baseline is not None and self.settings.baseline_gate != "all":
            # Imported here for cost: few runs have a baseline.
            from pytest_grounding.suite.known_findings import KnownFindings

            self.known = KnownFindings(self.baseline)
        files.path_given(config, "--grounding-audit")
        self.used_path: Path | None = files.path_given(config, "--grounding-used")
        files.refuse_closed_log(config, self.settings)
        files.refuse_losses(config, self)
        # On the command line, the option is about this run; in addopts, about the whole suite.
        said = PROMISE if PROMISE in map(str, config.invocation_params.args) else f"{PROMISE} in addopts"
        self.promised: list[str] = [said] if config.getoption("grounding") else []
        if self.settings.expect:
            self.promised.append(f"expect = {self.settings.expect}")

    def layers_for(self, path: Path) -> Layers:
        """The layers for a test or transcript in a file: those of its folders come after the ini file."""
        if not self.directories:
            return list(self.layers)
        place = os.path.relpath(path, self.rootpath).replace(os.sep, "/")
        return [self.layers[0], *directory_layers(self.directories, place), *self.layers[1:]]

    @property
    def shows_transcripts(self) -> bool:
        """Whether some report shows transcripts, so that they must travel with the verdicts."""
        if not self.reports:
            return False
        from pytest_grounding.reports.write import KINDS  # imported here for cost: most runs write no report

        kinds = [KINDS.get(target.kind) for target in self.reports]
        # The content of an extension's report is unknown.
        return any(kind is None or kind.shows_transcripts for kind in kinds)

    @property
    def own_layers(self) -> Layers:
        """The layers of the project itself: without the environment."""
        return [layer for layer in self.layers if layer[0] != FROM_ENVIRONMENT]

    @property
    def in_use(self) -> bool:
        """Whether anything is configured."""
        return bool(self.promised or self.directories or self._given)

    def usable(self, *, held: bool) -> Settings:
        """The settings whose targets must exist: without the environment if no transcript is collected."""
        return self.settings if held else resolve(self.own_layers, profiles=self.profiles)[0]

    def effective(self) -> list[str]:
        """The settings that differ from their default, as ``name=value``, in order."""
        values = {name: getattr(self.settings, name) for name in FIELDS}
        changed = {name: value for name, value in values.items() if value != FIELDS[name].default}
        lines = [f"{name}={shown_value(name, value, self.rootpath)}" for name, value in changed.items()]
        for folder, own in self.directories.items():
            # A missing folder would silently leave its tests with looser settings.
            note = "" if (self.rootpath / folder).exists() else " (no such folder)"
            lines.append(f"{folder}: {len(own)} of its own{note}")
        return lines


def read_options(config: pytest.Config, environ: Mapping[str, str], folder: Path) -> Configured:
    """Resolve ini file, environment and command line."""
    __tracebackhide__ = True
    try:
        return Configured(config, environ, folder)
    except SettingsError as error:
        raise pytest.UsageError(f"grounding: {error}") from None


def unusable(settings: Settings) -> list[str]:
    """Why no transcript could be validated with the settings: an unknown judge, a missing file."""
    if all(getattr(settings, name) == FIELDS[name].default for name in _NAMED):
        return []
    from pytest_grounding.engine.validation import refuse_unusable

    try:
        refuse_unusable(settings)
    except (SettingsError, InputError) as error:
        return [str(error)]
    return []


def unknown_key(key: str) -> str:
    """The message for an unknown ini key with our prefix."""
    try:
        resolve([("ini", {key.removeprefix(PREFIX): ""})])
    except SettingsError as error:
        return str(error)
    return f"{key} is unknown"


def _baseline(config: pytest.Config, configured: Configured) -> Baseline | None:
    path, updates = configured.baseline_path, configured.baseline_update
    if updates and (path is None or configured.shard_path is not None):
        problem = "name its file too"
        if path is not None:
            problem = "a shard writes no baseline; let pytest-grounding merge do it"
        raise pytest.UsageError(f"grounding: --grounding-baseline-update: {problem}")
    if configured.settings.baseline_gate == "new":
        if path is None:
            problem = "baseline_gate = new needs a baseline; name its file with --grounding-baseline=FILE"
            raise pytest.UsageError(f"grounding: {problem}")
        return None if updates and not path.exists() else files.accepted_baseline(path)
    # Only the deciding process needs it, and only a run that is not a shard is decided.
    if path is None or updates or configured.shard_path or hasattr(config, "workerinput"):
        return None
    return files.accepted_baseline(path)


def _from_ini(config: pytest.Config, folder: Path) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for name in FIELDS:
        try:
            value = config.getini(PREFIX + name)
        except (TypeError, ValueError, pytest.UsageError) as error:
            # Newer versions of pytest raise UsageError, which need not name the key.
            value = _read_anew(config, name, error)
        if value is not None:
            values[name] = unquoted(value)
    for name in PATHS:
        value = values.get(name)
        if value and root_of(config) != folder and not Path(value).is_absolute():
            values[name] = os.path.relpath(root_of(config) / value, folder)

    for name in TEXTS:
        if values.get(name):
            values[name] = text_from(name, values[name], root_of(config))
    return values


def _read_anew(config: pytest.Config, name: str, error: Exception) -> Any:
    key, source = PREFIX + name, config.inipath.name if config.inipath else "the ini file"
    held = getattr(config, "_inicfg", None) or getattr(config, "inicfg", {})
    raw = held.get(key)
    raw = getattr(raw, "value", raw)
    for text in config.getoption("override_ini", None) or ():
        if text.partition("=")[0].strip() == key:
            raw, source = text.partition("=")[2], "command line"
    if raw is None:
        raise SettingsError(f"{key} in the ini file: {error}")
    try:
        return vetted(FIELDS[name], unquoted(raw))
    except SettingsError as wrong:
        raise SettingsError(f"{wrong} (from {source})") from None


def _fill_in(layers: Layers, config: pytest.Config, environ: Mapping[str, str], folder: Path) -> None:
    (_, ini), (source, environment), (_, command_line) = layers
    if root_of(config) != folder:
        path = os.path.relpath(root_of(config) / str(FIELDS["cassette"].default), folder)
        ini = {"cassette": path, **ini}
    layers[0] = (layers[0][0], with_waivers(ini, root_of(config)))
    # A build that records would judge anew each time, and pay for it.
    if in_ci(environ) and "record" not in command_line:
        layers[1] = (source, {**environment, "record": "none"})


def _from_command_line(config: pytest.Config) -> dict[str, Any]:
    values = {name: value for name in OWN_OPTION if (value := config.getoption(PREFIX + name)) is not None}
    for text in config.getoption("grounding_set"):
        name, equals, value = text.partition("=")
        if not equals:
            raise SettingsError(f"--grounding-set {text}: write NAME=VALUE")
        values[name.strip().replace("-", "_")] = value.strip()
    return values


def _resolved(layers: Layers, profiles: Mapping[str, Mapping[str, Any]]) -> tuple[Settings, str]:
    """The settings of all layers; with a wrong variable, those without it, and the problem."""
    own = [layer for layer in layers if layer[0] != FROM_ENVIRONMENT]
    try:
        return resolve(layers, profiles=profiles)[0], ""
    except SettingsError as error:
        return resolve(own, profiles=profiles)[0], str(error)

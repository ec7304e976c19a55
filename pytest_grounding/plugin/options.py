"""Options: how ini file, environment and command line become settings."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pytest_grounding._observers import Layers
from pytest_grounding.errors import InputError, SettingsError
from pytest_grounding.plugin.layers import (
    OWN_OPTION,
    PREFIX,
    fill_in,
    from_command_line,
    from_ini,
    resolved,
)
from pytest_grounding.settings import (
    FIELDS,
    FROM_ENVIRONMENT,
    Settings,
    directory_layers,
    from_environment,
    parse_profiles,
    refuse_missing_folder,
    resolve,
)
from pytest_grounding.settings._layers import foreign, shown_value

if TYPE_CHECKING:
    from pytest_grounding.baseline.ratchet import KnownFindings
    from pytest_grounding.model.baseline import Baseline
    from pytest_grounding.reports.write import Target

FILES = ("*.transcript.json", "*.transcripts.jsonl")

#: Said on the command line, it promises transcripts of the run at hand, also of a part of the suite.
PROMISE = "--grounding"
#: What --grounding-golden takes; the golden room holds the same, and costs too much to load here.
GOLDEN_POLICIES = ("check", "new", "update", "improvements")

_TYPES = {bool: "bool", int: "int", float: "float", str: "string"}
#: Settings that name what only the registry, or a file, can confirm.
_NAMED = (
    "scorer",
    "judge",
    "judges",
    "confidence_model",
    "calibration",
    "glossary",
    "weights",
    "waivers_file",
)


def add(parser: pytest.Parser) -> None:
    """Register the options and ini keys of the plugin."""
    group = parser.getgroup("grounding", "grounding: validate recorded RAG transcripts")
    group.addoption(
        "--grounding",
        action="store_true",
        help="say that this run validates transcripts: finding none is then a failure",
    )
    group.addoption(
        "--grounding-set",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="change a setting for this run; may be given several times",
    )
    group.addoption(
        "--grounding-json",
        metavar="PATH",
        help="write the verdicts, the figures and the decision to this file as canonical JSON",
    )
    group.addoption(
        "--grounding-report",
        action="append",
        default=[],
        metavar="KIND:PATH",
        help="write a report of the run: html, junit, json, sarif, gitlab, prometheus, pr-comment, "
        "github-summary, github-annotations or terminal; may be given several times",
    )
    group.addoption(
        "--grounding-used",
        metavar="PATH",
        help="write what this run used of cassettes, for: pytest-grounding cassette prune --used PATH",
    )
    group.addoption(
        "--grounding-baseline",
        metavar="FILE",
        help="hold the run against this baseline: its figures, and each of its transcripts",
    )
    group.addoption(
        "--grounding-baseline-update",
        action="store_true",
        help="write the baseline anew from this run, which must be a whole one",
    )
    group.addoption(
        "--grounding-baseline-allow-new",
        action="store_true",
        help="let the baseline that is written take new findings too, where baseline_gate = new",
    )
    group.addoption(
        "--grounding-shard-report",
        metavar="FILE",
        help="this run is one of several jobs: write its part, for: pytest-grounding merge",
    )
    _add_golden(group, parser)
    _add_settings(group, parser)


def _add_golden(group: pytest.OptionGroup, parser: pytest.Parser) -> None:
    group.addoption(
        "--grounding-golden",
        nargs="?",
        const="check",
        choices=GOLDEN_POLICIES,
        help="compare each transcript file with its goldens: check (no golden is changed), new (create the "
        "missing ones), update (accept all), improvements (accept what got better)",
    )
    parser.addini(
        "grounding_golden", "compare each transcript file with its goldens: check, new, ...", default=""
    )


def _add_settings(group: pytest.OptionGroup, parser: pytest.Parser) -> None:
    for name in OWN_OPTION:
        facts = FIELDS[name].metadata
        choices = f" ({', '.join(facts['choices'])})" if facts["choices"] else ""
        group.addoption(
            f"--grounding-{name.replace('_', '-')}",
            dest=PREFIX + name,
            metavar="VALUE",
            help=(facts["help"] + choices).replace("%", "%%"),
        )
    for name, field in FIELDS.items():
        kind = "linelist" if name in ("glossary", "by") else _TYPES[type(field.default)]
        parser.addini(PREFIX + name, field.metadata["help"], type=kind, default=None)  # type: ignore[arg-type]
    parser.addini(
        "grounding_files", "name patterns of the files that are tests by themselves", "args", default=FILES
    )
    parser.addini("grounding_baseline", "baseline file, from the root of the project", default="")
    parser.addini(
        "grounding_profiles", "further profiles, one a line: NAME: SETTING=VALUE ...", "linelist", default=[]
    )
    parser.addini(
        "grounding_directories",
        "settings for the tests and transcripts under a folder, one a line: FOLDER: SETTING=VALUE ...",
        "linelist",
        default=[],
    )


class Configured:
    """What the user configured for the run.

    Attributes:
        layers: values by source, the weakest source first.
        profiles: further profiles by name.
        settings: the settings that follow, markers and call arguments aside.
        stray: what is wrong with an environment variable, or ""; ``settings`` are then made without the
            variables, and whatever validates a transcript is refused.
        files: name patterns of the no-code mode.
        golden: the policy for goldens, or "" where nobody named one.
        json_path: where the run's report goes, or None.
        reports: the kinds of reports that are asked for, and where they go.
        baseline_path: the baseline's file, or None.
        baseline_update: write it anew.
        baseline: what it holds, where the run is held against it.
        known: the findings that the baseline holds, where they alone may stand (``baseline_gate = new``).
        shard_path: where the run's part of a suite goes that several jobs share, or None.
        directories: settings by folder, and ``rootpath``, where folders are written from.
        promised: what on the command line or in the ini file promises transcripts.
    """

    def __init__(self, config: pytest.Config) -> None:
        self.profiles: Mapping[str, Mapping[str, Any]] = parse_profiles(config.getini("grounding_profiles"))
        self.layers: Layers = [
            ("ini", from_ini(config)),
            (FROM_ENVIRONMENT, from_environment(os.environ)),
            ("command line", from_command_line(config)),
        ]
        given = [source for source, values in self.layers if values.keys() - foreign(source)]
        fill_in(self.layers, config)
        self.settings, self.stray = resolved(self.layers, self.profiles)
        self._given = given != [FROM_ENVIRONMENT] if self.stray else bool(given)
        refuse_missing_folder(self.settings)
        # A profile that nobody chose is checked too: a mistake in it is found now, not on the day of use.
        for name in self.profiles:
            resolve([("grounding_profiles", {"profile": name})], profiles=self.profiles)
        key = "grounding_directories"
        self.rootpath = config.rootpath
        self.directories = parse_profiles(config.getini(key), key=key)
        for folder, values in self.directories.items():
            resolve([self.layers[0], (f"{key} {folder}", values)], profiles=self.profiles)
        if self.directories:
            from pytest_grounding.plugin.places import of_folders

            self.directories = of_folders(self.directories, self.rootpath)
        self.files = tuple(config.getini("grounding_files"))
        self.golden = _golden_policy(config)
        self.json_path = _file(config, "--grounding-json")
        self.reports = _reports(config)
        self.shard_path = _file(config, "--grounding-shard-report")
        ini = config.getini("grounding_baseline")
        self.baseline_path = _file(config, "--grounding-baseline") or (config.rootpath / ini if ini else None)
        self.baseline_update = bool(config.getoption("grounding_baseline_update"))
        self.baseline = _baseline(config, self)
        self.known = _known(self)
        _refuse_closed_log(config, self.settings)
        # Who writes the option means this very run; in addopts it is said of the whole suite.
        said = PROMISE if PROMISE in map(str, config.invocation_params.args) else f"{PROMISE} in addopts"
        self.promised = [said] if config.getoption("grounding") else []
        if self.settings.expect:
            self.promised.append(f"expect = {self.settings.expect}")

    def layers_for(self, path: Path) -> Layers:
        """The layers for a test or transcript in a file: those of its folders stand right above the ini."""
        if not self.directories:
            return list(self.layers)
        place = os.path.relpath(path, self.rootpath).replace(os.sep, "/")
        return [self.layers[0], *directory_layers(self.directories, place), *self.layers[1:]]

    @property
    def own_layers(self) -> Layers:
        """The layers that this project wrote itself: without the environment."""
        return [layer for layer in self.layers if layer[0] != FROM_ENVIRONMENT]

    @property
    def in_use(self) -> bool:
        """Somebody configured something."""
        return bool(self.promised or self.directories or self._given)

    def usable(self, *, held: bool) -> Settings:
        """The settings that must name what is there: without the variables where no transcript is held."""
        return self.settings if held else resolve(self.own_layers, profiles=self.profiles)[0]

    def effective(self) -> list[str]:
        """The settings that are not at their default, as ``name=value``, in order."""
        return [
            f"{name}={shown_value(name, getattr(self.settings, name), self.rootpath)}"
            for name, field in FIELDS.items()
            if getattr(self.settings, name) != field.default
        ] + [
            f"{folder}: {len(values)} of its own{self._misspelt(folder)}"
            for folder, values in self.directories.items()
        ]

    def _misspelt(self, folder: str) -> str:
        # A folder that is not there would leave its tests under looser settings without a word.
        return "" if (self.rootpath / folder).exists() else " (no such folder)"


def read(config: pytest.Config) -> Configured:
    """Resolve what the ini file, the environment and the command line say.

    Raises:
        pytest.UsageError: a setting is unknown or out of range; names it and its source.
    """
    try:
        return Configured(config)
    except SettingsError as error:
        raise pytest.UsageError(f"grounding: {error}") from None


def unusable(settings: Settings) -> list[str]:
    """Why no transcript could be validated with the settings: an unknown judge, a file that is not there.

    Asked once the tests are known, because a ``conftest.py`` may bring a scorer or a judge.
    """
    if all(getattr(settings, name) == FIELDS[name].default for name in _NAMED):
        return []
    from pytest_grounding.engine.readiness import refuse_unusable

    try:
        refuse_unusable(settings)
    except (SettingsError, InputError) as error:
        return [str(error)]
    return []


#: Options of pytest under which tests are collected and none is run.
_NOTHING_RUNS = ("collectonly", "showfixtures", "show_fixtures_per_test", "setuponly", "setupplan")


def lists_only(config: pytest.Config) -> bool:
    """Whether tests are listed and none is run."""
    return any(getattr(config.option, name, False) for name in _NOTHING_RUNS)


def unknown_key(key: str) -> str:
    """What to say of an ini key that is none of ours."""
    try:
        resolve([("ini", {key.removeprefix(PREFIX): ""})])
    except SettingsError as error:
        return str(error)
    return f"{key} is unknown"


def _golden_policy(config: pytest.Config) -> str:
    found: str = config.getoption("grounding_golden") or config.getini("grounding_golden")
    if found and found not in GOLDEN_POLICIES:
        raise SettingsError(f"grounding_golden = {found!r}; write one of: {', '.join(GOLDEN_POLICIES)}")
    return found


def _file(config: pytest.Config, option: str) -> Path | None:
    given = config.getoption(option.lstrip("-").replace("-", "_"))
    if not given:
        return None
    if given == "-":
        advice = "; for the terminal write --grounding-report=json:-" if option == "--grounding-json" else ""
        raise pytest.UsageError(f"grounding: {option}=- is no file{advice or '; name one'}")
    path: Path = config.invocation_params.dir / given
    if path.is_dir():
        raise pytest.UsageError(f"grounding: {option}={given} is a folder; name a file")
    return path


def _reports(config: pytest.Config) -> list[Target]:
    if not config.getoption("grounding_report"):
        return []
    from pytest_grounding.plugin.reports import targets

    return targets(config)


def _baseline(config: pytest.Config, configured: Configured) -> Baseline | None:
    """The baseline that the run is held against; read before any test runs."""
    path, updates = configured.baseline_path, configured.baseline_update
    if updates and (path is None or configured.shard_path is not None):
        problem = (
            "a shard writes no baseline; let pytest-grounding merge do it" if path else "name its file too"
        )
        raise pytest.UsageError(f"grounding: --grounding-baseline-update: {problem}")
    if configured.settings.baseline_gate == "new":
        from pytest_grounding.plugin.baseline import load_known

        return load_known(path, updates=updates)
    # Only the process that decides needs it, and only a run that is not a shard is decided.
    if path is None or updates or configured.shard_path or hasattr(config, "workerinput"):
        return None
    from pytest_grounding.plugin.baseline import load

    return load(path)


def _known(configured: Configured) -> KnownFindings | None:
    if configured.baseline is None or configured.settings.baseline_gate == "all":
        return None
    from pytest_grounding.baseline.ratchet import KnownFindings

    return KnownFindings(configured.baseline)


def _refuse_closed_log(config: pytest.Config, settings: Settings) -> None:
    """An audit log that is a folder, or that must be written and cannot be, ends the run here."""
    if not settings.audit or hasattr(config, "workerinput"):
        return
    path = config.invocation_params.dir / settings.audit
    if path.is_dir():
        raise pytest.UsageError(f"grounding: audit = {settings.audit} is a folder; name a file")
    if settings.audit_required:
        from pytest_grounding.plugin.audit import refuse_closed_log

        refuse_closed_log(path, settings)

"""What the ini file, the environment and the command line say, each as a layer of settings."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from pytest_grounding._io.observers import Layers
from pytest_grounding.errors import SettingsError
from pytest_grounding.plugin.declared import OWN_OPTION, PREFIX
from pytest_grounding.settings import FIELDS, FROM_ENVIRONMENT, Settings, in_ci, resolve
from pytest_grounding.settings._declare import checked
from pytest_grounding.settings._layers import unquoted, with_waivers

#: Settings that name a file or folder: a relative one in the ini file is meant from the root of the project.
PATHS = (
    "source_root",
    "calibration",
    "corpus",
    "cassette",
    "local_model",
    "audit",
    "judge_measured",
)


def from_ini(config: pytest.Config, folder: Path) -> dict[str, Any]:
    """The settings of the ini file; paths lead from the folder that is the current one."""
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
        if value and config.rootpath != folder and not Path(value).is_absolute():
            values[name] = os.path.relpath(config.rootpath / value, folder)
    if values.get("glossary"):
        from pytest_grounding.settings.glossary_setting import glossary_from

        values["glossary"] = glossary_from(values["glossary"], config.rootpath)
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
        return checked(FIELDS[name], unquoted(raw))
    except SettingsError as wrong:
        raise SettingsError(f"{wrong} (from {source})") from None


def fill_in(layers: Layers, config: pytest.Config, environ: Mapping[str, str], folder: Path) -> None:
    """What holds where nobody says otherwise: the cassette of the root, and no recording in CI."""
    (_, ini), (source, environment), (_, command_line) = layers
    if config.rootpath != folder:
        path = os.path.relpath(config.rootpath / str(FIELDS["cassette"].default), folder)
        ini = {"cassette": path, **ini}
    layers[0] = (layers[0][0], with_waivers(ini, config.rootpath))
    # A build that records would judge itself anew each time, and pay for it.
    if in_ci(environ) and "record" not in command_line:
        layers[1] = (source, {**environment, "record": "none"})


def from_command_line(config: pytest.Config) -> dict[str, Any]:
    """The settings of the command line."""
    values = {name: value for name in OWN_OPTION if (value := config.getoption(PREFIX + name)) is not None}
    for text in config.getoption("grounding_set"):
        name, equals, value = text.partition("=")
        if not equals:
            raise SettingsError(f"--grounding-set {text}: write NAME=VALUE")
        values[name.strip().replace("-", "_")] = value.strip()
    return values


def resolved(layers: Layers, profiles: Mapping[str, Mapping[str, Any]]) -> tuple[Settings, str]:
    """The settings of all layers; where a variable is wrong, those without it, and what is wrong."""
    own = [layer for layer in layers if layer[0] != FROM_ENVIRONMENT]
    try:
        return resolve(layers, profiles=profiles)[0], ""
    except SettingsError as error:
        return resolve(own, profiles=profiles)[0], str(error)

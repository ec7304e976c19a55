"""Sources of settings: profiles, folders, the environment; and their precedence."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from pytest_grounding._io.wording import a_kind
from pytest_grounding.errors import SettingsError
from pytest_grounding.settings import BUILD_SETTINGS, ENVIRONMENT, FIELDS, Settings
from pytest_grounding.settings._declare import in_profile, vetted

WAIVERS = "grounding.waivers.jsonl"  # the default waivers file, in the root of the project
FROM_ENVIRONMENT = "environment"  # name of the layer of environment variables
ARTICLES = "/articles"  # where a server named by a variable has its articles
#: Settings of judges, except the first ones, which are part of all fingerprints.
_NEWER_ON_JUDGES = frozenset(name for name in FIELDS if name.startswith("judge")) - {"judge", "judge_model"}
_ZONE = 0.1  # width of the borderline zone below the threshold that a variable sets
#: A threshold with a variable -> the one below it that moves along, computed from both values.
_MOVED_ALONG: dict[str, tuple[str, Callable[[float, float], float]]] = {
    "supported_threshold": ("borderline_threshold", lambda _, named: round(max(0.0, named - _ZONE), 9)),
    "accept_confidence": ("reject_confidence", min),
}
PROFILES: dict[str, dict[str, Any]] = {"default": {}, "strict": in_profile(7), "lenient": in_profile(8)}


def unquoted(value: Any) -> Any:
    """A text of an ini file without TOML's quotes; anything else unchanged."""
    if isinstance(value, str) and len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
        inner = value[1:-1]
        return value if value[0] in inner else inner
    return value


def profile_values(name: Any) -> dict[str, Any]:
    """The values of a shipped profile."""
    if name not in PROFILES:
        raise SettingsError(f"profile {name!r} is unknown; write one of: {', '.join(sorted(PROFILES))}")
    return PROFILES[name]


def resolve(
    layers: Sequence[tuple[str, Mapping[str, Any]]],
    *,
    profiles: Mapping[str, Mapping[str, Any]] | None = None,
) -> tuple[Settings, dict[str, str]]:
    """Merge several sources of values into settings."""
    known = {**PROFILES, **(profiles or {})}
    name, named_by = "default", "default"
    for source, values in layers:
        if not isinstance(values, Mapping):
            problem = f"settings (from {source}) are a mapping, and this is {a_kind(values)}"
            raise SettingsError(f'{problem}; write one, such as {{"profile": "strict"}}')
        if "profile" in values:
            name, named_by = str(values["profile"]), source
    if name not in known:
        problem = f"profile {name!r} (from {_source_in_words(named_by, 'profile')}) is unknown"
        raise SettingsError(f"{problem}; write one of: {', '.join(sorted(known))}")
    merged: dict[str, Any] = {}
    origin = dict.fromkeys(FIELDS, "default")
    for source, values in [(f"profile {name}", known[name]), *layers]:
        refuse_unknown_settings(values, source)
        for key, value in values.items():
            try:
                merged[key] = vetted(FIELDS[key], value)
            except SettingsError as error:
                raise SettingsError(f"{error} (from {_source_in_words(source, key)})") from None
            origin[key] = source
    _move_along(merged, origin, [source for source, _ in layers])
    if origin["judge"] == FROM_ENVIRONMENT and origin["judge_scope"] == "default":
        # The variables are those of the specification, whose judge decides the zone below the threshold.
        merged["judge_scope"], origin["judge_scope"] = "borderline", FROM_ENVIRONMENT
    try:
        # All fields: the profile has been applied, and may be user-defined.
        return Settings(**{name: merged.get(name, field.default) for name, field in FIELDS.items()}), origin
    except SettingsError as error:
        # The setting's name does not appear in the user's variable.
        told = [name for name in _MOVED_ALONG if name in str(error) and origin[name] == FROM_ENVIRONMENT]
        more = "".join(f" (from {_source_in_words(FROM_ENVIRONMENT, name)})" for name in told)
        raise SettingsError(f"{error}{more}") from None


def _move_along(merged: dict[str, Any], origin: dict[str, str], sources: Sequence[str]) -> None:
    """Let a variable that stands for two thresholds change both."""
    for name, (other, nearest) in _MOVED_ALONG.items():
        if origin[name] != FROM_ENVIRONMENT:
            continue
        stronger = sources[sources.index(FROM_ENVIRONMENT) + 1 :]
        held = merged.get(other, FIELDS[other].default)
        if origin[other] not in stronger and (moved := nearest(held, merged[name])) != held:
            merged[other], origin[other] = moved, FROM_ENVIRONMENT


def _source_in_words(source: str, key: str) -> str:
    """The source as the user knows it: a variable has another name than its setting."""
    if source != FROM_ENVIRONMENT:
        return source
    return next((f"{source} variable {name}" for name, known in ENVIRONMENT.items() if known == key), source)


def check_order(settings: Settings) -> None:
    """Refuse values that contradict each other."""
    for upper, (lower, _) in _MOVED_ALONG.items():
        low, high = getattr(settings, lower), getattr(settings, upper)
        if low > high:
            problem = f"{lower} ({low}) is above {upper} ({high})"
            raise SettingsError(f"{problem}; write a value of at most {high}")
    if settings.baseline_policy != "any":
        parse_baseline_policy(settings.baseline_policy)


def fingerprint_of(settings: Settings) -> str:
    """Hash of all values that can change a verdict; see `Settings.fingerprint`."""
    values = {name: value for name, value in settings.as_dict().items() if name not in BUILD_SETTINGS}
    # A folder has another path on every machine; it only matters whether one is set.
    values["source_root"] = bool(settings.source_root)
    # The content of a file counts, not its path; without any, the old fingerprint stays.
    del values["glossary"]
    del values["known"]
    # The same without newer judge settings.
    for name in _NEWER_ON_JUDGES & values.keys():
        if values[name] == FIELDS[name].default:
            del values[name]
    if settings.glossary_rules:
        values["glossary"] = settings.glossary_rules
    if settings.known_lines:
        values["known"] = list(settings.known_lines)
    return hashlib.sha256(json.dumps(values, sort_keys=True).encode()).hexdigest()[:16]


def refuse_missing_folder(settings: Settings) -> None:
    """Refuse a missing source root or corpus: everything would seem to be missing from it."""
    if settings.source_root and not Path(settings.source_root).is_dir():
        advice = "name one, or leave the setting empty to look citations up in the chunks alone"
        raise SettingsError(f"source_root = {settings.source_root!r} is not a folder; {advice}")
    if settings.corpus and not Path(settings.corpus).exists():
        problem = f"corpus = {settings.corpus!r} is not there; name a file or folder of documents"
        raise SettingsError(problem)


def parse_profiles(lines: Sequence[str], *, key: str = "grounding_profiles") -> dict[str, dict[str, str]]:
    """Named sets of settings from an ini key: ``NAME: SETTING=VALUE SETTING=VALUE``, one per line."""
    import shlex

    profiles: dict[str, dict[str, str]] = {}
    for line in lines:
        name, colon, rest = line.partition(":")
        try:
            pairs = [pair.partition("=") for pair in shlex.split(rest)]
        except ValueError as error:
            raise SettingsError(f"{key}: {line!r}: {error}") from None
        if not colon or not name.strip() or not all(equals for _, equals, _ in pairs):
            what = "FOLDER" if key.endswith("directories") else "NAME"
            raise SettingsError(f"{key}: {line!r}: write {what}: SETTING=VALUE SETTING=VALUE")
        if name.strip() in profiles:
            raise SettingsError(f"{key}: {name.strip()!r} is on two lines; write one")
        values = {setting: value for setting, _, value in pairs}
        if len(values) < len(pairs):
            raise SettingsError(f"{key}: {line!r}: names a setting twice; keep one of the two")
        profiles[name.strip()] = values
    return profiles


def parse_baseline_policy(text: str) -> tuple[str, float]:
    """The name of a baseline's policy and its number (0 for ``any``)."""
    name, _, number = text.partition("=")
    if text == "any":
        return text, 0.0
    try:
        value = float(number)
    except ValueError:
        value = math.nan
    if (name == "tolerance" and 0 <= value < 1) or (name == "significant" and 0 < value < 1):
        return name, value
    advice = "write any, tolerance=0.02 or significant=0.05 (numbers from 0 to 1)"
    raise SettingsError(f"baseline_policy = {text!r} is not known; {advice}")


def directory_layers(
    directories: Mapping[str, Mapping[str, Any]], path: str
) -> list[tuple[str, Mapping[str, Any]]]:
    """The layers of ``grounding_directories`` for a file, outermost folder first."""
    found = []
    for folder, values in directories.items():
        clean = folder.replace("\\", "/").strip("/").removeprefix("./")
        if path == clean or path.startswith(f"{clean}/"):
            found.append((clean.count("/"), f"directory {clean}", values))
    return [(name, values) for _, name, values in sorted(found, key=lambda item: item[:2])]


def from_environment(environ: Mapping[str, str]) -> dict[str, str]:
    """The settings in environment variables, as text."""
    found = {name: environ[variable] for variable, name in ENVIRONMENT.items() if environ.get(variable)}
    if "cms_base" in found:
        found["cms_base"] = found["cms_base"].rstrip("/") + ARTICLES
    return found


def with_waivers(values: Mapping[str, Any], root: Path) -> dict[str, Any]:
    """The values with the waivers file: the one they name, else the one in the root if it exists."""
    named = values.get("waivers_file")
    if named:
        return {**values, "waivers_file": str(root / named)}
    file = root / WAIVERS
    return {"waivers_file": str(file), **values} if file.is_file() else dict(values)


def shown_value(name: str, value: Any, root: Path) -> str:
    """The value of a setting on one line; the waivers file relative to the root."""
    text = str(value).replace("\n", "; ")
    if name == "waivers_file" and Path(text).is_relative_to(root):
        return Path(text).relative_to(root).as_posix()
    return text


def in_ci(environ: Mapping[str, str]) -> bool:
    """Whether this is a CI build: the variable ``CI`` is set, and not to a word for no."""
    return environ.get("CI", "").strip().lower() not in {"", "0", "false", "no", "off"}


def refuse_unknown_settings(values: Mapping[str, Any], source: str) -> None:
    for key in values:
        if key not in FIELDS:
            raise SettingsError(f"setting {key!r} (from {source}) is unknown; {instead_of(str(key))}")


def instead_of(name: str) -> str:
    """Advice for an unknown setting."""
    from difflib import get_close_matches

    bare = name.removeprefix("grounding_")
    if bare != name and bare in FIELDS:
        return f"leave out the prefix: {bare!r}"
    near = get_close_matches(bare, FIELDS, n=1)
    return f"did you mean {near[0]!r}?" if near else "see: pytest-grounding show settings"

"""Profiles of local detectors, and folders with a detector: its profile and the hashes of its files."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Any, Literal

from pydantic import ValidationError

from pytest_grounding._io.jsonio import content_hash
from pytest_grounding._io.wording import listed
from pytest_grounding.errors import SettingsError
from pytest_grounding.model.base import Model

_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")


class Profile(Model):
    """How to call one detector and read its output."""

    name: str
    model: str = ""
    licence: str = ""
    source: str = ""
    published: str = ""
    size: str = ""
    #: Input: two texts, one text made from the template, or a prompt and the whole answer.
    input: Literal["pair", "text", "prompt"] = "pair"
    template: str = ""
    bare_template: str = ""
    passage: str = ""
    limit: int = 512
    #: Output: one logit; a class per text; a class at the first token; a label per token.
    layout: Literal["logit", "class", "position", "token"] = "class"
    index: int = -1
    classes: int = 0
    window: Literal["none", "marks", "tokens"] = "none"
    window_size: int = 0
    joiner: str = " "
    over_windows: Literal["max", "min"] = "max"
    threshold: float = 0.5

    def as_data(self) -> dict[str, Any]:
        """Everything that can change a score, as plain data, for the key of a record."""
        told = {"name", "model", "licence", "source", "published", "size"}
        return self.model_dump(mode="json", exclude=told)


def of_data(value: object, *, place: str) -> Profile:
    """A profile from plain data."""
    if not isinstance(value, Mapping):
        raise SettingsError(f"{place}: a profile is an object, such as {_EXAMPLE}")
    try:
        profile = Profile.model_validate_json(json.dumps({"name": "own", **value}), strict=True)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        name = str(first["loc"][0])
        if first["type"] == "extra_forbidden":
            known = listed(sorted(Profile.model_fields), len(Profile.model_fields))
            raise SettingsError(f"{place}: {name!r} is not a field of a profile; they are {known}") from None
        problem = f"{first['msg'][0].lower()}{first['msg'][1:]}"
        raise SettingsError(f"{place}: {name} = {first['input']!r}: {problem}") from None
    _check(profile, place)
    return profile


_EXAMPLE = '{"input": "pair", "layout": "class", "index": 0, "limit": 512}'


def _check(profile: Profile, place: str) -> None:
    """Refuse a profile that cannot be used."""
    if not _NAME.fullmatch(profile.name):
        rule = "name is made of small letters, digits, dots and hyphens"
        raise SettingsError(f"{place}: {rule}, not {profile.name!r}")
    wanted = {"pair": (), "text": ("premise", "claim"), "prompt": ("count", "passages")}[profile.input]
    for part in wanted:
        if profile.template.count(f"{{{part}}}") != 1:
            raise SettingsError(f"{place}: the template of a {profile.input} holds {{{part}}} once")
    if (profile.layout == "token") != (profile.input == "prompt"):
        raise SettingsError(f"{place}: layout token goes with input prompt, and with no other")
    if profile.input == "prompt" and "{text}" not in profile.passage:
        raise SettingsError(f"{place}: passage is the form of one passage in the prompt, with {{text}}")
    if profile.layout != "logit" and profile.index < 0:
        raise SettingsError(f"{place}: index says which output is read, as id2label of config.json counts")
    if not 0 < profile.threshold < 1 or profile.limit < 16:
        raise SettingsError(f"{place}: threshold lies between 0 and 1, limit is 16 tokens or more")
    if (profile.window != "none") != (profile.window_size > 0):
        raise SettingsError(f"{place}: window and window_size go together")


@lru_cache(maxsize=1)
def shipped() -> Mapping[str, Profile]:
    """The shipped profiles, by name."""
    folder = resources.files(__package__) / "profiles"
    files = sorted((file for file in folder.iterdir() if file.name.endswith(".json")), key=lambda f: f.name)
    found = (of_data(json.loads(file.read_text(encoding="utf-8")), place=file.name) for file in files)
    return {profile.name: profile for profile in found}


def named(name: str, place: str) -> Profile:
    """A shipped profile by name."""
    if name in shipped():
        return shipped()[name]
    raise SettingsError(f"{place} = {name!r} is not known; the profiles are {listed(shipped())}")


def read_json(path: Path, setting: str) -> Any:
    """The content of a JSON file named by a setting."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SettingsError(f"{setting}: {path} cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise SettingsError(f"{setting}: {path} is not JSON: {error}") from None


#: The file that describes a folder: its profile, and the hashes of its files.
DESCRIBE = "python -m pytest_grounding_extras.model describe"
DESCRIPTION = "grounding-model.json"
_FIELDS = {"schema_version", "profile", "files", "model", "revision"}


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelFolder:
    """A local detector's folder."""

    path: Path
    profile: Profile
    digest: str
    weights: bool


def model_file(folder: Path) -> Path | None:
    """The model in a folder, in a usual export layout, or None."""
    places = (folder / "model.onnx", folder / "onnx" / "model.onnx")
    return next((file for file in places if file.is_file()), None)


def hashes_of(folder: Path) -> dict[str, str]:
    """SHA-256 of each file that affects a score, by its path in the folder."""
    model = model_file(folder)
    files = [model, *sorted(model.parent.glob("*.onnx[._]data"))] if model else []
    files += [file for name in ("tokenizer.json", "config.json") if (file := folder / name).is_file()]
    found = {}
    for file in files:
        try:
            with file.open("rb") as stream:
                digest = hashlib.file_digest(stream, "sha256")
        except OSError as error:
            raise SettingsError(f"local_model: {file} cannot be read: {error.strerror}") from None
        found[file.relative_to(folder).as_posix()] = digest.hexdigest()
    return found


def opened(folder: str | Path) -> ModelFolder:
    """A folder's detector, from its description."""
    root = Path(folder)
    file = root / DESCRIPTION
    described: Mapping[str, Any] = {}
    if file.is_file():
        value = read_json(file, "local_model")
        fits = isinstance(value, dict) and not set(value) - _FIELDS
        if not fits or not isinstance(value.get("files", {}), dict):
            advice = f"write it: {DESCRIBE} {root}"
            raise SettingsError(f"{file}: does not describe a model; {advice}")
        described = value
    weights = model_file(root) is not None and (root / "tokenizer.json").is_file()
    if not weights and not described:
        wanted = "the folder must hold model.onnx and tokenizer.json"
        other = f"or the {DESCRIPTION} of a model whose scores are recorded"
        raise SettingsError(f"local_model = {str(folder)!r}: {wanted}, {other}")
    chosen = _profile_of(described.get("profile"), root)
    files = described.get("files") or hashes_of(root)
    return ModelFolder(path=root, profile=chosen, digest=content_hash(files), weights=weights)


def _profile_of(described: object, root: Path) -> Profile:
    if isinstance(described, str):
        return named(described, f"{root / DESCRIPTION}: profile")
    if described is not None:
        return of_data(described, place=f"{root / DESCRIPTION}: profile")
    problem = "nothing says how this model is asked and read; nothing is guessed"
    advice = f"name one of {listed(shipped())}, or describe the model of your own"
    command = DESCRIBE
    raise SettingsError(f"local_model = {str(root)!r}: {problem}: {advice}: {command}")


def changed(folder: ModelFolder) -> list[str]:
    """Names of the files that differ from the description; empty if it has no hashes."""
    file = folder.path / DESCRIPTION
    wanted = read_json(file, "local_model").get("files") if file.is_file() else None
    if not wanted:
        return []
    found = hashes_of(folder.path)
    return sorted(name for name in {*wanted, *found} if wanted.get(name) != found.get(name))

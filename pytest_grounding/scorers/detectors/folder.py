"""The folder of a local detector: which profile it is of, and which bytes its files have."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pytest_grounding._jsonio import content_hash
from pytest_grounding._wording import listed
from pytest_grounding.errors import SettingsError
from pytest_grounding.scorers.detectors.profile import Profile, named, of_data, read_json, shipped

#: What says of a folder which profile its model has and which bytes its files.
DESCRIPTION = "grounding-model.json"
_FIELDS = {"schema_version", "profile", "files", "model", "revision"}
_CHUNK = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelFolder:
    """A local detector's folder."""

    path: Path
    profile: Profile
    digest: str
    weights: bool


def model_file(folder: Path) -> Path | None:
    """The model in a folder, as it is laid out by those who export it, or None."""
    places = (folder / "model.onnx", folder / "onnx" / "model.onnx")
    return next((file for file in places if file.is_file()), None)


def hashes_of(folder: Path) -> dict[str, str]:
    """SHA-256 of each file that a score depends on, by its place in the folder."""
    model = model_file(folder)
    files = [model, *sorted(model.parent.glob("*.onnx[._]data"))] if model else []
    files += [file for name in ("tokenizer.json", "config.json") if (file := folder / name).is_file()]
    found = {}
    for file in files:
        digest = hashlib.sha256()
        try:
            with file.open("rb") as stream:
                while part := stream.read(_CHUNK):
                    digest.update(part)
        except OSError as error:
            raise SettingsError(f"local_model: {file} cannot be read: {error.strerror}") from None
        found[file.relative_to(folder).as_posix()] = digest.hexdigest()
    return found


def opened(folder: str | Path) -> ModelFolder:
    """What a folder holds, by its description."""
    root = Path(folder)
    file = root / DESCRIPTION
    described: Mapping[str, Any] = {}
    if file.is_file():
        value = read_json(file, "local_model")
        fits = isinstance(value, dict) and not set(value) - _FIELDS
        if not fits or not isinstance(value.get("files", {}), dict):
            raise SettingsError(
                f"{file}: is no description of a model; write it: pytest-grounding show model describe {root}"
            )
        described = value
    weights = model_file(root) is not None and (root / "tokenizer.json").is_file()
    if not weights and not described:
        raise SettingsError(
            f"local_model = {str(folder)!r}: the folder must hold model.onnx and tokenizer.json, or the "
            f"{DESCRIPTION} of a model whose scores are recorded"
        )
    chosen = _profile_of(described.get("profile"), root)
    files = described.get("files") or hashes_of(root)
    return ModelFolder(path=root, profile=chosen, digest=content_hash(files), weights=weights)


def _profile_of(described: object, root: Path) -> Profile:
    if isinstance(described, str):
        return named(described, f"{root / DESCRIPTION}: profile")
    if described is not None:
        return of_data(described, place=f"{root / DESCRIPTION}: profile")
    raise SettingsError(
        f"local_model = {str(root)!r}: nothing says how this model is asked and read; nothing is guessed: "
        f"name one of {listed(shipped())}, or describe the model of your own: "
        "pytest-grounding show model describe"
    )


def changed(folder: ModelFolder) -> list[str]:
    """The files that are not the ones described, by name; empty where no bytes are described."""
    file = folder.path / DESCRIPTION
    if not file.is_file():
        return []
    wanted = read_json(file, "local_model").get("files")
    if not wanted:
        return []
    found = hashes_of(folder.path)
    return sorted(name for name in {*wanted, *found} if wanted.get(name) != found.get(name))

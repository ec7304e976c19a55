"""The local detectors and their files: ``python -m pytest_grounding_extras.model list``."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pytest_grounding._io.jsonio import write_atomic
from pytest_grounding.errors import GroundingError
from pytest_grounding_extras.detectors import folder as models
from pytest_grounding_extras.detectors import named, shipped
from pytest_grounding_extras.detectors.folder import DESCRIPTION


def main(words: Sequence[str] | None = None) -> int:
    """List, describe or verify; wrong usage and unreadable files give 2."""
    parser = argparse.ArgumentParser(prog="python -m pytest_grounding_extras.model", description=__doc__)
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    listed = actions.add_parser("list", help="the profiles that come with the package")
    listed.add_argument("--json", action="store_true", help="as JSON, with all fields")
    described = actions.add_parser("describe", help="write down which profile a folder has and which bytes")
    text = "folder with model.onnx, tokenizer.json"
    described.add_argument("folder", metavar="FOLDER", type=Path, help=text)
    text = "name of a profile, or a JSON file with the fields of your own"
    described.add_argument("--profile", required=True, help=text)
    verified = actions.add_parser("verify", help="whether a folder's files are the ones described")
    verified.add_argument("folder", metavar="FOLDER", type=Path, help="folder with grounding-model.json")
    args = parser.parse_args(words)
    try:
        return {"list": _list, "describe": _describe, "verify": _verify}[args.action](args)
    except GroundingError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2


def _list(args: argparse.Namespace) -> int:
    if args.json:
        names = ("model", "licence", "source", "published", "size")
        known = {profile: {name: getattr(profile, name) for name in names} for profile in shipped().values()}
        facts = {profile.name: {**profile.as_data(), **values} for profile, values in known.items()}
        print(json.dumps(facts, indent=2))
        return 0
    for profile in shipped().values():
        print(profile.name)
        print(f"  {profile.model} ({profile.size}); licence: {profile.licence}")
        print(f"  {profile.published}")
    return 0


def _describe(args: argparse.Namespace) -> int:
    if models.model_file(args.folder) is None or not (args.folder / "tokenizer.json").is_file():
        raise GroundingError(f"{args.folder}: contains no model.onnx and tokenizer.json to describe")
    if args.profile.endswith(".json"):
        profile: Any = models.read_json(Path(args.profile), "--profile")
        models.of_data(profile, place=args.profile)
    else:
        profile = named(args.profile, "--profile").name
    value = {"schema_version": 1, "profile": profile, "files": models.hashes_of(args.folder)}
    target = args.folder / DESCRIPTION
    write_atomic(target, json.dumps(value, indent=2, ensure_ascii=False) + "\n")
    print(f"wrote {target}; set local_model = {args.folder}, and commit this file where CI has no weights")
    return 0


def _verify(args: argparse.Namespace) -> int:
    if not (args.folder / DESCRIPTION).is_file():
        problem = f"{args.folder}: contains no {DESCRIPTION}; write it: {models.DESCRIBE}"
        raise GroundingError(problem)
    folder = models.opened(args.folder)
    other = models.changed(folder)
    for name in other:
        print(f"{args.folder / name}: is not the file that {DESCRIPTION} describes")
    if not other:
        print(f"{args.folder}: the files of {folder.profile.name} are the ones described")
    return 1 if other else 0


if __name__ == "__main__":
    sys.exit(main())

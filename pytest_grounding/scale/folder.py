"""The work folder of a run in parts: its plan, its part files, and who is at work in it."""

from __future__ import annotations

import contextlib
import json
import shutil
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from pytest_grounding._jsonio import canonical_document, content_hash, write_atomic
from pytest_grounding._lock import locked
from pytest_grounding.errors import InputError
from pytest_grounding.importers.searching import WORK_MARK
from pytest_grounding.scale.partfile import finished
from pytest_grounding.scale.plan import Keep, Plan, differences
from pytest_grounding.scale.result import PartResult
from pytest_grounding.scale.streams import SPOOL

#: Where the work folders of runs lie that name none, in the current folder.
DEFAULT = ".grounding-work"

_PLAN = "plan.json"
_WHOLE = "whole.json"
#: How many differences between two plans a message names.
_NAMED = 3


def default_folder(asked: object) -> Path:
    """The work folder of a run that names none: the same for the same inputs, so that it can go on.

    Args:
        asked: JSON data, what the run is about.
    """
    return Path(DEFAULT) / content_hash(asked)[:12]


@contextlib.contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Hold a work folder alone.

    Raises:
        InputError: another run holds it, or it is no folder.
    """
    if folder.exists() and not folder.is_dir():
        raise InputError("is no folder", path=str(folder), hint="name another one with --work")
    folder.mkdir(parents=True, exist_ok=True)
    if folder.parent.name == DEFAULT and not (folder.parent / ".gitignore").exists():
        # What lies here is a by-product: git should not offer it.
        write_atomic(folder.parent / ".gitignore", "*\n")
    with contextlib.ExitStack() as stack:
        try:
            stack.enter_context(locked(folder / WORK_MARK, deadline_s=0.2))
        except TimeoutError:
            hint = "wait for it, or name another folder with --work"
            raise InputError("another run is at work in it", path=str(folder), hint=hint) from None
        yield


def whole_inputs(folder: Path) -> set[str]:
    """The inputs that an earlier execution found to belong together."""
    try:
        found = json.loads((folder / _WHOLE).read_text(encoding="utf-8"))
        return set(found) if isinstance(found, list) else set()
    except (OSError, ValueError):
        return set()


def keep_whole(folder: Path, paths: Collection[str]) -> None:
    """Remember inputs that belong together, and forget the plan that cut them."""
    write_atomic(folder / _WHOLE, canonical_document(sorted(paths)))
    (folder / _PLAN).unlink(missing_ok=True)


def keeping(folder: Path, keep: Keep) -> Keep:
    """Which lines hold their transcript: a folder that holds all of them serves who needs fewer."""
    held = _held(folder)
    return "all" if held is not None and held.get("keep") == "all" else keep


def enter(plan: Plan, *, replace: bool) -> list[PartResult]:
    """Put a plan into its folder, or find it there, and the parts that are finished.

    Args:
        plan: the plan.
        replace: take the place of another plan, instead of refusing it.

    Returns:
        The results of the finished parts, in their order.

    Raises:
        InputError: the folder holds another plan; says what differs.
    """
    folder = plan.place
    remove_unfinished(folder)
    held = _held(folder)
    is_other = held is not None and held.get("hash") != plan.hash
    if held is not None and is_other and not replace:
        told = differences(held.get("ingredients") or {}, plan.ingredients)
        more = f" and {len(told) - _NAMED} more" if len(told) > _NAMED else ""
        raise InputError(
            f"holds parts of another plan ({'; '.join(told[:_NAMED]) or 'of another release'}{more})",
            path=plan.shown,
            hint="name another folder with --work, or remove this one",
        )
    if held is None or is_other:
        write_atomic(folder / _PLAN, canonical_document(plan.model_dump(mode="json")))
        # Killed before this, a run finds results of another plan, which count for nothing.
        remove_parts(folder)
    found = (finished(folder, plan.hash, part.index, plan.compress) for part in plan.parts)
    return [result for result in found if result is not None]


def read_plan(folder: Path) -> Plan:
    """The plan of a work folder, for a cluster's job that is given the folder alone.

    Raises:
        InputError: there is none.
    """
    try:
        return Plan.model_validate_json((folder / _PLAN).read_text(encoding="utf-8"))
    except (OSError, ValidationError) as error:
        raise InputError("holds no plan that can be read", path=str(folder)) from error


def _held(folder: Path) -> dict[str, Any] | None:
    try:
        found = json.loads((folder / _PLAN).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, ValueError):
        found = None
    return found if isinstance(found, dict) else {}


def release_inputs(plan: Plan, done: Collection[int]) -> None:
    """Remove what was unpacked or fetched for parts that are finished."""
    needed = {piece.data for part in plan.parts if part.index not in done for piece in part.pieces}
    for part in plan.parts:
        for piece in part.pieces:
            if part.index in done and piece.data.startswith(f"{SPOOL}/") and piece.data not in needed:
                with contextlib.suppress(OSError):
                    (plan.place / piece.data).unlink()


def remove_unfinished(folder: Path) -> None:
    """Remove what killed executions left behind; nobody else may be at work in the folder."""
    for place in (folder, folder / SPOOL):
        with contextlib.suppress(FileNotFoundError):
            for item in list(place.iterdir()):
                if item.name.startswith(".") and item.name.endswith(".tmp"):
                    with contextlib.suppress(OSError):
                        item.unlink()


def remove_parts(folder: Path) -> None:
    """Remove the parts of another plan; inputs that were fetched stay."""
    for item in list(folder.iterdir()):
        if item.name[:6].isdigit():
            with contextlib.suppress(OSError):
                item.unlink()


def remove(folder: Path) -> None:
    """Remove a work folder that is no longer of use, and the folder of all of them where it was the last."""
    shutil.rmtree(folder, ignore_errors=True)
    is_ours = folder.parent.name == DEFAULT
    with contextlib.suppress(OSError):
        if is_ours and {item.name for item in folder.parent.iterdir()} <= {".gitignore"}:
            shutil.rmtree(folder.parent)

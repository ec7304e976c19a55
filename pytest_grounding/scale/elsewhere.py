"""Parts on another machine: the function that clusters call, for Dask, Spark, Ray and whatever else there is.

A cluster needs the work folder under the same name on all its machines: the plan lies in it, and so does what
was found.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from pytest_grounding import _optional
from pytest_grounding.errors import GroundingError
from pytest_grounding.scale.folder import read_plan
from pytest_grounding.scale.partfile import finished
from pytest_grounding.scale.plan import Part, Plan

#: What `check_frames` and `check_batch` give for each part, as Spark writes a schema.
SCHEMA = "part long, rows long, failed long, failure string"


def do_part(part_text: str, plan_text: str) -> str:
    """Do one part on a worker of the cluster; what another execution finished is not done again.

    Args:
        part_text: a `Part` as JSON.
        plan_text: its `Plan` as JSON.

    Returns:
        ``{"done": ...}`` with the result as JSON, or ``kind`` and ``message`` of what was in the way.
    """
    from pytest_grounding.scale.partition import check_partition
    from pytest_grounding.scale.worker import refusal

    part, plan = Part.model_validate_json(part_text), Plan.model_validate_json(plan_text)
    # Paths of inputs and settings are meant from where the run was started.
    if Path(plan.root).is_dir() and Path.cwd() != Path(plan.root):
        os.chdir(plan.root)
    known = finished(plan.place, plan.hash, part.index, plan.compress)
    try:
        result = known or check_partition(part, plan)
    except Exception as error:
        return json.dumps(refusal(error))
    return json.dumps({"done": result.to_json()})


def parts_to_do(folder: str | os.PathLike[str]) -> list[dict[str, Any]]:
    """The parts of a work folder that are not finished, one row each, for a data frame.

    Args:
        folder: what ``check PATH... --work FOLDER --engine none`` made.

    Returns:
        ``part`` (its number from 0) and ``text`` (what `check_frames` and `check_batch` take) of each.

    Raises:
        InputError: the folder holds no plan.
    """
    plan = read_plan(Path(folder))
    return [
        {"part": part.index, "text": part.model_dump_json()}
        for part in plan.parts
        if finished(plan.place, plan.hash, part.index, plan.compress) is None
    ]


def check_frames(folder: str | os.PathLike[str]) -> Callable[[Iterator[Any]], Iterator[Any]]:
    """A function from pandas frames of `parts_to_do` to frames of `SCHEMA`, for Spark's ``mapInPandas``.

    Args:
        folder: the work folder, under the name that it has on the machines of the cluster.
    """
    return partial(_frames, os.fspath(folder))


def check_batch(folder: str | os.PathLike[str]) -> Callable[[Any], Any]:
    """The same for one frame at a time, for Ray Data's ``map_batches(..., batch_format="pandas")``."""
    return partial(_batch, os.fspath(folder))


def _frames(folder: str, frames: Iterator[Any]) -> Iterator[Any]:
    for frame in frames:
        yield _batch(folder, frame)


def _batch(folder: str, frame: Any) -> Any:
    pandas = _optional.require("pandas", extra="scale")
    plan = read_plan(Path(folder)).without_parts().model_dump_json()
    found: dict[str, list[Any]] = {"part": [], "rows": [], "failed": [], "failure": []}
    for number, text in zip(frame["part"], frame["text"], strict=True):
        answer: dict[str, str] = json.loads(do_part(text, plan))
        if answer.get("kind") == "died":
            # The cluster's own ways of trying again are for this.
            raise RuntimeError(answer["message"])
        if answer.get("kind") in ("disk", "fatal", "gathered"):
            raise GroundingError(answer["message"])
        result: dict[str, Any] = json.loads(answer.get("done", '{"rows": 0, "counts": {}}'))
        found["part"].append(int(number))
        found["rows"].append(result["rows"])
        found["failed"].append(result["counts"].get("failed", 0))
        found["failure"].append(answer.get("message", ""))
    return pandas.DataFrame(found)

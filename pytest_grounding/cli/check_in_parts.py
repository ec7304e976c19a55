"""``check --jobs``: the same check in parts, on every core or a cluster, which goes on after a kill."""

from __future__ import annotations

import argparse
import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from pytest_grounding.audit.log import Trail
from pytest_grounding.cli import parser as arguments
from pytest_grounding.cli.configuration import Effective
from pytest_grounding.engine.examine import refuse_unusable
from pytest_grounding.errors import InputError, SettingsError
from pytest_grounding.model.run_report import RunFacts

if TYPE_CHECKING:
    from pytest_grounding.scale.driver import Workers
    from pytest_grounding.scale.partition import Checked, PartResult
    from pytest_grounding.scale.plan import Plan

VARIABLE = "GROUNDING_JOBS"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of runs in parts."""
    group = parser.add_argument_group(
        "many transcripts", "in parts, on all cores or a cluster; the same command goes on after a kill"
    )
    group.add_argument(
        "--jobs",
        "-j",
        metavar="N",
        help=f"worker processes, or auto: one a core; reads .jsonl.gz too (variable: {VARIABLE})",
    )
    group.add_argument(
        "--engine",
        metavar="ENGINE",
        help="who does the parts: processes (default), dask (a cluster of this machine) or "
        "dask=tcp://HOST:PORT",
    )
    group.add_argument(
        "--work",
        type=arguments.named,
        metavar="DIR",
        help="keep the part files here (default: a folder that is removed at the end)",
    )


class InParts(NamedTuple):
    """A run in parts that is done: its rows in the order of the inputs, and why it is not whole."""

    rows: Iterator[Checked]
    facts: RunFacts


def is_asked(args: argparse.Namespace) -> bool:
    """Whether a check is to be done in parts."""
    return bool(args.jobs or args.engine or args.work or os.environ.get(VARIABLE, "").strip())


@contextlib.contextmanager
def in_parts(args: argparse.Namespace, effective: Effective, trail: Trail | None) -> Iterator[InParts]:
    """Do a check in parts, and hold its work folder until its report is written."""
    from pytest_grounding.scale import driver as scale
    from pytest_grounding.scale.partition import checked_rows

    jobs, workers = _workers(args)
    asked = [sorted(args.paths), sorted(args.sources)]
    folder = Path(args.work) if args.work else scale.default_folder(asked)
    refuse_unusable(effective.settings)

    def make(whole: set[str]) -> Plan:
        from pytest_grounding.scale.plan import make_plan

        return make_plan(
            args.paths,
            effective.settings,
            folder,
            settings_for=effective.for_path,
            sources=args.sources,
            whole=whole,
        )

    with scale.alone_in(folder):
        done = scale.drive(folder, make, workers, jobs, replace=not args.work)
        results = list(done.results.values())
        try:
            _refuse_nothing(args.sources, results)
        except InputError:
            if not args.work:
                scale.remove(folder)
            raise
        for result in results if trail is not None else ():
            if trail is not None and result.audit:
                trail.add(result.audit)
        judgements = tuple(use for result in results for use in result.judgements)
        facts = RunFacts(interrupted=done.unscored, judgements=judgements)
        yield InParts(checked_rows(done.plan, done.results), facts)
    if not done.unscored and not args.work:
        scale.remove(folder)


def _workers(args: argparse.Namespace) -> tuple[int, Workers]:
    from pytest_grounding.scale import driver as scale

    try:
        jobs = scale.number_of_jobs(args.jobs or os.environ.get(VARIABLE, "").strip() or "auto")
    except SettingsError as error:
        raise error if args.jobs else SettingsError(f"{error} (from the variable {VARIABLE})") from None
    name, _, address = (args.engine or "processes").partition("=")
    if name == "dask":
        return jobs, scale.cluster(address)
    if name != "processes" or address:
        raise SettingsError(
            f"engine = {args.engine!r} is not known; write processes, dask or dask=tcp://HOST:PORT"
        )
    return jobs, scale.processes


def _refuse_nothing(sources: list[str], results: list[PartResult]) -> None:
    is_left_out = any(result.left_out for result in results)
    if sources and is_left_out and not any(result.rows - result.unread for result in results):
        raise arguments.no_source(sources, sorted({name for result in results for name in result.sources}))
    if not is_left_out and not any(result.rows or result.failure for result in results):
        raise InputError("no transcript was found", hint="give a file or folder that holds some")

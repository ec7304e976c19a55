"""``check --jobs``: the same check in parts, on every core or a cluster, which goes on after a kill."""

from __future__ import annotations

import argparse
import contextlib
import os
import re
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast

from pytest_grounding._wording import counted
from pytest_grounding.cli import arguments
from pytest_grounding.errors import InputError, SettingsError

if TYPE_CHECKING:
    from pytest_grounding.audit.trail import Trail
    from pytest_grounding.cli.configuration import Effective
    from pytest_grounding.model.run import RunFacts
    from pytest_grounding.scale.checked import Checked
    from pytest_grounding.scale.drive import Execute, Make
    from pytest_grounding.scale.ledger import Ledger
    from pytest_grounding.scale.plan import Plan
    from pytest_grounding.scale.shelf import Shelf

#: Named here so that building the parser loads nothing of the room.
VARIABLE = "GROUNDING_JOBS"
_SIZE = re.compile(r"(\d+)\s*([kmg]?)i?b?", re.IGNORECASE)
_UNITS = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30}
_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]+(?:://|::)", re.IGNORECASE)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of runs in parts."""
    group = parser.add_argument_group(
        "many transcripts", "in parts, on all cores or a cluster; the same command goes on after a kill"
    )
    group.add_argument(
        "--jobs",
        "-j",
        metavar="N",
        help="worker processes, or auto: one a core; reads addresses, Parquet, .gz and .zst too "
        f"(variable: {VARIABLE})",
    )
    group.add_argument(
        "--engine",
        metavar="ENGINE",
        help="who does the parts: processes (default), dask (a cluster of this machine), "
        "dask=tcp://HOST:PORT, or none: the plan is made alone, for other clusters",
    )
    group.add_argument(
        "--patience",
        metavar="SECONDS",
        type=_seconds,
        default=300.0,
        help="give up the parts that are left when a Dask cluster has no worker for so long (default: 300)",
    )
    group.add_argument(
        "--work",
        type=arguments.named,
        metavar="DIR",
        help="keep the part files here (default: a folder that is removed at the end)",
    )
    group.add_argument(
        "--progress",
        choices=("auto", "json", "off"),
        default="auto",
        help="how far it is, on standard error: auto is a line on a terminal and nothing elsewhere",
    )
    group.add_argument(
        "--part-size",
        metavar="BYTES",
        type=_bytes,
        default=0,
        help="how large a part is, such as 2M (default: 64K to 8M, by the size of the inputs)",
    )
    group.add_argument("--compress", choices=("zst",), default="", help="pack the part files")


def _bytes(text: str) -> int:
    match = _SIZE.fullmatch(text.strip())
    if not match or not int(match[1]):
        raise argparse.ArgumentTypeError(f"{text!r} is no size; write bytes, such as 8M")
    return int(match[1]) * _UNITS[match[2].lower()]


def _seconds(text: str) -> float:
    with contextlib.suppress(ValueError):
        if 0 < (seconds := float(text)) < float("inf"):
            return seconds
    raise argparse.ArgumentTypeError(f"{text!r} is no time to wait; write seconds, such as 300")


@dataclass(frozen=True, slots=True)
class InParts:
    """A run in parts that is done.

    Attributes:
        rows: its rows with their verdicts, in the order of the inputs.
        facts: why it is not whole, and what judged.
        gather: puts all of it onto a shelf without reading each verdict, see `scale.merge.gather`.
    """

    rows: Iterator[Checked]
    facts: RunFacts
    gather: Callable[[Shelf], RunFacts | None]


def is_asked(args: argparse.Namespace) -> bool:
    """Whether a check is to be done in parts.

    Raises:
        InputError: it is not, and an input can be read in parts alone.
    """
    if args.jobs or args.engine or args.work or args.compress or os.environ.get(VARIABLE, "").strip():
        return True
    # Nothing of the room is loaded for the usual run.
    for path in args.paths:
        if _ADDRESS.match(path) or path.lower().endswith((".parquet", ".jsonl.gz", ".jsonl.zst")):
            raise InputError("is read in parts alone", path=path, hint="add --jobs auto")
    return False


def plan_alone(args: argparse.Namespace, effective: Effective) -> int:
    """Make the plan and leave its parts to others; the exit status.

    Raises:
        SettingsError: no folder is named.
    """
    from pytest_grounding.scale import folder as work

    if not args.work:
        raise SettingsError("engine = 'none' leaves a plan for others; name its folder with --work")
    with work.alone_in(Path(args.work)):
        plan = _maker(args, effective, Path(args.work), keep=bool(args.report))(set())
        done = len(work.enter(plan, replace=False))
    print(f"{counted(len(plan.parts), 'part')}, {done} of them finished, in {args.work}")
    return 0


@contextlib.contextmanager
def in_parts(
    args: argparse.Namespace, effective: Effective, trail: Trail | None, *, keep: bool
) -> Iterator[InParts]:
    """Do a check in parts, and hold its work folder until its report is written.

    Args:
        args: what was parsed.
        effective: the settings in force.
        trail: takes what the parts wrote to audit logs.
        keep: keep all transcripts, for reports that show them.

    Raises:
        GroundingError: the run cannot go on; what is finished is kept.
    """
    from pytest_grounding.scale import folder as work
    from pytest_grounding.scale.drive import drive
    from pytest_grounding.scale.feed import checked_rows, refuse_none
    from pytest_grounding.scale.merge import gather
    from pytest_grounding.scale.progress import Progress

    execute = _engine(args)
    folder = Path(args.work) if args.work else work.default_folder([sorted(args.paths), sorted(args.sources)])
    make = _maker(args, effective, folder, keep=keep)
    with work.alone_in(folder):
        ledger = drive(folder, make, execute, Progress(args.progress), replace=not args.work)
        try:
            if args.sources:
                _refuse_nowhere(args.sources, ledger)
            refuse_none(ledger)
        except InputError:
            if not args.work:
                work.remove(folder)
            raise
        if trail is not None:
            _add_to(trail, ledger)
        yield InParts(checked_rows(ledger), _facts(ledger), lambda shelf: gather(ledger, shelf))
        is_done = not ledger.unscored
    if is_done and not args.work:
        work.remove(folder)


def _maker(args: argparse.Namespace, effective: Effective, folder: Path, *, keep: bool) -> Make:
    """What makes the plan.

    Raises:
        SettingsError: no transcript could be validated with the settings.
        InputError: recorded judgements or the file of the waivers cannot be read.
    """
    from pytest_grounding.engine.readiness import refuse_unusable
    from pytest_grounding.scale import folder as work

    refuse_unusable(effective.settings)

    def make(whole: set[str]) -> Plan:
        from pytest_grounding.scale.planning import make_plan

        return make_plan(
            args.paths,
            effective.settings,
            folder,
            settings_for=effective.for_path,
            sources=args.sources,
            keep=work.keeping(folder, "all" if keep else "failed"),
            compress=cast('Literal["", "zst"]', args.compress),
            part_bytes=args.part_size,
            whole=whole,
        )

    return make


def _engine(args: argparse.Namespace) -> Execute:
    """Who does the parts.

    Raises:
        SettingsError: the engine or the number of jobs is none.
    """
    from pytest_grounding.scale.drive import number_of_jobs

    try:
        jobs = number_of_jobs(args.jobs or os.environ.get(VARIABLE, "").strip() or "auto")
    except SettingsError as error:
        raise error if args.jobs else SettingsError(f"{error} (from the variable {VARIABLE})") from None
    name, _, address = (args.engine or "processes").partition("=")
    if name == "dask":
        from pytest_grounding.scale import cluster

        return lambda ledger: cluster.execute(ledger, jobs, address, args.patience)
    if name != "processes" or address:
        raise SettingsError(
            f"engine = {args.engine!r} is not known; write processes, dask, dask=tcp://HOST:PORT or none"
        )
    from pytest_grounding.scale import processes

    def run(ledger: Ledger) -> Generator[None, None, None]:
        return processes.execute(ledger, jobs)

    return run


def _facts(ledger: Ledger) -> RunFacts:
    from pytest_grounding.model.run import RunFacts
    from pytest_grounding.scale.feed import unscored

    judgements = tuple(use for result in ledger.results.values() for use in result.judgements)
    return RunFacts(interrupted=unscored(ledger), judgements=judgements)


def _refuse_nowhere(sources: Sequence[str], ledger: Ledger) -> None:
    """Refuse sources that no transcript comes from."""
    results = ledger.results.values()
    left_out = sum(result.counts.get("left_out", 0) for result in results)
    seen = sum(result.rows - result.counts.get("problems", 0) for result in results if not result.failure)
    if left_out and not seen:
        known = {name for result in results for name in result.tables.get("sources", {})}
        raise arguments.no_source(sources, sorted(known))


def _add_to(trail: Trail, ledger: Ledger) -> None:
    """Tell of the audit logs what the workers wrote to them."""
    for result in ledger.results.values():
        data: dict[str, Any] = {
            "written": dict(result.tables.get("audit_written", {})),
            "missed": dict(result.tables.get("audit_missed", {})),
            "failed": bool(result.counts.get("audit_failed")),
        }
        trail.add(data)

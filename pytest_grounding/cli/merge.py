"""``pytest-grounding merge``: decide once over the parts of a suite that several jobs ran."""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_grounding.cli.arguments import named, whole_number

if TYPE_CHECKING:
    from pytest_grounding.baseline.tally import Tally
    from pytest_grounding.model.run import RunReport
    from pytest_grounding.model.shard import Shard

HELP = "merge the shard reports of several jobs and decide the gate over all of them"
EPILOG = (
    "The settings are those of the jobs, which must agree. Exit status: 0 the whole suite passed, 1 the gate "
    "failed or could not decide, 2 a shard is missing, there twice, unreadable, or of other settings."
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    parser.add_argument(
        "files",
        nargs="+",
        metavar="FILE",
        help="what --grounding-shard-report wrote, or a work folder of check --jobs",
    )
    parser.add_argument(
        "--expect",
        type=whole_number(1),
        metavar="N",
        help="how many jobs there are; a missing one is an error",
    )
    parser.add_argument(
        "--baseline", type=named, metavar="FILE", help="hold the merged run against this baseline"
    )
    parser.add_argument(
        "--baseline-update", action="store_true", help="write the baseline anew from the merged run"
    )
    parser.add_argument(
        "--allow-new",
        action="store_true",
        help="let the baseline that is written take new findings too, where baseline_gate = new",
    )
    parser.add_argument(
        "-o",
        "--output",
        "--out",
        type=named,
        metavar="FILE",
        help="write the merged shards, to merge them further",
    )
    parser.add_argument("--json", action="store_true", help="print the run's report as JSON")


def run(args: argparse.Namespace) -> int:
    """Merge, print and decide; see `EPILOG` for the exit status."""
    from pytest_grounding.baseline.shards import check_number
    from pytest_grounding.errors import InputError

    if args.baseline_update and not args.baseline:
        raise InputError("--baseline-update names no file", hint="add --baseline FILE")
    if args.baseline_update:
        from pytest_grounding.baseline.store import refuse_foreign

        refuse_foreign(args.baseline)
    shard, tally = _merged(args.files)
    if args.expect is not None:
        check_number(shard, args.expect)
    if args.output:
        _write(shard.model_copy(update={"report": shard.report.in_memory()}), args.output)
    report = _decided(args, shard, tally)
    if args.json:
        sys.stdout.writelines(report.json_pieces())
    else:
        from pytest_grounding.cli.check import print_run

        print(f"shards: {len(shard.parts)}")
        print_run(report)
    # A merge is there to decide: what stays undecided has not passed.
    return 0 if report.gate is not None and report.gate.status in ("pass", "off") else 1


def _merged(files: list[str]) -> tuple[Shard, Tally | None]:
    """All files as one shard, and what its verdicts add up to where that is known."""
    from pytest_grounding.baseline.shards import merge_shards, read_shard, settings_of
    from pytest_grounding.model.run import RunReport

    folders = [Path(file) for file in dict.fromkeys(files) if Path(file).is_dir()]
    shards = [read_shard(file) for file in files if not Path(file).is_dir()]
    if not folders:
        return merge_shards(shards), None
    from pytest_grounding.scale.folder import read_plan
    from pytest_grounding.scale.merge import merged
    from pytest_grounding.scale.shelf import Shelf

    # The first one's settings count; those of the others are held against them before anything is decided.
    settings = settings_of(shards[0]) if shards else read_plan(folders[0]).settings[0]
    shelf = Shelf(settings)
    bare = merged(folders, shards, shelf)
    report = RunReport.shelved(shelf.verdicts, bare.report.run)
    return bare.model_copy(update={"report": report}), shelf.tally


def _decided(args: argparse.Namespace, shard: Shard, tally: Tally | None) -> RunReport:
    from pytest_grounding.baseline.ratchet import holds_findings
    from pytest_grounding.baseline.renewal import renew
    from pytest_grounding.baseline.shards import settings_of
    from pytest_grounding.baseline.store import read_baseline, write_baseline
    from pytest_grounding.baseline.suite import decide
    from pytest_grounding.errors import SettingsError

    settings = settings_of(shard)
    by_new = settings.baseline_gate == "new"
    if by_new and not args.baseline:
        raise SettingsError("the jobs ran with baseline_gate = new; name their baseline with --baseline FILE")
    words = [*args.files, "--baseline", args.baseline or "", "--baseline-update"]
    refresh = f"pytest-grounding merge {shlex.join(words)}"
    if args.baseline_update:
        old = read_baseline(args.baseline) if by_new and os.path.lexists(args.baseline) else None
        held = old if old is not None and holds_findings(old) else None
        report = decide(shard.report, settings, held, refresh=refresh, tally=tally)
        found = renew(old, report, settings, allow_new=args.allow_new)
        write_baseline(found.baseline, args.baseline)
        print(f"baseline written: {args.baseline}", file=sys.stderr)
        if found.refused:
            from pytest_grounding.reports.terminal import safe

            print(f"pytest-grounding: {safe(found.refusal('--allow-new'))}", file=sys.stderr)
        return report
    baseline = read_baseline(args.baseline) if args.baseline else None
    return decide(shard.report, settings, baseline, refresh=refresh, tally=tally)


def _write(shard: Shard, file: str) -> None:
    from pytest_grounding.baseline.shards import write_shard
    from pytest_grounding.errors import InputError

    try:
        write_shard(shard, file)
    except OSError as error:
        raise InputError(f"cannot be written ({error.strerror or error})", path=file) from error

"""``pytest-grounding merge``: combine the reports of several jobs and decide, or write reports of a run."""

from __future__ import annotations

import argparse
import os
import shlex
import sys

from pytest_grounding.cli import write_reports as report
from pytest_grounding.cli.check import print_run
from pytest_grounding.errors import InputError, SettingsError
from pytest_grounding.model.run_report import RunReport, Shard
from pytest_grounding.reports.terminal import safe
from pytest_grounding.reports.write import parse_target
from pytest_grounding.suite.baseline_file import read_baseline, refuse_foreign, write_baseline
from pytest_grounding.suite.known_findings import renew
from pytest_grounding.suite.shards import (
    check_number,
    merge_shards,
    read_shard,
    settings_of_shards,
    whole_report,
)
from pytest_grounding.suite.suite_figures import decide_suite

add_arguments = report.add_arguments


def run(args: argparse.Namespace) -> int:
    """Merge, print and decide; ``commands.tsv`` has the exit status."""
    targets = list(map(parse_target, args.report))
    if targets and len(args.files) == 1 and report.is_run(args.files[0]):
        report.deliver_run(args, report.read_run(args.files[0]), targets)
        return 0
    if args.baseline_update and not args.baseline:
        raise InputError("--baseline-update names no file", hint="add --baseline FILE")
    if args.baseline_update:
        refuse_foreign(args.baseline)
    shard = merge_shards(list(map(read_shard, args.files)))
    if args.expect is not None:
        check_number(shard, args.expect)
    decided = _decided(args, shard)
    if args.json:
        sys.stdout.write(decided.to_json())
    else:
        print(f"shards: {len(shard.parts)}")
        print_run(decided)
    if targets:
        report.deliver_run(args, decided, targets, to_stderr=args.json)
    # Merging is meant to decide: undecided is not passed.
    return 0 if decided.gate is not None and decided.gate.status in ("pass", "off") else 1


def _decided(args: argparse.Namespace, shard: Shard) -> RunReport:
    settings, whole = settings_of_shards(shard), whole_report(shard)
    by_new = settings.baseline_gate == "new"
    if by_new and not args.baseline:
        raise SettingsError("the jobs ran with baseline_gate = new; name their baseline with --baseline FILE")
    words = [*args.files, "--baseline", args.baseline or "", "--baseline-update"]
    refresh = f"pytest-grounding merge {shlex.join(words)}"
    if args.baseline_update:
        old = read_baseline(args.baseline) if by_new and os.path.lexists(args.baseline) else None
        merged = decide_suite(whole, settings, old, refresh=refresh)
        found = renew(old, merged, settings, allow_new=args.allow_new)
        write_baseline(found.baseline, args.baseline)
        print(f"baseline written: {args.baseline}", file=sys.stderr)
        if found.refused:
            print(f"pytest-grounding: {safe(found.refusal('--allow-new'))}", file=sys.stderr)
        return merged
    baseline = read_baseline(args.baseline) if args.baseline else None
    return decide_suite(whole, settings, baseline, refresh=refresh)

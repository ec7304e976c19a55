"""``pytest-grounding baseline``: write the accepted figures of a suite, or show them."""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from collections.abc import Iterable

from pytest_grounding._io.wording import counted
from pytest_grounding.cli import configuration, transcripts
from pytest_grounding.cli.check import validated
from pytest_grounding.errors import InputError
from pytest_grounding.model.comparison import HeldFinding
from pytest_grounding.reports.terminal import safe, text_of
from pytest_grounding.suite.baseline_file import read_baseline, refuse_foreign, write_baseline
from pytest_grounding.suite.known_findings import held_in_words, prune_baseline, renew


def run(args: argparse.Namespace) -> int:
    """Write, prune or show; ``commands.tsv`` has the exit status."""
    if args.prune:
        return _prune_baseline(args)
    if args.yes:
        raise InputError("--yes takes out what --prune shows", hint="add --prune")
    if args.paths:
        return _write_new_baseline(args)
    print(text_of("baseline", read_baseline(args.file)))
    return 0


def _write_new_baseline(args: argparse.Namespace) -> int:
    effective = configuration.effective(args)
    refuse_foreign(args.file)
    transcripts.say_left_out(args.paths, effective.settings)
    # Without the policy "new" the old baseline does not matter, and may be damaged.
    by_new = effective.settings.baseline_gate == "new" and os.path.lexists(args.file)
    old = read_baseline(args.file) if by_new else None
    report, _ = validated(args.paths, effective)
    found = renew(old, report, effective.settings, allow_new=args.allow_new)
    write_baseline(found.baseline, args.file)
    print(f"baseline written: {args.file}, {held_in_words(found.baseline)}")
    _say("gone", found.gone)
    for identifier in found.vanished:
        print(f"vanished {_safe(identifier)}")
    if found.refused:
        print(f"pytest-grounding: {_safe(found.refusal('--allow-new'))}", file=sys.stderr)
        return 1
    return 0


def _prune_baseline(args: argparse.Namespace) -> int:
    if not args.paths:
        hint = f"write: pytest-grounding baseline {args.file} PATH... --prune"
        raise InputError("--prune names no transcripts, so that nothing is known to be gone", hint=hint)
    effective = configuration.effective(args)
    old = read_baseline(args.file)
    report, _ = validated(args.paths, effective)
    again = f"pytest-grounding baseline {shlex.join([args.file, *args.paths])}"
    found = prune_baseline(old, report, effective.settings, again)
    if not found.gone:
        print(f"{args.file}: nothing is gone")
        return 0
    if args.yes:
        write_baseline(found.baseline, args.file)
    _say("removed" if args.yes else "would remove", found.gone)
    left = sum(line.number for entry in found.baseline.transcripts for line in entry.known or ())
    if args.yes:
        print(f"{args.file}: {counted(left, 'known finding')} left")
    else:
        print(f"nothing was changed; pass --yes to remove {'it' if len(found.gone) == 1 else 'them'}")
    return 0


def _say(word: str, found: Iterable[HeldFinding]) -> None:
    for item in found:
        print(f"{word} {_safe(item.said)}")


def _safe(text: str) -> str:
    return " ".join(safe(text).split())

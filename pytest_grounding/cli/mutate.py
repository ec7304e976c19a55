"""``pytest-grounding mutate``: plant known faults, and report which ones the gate catches."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from pytest_grounding._io.wording import counted
from pytest_grounding.cli import configuration
from pytest_grounding.cli.parser import share
from pytest_grounding.errors import InputError, SettingsError
from pytest_grounding.gate import wanted_status
from pytest_grounding.importers.load_files import Row
from pytest_grounding.model.transcript import Transcript
from pytest_grounding.mutation import FAULTS, fault_names, mutate
from pytest_grounding.mutation.mutate_files import failure_modes
from pytest_grounding.reports.terminal import text_of
from pytest_grounding.settings import Settings
from pytest_grounding.testing import write_transcripts

_SHOWN = 3  # survivors of each fault


def run(args: argparse.Namespace) -> int:
    """Mutate, print and decide; ``commands.tsv`` has the exit status."""
    for name in args.fault:
        _known(name, fault_names(), "--fault")
    faults = [fault for fault in FAULTS if not args.fault or fault.name in args.fault]
    names = [fault.name for fault in faults]
    wanted = [_minimum(text, names) for text in args.min_catch]
    settings = configuration.effective(args).settings
    transcripts, left_out, unread = _read_rows(args.paths, settings)
    if not transcripts:
        raise InputError("nothing to mutate: no transcript could be used", hint="see the messages above")
    given = {"seed": args.seed, "limit": args.limit, "faults": faults, "left_out": left_out}
    report = mutate(transcripts, settings, **given).decided(wanted)
    if args.json:
        sys.stdout.write(report.to_json())
    else:
        print(text_of("mutation", report, _SHOWN))
    if args.output:
        kept = failure_modes(transcripts, settings, faults, args.seed, args.limit)
        if not kept:
            raise InputError("no planted fault is rejected, so none is kept", hint="use stricter settings")
        write_transcripts(args.output, kept)
        print(f"written: {args.output}, {counted(len(kept), 'answer')} to be rejected", file=sys.stderr)
    if unread:
        return 2
    return 1 if report.status == "fail" else 0


def _read_rows(paths: list[str], settings: Settings) -> tuple[list[Transcript], list[str], list[Row]]:
    """The transcripts to use, the ids of those expected to fail, and the unreadable rows."""
    from pytest_grounding.cli import transcripts

    used: list[Transcript] = []
    left_out: list[str] = []
    unread: list[Row] = []
    for _, transcript in transcripts.readable(paths, settings, unread):
        if wanted_status(transcript) in ("review", "reject"):
            left_out.append(transcript.id)
        else:
            used.append(transcript)
    return used, left_out, unread


def _minimum(text: str, names: Sequence[str]) -> tuple[str, float]:
    name, sign, value = text.rpartition("=")
    if sign:
        _known(name, names, "--min-catch")
    try:
        return name, share(value)
    except argparse.ArgumentTypeError:
        advice = "write a number from 0 to 1, or FAULT=NUMBER"
        raise SettingsError(f"--min-catch {text!r} is not a rate; {advice}") from None


def _known(name: str, names: Sequence[str], option: str) -> None:
    if name not in names:
        raise SettingsError(f"{option}: fault {name!r} is not planted; write one of: {', '.join(names)}")

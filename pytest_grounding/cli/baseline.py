"""``pytest-grounding baseline``: write the accepted figures of a suite, or show them."""

from __future__ import annotations

import argparse

from pytest_grounding.cli import configuration

HELP = "write the accepted figures of a suite to a baseline file, or show one"
EPILOG = (
    "With paths the transcripts are validated and the baseline is written anew; without, it is shown. "
    "Exit status: 0 done, 2 usage or unreadable input."
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    parser.add_argument("file", metavar="FILE", help="the baseline")
    parser.add_argument("paths", nargs="*", metavar="PATH", help="a transcript file, a folder or a pattern")
    configuration.add_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Write or show; see `EPILOG` for the exit status."""
    return _write(args) if args.paths else _show(args.file)


def _write(args: argparse.Namespace) -> int:
    from pytest_grounding.baseline.store import baseline_of, write_baseline
    from pytest_grounding.cli.check import validated

    effective = configuration.effective(args)
    report = validated(args.paths, effective, say=False)
    baseline = baseline_of(report, effective.settings)
    write_baseline(baseline, args.file)
    print(f"baseline written: {args.file}, {len(baseline.transcripts)} transcripts")
    return 0


def _show(file: str) -> int:
    from pytest_grounding.baseline.store import read_baseline
    from pytest_grounding.reports.terminal import safe

    baseline = read_baseline(file)
    print(f"engine {baseline.engine_version}, settings {baseline.settings_hash}")
    for name, value in baseline.settings.items():
        print(f"  {name} = {safe(str(value))}")
    for name, value in baseline.figures.items():
        print(f"{name.replace('_', ' ')}: {'none' if value is None else f'{value:g}'}")
    for entry in baseline.transcripts:
        confidence = "none" if entry.confidence is None else f"{entry.confidence:.2f}"
        print(f"{entry.status}: {safe(entry.id)} (confidence {confidence})")
    return 0

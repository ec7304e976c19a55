"""``pytest-grounding calibrate``: choose settings and fit the confidence on labelled answers."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from pytest_grounding._io.jsonio import write_atomic, write_json
from pytest_grounding.calibration import Goal, Label, Planted, fit, read_labels, tune
from pytest_grounding.calibration.tuning import tuning_lines
from pytest_grounding.cli import configuration
from pytest_grounding.cli.adoption.configfile import table_in, with_keys
from pytest_grounding.cli.agreement import measure
from pytest_grounding.cli.arguments import named, share
from pytest_grounding.cli.configuration import Effective
from pytest_grounding.errors import InputError
from pytest_grounding.mutation.mutate_files import places
from pytest_grounding.settings import Settings
from pytest_grounding.suite.stats import wilson

EPILOG = (
    'A label is one line of JSON: {"transcript": {...}, "correct": true} or '
    '{"confidence": 0.83, "correct": true}; see docs/calibration.md. '
    "Exit status: 0 done, 1 what was asked for cannot be reached, 2 wrong usage or unusable labels. "
    "No file is written but those that are named, or asked for by --write."
)
#: Planted faults of each kind: enough to see a kind go blind.
_FAULTS = 8


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    parser.add_argument("labels", metavar="LABELS", help="JSON Lines file of labels")
    parser.add_argument(
        "-o", "--output", type=named, metavar="FILE", help="write the calibration map to this file"
    )
    parser.add_argument(
        "--model",
        choices=("learned", "self_rag", "tiered"),
        default="learned",
        help="the confidence to calibrate",
    )
    parser.add_argument(
        "--catch", type=share, metavar="RATE", help="the share of the wrong answers that must be stopped"
    )
    parser.add_argument(
        "--reject",
        "--false-rejection",
        dest="reject",
        type=share,
        metavar="RATE",
        help="the share of the right answers that may fail",
    )
    parser.add_argument(
        "--write", action="store_true", help="write the chosen settings to pytest's configuration file"
    )
    parser.add_argument(
        "--judge",
        action="store_true",
        help="measure how far the judge agrees with people, from the cassette; -o writes it down",
    )
    configuration.add_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Fit, print the figures, write what was asked for; see `EPILOG` for the exit status."""
    _refuse_unused(args)
    effective = configuration.effective(args)
    if args.judge:
        return measure(args, effective)
    labels = list(read_labels(args.labels, effective.settings, model=args.model))
    scored = [label for label in labels if label.scored]
    if any(label.transcript is not None for label in labels):
        status = _settings(args, labels, effective)
        return max(status, _map(args, scored, effective.settings, optional=not args.output))
    for option, is_given in (("--write", args.write), ("--catch", args.catch), ("--reject", args.reject)):
        if is_given:
            problem = "no label holds a transcript, so there are no settings to choose"
            raise InputError(problem, path=args.labels, hint=f"give transcripts, or leave out {option}")
    return _map(args, scored, effective.settings, optional=False)


def _refuse_unused(args: argparse.Namespace) -> None:
    given = {
        "--catch": args.catch is not None,
        "--reject": args.reject is not None,
        "--write": args.write,
        "--model": args.model != "learned",
    }
    unused = [name for name, is_given in given.items() if is_given]
    if args.judge and unused:
        raise InputError(
            f"--judge does not go together with {', '.join(unused)}",
            hint="leave out one of them, and run calibrate once more with the other",
        )


def _settings(args: argparse.Namespace, labels: Sequence[Label], effective: Effective) -> int:

    goal = Goal(args.catch, args.reject)
    tuning = tune(labels, effective.settings, goal, planted(labels, effective.settings))
    for line in tuning_lines(tuning, goal, wilson):
        print(line)
    if not tuning.reached:
        print("nothing is written", file=sys.stderr)
        return 1
    if args.write and tuning.changes:
        print(f"written: {_write(effective, tuning.changes)}")
    return 0


def _write(effective: Effective, changes: dict[str, Any]) -> Path:

    table = table_in(effective.file, Path.cwd())
    text = with_keys(table, {f"{configuration.PREFIX}{name}": value for name, value in changes.items()})
    write_atomic(table.path, text)
    return table.path


def planted(labels: Sequence[Label], settings: Settings) -> list[Planted]:
    """Known faults in right answers, each in a place that the settings in force find supported."""
    from pytest_grounding.mutation.site import named_by

    origins: dict[str, int] = {}
    for number, label in enumerate(labels):
        if label.correct and label.transcript is not None:
            origins.setdefault(label.transcript.id, number)
    chosen = [labels[number] for number in origins.values()]
    transcripts = [label.transcript for label in chosen if label.transcript is not None]
    verdicts = [label.verdict for label in chosen if label.verdict is not None]

    return [
        Planted(mutant.transcript, origins[site.transcript.id], partial(_is_named, named_by, mutant))
        for site, mutant in places(transcripts, verdicts, settings, limit=_FAULTS)
    ]


def _is_named(named_by: Any, mutant: Any, before: Any, after: Any) -> bool:
    return named_by(before, after, mutant) is not None


def _map(args: argparse.Namespace, labels: Sequence[Label], settings: Settings, *, optional: bool) -> int:

    try:
        found = fit(labels, model=args.model)
    except InputError as error:
        if not optional:
            raise
        print(f"no calibration map: {error}")
        return 0
    print(f"labels: {found.labels}, {found.correct} right, {found.labels - found.correct} wrong")
    print(f"cross-validated log loss: {found.log_loss:.4f}")
    print(f"expected calibration error: {found.ece_before:.3f} before, {found.ece_after:.3f} after")
    if not found.tells_apart:
        print(
            f"note: this confidence does not tell right answers from wrong ones: the share of right answers "
            f"alone has log loss {found.log_loss_of_share:.4f}; the map gives nearly every answer that share"
        )
    if args.output:
        write_json(args.output, found.as_dict())
        print(
            f"written: {args.output}; use it with: calibration = {args.output}, confidence_model = calibrated"
        )
    return 0

"""``pytest-grounding calibrate``: fit the confidence on labelled answers."""

from __future__ import annotations

import argparse

from pytest_grounding.cli import configuration
from pytest_grounding.cli.arguments import share

HELP = "fit the calibrated confidence, and thresholds, on labelled answers"
EPILOG = (
    'A label is one line of JSON: {"transcript": {...}, "correct": true} or '
    '{"confidence": 0.83, "correct": true}. Use the file through the setting "calibration".'
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    parser.add_argument("labels", metavar="LABELS", help="JSON Lines file of labels")
    parser.add_argument("-o", "--output", metavar="FILE", help="write the calibration map to this file")
    parser.add_argument(
        "--model", choices=("self_rag", "tiered"), default="self_rag", help="the confidence to calibrate"
    )
    parser.add_argument(
        "--catch", type=share, metavar="RATE", help="find the threshold that catches this share"
    )
    parser.add_argument(
        "--false-rejection",
        type=share,
        metavar="RATE",
        help="find the threshold that rejects at most this share of right answers",
    )
    configuration.add_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Fit, print the figures, write the file."""
    from pytest_grounding._jsonio import write_json
    from pytest_grounding.calibration import (
        fit,
        read_labels,
        threshold_for_catch,
        threshold_for_false_rejection,
    )

    settings = configuration.effective(args).settings
    labels = list(read_labels(args.labels, settings, model=args.model))
    found = fit(labels, model=args.model)
    print(f"labels: {found.labels}, {found.correct} right, {found.labels - found.correct} wrong")
    losses = ", ".join(f"{name} {loss:.4f}" for name, loss in sorted(found.log_loss.items()))
    print(f"cross-validated log loss: {losses}; kept: {found.kind}")
    print(f"expected calibration error: {found.ece_before:.3f} before, {found.ece_after:.3f} after")
    for rate, finder, words in (
        (args.catch, threshold_for_catch, "catch rate of at least"),
        (args.false_rejection, threshold_for_false_rejection, "false rejection of at most"),
    ):
        if rate is not None:
            threshold = finder(labels, rate)
            print(
                f"for a {words} {rate:.0%}: accept_confidence = {threshold.value} "
                f"(catches {threshold.catch_rate:.0%} of the wrong answers, "
                f"rejects {threshold.false_rejection:.0%} of the right ones)"
            )
    if args.output:
        write_json(args.output, found.as_dict())
        print(
            f"written: {args.output}; use it with: calibration = {args.output}, confidence_model = calibrated"
        )
    return 0

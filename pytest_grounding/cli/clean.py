"""``pytest-grounding show clean``: answers without the citations that do not hold."""

from __future__ import annotations

import argparse
import json
import sys

from pytest_grounding.cli import configuration, transcripts
from pytest_grounding.engine import clean_answer, insert_citations

EPILOG = (
    "One JSON object a line: id, answer, and whether that changed it. No file is written. Exit status: 0 all "
    "answers printed, 2 wrong usage or unreadable input."
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    parser.add_argument("paths", nargs="+", metavar="PATH", help="a transcript file, a folder or a pattern")
    parser.add_argument(
        "--text", action="store_true", help="print the answers alone, a blank line between them"
    )
    parser.add_argument(
        "--insert",
        action="store_true",
        help="also put a marker [n] behind each supported claim that cites nothing",
    )
    configuration.add_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Print the cleaned answers; 2 when a row could not be read."""
    settings = configuration.effective(args).settings
    problems = 0
    first = True
    for row in transcripts.rows(args.paths, settings):
        if row.transcript is None:
            problems += 1
            print(row.error, file=sys.stderr)
            continue
        answer = clean_answer(row.transcript, settings)
        if args.insert:
            answer = insert_citations(row.transcript.model_copy(update={"answer": answer}), settings)
        if args.text:
            print(answer if first else f"\n{answer}")
        else:
            changed = answer != row.transcript.answer
            record = {"id": row.transcript.id, "answer": answer, "changed": changed}
            print(json.dumps(record, ensure_ascii=False))
        first = False
    return 2 if problems else 0

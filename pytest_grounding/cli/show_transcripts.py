"""``pytest-grounding show transcripts``: convert recordings of other formats to transcripts."""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Iterator
from itertools import chain
from typing import Any

from pytest_grounding._io import jsonio
from pytest_grounding._io.jsonio import STANDARD, canonical_json
from pytest_grounding._io.wording import counted
from pytest_grounding.cli import configuration, transcripts
from pytest_grounding.errors import InputError
from pytest_grounding.importers.load_files import Row
from pytest_grounding.settings import Settings


def run(args: argparse.Namespace) -> int:
    """Convert; 2 if a row could not be read."""
    if args.output != STANDARD:
        return _convert(args)
    with jsonio.standard_output(sys.stdout), contextlib.redirect_stdout(sys.stderr):
        return _convert(args)


def _convert(args: argparse.Namespace) -> int:
    counts = {"written": 0, "failed": 0, "notes": 0}
    values = _shown_values(args, configuration.effective(args).settings, counts)
    first = next(values, None)
    if first is not None and args.output.lower().endswith(".json"):
        if next(values, None) is not None:
            hint = "write to a name that ends in .jsonl"
            raise InputError("takes one transcript, and there are more", path=args.output, hint=hint)
        jsonio.write_json(args.output, first)
    elif first is not None:
        # Nothing is written if nothing could be read: an empty suite would look finished.
        jsonio.write_json_lines(args.output, chain([first], values))
    if counts["written"]:
        verb = "was" if counts["written"] == 1 else "were"
        written = f"{counted(counts['written'], 'transcript')} {verb} written to {args.output}"
        print(f"{written}, with {counted(counts['notes'], 'note')}")
    else:
        print(f"nothing was written to {args.output}")
    return 2 if counts["failed"] or not counts["written"] else 0


def _shown_values(
    args: argparse.Namespace, settings: Settings, counts: dict[str, int]
) -> Iterator[dict[str, Any]]:
    unread: list[Row] = []
    for row, transcript in transcripts.readable(args.paths, settings, unread):
        value = transcript.model_dump(mode="json", exclude_defaults=True)
        value["schema_version"] = transcript.schema_version
        try:
            canonical_json(value)
        except ValueError:
            counts["failed"] += 1
            problem = "metadata: contains a number that JSON cannot express; write a finite one"
            print(f"{row.path}:{row.line}: {problem}", file=sys.stderr)
            continue
        counts["written"] += 1
        counts["notes"] += len(transcript.notes)
        yield value
    counts["failed"] += len(unread)

"""``pytest-grounding compare``: whether two recordings of the same questions agree."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator

from pytest_grounding._io.jsonio import canonical_document
from pytest_grounding.cli import configuration, transcripts
from pytest_grounding.cli.configuration import Effective
from pytest_grounding.engine.validation import examine
from pytest_grounding.errors import InputError
from pytest_grounding.reports.terminal import text_of
from pytest_grounding.suite.relations import Answered, as_plain, flakiness, paired


def run(args: argparse.Namespace) -> int:
    """Compare; ``commands.tsv`` has the exit status."""
    effective = configuration.effective(args)
    if args.second is None:
        return _compare_settings(args, effective)
    first, second = (list(answered(path, effective)) for path in (args.first, args.second))
    relations, alone = paired(first, second)
    flaky = list(map(flakiness, (first, second)))
    broken = [relation for relation in relations if not relation.holds]
    if args.json:
        sys.stdout.write(canonical_document(as_plain(relations, alone, flaky)))
        return 1 if broken else 0
    repeated = list(zip((args.first, args.second), flaky, strict=True))
    print(text_of("compared", broken, relations, alone, repeated))
    return 1 if broken else 0


def _compare_settings(args: argparse.Namespace, changed: Effective) -> int:
    if not args.assignments and args.profile is None:
        hint = "name other recordings, or settings: --set NAME=VALUE, --profile NAME"
        raise InputError("there is nothing to compare with", path=args.first, hint=hint)
    usual = configuration.effective(argparse.Namespace(assignments=()))
    pairs = list(zip(answered(args.first, usual), answered(args.first, changed), strict=True))
    moved = [(old.verdict, new.verdict) for old, new in pairs if old.verdict.status != new.verdict.status]
    if args.json:
        rows = [{"id": new.id, "statuses": [old.status, new.status]} for old, new in moved]
        sys.stdout.write(canonical_document({"changed": rows, "verdicts": len(pairs)}))
    else:
        print(text_of("compared_settings", moved, pairs))
    return 1 if moved else 0


def answered(path: str, effective: Effective) -> Iterator[Answered]:
    """The recordings of a path with their verdicts."""
    for row, transcript in transcripts.all_of([path], effective.settings):
        verdict = examine(transcript, effective.for_path(row.path), place=row.place).verdict
        yield Answered(transcript, verdict)

"""``pytest-grounding show cassette``: the recorded answers, their age, and which are no longer used."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from pytest_grounding._io.wording import counted
from pytest_grounding.cli import configuration, transcripts
from pytest_grounding.engine.validation import validate
from pytest_grounding.errors import InputError
from pytest_grounding.reports.terminal import text_of
from pytest_grounding.scorers.remote.cassette_file import CassetteRecord, Store, usage


def run(args: argparse.Namespace) -> int:
    """List or prune; ``commands.tsv`` has the exit status."""
    settings = configuration.effective(args).settings
    path = Path(settings.cassette)
    store = Store(path)
    if not path.exists() and not store.journal.exists():
        hint = "record one with: pytest --grounding-record=new"
        raise InputError("does not exist", path=str(path), hint=hint)
    if args.action == "merge":
        store.compact()
        print(f"{path}: {len(store)} records")
        return 0
    records = list(store.records())
    if args.action == "list":
        _print(records, args.json)
        return 0
    if not args.check and not args.used:
        problem = "it is not known what is used"
        raise InputError(problem, hint="name transcripts with --check, or a test run with --used")
    used = _used_by_runs(args.used, path, trusted=args.anyway)
    if args.check:
        replay = settings.with_values({"record": "none"})
        for _, transcript in transcripts.all_of(args.check, replay):
            validate(transcript, replay)
        used |= {use.key for use in usage() if Path(use.cassette).absolute() == path.absolute()}
    stale = [record for record in records if record.key not in used]
    _print(stale, args.json)
    if args.action == "stale":
        return 1 if stale else 0
    return _prune_cassette(store, records, stale, does=args.yes)


def _prune_cassette(
    store: Store, records: list[CassetteRecord], stale: list[CassetteRecord], *, does: bool
) -> int:
    if records and len(stale) == len(records):
        hint = "check that the transcripts or the run are those of this cassette"
        raise InputError("no record is used at all, so nothing was pruned", path=str(store.path), hint=hint)
    if not does and stale:
        number = counted(len(stale), "record")
        print(f"{store.path}: nothing was changed; pass --yes to remove {number}", file=sys.stderr)
        return 0
    store.compact(without={record.key for record in stale})
    print(f"{store.path}: {len(stale)} pruned, {len(store)} kept", file=sys.stderr)
    return 0


def _used_by_runs(files: list[str], cassette: Path, *, trusted: bool) -> set[str]:
    used: set[str] = set()
    for file in files:
        try:
            value: Any = json.loads(Path(file).read_text(encoding="utf-8"))
            whole, why, cassettes = value["whole"], value["why_not"], value["cassettes"]
            keys = {Path(name).resolve(): found for name, found in cassettes.items()}
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            hint = "write it with: pytest --grounding-used=FILE"
            raise InputError(f"is not what a run used ({error})", path=file, hint=hint) from None
        if not whole and not trusted:
            problem = f"comes from a run that was not a whole one ({'; '.join(map(str, why))})"
            problem += ", so what it did not use may be in use"
            raise InputError(problem, path=file, hint="run all tests, or say --anyway")
        used.update(keys.get(cassette.resolve(), ()))
    return used


def _print(records: list[CassetteRecord], as_json: bool) -> None:
    rows = [
        {"key": item.key, "scorer": item.request.scorer, "model": item.request.model}
        | {"recorded": item.recorded, "texts": dict(item.request.texts)}
        for item in records
    ]
    print(json.dumps(rows, ensure_ascii=False, indent=2) if as_json else text_of("cassette", records))

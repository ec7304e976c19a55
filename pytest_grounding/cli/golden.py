"""``pytest-grounding golden``: list the goldens, remove unused ones, take an engine upgrade."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_grounding._wording import decimals
from pytest_grounding.cli.arguments import folders

if TYPE_CHECKING:
    from pytest_grounding.golden.store import Store

HELP = "list goldens, remove those that no test uses, accept what an engine upgrade changed"
EPILOG = (
    "Unused goldens are known after a whole run of pytest. upgrade accepts the candidates in which the "
    "recording is the same and only the engine or the settings judge it otherwise."
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    parser.add_argument("action", choices=("list", "prune", "upgrade"), help="what to do")
    parser.add_argument(
        "paths", nargs="*", default=["."], metavar="PATH", help="folders to search (default: this one)"
    )
    parser.add_argument("--yes", action="store_true", help="with prune: remove them; without, they are named")
    parser.add_argument("--dry-run", action="store_true", help="say what would be done, and do nothing")


def run(args: argparse.Namespace) -> int:
    """Do one action; 2 when a golden or candidate could not be read."""
    from pytest_grounding.golden.store import find_stores

    roots = folders(args.paths)
    stores = list(find_stores(roots))
    if args.action == "prune":
        return _prune(stores, dry=args.dry_run or not args.yes)
    if args.action == "upgrade":
        return _upgrade(roots, dry=args.dry_run)
    return _list(stores)


def _list(stores: Sequence[Store]) -> int:
    from pytest_grounding.errors import InputError
    from pytest_grounding.golden.record import read_golden, shown
    from pytest_grounding.reports.terminal import safe

    number = problems = 0
    for store in stores:
        for path in store.goldens():
            try:
                golden = read_golden(path)
            except InputError as error:
                problems += 1
                print(error, file=sys.stderr)
                continue
            number += 1
            verdict = golden.verdict
            line = f"{shown(path)}  {safe(golden.id)}  {verdict.status} {decimals(verdict.confidence)}"
            print(f"{line}  engine {golden.engine_version}, settings {golden.settings_hash}")
    print(f"{number} golden{'' if number == 1 else 's'}")
    return 2 if problems else 0


def _prune(stores: Sequence[Store], *, dry: bool) -> int:
    from pytest_grounding.golden.record import shown
    from pytest_grounding.golden.unused import prunable, prune

    number = 0
    for store in stores:
        for path in prunable(store) if dry else prune(store):
            number += 1
            print(f"{'would remove' if dry else 'removed'} {shown(path)}")
    if not number:
        print("nothing to remove: the last whole run of pytest reported no unused golden")
    elif dry:
        print(f"nothing was changed; say --yes to remove {'it' if number == 1 else 'them'}")
    return 0


def _upgrade(roots: Sequence[Path], *, dry: bool) -> int:
    from pytest_grounding.golden.review import upgrade, waiting

    items, problems = waiting(roots, everything=True)
    for error in problems:
        print(error, file=sys.stderr)
    chosen = [item for item in items if item.record.only_tools and not item.stale]
    if not dry:
        upgrade(chosen)
    for item in chosen:
        print(f"{'would accept' if dry else 'accepted'} {item.place}: {item.record.changes[0].message}")
    if not chosen:
        print("nothing to accept: no candidate changed by the engine or the settings alone")
    return 2 if problems else 0

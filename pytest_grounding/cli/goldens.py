"""``pytest-grounding review goldens``, ``prune`` and ``upgrade``: the goldens themselves."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from pytest_grounding._io.wording import decimals
from pytest_grounding.errors import InputError
from pytest_grounding.golden.golden_file import read_golden, shown
from pytest_grounding.golden.golden_store import Store, find_stores, prunable, prune
from pytest_grounding.golden.review_steps import upgrade, waiting
from pytest_grounding.reports.terminal import safe


def run(action: str, roots: Sequence[Path], *, does: bool) -> int:
    """List, prune or upgrade the goldens below some folders; 2 when one could not be read."""
    stores = list(find_stores(roots))
    if action == "prune":
        return _prune(stores, dry=not does)
    return _upgrade(roots, dry=not does) if action == "upgrade" else _list(stores)


def _list(stores: Sequence[Store]) -> int:

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

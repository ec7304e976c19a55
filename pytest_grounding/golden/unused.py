"""Goldens that no test asked for: what a whole run found, and their removal."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from pathlib import Path

from pytest_grounding._jsonio import iter_records, write_json
from pytest_grounding.errors import InputError
from pytest_grounding.golden.store import GOLDEN_SUFFIX, PENDING, PENDING_SUFFIX, Store

_LIST = "unused.json"


def note_use(store: Store, used: Iterable[Path], *, whole: bool) -> list[Path]:
    """Remember which goldens of a store no test used."""
    asked = {path.name for path in used}
    listed = _listed(store)
    if whole:
        found = [path for path in store.goldens() if path.name not in asked]
        names = [path.name for path in found]
    else:
        found, names = [], [name for name in listed if name not in asked]
    if names != listed:
        path = store.folder / PENDING / _LIST
        with contextlib.suppress(OSError):
            if names:
                store.prepare()
                write_json(path, names)
            else:
                path.unlink(missing_ok=True)
    return found


def prunable(store: Store) -> list[Path]:
    """The goldens that the last whole run found unused, and that are still there."""
    return [store.folder / name for name in _listed(store) if (store.folder / name).exists()]


def prune(store: Store) -> list[Path]:
    """Delete them, with their candidates; the log of decisions stays. Returns what was deleted."""
    removed = prunable(store)
    for path in removed:
        path.unlink()
        name = path.name.removesuffix(GOLDEN_SUFFIX)
        (store.folder / PENDING / f"{name}{PENDING_SUFFIX}").unlink(missing_ok=True)
    (store.folder / PENDING / _LIST).unlink(missing_ok=True)
    return removed


def _listed(store: Store) -> list[str]:
    path = store.folder / PENDING / _LIST
    if not path.exists():
        return []
    for record in iter_records(path):
        if not isinstance(record, InputError) and isinstance(record.value, list):
            # Names alone: whatever stands in the list, nothing outside of the folder is ever touched.
            plain = [str(name) for name in record.value if isinstance(name, str) and Path(name).name == name]
            return [name for name in plain if name.endswith(GOLDEN_SUFFIX)]
    return []

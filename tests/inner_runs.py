"""What makes runs of pytest inside of this process as quick as those of the warm one."""

import os
import sys
import sysconfig
from functools import wraps
from importlib.metadata import Distribution, EntryPoints
from pathlib import Path
from typing import Any

import pytest
import warm_starts
from _pytest.pytester import SysModulesSnapshot

_ROOM = Path(__file__).resolve().parent
#: Where modules lie that no test makes.
_INSTALLED = tuple(
    str(folder) + os.sep
    for folder in {
        *(Path(sysconfig.get_path(name)) for name in ("stdlib", "platstdlib", "purelib", "platlib")),
        _ROOM.parent / "pytest_grounding",
    }
)


def forget_what_tests_made_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a run forget the modules of the test's folder.

    pytest lets it forget all that it imported, and so each would import half of the package anew.
    """
    forget_all = SysModulesSnapshot.restore

    def forget_made(snapshot: SysModulesSnapshot) -> None:
        kept = {name: module for name, module in sys.modules.items() if _is_installed(module)}
        forget_all(snapshot)
        for name, module in kept.items():
            sys.modules.setdefault(name, module)

    monkeypatch.setattr(SysModulesSnapshot, "restore", forget_made)


def _is_installed(module: object) -> bool:
    return (getattr(module, "__file__", None) or "").startswith(_INSTALLED)


def start_workers_warm(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the workers of a run inside of this process be forks of the warm one."""
    run = pytester.inline_run

    @wraps(run)
    def inline_run(*words: Any, **more: Any) -> Any:
        with monkeypatch.context() as patch:
            if any(str(word).startswith("-n") for word in words):
                patch.setattr(sys, "executable", warm_starts.python())
            return run(*words, **more)

    monkeypatch.setattr(pytester, "inline_run", inline_run)


def read_entry_points_once() -> None:
    """Remember what installed packages register: each run asks all of them, and none changes meanwhile."""
    found: dict[str, EntryPoints] = {}
    read = Distribution.entry_points.fget  # type: ignore[attr-defined]
    place = sysconfig.get_path("purelib") + os.sep

    def entry_points(installed: Distribution) -> EntryPoints:
        name = str(getattr(installed, "_path", ""))
        if not name.startswith(place):
            return read(installed)
        if name not in found:
            found[name] = read(installed)
        return found[name]

    Distribution.entry_points = property(entry_points)  # type: ignore[method-assign, assignment]

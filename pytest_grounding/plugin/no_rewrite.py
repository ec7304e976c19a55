"""Keep pytest from rewriting the asserts of this package (PYTEST_DONT_REWRITE).

pytest rewrites every module of a distribution that has a plugin, and a process without byte code
compiles each of them again. The package has no asserts whose details a user should see.
"""

from __future__ import annotations

import atexit
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType

_PACKAGE = __name__.partition(".")[0] + "."


class Plain:
    """Finds the modules of this package as Python does by default."""

    @staticmethod
    def find_spec(
        name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The spec of a module of this package; None for all others."""
        return PathFinder.find_spec(name, path, target) if name.startswith(_PACKAGE) else None


def _leave() -> None:
    if Plain in sys.meta_path:
        sys.meta_path.remove(Plain)


if Plain not in sys.meta_path:
    sys.meta_path.insert(0, Plain)
    # A finder written in Python that is left in place makes the interpreter 7 ms slower to exit.
    atexit.register(_leave)

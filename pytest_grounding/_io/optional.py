"""Import an optional dependency, or name the extra to install."""

from __future__ import annotations

import importlib
from types import ModuleType

from pytest_grounding.errors import MissingExtraError

DISTRIBUTION = "pytest-rag-grounding"


def require(module: str, *, extra: str) -> ModuleType:
    """Import an optional module."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        package = module.partition(".")[0]
        missing = (error.name or "").partition(".")[0] if isinstance(error, ModuleNotFoundError) else ""
        # An installed but broken package must not be called missing: its own error is shown.
        problem = "is not installed" if missing == package else f"cannot be loaded ({error})"
        raise MissingExtraError(
            f"{package} {problem}; it comes with the extra {extra!r}: pip install '{DISTRIBUTION}[{extra}]'"
        ) from error

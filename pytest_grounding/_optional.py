"""Import what an extra brings, or say which extra to install."""

from __future__ import annotations

import importlib
from types import ModuleType

from pytest_grounding.errors import MissingExtraError

DISTRIBUTION = "pytest-rag-grounding"


def require(module: str, *, extra: str) -> ModuleType:
    """Import an optional module.

    Args:
        module: dotted name of the module.
        extra: name of the extra of this distribution that installs it.

    Returns:
        The imported module.

    Raises:
        MissingExtraError: it is not installed; the message holds the command that installs it.
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise MissingExtraError(
            f"{module} is not installed; it comes with the extra {extra!r}: "
            f"pip install '{DISTRIBUTION}[{extra}]'"
        ) from error

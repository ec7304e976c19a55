"""The type checker for RAG answers: validate recorded transcripts, offline and deterministic.

The public names are loaded at their first use, so that an installed but unused package costs a pytest
run nothing. ``__init__.pyi`` lists them, ``docs/api.md`` describes them. PYTEST_DONT_REWRITE
"""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path
from typing import Any

_STUB = Path(__file__).with_name("__init__.pyi").read_text(encoding="utf-8")
#: Public name -> its module.
_HOMES = {
    name: module for module, name in re.findall(r"^from (\S+) import (\w+) as \2$", _STUB, re.MULTILINE)
}
__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("pytest-rag-grounding")
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})

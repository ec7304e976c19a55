"""The type checker for RAG answers: validate recorded transcripts, offline and deterministic.

The public names are loaded at their first use, so that having the package installed costs a pytest
run nothing. ``docs/api.md`` describes them.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

_HOMES = {
    "Chunk": "model.transcript",
    "Settings": "settings",
    "SupportScore": "scorers.base",
    "Transcript": "model.transcript",
    "Verdict": "model.verdict",
    "load_transcripts": "engine",
    "support": "engine",
    "validate": "engine",
    "validate_retrieval": "engine",
}

__all__ = [
    "Chunk",
    "Settings",
    "SupportScore",
    "Transcript",
    "Verdict",
    "load_transcripts",
    "support",
    "validate",
    "validate_retrieval",
]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("pytest-rag-grounding")
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])

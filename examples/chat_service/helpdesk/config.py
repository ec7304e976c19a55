"""What the service is told by its environment; every variable has a default that works."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parents[1]

#: How far a verdict reaches: nowhere, as a note under the answer, or up to replacing the answer.
MODES = ("shadow", "warn", "reject")


@dataclass(frozen=True)
class Config:
    """Settings of the service itself; those of the validation stand in docs/settings.md."""

    documents: Path = HERE / "documents"
    retriever: str = "helpdesk.retriever:Bm25"
    model: str = "helpdesk.model:generate"
    model_timeout_s: float = 30.0
    mode: str = "reject"
    audit: Path | None = HERE / "var" / "audit.jsonl"
    audit_required: bool = False
    transcripts: Path | None = None
    workers: int = 2

    @classmethod
    def of(cls, environ: Mapping[str, str]) -> Config:
        """Read the HELPDESK_ variables. A wrong one ends the service before it answers anybody."""
        given = {
            name.removeprefix("HELPDESK_").lower(): value
            for name, value in environ.items()
            if name.startswith("HELPDESK_")
        }
        if unknown := sorted(given.keys() - cls.__dataclass_fields__.keys()):
            raise SystemExit(f"HELPDESK_{unknown[0].upper()} is not a setting of this service")
        read = {
            "documents": Path,
            "audit": _path,
            "audit_required": _switch,
            "transcripts": _path,
            "workers": int,
            "model_timeout_s": float,
        }
        values = {}
        for name, value in given.items():
            try:
                values[name] = read.get(name, str)(value)
            except ValueError:
                raise SystemExit(f"HELPDESK_{name.upper()} = {value!r}; write a number") from None
        config = cls(**values)
        if config.mode not in MODES:
            raise SystemExit(f"HELPDESK_MODE = {config.mode!r}; write one of: {', '.join(MODES)}")
        return config


def _path(value: str) -> Path | None:
    return Path(value) if value else None


def _switch(value: str) -> bool:
    return value.lower() in {"1", "true", "yes", "on"}


def load(name: str) -> Any:
    """The object behind ``module:attribute``."""
    module, _, attribute = name.partition(":")
    try:
        return getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        raise SystemExit(f"{name!r} cannot be loaded ({error}); write module:name") from error

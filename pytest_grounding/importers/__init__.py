"""Importers: from a file or an object that somebody has to a Transcript."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pytest_grounding.importers.draft import Options
from pytest_grounding.importers.importer import Gatherer, Importer
from pytest_grounding.importers.table import parse_columns

if TYPE_CHECKING:
    from pytest_grounding.importers.builtin import builtin_importers

__all__ = ["Gatherer", "Importer", "Options", "builtin_importers", "parse_columns"]


def __getattr__(name: str) -> Any:
    """The built-in importers come in when they are asked for: a transcript that is one needs none."""
    if name != "builtin_importers":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from pytest_grounding.importers.builtin import builtin_importers

    return builtin_importers

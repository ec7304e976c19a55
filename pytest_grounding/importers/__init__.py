"""Importers: from a file or an object that somebody has to a Transcript."""

from pytest_grounding.importers.base import Gatherer, Importer, Options
from pytest_grounding.importers.builtin import builtin_importers
from pytest_grounding.importers.table import parse_columns

__all__ = ["Gatherer", "Importer", "Options", "builtin_importers", "parse_columns"]

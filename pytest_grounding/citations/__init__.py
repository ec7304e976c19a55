"""Citations: one file per syntax; `extract` finds, merges, orders and resolves them; `clean` removes."""

from pytest_grounding.citations.extract import builtin_syntaxes, extract, make_context, marker_spans

__all__ = ["builtin_syntaxes", "extract", "make_context", "marker_spans"]

"""Tables: a row becomes one statement that names its columns."""

from __future__ import annotations

from collections.abc import Sequence

from pytest_grounding._patterns import lazy

_RULE = lazy(r"[\s|:+]*-[\s|:+-]*$")
_CELL = lazy(r"(?<!\\)\|")


def is_table_rule(row: str) -> bool:
    """Whether a row is the line of dashes below a header."""
    return _RULE.match(row) is not None


def cells_of(row: str) -> list[str]:
    """The cells of a row, white space trimmed; an escaped bar does not end a cell."""
    inner = row.strip()
    if inner.startswith("|"):
        inner = inner[1:]
    if inner.endswith("|") and not inner.endswith("\\|"):
        inner = inner[:-1]
    return [cell.strip().replace("\\|", "|") for cell in _CELL.split(inner)]


def row_statement(cells: Sequence[str], header: Sequence[str]) -> str:
    """The cells joined as "Plan: Pro; Price: $20"; cells without a header stand alone."""
    parts: list[str] = []
    for number, cell in enumerate(cells):
        if not cell:
            continue
        name = header[number] if number < len(header) else ""
        parts.append(f"{name}: {cell}" if name and name != cell else cell)
    return "; ".join(parts)

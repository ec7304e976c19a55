"""Tables beside the modules that read them."""

from pathlib import Path


def rows_beside(module: str, name: str) -> list[list[str]]:
    """The rows of a table in the folder of a module (its ``__file__``): a line a row, cells apart by tabs."""
    text = Path(module).with_name(name).read_text(encoding="utf-8")
    return [line.split("\t") for line in text.splitlines()]

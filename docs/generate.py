"""Write the generated parts of the pages anew; with ``--check`` only say whether they are current."""

from __future__ import annotations

import sys
from pathlib import Path

from pytest_grounding.cli.settings import markdown_table

PAGE = Path(__file__).resolve().parent / "settings.md"
BEGIN, END = "<!-- settings: begin -->\n", "<!-- settings: end -->"


def rendered(text: str) -> str:
    """The page with the table of settings as the package has it."""
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}{markdown_table()}\n{END}{after}"


def main() -> int:
    """Write or check; the exit status is 1 when a page is not current."""
    text = PAGE.read_text(encoding="utf-8")
    wanted = rendered(text)
    if "--check" in sys.argv[1:]:
        if text != wanted:
            print("docs/settings.md is not current; run: make docs")
        return int(text != wanted)
    PAGE.write_text(wanted, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())

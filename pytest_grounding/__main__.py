"""``python -m pytest_grounding``: the command line."""

from __future__ import annotations

import sys

from pytest_grounding.cli import main

if __name__ == "__main__":
    sys.exit(main())

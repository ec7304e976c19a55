"""``python -m pytest_grounding.audit``: show, verify and prune an audit log."""

from __future__ import annotations

import sys

from pytest_grounding.cli import program

if __name__ == "__main__":
    sys.exit(program("audit", "pytest_grounding.audit"))

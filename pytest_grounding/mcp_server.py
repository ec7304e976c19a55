"""``python -m pytest_grounding.mcp_server``: serve validation as tools of the Model Context Protocol."""

from __future__ import annotations

import sys

from pytest_grounding.cli import program

if __name__ == "__main__":
    sys.exit(program("mcp_tools", "pytest_grounding.mcp_server"))

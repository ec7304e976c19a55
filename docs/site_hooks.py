"""What the site needs beyond the pages: where the project lives, and links out of their folder."""

from __future__ import annotations

import re
import runpy
from pathlib import Path
from typing import Any

_HOME = Path(__file__).resolve().parents[1] / ".ci" / "home.py"
_FORM = re.compile(r"\[([^\]]+)\]\(\.\./\.github/ISSUE_TEMPLATE/([^)]+)\)")
_OUTSIDE = re.compile(r"\[([^\]]+)\]\(\.\./([^)]+)\)")


def on_config(config: Any) -> Any:
    """Name the repository where pyproject.toml knows it."""
    found = runpy.run_path(str(_HOME))["home"]()
    if not any("Repository" in line for line in found.placeholders):
        config["repo_url"], config["repo_name"] = found.address, found.repository
    return config


def on_page_markdown(markdown: str, *, config: Any, **_: Any) -> str:
    """Lead links to files of the repository to its address; where it has none they become plain text."""
    home = str(config["repo_url"] or "").rstrip("/")
    if home:
        markdown = _FORM.sub(rf"[\1]({home}/issues/new?template=\2)", markdown)
    return _OUTSIDE.sub(rf"[\1]({home}/blob/main/\2)" if home else r"\1", markdown)

"""What the site needs beyond the pages: links that lead out of the folder of the pages."""

from __future__ import annotations

import re
from typing import Any

_OUTSIDE = re.compile(r"\[([^\]]+)\]\(\.\./([^)]+)\)")


def on_page_markdown(markdown: str, *, config: Any, **_: Any) -> str:
    """Lead links to files of the repository to its address; where it has none they become plain text."""
    home = str(config["repo_url"] or "").rstrip("/")
    return _OUTSIDE.sub(rf"[\1]({home}/blob/main/\2)" if home else r"\1", markdown)

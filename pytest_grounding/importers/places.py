"""Where an answer stands in the JSON text that it was read from, so that a report can point at it."""

from __future__ import annotations

import json
import re
from collections import deque

_STRING = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)


class Places:
    """The texts of some JSON values by what they say, each with the lines on which it stands.

    A value on one line adds nothing: its line says enough, and JSON Lines cost no second walk.
    """

    def __init__(self) -> None:
        self._lines: dict[str, deque[int]] = {}

    def add(self, source: str, line: int) -> None:
        """Remember the texts of a JSON value that begins on a 1-based line. Linear in its length."""
        if "\n" not in source:
            return
        counted = 0
        for found in _STRING.finditer(source):
            line += source.count("\n", counted, found.start())
            counted = found.start()
            text = found[0][1:-1]
            if "\\" in text:
                text = json.loads(found[0], strict=False)
            self._lines.setdefault(text.strip(), deque()).append(line)

    def take(self, text: object) -> int | None:
        """The line of the next place of a text, or None; the last place is given again and again."""
        lines = self._lines.get(text.strip()) if isinstance(text, str) else None
        if not lines:
            return None
        return lines.popleft() if len(lines) > 1 else lines[0]

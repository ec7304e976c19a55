"""The words of an HTML page as passages."""

from __future__ import annotations

from collections.abc import Iterator
from html.parser import HTMLParser


class HtmlPage(HTMLParser):
    """The words of a page by block with their lines; blocks of up to ``longest`` characters are joined."""

    _BLOCKS = frozenset(
        "p div li tr table section article h1 h2 h3 h4 h5 h6 dt dd br pre blockquote title".split()
    )
    _UNSEEN = frozenset(("script", "style", "template", "noscript"))

    def __init__(self, text: str, longest: int) -> None:
        super().__init__()
        self._longest = longest
        self._held: list[tuple[int, str]] = []
        self._hidden = 0
        self._is_open = False
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: object) -> None:
        """Begin what is not shown, a block or a cell."""
        if tag in self._UNSEEN:
            self._hidden += 1
        self._is_open = self._is_open and tag not in self._BLOCKS
        if tag in ("td", "th") and self._is_open:
            self._add(" | ")

    def handle_endtag(self, tag: str) -> None:
        """End what is not shown, or a block."""
        if tag in self._UNSEEN and self._hidden:
            self._hidden -= 1
        self._is_open = self._is_open and tag not in self._BLOCKS

    def handle_data(self, data: str) -> None:
        """Add the words that are shown."""
        words = " ".join(data.split())
        if words and not self._hidden:
            lead = " " if data[:1].isspace() else ""
            self._add(lead + words + (" " if data[-1:].isspace() else ""))

    def _add(self, words: str) -> None:
        if self._is_open:
            line, before = self._held[-1]
            self._held[-1] = (line, before + words)
        else:
            self._held.append((self.getpos()[0], words.lstrip()))
            self._is_open = True

    def passages(self) -> Iterator[tuple[int, str]]:
        """The blocks, short ones joined."""
        first = last = 1
        held = ""
        for line, words in self._held:
            if held and len(held) + len(words) > self._longest:
                yield first, held
                held = ""
            # As many line breaks as the page has, so that lines can be counted in the passage.
            held = held + "\n" * max(1, line - last) + words.strip() if held else words.strip()
            first, last = (line if held == words.strip() else first), line
        if held:
            yield first, held

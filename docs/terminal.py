"""Draw what a command printed as an SVG: the same text gives the same picture on every machine."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape, unescape

#: Characters in a line; what is longer goes on below, from a blank on.
WIDTH = 112
#: Pixels: a character, a line, the space around the text, the bar of the window.
_CELL, _LINE, _AROUND, _BAR = 8.4, 19, 18, 30
_STYLE = re.compile(r"\x1b\[([\d;]*)m")
_COLOURS = {
    31: "#ff7b72",
    32: "#7ee787",
    33: "#e3b341",
    34: "#79c0ff",
    35: "#d2a8ff",
    36: "#76e3ea",
    90: "#8b949e",
}
_COLOURS |= {code + 60: colour for code, colour in _COLOURS.items() if code < 90}
#: A blank that no browser takes away.
_BLANK = "\N{NO-BREAK SPACE}"
_PLAIN, _BACK, _BAR_COLOUR = "#e6edf3", "#0d1117", "#161b22"

Style = tuple[str, bool]


def plain(text: str) -> str:
    """The text without its colours."""
    return _STYLE.sub("", text)


def shown(picture: str) -> str:
    """The text that a picture shows, a line of the window each."""
    rows = re.findall(r"<text[^>]*>(.*?)</text>", picture)
    return "\n".join(unescape(re.sub(r"<[^>]+>", "", row)).replace(_BLANK, " ").rstrip() for row in rows)


def svg(text: str, title: str) -> str:
    """The picture of a terminal that shows the text.

    Args:
        text: what was printed, with ANSI colours.
        title: what the picture is called where it cannot be seen.
    """
    rows = list(_rows(text))
    width = round(WIDTH * _CELL + 2 * _AROUND)
    height = _BAR + len(rows) * _LINE + 2 * _AROUND - 6
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" role="img">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{width}" height="{height}" rx="8" fill="{_BACK}"/>',
        f'<path d="M0 {_BAR}V8a8 8 0 0 1 8-8h{width - 16}a8 8 0 0 1 8 8v{_BAR - 8}z" fill="{_BAR_COLOUR}"/>',
        *(f'<circle cx="{18 + 20 * place}" cy="15" r="5.5" fill="#30363d"/>' for place in range(3)),
        '<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, DejaVu Sans Mono, monospace" '
        'font-size="14">',
        *(
            f'<text y="{_BAR + _AROUND + number * _LINE + 8}">{"".join(_runs(row))}</text>'
            for number, row in enumerate(rows)
        ),
        "</g>",
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _rows(text: str) -> Iterator[list[tuple[str, Style]]]:
    """The lines as they stand in the window, each character with its style."""
    style: Style = (_PLAIN, False)
    for line in text.rstrip("\n").split("\n"):
        row: list[tuple[str, Style]] = []
        at = 0
        for mark in [*_STYLE.finditer(line), None]:
            row += [(sign, style) for sign in line[at : mark.start() if mark else len(line)]]
            if mark:
                at, style = mark.end(), _after(style, mark[1])
        while len(row) > WIDTH:
            blanks = [place for place in range(WIDTH // 2, WIDTH) if row[place][0] == " "]
            cut = blanks[-1] + 1 if blanks else WIDTH
            yield row[:cut]
            row = row[cut:]
        yield row


def _after(style: Style, codes: str) -> Style:
    for code in map(int, filter(None, (codes or "0").split(";"))):
        if code == 0:
            style = (_PLAIN, False)
        elif code == 1:
            style = (style[0], True)
        elif code in (22, 39):
            style = (style[0], False) if code == 22 else (_PLAIN, style[1])
        elif code in _COLOURS:
            style = (_COLOURS[code], style[1])
    return style


def _runs(row: list[tuple[str, Style]]) -> Iterator[str]:
    """One element for neighbours of one style; its length is fixed, whatever font the reader has."""
    start = 0
    while start < len(row):
        style, end = row[start][1], start
        while end < len(row) and row[end][1] == style:
            end += 1
        words = "".join(sign for sign, _ in row[start:end])
        bold = ' font-weight="bold"' if style[1] else ""
        yield (
            f'<tspan x="{_AROUND + start * _CELL:.1f}" textLength="{len(words) * _CELL:.1f}" '
            f'fill="{style[0]}"{bold}>{escape(words).replace(" ", _BLANK)}</tspan>'
        )
        start = end

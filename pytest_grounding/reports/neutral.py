"""One function a sink: whatever a transcript says, it stays text where it is shown.

A transcript is written by a model, and a verdict quotes it, so every text of a report may be hostile: an
escape sequence for a terminal, a command for a build log, markup for a page. What cannot be shown safely
is made visible (``\\x1b``, ``\\u202e``), never dropped, so that a reader sees that it was there.
"""

from __future__ import annotations

import json
import re
from typing import Any
from urllib.parse import quote

# Controls but for tab and line feed, separators that break lines, and all that turns the direction of
# writing or takes no room: an answer must not hide or reorder words in a log.
_INVISIBLE = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f"
    r"\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e007f]"
    # Joiners shape words of Persian and Hindi, and emoji; next to a Latin letter they only hide.
    r"|(?<![^\x00-\x7f])[\u200c\u200d]|[\u200c\u200d](?![^\x00-\x7f])"
)
_SURROGATE = re.compile(r"[\ud800-\udfff]")
# GitHub obeys ``::name::`` at the start of a line, blanks before it aside, and ``##[name]`` anywhere;
# Azure obeys ``##vso[``, TeamCity ``##teamcity[``. A line may be wrapped later, at any blank.
_COMMAND = re.compile(r"(?<!\S)::|##(?=\[|vso\[|teamcity\[)")
# Every mark of ASCII that starts something in Markdown, or in what GitHub and GitLab add to it.
_MARKUP = re.compile(r"""[&<>"`*_{}\[\]()#+!|~@\\:=$^]|(?<=www)\.|(?<=WWW)\.""", re.IGNORECASE)
_XML_ILLEGAL = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]|[\ufdd0-\ufdef]")


def visible(text: str) -> str:
    """The text with control, bidi and zero-width characters made visible; line feeds and tabs stay."""
    if text.isascii() and text.isprintable():
        return text
    return _INVISIBLE.sub(_escaped, _SURROGATE.sub("\ufffd", text))


def _escaped(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def terminal(text: str) -> str:
    """For a terminal or build log: no escape sequence, and no line that a build server would obey."""
    return _COMMAND.sub(_disarmed, visible(text))


def _disarmed(match: re.Match[str]) -> str:
    return "\\x3a:" if match[0] == "::" else "#\\x23"


def one_line(text: str, longest: int = 0) -> str:
    """The visible text on one line; a longer one is cut and says so with dots."""
    shown = " ".join(visible(text).split())
    return f"{shown[: longest - 3].rstrip()}..." if 0 < longest < len(shown) else shown


def workflow_message(text: str) -> str:
    """For the message of a workflow command of GitHub: ``%`` and line ends as it wants them."""
    return visible(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def workflow_property(text: str) -> str:
    """For a property of a workflow command of GitHub, such as a file name."""
    return workflow_message(text).replace(":", "%3A").replace(",", "%2C")


def markdown(text: str, longest: int = 0) -> str:
    """For Markdown of GitHub and GitLab, tables included: the text as code on one line.

    In code nobody is mentioned and no address, issue or emoji is linked; marks stand as character
    references, which are never markup (CommonMark 0.31, section 2.5).
    """
    shown = one_line(text, longest)
    if not shown:
        return ""
    return f"<code>{_MARKUP.sub(lambda match: f'&#{ord(match[0])};', shown)}</code>"


def sarif_message(text: str, longest: int = 1000) -> str:
    """For the message of a SARIF result: no link and no placeholder (SARIF 2.1.0, section 3.11)."""
    shown = one_line(text, longest)
    return re.sub(r"\{(?=\d+\})", "{ ", shown.replace("](", "] ("))


def xml(text: str) -> str:
    """For XML: characters that XML 1.0 cannot hold made visible; the writer escapes the markup."""
    return _XML_ILLEGAL.sub(_escaped, visible(text))


def label(text: str) -> str:
    """For the value of a label in the text format of Prometheus."""
    return visible(text).replace("\\", "\\\\").replace("\n", "\\n").replace('"', '\\"')


def uri_path(path: str) -> str:
    """For a relative reference: forward slashes, everything else percent-encoded."""
    return quote(path.replace("\\", "/"), safe="/-._~")


def script_json(value: Any) -> str:
    """JSON for a script element that holds data: nothing in it can end the element or open a comment."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    for mark in "<>&\u2028\u2029":
        text = text.replace(mark, f"\\u{ord(mark):04x}")
    return text

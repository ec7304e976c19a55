r"""One function per output format: any text of a transcript is shown as plain text."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Callable, Mapping
from functools import partial
from importlib import resources
from typing import Any
from urllib.parse import quote

from pytest_grounding._io.wording import decimals, escaped
from pytest_grounding._io.wording import one_line as one_line
from pytest_grounding._io.wording import terminal as terminal
from pytest_grounding._io.wording import visible as visible

# Every ASCII character with a meaning in Markdown or its GitHub and GitLab extensions.
_MARKUP = re.compile(r"""[&<>"`*_{}\[\]()#+!|~@\\:=$^]|(?<=www)\.|(?<=WWW)\.""", re.IGNORECASE)
_XML_ILLEGAL = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]|[\ufdd0-\ufdef]")


def workflow_message(text: str) -> str:
    """Escape the message of a GitHub workflow command: ``%`` and line ends."""
    return terminal(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def workflow_property(text: str) -> str:
    """Escape a property of a GitHub workflow command, such as a file name."""
    return workflow_message(text).replace(":", "%3A").replace(",", "%2C")


def markdown(text: str, longest: int = 0) -> str:
    """Escape for Markdown of GitHub and GitLab, tables included: the text as code on one line."""
    shown = markdown_words(text, longest)
    return f"<code>{shown}</code>" if shown else ""


def markdown_words(text: str, longest: int = 0) -> str:
    """Escape for Markdown of GitHub and GitLab, tables included: the text as words on one line."""
    return _MARKUP.sub(lambda match: f"&#{ord(match[0])};", one_line(text, longest))


def sarif_message(text: str, longest: int = 1000) -> str:
    """Escape the message of a SARIF result: no links and no placeholders (SARIF 2.1.0, section 3.11)."""
    return re.sub(r"\{(?=\d+\})", "{ ", one_line(text, longest).replace("](", "] ("))


def xml(text: str) -> str:
    """Make characters visible that XML 1.0 does not allow; the writer escapes the markup."""
    return _XML_ILLEGAL.sub(escaped, visible(text))


def label(text: str) -> str:
    """Escape a label value for the text format of Prometheus."""
    return visible(text).replace("\\", "\\\\").replace("\n", "\\n").replace('"', '\\"')


def uri_path(path: str) -> str:
    """Escape a relative reference: forward slashes, everything else percent-encoded."""
    return quote(path.replace("\\", "/"), safe="/-._~")


def all_visible(value: Any) -> Any:
    """Plain data with each text in it made visible."""
    if isinstance(value, str):
        return visible(value)
    if isinstance(value, Mapping):
        return {name: all_visible(item) for name, item in value.items()}
    return list(map(all_visible, value)) if isinstance(value, (list, tuple)) else value


def script_json(value: Any) -> str:
    """JSON for a script element: nothing in it can end the element or open a comment."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    for mark in "<>&\u2028\u2029":
        text = text.replace(mark, f"\\u{ord(mark):04x}")
    return text


def page_policy(style: str, *scripts: str) -> str:
    """The page's content security policy: this style and these scripts, and nothing else."""
    # The template puts a line feed before and after each.
    digests = [hashlib.sha256(f"\n{text}\n".encode()).digest() for text in (style, *scripts)]
    allowed = [f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests]
    run = " ".join(allowed[1:]) or "'none'"
    sources = f"style-src {allowed[0]}; script-src {run}"
    return f"default-src 'none'; {sources}; base-uri 'none'; form-action 'none'"


def part_of_page(name: str) -> str:
    """A file of a page, in the folder of this module."""
    return resources.files("pytest_grounding.reports").joinpath(name).read_text(encoding="utf-8")


def page_template(name: str, shown: Callable[[str], str] = visible) -> Any:
    """The template of a page: each text put into it is made visible, and escaped."""
    return _read_template(name, {}, autoescape=True, finalize=partial(_shown_in_page, shown))


def text_template(name: str, filters: Mapping[str, Callable[..., str]]) -> Any:
    """The template of a text for a terminal: each text put into it is escaped for that."""
    return _read_template(name, filters, finalize=partial(_shown_in_page, terminal))


def markdown_template(name: str) -> Any:
    """The template of a text in Markdown: its filter `code` is `markdown`, and nothing else is escaped."""
    return _read_template(name, {})


def _shown_in_page(shown: Callable[[str], str], value: Any) -> Any:
    # What is marked as markup (the style, the scripts) is part of this package.
    return shown(value) if isinstance(value, str) and not hasattr(value, "__html__") else value


def _read_template(name: str, filters: Mapping[str, Callable[..., str]], **options: Any) -> Any:
    from jinja2 import Environment, StrictUndefined  # imported here for cost: only pages need it

    environment = Environment(  # noqa: S701 -- Markdown is escaped by its filter
        **options,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= {"code": markdown, "decimals": decimals, "one_line": one_line, **filters}
    return environment.from_string(part_of_page(name))

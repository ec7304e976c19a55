"""The address of a judge, and the variable with its key: neither may contain the key itself."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from pytest_grounding.errors import SettingsError

_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,99}")
_SECRET = re.compile(r"(?:^|[-_.])(?:key|token|secret|password|sig|signature)$|apikey$", re.IGNORECASE)
_PUT = "put the key into an environment variable and name that in judge_key_env"


def url_text(name: str, value: Any) -> str:
    """An address of a service in a setting or a variable."""
    text = value.strip() if isinstance(value, str) else ""
    try:
        parts = urlsplit(text)
        host, _ = parts.hostname, parts.port
    except ValueError:
        host = None
    if host is None or parts.scheme not in ("http", "https") or re.search(r"[\s\x00-\x20\x7f]", text):
        said = "" if "@" in str(value) else f" = {value!r}"
        raise SettingsError(f"{name}{said} is not an address; write one like http://localhost:11434/v1")
    if parts.username or parts.password:
        raise SettingsError(f"{name} holds a user or password; {_PUT}")
    for parameter, _ in parse_qsl(parts.query, keep_blank_values=True):
        if _SECRET.search(parameter):
            raise SettingsError(f"{name} holds a key in its parameter {parameter!r}; {_PUT}")
    return text


def variable_text(name: str, value: Any) -> str:
    """The name of an environment variable."""
    text = value.strip() if isinstance(value, str) else ""
    if not _VARIABLE.fullmatch(text) or re.match(r"(?:sk|gsk|xai|hf|co)[-_]|AIza|AKIA", text):
        advice = "write one like OPENAI_API_KEY, never the key"
        raise SettingsError(f"{name} is not a name of a variable; {advice}")
    return text

"""Addresses of sources: where a reader finds a chunk, and when two addresses are the same."""

from __future__ import annotations

import re
from functools import lru_cache
from urllib.parse import quote, urlsplit

from pytest_grounding._patterns import lazy
from pytest_grounding.model.transcript import Chunk
from pytest_grounding.settings import Settings

#: Longest address that is recognised, in characters.
MAX_ADDRESS = 2_048

_ESCAPE = lazy(r"%([0-9a-fA-F]{2})")
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_DEFAULT_PORTS = {"http": 80, "https": 443}


def source_url(chunk: Chunk, settings: Settings) -> str | None:
    """The address under which a reader finds a chunk."""
    metadata = chunk.metadata
    candidates = (
        metadata.url,
        _joined(settings.link_base, metadata.slug),
        _joined(settings.cms_base, metadata.payload_id),
    )
    for candidate in candidates:
        if candidate and normal_url(candidate) is not None:
            return candidate.strip()
    return None


def _joined(base: str, part: str | None) -> str | None:
    if not base or not part or not part.strip("/ "):
        return None
    # A slug is a path on that site: it must not become another host or leave the base.
    safe = quote(part.strip().strip("/"), safe="/-._~%")
    if ".." in safe.split("/"):
        return None
    return f"{base.rstrip('/')}/{safe}"


@lru_cache(maxsize=1024)
def normal_url(address: str) -> tuple[str, str] | None:
    """An http or https address in the form in which addresses are compared, and its fragment."""
    if len(address) > MAX_ADDRESS:
        return None
    try:
        parts = urlsplit(address.strip())
        host, port = parts.hostname, parts.port
    except ValueError:
        return None
    scheme = parts.scheme.lower()
    if scheme not in _DEFAULT_PORTS or not host:
        return None
    place = host.rstrip(".")
    if ":" in place:
        place = f"[{place}]"
    if port is not None and port != _DEFAULT_PORTS[scheme]:
        place += f":{port}"
    user = parts.netloc.rpartition("@")[0]
    if user:
        place = f"{user}@{place}"
    path = _folded(parts.path).rstrip("/")
    query = f"?{_folded(parts.query)}" if parts.query else ""
    return f"{scheme}://{place}{path}{query}", _folded(parts.fragment)


def _folded(part: str) -> str:
    if part.isascii() and "%" not in part and " " not in part:
        return part
    # A lone surrogate has no UTF-8 form; "replace" keeps the comparison from raising.
    encoded = quote(part, safe="%/:@!$&'()*+,;=~-._?[]|", errors="replace")
    return _ESCAPE.sub(_decode_unreserved, encoded)


def _decode_unreserved(match: re.Match[str]) -> str:
    char = chr(int(match[1], 16))
    return char if char in _UNRESERVED else f"%{match[1].upper()}"

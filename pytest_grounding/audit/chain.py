"""How the lines of a log hang together: each carries the hash of the line before it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, NamedTuple

from pytest_grounding._jsonio import canonical_json, content_hash

_DIGITS = frozenset("0123456789abcdef")


class Link(NamedTuple):
    """What the next line must know of the one before it: its number and its hash."""

    sequence: int
    hash: str


#: What stands before the first line.
START = Link(0, "0" * 64)


def now() -> str:
    """The time as it stands in the log: ISO 8601, UTC, microseconds."""
    return datetime.now(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def seal(body: Mapping[str, Any], before: Link, timestamp: str) -> dict[str, Any]:
    """Give a line its place in the log: number, time, the hash before it and its own."""
    value = {
        **body,
        "sequence": before.sequence + 1,
        "timestamp": timestamp,
        "previous": before.hash,
    }
    value["hash"] = content_hash(value)
    return value


def is_sound(value: Mapping[str, Any], raw: bytes) -> bool:
    """Whether a line is, byte for byte, what was sealed."""
    rest = {key: item for key, item in value.items() if key != "hash"}
    try:
        same = canonical_json(value).encode("utf-8") == raw
        return same and content_hash(rest) == value["hash"]
    except (ValueError, RecursionError):
        return False


def parse(raw: bytes) -> dict[str, Any] | None:
    """The object of a line, or None when the line is none of ours."""
    try:
        value = json.loads(raw)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) and link_of(value) is not None else None


def link_of(value: Mapping[str, Any]) -> Link | None:
    """The link that a line offers to the next one, or None when it bears none."""
    sequence, digest = value.get("sequence"), value.get("hash")
    if type(sequence) is not int or sequence < 1 or not isinstance(value.get("kind"), str):
        return None
    if not isinstance(digest, str) or len(digest) != 64 or not _DIGITS.issuperset(digest):
        return None
    return Link(sequence, digest)

"""The setting ``conflict_thresholds``."""

from __future__ import annotations

import math

from pytest_grounding.errors import SettingsError

#: Highest log odds that can be asked for: a chance of one in half a billion.
_HIGHEST = 20.0

#: Kind, and the log odds from which a conflict of it is a contradiction; None: the kind is not looked for.
Thresholds = tuple[tuple[str, float | None], ...]


def conflict_thresholds(text: str) -> Thresholds:
    """Read ``entity=off, number=2.5``."""
    found: dict[str, float | None] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        kind, sign, value = (piece.strip() for piece in part.partition("="))
        if kind in found:
            raise SettingsError(f"conflict_thresholds: {kind!r} stands twice; keep one of the two")
        found[kind] = None if value == "off" else _log_odds(part, value if sign else "")
    return tuple(sorted(found.items()))


def _log_odds(part: str, value: str) -> float:
    try:
        number = float(value)
    except ValueError:
        number = math.nan
    if not 0.0 <= number <= _HIGHEST:
        raise SettingsError(
            f"conflict_thresholds: {part!r}: write KIND=off, or KIND=NUMBER with log odds from 0 to "
            f"{_HIGHEST:g}"
        )
    return number

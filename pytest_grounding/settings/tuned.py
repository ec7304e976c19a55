"""The settings ``weights`` and ``conflict_thresholds``, by which ``calibrate`` tunes the engine."""

from __future__ import annotations

import math

from pytest_grounding._jsonio import canonical_json, read_records
from pytest_grounding.errors import InputError, SettingsError

#: Highest log odds that can be asked for: a chance of one in half a billion.
_HIGHEST = 20.0
_HINT = "write it with pytest-grounding calibrate --weights"

#: Kind, and the log odds from which a conflict of it is a contradiction; None: the kind is not looked for.
Thresholds = tuple[tuple[str, float | None], ...]


def conflict_thresholds(text: str) -> Thresholds:
    """Read ``entity=off, number=2.5``.

    Args:
        text: the setting.

    Returns:
        The kinds in the order of their names. Whether there are such kinds tells the engine.

    Raises:
        SettingsError: a part is not of that form, or a kind stands twice.
    """
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


def conflict_text(thresholds: Thresholds) -> str:
    """The setting that says these thresholds."""
    return ", ".join(
        f"{kind}={'off' if value is None else f'{value:g}'}" for kind, value in sorted(thresholds)
    )


def weights_text(path: str) -> str:
    """The content of a file of weights as canonical JSON: blanks and line ends of a checkout are no change.

    Args:
        path: the setting.

    Raises:
        SettingsError: the file cannot be read, or is no JSON object.
    """
    try:
        records = list(read_records(path))
    except InputError as error:
        where = f" on line {error.line}" if error.line is not None else ""
        raise SettingsError(f"weights = {path!r} {error.problem}{where}; {_HINT}") from None
    if len(records) != 1 or not isinstance(records[0].value, dict):
        raise SettingsError(f"weights = {path!r} is not one JSON object; {_HINT}")
    return canonical_json(records[0].value)

"""Declare settings, and read values for them."""

from __future__ import annotations

import dataclasses
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from pytest_grounding.errors import SettingsError

Policy = Literal["off", "warn", "error"]
Outcome = Literal["pass", "warn", "fail"]
POLICIES: tuple[Policy, ...] = ("off", "warn", "error")
OUTCOMES: tuple[Outcome, ...] = ("pass", "warn", "fail")

__all__ = ["OUTCOMES", "POLICIES", "Outcome", "Policy"]
__all__ += ["checked", "declared", "in_profile", "is_of_the_build", "table"]


#: The table of all settings; the plugin reads it without importing this module. Its columns: name,
#: type, default, low, high, choices, variable, value in the profile strict, in lenient, help.
TABLE = Path(__file__).with_name("settings.tsv")
_ROWS = [line.split("\t") for line in TABLE.read_text(encoding="utf-8").splitlines()[1:]]
#: Placeholder for the default of a setting, which is in the table.
table: Any = None

if TYPE_CHECKING:
    from dataclasses import dataclass as declared

else:

    def declared(**_: bool) -> Any:
        def made(cls: type) -> type:
            for name, kind, default, low, high, choices, env, *_, text in _ROWS:
                facts = {"help": text, "env": env or None, "low": _number(low), "high": _number(high)}
                facts["choices"] = tuple(choices.split(",")) if choices else None
                setattr(cls, name, dataclasses.field(default=_read(kind, default), metadata=facts))
            # The methods of a frozen dataclass are written by hand in the classes: generating them for
            # this many fields costs every run of pytest three milliseconds.
            return dataclasses.dataclass(init=False, repr=False, eq=False)(cls)

        return made


def in_profile(column: int) -> dict[str, Any]:
    """The values of a shipped profile, by the index of its column."""
    return {row[0]: _read(row[1], row[column]) for row in _ROWS if row[column]}


def _read(kind: str, text: str) -> Any:
    if kind == "bool":
        return text == "true"
    return _number(text) if kind in ("int", "float") else text


def _number(text: str) -> float | None:
    return (float if "." in text else int)(text) if text else None


def checked(field: dataclasses.Field[Any], value: Any) -> Any:
    """The value in the type of its field, or SettingsError with the name and what to write."""
    default = field.default
    if isinstance(default, bool):
        return _as_bool(field.name, value)
    if isinstance(default, (int, float)):
        return _as_number(field, value)
    if field.name == "glossary" and value != "":
        # Imported here for cost: few projects have a glossary.
        from pytest_grounding.settings.glossary_setting import glossary_text

        return glossary_text(value)
    if field.name in ("judge_url", "judge_key_env") and value != "":
        # As above, for judges.
        from pytest_grounding.settings import judges

        return (judges.url_text if field.name == "judge_url" else judges.variable_text)(field.name, value)
    choices = field.metadata["choices"]
    if not isinstance(value, str) and not hasattr(value, "__fspath__"):
        allowed = f"one of: {', '.join(choices)}" if choices else "a string"
        raise SettingsError(f"{field.name} = {value!r} is not text; write {allowed}")
    text = str(value)
    if choices and text not in choices:
        raise SettingsError(f"{field.name} = {text!r} is not known; write one of: {', '.join(choices)}")
    return text


def _as_bool(name: str, value: Any) -> bool:
    if isinstance(value, bool):
        return value
    word = str(value).strip().lower()
    if word in {"1", "true", "yes", "on"}:
        return True
    if word in {"0", "false", "no", "off"}:
        return False
    raise SettingsError(f"{name} = {value!r} is not a switch; write true or false")


def _as_number(field: dataclasses.Field[Any], value: Any) -> int | float:
    low, high = field.metadata["low"], field.metadata["high"]
    whole = isinstance(field.default, int)
    kind = "a whole number" if whole else "a number"
    allowed = f"write {kind} from {low} to {high}"
    try:
        if isinstance(value, bool):
            raise ValueError
        number = float(value)
        if whole and number != int(number):
            raise ValueError
    except (TypeError, ValueError, OverflowError):
        raise SettingsError(f"{field.name} = {value!r} is not {kind}; {allowed}") from None
    if math.isnan(number) or not low <= number <= high:
        raise SettingsError(f"{field.name} = {value!r} is out of range; {allowed}")
    return int(number) if whole else number


#: Prefixes and names of settings that no verdict depends on: the build's gate, the audit log.
_OF_THE_BUILD = (
    *("suite", "audit", "self_correction", "remote_", "record", "cassette", "baseline_", "waivers"),
    *("profile", "fail_on", "expect", "missing", "partial_runs"),
    *("judge_url", "judge_key_env", "judge_max_requests"),
)


def is_of_the_build(name: str) -> bool:
    """Whether no verdict depends on a setting."""
    return name.startswith(_OF_THE_BUILD)

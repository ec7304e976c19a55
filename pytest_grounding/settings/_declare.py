"""How a setting is declared, and how a value for it is read."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

from pytest_grounding.errors import SettingsError

Policy = Literal["off", "warn", "error"]
Outcome = Literal["pass", "warn", "fail"]
POLICIES: tuple[Policy, ...] = ("off", "warn", "error")
OUTCOMES: tuple[Outcome, ...] = ("pass", "warn", "fail")


if TYPE_CHECKING:
    from dataclasses import dataclass as declared

else:

    def declared(**_: bool) -> Any:
        # The methods that a frozen dataclass has are written by hand in the classes: to generate them for so
        # many fields costs every run of pytest three milliseconds.
        return dataclasses.dataclass(init=False, repr=False, eq=False)


def setting(
    default: Any,
    text: str,
    *,
    low: float | None = None,
    high: float | None = None,
    choices: Sequence[str] | None = None,
    env: str | None = None,
) -> Any:
    facts = {"help": text, "low": low, "high": high, "choices": choices, "env": env}
    return dataclasses.field(default=default, metadata=facts)


def share(default: float, text: str, *, env: str | None = None) -> Any:
    return setting(default, text, low=0.0, high=1.0, env=env)


def checked(field: dataclasses.Field[Any], value: Any) -> Any:
    """The value in the type of its field, or SettingsError with the name and what to write."""
    default = field.default
    if isinstance(default, bool):
        return _as_bool(field.name, value)
    if isinstance(default, (int, float)):
        return _as_number(field, value)
    if field.name == "glossary" and value != "":
        # Every run of pytest would pay for it, and few have a glossary.
        from pytest_grounding.settings.glossary_setting import glossary_text

        return glossary_text(value)
    if field.name in ("judge_url", "judge_key_env") and value != "":
        # As above, with judges.
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


def is_of_the_build(name: str) -> bool:
    """Whether no verdict depends on a setting: the build's gate, what a test run does, the audit log."""
    starts = ("suite", "audit_", "self_correction", "remote_", "record", "cassette", "baseline_")
    names = {"audit", "profile", "fail_on", "expect", "missing", "no_transcripts", "partial_runs"}
    names |= {
        "judge_url",
        "judge_key_env",
        "judge_form",
        "waivers",
        "waivers_file",
    }
    names |= {"judge_concurrency", "judge_max_requests"}
    return name.startswith(starts) or name in names


__all__ = [
    "OUTCOMES",
    "POLICIES",
    "Outcome",
    "Policy",
    "checked",
    "declared",
    "is_of_the_build",
    "setting",
    "share",
]

"""The user's own table of prices: what a million tokens of a model cost, in a unit that is only a label."""

from __future__ import annotations

import json
import math
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from pytest_grounding.errors import SettingsError
from pytest_grounding.scorers.cassette.tokens import Tokens

_MILLION = 1_000_000
#: Digits behind the point of a price: sums of floats are the same on every machine after rounding.
_DIGITS = 9
_HINT = "write MODEL = INPUT, OUTPUT: prices of a million tokens, such as gpt-4o-mini = 0.15, 0.60"


@dataclass(frozen=True, slots=True)
class Rate:
    """What a million tokens of a model cost, at least 0."""

    input: float
    output: float

    def price(self, input_tokens: int, output_tokens: int) -> float:
        """The price of so many tokens."""
        return round((input_tokens * self.input + output_tokens * self.output) / _MILLION, _DIGITS)


@dataclass(frozen=True, slots=True)
class Prices:
    """A table of prices.

    Attributes:
        unit: what they are in, such as ``USD``; a label.
        rates: by model; ``*`` holds for models that are not named.
    """

    unit: str = ""
    rates: Mapping[str, Rate] = field(default_factory=dict)

    def rate(self, model: str) -> Rate | None:
        """The rate of a model, or None where the table does not hold it."""
        return self.rates.get(model) or self.rates.get("*")

    def priced(self, model: str, tokens: Tokens | None) -> Tokens | None:
        """The tokens with their price, where both counts and the rate are known."""
        rate = self.rate(model)
        if tokens is None or rate is None or tokens.input_tokens is None or tokens.output_tokens is None:
            return tokens
        price = rate.price(tokens.input_tokens, tokens.output_tokens)
        return replace(tokens, price=price, unit=self.unit)


def is_path(text: str) -> bool:
    """Whether the setting ``judge_prices`` names a file: one line without an equals sign."""
    return bool(text.strip()) and "=" not in text and "\n" not in text.strip()


@lru_cache(maxsize=8)
def prices_of(text: str) -> Prices:
    """The table that the setting ``judge_prices`` holds or names; a file is read once a process.

    Raises:
        SettingsError: it cannot be read, or a price is no number of at least 0; names the model.
    """
    if not text.strip():
        return Prices()
    if is_path(text):
        return _of_file(text.strip())
    return _table(_inline(text), "judge_prices")


def _inline(text: str) -> Iterator[tuple[str, Any]]:
    for entry in re.split(r"[\n;]", text):
        if not entry.strip() or entry.strip().startswith("#"):
            continue
        name, sign, value = entry.rpartition("=")
        if not sign:
            raise SettingsError(f"judge_prices: {entry.strip()!r} has no price; {_HINT}")
        given = value.strip().strip("\"'")
        yield name.strip().strip("\"'"), given if name.strip() == "unit" else given.strip("[]").split(",")


def _of_file(path: str) -> Prices:
    place = f"judge_prices: {path}"
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
        value = json.loads(text) if path.endswith(".json") else tomllib.loads(text)
    except OSError as error:
        raise SettingsError(f"{place}: cannot be read ({error.strerror or error}); {_HINT}") from None
    except (ValueError, RecursionError) as error:
        kind = "JSON" if path.endswith(".json") else "TOML"
        raise SettingsError(f"{place}: is no {kind} ({error}); {_HINT}") from None
    if not isinstance(value, Mapping):
        raise SettingsError(f"{place}: is no table of models; {_HINT}")
    models = value.get("models", {})
    if not isinstance(models, Mapping):
        raise SettingsError(f"{place}: models: is no table of models; {_HINT}")
    others = {name: item for name, item in value.items() if name != "models"}
    return _table([*others.items(), *models.items()], place)


def _table(entries: Any, place: str) -> Prices:
    unit, rates = "", {}
    for name, value in entries:
        if name == "unit":
            if not isinstance(value, str):
                raise SettingsError(f'{place}: unit: {value!r} is no label; write it as text, such as "USD"')
            unit = value
        elif not name:
            raise SettingsError(f"{place}: a price has no model; {_HINT}")
        elif name in rates:
            raise SettingsError(f"{place}: {name} has two prices; leave one of them out")
        else:
            rates[name] = _rate(name, value, place)
    return Prices(unit, rates)


def _rate(name: str, value: Any, place: str) -> Rate:
    if isinstance(value, Mapping):
        value = [value.get("input"), value.get("output")] if value.keys() <= {"input", "output"} else None
    try:
        first, second = value
        numbers = [_number(first), _number(second)]
    except (TypeError, ValueError):
        shown = ",".join(map(str, value)) if isinstance(value, list) else value
        raise SettingsError(f"{place}: {name}: {shown!r} is not two prices; {_HINT}") from None
    return Rate(*numbers)


def _number(value: Any) -> float:
    if isinstance(value, bool):
        raise ValueError
    number = float(value)
    if not math.isfinite(number) or number < 0:
        raise ValueError
    return number

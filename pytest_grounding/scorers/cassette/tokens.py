"""What a recorded reply took: tokens as the service counted them, and their price by the user's own table."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

_COUNTS = ("input_tokens", "output_tokens")


@dataclass(frozen=True, slots=True)
class Tokens:
    """What one reply took.

    Attributes:
        input_tokens: tokens of the request, at least 0; None where the service did not tell.
        output_tokens: tokens of the reply, at least 0; None where the service did not tell.
        price: what that cost by the table in force when it was recorded, at least 0; None without one.
        unit: what the price is in, such as ``USD``: a label.
    """

    input_tokens: int | None = None
    output_tokens: int | None = None
    price: float | None = None
    unit: str = ""

    def as_dict(self) -> dict[str, Any]:
        """The part of a record that tells it; what is not known is left out."""
        found: dict[str, Any] = {
            name: value for name in _COUNTS if (value := getattr(self, name)) is not None
        }
        if self.price is not None:
            found |= {"price": self.price, "unit": self.unit}
        return found

    @classmethod
    def of(cls, value: Any) -> Tokens:
        """Tokens from the part of a record.

        Raises:
            ValueError: it is not of that form.
        """
        if not isinstance(value, Mapping) or not value.keys() <= {*_COUNTS, "price", "unit"}:
            raise ValueError("usage")
        counts = [value.get(name) for name in _COUNTS]
        price, unit = value.get("price"), value.get("unit", "")
        if not all(count is None or is_count(count) for count in counts) or not isinstance(unit, str):
            raise ValueError("usage")
        if price is not None and not _is_price(price):
            raise ValueError("usage")
        return cls(counts[0], counts[1], price, unit)

    @classmethod
    def of_usage(cls, usage: object) -> Tokens | None:
        """Tokens from what a client says, whatever it is; None where it tells nothing that can be used."""
        counts = [getattr(usage, name, None) for name in _COUNTS]
        known = [count if is_count(count) else None for count in counts]
        return None if known == [None, None] else cls(known[0], known[1])


def is_count(value: object) -> bool:
    """Whether a value is a number of tokens."""
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _is_price(value: object) -> bool:
    return (
        isinstance(value, (int, float))
        and not isinstance(value, bool)
        and math.isfinite(value)
        and value >= 0
    )

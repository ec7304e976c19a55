"""Types of arguments that several commands share; an error of theirs names the option."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path

from pytest_grounding.errors import InputError


def whole_number(least: int) -> Callable[[str], int]:
    """A whole number of at least ``least``, as a type for `argparse`."""

    def read(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"{text!r} is no whole number") from None
        if number < least:
            raise argparse.ArgumentTypeError(f"{number} is below {least}")
        return number

    return read


def rate(text: str) -> float:
    """A finite number above 0."""
    number = _number(text)
    if not 0.0 < number < float("inf"):
        raise argparse.ArgumentTypeError(f"{text} is not above 0")
    return number


def share(text: str) -> float:
    """A share in [0, 1]."""
    number = _number(text)
    if not 0.0 <= number <= 1.0:
        raise argparse.ArgumentTypeError(f"{text} is not a number from 0 to 1")
    return number


def folders(names: Sequence[str]) -> list[Path]:
    """Folders to search; in one that is misspelt there would be nothing to find, which looks like success.

    Raises:
        InputError: one of them is none.
    """
    found = [Path(name) for name in names]
    for name, path in zip(names, found, strict=True):
        if not path.is_dir():
            raise InputError("is no folder", path=name, hint="check the path")
    return found


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no number") from None

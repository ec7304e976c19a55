"""Types of arguments that several commands share; an error of theirs names the option."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from pytest_grounding._io.jsonio import STANDARD
from pytest_grounding._io.wording import listed, one_line
from pytest_grounding.errors import InputError

#: Names that a message lists.
_LISTED = 10
_LONGEST = 200


def switch(parser: argparse._ActionsContainer, *names: str, help: str) -> None:
    """Add an option without a value."""
    parser.add_argument(*names, action="store_true", help=help)


def repeated(parser: argparse._ActionsContainer, name: str, metavar: str, *, help: str, **more: Any) -> None:
    """Add an option that may be given several times; its values are a list."""
    parser.add_argument(name, metavar=metavar, action="append", default=[], help=help, **more)


def whole_number(least: int) -> Callable[[str], int]:
    """A whole number of at least ``least``, as a type for `argparse`."""

    def read(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"{text!r} is no whole number; write one from {least}") from None
        if number < least:
            raise argparse.ArgumentTypeError(f"{number} is below {least}; write a whole number from {least}")
        return number

    return read


def share(text: str) -> float:
    """A share in [0, 1]."""
    try:
        number = float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no number; write one such as 0.5") from None
    if not 0.0 <= number <= 1.0:
        raise argparse.ArgumentTypeError(f"{text} is out of range; write a number from 0 to 1")
    return number


def named(text: str) -> str:
    """The name of a file or folder; an empty one (a variable that is not set) would be no option at all."""
    if text == STANDARD:
        raise argparse.ArgumentTypeError("names no file; write /dev/stdin or /dev/stdout")
    if not text.strip():
        raise argparse.ArgumentTypeError("names nothing; write a file or folder, or leave the option out")
    return text


def add_source(parser: argparse._ActionsContainer) -> None:
    """Add the option that narrows a command to what comes from some sources."""
    repeated(
        parser,
        "--source",
        "NAME",
        dest="sources",
        help="only transcripts that retrieved or cite this document, path or address; a pattern such as "
        "'docs/*.md' too; for an answer in a text file the documents to hold it against",
    )


def refuse_blank(sources: Sequence[str]) -> None:
    """Refuse a name that is none: it would leave everything out, which looks like success."""
    if not all(name.strip() for name in sources):
        raise InputError(
            "names no source", field="--source", hint="write a document, path, address or pattern"
        )


def no_source(sources: Sequence[str], known: Sequence[str]) -> InputError:
    """The error that nothing comes from these sources, with the nearest names that there are."""
    from difflib import get_close_matches

    asked = [one_line(name, _LONGEST) for name in sources]
    near = [match for name in asked for match in get_close_matches(name, known, n=1)]
    hint = f"did you mean {near[0]!r}?" if near else f"sources are: {listed(known, _LISTED) or 'none'}"
    return InputError(f"no transcript retrieved or cites {', '.join(asked)}", field="--source", hint=hint)


def folders(names: Sequence[str]) -> list[Path]:
    """Folders to search; in one that is misspelt there would be nothing to find, which looks like success."""
    for name in names:
        if not Path(name).is_dir():
            raise InputError("is no folder", path=name, hint="check the path")
    return [Path(name) for name in names]

"""Standard streams to which everything can be written, whatever their encoding, open or closed."""

from __future__ import annotations

import argparse
import os
import sys

from pytest_grounding.cli import standard


def make_printable() -> None:
    """Let every character reach a terminal or pipe; what was closed (``>&-``) leads to nothing."""
    # In the order of their numbers: each takes the one that is free, which no file may get.
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:
            # It stays open as long as the process runs.
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115
        elif mode == "w":
            _reconfigure(stream, errors="backslashreplace")


def write_utf8_for_programs(args: argparse.Namespace) -> None:
    """Make standard output UTF-8 where a program reads it: JSON is UTF-8 in any locale, and files are."""
    if _is_for_programs(args):
        _reconfigure(sys.stdout, encoding="utf-8", errors="backslashreplace")


def _is_for_programs(args: argparse.Namespace) -> bool:
    thing = getattr(args, "thing", "")
    is_lines = thing == "schema" or (thing == "clean" and not args.text)
    is_report = any(target.endswith(":-") for target in getattr(args, "report", ()))
    return getattr(args, "json", False) or is_lines or is_report or standard.is_written(args)


def _reconfigure(stream: object, **changes: str) -> None:
    # A stand-in of who calls `main` from Python may have no encoding.
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(**changes)

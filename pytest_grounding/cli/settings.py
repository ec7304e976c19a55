"""``pytest-grounding show settings``: every setting in force, and where it came from."""

from __future__ import annotations

import argparse
import json
from typing import Any

from pytest_grounding.cli import configuration
from pytest_grounding.cli.parser import switch
from pytest_grounding.settings import FIELDS


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    form = parser.add_mutually_exclusive_group()
    switch(form, "--json", help="print JSON")
    switch(form, "--markdown", help="print the reference table: defaults and ranges")
    configuration.add_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Print the settings."""
    if args.markdown:
        print(markdown_table())
        return 0
    effective = configuration.effective(args)
    values = effective.settings.as_dict()
    if args.json:
        rows = {name: {"value": value, "from": effective.origin[name]} for name, value in values.items()}
        print(json.dumps(rows, ensure_ascii=False, indent=2))
        return 0
    print(f"configuration file: {effective.file or 'none'}")
    print(f"fingerprint: {effective.settings.fingerprint}")
    width = max(map(len, values))
    shown = {name: _literal(value) for name, value in values.items()}
    column = min(24, max(map(len, shown.values())))
    for name, text in shown.items():
        print(f"{name:<{width}} = {text:<{column}}  # {effective.origin[name]}")
    return 0


def _literal(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def markdown_table() -> str:
    """The reference of all settings as a Markdown table: name, default, allowed values, what it decides."""
    lines = ["| setting | default | allowed | what it decides |", "|---|---|---|---|"]
    for name, field in FIELDS.items():
        facts = field.metadata
        what = facts["help"] + (f" (`{facts['env']}`)" if facts["env"] else "")
        default = _literal(field.default).replace("|", "\\|")
        lines.append(f"| `{name}` | `{default}` | {_allowed(field.default, facts)} | {what} |")
    return "\n".join(lines)


def _allowed(default: Any, facts: Any) -> str:
    if facts["choices"]:
        return ", ".join(f"`{choice}`" for choice in facts["choices"])
    if isinstance(default, bool):
        return "`true`, `false`"
    if isinstance(default, (int, float)):
        return f"{facts['low']:g} to {facts['high']:g}"
    return "text"

"""``pytest-grounding show settings``: every setting in use, and its origin."""

from __future__ import annotations

import argparse
import json

from pytest_grounding.cli import configuration


def run(args: argparse.Namespace) -> int:
    """Print the settings."""
    effective = configuration.effective(args)
    values = effective.settings.as_dict()
    if args.json:
        rows = {name: {"value": value, "from": effective.origin[name]} for name, value in values.items()}
        print(json.dumps(rows, ensure_ascii=False, indent=2))
        return 0
    print(f"configuration file: {effective.file or 'none'}")
    print(f"fingerprint: {effective.settings.fingerprint}")
    width = max(map(len, values))
    shown = {name: json.dumps(value, ensure_ascii=False) for name, value in values.items()}
    column = min(24, max(map(len, shown.values())))
    for name, text in shown.items():
        print(f"{name:<{width}} = {text:<{column}}  # {effective.origin[name]}")
    return 0

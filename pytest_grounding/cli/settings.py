"""``pytest-grounding show settings``: every setting in use, and its origin."""

from __future__ import annotations

import argparse
import json

from pytest_grounding.cli import configuration
from pytest_grounding.reports.terminal import text_of


def run(args: argparse.Namespace) -> int:
    """Print the settings."""
    effective = configuration.effective(args)
    values = effective.settings.as_dict()
    if args.json:
        rows = {name: {"value": value, "from": effective.origin[name]} for name, value in values.items()}
        print(json.dumps(rows, ensure_ascii=False, indent=2))
        return 0
    shown = {name: json.dumps(value, ensure_ascii=False) for name, value in values.items()}
    print(
        text_of("settings", effective, shown, max(map(len, values)), min(24, max(map(len, shown.values()))))
    )
    return 0

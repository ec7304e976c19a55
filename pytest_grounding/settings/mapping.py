"""Settings by name. Type checkers read ``mapping.pyi``, which docs/generate.py makes."""

from __future__ import annotations

from typing import Any, TypedDict

from pytest_grounding.settings import FIELDS

SettingsDict = TypedDict("SettingsDict", dict.fromkeys(FIELDS, Any), total=False)
SettingsDict.__doc__ = "Settings by name, as `validate`, the assertions and `Settings.of` take them."

"""Every threshold and switch, with its range, its environment variable and its help text.

A `Settings` is a frozen dataclass of the standard library: importing this module costs a pytest run
almost nothing. ``docs/settings.md`` lists all settings.
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Mapping
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

from pytest_grounding.settings._declare import OUTCOMES as OUTCOMES
from pytest_grounding.settings._declare import POLICIES as POLICIES
from pytest_grounding.settings._declare import declared, is_of_the_build, vetted

if TYPE_CHECKING:
    from pytest_grounding.settings._declare import Line
    from pytest_grounding.settings.mapping import Fields, SettingsDict
else:
    Fields = object


class Derived(Fields):
    """What follows from the values of `Settings`; its fields are the rows of ``settings.tsv``."""

    def __repr__(self) -> str:
        values = {name: getattr(self, name) for name in FIELDS}
        changed = [f"{name}={value!r}" for name, value in values.items() if value != FIELDS[name].default]
        return f"Settings({', '.join(changed)})"

    @cached_property
    def glossary_lines(self) -> tuple[Line, ...]:
        """The lines of the glossary with their numbers; its file is read once per settings object."""
        if not self.glossary:
            return ()
        from pytest_grounding.settings._declare import glossary_lines

        return glossary_lines(self.glossary)

    @cached_property
    def known_lines(self) -> tuple[str, ...]:
        """What the assistant may say without a chunk; a file is read once per settings object."""
        if not self.known:
            return ()
        from pytest_grounding.settings._declare import known_lines

        return known_lines(self.known)

    @cached_property
    def rule_severities(self) -> dict[str, str]:
        """The severities of single rules that the setting ``rules`` gives."""
        if not self.rules:
            return {}
        from pytest_grounding.settings._declare import rule_severities

        return rule_severities(self.rules)

    @property
    def glossary_file(self) -> str:
        """Path of the glossary's file, or "" if the setting contains the rules."""
        from pytest_grounding.settings._declare import is_glossary_path

        return self.glossary if is_glossary_path(self.glossary) else ""

    @property
    def glossary_rules(self) -> list[str]:
        """The rules of the glossary, independent of order, comments and location."""
        return sorted({line for _, line in self.glossary_lines})


@declared(frozen=True, kw_only=True, repr=False)
class Settings(Derived):
    """The thresholds and switches of one validation.

    Build one with `Settings(...)`, with `Settings.of(mapping)` or with `resolve(...)`, which layers
    several sources. Every value is checked; one out of range raises `SettingsError`.
    """

    if not TYPE_CHECKING:

        def __init__(self, **values):
            if unknown := values.keys() - FIELDS.keys():
                first, *others = sorted(unknown)
                more = f" and no {', '.join(others)}" if others else ""
                raise TypeError(f"Settings has no {first}{more}; {instead_of(first)}")
            if "profile" in values and len(values) < len(FIELDS):
                values = profile_values(values["profile"]) | values
            for name, field in FIELDS.items():
                value = vetted(field, values[name]) if name in values else field.default
                object.__setattr__(self, name, value)
            check_order(self)

    @classmethod
    def of(cls, values: Settings | SettingsDict | Mapping[str, Any] | None = None) -> Settings:
        """Settings from a mapping, from other settings, or the defaults."""
        if isinstance(values, Settings):
            return values
        return resolve([("argument", values)])[0] if values else _defaults()

    @classmethod
    def from_environment(
        cls,
        environ: Mapping[str, str] | None = None,
        *,
        values: Mapping[str, Any] | None = None,
        defaults: Mapping[str, Any] | None = None,
        profiles: Mapping[str, Mapping[str, Any]] | None = None,
    ) -> Settings:
        """Settings from environment variables such as ``VALIDATION_PROFILE``; for services."""
        layers = [
            ("defaults", defaults or {}),
            # No local name for it: a traceback with local variables would show all of it, secrets included.
            (FROM_ENVIRONMENT, from_environment(os.environ if environ is None else environ)),
            ("argument", values or {}),
        ]
        return resolve(layers, profiles=profiles)[0]

    def with_values(self, values: Mapping[str, Any]) -> Settings:
        """A copy with some values changed and checked."""
        refuse_unknown_settings(values, "argument")
        return dataclasses.replace(self, **values)

    def as_dict(self) -> dict[str, Any]:
        """The values by name, as plain data."""
        return {name: getattr(self, name) for name in FIELDS}

    @cached_property
    def fingerprint(self) -> str:
        """Hash of all values that can change a verdict, as 16 hexadecimal digits."""
        return fingerprint_of(self)


@lru_cache(maxsize=1)
def _defaults() -> Settings:
    return Settings()


FIELDS: dict[str, dataclasses.Field[Any]] = {field.name: field for field in dataclasses.fields(Settings)}
BUILD_SETTINGS = frozenset(filter(is_of_the_build, FIELDS))  # settings that no verdict depends on
#: Environment variable -> setting.
ENVIRONMENT = {field.metadata["env"]: name for name, field in FIELDS.items() if field.metadata["env"]}

# Imported at the end, because it builds on the class above.
from pytest_grounding.settings._layers import FROM_ENVIRONMENT as FROM_ENVIRONMENT  # noqa: E402
from pytest_grounding.settings._layers import PROFILES as PROFILES  # noqa: E402
from pytest_grounding.settings._layers import (  # noqa: E402
    check_order,
    fingerprint_of,
    instead_of,
    profile_values,
    refuse_unknown_settings,
)
from pytest_grounding.settings._layers import directory_layers as directory_layers  # noqa: E402
from pytest_grounding.settings._layers import from_environment as from_environment  # noqa: E402
from pytest_grounding.settings._layers import in_ci as in_ci  # noqa: E402
from pytest_grounding.settings._layers import parse_baseline_policy as parse_baseline_policy  # noqa: E402
from pytest_grounding.settings._layers import parse_profiles as parse_profiles  # noqa: E402
from pytest_grounding.settings._layers import refuse_missing_folder as refuse_missing_folder  # noqa: E402
from pytest_grounding.settings._layers import resolve as resolve  # noqa: E402

"""Every threshold and switch, with its range, its environment variable and its help text.

A `Settings` is a frozen dataclass of the standard library: importing this module costs a pytest run
almost nothing. ``docs/settings.md`` lists all settings.
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Mapping
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Literal

from pytest_grounding.settings._declare import OUTCOMES as OUTCOMES
from pytest_grounding.settings._declare import POLICIES as POLICIES
from pytest_grounding.settings._declare import (
    Outcome,
    Policy,
    declared,
    is_of_the_build,
    table,
    vetted,
)

if TYPE_CHECKING:
    from pytest_grounding.settings._declare import Line
    from pytest_grounding.settings.mapping import SettingsDict


class Derived:
    """The base of `Settings`, which has the fields."""

    if TYPE_CHECKING:
        glossary: str
        known: str

        def as_dict(self) -> dict[str, Any]:
            """The values by name."""
            ...

    else:

        def __setattr__(self, name, value):
            raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")

        def __delattr__(self, name):
            raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Derived) and self.as_dict() == other.as_dict()

    def __hash__(self) -> int:
        return hash(tuple(self.as_dict().values()))

    def __repr__(self) -> str:
        usual = type(self)().as_dict()
        changed = [f"{name}={value!r}" for name, value in self.as_dict().items() if value != usual[name]]
        return f"Settings({', '.join(changed)})"

    @cached_property
    def glossary_lines(self) -> tuple[Line, ...]:
        """The lines of the glossary with their numbers; its file is read once per settings object."""
        if not self.glossary:
            return ()
        # Imported here for cost, here and below: most projects have no glossary.
        from pytest_grounding.settings._declare import glossary_lines

        return glossary_lines(self.glossary)

    @cached_property
    def known_lines(self) -> tuple[str, ...]:
        """What the assistant may say without a chunk; a file is read once per settings object."""
        if not self.known:
            return ()
        from pytest_grounding.settings._declare import known_lines

        return known_lines(self.known)

    @property
    def glossary_file(self) -> str:
        """Path of the glossary's file, or "" if the setting contains the rules."""
        from pytest_grounding.settings._declare import is_glossary_path

        return self.glossary if is_glossary_path(self.glossary) else ""

    @property
    def glossary_rules(self) -> list[str]:
        """The rules of the glossary, independent of order, comments and location."""
        return sorted({line for _, line in self.glossary_lines})


@declared(frozen=True, kw_only=True, eq=False, repr=False)
class Settings(Derived):
    """The thresholds and switches of one validation.

    Build one with `Settings(...)`, with `Settings.of(mapping)` or with `resolve(...)`, which layers
    several sources. Every value is checked; one out of range raises `SettingsError`.
    """

    enabled: bool = table
    hallucination_detection: bool = table
    profile: str = table
    language: str = table
    scorer: str = table
    judge: str = table
    judge_model: str = table
    judge_scope: Literal["all", "doubtful", "borderline"] = table
    judge_url: str = table
    judge_key_env: str = table
    judge_max_requests: int = table
    judge_min_agreement: float = table
    judge_measured: str = table
    embeddings: str = table
    local_model: str = table
    cassette: str = table
    record: Literal["none", "new", "all"] = table
    remote_deadline: float = table
    remote_retries: int = table
    supported_threshold: float = table
    borderline_threshold: float = table
    max_hallucination_rate: float = table
    abstained: Outcome = table
    nothing_checked: Outcome = table
    possible_conflicts: Policy = table
    not_useful: Policy = table
    internal_contradiction: Policy = table
    unknown_entity: Policy = table
    rules: str = table
    glossary: str = table
    known: str = table
    require_citations: Policy = table
    citation_scope: Literal["paragraph", "sentence"] = table
    citation_numbers: Literal["chunks", "documents"] = table
    index_base: int = table
    alignment_threshold: float = table
    source_root: str = table
    link_base: str = table
    cms_base: str = table
    injection: Policy = table
    tool_use: Policy = table
    relevance_threshold: float = table
    incomplete_answers: Policy = table
    confidence_model: Literal["learned", "self_rag", "tiered", "calibrated"] = table
    accept_confidence: float = table
    reject_confidence: float = table
    calibration: str = table
    waivers_file: str = table
    waivers: Literal["on", "strict", "off"] = table
    self_correction: bool = table
    self_correction_max_retries: int = table
    question_max_length: int = table
    question: str = table
    columns: str = table
    corpus: str = table
    audit: str = table
    audit_retention_days: int = table
    audit_required: bool = table
    suite_min_citation_accuracy: float = table
    suite_max_ungrounded_answers: float = table
    suite_max_hallucination_rate: float = table
    suite_confidence: float = table
    suite_min_confident_share: float = table
    suite_max_milliseconds: float = table
    fail_on: Literal["review", "reject"] = table
    suite: Literal["on", "off"] = table
    expect: int = table
    missing: Outcome = table
    partial_runs: Literal["undecided", "fail"] = table
    baseline_gate: Literal["all", "new"] = table
    baseline_policy: str = table

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
        refuse_unknown(values, "argument")
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

#: Settings that no verdict depends on.
BUILD_SETTINGS = frozenset(filter(is_of_the_build, FIELDS))

#: Environment variable -> setting.
ENVIRONMENT: dict[str, str] = {
    field.metadata["env"]: name for name, field in FIELDS.items() if field.metadata["env"]
}

# Imported at the end, because it builds on the class above.
from pytest_grounding.settings._layers import FROM_ENVIRONMENT as FROM_ENVIRONMENT  # noqa: E402
from pytest_grounding.settings._layers import PROFILES as PROFILES  # noqa: E402
from pytest_grounding.settings._layers import (  # noqa: E402
    check_order,
    fingerprint_of,
    instead_of,
    profile_values,
    refuse_unknown,
)
from pytest_grounding.settings._layers import directory_layers as directory_layers  # noqa: E402
from pytest_grounding.settings._layers import from_environment as from_environment  # noqa: E402
from pytest_grounding.settings._layers import in_ci as in_ci  # noqa: E402
from pytest_grounding.settings._layers import parse_baseline_policy as parse_baseline_policy  # noqa: E402
from pytest_grounding.settings._layers import parse_profiles as parse_profiles  # noqa: E402
from pytest_grounding.settings._layers import refuse_missing_folder as refuse_missing_folder  # noqa: E402
from pytest_grounding.settings._layers import resolve as resolve  # noqa: E402

"""Every threshold and switch, with its range, its environment variable and its help text.

A `Settings` is a frozen dataclass of the standard library: importing this module costs a pytest run
almost nothing. ``docs/settings.md`` lists them with what each decides.
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Mapping
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Literal

from pytest_grounding.settings._declare import (
    OUTCOMES,
    POLICIES,
    Outcome,
    Policy,
    checked,
    declared,
    is_of_the_build,
    setting,
    share,
)
from pytest_grounding.settings._scoring import Scoring

if TYPE_CHECKING:
    from pytest_grounding.settings.mapping import SettingsDict


@declared(frozen=True, kw_only=True, eq=False, repr=False)
class Settings(Scoring):
    """The thresholds and switches of one validation.

    Build one with `Settings(...)`, with `Settings.of(mapping)` or with `resolve(...)`, which layers
    several sources. Every value is checked; one out of range raises `SettingsError`.
    """

    # -- claims and hallucinations
    supported_threshold: float = share(
        0.8, "support from which a claim is supported", env="HALLUCINATION_SIMILARITY_THRESHOLD"
    )
    borderline_threshold: float = share(
        0.7, "support from which a claim is borderline; below, it is unsupported"
    )
    max_hallucination_rate: float = share(
        0.3, "above this rate a transcript is rejected", env="HALLUCINATION_MAX_RATE"
    )
    abstained: Outcome = setting("fail", "what happens when no scorer could score a claim", choices=OUTCOMES)
    nothing_checked: Outcome = setting(
        "warn", "what happens when an answer has no claim to check", choices=OUTCOMES
    )
    possible_conflicts: Policy = setting(
        "off",
        "how severe a conflict is that may be a false alarm; off: a note",
        choices=POLICIES,
    )
    not_useful: Policy = setting(
        "off", "how severe it is when an answer does not address its question; off: a note", choices=POLICIES
    )
    internal_contradiction: Policy = setting(
        "off",
        "how severe it is when two claims of an answer exclude each other; off: a note",
        choices=POLICIES,
    )
    unknown_entity: Policy = setting(
        "off", "how severe it is when an answer names what no source mentions; off: a note", choices=POLICIES
    )
    glossary: str = setting(
        "",
        "your own terms: a file of rules, or the rules themselves, one a line: A = B, A -> B, A != B",
        env="GROUNDING_GLOSSARY",
    )

    # -- citations
    require_citations: Policy = setting(
        "off", "how severe a checked claim without a citation is", choices=POLICIES
    )
    citation_scope: Literal["paragraph", "sentence"] = setting(
        "paragraph",
        "what a citation behind the last sentence counts for: its paragraph, list or table, or that sentence",
        choices=("paragraph", "sentence"),
    )
    index_base: int = setting(1, "number of the first chunk in [n] markers", low=0, high=1)
    alignment_threshold: float = share(0.7, "support that a claim needs from the chunk that it cites")
    source_root: str = setting("", "folder that code citations are looked up in; empty: chunks only")
    link_base: str = setting("", "base address for sources that carry a slug")
    cms_base: str = setting("", "base address for sources with a payload id", env="PAYLOAD_PUBLIC_SERVER_URL")

    # -- retrieval
    injection: Policy = setting(
        "warn",
        "how severe it is when an answer follows an order to the model in a chunk, or repeats what is only "
        "there; off: all of a chunk is believed",
        choices=POLICIES,
    )
    relevance_threshold: float = share(0.3, "relevance from which a chunk is relevant")
    incomplete_answers: Policy = setting(
        "off",
        "how severe it is when an answer leaves out a part of its question; off: a note",
        choices=POLICIES,
    )

    # -- confidence and the gate on one transcript
    confidence_model: Literal["learned", "self_rag", "tiered", "calibrated"] = setting(
        "learned", "which confidence decides", choices=("learned", "self_rag", "tiered", "calibrated")
    )
    accept_confidence: float = share(
        0.7, "confidence from which a transcript can be accepted", env="VALIDATION_CONFIDENCE_THRESHOLD"
    )
    reject_confidence: float = share(0.4, "confidence below which a transcript is rejected")
    calibration: str = setting("", "file with a calibration map, written by pytest-grounding calibrate")
    waivers_file: str = setting("", "file of the waivers; empty: grounding.waivers.jsonl in the root, if any")
    waivers: Literal["on", "strict", "off"] = setting(
        "on",
        "what waivers do; strict: an unused or expired one fails the build; off: they are ignored",
        choices=("on", "strict", "off"),
    )

    # -- self-correction
    self_correction: bool = setting(
        True, "let assert_self_corrects regenerate", env="SELF_CORRECTION_ENABLED"
    )
    self_correction_max_retries: int = setting(
        2, "how often to regenerate", low=0, high=10, env="SELF_CORRECTION_MAX_RETRIES"
    )

    # -- transcripts
    question_max_length: int = setting(2000, "longest question, in characters", low=1, high=1_000_000)
    question: str = setting("", "question of recordings that hold none; empty: they are errors")
    columns: str = setting("", "columns of tables, such as question=Frage, answer=Antwort, chunks=Kontext")
    corpus: str = setting("", "JSON Lines file with the texts of passages that recordings name only by id")

    # -- audit log
    audit: str = setting("", "file of the audit log; empty: no validation is logged")
    audit_retention_days: int = setting(
        90, "age from which audit records can be pruned", low=1, high=36_500, env="AUDIT_RETENTION_DAYS"
    )
    audit_required: bool = setting(False, "fail when the audit log cannot be written")

    # -- where a reader finds the run

    # -- the gate of the build
    suite_min_citation_accuracy: float = share(0.99, "citation accuracy that the suite needs")
    suite_max_ungrounded_answers: float = share(
        0.01, "the share of answers with an ungrounded citation must stay below this"
    )
    suite_max_hallucination_rate: float = share(0.1, "hallucination rate that the suite may reach")
    suite_confidence: float = share(0.7, "confidence that counts as confident in the suite's share")
    suite_min_confident_share: float = share(0.7, "the share of confident answers must be above this")
    fail_on: Literal["review", "reject"] = setting(
        "review", "status from which a transcript fails on its own", choices=("review", "reject")
    )
    suite: Literal["on", "off"] = setting(
        "on", "let a run's transcripts count for the suite", choices=("on", "off")
    )
    expect: int = setting(0, "how many transcripts a whole run must have at least", low=0, high=10_000_000)
    missing: Outcome = setting(
        "fail",
        "what happens when transcripts that were promised, in the run or in the baseline were not validated",
        choices=OUTCOMES,
    )
    partial_runs: Literal["undecided", "fail"] = setting(
        "undecided", "what a partial run decides about the suite", choices=("undecided", "fail")
    )
    baseline_gate: Literal["all", "new"] = setting(
        "all",
        "what counts with a baseline: everything that is wrong, or only new findings",
        choices=("all", "new"),
    )
    baseline_policy: str = setting(
        "any",
        "what fails against a baseline: any worsening; tolerance=x, a figure that drops by more than x; "
        "significant=alpha, a drop that chance does not explain",
    )
    if not TYPE_CHECKING:

        def __init__(self, **values):
            if unknown := values.keys() - FIELDS.keys():
                first, *others = sorted(unknown)
                more = f" and no {', '.join(others)}" if others else ""
                raise TypeError(f"Settings has no {first}{more}; {instead_of(first)}")
            if "profile" in values and len(values) < len(FIELDS):
                values = profile_values(values["profile"]) | values
            for name, field in FIELDS.items():
                value = checked(field, values[name]) if name in values else field.default
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
            # No name of its own here: a traceback with local variables would show all of it, secrets too.
            (FROM_ENVIRONMENT, from_environment(os.environ if environ is None else environ)),
            ("argument", values or {}),
        ]
        return resolve(layers, profiles=profiles)[0]

    def with_values(self, values: Mapping[str, Any]) -> Settings:
        """A copy with some values changed, checked like new ones."""
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

# The sources build on the class above; what they offer belongs to this package all the same.
from pytest_grounding.settings._layers import (  # noqa: E402
    FROM_ENVIRONMENT,
    PROFILES,
    check_order,
    directory_layers,
    fingerprint_of,
    from_environment,
    in_ci,
    instead_of,
    parse_baseline_policy,
    parse_profiles,
    profile_values,
    refuse_missing_folder,
    refuse_unknown,
    resolve,
)

__all__ = [
    "BUILD_SETTINGS",
    "ENVIRONMENT",
    "FIELDS",
    "FROM_ENVIRONMENT",
    "OUTCOMES",
    "POLICIES",
    "PROFILES",
    "Settings",
    "directory_layers",
    "from_environment",
    "in_ci",
    "parse_baseline_policy",
    "parse_profiles",
    "refuse_missing_folder",
    "resolve",
]

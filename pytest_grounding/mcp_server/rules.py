"""The settings of a call: the server's own, and those that its caller may change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pytest_grounding.errors import InputError, SettingsError
from pytest_grounding.settings import FIELDS, Settings, resolve

#: Settings that a call may change: thresholds, policies and reading rules. All others choose files, models
#: or code, and are the business of who starts the server.
CALLER_SETTINGS = (
    "profile",
    "language",
    "hallucination_detection",
    "supported_threshold",
    "borderline_threshold",
    "regenerate_hallucination_rate",
    "max_hallucination_rate",
    "abstained",
    "nothing_checked",
    "possible_conflicts",
    "require_citations",
    "index_base",
    "alignment_threshold",
    "relevance_threshold",
    "good_mean_relevance",
    "good_min_relevant",
    "presence_word_share",
    "confidence_model",
    "accept_confidence",
    "reject_confidence",
    "question_max_length",
)


@dataclass(frozen=True, slots=True)
class Rules:
    """The settings that the server was started with."""

    layers: Sequence[tuple[str, Mapping[str, Any]]] = ()
    profiles: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    source_root: str = ""

    def of_call(self, given: Any = None) -> Settings:
        """The settings for one call."""
        values = {} if given is None else given
        if not isinstance(values, Mapping):
            raise InputError(
                "is not an object", field="settings", hint='write {"NAME": VALUE}, or leave it out'
            )
        for name in values:
            if name in FIELDS and name not in CALLER_SETTINGS:
                raise InputError(
                    "cannot be changed by a call",
                    field=f"settings.{name}",
                    hint="set it where the server is started, or leave it out",
                )
        try:
            layered, _ = resolve([*self.layers, ("the call", values)], profiles=self.profiles)
        except SettingsError as error:
            raise SettingsError(f"settings: {error}") from None
        return layered.with_values({"source_root": self.source_root, "record": "none", "audit": ""})

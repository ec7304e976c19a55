"""What one job of several found on its part of the suite."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from pytest_grounding.model._base import Model
from pytest_grounding.model.run import RunReport


class Shard(Model):
    """The part of a suite that one job ran, or several such parts merged.

    Attributes:
        engine_version: the engine that judged.
        settings_hash: fingerprint of the settings that verdicts depend on.
        settings: all values that are not at their default and are the same on every machine.
        parts: digest of each job's report -> its name; two merged parts never share one.
        tests: the tests on transcripts that ran here, in order.
        deselected: tests that the jobs left out; ran: all that they ran, where they left some out.
        report: verdicts and facts, not decided.
    """

    schema_version: Literal[1] = 1
    engine_version: str
    settings_hash: str
    settings: Mapping[str, Any]
    parts: Mapping[str, str]
    tests: tuple[str, ...]
    deselected: tuple[str, ...] = ()
    ran: tuple[str, ...] = ()
    report: RunReport

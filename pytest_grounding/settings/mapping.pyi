"""Settings by name, for type checkers; docs/generate.py makes this file."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from typing import Literal, TypedDict

from pytest_grounding.settings._declare import Outcome, Policy

#: Words, or the path of a file where the setting names one.
Text = str | PathLike[str]
GlossaryValue = Text | Sequence[str]

class SettingsDict(TypedDict, total=False):
    """Settings by name, as `validate`, the assertions and `Settings.of` take them; every key is optional.

    ``docs/settings.md`` says what each decides, its default and its range.
    """

    enabled: bool
    hallucination_detection: bool
    profile: Text
    language: Text
    scorer: Text
    judge: Text
    judge_model: Text
    judge_scope: Literal["all", "doubtful", "borderline"]
    judge_url: Text
    judge_key_env: Text
    judge_max_requests: int
    judge_min_agreement: float
    judge_measured: Text
    embeddings: Text
    local_model: Text
    cassette: Text
    record: Literal["none", "new", "all"]
    remote_deadline: float
    remote_retries: int
    supported_threshold: float
    borderline_threshold: float
    max_hallucination_rate: float
    abstained: Outcome
    nothing_checked: Outcome
    possible_conflicts: Policy
    not_useful: Policy
    internal_contradiction: Policy
    unknown_entity: Policy
    rules: Text
    glossary: GlossaryValue
    known: Text
    require_citations: Policy
    citation_scope: Literal["paragraph", "sentence"]
    citation_numbers: Literal["chunks", "documents"]
    index_base: int
    alignment_threshold: float
    source_root: Text
    link_base: Text
    cms_base: Text
    injection: Policy
    tool_use: Policy
    relevance_threshold: float
    incomplete_answers: Policy
    confidence_model: Literal["learned", "self_rag", "tiered", "calibrated"]
    accept_confidence: float
    reject_confidence: float
    calibration: Text
    waivers_file: Text
    waivers: Literal["on", "strict", "off"]
    self_correction: bool
    self_correction_max_retries: int
    question_max_length: int
    question: Text
    columns: Text
    corpus: Text
    audit: Text
    audit_retention_days: int
    audit_required: bool
    suite_min_citation_accuracy: float
    suite_max_ungrounded_answers: float
    suite_max_hallucination_rate: float
    suite_confidence: float
    suite_min_confident_share: float
    suite_max_milliseconds: float
    fail_on: Literal["review", "reject"]
    suite: Literal["on", "off"]
    expect: int
    missing: Outcome
    partial_runs: Literal["undecided", "fail"]
    baseline_gate: Literal["all", "new"]
    baseline_policy: Text

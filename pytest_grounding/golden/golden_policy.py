"""Decide on a new recording by policy: it matches its golden, becomes one, waits for review, or fails."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from pytest_grounding.engine.validation import validate
from pytest_grounding.errors import InputError
from pytest_grounding.golden.decisions import append, author, line_of, rejection
from pytest_grounding.golden.diff import compare
from pytest_grounding.golden.golden_file import BESIDE_RULES, Change, Golden, Pending, change, ordered, shown
from pytest_grounding.golden.golden_store import Store
from pytest_grounding.model.verdict import Verdict
from pytest_grounding.settings import Settings


def is_unaffected(golden: Golden, candidate: Golden, changes: Sequence[Change]) -> bool:
    """Whether neither claims nor citations nor the decision changed: no review is needed."""
    beside = all(item.rule in BESIDE_RULES for item in changes)
    return beside and _outcome(golden.verdict) == _outcome(candidate.verdict)


def _outcome(verdict: Verdict) -> tuple[object, ...]:
    claims = tuple((claim.checked, claim.status, claim.waived is None) for claim in verdict.claims)
    return verdict.status, verdict.declined, claims, tuple(item.valid for item in verdict.citations)


POLICIES = ("check", "new", "update", "improvements")

State = Literal[
    "same", "unaffected", "created", "accepted", "pending", "changed", "missing", "regressed", "rejected"
]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The decision on one recording."""

    state: State
    record: Pending
    path: Path
    reason: str = ""
    problem: str = ""

    @property
    def failed(self) -> bool:
        """Whether the test fails."""
        return self.state in ("missing", "regressed", "rejected")

    def as_data(self) -> dict[str, Any]:
        """The outcome as plain JSON data, for a test report."""
        grades = [item.grade for item in self.record.changes]
        return {
            "id": self.record.candidate.id,
            "golden": str(self.path.resolve()),
            "state": self.state,
            "regressions": grades.count("regression"),
            "improvements": grades.count("improvement"),
            "neutral": grades.count("neutral"),
            "only_tools": self.record.only_tools,
            "problem": self.problem,
        }


def settle(
    store: Store,
    candidate: Golden,
    settings: Settings,
    *,
    policy: str = "check",
    ci: bool = False,
    test: str = "",
) -> Outcome:
    """Compare a recording with its golden, and apply the policy."""
    if policy not in POLICIES:
        raise ValueError(f"policy {policy!r} is unknown; write one of: {', '.join(POLICIES)}")
    path = store.golden_path(candidate.id)
    try:
        golden = store.golden(candidate.id)
    except InputError:
        if policy != "update":
            raise
        golden = None
    changes = changes_between(golden, candidate, settings) if golden is not None else ()
    against = golden.hash if golden is not None else None
    record = Pending(
        candidate=candidate,
        against=against,
        changes=changes,
        test=test,
        waits=golden is None or not is_unaffected(golden, candidate, changes),
    )
    if golden is not None and not changes:
        store.drop_pending(candidate.id)
        return Outcome("same", record, path)
    if _accepts(policy, record):
        existed = path.exists()
        try:
            store.accept(candidate)
            # The line is not a label: no person looked at the recording.
            reason, by = f"--grounding-golden={policy}", author(store.folder)
            line = line_of(record, "accept", reason=reason, by=by, person=False)
            append(store, candidate.id, line)
        except OSError as error:
            raise InputError(f"cannot be written ({error.strerror or error})", path=shown(path)) from None
        return Outcome("accepted" if existed else "created", record, path)
    return _waiting(store, record, path, ci=ci)


def _waiting(store: Store, record: Pending, path: Path, *, ci: bool) -> Outcome:
    refused = rejection(store, record.candidate.id, record.candidate.verdict.transcript_hash)
    if refused is not None:
        record = record.model_copy(update={"waits": True})
    problem = ""
    try:
        store.put_pending(record)
    except OSError as error:
        # A folder that is not writable is reported, but fails nothing.
        problem = f"{shown(store.folder)}: the candidate could not be kept ({error.strerror or error})"
    if refused is not None:
        why = (
            f"{refused.get('by', 'somebody')} rejected this recording: {refused.get('reason') or 'no reason'}"
        )
        return Outcome("rejected", record, path, why, problem)
    if record.against is None:
        why = "has no golden; accept its recording where it was made, and commit the file"
        return Outcome("missing" if ci else "pending", record, path, why if ci else "", problem)
    if record.grade == "regression":
        number = sum(item.grade == "regression" for item in record.changes)
        why = f"{number} regression{'s' if number > 1 else ''} against the golden"
        return Outcome("regressed", record, path, why, problem)
    return Outcome("changed" if record.waits else "unaffected", record, path, "", problem)


def _accepts(policy: str, record: Pending) -> bool:
    if policy == "update":
        return True
    if record.against is None:
        return policy == "new"
    return policy == "improvements" and (record.grade == "improvement" or not record.waits)


def changes_between(golden: Golden, candidate: Golden, settings: Settings) -> tuple[Change, ...]:
    """The changes of a recording against its golden; those caused by tools are separate."""
    if golden.hash == candidate.hash:
        return ()
    tools = []
    base = golden
    moved = (
        golden.engine_version != candidate.engine_version or golden.settings_hash != candidate.settings_hash
    )
    if moved:
        base = Golden.of(golden.transcript, validate(golden.transcript, settings), golden.id)
        tools = _tool_changes(golden, base)
    return ordered([*tools, *compare(base, candidate)])


def _tool_changes(golden: Golden, judged: Golden) -> list[Change]:
    """One change that describes what the current engine or settings judge differently, or none."""
    inner = compare(golden, judged)
    if not inner:
        return []
    if golden.engine_version != judged.engine_version:
        rule, about = "engine_changed", "engine"
        text = f"engine {golden.engine_version} -> {judged.engine_version} judges the accepted recording anew"
    else:
        rule, about = "settings_changed", "settings"
        text = f"settings {golden.settings_hash} -> {judged.settings_hash} judge the accepted recording anew"
    details = [
        f"{item.message}{f': {item.old or item.new}' if item.old or item.new else ''}" for item in inner
    ]
    return [change(about, rule, text, details=details)]

"""Decide on a new recording: by policy, or as a person who accepts or rejects what waits."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from pytest_grounding._io.jsonio import canonical_json
from pytest_grounding._io.wording import counted
from pytest_grounding.engine.validation import validate
from pytest_grounding.errors import InputError
from pytest_grounding.golden.diff import compare_recordings
from pytest_grounding.golden.golden_file import (
    BESIDE_RULES,
    GRADES,
    Golden,
    Pending,
    change,
    ordered_changes,
    read_golden,
    read_pending,
    shown_path,
)
from pytest_grounding.golden.golden_store import (
    GoldenStore,
    Verb,
    append,
    author,
    find_stores,
    line_of_golden,
    rejection_of,
)
from pytest_grounding.model.comparison import Change
from pytest_grounding.model.verdict import STATUS_RANK, Verdict
from pytest_grounding.settings import Settings

POLICIES = ("check", "new", "update", "improvements", "lenient")
_Failed = Literal["missing", "reworded", "regressed", "rejected"]
State = Literal["same", "unaffected", "created", "accepted", "pending", "changed"] | _Failed
_ORDER = {"regression": 0, "reworded": 1, "new": 2, "improvement": 3, "neutral": 4}


def _outcome_key(verdict: Verdict) -> tuple[object, ...]:
    claims = tuple((claim.checked, claim.status, claim.waived is None) for claim in verdict.claims)
    return verdict.status, verdict.declined, claims, tuple(item.valid for item in verdict.citations)


@dataclass(frozen=True, slots=True)
class GoldenOutcome:
    """The decision on one recording."""

    state: State
    record: Pending
    path: Path
    reason: str = ""
    problem: str = ""

    @property
    def failed(self) -> bool:
        """Whether the test fails."""
        return self.state in get_args(_Failed)

    @property
    def failing(self) -> list[Change]:
        """Why the test fails: the regressions and reworded claims, or else the reason."""
        if not self.failed:
            return []
        found = [item for item in self.record.changes if item.grade in ("regression", "reworded")]
        if found and self.state != "rejected":
            return found
        return [Change(about="golden", rule="golden", grade="regression", message=self.reason)]

    def as_data(self) -> dict[str, Any]:
        """The outcome as plain JSON data, for a test report."""
        return {
            "id": self.record.candidate.id,
            "transcript": self.record.candidate.transcript.id,
            "golden": str(self.path.resolve()),
            "state": self.state,
            "only_tools": self.record.only_tools,
            "problem": self.problem,
            "failing": [item.model_dump(mode="json") for item in self.failing],
        }


def settle_golden(
    store: GoldenStore,
    candidate: Golden,
    settings: Settings,
    *,
    policy: str = "check",
    ci: bool = False,
    test: str = "",
) -> GoldenOutcome:
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
    record = Pending(candidate=candidate, test=test)
    if golden is not None:
        changes = changes_between(golden, candidate, settings)
        is_same = _outcome_key(golden.verdict) == _outcome_key(candidate.verdict)
        waits = not is_same or not all(item.rule in BESIDE_RULES for item in changes)
        record = record.model_copy(update={"against": golden.hash, "changes": changes, "waits": waits})
        if not changes:
            store.drop_pending(candidate.id)
            return GoldenOutcome("same", record, path)
    is_new = policy == "new" and golden is None
    is_better = policy == "improvements" and (record.grade == "improvement" or not record.waits)
    if policy == "update" or is_new or is_better:
        existed = path.exists()
        try:
            # The line is not a label: no person looked at the recording.
            reason, by = f"--grounding-golden={policy}", author(store.folder)
            line = line_of_golden(record, "accept", reason=reason, by=by, person=False)
            append(store, candidate.id, line)
            store.accept(candidate)
        except OSError as error:
            problem = f"cannot be written ({error.strerror or error})"
            raise InputError(problem, path=shown_path(path)) from None
        return GoldenOutcome("accepted" if existed else "created", record, path)
    return _waiting(store, record, path, ci=ci, is_lenient=policy == "lenient")


def _waiting(store: GoldenStore, record: Pending, path: Path, *, ci: bool, is_lenient: bool) -> GoldenOutcome:
    refused = rejection_of(store, record.candidate.id, record.candidate.verdict.transcript_hash)
    if refused is not None:
        record = record.model_copy(update={"waits": True})
    problem = ""
    try:
        store.put_pending(record)
    except OSError as error:
        # A folder that is not writable is reported, but fails nothing.
        problem = f"{shown_path(store.folder)}: the candidate could not be kept ({error.strerror or error})"
    if refused is not None:
        by, why = refused.get("by", "somebody"), refused.get("reason") or "no reason"
        return GoldenOutcome("rejected", record, path, f"{by} rejected this recording: {why}", problem)
    if record.against is None:
        why = "has no golden; accept its recording where it was made, and commit the file"
        return GoldenOutcome("missing" if ci else "pending", record, path, why if ci else "", problem)
    if record.grade == "regression":
        number = sum(item.grade == "regression" for item in record.changes)
        why = f"{counted(number, 'regression')} against the golden"
        return GoldenOutcome("regressed", record, path, why, problem)
    if record.grade == "reworded" and not is_lenient:
        why = "is reworded: look whether it says the same as"
        return GoldenOutcome("reworded", record, path, why, problem)
    return GoldenOutcome("changed" if record.waits else "unaffected", record, path, "", problem)


def changes_between(golden: Golden, candidate: Golden, settings: Settings) -> tuple[Change, ...]:
    """The changes of a recording against its golden; those caused by tools are separate."""
    if golden.hash == candidate.hash:
        return ()
    versions = [(record.engine_version, record.settings_hash) for record in (golden, candidate)]
    if versions[0] == versions[1]:
        return ordered_changes(compare_recordings(golden, candidate))
    base = Golden.of(golden.transcript, validate(golden.transcript, settings), golden.id)
    return ordered_changes([*_tool_changes(golden, base), *compare_recordings(base, candidate)])


def _tool_changes(golden: Golden, judged: Golden) -> list[Change]:
    inner = compare_recordings(golden, judged)
    if not inner:
        return []
    if golden.engine_version != judged.engine_version:
        rule, about = "engine_changed", "engine"
        text = f"engine {golden.engine_version} -> {judged.engine_version} judges the accepted recording anew"
    else:
        rule, about = "settings_changed", "settings"
        text = f"settings {golden.settings_hash} -> {judged.settings_hash} judge the accepted recording anew"
    details = [": ".join(filter(None, (item.message, item.old or item.new))) for item in inner]
    return [change(about, rule, text, details=details)]


@dataclass(frozen=True, slots=True)
class Item:
    """One candidate that waits."""

    store: GoldenStore
    record: Pending
    golden: Golden | None
    stale: str = ""

    @property
    def id(self) -> str:
        """Id of the transcript, or the name that the test gave."""
        return self.record.candidate.id

    @property
    def verdict(self) -> Verdict:
        """The verdict on the candidate."""
        return self.record.candidate.verdict

    @property
    def place(self) -> str:
        """Path of the golden; it identifies the candidate if several share an id."""
        return shown_path(self.store.golden_path(self.id))

    def as_data(self) -> dict[str, Any]:
        """The candidate as plain JSON data, for scripts."""
        old = self.golden and self.golden.verdict
        return {
            "id": self.id,
            "golden": self.place,
            "candidate": self.record.candidate.hash,
            "against": self.record.against or "",
            "grade": self.record.grade,
            "only_tools": self.record.only_tools,
            "stale": self.stale,
            "test": self.record.test,
            "status": {"old": old and old.status, "new": self.verdict.status},
            "confidence": {"old": old and old.confidence, "new": self.verdict.confidence},
            "changes": [item.model_dump(mode="json") for item in self.record.changes],
        }


def waiting(roots: Sequence[Path], *, everything: bool = False) -> tuple[list[Item], list[InputError]]:
    """The candidates below some folders, most severe first, and the errors of unreadable ones."""
    items, problems = [], []
    for store in find_stores(roots):
        for path in store.candidates():
            try:
                record = read_pending(path)
            except InputError as error:
                problems.append(error)
                continue
            if everything or record.waits:
                items.append(_item(store, record))
    items.sort(key=lambda item: (_ORDER[item.record.grade], STATUS_RANK[item.verdict.status], item.place))
    return items, problems


def _item(store: GoldenStore, record: Pending) -> Item:
    path = store.golden_path(record.candidate.id)
    try:
        golden = read_golden(path) if path.exists() else None
    except InputError as error:
        return Item(store, record, None, str(error))
    # Where it is the candidate already, a decision was cut off before the candidate was removed.
    is_old = (golden and golden.hash) not in (record.against, record.candidate.hash)
    return Item(store, record, golden, "the golden has changed since; run the tests again" if is_old else "")


def pick(items: Sequence[Item], names: Iterable[str]) -> list[Item]:
    """The candidates with some names: ids, or paths of goldens."""
    found: list[Item] = []
    for name in names:
        fits = [item for item in items if name in (item.id, item.place)]
        if not fits:
            raise InputError(f"no candidate is called {name!r}", hint="see: pytest-grounding review --list")
        if len(fits) > 1:
            hint = f"write the path of one: {', '.join(item.place for item in fits)}"
            raise InputError(f"{name!r} names {len(fits)} candidates", hint=hint)
        found += [item for item in fits if item not in found]
    return found


def decide_all(items: Sequence[Item], verb: Verb, *, reason: str, by: str = "", person: bool = True) -> None:
    """Accept or reject candidates, and log each decision; accepting a regression needs a reason."""
    ready = [item for item in items if not item.stale]
    stale = next((item for item in items if item.stale), None)
    grave = next((item for item in ready if item.record.grade == "regression"), None)
    if grave is not None and verb == "accept" and not reason.strip():
        problem, hint = "accepting a regression needs a reason", "write it with --reason WHY"
        if stale is not None:
            hint += f"; of {stale.place} {stale.stale}"
        raise InputError(problem, path=grave.place, hint=hint)
    who: dict[Path, str] = {}
    for item in ready:
        store = item.store
        if store.folder not in who:
            who[store.folder] = by or author(store.folder)
        line = line_of_golden(item.record, verb, reason=reason, by=who[store.folder], person=person)
        # First: of what was cut off in between, the candidate still waits and can be decided again.
        append(store, item.id, line)
        if verb == "accept":
            store.accept(item.record.candidate)
        else:
            store.drop_pending(item.id)
    if stale is not None:
        raise InputError(stale.stale, path=stale.place, hint="the others were decided" if ready else None)


def of_grade(items: Iterable[Item], grade: str) -> list[Item]:
    """The candidates of a grade that may be accepted together; new ones only if they pass the gate."""
    same = [item for item in items if item.record.grade == grade and not item.stale]
    return [item for item in same if grade != "new" or item.verdict.status == "pass"]


def upgrade(items: Iterable[Item]) -> list[Item]:
    """Accept the candidates in which nothing changed but the engine or the settings, and return them."""
    chosen = [item for item in items if item.record.only_tools and not item.stale]
    decide_all(chosen, "accept", reason="engine or settings changed", person=False)
    return chosen


def counts_by_grade(items: Iterable[Item]) -> dict[str, int]:
    """How many candidates of each grade wait."""
    grades: list[str] = [item.record.grade for item in items]
    return {grade: grades.count(grade) for grade in ("new", *GRADES)}


def candidates_json(items: Sequence[Item]) -> str:
    """The list for scripts: one canonical JSON object with ``pending`` and ``counts``."""
    return canonical_json({"pending": [item.as_data() for item in items], "counts": counts_by_grade(items)})

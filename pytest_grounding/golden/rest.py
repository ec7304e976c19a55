"""What else differs between two recordings, found by deepdiff, so that nothing changes unseen."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pytest_grounding._jsonio import canonical_json
from pytest_grounding.golden.changes import Change, change
from pytest_grounding.golden.match import folded
from pytest_grounding.golden.record import Golden, without_nulls
from pytest_grounding.model.verdict import ClaimVerdict

#: Keys of the metadata that differ between any two recordings, and say nothing of the program.
VOLATILE = frozenset(
    "created_at date duration_ms latency_ms processing_time_ms recorded_at request_id response_id session_id "
    "timestamp trace_id".split()
)
# Compared by meaning elsewhere.
_ELSEWHERE = frozenset({"schema_version", "id", "question", "answer", "chunks", "citations", "notes"})
_LONGEST = 80


def compare_recording(before: Golden, after: Golden) -> Iterator[Change]:
    """The question, the words that make no claim, and every other field of the recording."""
    old, new = before.transcript, after.transcript
    if old.question != new.question:
        text = "another question under the same id"
        yield change("recording", "question_changed", text, old=old.question, new=new.question)
    yield from _unchecked(before, after)
    left, right = _others(before), _others(after)
    if left == right:
        return
    from deepdiff import DeepDiff  # deferred for cost: 88 ms, and most recordings differ in nothing else

    found = DeepDiff(left, right, verbose_level=2, view="tree", threshold_to_diff_deeper=0)
    lines = sorted(
        f"{_path(item.path(output_format='list'))}: {_short(item.t1)} -> {_short(item.t2)}"
        for items in found.values()
        for item in items
    )
    text = "something else was recorded" if len(lines) != 1 else lines[0]
    yield change("recording", "recording_changed", text, details=lines if len(lines) > 1 else ())


def _others(record: Golden) -> dict[str, Any]:
    """All that is compared nowhere else, as plain data."""
    value = record.transcript.model_dump(mode="json")
    kept = {name: item for name, item in value.items() if name not in _ELSEWHERE}
    kept["metadata"] = {key: item for key, item in value["metadata"].items() if key not in VOLATILE}
    kept["chunks"] = {chunk["id"]: chunk["metadata"] for chunk in value["chunks"]}
    # A golden file holds no nulls, so a null says what a missing member says.
    found: dict[str, Any] = without_nulls(kept)
    return found


def _unchecked(before: Golden, after: Golden) -> Iterator[Change]:
    old = [_plain(claim) for claim in before.verdict.claims if not claim.checked]
    new = [_plain(claim) for claim in after.verdict.claims if not claim.checked]
    if [folded(text) for text in old] != [folded(text) for text in new]:
        text = "words that make no claim to check are others"
        yield change("answer", "text_changed", text, old="\n".join(old), new="\n".join(new))


def _plain(claim: ClaimVerdict) -> str:
    return " ".join(claim.text.split())


def _path(steps: list[Any]) -> str:
    return ".".join(str(step) for step in steps)


def _short(value: Any) -> str:
    """A value on one line; what deepdiff gives for a missing one is named so."""
    try:
        text = canonical_json(value)
    except (TypeError, ValueError):
        return "nothing"
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."

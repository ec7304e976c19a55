"""Labelled feedback: what people said of answers, one JSON object a line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pytest_grounding._jsonio import Record, read_records
from pytest_grounding.engine import as_transcript, validate
from pytest_grounding.errors import InputError
from pytest_grounding.settings import Settings


@dataclass(frozen=True, slots=True)
class Label:
    """One answer that a person judged.

    Attributes:
        confidence: what the engine gave it, in [0, 1].
        correct: whether the person found it right.
        group: answers of one group are never split between fitting and measuring.
    """

    confidence: float
    correct: bool
    group: str


def read_labels(path: str | Path, settings: Settings, *, model: str = "self_rag") -> Iterator[Label]:
    """Read labels.

    A line is ``{"transcript": {...}, "correct": true}``, whose transcript is validated here, or
    ``{"confidence": 0.83, "correct": true}`` where the confidence is known. ``group`` is optional; the
    question of the transcript, or else the line itself, is the group. The log of decisions of a golden
    folder is read too: its lines of a person are labels, those of a policy are left out.

    Args:
        path: a JSON Lines file, or a folder of some (``__golden__/decisions``).
        settings: for validating transcripts.
        model: the confidence that is calibrated: self_rag or tiered.

    Raises:
        InputError: a line is no label; names file, line and field.
    """
    for file in sorted(Path(path).glob("*.jsonl")) if Path(path).is_dir() else [Path(path)]:
        for record in read_records(file):
            if not _is_of_a_policy(record.value):
                yield _label(record, str(file), settings, model)


def _is_of_a_policy(value: Any) -> bool:
    """A line of a log of decisions that no person decided on."""
    return isinstance(value, Mapping) and "decision" in value and "correct" not in value


def _label(record: Record, path: str, settings: Settings, model: str) -> Label:
    value = record.value

    def wrong(field: str, problem: str, hint: str) -> InputError:
        return InputError(problem, path=path, line=record.line, field=field, hint=hint)

    if not isinstance(value, Mapping):
        raise wrong("", "a label is an object", 'write {"transcript": {...}, "correct": true}')
    correct = value.get("correct")
    if not isinstance(correct, bool):
        raise wrong("correct", "is missing or no switch", "write true where the answer is right, else false")
    group = value.get("group")
    if "transcript" in value:
        measured, question = _confidence_of(value["transcript"], settings, model, path, record.line)
        return Label(measured, correct, str(group) if group is not None else question)
    confidence = value.get("confidence")
    if isinstance(value.get("confidences"), Mapping):
        confidence = value["confidences"].get(model)
    if isinstance(confidence, bool) or not isinstance(confidence, (int, float)) or not 0 <= confidence <= 1:
        raise wrong("confidence", "is missing or no number from 0 to 1", "write it, or give the transcript")
    return Label(float(confidence), correct, str(group) if group is not None else f"line {record.line}")


def _confidence_of(given: Any, settings: Settings, model: str, path: str, line: int) -> tuple[float, str]:
    try:
        transcript = as_transcript(given, settings)
    except InputError as error:
        field = f"transcript.{error.field}" if error.field else "transcript"
        raise InputError(error.problem, path=path, line=line, field=field, hint=error.hint) from None
    return validate(transcript, settings).confidences[model], transcript.question

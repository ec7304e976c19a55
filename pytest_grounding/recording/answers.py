"""What a program returns, as a transcript with the name and the question that it was asked."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from pytest_grounding import registry
from pytest_grounding.errors import InputError
from pytest_grounding.importers.native import to_transcript
from pytest_grounding.model.transcript import Transcript
from pytest_grounding.recording.questions import Question
from pytest_grounding.settings import Settings


def as_recorded(returned: Any, question: Question, name: str, settings: Settings) -> Transcript:
    """The transcript of one answer.

    Args:
        returned: a Transcript, a mapping in the native format (``id`` and ``question`` may be left out),
            or a value of any importer's format; a model of pydantic is dumped first.
        question: what was asked.
        name: id of the transcript; it takes the place of any that the program gave.
        settings: decides the longest question.

    Raises:
        InputError: it is nothing of that kind, or answers another question.
    """
    if not isinstance(returned, (Transcript, Mapping)) and hasattr(returned, "model_dump"):
        returned = returned.model_dump(mode="json")
    if isinstance(returned, Transcript):
        mapping: dict[str, Any] = returned.model_dump(mode="json", exclude_defaults=True)
    else:
        mapping = dict(_native(returned))
    stated = mapping.get("question")
    if isinstance(stated, str) and stated.strip() and stated != question.text:
        raise InputError(
            f"the program answered another question: {stated!r}", hint=f"it was asked {question.text!r}"
        )
    mapping.update(id=name, question=question.text)
    metadata = {**question.extras.get("metadata", {}), **(mapping.get("metadata") or {})}
    metadata.setdefault("recorded_at", datetime.now(UTC).isoformat(timespec="seconds"))
    for key, value in question.extras.items():
        mapping.setdefault(key, value)
    mapping["metadata"] = metadata
    return to_transcript(mapping, question_max_length=settings.question_max_length)


def _native(returned: Any) -> Mapping[str, Any]:
    for importer in registry.importers():
        if importer.recognises(returned):
            mappings = list(importer.convert(returned))
            if len(mappings) != 1:
                raise InputError(f"a {importer.name} value with {len(mappings)} transcripts, expected one")
            return mappings[0]
    if not isinstance(returned, Mapping):
        raise InputError(
            f"the program returned {type(returned).__name__}",
            hint="return a Transcript, a mapping with chunks and answer, or a format that can be imported",
        )
    return returned

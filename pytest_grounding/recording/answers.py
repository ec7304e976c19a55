"""What a program returns, as a transcript with the name and the question that it was asked."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from pytest_grounding import registry
from pytest_grounding.errors import InputError
from pytest_grounding.importers import Importer
from pytest_grounding.importers.native import convert, importer_of, is_native, to_transcript
from pytest_grounding.importers.objects import plain
from pytest_grounding.model.transcript import Transcript
from pytest_grounding.recording.questions import Question
from pytest_grounding.settings import Settings


def as_recorded(returned: Any, question: Question, name: str, settings: Settings) -> Transcript:
    """The transcript of one answer."""
    if isinstance(returned, Transcript):
        mapping: dict[str, Any] = returned.model_dump(mode="json", exclude_defaults=True)
    else:
        # What an importer makes needs a question, and this one is known.
        asked = dataclasses.replace(settings, question=question.text)
        mapping = dict(_native(returned, registry.importers(asked)))
    stated = mapping.get("question")
    if isinstance(stated, str) and stated.strip() and stated != question.text:
        raise InputError(
            f"the program answered another question: {stated!r}", hint=f"it was asked {question.text!r}"
        )
    mapping.update(id=name, question=question.text)
    own = mapping.pop("metadata", None)
    for key, value in question.extras.items():
        mapping.setdefault(key, value)
    if own is None or isinstance(own, Mapping):
        own = {**question.extras.get("metadata", {}), **(own or {})}
        own.setdefault("recorded_at", datetime.now(UTC).isoformat(timespec="seconds"))
    mapping["metadata"] = own
    return to_transcript(mapping, question_max_length=settings.question_max_length)


def _native(returned: Any, importers: Sequence[Importer]) -> Mapping[str, Any]:
    # Whoever adds an importer may know an object that nobody else can take apart.
    is_json = isinstance(returned, (Mapping, list, tuple))
    importer = None if is_json else importer_of(returned, importers)
    value = returned
    if importer is None and not is_native(returned):
        value = plain(returned)
        importer = importer_of(value, importers)
    if importer is not None:
        mappings = list(convert(importer, value))
        if len(mappings) != 1:
            raise InputError(f"a {importer.name} value with {len(mappings)} transcripts, expected one")
        return mappings[0]
    if not isinstance(value, Mapping):
        raise InputError(
            f"the program returned {type(returned).__name__}",
            hint="return a Transcript, a mapping with chunks and answer, or a format that can be imported",
        )
    return value

"""The settings of one transcript: those of its type of question and of its domain stand over the others."""

from __future__ import annotations

import dataclasses
from functools import lru_cache

from pytest_grounding.checks.selfrag import query_type_of
from pytest_grounding.model.transcript import Transcript
from pytest_grounding.settings import Settings
from pytest_grounding.text import questions


def settings_for(transcript: Transcript, settings: Settings, language: str) -> Settings:
    """The settings in force for a transcript."""
    return settings if not settings.by else _narrowed(settings, labels_of(transcript, settings, language))


def labels_of(transcript: Transcript, settings: Settings, language: str) -> tuple[str, ...]:
    """The lines of the table ``by`` that hold for a transcript, such as ``query_type factual``."""
    if not settings.by:
        return ()
    kind = query_type_of(transcript, questions.analyse(transcript.question, language))
    stated = transcript.metadata.get("domain")
    named = (
        [stated]
        if isinstance(stated, str) and stated.strip()
        else [chunk.metadata.domain for chunk in transcript.chunks if chunk.metadata.domain]
    )
    held = {("query_type", kind), *(("domain", name.strip().casefold()) for name in named)}
    return tuple(item.label for item in settings.by_lines if (item.kind, item.name.casefold()) in held)


@lru_cache(maxsize=64)
def _narrowed(settings: Settings, labels: tuple[str, ...]) -> Settings:
    """The settings with the lines of some labels; they hold no table any more."""
    chosen = [item for item in settings.by_lines if item.label in labels]
    values = {name: value for item in chosen for name, value in item.values}
    return dataclasses.replace(settings, by="", **values)

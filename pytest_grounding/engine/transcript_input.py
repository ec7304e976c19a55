"""Transcripts from mappings, files and folders, and the limits on their size."""

from __future__ import annotations

from collections.abc import Awaitable, Coroutine, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from pytest_grounding.engine import registry
from pytest_grounding.errors import InputError
from pytest_grounding.model.transcript import Transcript
from pytest_grounding.model.verdict import Verdict
from pytest_grounding.settings import Settings

MOST_CLAIM = 5_000  # longest single claim; in the pipeline the sentences of an answer are cut before
Given = Transcript | Mapping[str, Any]


class Bound(NamedTuple):
    """A counted quantity, and the largest count that is validated."""

    counts: str
    most: int


#: The bounds by name. An ordinary transcript has 20 chunks of 1,000 characters and an answer of 2,000.
BOUNDS = {
    "answer": Bound("characters of the answer", 100_000),
    "chunks": Bound("chunks", 5_000),
    "chunk_characters": Bound("characters of all chunks", 3_000_000),
    "history": Bound("characters of the earlier turns", 1_000_000),
    "citations": Bound("recorded citations", 20_000),
    "pairs": Bound("pairs of a character of the answer and one of the answer or the chunks", 12_000_000_000),
}


def excess(transcript: Transcript) -> str:
    """The limit that a transcript exceeds, in words with both numbers; "" if none."""
    answer = len(transcript.answer)
    chunks = sum([len(chunk.text) for chunk in transcript.chunks])
    chunks += sum([len(str(call.result)) + len(str(call.arguments)) for call in transcript.tool_calls or ()])
    counts = {
        "answer": answer,
        "chunks": len(transcript.chunks),
        "chunk_characters": chunks,
        "history": sum(len(turn.content) for turn in transcript.history),
        "citations": len(transcript.citations) + len(transcript.cited_indices or ()),
        "pairs": answer * (answer + chunks),
    }
    for name, count in counts.items():
        bound = BOUNDS[name]
        if count > bound.most:
            return f"{count:,} {bound.counts}, and {bound.most:,} are the most that are checked"
    return ""


def excess_of_claim(claim: str, chunks: Sequence[str]) -> str:
    """The same for one claim against chunks."""
    if len(claim) > MOST_CLAIM:
        return f"{len(claim):,} characters of one claim, and {MOST_CLAIM:,} are the most that are checked"
    total, most = sum(map(len, chunks)), BOUNDS["chunk_characters"]
    if total > most.most:
        return f"{total:,} {most.counts}, and {most.most:,} are the most that are checked"
    return ""


# Imported here: validating a Transcript needs no importer.
if TYPE_CHECKING:
    from pytest_grounding.importers.load_files import KnownIds, Row
    from pytest_grounding.settings.mapping import SettingsDict

    GivenSettings = Settings | SettingsDict | Mapping[str, Any] | None
else:
    GivenSettings = Settings | Mapping[str, Any] | None


def refuse_unawaited(given: object) -> None:
    """Refuse a coroutine, and close it to avoid a warning that it was never awaited."""
    __tracebackhide__ = True
    # Called for each transcript: the usual types are settled at once.
    if isinstance(given, (Transcript, Mapping, str, list)) or not isinstance(given, Awaitable):
        return
    if isinstance(given, Coroutine):
        given.close()
    problem = f"a {type(given).__name__} cannot be validated"
    raise InputError(problem, hint="write await before the call that returns it")


def as_transcript(given: Any, settings: GivenSettings = None) -> Transcript:
    """Convert input to a transcript; a Transcript is returned as it is."""
    __tracebackhide__ = True
    if isinstance(given, Transcript):
        return given
    refuse_unawaited(given)
    if isinstance(given, Verdict):
        raise InputError("a transcript is needed, and this is a verdict", hint="give what was validated")
    from pytest_grounding.importers import native
    from pytest_grounding.importers.objects import plain_object

    chosen = Settings.of(settings)
    longest = chosen.question_max_length
    value = given if native.is_native(given) else plain_object(given)
    importer = registry.importers(chosen).of(value)
    if importer is None:
        native.refuse_unknown_format(value)
        return native.to_transcript(value, question_max_length=longest)
    mapping = native.named_value(native.only(importer, value), importer.name)[0]
    return native.to_transcript(mapping, question_max_length=longest)


def can_be_transcript(given: object) -> bool:
    """Whether an object may be a transcript: a mapping, a list, or an object of a known shape."""
    if isinstance(given, (Transcript, Mapping, list)):
        return True
    from pytest_grounding.importers.objects import is_foreign

    return is_foreign(given)


def iter_transcripts(
    path: str | Path, settings: GivenSettings = None, *, known: KnownIds | None = None
) -> Iterator[Row]:
    """Yield every row of a file, folder or pattern; a bad row carries its error, the others go on.

    Args:
        path: a file, a folder or a glob pattern.
        settings: for the longest question and the level of notes on recordings.
        known: ids seen so far; pass one object for all paths of a suite.

    Raises:
        InputError: the path names nothing.
    """
    from pytest_grounding.importers.load_files import iter_rows

    chosen = Settings.of(settings)
    found = registry.importers(chosen)
    return iter_rows(path, importers=found, question_max_length=chosen.question_max_length, known=known)


def load_transcripts(path: str | Path, settings: GivenSettings = None) -> list[Transcript]:
    """All transcripts of a file, folder or pattern.

    Raises:
        InputError: the path names nothing, or a row cannot be read (file, line, field, what to write).
        DuplicateIdError: two transcripts share an id.
    """
    loaded = []
    for row in iter_transcripts(path, settings):
        if row.transcript is None:
            raise row.error or AssertionError(row)
        loaded.append(row.transcript)
    return loaded

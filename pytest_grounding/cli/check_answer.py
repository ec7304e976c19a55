"""``check answer.md --source docs/``: compare an answer without a recording with documents."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from pytest_grounding.errors import InputError
from pytest_grounding.importers.binary_files import binary_kind
from pytest_grounding.importers.documents import FilePassage, open_corpus
from pytest_grounding.importers.load_files import Row
from pytest_grounding.model.transcript import Chunk, Transcript
from pytest_grounding.model.verdict import ClaimVerdict, Verdict
from pytest_grounding.reading.sentences import segment
from pytest_grounding.reading.words import tokenize
from pytest_grounding.reports.terminal import quoted, safe
from pytest_grounding.settings import Settings

_SUFFIXES = (".md", ".markdown", ".txt")
#: How a recording in a text file begins, such as the output of a console exporter.
_RECORDING = re.compile(r"\s*(?:\[\s*)?\{\s*[\"}]")
#: The question if none is given: it has no content words of its own.
_QUESTION = "What do the documents say?"
_FOR_ONE, _FOR_ALL = 6, 120  # most passages for each sentence, and in all
#: Source numbers refer to a list that is not available.
_MARKER = re.compile(r"\[\^?\d{1,3}(?:\s*[,-]\s*\d{1,3}){0,9}\]")


def is_answer(path: str, sources: Sequence[str]) -> bool:
    """Whether a path is a text file with just an answer; without sources, JSON in one is a recording."""
    if not path.lower().endswith(_SUFFIXES) or not Path(path).is_file():
        return False
    with Path(path).open(encoding="utf-8-sig", errors="replace") as file:
        start = file.read(512)
    return bool(sources) or (_RECORDING.match(start) is None and binary_kind(path) is None)


def answer_rows(paths: Sequence[str], sources: Sequence[str], settings: Settings) -> Iterator[Row]:
    """A row for each answer, with the passages of the documents most similar to its sentences."""
    if others := [path for path in paths if not is_answer(path, sources)]:
        problem = "cannot be checked together with answers in text files"
        raise InputError(problem, path=others[0], hint="check recordings by themselves")
    named = list(sources) or ([settings.corpus] if settings.corpus else [])
    if not named:
        hint = "name the files or folders: --source docs/"
        raise InputError("no documents to compare the answer with", field="--source", hint=hint)
    for path in dict.fromkeys(paths):
        yield Row(path, 1, _transcript(path, named, settings))


def _transcript(path: str, sources: Sequence[str], settings: Settings) -> Transcript:
    try:
        answer = Path(path).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot be read as text ({error})", path=path, hint="save it as UTF-8") from None
    answer = _MARKER.sub(lambda match: " " * len(match[0]), answer)
    language = settings.language or "en"
    found: dict[str, Chunk] = {}
    for sentence in segment(answer, language=language):
        words = [token.norm for token in tokenize(sentence.text, language) if not token.is_stop]
        for source in sources:
            for passage in open_corpus(source).search(words, _FOR_ONE):
                if len(found) < _FOR_ALL:
                    chunk = _chunk_of_passage(passage, source)
                    found.setdefault(chunk.id, chunk)
    name, asked = Path(path).as_posix(), settings.question or _QUESTION
    return Transcript(id=name, question=asked, answer=answer, chunks=list(found.values()))


def _chunk_of_passage(passage: FilePassage, source: str) -> Chunk:
    folder = Path(source)
    shown = replace(passage, path=(folder / passage.path if folder.is_dir() else folder).as_posix())
    metadata = {"path": shown.path, "line_start": passage.line}
    return Chunk(id=shown.place(), text=passage.text, metadata=metadata)


def lines_of_answer(verdict: Verdict, transcript: Transcript) -> Iterator[str]:
    """For each sentence its position and status, with the most similar sentence of a document."""
    lines = {chunk.id: chunk for chunk in transcript.chunks}
    for claim in verdict.claims:
        line = transcript.answer.count("\n", 0, claim.start) + 1
        what = claim.status if claim.checked else f"not checked ({claim.skip_reason.replace('_', ' ')})"
        if claim.conflicts and claim.status != "contradicted":
            what += ", but a document may contradict it"
        yield f"{safe(verdict.source or verdict.id)}:{line}: {what}: {quoted(claim.text)}"
        if claim.checked and (near := _nearest_passage(claim, lines)):
            yield f"    {near}"


def _nearest_passage(claim: ClaimVerdict, chunks: dict[str, Chunk]) -> str:
    evidence = next((item.evidence for item in claim.conflicts), None) or next(iter(claim.evidence), None)
    if evidence is None:
        return "no document comes near"
    chunk = chunks[evidence.chunk_id]
    passage = FilePassage(0, chunk.metadata.path or "", chunk.metadata.line_start or 1, "", chunk.text)
    return f"{safe(passage.place(evidence.start))}: {quoted(evidence.text)}"

"""Record a program: its questions, its answers, and their files."""

from __future__ import annotations

import asyncio
import dataclasses
import hashlib
import inspect
import os
import re
import tempfile
import threading
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from pytest_grounding._io.jsonio import read_records, write_json
from pytest_grounding.engine import registry
from pytest_grounding.errors import DuplicateIdError, GroundingError, InputError, RecordingError
from pytest_grounding.importers.native import Importers, is_native, only, to_transcript
from pytest_grounding.importers.objects import plain_object
from pytest_grounding.model.transcript import Transcript, recorded_hash
from pytest_grounding.settings import Settings

#: Further fields of a question that are copied to the transcript.
EXTRAS = ("language", "filters", "history", "metadata", "expected", "forbidden", "expected_sources")
_WORDS = 6
_HASH = 8
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")
_RESERVED = re.compile(r"(?i)(con|prn|aux|nul|com\d|lpt\d)(\..*)?\Z")  # names reserved by Windows for devices
_LONGEST_NAME = 100
Program = Callable[[str], Any]
MODES = ("none", "new", "all")
SUFFIX = ".transcript.json"


@dataclass(frozen=True, slots=True)
class Question:
    """One question."""

    text: str
    id: str
    extras: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, value: str | Mapping[str, Any] | Question, *, id: str | None = None) -> Question:
        """A question from text, or from a mapping with ``question`` and further fields."""
        if isinstance(value, Question):
            return value
        given: Mapping[str, Any] = {"question": value} if isinstance(value, str) else value
        text = given.get("question") if isinstance(given, Mapping) else None
        if not isinstance(text, str) or not text.strip():
            raise InputError("has no question", field="question", hint='write {"question": "..."} or a text')
        for name in given:
            if name not in ("id", "question", *EXTRAS):
                hint = f"known here: id, question, {', '.join(EXTRAS)}"
                raise InputError("is not a field of a question", field=str(name), hint=hint)
        name = id or given.get("id") or identifier(text)
        extras = {key: given[key] for key in EXTRAS if given.get(key) is not None}
        return cls(text, str(name), extras)

    def named(self, repeat: int, repeats: int) -> str:
        """Id of one of its transcripts; ``repeat`` counts from 1."""
        return self.id if repeats == 1 else f"{self.id}#{repeat}"


def identifier(text: str) -> str:
    """A name for a question: its first words and a part of its hash, equal on every machine."""
    words = re.findall(r"[a-z0-9]+", text.lower())[:_WORDS]
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_HASH]
    return "-".join([*words, digest])


def file_name(name: str) -> str:
    """A file name for an id that is valid on every file system and unique."""
    safe = _UNSAFE.sub("-", name).strip("-.")[:_LONGEST_NAME]
    # Some file systems ignore case, and some reserve names.
    if safe == name and safe == safe.lower() and not _RESERVED.match(safe):
        return safe
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:_HASH]
    return f"{safe}-{digest}".lstrip("-")


def read_questions(path: str | Path) -> list[Question]:
    """The questions of a JSON Lines file: texts, or objects with ``question`` and further fields."""
    found: list[Question] = []
    places: dict[str, int] = {}
    try:
        records = list(read_records(path))
    except InputError as error:
        hint = 'write one question a line, as {"question": "..."} or as a text in quotation marks'
        raise InputError(error.problem, path=str(path), line=error.line, hint=hint) from None
    for record in records:
        values = record.value if isinstance(record.value, list) else [record.value]
        for value in values:
            try:
                question = Question.of(value)
            except InputError as error:
                place = {"path": str(path), "field": error.field, "hint": error.hint}
                raise InputError(error.problem, line=record.line, **place) from None
            if question.id in places:
                problem = f"{question.id!r} is the id of the question on line {places[question.id]} too"
                hint = "give each question an id of its own"
                raise DuplicateIdError(problem, path=str(path), line=record.line, hint=hint)
            places[question.id] = record.line
            found.append(question)
    if not found:
        raise InputError("contains no question", path=str(path), hint='write one {"question": "..."} a line')
    return found


def as_recorded(returned: Any, question: Question, name: str, settings: Settings) -> Transcript:
    """The transcript of one answer."""
    if isinstance(returned, Transcript):
        mapping: dict[str, Any] = returned.model_dump(mode="json", exclude_defaults=True)
    else:
        # An importer needs a question, and this one is known.
        asked = dataclasses.replace(settings, question=question.text)
        mapping = dict(_native(returned, registry.importers(asked)))
    stated = mapping.get("question")
    if isinstance(stated, str) and stated.strip() and stated != question.text:
        hint = f"it was asked {question.text!r}"
        raise InputError(f"the program answered another question: {stated!r}", hint=hint)
    mapping.update(id=name, question=question.text)
    own = mapping.pop("metadata", None)
    for key, value in question.extras.items():
        mapping.setdefault(key, value)
    if own is None or isinstance(own, Mapping):
        own = {**question.extras.get("metadata", {}), **(own or {})}
        own.setdefault("recorded_at", datetime.now(UTC).isoformat(timespec="seconds"))
    mapping["metadata"] = own
    return to_transcript(mapping, question_max_length=settings.question_max_length)


def _native(returned: Any, importers: Importers) -> Mapping[str, Any]:
    # A user's own importer may know this object.
    is_json = isinstance(returned, (Mapping, list, tuple))
    importer = None if is_json else importers.of(returned)
    value = returned
    if importer is None and not is_native(returned):
        value = plain_object(returned)
        importer = importers.of(value)
    if importer is not None:
        return only(importer, value)
    if not isinstance(value, Mapping):
        hint = "return a Transcript, a mapping with chunks and answer, or a format that can be imported"
        raise InputError(f"the program returned {type(returned).__name__}", hint=hint)
    return value


@dataclass(slots=True)
class Outcome:
    """The outcome of a recording."""

    transcripts: dict[str, Transcript] = field(default_factory=dict)
    recorded: list[str] = field(default_factory=list)
    unchanged: list[str] = field(default_factory=list)
    replayed: list[str] = field(default_factory=list)
    failed: dict[str, BaseException] = field(default_factory=dict)


class _Job(NamedTuple):
    question: Question
    name: str
    path: Path


def record(
    program: Program,
    questions: str | Mapping[str, Any] | Sequence[str | Mapping[str, Any]],
    *,
    to: str | os.PathLike[str],
    mode: str = "new",
    repeats: int = 1,
    id: str | None = None,
    concurrency: int = 1,
    suffix: str = SUFFIX,
) -> list[Transcript]:
    """Call a program, keep its answers, and replay them from then on.

    Args:
        program: takes the question; a function or a coroutine function. It returns a Transcript, a mapping
            with ``chunks`` and ``answer``, or any importable format.
        questions: one question or several: texts, or mappings with ``question`` and optionally ``id``,
            ``language``, ``filters``, ``history``, ``metadata`` and what is expected of the answer.
        to: folder of the transcripts, one file each.
        mode: ``none`` never calls the program, ``new`` calls it for what is missing, ``all`` for all.
        repeats: number of answers per question; their ids end in ``#1``, ``#2``, ...
        id: name of the transcript, for a single question.
        concurrency: number of parallel calls; above 1, the program is called in threads.
        suffix: ending of the file names.

    Returns:
        The transcripts in the order of the questions, repeats of a question together.

    Raises:
        InputError: a question is invalid, or the mode is ``none`` and a recording is missing.
        RecordingError: the program failed for some questions; the others are recorded. For a single
            question, the program's exception is the cause.
    """
    several = isinstance(questions, Iterable) and not isinstance(questions, (str, Mapping))
    given: list[Any] = list(questions) if several else [questions]
    if id is not None and len(given) != 1:
        raise InputError("an id names one transcript", field="id", hint="give each question its own id")
    asked = [Question.of(item, id=id) for item in given]
    outcome = record_all(
        program, asked, to=to, mode=mode, repeats=repeats, concurrency=concurrency, suffix=suffix
    )
    if outcome.failed:
        raise _failure(outcome)
    return list(outcome.transcripts.values())


def record_all(
    program: Program | None,
    questions: Sequence[Question],
    *,
    to: str | os.PathLike[str],
    mode: str = "new",
    repeats: int = 1,
    concurrency: int = 1,
    suffix: str = SUFFIX,
    settings: Settings | None = None,
    unloaded: InputError | None = None,
) -> Outcome:
    """Like `record`, but the failure of a question is part of the outcome."""
    if mode not in MODES:
        raise InputError(f"mode {mode!r} is unknown", hint=f"write one of: {', '.join(MODES)}")
    if repeats < 1 or concurrency < 1:
        raise InputError("repeats and concurrency must be above 0")
    seen: set[str] = set()
    for question in questions:
        if question.id in seen:
            raise DuplicateIdError(f"two questions have the id {question.id!r}", hint="give each its own")
        seen.add(question.id)
    in_force = Settings.of(settings)
    jobs = [
        _Job(question, name := question.named(number, repeats), Path(to) / (file_name(name) + suffix))
        for question in questions
        for number in range(1, repeats + 1)
    ]
    outcome = Outcome()
    found: dict[str, Transcript] = {}
    open_jobs: list[_Job] = []
    for job in jobs:
        try:
            held = None if mode == "all" else replayed(job.path, job.question, job.name, mode)
        except GroundingError as error:
            outcome.failed[job.name] = error
            continue
        if held is None:
            open_jobs.append(job)
        else:
            found[job.name] = held
            outcome.replayed.append(job.name)
    if open_jobs:
        if program is None:
            raise unloaded or InputError("there is no program to record")
        _make_folder(Path(to))
        _record(program, open_jobs, found, outcome, in_force, concurrency)
    outcome.transcripts = {job.name: found[job.name] for job in jobs if job.name in found}
    return outcome


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        # Only writing a file proves that the folder is writable.
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        why = error.strerror or str(error)
        raise InputError(f"recordings cannot be kept there ({why})", path=str(folder)) from None


def replayed(path: Path, question: Question, name: str, mode: str) -> Transcript | None:
    """The transcript of a file, or None if it is missing or answers another question."""
    if not path.is_file():
        if mode == "none":
            problem = f"nothing is recorded for {question.text!r:.200}"
            raise InputError(problem, path=str(path), hint="record it with: pytest --grounding-record=new")
        return None
    try:
        record = next(read_records(path))
        transcript = to_transcript(record.value, path=str(path), line=record.line, source=record.source)
    except InputError as error:
        hint = "correct the file, or remove it and record it anew with: pytest --grounding-record=new"
        place = {"path": str(path), "field": error.field, "hint": hint}
        raise InputError(error.problem, line=error.line, **place) from None
    if transcript.question == question.text and transcript.id == name:
        return transcript
    if mode != "none":
        return None
    problem = f"is the recording of another transcript: {transcript.id!r}"
    if transcript.question != question.text:
        problem = f"is the recording of another question: {transcript.question!r}"
    raise InputError(problem, path=str(path), hint="record it anew with: pytest --grounding-record=new")


class Caller:
    """Calls a program that is a function or a coroutine function."""

    def __init__(self, program: Callable[[str], Any]) -> None:
        self._program = program
        self._loop: asyncio.AbstractEventLoop | None = None
        self._lock = threading.Lock()

    def __call__(self, question: str) -> Any:
        """The program's result for a question."""
        __tracebackhide__ = True
        returned = self._program(question)
        if not inspect.isawaitable(returned):
            return returned

        async def awaited() -> Any:
            return await returned

        return self._run(awaited())

    def _run(self, coroutine: Coroutine[Any, Any, Any]) -> Any:
        # One loop for all calls: a client may be bound to a loop, and the caller's thread may run one.
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                run = self._loop.run_forever
                self._thread = threading.Thread(target=run, name="grounding-recording", daemon=True)
                self._thread.start()
        waiting = asyncio.run_coroutine_threadsafe(coroutine, self._loop)
        try:
            return waiting.result()
        finally:
            waiting.cancel()  # for Ctrl-C during a call

    def close(self) -> None:
        """End the loop, if one was started."""
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
            self._loop.close()
            self._loop = None


def _record(
    program: Program,
    jobs: Sequence[_Job],
    found: dict[str, Transcript],
    outcome: Outcome,
    settings: Settings,
    concurrency: int,
) -> None:
    """Call the program for each job; each answer is written immediately."""

    def run(job: _Job) -> Transcript:
        transcript = as_recorded(caller(job.question.text), job.question, job.name, settings)
        with suppress(GroundingError):
            held = replayed(job.path, job.question, job.name, "all")
            if held is not None and recorded_hash(held) == recorded_hash(transcript):
                # Only the time differs: the file stays as it is.
                outcome.unchanged.append(job.name)
                return held
        write_json(job.path, transcript.model_dump(mode="json", exclude_defaults=True))
        return transcript

    with closing(Caller(program)) as caller, ThreadPoolExecutor(concurrency) as pool:
        # A single call at a time stays in this thread, which the program may require.
        calls = [partial(run, job) if concurrency == 1 else pool.submit(run, job).result for job in jobs]
        for job, call in zip(jobs, calls, strict=True):
            try:
                found[job.name] = call()
                outcome.recorded.append(job.name)
            except (Exception, SystemExit) as error:  # a user's program may raise anything
                outcome.failed[job.name] = error
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise


def _failure(outcome: Outcome) -> Exception:
    name, first = next(iter(outcome.failed.items()))
    if isinstance(first, GroundingError) and len(outcome.failed) == 1:
        return first
    more = f" and {len(outcome.failed) - 1} more" if len(outcome.failed) > 1 else ""
    what = f"{name}{more} could not be recorded: {type(first).__name__}: {first}"
    error = RecordingError(f"{what} ({len(outcome.transcripts)} are recorded)")
    error.__cause__ = first
    return error

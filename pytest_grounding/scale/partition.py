"""The worker function of a run in parts: validate the rows of a part, and write the results to a file."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import Field

from pytest_grounding._io.jsonio import canonical_json, records_of_lines
from pytest_grounding.citations.origins import comes_from, known_sources
from pytest_grounding.engine import registry
from pytest_grounding.engine.validation import examine, validate
from pytest_grounding.errors import GroundingError, InputError
from pytest_grounding.importers.load_files import GatheredError, KnownIds, Row, rows_of
from pytest_grounding.model.base import Model
from pytest_grounding.model.run_report import Problem, RecordedJudgements
from pytest_grounding.model.transcript import OF_OURS, Transcript
from pytest_grounding.model.verdict import Status, Verdict
from pytest_grounding.scale.plan import InputPiece, Plan, PlanPart, hash_of_file, part_file, unreadable
from pytest_grounding.settings import Settings
from pytest_grounding.suite.shards import spelled

if TYPE_CHECKING:
    from pytest_grounding.audit.log import Trail

#: Ending of an unfinished part file.
UNFINISHED = ".grounding-tmp"
_NAMED = 200  # names of sources that a part remembers, for the message if no source matches


class InputLine(Model):
    """One line of a part file: a verdict with its transcript, or the reason for none."""

    verdict: Verdict | None = None
    problem: Problem | None = None
    wanted: Status | None = None
    made: bool = False
    elapsed_ms: float | None = None
    transcript: Mapping[str, Any] | None = None


class PartResult(Model):
    """The result of checking one part; the verdicts are in its file."""

    index: int
    file: str = ""
    sha256: str = ""
    rows: int = 0
    failed: int = 0
    unread: int = 0
    left_out: int = 0
    sources: tuple[str, ...] = ()
    audit: Mapping[str, Any] = Field(default_factory=dict)
    judgements: tuple[RecordedJudgements, ...] = ()
    failure: str = ""


@dataclass(frozen=True, slots=True)
class Checked:
    """A row with its verdict (None if the row could not be read) and its expected status."""

    row: Row
    verdict: Verdict | None
    wanted: Status | None
    elapsed_ms: float | None = None


def do_part(part: PlanPart, plan: Plan) -> PartResult | tuple[str, str]:
    """Check a part in a worker process, here or on a cluster."""
    # Relative paths of inputs and settings start where the run was started.
    if Path(plan.root).is_dir() and Path.cwd() != Path(plan.root):
        os.chdir(plan.root)
    try:
        return check_partition(part, plan)
    except GatheredError as error:
        return "gathered", str(error)
    except InputError as error:
        return "input", str(error)
    except GroundingError as error:
        return "fatal", str(error)
    except MemoryError:
        return "died", "a worker ran out of memory"
    except OSError as error:
        name = error.filename2 or error.filename
        place = f"{os.fsdecode(name)}: " if isinstance(name, (str, bytes)) else ""
        return "disk", f"{place}{error.strerror or error}"
    except Exception as error:
        return "died", f"{type(error).__name__}: {str(error)[:300]}"


def check_partition(part: PlanPart, plan: Plan) -> PartResult:
    """Validate the rows of a part and write its part file into the work folder."""
    settings, folder = plan.settings[part.settings], plan.place
    if not folder.is_dir():
        hint = "every machine of the run needs the folder under this name"
        raise InputError("the work folder is not there", path=plan.folder, hint=hint)
    name = part_file(part.index)
    handle, temporary = tempfile.mkstemp(dir=folder, prefix=f".{name}.", suffix=UNFINISHED)
    try:
        work, digest = _Work(plan, settings), hashlib.sha256()
        with os.fdopen(handle, "wb") as stream:
            for piece in part.pieces:
                for row in _rows_of_piece(piece, settings):
                    data = work.line(row)
                    stream.write(data)
                    digest.update(data)
        # Recorded judgements are saved before the part counts as finished.
        registry.finish_recording()
        os.replace(temporary, folder / name)
    except BaseException:
        os.unlink(temporary)
        raise
    return work.result(part.index).model_copy(update={"file": name, "sha256": digest.hexdigest()})


class _Work:
    def __init__(self, plan: Plan, settings: Settings) -> None:
        self._plan, self._settings = plan, settings
        self._rows = self._failed = self._unread = self._left_out = 0
        self._elsewhere: set[str] = set()
        self._trail: Trail | None = None
        if settings.audit:
            from pytest_grounding.audit.log import Trail

            self._trail = Trail(Path(plan.root))

    def line(self, row: Row) -> bytes:
        if row.transcript is None:
            has_line = row.error is None or row.error.line is not None
            place = f"{row.path}:{row.line}" if has_line else row.path
            self._unread += 1
            self._failed += 1
            return self._packed({"problem": {"place": place, "message": str(row.error)}})
        if self._plan.sources and not comes_from(row.transcript, self._plan.sources, self._settings):
            self._left_out += 1
            if len(self._elsewhere) < _NAMED:
                self._elsewhere.update(known_sources([row.transcript]))
            return b""
        found = examine(row.transcript, self._settings, place=row.place)
        if any(item.details.get("error") == "MemoryError" for item in found.verdict.causes):
            # About this process, not about the answer.
            raise MemoryError
        if self._trail is not None and self._settings.enabled:
            self._trail.write(found.verdict, row.transcript, self._settings, found.elapsed_ms)
        self._failed += found.is_failed
        return self._packed(
            {
                "verdict": found.verdict.as_dict(),
                "wanted": found.wanted,
                "made": row.made_id,
                **({"elapsed_ms": found.elapsed_ms} if self._settings.suite_max_milliseconds else {}),
                "transcript": row.transcript.model_dump(mode="json"),
            }
        )

    def _packed(self, line: dict[str, Any]) -> bytes:
        self._rows += 1
        try:
            text = canonical_json(line)
        except ValueError:  # rare: a NaN of an extension's scorer
            text = canonical_json(spelled(line))
        return text.encode("utf-8", "surrogatepass") + b"\n"

    def result(self, index: int) -> PartResult:
        return PartResult(
            index=index,
            rows=self._rows,
            failed=self._failed,
            unread=self._unread,
            left_out=self._left_out,
            sources=tuple(sorted(self._elsewhere)[:_NAMED]),
            audit={} if self._trail is None else self._trail.as_data(),
            judgements=registry.judgements_used(),
        )


def _rows_of_piece(piece: InputPiece, settings: Settings) -> Iterator[Row]:
    if piece.kind == "problem":
        # The message got its location when the plan was made.
        yield Row(piece.path, piece.line, None, SaidError(piece.message))
        return
    importers, longest = registry.importers(settings), settings.question_max_length
    if piece.kind == "whole":
        try:
            is_same = hash_of_file(piece.path) == piece.sha256
        except OSError as error:
            raise unreadable(piece.path, error) from error
        if not is_same:
            raise _changed_input(piece)
        yield from rows_of(piece.path, importers, longest)
        return
    records = records_of_lines(_lines_of_piece(piece), piece.path, piece.line)
    yield from rows_of(piece.path, importers, longest, records, is_part=not piece.is_all)


class SaidError(InputError):
    """A message that already includes its location."""

    def _render(self) -> str:
        return self.problem


def _lines_of_piece(piece: InputPiece) -> Iterator[bytes]:
    digest = hashlib.sha256()
    try:
        with open(piece.path, "rb") as stream:
            stream.seek(piece.start)
            place = piece.start
            while place < piece.end and (line := stream.readline()):
                place += len(line)
                digest.update(line)
                yield line
    except OSError as error:
        raise unreadable(piece.path, error) from error
    if digest.hexdigest() != piece.sha256:
        raise _changed_input(piece)


def _changed_input(piece: InputPiece) -> InputError:
    hint = "give the command again, which makes a new plan"
    return InputError("has changed since the plan was made", path=piece.path, hint=hint)


def checked_rows(plan: Plan, results: Mapping[int, PartResult]) -> Iterator[Checked]:
    """Yield the rows of all parts in the order of the inputs."""
    known = KnownIds()
    for part in plan.parts:
        result = results[part.index]
        if result.failure:
            if result.unread:
                error = SaidError(result.failure, path=part.pieces[0].path)
                yield Checked(Row(part.pieces[0].path, part.pieces[0].line, None, error), None, None)
            continue
        for text in _lines_of_part(plan.place, result):
            line = InputLine.model_validate_json(text)
            if line.verdict is None:
                yield _problem_of_file(line)
            else:
                yield _with_id_once(line, line.verdict, plan.settings[part.settings], known)


def _lines_of_part(folder: Path, result: PartResult) -> Iterator[bytes]:
    digest = hashlib.sha256()
    with open(folder / result.file, "rb") as stream:
        for line in stream:
            digest.update(line)
            yield line
    if digest.hexdigest() != result.sha256:
        hint = "remove it, and give the command again"
        raise InputError("has changed since it was written", path=str(folder / result.file), hint=hint)


def _problem_of_file(line: InputLine) -> Checked:
    assert line.problem is not None
    path, colon, number = line.problem.place.rpartition(":")
    has_line = bool(colon) and number.isdecimal()
    row = Row(path, int(number), None) if has_line else Row(line.problem.place, 1, None)
    error = SaidError(line.problem.message, path=row.path, line=row.line if has_line else None)
    return Checked(replace(row, error=error), None, None)


def _with_id_once(line: InputLine, verdict: Verdict, settings: Settings, known: KnownIds) -> Checked:
    transcript = Transcript.model_validate(line.transcript, context=OF_OURS)
    path, number = verdict.source or "", verdict.line or 1
    found = known.add(Row(path, number, transcript, made_id=line.made, answer_line=verdict.answer_line))
    if found.transcript is None:
        return Checked(found, None, None)
    if found.transcript.id != verdict.id:
        # A generated id got a number: the verdict is stored under the transcript's own name.
        verdict = validate(found.transcript, settings).model_copy(update=found.place)
    return Checked(found, verdict, line.wanted, line.elapsed_ms)

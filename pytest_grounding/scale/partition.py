"""The one pure function of a run in parts: validate the rows of a part, and say what was found."""

from __future__ import annotations

import hashlib
import heapq
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

from pytest_grounding import registry
from pytest_grounding._jsonio import Record, canonical_json, parse, write_atomic
from pytest_grounding._wording import measured
from pytest_grounding.baseline.shards import spelled
from pytest_grounding.citations.origins import comes_from, known_sources
from pytest_grounding.engine.examining import examine
from pytest_grounding.errors import InputError
from pytest_grounding.gate.outcome import Outcome
from pytest_grounding.importers.loading import Row, rows_of
from pytest_grounding.model.run import Problem
from pytest_grounding.model.verdict import Verdict
from pytest_grounding.scale.entry import Entry
from pytest_grounding.scale.inputs import is_address, lines
from pytest_grounding.scale.partfile import PartFile, file_name, ids_name, result_name, result_of
from pytest_grounding.scale.plan import Part, Piece, Plan
from pytest_grounding.scale.result import PartResult, Worst
from pytest_grounding.scale.tally import Tally
from pytest_grounding.settings import Settings

if TYPE_CHECKING:
    from pytest_grounding.audit.trail import Trail

#: A confidence is ordered by millionths.
_MICRO = 1_000_000

#: Takes the rows that were done since it was called last, and how many of them failed.
Tell = Callable[[int, int], None]

_RANK = {"reject": 0, "review": 1, "pass": 2}
_PAUSE_S = 0.5
#: Names of sources that a part remembers, to say which there are where none is the one that was asked for.
_NAMED = 200


def check_partition(part: Part, plan: Plan, *, tell: Tell | None = None) -> PartResult:
    """Validate the rows of a part and write its part file into the work folder.

    It holds one row and one verdict at a time. Executed again it writes the same bytes, so that whoever
    drives it may execute a part as often as it likes.

    Args:
        part: the part.
        plan: its plan; the parts in it are not looked at.
        tell: is told now and then how far the work is.

    Returns:
        What was found, which stands in the work folder too.

    Raises:
        InputError: an input is gone or has changed since the plan was made, or an earlier execution of the
            part found something else.
        GatheredError: a row of a part of a file must be read together with the others of the file.
        OSError: the work folder cannot be written to.
        MemoryError: there is not enough memory for a row.
    """
    settings = plan.settings[part.settings]
    folder = plan.place
    if not folder.is_dir():
        hint = "every machine of the run needs the folder under this name"
        raise InputError("the work folder is not there", path=plan.folder, hint=hint)
    with (
        PartFile(folder, file_name(part.index, plan.compress)) as file,
        PartFile(folder, ids_name(part.index)) as ids,
    ):
        work = _Work(part, plan, settings, file, tell)
        for piece in part.pieces:
            for row in _rows(piece, plan, settings):
                work.take(row)
        work.finish()
        for entry in sorted(work.ids):
            ids.write(entry.to_line())
        # The registry keeps what this process relied on; recorded judgements are kept before the part counts.
        registry.finish_recording()
        result = work.result(ids_sha256=ids.finish(), sha256=file.finish())
        before = result_of(folder, plan.hash, part.index)
        if before is not None and before.sha256 != result.sha256 and (folder / before.file).is_file():
            file.refuse_other(part.description)
        ids.keep()
        file.keep()
    write_atomic(folder / result_name(part.index), result.to_json() + "\n")
    return result


class _Work:
    """The rows of one part on their way into its part file."""

    def __init__(self, part: Part, plan: Plan, settings: Settings, file: PartFile, tell: Tell | None) -> None:
        self._part, self._plan, self._settings, self._file = part, plan, settings, file
        self._suite = plan.settings[0]
        self._tally = Tally(self._suite)
        self._tell = tell
        self._told_at, self._new, self._new_failed = perf_counter(), 0, 0
        self._worst: list[tuple[tuple[int, ...], Worst]] = []
        self._made: Counter[str] = Counter()
        self._elsewhere: set[str] = set()
        self._trail = _trail(settings, plan)
        self._rows = 0
        self.ids: list[Entry] = []

    def take(self, row: Row) -> None:
        """Validate a row and write its line."""
        if row.transcript is None:
            has_line = row.error is None or row.error.line is not None
            place = f"{row.path}:{row.line}" if has_line else row.path
            problem = Problem(place=place, message=str(row.error))
            self._tally.count("problems")
            self._write({"problem": problem.model_dump(mode="json")}, failed=True)
            return
        if self._plan.sources and not comes_from(row.transcript, self._plan.sources, self._settings):
            self._tally.count("left_out")
            if len(self._elsewhere) < _NAMED:
                self._elsewhere.update(known_sources([row.transcript]))
            return
        outcome = self._examined(row)
        verdict, failed, is_expected = outcome.verdict, outcome.is_failed, outcome.is_expected
        self._tally.count("expected", int(is_expected))
        self._tally.count("failed", int(failed))
        if is_expected:
            self._tally.count(f"expected_{verdict.status}")
        else:
            self._tally.add(verdict, failed=failed)
            self._note_worst(verdict)
        if row.made_id:
            self._made[verdict.id] += 1
        is_kept = self._plan.keep == "all" or row.made_id or (self._plan.keep == "failed" and failed)
        line = {
            "verdict": verdict.as_dict(),
            "wanted": outcome.wanted,
            "failed": failed,
            "made": verdict.id if row.made_id else "",
            "transcript": row.transcript.model_dump(mode="json") if is_kept else None,
        }
        number, offset = self._rows, self._file.size
        self._write({key: value for key, value in line.items() if value}, failed=failed)
        size = self._file.size - offset
        self.ids.append(Entry.of(verdict, number, offset, size, failed=failed, expected=is_expected))

    def finish(self) -> None:
        """Tell of the last rows, and note what the audit log took."""
        self._tell_now()
        if self._trail is not None:
            for path, number in self._trail.written.items():
                self._tally.count(f"audit_written.{path}", number)
            for reason, number in self._trail.missed.items():
                self._tally.count(f"audit_missed.{reason}", number)
            self._tally.count("audit_failed", int(self._trail.failed))

    def result(self, *, sha256: str, ids_sha256: str) -> PartResult:
        """The result of the part."""
        for name in sorted(self._elsewhere)[:_NAMED]:
            self._tally.count(f"sources.{name}")
        return PartResult(
            plan=self._plan.hash,
            place=self._part.place,
            file=file_name(self._part.index, self._plan.compress),
            sha256=sha256,
            size=self._file.size,
            rows=self._rows,
            counts=self._tally.counts,
            tables=self._tally.tables,
            firsts=self._tally.firsts,
            lasts=self._tally.lasts,
            worst=tuple(sorted((worst for _, worst in self._worst), key=lambda item: item.key)),
            ids=ids_name(self._part.index),
            ids_sha256=ids_sha256,
            made={stem: self._made[stem] for stem in sorted(self._made)},
            judgements=registry.judgements_used(),
        )

    def _examined(self, row: Row) -> Outcome:
        assert row.transcript is not None
        found = examine(row.transcript, self._settings, place=row.place)
        if any(item.details.get("error") == "MemoryError" for item in found.verdict.causes):
            # That says something of this process and nothing of the answer.
            raise MemoryError
        if self._trail is not None and self._settings.enabled:
            self._trail.write(found.verdict, row.transcript, self._settings, found.elapsed_ms)
        return found

    def _write(self, line: dict[str, Any], *, failed: bool) -> None:
        try:
            text = canonical_json(line)
        except ValueError:  # a NaN of an extension's scorer is in it somewhere, which is rare
            text = canonical_json(spelled(line))
        self._file.write(text.encode("utf-8", "surrogatepass") + b"\n")
        self._rows += 1
        self._new += 1
        self._new_failed += failed
        if perf_counter() - self._told_at > _PAUSE_S:
            self._tell_now()

    def _tell_now(self) -> None:
        if self._tell is not None and self._new:
            self._tell(self._new, self._new_failed)
        self._told_at, self._new, self._new_failed = perf_counter(), 0, 0

    def _note_worst(self, verdict: Verdict) -> None:
        if not self._plan.worst or verdict.status == "pass" or verdict.skipped:
            return
        confidence = measured(verdict.confidence)
        micro = -1 if confidence is None else round(confidence * _MICRO)
        key = (_RANK[verdict.status], micro, self._part.index, self._rows)
        item = (tuple(-number for number in key), Worst(key=key, id=verdict.id, offset=self._file.size))
        if len(self._worst) < self._plan.worst:
            heapq.heappush(self._worst, item)
        elif item[0] > self._worst[0][0]:
            heapq.heapreplace(self._worst, item)


def _rows(piece: Piece, plan: Plan, settings: Settings) -> Iterator[Row]:
    if piece.kind == "problem":
        # The sentence was made with its place when the plan was.
        yield Row(piece.path, piece.line, None, SaidError(piece.message))
        return
    importers, longest = registry.importers(settings), settings.question_max_length
    if piece.kind == "rows":
        from pytest_grounding.scale.columns import records_of

        yield from rows_of(piece.path, importers, longest, records_of(piece), is_part=not piece.is_all)
    elif piece.kind == "lines":
        records = _records(piece, plan)
        yield from rows_of(piece.path, importers, longest, records, is_part=not piece.is_all)
    else:
        _refuse_changed(piece)
        yield from rows_of(piece.path, importers, longest)


class SaidError(InputError):
    """A sentence that has its place in it already."""

    def _render(self) -> str:
        return self.problem


def _records(piece: Piece, plan: Plan) -> Iterator[Record | InputError]:
    """The JSON values of a piece of JSON Lines, each with its line in the whole input."""
    digest = hashlib.sha256()
    data = piece.data
    if not is_address(data) and data != piece.path:
        data = str(plan.place / data)
    number = piece.line
    for number, raw in enumerate(lines(data, piece.start, piece.end), start=piece.line):
        digest.update(raw)
        try:
            text = raw.decode("utf-8-sig" if number == 1 else "utf-8").strip()
            if text:
                yield Record(number, parse(text, path=piece.path, first_line=number), text)
        except UnicodeDecodeError as error:
            problem = f"is not UTF-8 text (byte {error.start} of the line)"
            yield InputError(problem, path=piece.path, line=number, hint="save the file as UTF-8")
        except InputError as error:
            yield error
    if digest.hexdigest() != piece.sha256:
        raise _changed(piece)


def _refuse_changed(piece: Piece) -> None:
    from pytest_grounding.scale.inputs import blocks

    digest = hashlib.sha256()
    for block in blocks(piece.data):
        digest.update(block)
    if digest.hexdigest() != piece.sha256:
        raise _changed(piece)


def _changed(piece: Piece) -> InputError:
    hint = "give the command again, which makes a new plan"
    return InputError("has changed since the plan was made", path=piece.path, hint=hint)


def _trail(settings: Settings, plan: Plan) -> Trail | None:
    if not settings.audit:
        return None
    from pytest_grounding.audit.trail import Trail

    return Trail(Path(plan.root))

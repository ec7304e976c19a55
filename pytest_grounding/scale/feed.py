"""The rows of finished parts, one at a time, in the order of the inputs: as if validated just now."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pytest_grounding.engine import validate
from pytest_grounding.errors import InputError
from pytest_grounding.importers.loading import KnownIds, Row
from pytest_grounding.model.transcript import Transcript
from pytest_grounding.model.verdict import Verdict
from pytest_grounding.scale.checked import Checked
from pytest_grounding.scale.ledger import Ledger
from pytest_grounding.scale.partfile import lines_of
from pytest_grounding.scale.partition import SaidError
from pytest_grounding.scale.plan import Plan
from pytest_grounding.scale.result import Line, PartResult


def checked_rows(ledger: Ledger) -> Iterator[Checked]:
    """Yield the rows of all parts in the order of the inputs.

    An id that stands twice in the run is an error at the second place, and made ids are numbered, whichever
    parts they stand in.

    Args:
        ledger: the parts; each is settled.

    Raises:
        InputError: a part file has been changed.
    """
    plan, known = ledger.plan, KnownIds()
    for part in plan.parts:
        result = ledger.results[part.index]
        if result.failure:
            if result.counts.get("problems"):
                error = SaidError(result.failure, path=part.pieces[0].path)
                yield Checked(Row(part.pieces[0].path, part.pieces[0].line, None, error), None, None)
            continue
        for number, text in enumerate(lines_of(plan.place, result), start=1):
            line = Line.model_validate_json(text)
            if line.verdict is None:
                yield _problem(line)
                continue
            found = _once(line, line.verdict, plan, result, known)
            yield found._replace(part=(plan.place / result.file, number))


def _problem(line: Line) -> Checked:
    assert line.problem is not None
    path, colon, number = line.problem.place.rpartition(":")
    has_line = bool(colon) and number.isdecimal()
    row = Row(path, int(number), None) if has_line else Row(line.problem.place, 1, None)
    error = SaidError(line.problem.message, path=row.path, line=row.line if has_line else None)
    return Checked(replace(row, error=error), None, None)


def _once(line: Line, verdict: Verdict, plan: Plan, result: PartResult, known: KnownIds) -> Checked:
    transcript = None if line.transcript is None else Transcript.model_validate(line.transcript)
    # Ids are told apart by rows; where no transcript was kept, its id is all that is asked for.
    asked = transcript or Transcript.model_construct(id=verdict.id, question="", chunks=(), answer="")
    path, number = verdict.source or result.place.path, verdict.line or 1
    row = Row(path, number, asked, made_id=bool(line.made), answer_line=verdict.answer_line)
    found = known.add(row)
    if found.transcript is None:
        return Checked(found, None, None)
    if found.transcript.id != verdict.id:
        # A made id that is numbered: the verdict is on the transcript under its own name.
        settings = plan.settings[plan.parts[result.place.index].settings]
        verdict = validate(found.transcript, settings).model_copy(update=found.place)
    return Checked(found if transcript is not None else replace(found, transcript=None), verdict, line.wanted)


def unscored(ledger: Ledger) -> tuple[str, ...]:
    """Why parts of a run are not scored, in words; empty for a run that is whole."""
    # Parts that were given up together share a sentence.
    return tuple(dict.fromkeys(result.failure for result in ledger.unscored))


def refuse_none(ledger: Ledger) -> None:
    """Refuse a run without a single row.

    Raises:
        InputError: no part held one.
    """
    results = ledger.results.values()
    if not any(result.rows or result.failure or result.counts.get("left_out") for result in results):
        raise InputError("no transcript was found", hint="give a file or folder that holds some")
